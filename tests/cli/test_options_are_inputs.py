"""Options are inputs: with one, a command after a build without it does what it does with an empty cache.

Every option of every command has a case here, or a reason why it needs none.
"""

import argparse
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.cli import main
from diglot.cli.parsing import Parser, main_parser
from tests.cli.sites import CONFIG, pair, write
from tests.space import CHIPS, outputs

OPTIONS_OF_ALL: dict[str, list[str]] = {
    "--config": ["--config", "site/other.yaml"],
    "--base-url": ["--base-url", "https://example.net/below/"],
    "--drafts": ["--drafts"],
    "--future": ["--future", "--clock", "2026-02-01"],
    "--expired": ["--expired"],
    "--clock": ["--clock", "2026-02-01"],
    "--strict": ["--strict"],
    "--json": ["--json"],
}
"""Options that every command has, with a case for each. `--future` needs a day before that of an article."""
OF_FILES: dict[str, list[str]] = {
    "--precompress": ["--precompress"],
    "--output": ["--output", "elsewhere"],
}
"""Options that change only what is published."""
NOTHING_CHANGES = {
    "--help": "it prints a text",
    "--version": "it prints a text",
    "--root": "it says which project is meant",
    "--jobs": "tests/exactness/test_same_bytes.py",
    "--executor": "tests/figures/test_dask.py",
    "--quiet": "it leaves lines out that are told all the same",
    "--shared-cache": "tests/shared_cache/test_sites.py",
    "--verbose": "it adds lines on what ran, which an empty cache changes",
}
"""Options that change no byte of the output and of no message about the site, each with the reason."""

OWN: dict[str, dict[str, list[str]]] = {
    "build": {"--relative": ["--relative"], "--atomic": ["--atomic"]},
    "check": {
        "parts": ["numbers"],
        "--format": ["--format", "github"],
        "--sarif": ["--sarif", "found.sarif"],
        "--fix": ["--fix", "--json"],
    },
    "deploy --to deployed": {"--delete": ["--delete"], "--dry-run": ["--dry-run"]},
    "status": {"articles": ["moe"], "--explain": ["--explain"]},
    "figures list": {},
}
"""Commands that say or make something of a site, and the cases of their own options."""
ELSEWHERE: dict[str, dict[str, str]] = {
    "build": {"--verify": "it compares with a build from nothing: tests/exactness/test_verify.py"},
    "check": {
        "--external": "it asks other servers: tests/check/test_link_requests.py",
        "--max-age": "of --external",
        "--offline": "of --external",
        "--twice": "it computes figures once more: tests/check/test_repetition.py",
    },
    "deploy": {
        "--to": "given in every case",
        "--branch": "where to: tests/deploying",
        "--remote": "where to: tests/deploying",
        "--cname": "tests/deploying",
        "--message": "tests/deploying",
        "--allow-dirty": "tests/deploying",
        "--allow-unpushed": "tests/deploying",
    },
    "status": {"--export": "it writes files for translators", "--import": "it reads them back"},
}
"""Own options of these commands that are tried in other tests, or make nothing of a site."""
OTHER_COMMANDS = {
    "": "the same as build",
    "init": "it makes a site",
    "new": "it writes sources",
    "rename": "it changes sources",
    "import": "it writes sources",
    "schema": "it prints a text",
    "serve": "its builds are those of build, with options that stay while it runs: tests/serve",
    "sync": "it writes sources",
    "explain": "it says what a build with these options would do to the last one",
    "diff": "it builds each version in a folder of its own: tests/cli/test_diff_command.py",
    "figures export": "it draws anew each time: tests/cli/test_figures_command.py",
    "slides": "tests/slides",
    "export": "it prints pages anew each time: tests/site/test_printed_articles.py",
    "theme": "it lists and copies files",
    "clean": "it removes files",
    "doctor": "it looks at the installation: tests/cli/test_doctor_command.py",
    "cache": "it prints keys: tests/shared_cache/test_sites.py",
    "lsp": "it answers an editor: tests/lsp",
    "hardware": "it prints chips and plans: tests/hardware/test_planning.py",
}
"""Commands that are left out, with all that is below them, each with the reason."""


def commands(parser: Parser, name: str = "") -> Iterator[tuple[str, list[str]]]:
    """Every command that does something, with the names of its arguments."""
    parser.fill()
    verbs = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    names = [
        next((one for one in action.option_strings if one in ROOT_NAMES), None)
        or next((one for one in action.option_strings if one.startswith("--")), action.dest)
        for action in parser._actions
        if action not in verbs
    ]
    if not verbs or not name:
        yield name, names
    for action in verbs:
        for verb, below in action.choices.items():
            yield from commands(below, f"{name} {verb}".strip())


ROOT_NAMES = ("--root", "--output")


def is_left_out(command: str) -> bool:
    return command == "" or any(f"{command} ".startswith(f"{name} ") for name in OTHER_COMMANDS if name)


def test_every_option_of_every_command_has_a_case_or_a_reason() -> None:
    own = {name.partition(" --")[0]: cases for name, cases in OWN.items()}
    common = {*OPTIONS_OF_ALL, *OF_FILES, *NOTHING_CHANGES}
    missing, found = [], set()
    for command, options in commands(main_parser()):
        if is_left_out(command):
            missing += [(command, option) for option in options if not command and option not in common]
            continue
        found.add(command)
        known = common | own.get(command, {}).keys() | ELSEWHERE.get(command, {}).keys()
        missing += [(command, option) for option in options if option not in known]
        gone = (own.get(command, {}).keys() | ELSEWHERE.get(command, {}).keys()) - {*options}
        assert not gone, (command, gone)
    assert missing == []
    assert found == own.keys()


def cases_of(command: str) -> Iterator[list[str]]:
    """The cases of a command. Only the long profile tries all common options with commands but `build`."""
    is_whole = command == "build" or "DIGLOT_LONG_TESTS" in os.environ
    yield from OPTIONS_OF_ALL.values() if is_whole else [OPTIONS_OF_ALL["--config"]]
    yield from OF_FILES.values() if command == "build" else ()
    yield from OWN[command].values()


FIGURE = "The ridge is {eval}`chips.h200.ridge | number(0)`, not 206.\n\n### Skipped\n\nWords."
FILES = {
    "site/site.yaml": CONFIG,
    "site/other.yaml": CONFIG.replace("zh: 站, en: Site", "zh: 另站, en: Other site"),
    "figures/chips.py": CHIPS,
    **pair("moe", FIGURE),
    **pair("draft", more="draft: true\n"),
    **pair("old", more="expires: 2026-03-01\n"),
    **{path: text.replace("2026-01-02", "2026-05-02") for path, text in pair("later").items()},
    "content/posts/alone/zh.md": "---\ntitle: 独\ndate: 2026-01-01\nonly: zh\n---\n\n一句。\n",
}
PUBLISHED = {"build": ("public", "elsewhere"), "deploy --to deployed": ("deployed",), "check": ("content",)}
"""The folders that commands write."""
_COUNTS = re.compile(
    r"^(?:built|nothing to do|repeated).*\n|; the last good output stays| \(\d+ tasks ran.*\)", re.MULTILINE
)


class Command:
    """Runs commands in a project, and says what came of each."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capsys = capsys
        write(root, FILES)

    def run(self, command: str, case: list[str]) -> tuple[object, ...]:
        os.chdir(self.root)
        code = main([*command.split(), *case])
        said = self._capsys.readouterr()
        # Where there are errors, the last good output stays.
        folders = {name: outputs(self.root / name) for name in PUBLISHED.get(command, ()) if not code}
        if "--output" in case:
            del folders["public"]
        return code, *(self._settled(text) for text in (said.out, said.err)), folders

    def _settled(self, text: str) -> str:
        """What was said, without what an empty cache changes: how many tasks ran, and how long it took."""
        text = text.replace(str(self.root), "ROOT")
        if not text.startswith("{"):
            return _COUNTS.sub("", text)
        report = json.loads(text)
        kept = ("diagnostics", "failed", "errors", "warnings", "articles", "figures", "added", "changed")
        return json.dumps({name: value for name, value in report.items() if name in kept})

    def begin_anew(self) -> None:
        for path in self.root.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        write(self.root, FILES)


@pytest.mark.parametrize("command", OWN)
@pytest.mark.timeout(300)
def test_a_command_with_an_option_after_a_build_without_it(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1775000000")  # 31 March 2026
    monkeypatch.chdir(tmp_path)
    warm, clean = (Command(tmp_path / name, capsys) for name in ("warm", "clean"))
    made: dict[tuple[str, ...], tuple[object, ...]] = {}
    for case in ([], *cases_of(command)):
        for path in ("deployed", "elsewhere"):
            shutil.rmtree(warm.root / path, ignore_errors=True)
        write(warm.root, FILES)
        warm.run("build", [])
        clean.begin_anew()
        expected = clean.run(command, case)
        assert warm.run(command, case) == expected, case
        made[tuple(case)] = expected
    if command in PUBLISHED and command != "check":
        assert made["--config", "site/other.yaml"] != made[()]

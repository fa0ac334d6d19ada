"""The command line: what it accepts, and its messages for what it rejects."""

import argparse
import datetime
import re
from collections.abc import Iterator
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from diglot import DOCS_URL, __version__
from diglot.cli.commands import COMMANDS as DECLARED
from diglot.cli.main import main
from diglot.cli.parsing import Parser, main_parser, parse_arguments

COMMANDS = [
    *("build", "serve", "check", "figures list", "figures export", "init"),
    *("new post x", "new page x", "new figure x", "schema site"),
    *("theme list", "theme copy x", "rename post x y", "explain x", "deploy", "clean"),
]
FLAGS: list[tuple[str, str, Any]] = [
    ("-C sub", "root", Path("sub")),
    ("-Csub", "root", Path("sub")),
    ("--root sub", "root", Path("sub")),
    ("--root=sub", "root", Path("sub")),
    ("--config a.yaml", "config", Path("a.yaml")),
    ("-o out", "output", Path("out")),
    ("--output out", "output", Path("out")),
    ("-D", "drafts", True),
    ("--drafts", "drafts", True),
    ("-F", "future", True),
    ("--future", "future", True),
    ("-s sub", "root", Path("sub")),
    ("--source sub", "root", Path("sub")),
    ("-d out", "output", Path("out")),
    ("--destination out", "output", Path("out")),
    ("-b https://Example.org/blog", "base_url", "https://example.org/blog/"),
    ("--base-url http://127.0.0.1:8000", "base_url", "http://127.0.0.1:8000/"),
    ("-E", "expired", True),
    ("--expired", "expired", True),
    ("--clock 2026-12-01", "clock", datetime.date(2026, 12, 1)),
    ("--strict", "strict", True),
    ("-j 3", "jobs", 3),
    ("--jobs 3", "jobs", 3),
    ("--json", "json", True),
    ("-q", "quiet", True),
    ("--quiet", "quiet", True),
    ("-v", "verbose", 1),
    ("-vv", "verbose", 2),
]


def lines() -> Iterator[list[tuple[str, str, Any]]]:
    """All flags in as few lines as possible: each says a thing once."""
    left = FLAGS
    while left:
        line = {flag[1]: flag for flag in left}
        yield [*line.values()]
        left = [flag for flag in left if flag not in line.values()]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_common_flag_stands_before_or_behind_any_command(command: str) -> None:
    for line in lines():
        flags = [word for flag, _, _ in line for word in flag.split()]
        for words in ([*flags, *command.split()], [*command.split(), *flags]):
            arguments = parse_arguments(words)
            found = {name: getattr(arguments, name) for _, name, _ in line}
            assert found == {name: value for _, name, value in line}, words


def test_a_flag_before_the_command_is_not_undone_by_one_behind_it() -> None:
    arguments = parse_arguments(["-C", "sub", "--strict", "build", "-D"])
    assert (arguments.root, arguments.strict, arguments.drafts) == (Path("sub"), True, True)


def test_without_a_command_the_site_is_built() -> None:
    assert parse_arguments([]).command == "build"
    assert parse_arguments(["-vC", "sub", "--drafts"]).command == "build"


def test_without_flags_nothing_unusual_is_asked_for() -> None:
    arguments = parse_arguments(["build"])
    assert arguments.config == Path("site/site.yaml")
    assert arguments.jobs >= 1
    assert not any(
        getattr(arguments, name)
        for name in ("drafts", "future", "strict", "json", "quiet", "verbose", "output")
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("biuld", 'no command named "biuld": did you mean "build"?'),
        (
            "zzzz",
            "commands are init, new, rename, import, lsp, build, serve, figures, explain, check, status, "
            "sync, diff, deploy, slides, export, hardware, theme, schema, doctor, cache, "
            "clean",
        ),
        ("figures exprot", 'no command named "exprot": did you mean "export"?'),
        ("figures", "the following arguments are required: list|export"),
        ("--drfats", 'no flag named "--drfats": did you mean "--drafts"?'),
        ("build --draft", 'no flag named "--draft": did you mean "--drafts"?'),
        ("serve --prt=80", 'no flag named "--prt": did you mean "--port"?'),
        ("build --port 80", 'no flag named "--port"'),
        ("build -z", 'no flag named "-z"'),
        ("build twice", '"twice" is not expected here: too many arguments'),
        ("build --drafts=true", '--drafts takes no value: write it without "=true", or leave it out'),
        ("build -jobs 2", 'no flag named "-jobs": did you mean "--jobs"?'),
        ("serve --prot 80", 'no flag named "--prot": did you mean "--port"?'),
        ("help", 'no command named "help": write --help'),
        ("explain", "the following arguments are required: target"),
        ("-j 0", '"0" is not a number of jobs from 1 to 1024'),
        ("-j ²", '"²" is not a number of jobs'),
        ("-j -1", "-j"),
        ("-C", "expected one argument"),
        ("-b example.org", '"example.org" is not the address of a site: write the complete address, as in'),
        ("--clock tomorrow", '"tomorrow" is not a day such as 2026-12-01'),
        ("--clock 2026-11-31", '"2026-11-31" is not a day such as 2026-12-01: November has 30 days.'),
        ("serve --port 65536", '"65536" is not a port from 0 to 65535'),
        ("serve --port http", '"http" is not a port'),
        ("figures export --lang zh,fr", '"fr" is not one of zh, en'),
        ("figures export --format ,", "name at least one of svg, png, pdf"),
        ("figures export --dpi 20", '"20" is not a resolution from 36 to 1200'),
        (
            "figures export --size 5:3",
            '"5:3" is not a size: use 16:9, 4:3, half, square, poster, narrow, column, wide, or WxH',
        ),
        ("figures export --background red", '"red" is not a colour: write it like #0b1f3a, or page, or none'),
        ("figures export --text 9", '"9" is not a size of text from 0.5 to 3'),
        ("figures export line --state fp8", '"fp8" is not a parameter: write it like dtype=fp8'),
        ("figures export --size 99x400", '"99x400" is not a size'),
        ("figures export --size 9000x400", '"9000x400" is not a size'),
    ],
)
def test_a_wrong_line_is_explained_on_standard_error_and_ends_with_2(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parse_arguments(line.split())
    out, err = capsys.readouterr()
    assert ended.value.code == 2
    assert out == ""
    assert said in err
    assert re.search(r"Try `diglot[a-z ]* --help`\.\n$", err)


def test_lists_keep_their_order_and_lose_repetitions() -> None:
    arguments = parse_arguments(
        [*("figures", "export", "a", "b", "--lang", "en,zh,en"), *("--theme", "dark", "--format", "png,svg")]
    )
    assert arguments.ids == ["a", "b"]
    assert (arguments.lang, arguments.theme, arguments.format) == (("en", "zh"), ("dark",), ("png", "svg"))


@pytest.mark.parametrize("size", ["16:9", "narrow", "column", "wide", "1280x720", "100x8000"])
def test_a_size_is_a_name_a_ratio_or_width_by_height(size: str) -> None:
    assert parse_arguments(["figures", "export", "--size", size]).size == size


@pytest.mark.parametrize("words", [["--version"], ["build", "--help"], ["--help"]])
def test_version_and_help_go_to_standard_output(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse_arguments(words)
    out, err = capsys.readouterr()
    assert ended.value.code == 0
    assert err == ""
    assert (__version__ if words == ["--version"] else "usage: diglot") in out


def test_help_has_each_command_once_on_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["--help"])
    lines = capsys.readouterr().out.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("    ")]
    with pytest.raises(SystemExit):
        parse_arguments(["nope"])
    known = re.findall(r"\w+", capsys.readouterr().err.partition("commands are ")[2].partition(".")[0])
    assert sorted(listed) == sorted(known)
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 110


def test_help_takes_the_name_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["--help", "check"])
    assert "usage: diglot check" in capsys.readouterr().out
    assert parse_arguments(["--help", "hardware"]).rest == ["--help"]
    with pytest.raises(SystemExit):
        parse_arguments(["-h", "chekc"])
    assert 'did you mean "check"?' in capsys.readouterr().err


def test_help_names_every_command_exit_code_and_variable(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["--help", "all"])
    text = capsys.readouterr().out
    for word in [command.split()[0] for command in COMMANDS]:
        assert re.search(rf"^    {word} ", text, re.MULTILINE)
    for code in ("0", "1", "2", "130"):
        assert re.search(rf"^  {code} ", text, re.MULTILINE)
    for variable in ("DIGLOT_BASE_URL", "SOURCE_DATE_EPOCH", "NO_COLOR", "CI"):
        assert variable in text
    assert text.endswith(f"\ndocumentation: {DOCS_URL}\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ray:tcp://h:1", '"ray:tcp://h:1" is not an executor: use processes, or a Dask scheduler'),
        ("dask:h", '"h" is not the address of a Dask scheduler: write it like dask:tcp://host:8786'),
    ],
)
def test_an_executor_that_is_none_is_told_with_a_way_out(
    text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        parse_arguments(["build", "--executor", text])
    assert left.value.code == 2
    assert words in capsys.readouterr().err


def test_figures_are_computed_on_this_machine_where_nothing_else_is_said() -> None:
    assert parse_arguments([]).executor == "processes"
    assert parse_arguments(["--executor", "processes", "build"]).executor == "processes"


def parsers_of(parser: Parser, *words: str) -> Iterator[tuple[tuple[str, ...], Parser]]:
    """The parsers of all commands, by the words of the command."""
    parser.fill()
    yield words, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from parsers_of(inner, *words, name)


def test_what_runs_each_command_is_there() -> None:
    """It is named in a text, so that a command is loaded only to be run."""
    commands = [verb for command in DECLARED for verb in (command.verbs or (command,))]
    for command in commands:
        module, _, function = command.run.partition(":")
        run = getattr(import_module(module), function)
        assert [*signature(run).parameters][:1] == ["arguments"], command.name


def test_no_value_of_any_flag_is_empty(capsys: pytest.CaptureFixture[str]) -> None:
    """`deploy --to "$UNSET"` published to the branch that is the default."""
    tried = 0
    for words, parser in parsers_of(main_parser()):
        for action in parser._actions:
            for flag in action.option_strings if action.nargs != 0 else ():
                with pytest.raises(SystemExit) as ended:
                    parser.parse_args([flag, " "])
                said = capsys.readouterr().err
                assert (ended.value.code, "its value is empty" in said) == (2, True), (words, flag, said)
                tried += 1
    assert tried > 100


def test_a_variable_that_diglot_does_not_read_is_named_with_the_near_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    meant = {
        "DIGLOT_DEBG": "set DIGLOT_DEBUG instead",
        "DIGLOT_BASEURL": "set DIGLOT_BASE_URL instead",
        "diglot_base_url": "set DIGLOT_BASE_URL instead",
        "DIGOT_EDITOR": "set DIGLOT_EDITOR instead",
        "SOURCE_DATE_EPCOH": "set SOURCE_DATE_EPOCH instead",
        "DIGLOT_TOKEN": "diglot reads DIGLOT_BASE_URL,",
    }
    for name in (*meant, "DIGLOT_PLAIN", "EDITOR"):
        monkeypatch.setenv(name, "0")
    assert main(["schema", "site"]) == 0
    said = re.findall(r"warning: .* variable (\w+)\n  fix: (.+)", capsys.readouterr().err)
    assert {name: fix.startswith(meant[name]) for name, fix in said} == dict.fromkeys(meant, True)
    assert main(["schema", "site", "--strict"]) == 2

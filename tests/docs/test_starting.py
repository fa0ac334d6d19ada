"""`docs/starting.md` is true: its commands run in turn in an empty folder, and leave a good site."""

import shlex
from pathlib import Path

import pytest

from diglot.cli import main
from diglot.cli.parsing import parse_arguments
from tests.docs.pages import DOCS, code, examples, rows, section

STARTING = (DOCS / "starting.md").read_text("utf-8")
LINES = [line for block in examples(STARTING, "sh")[1:] for line in block.text.splitlines()]


def test_its_commands_run_in_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert LINES[:2] == ["diglot init blog", "cd blog"]
    for line in LINES:
        program, *words = shlex.split(line)
        if program == "cd":
            monkeypatch.chdir(words[0])
            continue
        assert program == "diglot"
        if words[0] == "serve":  # it ends only when it is stopped
            parse_arguments(words)
            continue
        kept = words[-1] if words[-2:-1] == [">"] else None
        capsys.readouterr()
        assert main(words[: words.index(">")] if kept else words) == 0, line
        if kept:
            assert Path(kept).read_text("utf-8").strip() == capsys.readouterr().out.strip()
    capsys.readouterr()
    assert main(["build", "--strict"]) == 0, capsys.readouterr().err


def test_the_options_of_init_are_options() -> None:
    described = [words for row in rows(section(STARTING, "## A first page")) for words in code(row[0])]
    assert len(described) > 5
    for words in described:
        parse_arguments(["init", "blog", *shlex.split(words)])

"""`docs/slides.md` is true: its commands work, and what it says about names and folders holds."""

import shlex

from diglot.cli.parsing import parse_arguments
from diglot.slides.decks import OPENDOCUMENT, POWERPOINT, TEXTS
from diglot.slides.findings import Status
from diglot.slides.kept import DATA, MANIFEST
from tests.docs.pages import DOCS, code, examples, rows, section

SLIDES = (DOCS / "slides.md").read_text("utf-8")


def test_every_command_is_one() -> None:
    lines = [line for example in examples(SLIDES, "sh") for line in example.text.splitlines()]
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("diglot ")]
    assert len(commands) == 5
    for command in commands:
        assert parse_arguments(command).command in ("figures", "slides")


def test_statuses_endings_and_folders_are_those_of_the_code() -> None:
    checked = section(SLIDES, "## Which slides are stale")
    assert [row[0] for row in rows(checked)] == ["current", "stale", "gone", "unknown"]
    assert set(Status.__args__) == {"current", "stale", "gone", "unknown"}
    named = set(code(checked))
    assert {one for one in named if one.startswith(".")} <= {*POWERPOINT, *OPENDOCUMENT, *TEXTS}
    kept = code(section(SLIDES, "## How figures are recognised"))
    assert {MANIFEST, f"{DATA}/"} <= set(kept)

"""`docs/changes.md` is true: its story prints what it says, and its tables are the code's."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from diglot.cli.main import main
from diglot.cli.parsing import parse_arguments
from diglot.comparing.changes import Changes
from diglot.comparing.json_report import json_report
from diglot.comparing.wording import SECTIONS
from tests.docs.pages import DOCS, code, examples, fields_of, rows, section
from tests.hardware.test_catalogue import SMALL
from tests.space import Space

CHANGES = (DOCS / "changes.md").read_text("utf-8")
STORY = section(CHANGES, "## One number changes")


def with_bandwidth(terabytes: float) -> str:
    """The file of chips, without the sources that disagree on the bandwidth."""
    chips = SMALL.partition("  conflicts:")[0]
    return chips.replace("value: 4.8", f"value: {terabytes}")


def test_the_story_prints_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = Space(tmp_path / "before")
    (script,) = examples(STORY, "python")
    zh, en = examples(STORY, "markdown")
    before.write("figures/chips.py", script.text)
    before.write("site/hardware/mine.yaml", with_bandwidth(5.6))
    before.post("one", zh=zh.text, en=en.text)
    now = Space(tmp_path / "now").copied_from(before)
    now.write("site/hardware/mine.yaml", with_bandwidth(4.5))
    assert main(["diff", "--root", str(now.root), "--against", str(before.root)]) == 1
    (printed,) = examples(STORY, "text")
    assert capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ").strip() == printed.text.strip()


def test_the_parts_of_the_report_are_the_code_s() -> None:
    described = [row[0] for row in rows(section(CHANGES, "## What the report says"))]
    assert described == [*SECTIONS.values()]


def test_every_field_for_programs_is_described() -> None:
    nothing = Changes(doubts=(), values=(), figures=(), blocks=(), slides=(), inputs=())
    there = ["ok", *json_report(nothing, "main")]
    below = [name for name in fields_of(Changes) if name.partition("[")[0] in there and "[" in name]
    described = [name for row in rows(section(CHANGES, "## For programs")) for name in code(row[0])]
    assert {*described} == {*there, *below}
    assert len(described) == len({*described})


def test_the_commands_are_understood() -> None:
    (first, *_) = examples(CHANGES, "sh")
    for line in first.text.splitlines():
        assert parse_arguments(shlex.split(line.partition("#")[0])[1:]).command == "diff"


def test_the_workflow_runs_what_there_is() -> None:
    (workflow,) = examples(CHANGES, "yaml")
    steps = yaml.safe_load(workflow.text)["jobs"]["diff"]["steps"]
    (command,) = re.findall(
        r"diglot (diff .*) > changes\.md", "\n".join(step.get("run", "") for step in steps)
    )
    arguments = parse_arguments(shlex.split(command))
    assert (arguments.against, arguments.markdown, arguments.html) == ("HEAD^1", True, Path("changes.html"))

"""The manual's page of imports is true: its flags are those of the command, and its keys are mapped."""

import re

import pytest

from diglot.importing.records import Findings, Half, Matter
from diglot.importing.writing.matter import NOT_NEEDED, map_matter
from tests.docs.pages import DOCS, code, rows, section
from tests.docs.test_authoring import flags_of

IMPORTING = (DOCS / "manual/content/pages/imports/en.md").read_text("utf-8")


def test_its_flags_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    told = {
        flag
        for row in rows(section(IMPORTING, "## What it reads, and what it writes {#rules}"))
        for flag in code(row[0])
    }
    assert told <= flags_of(capsys, "import")
    assert {"--dry-run", "--force", "--output"} <= told


def keys_of(cell: str) -> list[str]:
    return [key for key in code(cell) if re.fullmatch(r"[a-zA-Z][a-zA-Z_]*", key)]


@pytest.mark.parametrize(
    "row", rows(section(IMPORTING, "## Front matter {#matter}")), ids=lambda row: row[1][:30]
)
def test_keys_of_front_matter_are_mapped_as_it_says(row: tuple[str, ...]) -> None:
    into = code(row[1])[0] if code(row[1]) else ""
    for key in keys_of(row[0]):
        value = "2020-02-03" if into in ("date", "updated") else "words"
        file = Matter(values={key: value}, lines={}, body="", body_line=1)
        matter = map_matter(Half(source="a.md", key="a", name="a", language="en", matter=file), Findings())
        if row[1] == "left out":
            assert key in NOT_NEEDED
        elif row[1].startswith("a comment"):
            assert matter.rest == {key: value}
        elif into in ("title", "date", "updated", "description") and not key.endswith("_zh"):
            assert str(getattr(matter, into)) == value
        else:
            assert not matter.rest

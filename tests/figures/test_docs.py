"""Everything that the page on writing figures names exists."""

import inspect
import re
from pathlib import Path

import pytest

import diglot.figures
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.palette import TOKENS

PAGE = (Path(__file__).parent.parent.parent / "docs/figures.md").read_text("utf-8")
CALLS = sorted(set(re.findall(r"`(\w+)\(((?:[^`]*))\)`", PAGE)))


def test_every_public_name_is_on_the_page():
    unnamed = {name for name in diglot.figures.__all__ if not re.search(rf"\b{name}\b", PAGE)}
    assert unnamed <= {"Canvas", "ChipMark", "Table", "Words"}, "types, for annotations"


@pytest.mark.parametrize("name", sorted(diglot.figures.__all__))
def test_every_public_name_can_be_imported(name: str):
    assert getattr(diglot.figures, name).__doc__


@pytest.mark.parametrize(("name", "arguments"), [(n, a) for n, a in CALLS if n in diglot.figures.__all__])
def test_calls_on_the_page_use_arguments_that_there_are(name: str, arguments: str):
    known = inspect.signature(getattr(diglot.figures, name)).parameters
    assert [word for word in re.findall(r"(\w+)=", arguments) if word not in known] == []


def test_colours_and_canvas_are_as_the_page_says():
    for token in (
        "ink",
        "soft",
        "mute",
        "rule",
        "paper",
        "gpu1",
        "tpu4",
        "cmp",
        "mem",
        "net",
        "idle",
        "seq9",
    ):
        assert token in TOKENS
    for name in re.findall(r"`figure\.(\w+)\(", PAGE):
        assert hasattr(Canvas, name)

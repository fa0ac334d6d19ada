"""Widths of texts before they are drawn."""

from itertools import permutations

import pytest

from diglot.figures.drawing.style import use_style
from diglot.figures.drawing.text_sizes import width_of
from diglot.languages import LANGUAGES

TEXTS = ("$x^2$", r"$\mathrm{abc}$ s", "$O(n^2)$", "12", "宽 wide", "a\n$b$")


@pytest.fixture(autouse=True)
def nothing_measured() -> None:
    width_of.cache_clear()


@pytest.mark.parametrize("text", TEXTS)
def test_a_width_is_that_of_the_language_whatever_is_being_drawn(text: str) -> None:
    measured = set()
    for styles in permutations(LANGUAGES):
        for style in styles:
            width_of.cache_clear()
            use_style(style, "variables")
            measured.add(tuple(width_of(text, 12.5, language) for language in LANGUAGES))
    assert len(measured) == 1

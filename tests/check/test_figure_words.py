"""The words of a figure in both languages: its title, message, description and the heads of its table."""

import pytest

from diglot.diagnostics import Diagnostic
from tests.site.test_structured_data import TABLE
from tests.space import Space, guarded


def said(space: Space) -> list[Diagnostic]:
    with space.site() as site:
        return guarded(site, "pairs")


@pytest.fixture
def shown(space: Space) -> Space:
    space.write("figures/bars.py", TABLE)
    figure = "```{figure} bars\n```"
    space.post("a", zh=figure, en=figure)
    return space


def test_words_that_agree_are_left_alone(shown: Space) -> None:
    assert said(shown) == []


def test_another_number_is_found_where_it_is_written(shown: Space) -> None:
    shown.write(
        "figures/bars.py", TABLE.replace("Two bars, the taller is {top}", "Two bars, the taller is 7")
    )
    (found,) = said(shown)
    lines = (shown.root / "figures/bars.py").read_text("utf-8").split("\n")
    assert found.rule == "halves-quantity"
    assert "in the words of describe, “5” here, “7” in the English half" in found.message
    assert found.location is not None
    assert found.location.path == "figures/bars.py"
    assert lines[(found.location.line or 0) - 1].startswith("def describe")


def test_a_heading_is_found_in_the_function_that_has_it(shown: Space) -> None:
    shown.write("figures/bars.py", TABLE.replace('en="Value"', 'en="Value, $5"'))
    (found,) = said(shown)
    assert found.message == "in the words of table, “$5” is only in the English half"
    source = (shown.root / "figures/bars.py").read_text("utf-8").split("\n")
    assert found.location is not None
    assert "$5" in source[(found.location.line or 0) - 1]


def test_words_that_the_glossary_refuses_are_found_in_figures_and_in_front_matter(shown: Space) -> None:
    shown.write("site/glossary.yaml", "bar: {zh: 柱, en: bar, never: [棍, stick]}\n")
    shown.write("figures/bars.py", TABLE.replace('"zh": "两根柱"', '"zh": "两根棍"'))
    shown.change("content/posts/a/en.md", "Article a", "A stick")
    of_figure, of_title = sorted(said(shown), key=lambda one: str(one.location), reverse=True)
    assert (of_title.rule, of_figure.rule) == ("glossary-word", "glossary-word")
    assert of_title.message == "in the front matter, “stick” is not this site's word"
    assert "“棍” is not this site's word" in of_figure.message
    assert of_figure.fix == "write 柱."


def test_a_figure_of_both_halves_is_told_once_and_not_again(shown: Space) -> None:
    shown.write("figures/bars.py", TABLE.replace('"zh": "两根柱"', '"zh": "两根柱，3 ms"'))
    shown.post("b", zh="```{figure} bars\n```", en="```{figure} bars\n```")
    assert [one.rule for one in said(shown)] == ["halves-quantity"]
    assert [one.rule for one in said(shown)] == ["halves-quantity"]

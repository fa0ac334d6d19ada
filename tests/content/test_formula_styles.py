"""Formulas say how their columns are set in classes, which a page's policy allows."""

import re
from pathlib import Path

import pytest

from diglot.content.formulas import formula_html

STYLE = (Path(__file__).parents[2] / "templates/static/style.css").read_text("utf-8")
FORMULAS = {
    r"\begin{aligned} a &= b \\ c &= d \end{aligned}": {"right tight-right", "left tight-left"},
    r"\begin{cases} a & b \\ c & d \end{cases}": {"left tight-right", "left tight-right far-left"},
    r"\begin{array}{|l|r||c} a & b & c \\ \hline c & d & e \end{array}": {
        *("line-left", "left line-right", "right line-right", "line-right near-left near-right"),
        *("line-top left line-right", "line-top right line-right"),
        *("line-top line-right near-left near-right", "line-top"),
    },
    r"\begin{array}{l} a \\ \hdashline c \end{array}": {"left", "dashes-top left"},
    r"\begin{subarray}{l} a \\ b \end{subarray}": {"left tight-top tight-bottom"},
    r"\cfrac{a}{b}": {"low"},
}


@pytest.mark.parametrize("latex", FORMULAS)
def test_columns_and_lines_have_classes_of_the_theme(latex: str) -> None:
    html = formula_html(latex, display=True)
    assert " style=" not in html
    assert {*re.findall('class="([^"]*)"', html)} == FORMULAS[latex]
    for name in " ".join(FORMULAS[latex]).split():
        assert f"math .{name} {{" in STYLE


def test_colours_are_attributes() -> None:
    assert '<mrow mathcolor="#FF0000">' in formula_html(r"\color{red} x", display=False)

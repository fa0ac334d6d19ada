"""Dollar signs in drawings: money stays as typed, formulas are set, and Chinese stands beside them."""

import io
from typing import Any

import pytest

from diglot.figures import charts
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.glyphs import reports
from diglot.figures.drawing.runs import runs_of
from diglot.figures.drawing.style import use_style
from diglot.figures.drawing.svg import Caption, inline_svg
from diglot.figures.drawing.text_sizes import width_of, wrapped
from diglot.languages import LANGUAGES
from tests.figures.charts.drawing import drawn

MONEY = [
    *(
        "Price, $/h or $/month",
        "价格（$/h到$/月）",
        "from $2 to $3",
        "spot $2/h vs $3/h",
        "costs $2/h or $4/h",
    ),
    *(
        "$5/$6",
        "US$2–US$3",
        "$/GPU·h ($/h)",
        "$5和$6",
        "（$5/时，$6/天）",
        "每月$x元，每年$y元",
        "$",
        "$$",
        "$5",
    ),
    *("$ 5 $", "5$ 6$", "$1, $2, $3", "a$b", "$100", "$/1M tokens, in $", "$0.50/h → $0.40/h"),
    "US$5 and 5$ or",
]
FORMULAS = {
    r"$\alpha$": [r"$\alpha$"],
    r"延迟 $\alpha$": ["延迟 ", r"$\alpha$"],
    r"延迟$\alpha$与$\beta$": ["延迟", r"$\alpha$", "与", r"$\beta$"],
    "$x$ in ms": ["$x$", " in ms"],
    r"\$5 and $x$": [r"\$5 and ", "$x$"],
    "costs $5, $x$": ["costs $5, ", "$x$"],
    "$$x^2$$": ["$$x^2$$"],
    r"$\text{延迟}$": [r"$\text{延迟}$"],
    "plain": ["plain"],
    "": [""],
}


def test_money_is_text() -> None:
    assert {text: [tuple(run) for run in runs_of(text)] for text in MONEY} == {
        text: [(text, False)] for text in MONEY
    }


def test_formulas_are_the_runs_that_prose_reads_as_such() -> None:
    found = {text: runs_of(text) for text in FORMULAS}
    assert {text: [run.source for run in runs] for text, runs in found.items()} == FORMULAS
    assert all(
        run.is_formula == ("$" in run.source and "5" not in run.source)
        for runs in found.values()
        for run in runs
    )


def test_a_dollar_sign_is_escaped_as_in_prose() -> None:
    ((text, is_formula),) = [(run.drawn, run.is_formula) for run in runs_of(r"\$a and b\$")]
    assert (text, is_formula) == ("$a and b$", False)


def svg(draw: Any, language: Any = "en") -> str:
    use_style(language, "variables")
    canvas = drawn(lambda figure, t: draw(figure), language=language)
    caption = Caption(prefix="p", title="T", alt="A", lang=language)
    with reports() as heard:
        text = inline_svg(canvas, caption, size="column").text
    assert heard.missing == {}
    return text


def by_hand(figure: Canvas, text: str) -> None:
    axes = figure.axes_px(90, 60, 400, 200)
    axes.plot([1, 2], [1, 2], color="ink", label=text)
    axes.set_xlabel(text)
    axes.set_ylabel(text)
    axes.set_title(text)
    axes.set_xticks([1, 2], [text, ""])
    axes.text(1.2, 1.2, text, rotation=30)
    axes.annotate(text, (1.5, 1.5))
    axes.legend()
    figure.suptitle(text)
    figure.text_px(10, 20, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_money_is_drawn_as_typed_wherever_it_stands(language: Any) -> None:
    rows = {"batch": [1, 3], "ms": [2, 4]}
    for text in MONEY[:7]:
        plain = text.replace("&", "&amp;")
        assert svg(lambda f, text=text: by_hand(f, text), language).count(f">{plain}<") == 9, text
        kinds = {
            "series": lambda f, text=text: charts.lines(
                f, rows | {"model": text}, x="batch", y="ms", series="model"
            ),
            "bars": lambda f, text=text: charts.bars(f, [{"model": text, "ms": 3}], y="model", x="ms"),
            "annotation": lambda f, text=text: charts.lines(f, rows, x="batch", y="ms").annotate(
                (1, 2), text
            ),
            "rule": lambda f, text=text: charts.lines(f, rows, x="batch", y="ms").rule(x=2, text=text),
            "heading": lambda f, text=text: (
                charts.heading(f, text),
                charts.lines(f, rows, x="batch", y="ms"),
            ),
            "labels": lambda f, text=text: charts.points(
                f, rows | {"model": text}, x="batch", y="ms", label="model"
            ),
            "heat map": lambda f, text=text: charts.heat_map(
                f, [{"model": text, "part": "a", "ms": 1}], x="part", y="model", value="ms"
            ),
        }
        for kind, draw in kinds.items():
            assert f">{plain}<" in svg(draw, language), (kind, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_chinese_stands_beside_a_formula(language: Any) -> None:
    text = svg(lambda f: by_hand(f, r"延迟 $\alpha_1$ 与吞吐"), language)
    assert text.count(">延迟 <") == text.count("> 与吞吐<") == 9
    assert text.count(">α<") == 9


def test_a_line_with_a_formula_is_as_wide_as_its_parts_and_is_not_broken_in_it() -> None:
    for language in LANGUAGES:
        parts = [width_of(part, 14, language) for part in ("延迟", r"$\alpha$", "后")]
        assert width_of(r"延迟$\alpha$后", 14, language) == pytest.approx(sum(parts), abs=2.5)
    assert wrapped("a $x + y + z$ b", 14, "en", 30) == "a\n$x + y + z$\nb"


def test_spaces_around_a_formula_are_kept() -> None:
    for language in LANGUAGES:
        narrow, wide = (width_of(text, 14, language) for text in ("a$x$b", "a $x$ b"))
        assert wide > narrow + 4


def test_what_the_font_of_formulas_lacks_is_said_to_be_in_a_formula() -> None:
    use_style("en", "variables")
    canvas = Canvas("column", "en")
    with reports() as heard:
        canvas.text_px(10, 50, r"$\mathrm{延}_1$")
        canvas.savefig(io.BytesIO())
    assert heard.missing == {"延": True}

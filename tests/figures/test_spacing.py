"""The gap between Chinese and Latin: counted wherever texts are measured, drawn where no browser sets it."""

import re

import pytest

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.export import Inscription, pdf, svg
from diglot.figures.drawing.sheets import layout, place
from diglot.figures.drawing.spacing import GAP_EM, pieces_of
from diglot.figures.drawing.style import TEXT_PX, use_style
from diglot.figures.drawing.svg import Caption, inline_svg

CAPTION = Caption(prefix="x", title="x", alt="x", lang="zh-Hans")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("在H200上用4096行", ["在", "H200", "上用", "4096", "行"]),
        ("单位µs与α", ["单位", "µs", "与", "α"]),
        ("占97%的峰值", ["占", "97%的峰值"]),
        ("（H200）与“v6e”、ｖ６", ["（H200）与“v6e”、ｖ６"]),
        ("已有 H200 的空格", ["已有 H200 的空格"]),
        ("H200 falls", ["H200 falls"]),
    ],
)
def test_gaps_stand_between_chinese_and_latin_letters_and_digits(text: str, pieces: list[str]):
    assert pieces_of(text) == pieces


def canvas_with(*texts: str) -> Canvas:
    use_style("zh", "light")
    canvas = Canvas("narrow", "zh", height_px=100)
    for line, text in enumerate(texts):
        canvas.text_px(10, 20 + 20 * line, text)
    return canvas


def test_a_text_is_measured_with_its_gaps_before_it_is_drawn():
    canvas = canvas_with("在H200上", "在", "H200", "上")
    whole, *parts = (text.get_window_extent().width for text in canvas.texts)
    assert whole == pytest.approx(sum(parts) + 2 * GAP_EM * TEXT_PX["zh"][0], abs=1)


def test_a_turned_text_has_its_gaps_along_the_line_and_a_page_keeps_the_text_whole():
    canvas = canvas_with()
    canvas.text_px(50, 50, "在H", rotation=90)
    canvas.text_px(50, 80, "在H")
    page = inline_svg(canvas, CAPTION, size="narrow").text
    assert page.count(">在H</text>") == 2
    on = layout("narrow")
    about = Inscription(caption=CAPTION, key="x")
    turned, level = _starts(svg(canvas, place(canvas, on), about, paper=None).decode())
    down, across = turned[0][1] - turned[1][1], level[1][0] - level[0][0]
    assert down == pytest.approx(across, abs=0.02), "upwards as far as to the right"
    assert across == pytest.approx((1 + GAP_EM) * TEXT_PX["zh"][0], abs=0.5), (
        "a full-width character and a gap"
    )
    assert (turned[0][0], level[0][1]) == (turned[1][0], level[1][1])
    assert pdf(canvas, place(canvas, on), about, paper=None).startswith(b"%PDF-")


def _starts(text: str) -> list[list[tuple[float, float]]]:
    """Where the pieces of each text begin."""
    places = [
        (float(x), float(y)) for x, y in re.findall(r'<g[^>]*transform="translate\(([\d.]+) ([\d.]+)\)', text)
    ]
    return [places[:2], places[2:4]]

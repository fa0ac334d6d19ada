"""Every figure of the site, drawn in every language, size and choice: nothing missing, nothing colliding."""

import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from diglot.figures.drawing.canvas import WIDTH_PX
from diglot.figures.drawing.collisions import collisions
from diglot.figures.drawing.sheets import layout
from diglot.figures.drawing.style import use_style
from diglot.figures.preview import draw_script
from diglot.languages import LANGUAGES, Language
from tests.site_figures.scripts import DRAWN, FIGURES, SiteFigure

MOST_SLIDE_HEIGHT_PX = 380
"""Maximum height: a slide scales a higher drawing down, until its text is smaller than 20 px."""


CASES = [
    pytest.param(figure, choice, id="-".join((name, *map(str, choice.values()))))
    for name, figure in DRAWN.items()
    for choice in figure.choices()
]
"""Every figure with every choice of its parameters."""
NOT_ON_PAGES = {
    *("array_padding?ways=2", "array_padding?ways=4"),
    *("batch_sweep?dtype=int8", "first_token_load?dtype=int8", "serving_breakdown?dtype=int8"),
    *("operator_parity?model=calibrated", "parity?model=calibrated", "parity?model=ideal"),
    *("wave_quantisation?tile=128x128", "wave_quantisation?tile=64x128"),
}
"""Choices that no page of the site shows; tests/site/test_own_site.py compares."""
languages = pytest.mark.parametrize("language", LANGUAGES)
cases = pytest.mark.parametrize(("figure", "choice"), CASES, scope="module")  # one after another


@languages
@cases
def test_drawings_have_every_glyph_and_no_colliding_labels(
    figure: SiteFigure, choice: dict[str, Any], language: Language
) -> None:
    """What the site shows is looked over in the sizes of pages when tests/site builds it with `strict`."""
    data = figure.data(**choice)
    for size in figure.sizes if str(figure.request(choice)) in NOT_ON_PAGES else ("slide",):
        use_style(language, "variables")
        on = layout(size)
        assert on is not None
        canvas = on.canvas(figure.words(language))
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a missing glyph is a warning of matplotlib
            draw_script(lambda on, t: figure.module.draw(on, data, t), canvas)
            assert [str(found) for found in collisions(canvas)] == [], size
        assert canvas.width_px == WIDTH_PX[size]
        if size == "slide":
            assert canvas.height_px <= MOST_SLIDE_HEIGHT_PX


@languages
@cases
def test_alternative_text_is_short_and_carries_computed_numbers(
    figure: SiteFigure, choice: dict[str, Any], language: Language
) -> None:
    data = figure.data(**choice)
    text = figure.module.describe(data, figure.words(language))
    computed = {round(number, digits) for number in numbers_in(data) for digits in (0, 1, 2)}
    # Shares are quoted in percent, seconds in ms, and rates in GB/s or TFLOP/s.
    scaled = [scale * number for number in numbers_in(data) for scale in (100, 1e3, 1e-9, 1e-12)]
    computed |= {round(number, digits) for number in scaled for digits in (0, 1, 2)}
    quoted = [
        float(n.replace(",", ""))
        for n in re.findall(r"(?<![A-Za-z\d.])\d[\d,]*(?:\.\d+)?(?![A-Za-z\d])", text)
    ]
    assert len(quoted) >= 3
    given = {16, 1000}  # elements of a 4 × 4 array; a thousand clips
    assert [number for number in quoted if number not in computed | given] == []
    assert len(text) < (200 if language == "zh" else 400)


@pytest.mark.parametrize("name", FIGURES)
def test_tables_carry_the_same_cells_in_both_languages(name: str) -> None:
    figure = FIGURES[name]
    tables = [figure.module.table(figure.data(), figure.words(language)) for language in LANGUAGES]
    assert tables[0].numeric == tables[1].numeric
    assert len(tables[0].rows) == len(tables[1].rows) > 0
    for rows in zip(tables[0].raw, tables[1].raw, strict=True):
        for cells in zip(tables[0].numeric, *rows, strict=True):
            assert not cells[0] or cells[1] == cells[2]


@pytest.mark.parametrize("name", FIGURES)
def test_titles_stand_in_both_languages(name: str) -> None:
    title = FIGURES[name].module.TITLE
    assert set(title) == {"zh", "en"}
    assert re.search(r"[\u4e00-\u9fff]", title["zh"])
    assert not re.search(r"[\u4e00-\u9fff]", title["en"])


def numbers_in(data: Any) -> Iterator[float]:
    """Yield every number in a figure's data, those inside keys and strings included."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from numbers_in(key)
            yield from numbers_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from numbers_in(value)
    elif isinstance(data, str):
        yield from (float(digits) for digits in re.findall(r"\d+", data))
    elif isinstance(data, int | float):
        yield float(data)

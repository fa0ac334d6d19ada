"""Readings of charts in a browser: pointer, keys and touch, chips in the text, the other language."""

import json
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import pytest

from tests.browser import axe_violations, served
from tests.cli.sites import article
from tests.space import Space

pytestmark = pytest.mark.browser

SCRIPT = """
from diglot.figures import charts

TITLE = {"zh": "占峰值的比例", "en": "Share of peak"}
COLUMNS = {
    "n": {"zh": "列数", "en": "Columns"},
    "share": {"zh": "占峰值", "en": "Share of peak", "unit": "share"},
    "chip": {"zh": "芯片", "en": "Chip"},
}


def compute():
    slopes = {"h200-sxm": 0.05, "tpu-v6e": 0.1}
    chips = [(chip, slope, i) for chip, slope in slopes.items() for i in range(1, 10)]
    return {"rows": [{"n": 64 * i, "share": slope * i, "chip": chip} for chip, slope, i in chips]}


def draw(figure, data, t):
    charts.lines(figure, data["rows"], x="n", y="share", series="chip")


def describe(data, t):
    return t(zh="两条线。", en="Two lines.")
"""
TEXT = "H200 is below TPU v6e, and v6e is above. An H2000 is no chip.\n\n```{figure} share\nCaption.\n```\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    space = Space(tmp_path_factory.mktemp("readings"))
    space.write("figures/share.py", SCRIPT)
    for language in ("zh", "en"):
        space.write(f"content/posts/one/{language}.md", article(TEXT))
    assert space.build().published
    with served(space.root / "public") as address:
        yield address


def _reading(page: Any) -> list[str]:
    return [
        part.replace("\N{NO-BREAK SPACE}", " ")
        for part in page.locator("output.reading span").all_inner_texts()
    ]


def _at(page: Any, x: float, y: float) -> tuple[float, float]:
    """A place in the drawing, given as in the data of its points, in the window."""
    box = page.locator(".drawing svg:visible").bounding_box()
    scale = box["width"] / float(page.locator(".drawing svg:visible").get_attribute("width"))
    return box["x"] + x * scale, box["y"] + y * scale


def _points(page: Any, row: int) -> list[tuple[float, float]]:
    """Where the points of a series are in the drawing."""
    held = page.locator(".drawing svg:visible metadata[data-points]").text_content()
    series = json.loads(held)[0]["series"][row]
    across, down = ([tenths / 10 for tenths in accumulate(series[axis])] for axis in ("x", "y"))
    return list(zip(across, down, strict=True))


def test_a_pointer_reads_the_nearest_point_and_lights_its_chip(open_page: Any, site: str) -> None:
    page = open_page(f"{site}/en/posts/one/")
    x, y = _points(page, 1)[4]
    page.mouse.move(*_at(page, x + 6, y - 5))
    assert _reading(page) == ["TPU v6e", "Columns 320", "Share of peak 50%"]
    assert page.evaluate("CSS.highlights.get('chip').size") == 2, "TPU v6e and v6e are named in the text"
    pale = page.locator(".drawing svg:visible .unlit")
    assert {"--fig-gpu" in one.evaluate("one => one.outerHTML") for one in pale.all()} == {True}
    assert axe_violations(page) == []
    page.mouse.move(5, 5)
    assert _reading(page) == []
    assert page.locator(".unlit, circle.reading").count() == 0

    name = page.evaluate(
        """() => {
          const text = [...document.querySelectorAll("p")].find(p => /H2000/.test(p.textContent)).firstChild;
          const range = document.createRange();
          range.setStart(text, 0);
          range.setEnd(text, 4);
          const { left, top, width, height } = range.getBoundingClientRect();
          return [left + width / 2, top + height / 2];
        }"""
    )
    page.mouse.move(*name)
    assert page.locator(".unlit").count() > 0
    assert page.evaluate("CSS.highlights.get('chip').size") == 1, "H2000 is another word"


def test_arrow_keys_go_from_point_to_point_and_from_series_to_series(open_page: Any, site: str) -> None:
    page = open_page(f"{site}/zh/posts/one/")
    page.focus(".drawing")
    for key, reading in {
        "ArrowRight": ["H200", "列数 64", "占峰值 5%"],
        "End": ["H200", "列数 576", "占峰值 45%"],
        "ArrowDown": ["TPU v6e", "列数 576", "占峰值 90%"],
        "ArrowLeft": ["TPU v6e", "列数 512", "占峰值 80%"],
        "Escape": [],
    }.items():
        page.keyboard.press(key)
        assert _reading(page) == reading
    page.keyboard.press("ArrowRight")
    page.click(".langs [data-word=en]")
    page.wait_for_function("document.documentElement.lang === 'en'")
    assert _reading(page) == []
    page.focus(".drawing")
    page.keyboard.press("ArrowRight")
    assert _reading(page) == ["H200", "Columns 64", "Share of peak 5%"]


@pytest.mark.layout
def test_a_finger_reads_a_point_on_a_phone_and_nothing_moves(open_page: Any, site: str) -> None:
    page = open_page(f"{site}/en/posts/one/", width=360, has_touch=True)
    before = page.locator(".drawing").bounding_box()
    x, y = _points(page, 0)[8]
    page.touchscreen.tap(*_at(page, x, y))
    assert _reading(page) == ["H200", "Columns 576", "Share of peak 45%"]
    assert page.locator(".drawing").bounding_box() == before
    line = page.locator("output.reading").bounding_box()
    assert line["y"] + line["height"] <= before["y"] + 1
    assert line["x"] >= 0
    assert line["x"] + line["width"] <= 360

"""The points of a chart, with their values in words."""

import json
from itertools import accumulate
from typing import Any

import pytest

from diglot.figures import charts
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.readings import readings_of
from diglot.languages import Language
from tests.figures.charts.drawing import drawn


def _readings(draw: Any, language: Language) -> Any:
    canvas = drawn(draw, language=language)
    return json.loads(readings_of(canvas.points, canvas.words))


def _said(series: Any) -> list[list[str]]:
    """The texts of each point, column by column."""
    count = len(series["x"])
    columns = [[texts] * count if isinstance(texts, str) else texts for texts in series["texts"]]
    return [list(point) for point in zip(*columns, strict=True)]


def test_points_have_their_values_in_the_shown_unit_and_in_words() -> None:
    rows = [
        {"batch": batch, "rate": batch * 2.5e12, "chip": chip}
        for chip in ("h200-sxm", "tpu-v6e")
        for batch in (1, 256)
    ]

    def draw(figure: Canvas, _t: Any) -> None:
        charts.lines(figure, rows, x="batch", y="rate", series="chip")

    (chart,) = _readings(draw, "zh")
    assert chart["labels"] == ["批量", "可达算力"]
    assert [(one["name"], one["token"]) for one in chart["series"]] == [("H200", "gpu3"), ("TPU v6e", "tpu3")]
    assert _said(chart["series"][0]) == [["1", "2.5\xa0TFLOP/s"], ["256", "640\xa0TFLOP/s"]]


def test_parts_of_bars_say_whose_they_are() -> None:
    rows = [
        {"model": "new", "part": "mem", "ms": 2.0},
        {"model": "new", "part": "cmp", "ms": 1.5},
    ]

    def draw(figure: Canvas, _t: Any) -> None:
        charts.bars(figure, rows, y="model", x="ms", series="part")

    (chart,) = _readings(draw, "en")
    told = {one["name"]: _said(one) for one in chart["series"]}
    assert told == {"compute": [["the new one", "1.5\xa0ms"]], "memory": [["the new one", "2\xa0ms"]]}


def test_points_on_one_pixel_are_one_reading_and_the_last_is_kept() -> None:
    def draw(figure: Canvas, _t: Any) -> None:
        charts.lines(figure, {"batch": range(10_000), "share": [0.5] * 10_000}, x="batch", y="share")

    (chart,) = _readings(draw, "en")
    (line,) = chart["series"]
    assert len(line["x"]) == len(line["y"]) < 700
    assert _said(line)[-1] == ["9,999", "50%"]
    assert line["texts"][1] == "50%"  # once for all points


def test_places_are_steps_in_tenths_of_a_pixel() -> None:
    def draw(figure: Canvas, _t: Any) -> None:
        charts.lines(figure, {"batch": [1, 2, 3], "share": [0.1, 0.5, 0.2]}, x="batch", y="share")

    canvas = drawn(draw, language="en")
    (chart,) = json.loads(readings_of(canvas.points, canvas.words))
    (line,) = chart["series"]
    for steps, drawn_px in (
        (line["x"], [point.x_px for point in canvas.points]),
        (line["y"], [point.y_px for point in canvas.points]),
    ):
        assert [tenths / 10 for tenths in accumulate(steps)] == pytest.approx(drawn_px, abs=0.05001)


def test_each_line_is_read_from_its_own_begin_to_its_end_and_has_its_name() -> None:
    rows = [{"batch": n, "share": n / 10, "rate": n * 1e12} for n in (1, 2, 3)]

    def draw(figure: Canvas, _t: Any) -> None:
        chart = charts.lines(figure, rows, x="batch", y="share", color="h200-sxm")
        chart.lines([{**row, "share": 0.5} for row in rows], color="mute", name="best")
        chart.points(rows[1:2], color="h200-sxm")

    (chart,) = _readings(draw, "en")
    assert [(one["name"], len(one["x"])) for one in chart["series"]] == [
        ("H200", 3),
        ("best", 3),
        ("H200", 1),
    ]

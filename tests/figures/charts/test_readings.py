"""The points of a chart, with their values in words."""

import json
from typing import Any

from diglot.figures import charts
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.readings import readings_of
from diglot.languages import Language
from tests.figures.charts.drawing import drawn


def _readings(draw: Any, language: Language) -> Any:
    canvas = drawn(draw, language=language)
    return json.loads(readings_of(canvas.points, canvas.words))


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
    assert [at[2:] for at in chart["series"][0]["at"]] == [["1", "2.5\xa0TFLOP/s"], ["256", "640\xa0TFLOP/s"]]


def test_parts_of_bars_say_whose_they_are() -> None:
    rows = [
        {"model": "new", "part": "mem", "ms": 2.0},
        {"model": "new", "part": "cmp", "ms": 1.5},
    ]

    def draw(figure: Canvas, _t: Any) -> None:
        charts.bars(figure, rows, y="model", x="ms", series="part")

    (chart,) = _readings(draw, "en")
    told = {one["name"]: [at[2:] for at in one["at"]] for one in chart["series"]}
    assert told == {"compute": [["the new one", "1.5\xa0ms"]], "memory": [["the new one", "2\xa0ms"]]}


def test_points_on_one_pixel_are_one_reading_and_the_last_is_kept() -> None:
    def draw(figure: Canvas, _t: Any) -> None:
        charts.lines(figure, {"batch": range(10_000), "share": [0.5] * 10_000}, x="batch", y="share")

    (chart,) = _readings(draw, "en")
    (line,) = chart["series"]
    assert len(line["at"]) < 700
    assert line["at"][-1][2:] == ["9,999", "50%"]

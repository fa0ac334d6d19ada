"""Charts in rows and grids: dumb-bells, slopes, timelines, cells."""

from typing import Any

import pytest
from matplotlib.patches import Rectangle

from diglot.figures import charts
from diglot.figures.drawing.collisions import collisions
from diglot.figures.scripts.misuse import Misuse
from diglot.languages import LANGUAGES
from tests.figures.charts.drawing import drawn, frames, texts, ticks

STEPS = [
    {"stage": {"zh": "预填充", "en": "prefill"}, "ms": 0, "end": 120, "part": "cmp", "text": "short"},
    {
        "stage": {"zh": "解码", "en": "decode"},
        "ms": 120,
        "end": 130,
        "part": "mem",
        "text": "a text after its bar",
    },
]
STATES = [
    {"chip": chip, "state": {"zh": state, "en": state}, "rate": rate * 1e12}
    for chip, rates in (("h200", (989, 700)), ("v6e", (918, 690)))
    for state, rate in zip(("sheet", "measured"), rates, strict=True)
]


def draw_all(figure: Any, t: Any) -> None:
    rows = [{"chip": "h200", "ms": 2.0, "price": 30.0}, {"chip": "v6e", "ms": 4.0, "price": 5.0}]
    charts.dumbbell(figure, rows, y="chip", x=("ms", "price"), x_scale="log10")
    charts.slope(figure, STATES, x="state", y="rate", series="chip")
    charts.timeline(figure, STEPS, y="stage", start="ms", end="end", series="part", label="text")
    cells = [
        {"x": x, "y": y, "part": "mem" if x > y else "idle", "batch": n}
        for n in (1, 2)
        for x in range(3)
        for y in range(2)
    ]
    charts.cells(figure, cells, x="x", y="y", state="part", by="batch")


def test_they_have_no_collisions_and_the_same_frames_in_both_languages_at_every_size() -> None:
    for size in ("narrow", "column", "wide", "slide"):
        both = [drawn(draw_all, size=size, language=language) for language in LANGUAGES]
        assert [list(map(str, collisions(canvas))) for canvas in both] == [[], []], size
        assert frames(both[0]) == frames(both[1])


def test_a_dumb_bell_has_its_lowest_number_left_and_its_highest_right() -> None:
    rows = [{"chip": "v6e", "ms": 4.0, "price": 1.5}]
    canvas = drawn(lambda f, t: charts.dumbbell(f, rows, y="chip", x=("ms", "price"), measured=("price",)))
    said = {text.get_text(): text.get_ha() for text in canvas.texts}
    assert said | {"1.5": "right", "4": "left"} == said
    marks = [line for line in canvas.axes[0].lines if line.get_marker() == "s"]
    assert [line.get_markerfacecolor() for line in marks] == ["tpu3", "paper"]
    alike = drawn(lambda f, t: charts.dumbbell(f, rows, y="chip", x=("price", "ms"), reference=9.0))
    assert any("○–○" in text for text in texts(alike)), (
        "two marks that are alike are told apart by their order"
    )
    assert {"9.00", "1.50", "4.00"} <= set(texts(alike))


def test_a_slope_names_each_series_at_both_ends() -> None:
    canvas = drawn(lambda f, t: charts.slope(f, STATES, x="state", y="rate", series="chip"))
    assert {"Attainable rate, TFLOP/s", "sheet", "measured", "H200 989", "700 H200"} <= set(texts(canvas))


def test_a_timeline_has_texts_in_or_after_its_bars_and_an_axis_of_time() -> None:
    canvas = drawn(
        lambda f, t: charts.timeline(f, STEPS, y="stage", start="ms", end="end", series="part", label="text")
    )
    said = {text.get_text(): text.get_color() for text in canvas.texts}
    assert said | {"short": "paper", "a text after its bar": "mem"} == said
    bars = [patch for patch in canvas.axes[0].patches if isinstance(patch, Rectangle)]
    assert [(bar.get_x(), bar.get_width()) for bar in bars] == [
        (0, pytest.approx(119.8, abs=0.1)),
        (120, pytest.approx(9.8, abs=0.1)),
    ]
    assert ticks(canvas.axes[0], "x")[:3] == ["0", "20", "40"]


def test_bars_of_a_timeline_without_a_start_follow_each_other_in_their_line() -> None:
    rows = [
        {"batch": line, "ms": ms, "chip": chip}
        for line, ms, chip in ((1, 40, "h200"), (2, 1, "v6e"), (1, 2, "v6e"), (2, 60, "h200"))
    ]

    def draw(figure: Any, t: Any) -> None:
        options = {"series": "chip", "label": "chip", "only_inside": True}
        charts.timeline(figure, rows, y="batch", duration="ms", **options)

    canvas = drawn(draw)
    bars = [patch for patch in canvas.axes[0].patches if isinstance(patch, Rectangle)]
    assert [(round(bar.get_x()), round(bar.get_x() + bar.get_width())) for bar in bars] == [
        *((0, 40), (40, 42)),
        *((0, 1), (1, 61)),
    ]
    assert [text for text in texts(canvas) if text in ("H200", "TPU v6e")] == ["H200", "H200"]
    assert {"Time, ms", "■ TPU v6e"} <= set(texts(canvas))


def test_cells_stand_where_they_are_told_and_idle_ones_are_hatched() -> None:
    rows = [{"x": -1, "y": 0, "part": "mem"}, {"x": 2, "y": 1, "part": "idle"}]
    canvas = drawn(lambda f, t: charts.cells(f, rows, x="x", y="y", state="part"))
    busy, idle = [patch for patch in canvas.axes[0].patches if isinstance(patch, Rectangle)]
    assert (round(busy.get_x()), round(busy.get_y()), busy.get_hatch()) == (-1, 0, None)
    assert (round(idle.get_x()), round(idle.get_y()), idle.get_hatch()) == (2, 1, "////")
    assert texts(canvas) == ["memory"]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (
            lambda f: charts.timeline(f, STEPS, y="stage", start="ms"),
            "an `end` or for a `duration`",
        ),
        (
            lambda f: charts.timeline(f, STEPS, y="stage", start="end", end="ms"),
            "row 1 of the timeline ends before it begins",
        ),
        (
            lambda f: charts.timeline(f, STEPS, y="stage", end="end"),
            "bars with an `end` have a `start`",
        ),
        (
            lambda f: charts.slope(f, STATES[:1], x="state", y="rate", series="chip"),
            "the rows have 1 of them",
        ),
        (
            lambda f: charts.slope(f, STATES[:3], x="state", y="rate", series="chip"),
            '"TPU v6e" has no row for both values of state',
        ),
        (
            lambda f: charts.cells(f, [{"x": 0.5, "y": 0, "part": "mem"}], x="x", y="y", state="part"),
            '"x" of a cell is 0.5, not a whole number',
        ),
    ],
)
def test_mistakes_are_said_with_a_way_out(draw: Any, message: str) -> None:
    with pytest.raises(Misuse, match=message) as caught:
        drawn(lambda figure, t: draw(figure))
    assert caught.value.fix.endswith(".")

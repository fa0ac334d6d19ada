"""What each mark draws, and what its axes show."""

import inspect
from typing import Any

import pytest
from matplotlib.patches import Rectangle

from diglot.figures import charts
from diglot.figures.charts.chart import OPTIONS, Chart
from diglot.figures.charts.marks import saw_teeth, steps
from diglot.figures.charts.series import looks_of
from diglot.figures.drawing.canvas import Canvas, DrawnPoint
from diglot.figures.drawing.collisions import collisions
from diglot.figures.scripts.columns import read_columns
from diglot.figures.scripts.words import Words
from tests.figures.charts.drawing import drawn, texts, ticks

RATES = [{"batch": n, "rate": n * 1e12, "chip": chip} for chip in ("h200", "v6e") for n in (1, 4, 16, 64)]


def test_lines_are_named_at_their_end_in_the_colours_of_their_chips() -> None:
    canvas = drawn(lambda f, t: charts.lines(f, RATES, x="batch", y="rate", series="chip", x_scale="log2"))
    (axes,) = canvas.axes
    assert [line.get_color() for line in axes.lines] == ["gpu3", "tpu3"]
    assert texts(canvas) == ["Attainable rate", "TFLOP/s", "Batch", "H200", "TPU v6e"]
    assert ticks(axes, "x") == ["1", "2", "4", "8", "16", "32", "64"]
    assert ticks(axes, "y") == ["0", "20", "40", "60"]


def test_steps_jump_where_the_next_value_begins() -> None:
    assert steps([(0, 1), (2, 3), (3, 3)]) == ((0, 1), (2, 1), (2, 3), (3, 3), (3, 3))


def test_saw_teeth_fall_vertically_to_where_the_next_tooth_would_begin() -> None:
    points = [(1, 0.5), (2, 1.0), (3, 0.75), (4, 1.0), (5, 0.8)]
    assert saw_teeth(points) == ((1, 0.5), (2, 1.0), (2, 0.5), (3, 0.75), (4, 1.0), (4, 0.8), (5, 0.8))
    rising = [(1, 0.5), (2, 1.0), (3, 1.5), (4, 2.5)]
    assert saw_teeth(rising, [1, 1, 2, 2]) == ((1, 0.5), (2, 1.0), (2, 0.5), (3, 1.5), (4, 2.5))


def test_stacked_areas_end_at_the_sum_of_their_series() -> None:
    rows = [{"batch": n, "ms": ms, "part": part} for part, ms in (("cmp", 2), ("mem", 3)) for n in (1, 2)]
    canvas = drawn(lambda f, t: charts.areas(f, rows, x="batch", y="ms", series="part"))
    (axes,) = canvas.axes
    assert [list(line.get_ydata()) for line in axes.lines] == [[2, 2], [5, 5]]
    assert len(axes.collections) == 2
    assert texts(canvas)[-2:] == ["compute", "memory"]


def test_measured_points_are_filled_and_computed_ones_hollow() -> None:
    rows = [{"batch": 1, "share": 0.5, "seen": True}, {"batch": 2, "share": 0.25, "seen": False}]
    canvas = drawn(lambda f, t: charts.points(f, rows, x="batch", y="share", measured="seen", color="v6e"))
    (axes,) = canvas.axes
    assert [line.get_markerfacecolor() for line in axes.lines] == ["paper", "tpu3"]
    assert ticks(axes, "y")[0] == "0"
    assert canvas.points[0] == DrawnPoint(0, "", (("batch", 1), ("share", 0.5)), *canvas.points[0][3:])


def test_an_interval_is_a_band_along_a_line_and_a_whisker_through_a_point() -> None:
    rows = [{"batch": n, "ms": 2.0, "from": 1.0, "to": 4.0 if n < 3 else None} for n in (1, 2, 3)]
    ends = ("from", "to")
    line = drawn(lambda f, t: charts.lines(f, rows, x="batch", y="ms", interval=ends)).axes[0]
    (band,) = line.collections
    assert band.get_datalim(line.transData).intervaly.tolist() == [1, 4]
    point = drawn(lambda f, t: charts.points(f, rows, x="batch", y="ms", interval=ends)).axes[0]
    (whiskers,) = point.collections
    assert [path.tolist() for path in whiskers.get_segments()] == [[[1, 1], [1, 4]], [[2, 1], [2, 4]]]
    assert ticks(line, "y")[-1] == ticks(point, "y")[-1] == "4"


def test_shares_have_the_ticks_of_a_percentage() -> None:
    canvas = drawn(
        lambda f, t: charts.lines(f, {"batch": [1, 9], "share": [0.1, 0.97]}, x="batch", y="share")
    )
    assert ticks(canvas.axes[0], "y") == ["0", "25", "50", "75", "100"]
    assert texts(canvas)[:2] == ["Share of the peak", "%"]


def test_rules_bands_regions_and_annotations_say_what_the_author_wants() -> None:
    def draw(figure: Canvas, t: Any) -> None:
        chart = charts.lines(figure, {"batch": [1, 100], "rate": [1e9, 2e9]}, x="batch", y="rate")
        chart.rule(x=50, text="limit").band(y=(1e9, 1.5e9), text="usual").region((0.1, 0.9), "memory-bound")
        chart.annotate((100, 2e9), "the end", color="h200")

    canvas = drawn(draw)
    found = {text.get_text(): text.get_color() for text in canvas.texts}
    assert found | {"limit": "mute", "usual": "mute", "memory-bound": "mute", "the end": "gpu3"} == found


def test_words_keep_off_the_guides_of_flags() -> None:
    rows = {"batch": [1, 100], "rate": [1e9, 1.1e9]}

    def draw(figure: Canvas, t: Any) -> None:
        chart = charts.lines(figure, rows, x="batch", y="rate", y_domain=(0, 2e9))
        chart.flag(20, "add", down_to=1e9).region((0.1, 0.8), "a word for this part")

    canvas = drawn(draw)
    (word,) = (text for text in canvas.texts if text.get_text() == "a word for this part")
    guide = canvas.axes[0].transData.transform((20, 0))[0]
    extent = word.get_window_extent()
    assert not extent.x0 - 2 < guide < extent.x1 + 2


def test_a_stacked_bar_has_its_parts_in_the_order_of_roles_and_its_sum_at_the_end() -> None:
    rows = [{"model": "new", "part": part, "ms": ms} for part, ms in (("mem", 30), ("cmp", 10))]
    canvas = drawn(lambda f, t: charts.bars(f, rows, y="model", x="ms", series="part"))
    bars = [patch for patch in canvas.axes[0].patches if isinstance(patch, Rectangle)]
    assert [bar.get_facecolor() for bar in bars] == [pytest.approx(c) for c in colours("cmp", "mem")]
    assert texts(canvas) == ["compute", "memory", "Time, ms", "40", "the new one"]


def spans(canvas: Canvas) -> list[tuple[float, float]]:
    """From where to where bars go, to a whole number."""
    bars = [patch for patch in canvas.axes[0].patches if isinstance(patch, Rectangle)]
    return [(round(bar.get_x()), round(bar.get_x() + bar.get_width())) for bar in bars]


def test_parts_of_a_stacked_bar_below_zero_go_to_the_left() -> None:
    for values, ends, numbers in (
        ((10, -4), [(0, 10), (0, -4)], ["\N{MINUS SIGN}4", "10"]),
        ((-4, 10, -6), [(0, -4), (0, 10), (-4, -10)], ["\N{MINUS SIGN}10", "10"]),
        ((-4, -6), [(0, -4), (-4, -10)], ["\N{MINUS SIGN}10"]),
        ((10, None, 0), [(0, 10), (10, 10)], ["10"]),
    ):
        rows = [{"model": "new", "part": f"p{n}", "ms": value} for n, value in enumerate(values)]
        canvas = drawn(lambda f, t, r=rows: charts.bars(f, r, y="model", x="ms", series="part"))
        assert spans(canvas) == ends, values
        assert texts(canvas)[-len(numbers) - 1 : -1] == numbers, values
        low, high = canvas.axes[0].get_xlim()
        assert low <= min(min(pair) for pair in ends) <= max(max(pair) for pair in ends) <= high
        assert not collisions(canvas)


def test_a_waterfall_falls_where_a_value_is_below_zero() -> None:
    rows = [{"model": name, "part": name, "ms": value} for name, value in (("a", 10), ("b", -4))]
    canvas = drawn(lambda f, t: charts.waterfall(f, rows, y="model", x="ms", series="part", total="sum"))
    assert spans(canvas) == [(0, 10), (10, 6), (0, 6)]
    assert [text for text in texts(canvas) if text in ("10", "\N{MINUS SIGN}4", "6")] == [
        "10",
        "\N{MINUS SIGN}4",
        "6",
    ]


def colours(*tokens: str) -> list[Any]:
    from matplotlib.colors import to_rgba

    return [to_rgba(token) for token in tokens]


def test_a_detail_stands_below_all_bars_of_its_group() -> None:
    rows = [
        {"chip": chip, "part": part, "ms": 1.0, "why": "half full" if chip == "v6e" else None}
        for chip in ("v6e", "v5p")
        for part in ("mem", "cmp")
    ]
    options = {"y": "chip", "x": "ms", "series": "part", "grouped": True, "detail": "why"}
    canvas = drawn(lambda f, t: charts.bars(f, rows, **options))
    assert "half full" in texts(canvas)
    assert not collisions(canvas)


def test_bars_below_zero_go_to_the_left_and_unknown_values_are_said_to_be_unknown() -> None:
    rows = [{"model": "a", "share": -0.5}, {"model": "b", "share": 0.25}, {"model": "c", "share": None}]
    canvas = drawn(lambda f, t: charts.bars(f, rows, y="model", x="share", missing="not known"))
    low, high = canvas.axes[0].get_xlim()
    assert low < -0.5
    assert high > 0.25
    assert texts(canvas) == ["Share of the peak, %", "\N{MINUS SIGN}50", "a", "25", "b", "not known", "c"]


def test_several_columns_are_panels_that_share_their_rows() -> None:
    rows = [{"chip": "h200", "ms": 2.0, "price": 3.0}, {"chip": "v6e", "ms": 4.0, "price": 5.0}]
    canvas = drawn(lambda f, t: charts.bars(f, rows, y="chip", x=("ms", "price"), dots=("price",)))
    assert texts(canvas).count("H200") == 1
    assert len(canvas.axes) == 2
    narrow = drawn(lambda f, t: charts.bars(f, rows, y="chip", x=("ms", "price")), size="narrow")
    assert texts(narrow).count("H200") == 2


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (
            lambda f: charts.lines(f, RATES, x="batch", y="rat"),
            'COLUMNS has no "rat", which an axis needs for its title: did you mean "rate"?',
        ),
        (
            lambda f: charts.lines(f, [{"batch": 1}], x="batch", y="rate"),
            'row 1 of the chart has no column "rate": known are: batch.',
        ),
        (
            lambda f: charts.lines(f, {"batch": [1, 2], "rate": [1]}, x="batch", y="rate"),
            "the columns differ in length: batch 2, rate 1",
        ),
        (
            lambda f: charts.lines(f, RATES, x="batch", y="rate", x_domain=3),
            "x_domain is 3, not a list of 2 finite numbers or None: write it as in charts.lines(",
        ),
        (
            lambda f: charts.frame(f, x="batch", y="rate", y_ticks=5),
            "y_ticks is 5, not a list of finite numbers: write it as in charts.frame("
            'figure, x="…", y="…", y_ticks=[1, 10, 100]).',
        ),
        (
            lambda f: charts.lines(f, {"rows": [{"batch": 1, "rate": 2}]}, x="batch", y="rate"),
            'row 1 of the chart has no column "batch": give it only the list in "rows".',
        ),
        (
            lambda f: charts.lines(f, RATES, x="batch", y="rate", x_scale="log"),
            '"log" is not a scale: did you mean "log2"?',
        ),
        (
            lambda f: charts.lines(f, {"batch": [0, 2], "rate": [1, 2]}, x="batch", y="rate", x_scale="log2"),
            "a logarithmic axis cannot show 0",
        ),
        (
            lambda f: charts.lines(f, RATES, x="batch", y="rate", colour="ink"),
            '`charts.lines` has no option "colour"',
        ),
        (
            lambda f: charts.frame(f, x="batch", y="rate", xscale="log2"),
            '`charts.frame` has no option "xscale"',
        ),
        (
            lambda f: charts.points(f, RATES, x="batch", y="rate", color="blue"),
            "there is no palette colour named 'blue'",
        ),
        (
            lambda f: charts.bars(f, [{"model": "a", "ms": 1}] * 2, y="model", x="ms"),
            'several rows have "a" as their model',
        ),
    ],
)
def test_mistakes_are_said_with_what_was_meant(draw: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:
        drawn(lambda figure, t: draw(figure))
    fix = getattr(raised.value, "fix", "")
    assert message in f"{raised.value}: {fix}"


def test_every_option_of_a_frame_is_known() -> None:
    taken = set(inspect.signature(Chart.__init__).parameters)
    assert taken - {"self", "figure", "x", "y", "panel"} == set(OPTIONS)


def test_a_heading_stands_above_all_charts_and_labels_leave_the_unit_to_the_axis() -> None:
    points = [{"model": "new", "batch": 8, "ms": 12.5}, {"model": "old", "batch": 2, "ms": 3.0}]

    def draw(figure: Any, t: Any) -> None:
        charts.heading(figure, t(zh="模型、格式、批量", en="the model, its format and the batch " * 3))
        charts.points(figure, points, x="batch", y="ms", series="model", label="ms")

    for size in ("narrow", "column"):
        canvas = drawn(draw, size=size)
        heading = [text for text in canvas.texts if "format" in text.get_text()]
        assert len(heading) == (1 if size == "column" else 2)
        lowest = min(text.get_position()[1] for text in heading)
        assert all(text.get_position()[1] < lowest for text in canvas.texts if text not in heading)
        assert {"12.5", "3"} <= set(texts(canvas))


def test_a_steep_line_is_named_beside_it() -> None:
    rows = [{"batch": 5 + n / 1000, "rate": n * 1e12} for n in range(1, 9)]
    frame = [{"batch": 1, "rate": 0.0}, {"batch": 9, "rate": 0.0}]
    canvas = drawn(
        lambda figure, t: (
            charts.frame(figure, x="batch", y="rate").points(frame, mute=True).lines(rows, name="up")
        )
    )
    (name,) = (text for text in canvas.texts if text.get_text() == "up")
    box, axes = canvas.axes[0].get_position(), canvas.axes[0]
    low, high = axes.get_xlim()
    line = box.x0 + (5 - low) / (high - low) * box.width
    x, y = name.get_position()
    assert abs(x - line) * canvas.width_px < 12
    assert box.y0 < y < box.y1


def test_bars_of_panels_beside_each_other_are_level_although_one_has_details() -> None:
    rows = [
        {"model": "new", "price": 2, "share": 0.5, "why": "cheap"},
        {"model": "old", "price": 3, "share": 1},
    ]

    def draw(figure: Any, t: Any) -> None:
        charts.bars(figure, rows, y="model", x=("price", "share"), detail={"price": "why"})

    left, right = (axes.patches for axes in drawn(draw).axes)
    assert [bar.get_y() for bar in left] == [bar.get_y() for bar in right]


def test_bars_of_five_series_that_are_neither_chips_nor_roles_have_five_greys() -> None:
    words = Words("en", read_columns({"part": {"zh": "部分", "en": "Part"}})[0])
    looks = looks_of(["a", "b", "c", "d", "e"], words, "part", filled=True).values()
    assert [look.token for look in looks] == ["ink", "seq6", "seq3", "seq8", "seq1"]
    assert not any(look.dashes for look in looks), "a bar cannot show dashes"

"""Charts of this field: rooflines, heat maps, fronts, waterfalls, small multiples."""

from typing import Any

import pytest
from matplotlib.patches import PathPatch, Rectangle

from diglot.figures import charts
from diglot.figures.charts.flags import Flag, flag_rows
from diglot.figures.charts.fronts import front_of
from diglot.figures.charts.scales import Scale
from diglot.figures.drawing.collisions import collisions
from diglot.figures.drawing.text_sizes import Face
from diglot.languages import LANGUAGES
from tests.figures.charts.drawing import drawn, frames, texts, ticks

ROOFS = [
    {"chip": "h200", "peak": 989e12, "bandwidth": 4.8e12},
    {"chip": "v6e", "peak": 918e12, "bandwidth": 1.64e12},
]
KERNELS = [{"kernel": {"zh": f"算子{n}", "en": f"kernel {n}"}, "intensity": n} for n in (1, 30, 31, 900, 950)]


def test_a_roofline_has_slopes_ridges_feet_and_its_kernels_on_every_roof() -> None:
    canvas = drawn(lambda f, t: charts.roofline(f, ROOFS, KERNELS))
    (axes,) = canvas.axes
    said = texts(canvas)
    assert {"H200 989", "TPU v6e 918", "ridge 206", "560", "4,800 GB/s", "kernel 30", "memory-bound"} <= set(
        said
    )
    marks = [line for line in axes.lines if line.get_marker() in "os" and line.get_linestyle() == "None"]
    assert [len(line.get_xdata()) for line in marks] == [1, 1, 5, 5]
    assert [round(float(x), 1) for x in marks[0].get_xdata()] == [206.0]
    # Marks of the first chip are drawn last, on top of those that they almost meet.
    assert list(marks[2].get_ydata())[:2] == [1.64e12, 30 * 1.64e12]
    assert list(marks[3].get_ydata())[:2] == [4.8e12, 30 * 4.8e12]
    assert ticks(axes, "y") == ["1", "10", "100", "1,000"]


def test_rooflines_have_no_collisions_at_any_size() -> None:
    for size in ("narrow", "column", "wide", "slide"):
        both = [
            drawn(lambda f, t: charts.roofline(f, ROOFS, KERNELS), size=size, language=language)
            for language in LANGUAGES
        ]
        assert [list(map(str, collisions(canvas))) for canvas in both] == [[], []], size
        assert frames(both[0]) == frames(both[1])


def test_names_of_kernels_leave_a_roofline_its_height_on_a_slide() -> None:
    canvas = drawn(lambda f, t: charts.roofline(f, ROOFS, KERNELS), size="slide")
    ((_, bottom, _, height),) = frames(canvas)
    assert height > 150
    names = [text for text in canvas.texts if text.get_text().startswith("kernel")]
    assert len(names) == len(KERNELS)
    above = {text.get_text() for text in names if canvas.height_px * text.get_position()[1] > bottom + height}
    assert above < {"kernel 900", "kernel 950"}, "at most above the flat roofs"


def test_on_a_slide_no_name_of_a_kernel_ends_where_the_name_of_a_roof_begins() -> None:
    kernels = [
        {"kernel": {"zh": name, "en": name}, "intensity": x} for name, x in (("a", 3000), ("prefill", 4200))
    ]
    domains = {"x_domain": (0.1, 10_000), "y_domain": (2e11, 3e15)}
    canvas = drawn(lambda f, t: charts.roofline(f, ROOFS, kernels, **domains), size="slide")
    ((left, _, width, _),) = frames(canvas)
    (name,) = [text.get_window_extent() for text in canvas.texts if text.get_text() == "prefill"]
    assert name.x1 < left + width - 6


def test_levels_of_memory_share_one_peak_and_eight_bit_roofs_are_dashed() -> None:
    levels = [
        {**ROOFS[0], "bandwidth": bandwidth, "level": level}
        for level, bandwidth in (("HBM", 4.8e12), ("L2", 9e12))
    ]
    canvas = drawn(lambda f, t: charts.roofline(f, levels, level="level"))
    assert {"HBM 4,800 GB/s", "L2 9,000 GB/s", "H200 989"} <= set(texts(canvas))
    assert texts(canvas).count("H200 989") == 1
    colours = {str(line.get_color()) for line in canvas.axes[0].lines if len(line.get_xdata()) > 1}
    assert colours == {"gpu3", "ink"}
    assert "memory-bound" not in texts(canvas)
    formats = [{**ROOFS[0], "dtype": "bf16"}, {**ROOFS[0], "peak": 1979e12, "dtype": "fp8"}]
    canvas = drawn(lambda f, t: charts.roofline(f, formats, dtype="dtype"))
    assert {"bf16 989", "fp8 1,979"} <= set(texts(canvas))
    assert texts(canvas).count("4,800 GB/s") == 1, "both have the same slope"
    assert [line.is_dashed() for line in canvas.axes[0].lines if len(line.get_xdata()) == 3] == [False, True]


def test_names_of_roofs_have_the_unit_of_the_axis() -> None:
    formats = [
        {**ROOFS[0], "peak": 80e12, "dtype": "fp32"},
        {**ROOFS[0], "peak": 15e15, "dtype": "fp8, fp4"},
    ]
    canvas = drawn(lambda f, t: charts.roofline(f, formats, dtype="dtype"))
    assert {"PFLOP/s", "fp32 0.08", "fp8, fp4 15"} <= set(texts(canvas))
    assert [line.is_dashed() for line in canvas.axes[0].lines if len(line.get_xdata()) == 3] == [False, True]


def test_no_guide_of_a_kernel_crosses_a_name() -> None:
    scale = Scale(kind="linear", low=0, high=100, ticks=(), labels=(), unit="", factor=1)
    flags = [Flag(x, "a name of some length", 0) for x in (10, 12, 30, 90, 95)]
    rows = flag_rows(flags, scale, (600, 0), Face("en", 14, 13))
    assert rows == [(2, False), (1, False), (0, False), (0, True), (1, True)]


def test_a_front_keeps_what_nothing_beats() -> None:
    points = [(1, 1), (2, 3), (3, 2), (4, 4), (4, 4)]
    assert front_of(points, ("low", "high")) == [0, 1, 3]
    assert front_of(points, ("low", "low")) == [0]
    assert front_of(points, ("high", "low")) == [0, 2, 3]


def test_a_pareto_plot_names_only_rows_with_a_text() -> None:
    rows = [
        {"chip": "v6e", "ms": x, "rate": y * 1e12, "text": text}
        for x, y, text in ((1, 1, ""), (2, 3, "here"), (3, 2, ""))
    ]
    canvas = drawn(lambda f, t: charts.pareto(f, rows, x="ms", y="rate", series="chip", label="text"))
    behind, front, named = canvas.axes[0].lines
    assert list(behind.get_xdata()) == [3]
    assert list(front.get_xdata()) == [1, 2]
    assert list(named.get_xdata()) == [2]
    assert {"here", "TPU v6e"} <= set(texts(canvas))


CELLS = [
    {"batch": m, "model": n, "share": m * k / 64} for m in (1, 4, 16) for k, n in ((1, "new"), (4, "old"))
]


def test_a_heat_map_has_a_shape_for_each_colour_and_numbers_in_its_cells() -> None:
    canvas = drawn(lambda f, t: charts.heat_map(f, CELLS, x="batch", y="model", value="share"))
    shapes = [patch for patch in canvas.axes[0].patches if isinstance(patch, PathPatch)]
    assert len(shapes) == 3
    said = texts(canvas)
    assert {"100%", "100", "1.56", "the new one", "old", "16"} <= set(said)
    assert [point.values for point in canvas.points][:1] == [
        (("batch", "1"), ("model", "old"), ("share", 0.0625))
    ]


def test_a_heat_map_in_panels_can_say_more_in_its_cells_and_has_its_key_once_at_the_right() -> None:
    rows = [
        {"batch": n, "model": model, "kind": kind, "share": n / 4, "text": f"{n}*"}
        for n in (1, 2)
        for model in ("old", "new")
        for kind in "abcd"
    ]
    options = {"x": "batch", "y": "model", "value": "share", "text": "text", "by": "kind", "columns": 4}
    canvas = drawn(lambda f, t: charts.heat_map(f, rows, **options), size="column")
    said = texts(canvas)
    assert (said.count("1*"), said.count("50%"), "50" in said) == (8, 1, False)
    assert not collisions(canvas)


def test_a_utilisation_map_has_numbers_at_its_cliffs() -> None:
    rows = [
        {"batch": m, "ms": n, "share": share}
        for m in (1, 2)
        for n, share in ((1, 0.5), (2, 0.9), (3, 0.52), (4, 0.91))
    ]
    canvas = drawn(lambda f, t: charts.utilisation_map(f, rows, x="batch", y="ms", value="share"))
    assert texts(canvas).count("52") == 2
    assert texts(canvas).count("90") == 2
    assert "91" not in texts(canvas)


def test_on_a_slide_the_key_of_a_heat_map_is_a_line_beside_the_title() -> None:
    rows = [{"batch": m, "ms": n, "share": 1 / m / n} for m in (1, 2) for n in (1, 2)]
    places = {}
    for size in ("column", "slide"):
        canvas = drawn(lambda f, t: charts.heat_map(f, rows, x="batch", y="ms", value="share"), size=size)
        said = {text.get_text(): (1 - text.get_position()[1]) * canvas.height_px for text in canvas.texts}
        places[size] = [round(said[text] - said["Time, ms"]) for text in ("Share of the peak", "100%")]
        assert not collisions(canvas)
    assert places["slide"] == [0, 0]
    assert places["column"][1] > 20


def test_a_waterfall_goes_on_where_the_part_before_ended() -> None:
    rows = [
        {"op": str(n), "part": part, "ms": ms}
        for n, (part, ms) in enumerate((("mem", 3), ("cmp", 2), ("mem", 1)))
    ]
    canvas = drawn(lambda f, t: charts.waterfall(f, rows, y="op", x="ms", series="part", total="sum"))
    bars = [patch for patch in canvas.axes[0].patches if isinstance(patch, Rectangle)]
    assert [round(bar.get_x(), 3) for bar in bars] == [0, 3, 5, 0, 2]
    assert texts(canvas)[:3] == ["compute", "memory", "Time, ms"]
    assert {"3", "2", "1", "6", "sum"} <= set(texts(canvas))


def test_columns_of_y_are_panels_that_name_their_own_quantity() -> None:
    rows = {"batch": [1, 8], "share": [0.1, 0.8], "fill": [0.2, 1.0]}

    def draw(figure: Any, t: Any) -> None:
        for chart, part in charts.panels(figure, rows, x="batch", y=("share", "fill")):
            chart.lines(part)

    canvas = drawn(draw)
    assert [list(axes.lines[0].get_ydata()) for axes in canvas.axes] == [[0.1, 0.8], [0.2, 1.0]]
    assert texts(canvas) == ["Share of the peak", "%", "Fill", "%", "Batch"]
    with pytest.raises(ValueError, match="panels are for each value of `by`"):
        drawn(lambda f, t: next(charts.panels(f, rows, x="batch", y="share")))


@pytest.mark.parametrize(("columns", "times"), [(2, 1), (1, 4)])
def test_a_grid_of_panels_names_each_axis_once_and_a_stack_every_time(columns: int, times: int) -> None:
    rows = [{"model": model, "batch": n, "ms": n, "share": 1 / n} for model in "abcd" for n in (1, 8)]

    def draw(figure: Any, t: Any) -> None:
        given = {"by": "model", "x": "batch", "columns": columns}
        for chart, part in charts.panels(figure, rows, y="ms", **given):
            chart.lines(part)
        charts.heat_map(figure, rows, y="share", value="ms", **given)

    canvas = drawn(draw, size="narrow")
    said = texts(canvas)
    assert said.count("Batch") == 2 * times
    assert (said.count("Time, ms"), said.count("Share of the peak, share")) == (times + 1, times)
    assert not collisions(canvas)


def test_panels_have_the_same_axes_and_one_title_of_each() -> None:
    rows = [
        {"model": model, "batch": n, "rate": n * factor}
        for model, factor in (("new", 1e12), ("old", 5e12))
        for n in (1, 8)
    ]

    def draw(figure: Any, t: Any) -> None:
        for chart, part in charts.panels(figure, rows, by="model", x="batch", y="rate"):
            chart.lines(part)

    canvas = drawn(draw)
    assert [axes.get_ylim() for axes in canvas.axes] == [pytest.approx((0, 40e12))] * 2
    said = texts(canvas)
    assert said.count("Attainable rate, TFLOP/s") == said.count("Batch") == 1
    assert {"the new one", "old"} <= set(said)
    assert len({frame[2:] for frame in frames(canvas)}) == 1

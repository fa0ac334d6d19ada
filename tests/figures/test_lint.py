"""Drawings are looked over for data that is cut off, series that look alike, and needless legends."""

from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from diglot.figure_request import FigureRequest
from diglot.figures import charts, label
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.lint import look_over
from diglot.figures.drawing.lint.colour_vision import VISIONS, alike
from diglot.figures.drawing.style import use_style
from diglot.figures.jobs import Sheet
from diglot.figures.palette import COLOURS

from .charts.drawing import drawn
from .conftest import Workshop

Draw = Callable[[Axes], object]


def findings(draw: Draw, *, log: bool = False) -> list[str]:
    """What is found in axes from 0 to 10 and 0 to 100, or from 1 to 1,000 both."""
    use_style("en", "variables")
    canvas = Canvas("column", "en")
    axes = canvas.axes_px(60, 40, 450, 300)
    if log:
        axes.set(xscale="log", yscale="log", xlim=(1, 1000), ylim=(1, 1000))
        axes.minorticks_off()
    else:
        axes.set(xlim=(0, 10), ylim=(0, 100), xticks=(0, 10), yticks=(0, 100))
    draw(axes)
    return [f"{one.rule}: {one.message}" for one in look_over(canvas, laid_out=False)]


def line(axes: Axes, x: object, y: object, *, color: str, dashes: bool = False, width: float = 2) -> None:
    """A line as charts draw it: solid, or dashed as those of 8-bit types are."""
    (drawn,) = axes.plot(x, y, color=color, lw=width)
    if dashes:
        drawn.set_dashes((6, 3))


def mark(axes: Axes, x: float, y: float, *, color: str, marker: str = "o", measured: bool = False) -> None:
    """A point as charts draw it: hollow, or filled if it was measured."""
    face = color if measured else "paper"
    axes.plot([x], [y], ls="none", marker=marker, ms=8, mew=2, mec=color, mfc=face, clip_on=False)


def curve(axes: Axes, top: float, *, until: float = 10) -> None:
    """A curve that bends upwards to a height."""
    x = np.linspace(0, until, 41)
    line(axes, x, top * (x / until) ** 3, color="gpu3")


CUT: dict[str, Draw] = {
    "y axis ends at 100, but the data goes to 140": lambda axes: line(
        axes, [0, 4, 5, 10], [20, 60, 140, 30], color="mem"
    ),
    "y axis ends at 100, but the data goes to 300": lambda axes: curve(axes, 300),
    "y axis ends at 100, but the data goes to 500": lambda axes: line(axes, [0, 10], [200, 500], color="mem"),
    "y axis ends at 100, but the data goes to 200": lambda axes: line(
        axes, [0, 2, 4, 6, 8, 10], [0, 40, 80, 120, 160, 200], color="mem"
    ),
    "x axis ends at 10, but the data goes to 12": lambda axes: axes.scatter([3, 12], [5, 5], color="mem"),
    "x axis begins at 0, but the data begins at −3": lambda axes: axes.barh([50], [9], 5, left=[-3]),
    "y axis ends at 100, but the data goes to 130": lambda axes: axes.bar([2, 4], [50, 130], color="mem"),
    "y axis ends at 100, but the data goes to 1,234": lambda axes: axes.fill_between(
        [0, 5, 10], [20, 1234.04, 50], color="mem"
    ),
    "y axis ends at 100, but the data goes to 101.5": lambda axes: axes.plot(
        [0, 5, 10], [20, 101.5, 50], marker="o"
    ),
    "y axis begins at 0, but the data begins at −90": lambda axes: mark(axes, 5, -90, color="mem"),
}


@pytest.mark.parametrize("told", CUT)
def test_data_that_the_frame_cuts_off_is_found(told: str) -> None:
    assert findings(CUT[told]) == [f"figure-clipped: the {told}"]


FAIR: dict[str, tuple[Draw, bool]] = {
    "a roof begins at the frame": (
        lambda axes: line(axes, [5 / 3, 833, 1000], [1, 500, 500], color="gpu3"),
        True,
    ),
    "a slope comes from below the frame": (
        lambda axes: line(axes, [1, 100, 1000], [0.01, 500, 500], color="mem"),
        True,
    ),
    "a sampled slope goes straight on": (
        lambda axes: line(axes, np.geomspace(1, 1000, 50), np.geomspace(9, 9e4, 50), color="mem"),
        True,
    ),
    "a wait grows without end": (
        lambda axes: line(axes, x := np.linspace(0, 4.999, 200), 5 / (5 - x), color="mem"),
        False,
    ),
    "the script shows a part of a sweep": (lambda axes: curve(axes, 90, until=40), False),
    "y = x from far outside to far outside": (
        lambda axes: line(axes, [1e-9, 1e9], [1e-9, 1e9], color="mute"),
        True,
    ),
    "a bar on a logarithmic axis": (lambda axes: axes.bar([10], [200], color="mem"), True),
    "a mark beside the frame": (lambda axes: mark(axes, 10.4, 50, color="mem"), False),
    "a guide": (lambda axes: axes.plot([5, 5], [0, 300], color="mem", lw=1, dashes=(1, 3)), False),
    "a line across": (lambda axes: axes.axhline(50, color="mem"), False),
    "a region": (lambda axes: axes.add_patch(Rectangle((5, -1e9), 50, 2e9, fc="sunk")), False),
    "a shade": (lambda axes: axes.fill_between([0, 99], [50, 80], [9e9, 8e9], color="mem", alpha=0.2), False),
    "a region above a line": (
        lambda axes: axes.fill_between([0, 5, 10], [50, 80, 90], 9e9, color="mem"),
        False,
    ),
    "a place in the drawing": (lambda axes: axes.plot([9], [9], "o", transform=axes.transAxes), False),
    "a shape cut on purpose": (
        lambda axes: axes.plot([5, 6, 7], [9, 500, 9])[0].set_clip_path(
            axes.patch.get_path(), axes.transAxes
        ),
        False,
    ),
    "rounding": (lambda axes: axes.scatter([10 + 1e-9], [100]), False),
}


@pytest.mark.parametrize("fair", FAIR)
def test_what_runs_out_of_the_frame_fairly_is_not_reported(fair: str) -> None:
    draw, log = FAIR[fair]
    assert findings(draw, log=log) == []


def test_colours_that_end_before_the_values_do_are_found() -> None:
    def said(domain: tuple[float, float] | None, *, numbers: bool = False) -> list[str]:
        rows = [{"batch": n, "part": "cmp", "ms": n} for n in range(1, 6)]
        places = {"x": "batch", "y": "part", "value": "ms"}
        canvas = drawn(lambda f, t: charts.heat_map(f, rows, **places, domain=domain, numbers=numbers))
        return [one.message for one in look_over(canvas, laid_out=True) if one.rule == "figure-clipped"]

    assert said((2, 4)) == ["the colours go from 2 to 4, but the values from 1 to 5"]
    assert said(None) == said((0, 9)) == said((1, 5)) == said((2, 4), numbers=True) == []


def test_values_that_differ_by_less_than_a_pixel_are_found() -> None:
    def at(*heights: float) -> Draw:
        return lambda axes: line(axes, range(len(heights)), heights, color="mem")

    said = "seem to be at one height on a y axis"
    assert said in "".join(findings(at(50, 50.1, 50.2)))
    assert said in "".join(findings(lambda axes: axes.scatter([1, 2], [99, 99.001], color="mem")))
    for fair in (at(50, 50, 50), at(0.3, 0.1 + 0.2), at(50, 53), lambda axes: axes.bar([1, 2], [50, 50.1])):
        assert findings(fair) == []
    decades = [1, 1e3, 1e6, 1e9, 1e12, 1e24]
    curve = [lambda axes: line(axes, decades, [10, 20, 30, 40, 50, 60], color="mem")]
    squeezed = findings(both(lambda axes: axes.set(xlim=(0, 1e24), xticks=(0, 1e24)), *curve))
    assert "5 of 6 values on the x axis, from 1 to 1e+12, seem to be one" in "".join(squeezed)
    assert findings(lambda axes: line(axes, [1, 2, 4, 8, 900], [10, 20, 30, 40, 50], color="mem")) == []
    beside = both(at(50, 50.1), lambda axes: line(axes, [0, 9], [10, 90], color="gpu3", width=4))
    assert not any(said in one for one in findings(beside))


def lines(first: str, second: str, **second_look: object) -> Draw:
    """Two lines in these colours."""

    def draw(axes: Axes) -> None:
        line(axes, [0, 10], [20, 30], color=first)
        line(axes, [0, 10], [60, 90], color=second, **second_look)

    return draw


def both(*parts: Draw) -> Draw:
    """Several drawings in one."""
    return lambda axes: [part(axes) for part in parts]


def stacked(axes: Axes) -> None:
    axes.bar([1], [20], color="gpu3")
    axes.bar([1], [30], bottom=[20], color="mem")
    axes.bar([2], [30], color="tpu3")


ALIKE: dict[str, Draw] = {
    "lines in gpu3 and tpu3 apart, and these look alike in greyscale": lines("gpu3", "tpu3"),
    "lines in gpu3 and net apart, and these look alike in greyscale (dark) and with protanopia (dark)": lines(
        "gpu3", "net"
    ),
    "lines in #d62728 and #2ca02c apart, and these look alike with deuteranopia": lines("#d62728", "#2ca02c"),
    "points in gpu2 and tpu2 apart, and these look alike in greyscale": lambda axes: [
        axes.scatter([1, 2], [3, 4], color=color) for color in ("gpu2", "tpu2")
    ],
    "bars in gpu2 and mem apart, and these look alike in greyscale and with tritanopia": lambda axes: [
        axes.bar([1], [20], color="gpu2"),
        axes.bar([1], [30], bottom=[20], color="mem"),
    ],
}


@pytest.mark.parametrize("told", ALIKE)
def test_series_that_only_colour_tells_apart_are_found(told: str) -> None:
    assert findings(ALIKE[told]) == [f"figure-alike: only colour tells {told}"]


TOLD_APART: dict[str, Draw] = {
    "colours far apart": lines("gpu1", "gpu3"),
    "a background": lines("mute", "mute"),
    "pieces of one curve": lambda axes: [
        line(axes, [0, 4], [20, 30], color="gpu3"),
        line(axes, [4, 10], [30, 90], color="gpu3"),
    ],
    "error bars": lambda axes: [line(axes, [x, x], [20, 30], color="gpu3") for x in (2, 2.1, 5)],
    "names of lines in one colour": both(
        lines("gpu3", "gpu3"),
        lambda axes: label(axes, 10, 90, "eight", color="gpu3", dx=10),
        lambda axes: label(axes, 10, 30, "two", color="gpu3", dx=10),
    ),
    "markers on lines in one colour": both(
        lines("gpu3", "gpu3"), lambda axes: mark(axes, 5, 75, color="gpu3")
    ),
    "batches of one series": lambda axes: [axes.scatter([n], [n], color="mem") for n in range(1, 5)],
    "bars of one series": lambda axes: axes.bar([1, 1.8, 2.6], [9, 8, 7], color="mem", label="memory"),
    "dashes": lines("gpu3", "tpu3", dashes=True),
    "width": lines("gpu3", "tpu3", width=1),
    "markers on both": both(
        lines("gpu3", "tpu3"),
        lambda axes: mark(axes, 5, 25, color="gpu3", marker="o"),
        lambda axes: mark(axes, 5, 75, color="tpu3", marker="s"),
    ),
    "a name at the end": both(
        lines("gpu3", "tpu3"), lambda axes: label(axes, 10, 90, "v6e", color="tpu3", dx=10)
    ),
    "a name in a darker step": both(
        lines("gpu1", "tpu1"), lambda axes: label(axes, 10, 30, "A100", color="gpu2", dx=10)
    ),
    "a name in ink": both(lines("gpu3", "tpu3"), lambda axes: label(axes, 4, 72, "measured", dy=15)),
    "an arrow": both(
        lines("gpu3", "tpu3"),
        lambda axes: axes.annotate("v6e", (5, 75), (1, 95), color="tpu3", arrowprops={"arrowstyle": "-"}),
    ),
    "hollow and filled points": lambda axes: [
        mark(axes, 3, 40, color="gpu3"),
        mark(axes, 4, 50, color="tpu3", measured=True),
    ],
    "hatch": lambda axes: [axes.bar([1], [9], color="gpu3"), axes.bar([1], [5], color="tpu3", hatch="//")],
    "bars in rows of their own": lambda axes: [
        axes.barh([20], [5], 9, color="gpu3"),
        axes.barh([50], [6], 9, color="tpu3"),
    ],
    "a line and points": lambda axes: [
        line(axes, [0, 10], [20, 30], color="gpu3"),
        axes.scatter([1], [70], color="tpu3"),
    ],
    "a heat map": lambda axes: [
        axes.bar([1], [9], color="seq4"),
        axes.bar([1.8], [9], color="seq5"),
    ],
}


@pytest.mark.parametrize("by", TOLD_APART)
def test_series_that_something_else_tells_apart_are_not_reported(by: str) -> None:
    assert findings(TOLD_APART[by]) == []


NO_NAMES: dict[str, Draw] = {
    "a number": lambda axes: label(axes, 10, 90, "93", color="tpu3", dx=10),
    "too far": lambda axes: label(axes, 10, 60, "v6e", color="tpu3", dx=40),
    "another's": lambda axes: label(axes, 10, 90, "HBM", color="mem", dx=10),
    "a title": lambda axes: axes.figure.text_px(200, 75, "Rate"),
}


def areas(axes: Axes) -> None:
    axes.fill_between([0, 10], [5, 9], color="mem", label="weights")
    axes.fill_between([0, 10], [5, 9], [15, 29], color="mem", label="cache")


TWINS: dict[str, Draw] = {
    "lines in gpu3": lines("gpu3", "gpu3"),
    "lines in seq6": lines("seq6", "seq6"),
    "points in mem": lambda axes: [
        axes.scatter([n, 5 + n], [n, n], color="mem", label=str(n)) for n in (1, 2)
    ],
    "bars in mem": lambda axes: [
        axes.bar([1, 3], [9, 8], color="mem", label="weights"),
        axes.bar([1, 3], [9, 8], bottom=[9, 8], color="mem", label="cache"),
    ],
    "areas in mem": areas,
}


@pytest.mark.parametrize("series", TWINS)
def test_series_that_nothing_tells_apart_are_found(series: str) -> None:
    assert findings(TWINS[series]) == [f"figure-alike: nothing tells two series of {series} apart"]


def image(colours: str, *, numbers: bool = False) -> Draw:
    """A heat map of 12 cells in a colour map of matplotlib."""

    def draw(axes: Axes) -> None:
        axes.imshow(np.arange(12).reshape(3, 4), cmap=colours, aspect="auto", extent=(0, 10, 0, 100))
        for n in range(12 * numbers):
            axes.text(1 + 2.5 * (n % 4), 15 + 30 * (n // 4), str(n))

    return draw


def painted(*colours: str) -> Draw:
    """A heat map of rectangles in these colours, one row of each."""
    return lambda axes: [
        axes.add_patch(Rectangle((2 * n, 10 * row), 2, 10, fc=colour))
        for row, colour in enumerate(colours)
        for n in range(5)
    ]


CELLS: dict[str, Draw] = {
    'of the scale "jet" stand for different values, but look alike in greyscale': image("jet"),
    'of the scale "hsv" stand for different values, but look alike in greyscale, with protanopia, with '
    "tritanopia and with deuteranopia": image("hsv"),
    'of the scale "coolwarm" stand for different values, but look alike in greyscale': image("coolwarm"),
    "such as tpu3 and gpu3 stand for different values, but look alike in greyscale": painted(
        "tpu3", "tpu1", "paper", "seq0", "gpu1", "gpu3"
    ),
}


@pytest.mark.parametrize("told", CELLS)
def test_heat_maps_whose_colours_do_not_keep_their_order_are_found(told: str) -> None:
    assert findings(CELLS[told]) == [f"figure-alike: colours {told}"]


def test_heat_maps_from_light_to_dark_or_with_numbers_are_not_reported() -> None:
    for scale in ("viridis", "cividis", "Greys", "Blues", "magma"):
        assert findings(image(scale)) == [], scale
    assert findings(image("jet", numbers=True)) == []
    assert findings(painted(*(f"seq{n}" for n in range(10)))) == []


@pytest.mark.parametrize("text", NO_NAMES)
def test_texts_that_name_no_series_do_not_tell_it_apart(text: str) -> None:
    (found,) = findings(both(lines("gpu3", "tpu3"), NO_NAMES[text]))
    assert found.startswith("figure-alike: only colour tells lines in gpu3 and tpu3 apart")


def test_simulated_visions_keep_greys_and_tell_the_steps_of_the_palette_apart() -> None:
    for seen in VISIONS.values():
        assert seen((1.0, 1.0, 1.0)) == pytest.approx((1, 1, 1), abs=1e-5)
    assert alike("#808080", "#808080") == tuple(VISIONS)
    for family in ("gpu", "tpu"):
        for step in "123":
            pair = COLOURS[family + step], COLOURS[family + str(int(step) + 1)]
            assert not any(alike(one, other) for one, other in zip(*pair, strict=True))


def legend(axes: Axes) -> None:
    for height, color in ((20, "gpu1"), (50, "gpu3"), (80, "mem")):
        axes.plot([0, 10], [50, height], color=color, label=f"the line that ends at {height}")
    axes.legend()


def bunch(axes: Axes) -> None:
    for number, color in enumerate(("gpu1", "gpu3", "mem", "net", "tpu1")):
        axes.plot([0, 10], [20 * number, 50], color=color, label=color)
    axes.legend()


def rows(axes: Axes) -> None:
    axes.bar([1], [9], color="mem", label="memory")
    axes.legend()


def test_a_legend_is_needless_where_names_fit_at_the_ends_of_lines() -> None:
    told = "figure-legend: there is a legend, although the names of the lines fit at their right ends"
    assert told in findings(legend)
    assert told not in findings(bunch), "the names would be in each other's way"
    assert told not in findings(rows), "it names no lines"
    assert told not in findings(both(legend, lambda axes: axes.figure.axes_px(520, 40, 100, 99))), "no room"


def by_hand(*, sample: str) -> Draw:
    """Three lines, and their names in a corner: beside strokes or squares, or in their colours."""

    def draw(axes: Axes) -> None:
        for n, (height, color) in enumerate(((20, "gpu1"), (50, "gpu3"), (80, "mem"))):
            axes.plot([0, 10], [50, height], color=color)
            axes.text(1.1, 96 - 7 * n, f"ends at {height}", color=color if sample == "word" else "ink")
            if sample == "stroke":
                axes.plot([0.4, 1], [98 - 7 * n, 98 - 7 * n], color=color)
            if sample == "square":
                axes.add_patch(Rectangle((0.6, 96 - 7 * n), 0.3, 4, fc=color))

    return draw


@pytest.mark.parametrize("sample", ["stroke", "square", "word"])
def test_a_legend_that_is_painted_by_hand_is_found(sample: str) -> None:
    assert findings(by_hand(sample=sample)) == [
        "figure-legend: there is a legend, although the names of the lines fit at their right ends"
    ]


def test_names_at_their_lines_are_no_legend() -> None:
    def direct(axes: Axes) -> None:
        for height, color in ((20, "gpu1"), (50, "gpu3"), (80, "mem")):
            axes.plot([0, 10], [50, height], color=color)
            label(axes, 10, height, f"ends at {height}", color=color, dx=10)

    assert findings(direct) == []


BAD = """
def wide(axes):
    axes.set(xlim=(0, 1), ylim=(0, 10), xticks=[], yticks=[])
axes = figure.axes_px(20, 20, 300, 200)
wide(axes)
axes.plot(
    [0, 0.5, 1],
    [5, 70, 5],
)
axes.scatter([0.1], [5], color="gpu3")
axes.scatter([0.2], [5], color="tpu3")
"""


def test_a_warning_names_the_line_that_made_the_mark_and_the_sizes(workshop: Workshop) -> None:
    script = workshop.drawing("bad", BAD)
    clipped, same = workshop.draw_report(script).warnings
    sizes = 'figure "bad", narrow and column'
    assert clipped.rule == "figure-clipped"
    assert clipped.message == f"{sizes}: the y axis ends at 10, but the data goes to 70"
    assert (clipped.location.line, clipped.source_line) == (8, "    axes.plot(")
    assert clipped.fix == "widen the limits of the axis, or leave out what is not to be shown."
    assert same.rule == "figure-alike"
    assert same.location.line == 13
    assert same.fix == "name them where they are, or give one of them another marker, dashes or a hatch."


def test_marks_of_charts_count_as_made_where_the_script_calls_for_them(workshop: Workshop) -> None:
    columns = "COLUMNS = {one: {'zh': one, 'en': one} for one in ('n', 'rate', 'part')}\n"
    rows = "return {'rows': [{'n': n, 'rate': n ** 3 * 1e14, 'part': 'mem'} for n in range(1, 9)]}"
    body = """
    from diglot.figures import charts
    chart = charts.frame(
        figure, x="n", y="rate", y_domain=(0, 99e14),
    )
    chart.lines(data["rows"])
    """
    script = workshop.drawing("grammar", body, compute=rows)
    workshop.write(script.path, (workshop.root / script.path).read_text("utf-8") + columns)
    found = [one for one in workshop.draw_report(script).warnings if one.rule == "figure-clipped"]
    told = "the y axis ends at 9.9e15, but the data goes to 5.12e16"
    assert [one.message for one in found] == [f'figure "grammar", narrow and column: {told}']
    assert found[0].source_line == '    chart.lines(data["rows"])'


def test_a_tall_drawing_makes_small_text_on_a_slide(workshop: Workshop) -> None:
    body = "figure.set_height_px(500)\nfigure.text_px(5, 20, t(zh='字', en='word'))"
    script = workshop.drawing("tall", body)
    computed = workshop.compute(script)

    def warnings(size: str) -> list[str]:
        exported = workshop.workers.export(
            script,
            FigureRequest.of("tall"),
            computed,
            ("en",),
            Sheet(theme="light", formats=("svg",), size=size),
        )
        return [one.message for one in exported.result().warnings]

    (told,) = warnings("16:9")
    assert told == 'figure "tall", 16:9: on a slide its text is 16 px, smaller than 20 px'
    assert warnings("1920x1080") == [told.replace("16:9", "1920x1080")]
    assert warnings("column") == []


def test_marks_of_deferred_charts_count_as_made_where_they_were_called() -> None:
    use_style("en", "variables")
    canvas = Canvas("column", "en")
    canvas.origins.script = __file__
    called = canvas.origins.here()
    canvas.origins.script = "elsewhere.py"
    axes = canvas.axes_px(60, 40, 450, 300)
    with canvas.origins.at(called):
        (inside,) = axes.plot([1, 2], [3, 4])
    (outside,) = axes.plot([1, 2], [3, 4])
    assert canvas.origins.line_of(inside) == called
    assert called is not None
    assert canvas.origins.line_of(outside) is None

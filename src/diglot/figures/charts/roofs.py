"""Rooflines: roofs of chips, levels of memory, and kernels below them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from matplotlib.axes import Axes

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.chart import Chart, check_options
from diglot.figures.charts.flags import Flag
from diglot.figures.charts.kernel_names import KernelName, KernelNames
from diglot.figures.charts.marks import Line, Point, Points
from diglot.figures.charts.placing import Candidate, Label, around
from diglot.figures.charts.plots import Plot
from diglot.figures.charts.rows import (
    Rows,
    check_columns,
    declared,
    is_missing,
    numbers_of,
    rows_of,
    some_rows_of,
    text_of,
)
from diglot.figures.charts.scales import round_log, unit_of_log_axis
from diglot.figures.charts.series import Look, dashes_of, looks_of, plain_look, series_key
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.text_sizes import width_of
from diglot.figures.scripts.misuse import Misuse

_LEVEL_PX = (2.0, 1.5, 1.0)
"""Width of the slopes of memory levels, from the slowest."""
_LEVEL_TOKENS = (None, "ink", "seq5")
"""Their colours: the slowest has the chip's own."""


@checked
def roofline(
    figure: Canvas,
    roofs: Rows,
    kernels: Rows = (),
    *,
    x: str = "intensity",
    y: str = "rate",
    series: str = "chip",
    peak: str = "peak",
    bandwidth: str = "bandwidth",
    level: str | None = None,
    dtype: str | None = None,
    label: str = "kernel",
    **options: Any,
) -> Chart:
    """Roofs with their ridges, and kernels as marks on them.

    `roofs` are rows of a chip with a peak and a bandwidth, in the units of the axes: FLOP/s, and bytes/s if x
    is in FLOP/byte. Several rows of a chip with different values in `level` are levels of its memory; `dtype`
    is a column of formats, of which 8-bit ones are dashed. `kernels` are rows with a name in `label` and an
    intensity in x. A kernel is on the roof of every chip, or, if its rows have a y of their own and a
    chip, there: at a measured rate.
    """
    given, points = some_rows_of(roofs), rows_of(kernels)
    check_columns(given, series, peak, bandwidth, level, dtype)
    check_columns(points, label, x)
    words = figure.words.with_categories(given, series)
    looks = looks_of([row[series] for row in given], words, series)
    ridges = [_ridge(row, peak, bandwidth) for row in given]
    intensities = numbers_of(points, x)
    low, high = _ends([*ridges, *intensities])
    # Without kernels the slopes alone fill the frame, and need little of their length.
    below = 20 if points else 4
    lowest = min(
        min(row[peak] / below, *(at * row[bandwidth] for at in intensities), math.inf) for row in given
    )
    floor = round_log(lowest, up=False)
    scales = {
        "x_scale": "log10",
        "y_scale": "log10",
        "x_domain": (low, high),
        "y_domain": (floor, _ceiling(given, peak, figure)),
    }
    check_options("charts.roofline", options)
    options = scales | options
    chart = Chart(figure, x=x, y=y, **options)
    (low, high), floor = options["x_domain"], options["y_domain"][0]
    first = min(range(len(given)), key=ridges.__getitem__)
    # Formats of a chip share a slope, whose bandwidth is said once, on the longest.
    longest = {
        _slope(row, series, bandwidth, level): n
        for n, row in sorted(enumerate(given), key=lambda one: one[1][peak])
    }
    seen: dict[Any, int] = {}
    for number, row in enumerate(given):
        key = (series_key(row[series]), row[peak], row.get(dtype) if dtype else None)
        rank = seen[key] = seen.get(key, -1) + 1
        look, at = looks[series_key(row[series])], ridges[number]
        if level and (token := _LEVEL_TOKENS[min(rank, 2)]):
            look = plain_look(token, look.name)
        start = max(low, floor / row[bandwidth])
        line = [(start, start * row[bandwidth]), (at, row[peak])]
        if rank == 0:
            line.append((high, row[peak]))
        chart.add(
            Line(
                points=tuple(line),
                look=look,
                width=_LEVEL_PX[min(rank, 2)] if level else 2.0,
                dashes=dashes_of(row[dtype]) if dtype else None,
                name="" if rank else _name(row, looks, (series, peak, dtype), chart, options["y_domain"][1]),
            )
        )
        # The mark is filled, because a ridge follows from published figures alone.
        chart.add(Points(points=(line[1],), look=look, size=6, filled=True, drop=True))
        chart.add(
            RoofTexts(
                slope=(line[0], line[1]),
                look=look,
                bandwidth=_slope_text(row, (bandwidth, level), chart)
                if longest[_slope(row, series, bandwidth, level)] == number
                else "",
                foot=_foot(at, number == first, chart),
                optional=level is None,
                side=_side(row[bandwidth], [each[bandwidth] for each in given]),
            )
        )
    _add_kernels(chart, points, given, (series, peak, bandwidth, label))
    if level is None:  # names of levels need the room
        chart.region((0.06, 0.82), words(zh="访存受限", en="memory-bound"))
        chart.region((0.98, 0.4), words(zh="算力受限", en="compute-bound"))
    return chart


def _ridge(row: Mapping[str, Any], peak: str, bandwidth: str) -> float:
    (top,), (slope,) = numbers_of([row], peak), numbers_of([row], bandwidth)
    if top <= 0 or slope <= 0:
        raise Misuse(
            f"a roof has a peak and a bandwidth above 0, not {top:g} and {slope:g}",
            "correct the numbers, or leave the roof out.",
        )
    return top / slope


def _slope(row: Mapping[str, Any], series: str, bandwidth: str, level: str | None) -> tuple[Any, ...]:
    return series_key(row[series]), row[bandwidth], series_key(row[level]) if level else None


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """The ends of the x axis, with room around ridges and kernels."""
    low, high = min(*values, max(values) / 100), 4 * max(values)
    return round_log(low / 1.5, up=False), round_log(high, up=True)


def _name(
    row: Mapping[str, Any],
    looks: Mapping[Any, Look],
    columns: tuple[str, str, str | None],
    chart: Chart,
    high: float,
) -> str:
    """Chip, format and peak in the unit of the axis, for the end of the roof."""
    series, peak, dtype = columns
    column = declared(chart.words, chart.y)
    name = looks[series_key(row[series])].name if len(looks) > 1 or not dtype else ""  # the page names one
    number = column.number(row[peak], unit_of_log_axis(high, column, chart.words.language))
    parts = [name, str(row[dtype]) if dtype else "", number]
    return " ".join(filter(None, parts))


def _ceiling(roofs: Sequence[Mapping[str, Any]], peak: str, figure: Canvas) -> float:
    """The end of the y axis; on a phone, with room for names above the flat parts."""
    return max(numbers_of(roofs, peak)) * (2.0 if figure.is_narrow else 1.15)


def _side(bandwidth: float, all_of_them: Sequence[float]) -> int:
    """The side of a slope on which no other slope lies."""
    return -1 if bandwidth == max(all_of_them) else 1 if bandwidth == min(all_of_them) else 0


def _slope_text(row: Mapping[str, Any], columns: tuple[str, str | None], chart: Chart) -> str:
    """Level and bandwidth, for the slope."""
    bandwidth, level = columns
    value = row[bandwidth]
    name = text_of(row[level], chart.words, level) if level else ""
    number = f"{chart.words.number(value / 1e9)} GB/s"
    return name if name and chart.canvas.is_narrow else f"{name} {number}".strip()


def _foot(ridge: float, first: bool, chart: Chart) -> str:
    word = chart.words(zh="脊点", en="ridge") + " " if first else ""
    return f"{word}{chart.words.number(ridge, 0 if ridge >= 10 else 1)}"


def _add_kernels(
    chart: Chart,
    kernels: Sequence[Mapping[str, Any]],
    roofs: Sequence[Mapping[str, Any]],
    columns: tuple[str, ...],
) -> None:
    series, peak, bandwidth, label = columns
    named: dict[str, KernelName] = {}
    marks: list[dict[str, Any]] = []
    for kernel in kernels:
        at = kernel[chart.x]
        if not is_missing(kernel.get(chart.y)) and series in kernel:
            found = [(kernel[series], kernel[chart.y], True)]
        else:
            found = [(roof[series], min(roof[peak], at * roof[bandwidth]), False) for roof in roofs]
            found = found[::-1]  # where marks almost coincide, those of the first roof stay on top
        for key, rate, measured in found:
            marks.append({series: key, chart.x: at, chart.y: rate, "measured": measured})
        name, rates = text_of(kernel[label], chart.words, label), [rate for _, rate, _ in found]
        low, high = (named[name].low, named[name].high) if name in named else (math.inf, 0.0)
        named[name] = KernelName(name, at, min(low, *rates), max(high, *rates))
    if marks:
        chart.points(marks, series=series, size=7, measured="measured", name=False)
    names = tuple(one for one in named.values() if one.text)
    if chart.canvas.size == "slide":  # rows of names above the frame would leave it no height
        chart.add(KernelNames(names=names))
    else:
        chart.flags += [Flag(one.x, one.text, one.low) for one in names]


class RoofTexts(msgspec.Struct, frozen=True, kw_only=True):
    """The number at a ridge's foot, and the bandwidth along its slope, if it is not empty."""

    slope: tuple[Point, Point]
    look: Look
    bandwidth: str
    foot: str
    side: int
    """Which side of the slope is free of others: −1 the left, 1 the right, 0 neither."""
    optional: bool
    """Whether the bandwidth may be left out where it would cover something."""

    def extent(self) -> tuple[Sequence[float], Sequence[float]]:
        """Nothing: texts move no axis."""
        return (), ()

    def plan(self, plot: Plot) -> None:
        """Look for places."""
        face, small, token = plot.face, plot.face.small, self.look.text_token
        (x0, y0), (x1, y1) = (plot.px(*point) for point in self.slope)
        width, floor = width_of(self.foot, small, face.language), plot.frame.bottom - 6
        feet = []
        for up in range(5):
            baseline, cost = floor - 1.2 * small * up, 6.0 * up
            feet.append(Candidate(x1 + 5, baseline, cost))
            feet.append(Candidate(x1 - 5 - width, baseline, cost + 2, None, "right"))
        plot.labels.append(Label(text=self.foot, size=small, token=token, candidates=tuple(feet)))
        if not self.bandwidth:
            return
        width = width_of(self.bandwidth, small, face.language)
        along = []
        for n in range(1, 16):
            x, y, cost = x0 + (x1 - x0) * n / 16, y0 + (y1 - y0) * n / 16, 2.0 * abs(n - 6)
            along.append(Candidate(x - 8 - width, y - 2, cost + 30 * (self.side == 1), None, "right"))
            along.append(Candidate(x + 9, y + 0.7 * small, cost + 30 * (self.side == -1)))
        if not self.optional:
            along += around((x0 + x1) / 2, (y0 + y1) / 2, width, small, gap=9)
        found = Label(
            text=self.bandwidth, size=small, token=token, candidates=tuple(along), optional=self.optional
        )
        plot.labels.append(found)

    def paint(self, axes: Axes) -> None:
        """Only texts are drawn."""

"""The grammar of charts: marks from the columns of `compute`'s data, which lay themselves out.

`charts.lines(figure, data["rows"], x="batch", y="rate", series="chip", x_scale="log2")` makes a frame and
puts lines into it. It returns the `Chart`, whose methods add marks to the same frame.
"""

from typing import Any

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.arrangement import heading
from diglot.figures.charts.bars import bars
from diglot.figures.charts.cells import cells
from diglot.figures.charts.chart import Chart, check_options
from diglot.figures.charts.dumbbells import dumbbell
from diglot.figures.charts.fronts import pareto
from diglot.figures.charts.heat_maps import heat_map, utilisation_map
from diglot.figures.charts.panels import panels
from diglot.figures.charts.roofs import roofline
from diglot.figures.charts.rows import Rows
from diglot.figures.charts.slopes import slope
from diglot.figures.charts.timelines import timeline
from diglot.figures.charts.waterfalls import waterfall
from diglot.figures.drawing.canvas import Canvas

__all__ = [
    "Chart",
    "areas",
    "bars",
    "cells",
    "dumbbell",
    "frame",
    "heading",
    "heat_map",
    "lines",
    "panels",
    "pareto",
    "points",
    "roofline",
    "slope",
    "timeline",
    "utilisation_map",
    "waterfall",
]

_MARK_OPTIONS = {
    "lines": ("series", "curve", "teeth", "name", "color", "dash", "width", "area", "interval"),
    "areas": ("series", "curve", "name", "color", "stacked"),
    "points": ("series", "label", "name", "measured", "color", "size", "drop", "mute", "prefer", "interval"),
}


@checked
def frame(figure: Canvas, *, x: str, y: str, **options: Any) -> Chart:
    """An empty frame whose axes are two columns of `COLUMNS`. For the options see `Chart`."""
    check_options("charts.frame", options)
    return Chart(figure, x=x, y=y, **options)


@checked
def lines(figure: Canvas, rows: Rows, *, x: str, y: str, series: str | None = None, **options: Any) -> Chart:
    """A chart of lines: a frame, and `Chart.lines` in it."""
    return _marked("lines", figure, rows, {"x": x, "y": y, "series": series, **options})


@checked
def areas(figure: Canvas, rows: Rows, *, x: str, y: str, series: str | None = None, **options: Any) -> Chart:
    """A chart of areas: a frame, and `Chart.areas` in it."""
    return _marked("areas", figure, rows, {"x": x, "y": y, "series": series, **options})


@checked
def points(figure: Canvas, rows: Rows, *, x: str, y: str, series: str | None = None, **options: Any) -> Chart:
    """A scatter plot: a frame, and `Chart.points` in it."""
    return _marked("points", figure, rows, {"x": x, "y": y, "series": series, **options})


def _marked(mark: str, figure: Canvas, rows: Rows, options: dict[str, Any]) -> Chart:
    """A chart with one mark; `options` are those of both."""
    check_options(f"charts.{mark}", options, (*_MARK_OPTIONS[mark], "x", "y"))
    own = {name: options.pop(name) for name in _MARK_OPTIONS[mark] if name in options}
    chart = Chart(figure, **options)
    getattr(chart, mark)(rows, **own)
    return chart

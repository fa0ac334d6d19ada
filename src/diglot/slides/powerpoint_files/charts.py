"""Charts of PowerPoint, which can be edited there, from the tables of figures."""

import re
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from lxml import etree
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.util import Pt

from diglot.figures.records import Table
from diglot.slides.powerpoint_files.designs import Rect

_C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_CALL = re.compile(r"\b\w+\.(lines|areas|bars|points|pareto|roofline|heat_map|cells|timeline|slope\w*)\(")
_LOGARITHMIC = re.compile(r"\b([xy])_scale\s*=\s*[\"']log(\d+)?[\"']")
_TEXT_PT = 14
_LATER_BOUND = 2

Kind = Literal["lines", "bars", "points"]


class ChartNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """What a chart shows."""

    kind: Kind
    x_title: str
    y_title: str
    categories: tuple[str, ...]
    """Names along the axis; empty if x is a number."""
    series: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    """Each with its name and points. With categories, x counts them from 0."""
    log_x: int = 0
    """Base of a logarithmic axis; 0 for a linear one."""
    log_y: int = 0


def chart_numbers(source: str, table: Table | None) -> ChartNumbers | None:
    """The chart that a script draws of its table; None unless it draws lines, bars or points alone."""
    kinds = {"lines" if one == "areas" else one for one in _CALL.findall(source)}
    if kinds == {"lines", "points"}:  # points that mark something on lines
        kinds = {"lines"}
    if table is None or len(kinds) != 1 or not table.rows:
        return None
    (kind,) = kinds
    if kind not in ("lines", "bars", "points"):
        return None
    numeric = [at for at, one in enumerate(table.numeric) if one]
    texts = [at for at, one in enumerate(table.numeric) if not one]
    scales = {axis: int(base or 10) for axis, base in _LOGARITHMIC.findall(source)}
    found = _of_series(table, numeric, texts) if kind != "bars" else _of_categories(table, numeric, texts)
    if found is None:
        return None
    x_title, y_title, categories, series = found
    return ChartNumbers(
        kind=kind,  # type: ignore[arg-type]  # this was asked above
        x_title=x_title,
        y_title=y_title,
        categories=categories,
        series=series,
        log_x=0 if categories else scales.get("x", 0),
        log_y=scales.get("x" if kind == "bars" else "y", 0),
    )


_Found = tuple[str, str, tuple[str, ...], tuple[tuple[str, tuple[tuple[float, float], ...]], ...]]


def _of_series(table: Table, numeric: Sequence[int], texts: Sequence[int]) -> _Found | None:
    """Rows as points, with a series for each text; or columns as series, over the first."""
    if len(numeric) < _LATER_BOUND:
        return _of_categories(table, numeric, texts)
    x, *rest = numeric
    points: dict[str, list[tuple[float, float]]] = {}
    for row in table.raw:
        name = " ".join(row[at] for at in texts)
        for at in rest[:1] if texts else rest:
            if (one := _number(row[x])) is not None and (two := _number(row[at])) is not None:
                points.setdefault(name or _title(table, at), []).append((one, two))
    shared = rest[:1] if texts else rest
    y_title = _title(table, shared[0]) if len(shared) == 1 else _unit(table, shared[0])
    return _title(table, x), y_title, (), tuple((name, tuple(one)) for name, one in points.items())


def _of_categories(table: Table, numeric: Sequence[int], texts: Sequence[int]) -> _Found | None:
    """Rows as names along an axis, and a series for each column of the first one's unit."""
    if not numeric:
        return None
    labels, values = (list(texts), list(numeric)) if texts else ([numeric[0]], list(numeric[1:]))
    if not values:
        return None
    unit = _unit(table, values[0])
    alike = [at for at in values if _unit(table, at) == unit]
    series = tuple(
        (
            _title(table, at),
            tuple(
                (float(n), one) for n, row in enumerate(table.raw) if (one := _number(row[at])) is not None
            ),
        )
        for at in alike
    )
    names = tuple(" ".join(row[at] for at in labels) for row in table.rows)
    return "", _title(table, alike[0]) if len(alike) == 1 else unit, names, series


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _title(table: Table, at: int) -> str:
    return table.columns[at].replace("\n", ", ")


def _unit(table: Table, at: int) -> str:
    return table.columns[at].partition("\n")[2]


def add_chart(slide: Any, place: Rect, numbers: ChartNumbers) -> Any:
    """Put a chart on a slide. Returns its shape."""
    if numbers.categories:
        data: Any = CategoryChartData()  # type: ignore[no-untyped-call]  # untyped in python-pptx
        data.categories = numbers.categories
        for name, points in numbers.series:
            values = dict(points)
            data.add_series(name, [values.get(float(n)) for n in range(len(numbers.categories))])
        bars = numbers.kind == "bars"
        kind = XL_CHART_TYPE.BAR_CLUSTERED if bars else XL_CHART_TYPE.LINE_MARKERS
    else:
        data = XyChartData()  # type: ignore[no-untyped-call]  # untyped in python-pptx
        for name, points in numbers.series:
            one = data.add_series(name)
            for x, y in points:
                one.add_data_point(x, y)
        lines = numbers.kind == "lines"
        kind = XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS if lines else XL_CHART_TYPE.XY_SCATTER
    shape = slide.shapes.add_chart(kind, *place, data)
    chart = shape.chart
    chart.font.size = Pt(_TEXT_PT)
    chart.has_title = False
    chart.has_legend = len(numbers.series) > 1
    if chart.has_legend:
        chart.legend.position = XL_LEGEND_POSITION.BOTTOM
        chart.legend.include_in_layout = False
    for axis, title in ((chart.category_axis, numbers.x_title), (chart.value_axis, numbers.y_title)):
        axis.has_major_gridlines = False
        axis.has_title = bool(title)
        if title:
            axis.axis_title.text_frame.text = title
    if numbers.kind == "bars":
        chart.category_axis.reverse_order = True  # the first row at the top
        if len(numbers.series) == 1:
            chart.plots[0].has_data_labels = True
    if numbers.kind == "points":
        for series in chart.plots[0].series:
            series.format.line.fill.background()
    _scale(chart.element, numbers)
    return shape


def _scale(chart: Any, numbers: ChartNumbers) -> None:
    """Make axes logarithmic, for which python-pptx has no property."""
    axes = chart.findall(f".//{{{_C}}}valAx")
    bases = (numbers.log_y,) if numbers.categories else (numbers.log_x, numbers.log_y)
    for axis, base in zip(axes, bases, strict=False):
        if base:
            scaling = axis.find(f"{{{_C}}}scaling")
            scaling.insert(0, etree.Element(f"{{{_C}}}logBase", val=str(base)))

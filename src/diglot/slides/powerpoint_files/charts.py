"""Charts of PowerPoint, which can be edited there, from the tables of figures."""

import ast
from collections.abc import Sequence
from typing import Any, Literal, get_args

import msgspec
from lxml import etree
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_AXIS_CROSSES, XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.util import Pt

from diglot.figures.records import Table
from diglot.languages import Language
from diglot.slides.powerpoint_files.designs import Rect

_C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_TEXT_PT = 14
_LARGE = 100

Kind = Literal["lines", "bars", "points"]
Points = tuple[tuple[float, float], ...]
_OTHER_KINDS = frozenset(
    ("areas", "pareto", "roofline", "heat_map", "cells", "timeline", "slopes", "panels", "frame")
)


class ChartNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """What a chart shows."""

    kind: Kind
    x_title: str
    y_title: str
    categories: tuple[str, ...]
    """Names along the axis; empty if x is a number."""
    series: tuple[tuple[str, Points], ...]
    """Each with its name and points. With categories, x counts them from 0."""
    log_x: int = 0
    """Base of a logarithmic axis; 0 for a linear one."""
    log_y: int = 0


class _Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """What a script asks a chart to show."""

    kind: Kind
    x: str
    y: str
    series: str
    log_x: int
    log_y: int
    labels: dict[str, str]
    """What columns are called, by name."""


def chart_numbers(source: str, table: Table | None, language: Language) -> ChartNumbers | None:
    """The chart that a script draws, from its table.

    None unless the script draws lines, bars or points once and alone, and its table has the columns along
    both axes, under the names that `COLUMNS` gives them.
    """
    drawn = _drawn(source, language)
    if drawn is None or table is None or not table.rows:
        return None
    names = [one.partition("\n")[0] for one in table.columns]

    def column(name: str) -> int | None:
        label = drawn.labels.get(name)
        return names.index(label) if label in names else None

    along, value = (drawn.y, drawn.x) if drawn.kind == "bars" else (drawn.x, drawn.y)
    at, series = column(value), column(drawn.series)
    if at is None or not table.numeric[at] or (drawn.series and series is None):
        return None
    key = column(along)
    if key is not None and table.numeric[key] and drawn.kind != "bars":
        return ChartNumbers(
            kind=drawn.kind,
            x_title=_title(table, key),
            y_title=_title(table, at),
            categories=(),
            series=_series(table, at, series, lambda row: _number(table.raw[row][key])),
            log_x=drawn.log_x,
            log_y=drawn.log_y,
        )
    texts = (
        [key] if key is not None else [n for n, one in enumerate(table.numeric) if not one and n != series]
    )
    if not texts:
        return None
    categories = tuple(dict.fromkeys(" ".join(row[n] for n in texts) for row in table.rows))
    order = {name: float(n) for n, name in enumerate(categories)}
    return ChartNumbers(
        kind=drawn.kind,
        x_title="",
        y_title=_title(table, at),
        categories=categories,
        series=_series(table, at, series, lambda row: order[" ".join(table.rows[row][n] for n in texts)]),
        log_y=drawn.log_x if drawn.kind == "bars" else drawn.log_y,
    )


def _series(table: Table, at: int, series: int | None, place: Any) -> tuple[tuple[str, Points], ...]:
    """The points of each series; without a column of series, all in one."""
    found: dict[str, list[tuple[float, float]]] = {}
    for number, row in enumerate(table.raw):
        x, y = place(number), _number(row[at])
        if x is not None and y is not None:
            name = table.rows[number][series] if series is not None else _title(table, at)
            found.setdefault(name, []).append((x, y))
    return tuple((name, tuple(points)) for name, points in found.items())


def _drawn(source: str, language: Language) -> _Drawn | None:
    tree = ast.parse(source)
    calls = [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and one.func.attr in (*get_args(Kind), *_OTHER_KINDS)
    ]
    if len(calls) != 1 or not isinstance(calls[0].func, ast.Attribute):
        return None
    kind = calls[0].func.attr
    given = {
        one.arg: one.value.value
        for one in calls[0].keywords
        if one.arg and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str)
    }
    if kind not in get_args(Kind) or "x" not in given or "y" not in given:
        return None
    return _Drawn(
        kind=kind,  # type: ignore[arg-type]  # this was asked above
        x=given["x"],
        y=given["y"],
        series=given.get("series", ""),
        log_x=_base(given.get("x_scale", "")),
        log_y=_base(given.get("y_scale", "")),
        labels=_labels(tree, language),
    )


def _base(scale: str) -> int:
    return int(scale.removeprefix("log") or 10) if scale.startswith("log") else 0


def _labels(tree: ast.Module, language: Language) -> dict[str, str]:
    """What `COLUMNS` calls columns, as far as it is written with literals."""
    for one in tree.body:
        if isinstance(one, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "COLUMNS" for target in one.targets
        ):
            try:
                columns = ast.literal_eval(one.value)
            except ValueError:
                return {}
            return {
                name: entry[language]
                for name, entry in columns.items()
                if isinstance(entry, dict) and language in entry
            }
    return {}


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _title(table: Table, at: int) -> str:
    return table.columns[at].replace("\n", ", ")


def add_chart(slide: Any, place: Rect, numbers: ChartNumbers) -> Any:
    """Put a chart on a slide. Returns its shape."""
    shape = slide.shapes.add_chart(_kind(numbers), *place, _data(numbers))
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
        chart.category_axis.crosses = XL_AXIS_CROSSES.MAXIMUM  # and the other axis at the bottom
        plot = chart.plots[0]
        plot.has_data_labels = True
        plot.data_labels.number_format = _number_format(numbers.series)
        plot.data_labels.number_format_is_linked = False
    if numbers.kind == "points":
        for series in chart.plots[0].series:
            series.format.line.fill.background()
    _scale(chart.element, numbers)
    _number_axes(chart.element)
    return shape


def _kind(numbers: ChartNumbers) -> Any:
    if numbers.categories:
        return XL_CHART_TYPE.BAR_CLUSTERED if numbers.kind == "bars" else XL_CHART_TYPE.LINE_MARKERS
    lines = numbers.kind == "lines"
    return XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS if lines else XL_CHART_TYPE.XY_SCATTER


def _data(numbers: ChartNumbers) -> Any:
    if numbers.categories:
        data: Any = CategoryChartData()  # type: ignore[no-untyped-call]  # untyped in python-pptx
        data.categories = numbers.categories
        for name, points in numbers.series:
            values = dict(points)
            data.add_series(name, [values.get(float(n)) for n in range(len(numbers.categories))])
        return data
    data = XyChartData()  # type: ignore[no-untyped-call]  # untyped in python-pptx
    for name, points in numbers.series:
        one = data.add_series(name)
        for x, y in points:
            one.add_data_point(x, y)
    return data


def _number_format(series: Sequence[tuple[str, Points]]) -> str:
    """Three digits, as figures show them."""
    values = [abs(y) for _, points in series for _, y in points]
    if all(value == int(value) for value in values) or max(values, default=0) >= _LARGE:
        return "#,##0"
    return "0.00"


def _number_axes(chart: Any) -> None:
    """Give axes numbers that the schema allows; python-pptx's are negative."""
    for one in chart.iter(f"{{{_C}}}axId", f"{{{_C}}}crossAx"):
        one.set("val", str(int(one.get("val")) % 2**32))


def _scale(chart: Any, numbers: ChartNumbers) -> None:
    """Make axes logarithmic, for which python-pptx has no property."""
    axes = chart.findall(f".//{{{_C}}}valAx")
    bases = (numbers.log_y,) if numbers.categories else (numbers.log_x, numbers.log_y)
    for axis, base in zip(axes, bases, strict=False):
        if base:
            scaling = axis.find(f"{{{_C}}}scaling")
            scaling.insert(0, etree.Element(f"{{{_C}}}logBase", val=str(base)))

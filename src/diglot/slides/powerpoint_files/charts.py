"""Charts of PowerPoint, which can be edited there."""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Any, NamedTuple

from lxml import etree
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.chart.xmlwriter import SeriesXmlRewriterFactory
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_MARKER_STYLE
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml import parse_xml
from pptx.util import Pt

from diglot.slides.chart_numbers import ChartNumbers, Points
from diglot.slides.powerpoint_files.designs import Rect
from diglot.slides.powerpoint_files.packaging import stable_package
from diglot.slides.xml import C

_category_data: Callable[[], Any] = CategoryChartData  # python-pptx has no types
_xy_data: Callable[[], Any] = XyChartData
_rewriter: Callable[[Any, Any], Any] = SeriesXmlRewriterFactory
_TEXT_PT = 16
_LARGE, _THOUSAND = 100, 1000
_GAP_PERCENT, _MARKER_PT = 60, 9
_ACCENTS = (
    *(MSO_THEME_COLOR.ACCENT_1, MSO_THEME_COLOR.ACCENT_2, MSO_THEME_COLOR.ACCENT_3),
    *(MSO_THEME_COLOR.ACCENT_4, MSO_THEME_COLOR.ACCENT_5, MSO_THEME_COLOR.ACCENT_6),
)


def add_chart(slide: Any, place: Rect, numbers: ChartNumbers) -> Any:
    """Put a chart on a slide. Returns its shape."""
    shape = slide.shapes.add_chart(_kind(numbers), *place, _data(numbers))
    chart = shape.chart
    chart.font.size = Pt(_TEXT_PT)
    chart.font.color.theme_color = MSO_THEME_COLOR.TEXT_1
    chart.has_title = False
    chart.has_legend = len(numbers.series) > 1
    if chart.has_legend:
        chart.legend.position = XL_LEGEND_POSITION.BOTTOM
        chart.legend.include_in_layout = False
    points = [point for _, own in numbers.series for point in own]
    for axis, title, values in (
        (chart.category_axis, numbers.x_title, () if numbers.categories else [x for x, _ in points]),
        (chart.value_axis, numbers.y_title, [y for _, y in points]),
    ):
        if max(map(abs, values), default=0) >= _THOUSAND:
            axis.tick_labels.number_format = "#,##0"
            axis.tick_labels.number_format_is_linked = False
        axis.has_major_gridlines = False
        axis.format.line.color.theme_color = MSO_THEME_COLOR.TEXT_2
        axis.has_title = bool(title)
        if title:
            axis.axis_title.text_frame.text = title
            axis.axis_title.text_frame.paragraphs[0].runs[0].font.bold = False
    if numbers.kind == "bars":
        chart.category_axis.reverse_order = True  # the first row at the top
        chart.element.find(f".//{C}valAx/{C}crosses").set("val", "max")  # the other axis below
        plot = chart.plots[0]
        plot.gap_width = _GAP_PERCENT
        plot.has_data_labels = True
        plot.data_labels.number_format = _number_format(numbers.series)
        plot.data_labels.number_format_is_linked = False
    if numbers.kind == "points":
        for series, colour in zip(chart.plots[0].series, cycle(_ACCENTS), strict=False):
            series.format.line.fill.background()
            series.marker.style, series.marker.size = XL_MARKER_STYLE.CIRCLE, _MARKER_PT
            series.marker.format.fill.solid()
            series.marker.format.fill.fore_color.theme_color = colour
            series.marker.format.line.fill.background()
    _scale(chart.element, numbers)
    _number_axes(chart.element)
    return shape


class RenewedChart(NamedTuple):
    """The parts of a chart with other numbers."""

    chart: bytes
    workbook: bytes


def renewed_chart(chart: bytes, numbers: ChartNumbers) -> RenewedChart | None:
    """A chart with other numbers, and otherwise as it is; None if it cannot show these."""
    root: Any = parse_xml(chart)
    is_scatter = root.find(f".//{C}scatterChart") is not None
    if is_scatter == bool(numbers.categories) or root.find(f".//{C}ser") is None:
        return None
    data = _data(numbers)
    rewriter = _rewriter(_kind(numbers), data)
    rewriter.replace_series_data(root)
    written = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return RenewedChart(written, stable_package(data.xlsx_blob))


def _kind(numbers: ChartNumbers) -> Any:
    if numbers.categories and numbers.kind == "bars":
        return XL_CHART_TYPE.BAR_STACKED if numbers.stacked else XL_CHART_TYPE.BAR_CLUSTERED
    if numbers.categories:
        return XL_CHART_TYPE.LINE_MARKERS
    lines = numbers.kind == "lines"
    return XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS if lines else XL_CHART_TYPE.XY_SCATTER


def _data(numbers: ChartNumbers) -> Any:
    if numbers.categories:
        data = _category_data()
        data.categories = numbers.categories
        for name, points in numbers.series:
            values = dict(points)
            data.add_series(name, [values.get(float(n)) for n in range(len(numbers.categories))])
        return data
    data = _xy_data()
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
    """Give axes numbers that the schema allows and LibreOffice tells apart; python-pptx's are negative."""
    known: dict[str, str] = {}
    for one in chart.iter(f"{C}axId", f"{C}crossAx"):
        one.set("val", known.setdefault(one.get("val"), str(len(known) + 1)))


def _scale(chart: Any, numbers: ChartNumbers) -> None:
    """Make axes logarithmic, for which python-pptx has no property."""
    axes = chart.findall(f".//{C}valAx")
    bases = (numbers.log_y,) if numbers.categories else (numbers.log_x, numbers.log_y)
    for axis, base in zip(axes, bases, strict=False):
        if base:
            scaling = axis.find(f"{C}scaling")
            scaling.insert(0, etree.Element(f"{C}logBase", val=str(base)))

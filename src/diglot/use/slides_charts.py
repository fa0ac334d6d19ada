"""The numbers of charts that can be edited in PowerPoint, from figures as they are now."""

from collections.abc import Mapping, Sequence

import msgspec

from diglot.figure_request import FigureRequest
from diglot.figures.records import ComputedFigure, Script
from diglot.languages import Language
from diglot.rules.building import Site
from diglot.rules.figures import draw_figure
from diglot.rules.ids import DrawingId
from diglot.slides.chart_numbers import ChartNumbers, chart_numbers


class NativeChart(msgspec.Struct, frozen=True, kw_only=True):
    """A figure as a chart."""

    numbers: ChartNumbers
    description: str


def native_charts(
    site: Site,
    requests: Sequence[str],
    language: Language,
    *,
    scripts: Mapping[str, Script],
    computed: Mapping[str, ComputedFigure],
) -> dict[str, NativeChart]:
    """The figures that a chart of PowerPoint can show, by request, of those given.

    Raises DiagnosticError if one of them cannot be drawn.
    """
    drawings = site.values(draw_figure, [DrawingId(FigureRequest.parse(one), language) for one in requests])
    found = {}
    for request, drawn in zip(requests, drawings, strict=True):
        script = scripts[request]
        source = script.source or (site.options.root / script.path).read_text("utf-8")
        data = msgspec.json.decode(computed[request].data)
        if (numbers := chart_numbers(source, drawn.table, language, data)) is not None:
            found[request] = NativeChart(numbers=numbers, description=drawn.alt)
    return found

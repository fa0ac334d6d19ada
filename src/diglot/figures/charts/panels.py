"""Small multiples: the same chart for each value of a column, with shared axes."""

from collections.abc import Iterator
from typing import Any

from diglot.figures.charts.arrangement import Panels, arrangement_of
from diglot.figures.charts.chart import Chart
from diglot.figures.charts.rows import Rows, check_columns, rows_of, text_of
from diglot.figures.charts.series import series_key
from diglot.figures.drawing.canvas import Canvas


def panels(
    figure: Canvas, rows: Rows, *, by: str, x: str, y: str, columns: int | None = None, **options: Any
) -> Iterator[tuple[Chart, list[dict[str, Any]]]]:
    """A chart and its rows for each value of the column `by`, which is its title.

    All have the same axes. They stand beside each other as far as there is room, or at most `columns` in a
    line, and below each other on a phone. The other options are those of `frame`.
    """
    given = rows_of(rows)
    check_columns(given, by)
    parts: dict[Any, list[dict[str, Any]]] = {}
    for row in given:
        parts.setdefault(series_key(row[by]), []).append(row)
    charts = [
        Chart(figure, x=x, y=y, title=text_of(part[0][by], figure.words, by), panel=True, **options)
        for part in parts.values()
    ]
    for chart in charts:
        chart.shared = charts
    arrangement_of(figure).add(Panels(charts, columns, share_y=True))
    yield from zip(charts, parts.values(), strict=True)

"""Small multiples: the same chart for each value of a column, with shared axes."""

from collections.abc import Iterator, Sequence
from typing import Any

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.arrangement import Panels, arrangement_of
from diglot.figures.charts.chart import Chart, check_options
from diglot.figures.charts.rows import Rows, check_columns, some_rows_of, text_of
from diglot.figures.charts.series import series_key
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.scripts.misuse import Misuse


@checked
def panels(
    figure: Canvas,
    rows: Rows,
    *,
    by: str | None = None,
    x: str,
    y: str | Sequence[str],
    columns: int | None = None,
    **options: Any,
) -> Iterator[tuple[Chart, list[dict[str, Any]]]]:
    """A chart and its rows for each value of the column `by`, which is its title, or for each column of `y`.

    All have the same axes. They are side by side as far as there is room, or at most `columns` in a
    line, and below each other on a phone. The other options are those of `frame`. Raises Misuse unless
    either `by` or several columns `y` are given.
    """
    given = some_rows_of(rows)
    if (by is None) == isinstance(y, str):
        raise Misuse("panels are for each value of `by`, or for each column of y", "give one of the two.")
    if by is not None and isinstance(y, str):
        check_columns(given, by)
        parts: dict[Any, list[dict[str, Any]]] = {}
        for row in given:
            parts.setdefault(series_key(row[by]), []).append(row)
        words = figure.words.with_categories(given, by)
        groups = [(y, text_of(part[0][by], words, by), part) for part in parts.values()]
    else:
        groups = [(one, "", given) for one in y]
    check_options("charts.panels", options)
    charts = [Chart(figure, x=x, y=one, title=title, panel=True, **options) for one, title, _ in groups]
    for chart in charts:
        chart.shared = charts
    arrangement_of(figure).add(Panels(charts, columns, share_y=True))
    yield from zip(charts, (part for *_, part in groups), strict=True)

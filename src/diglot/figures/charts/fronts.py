"""Pareto plots: what is best for one quantity at each value of another."""

from collections.abc import Sequence
from typing import Any, Literal

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.chart import Chart, check_options
from diglot.figures.charts.rows import (
    Rows,
    check_columns,
    check_columns_of_some,
    is_missing,
    rows_of,
    with_numbers,
)
from diglot.figures.charts.series import series_key
from diglot.figures.drawing.canvas import Canvas

Better = Literal["low", "high"]


@checked
def pareto(
    figure: Canvas,
    rows: Rows,
    *,
    x: str,
    y: str,
    series: str | None = None,
    label: str | None = None,
    better: tuple[Better, Better] = ("low", "high"),
    **options: Any,
) -> Chart:
    """The front of each series as a line, and the rows that others beat as small mute dots.

    `better` says whether low or high values of x and of y are wanted. Only rows with a text in the column
    `label` are named, each with a mark. The other options are those of `frame`.
    """
    given = rows_of(rows)
    check_columns(given, x, y, series)
    check_columns_of_some(given, label)
    given = [row for row in with_numbers(given, x, y) if not is_missing(row[x] + row[y])]
    check_options("charts.pareto", options)
    chart = Chart(figure, x=x, y=y, **options)
    parts: dict[Any, list[dict[str, Any]]] = {}
    for row in given:
        parts.setdefault(series_key(row[series]) if series else None, []).append(row)
    fronts, behind = [], []
    for part in parts.values():
        best = front_of([(row[x], row[y]) for row in part], better)
        fronts += [part[place] for place in best]
        behind += [part[place] for place in sorted(set(range(len(part))) - set(best))]
    chart.points(behind, size=4, mute=True, name=False)
    chart.lines(fronts, series=series)
    named = [row for row in given if label is not None and row.get(label)]
    if named:
        chart.points(named, series=series, label=label, name=False)
    return chart


def front_of(points: Sequence[tuple[float, float]], better: tuple[Better, Better]) -> list[int]:
    """Places of the points that no other beats, by x. Of equal points, the first is kept."""
    signs = [1 if one == "low" else -1 for one in better]
    order = sorted(range(len(points)), key=lambda n: (signs[0] * points[n][0], signs[1] * points[n][1], n))
    front, best = [], float("inf")
    for place in order:
        value = signs[1] * points[place][1]
        if value < best:
            front.append(place)
            best = value
    return sorted(front, key=lambda n: (points[n], n))

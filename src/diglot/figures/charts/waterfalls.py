"""Waterfalls of time: what a step does one after the other, and for which resource it waits."""

from collections.abc import Sequence
from typing import Any

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.arrangement import Panels, arrangement_of
from diglot.figures.charts.bar_panel import BarPanel, Item, Segment, in_order_of_roles
from diglot.figures.charts.rows import Rows, check_columns, some_rows_of, text_of, with_numbers_or_none
from diglot.figures.charts.series import ROLES, Look, looks_of, plain_look, series_key
from diglot.figures.drawing.canvas import Canvas


@checked
def waterfall(
    figure: Canvas, rows: Rows, *, y: str, x: str, series: str, total: str | None = None
) -> BarPanel:
    """Bars that each begin where the one before ended, in the order of the rows, and their sum below.

    `series` is a column of roles (`cmp`, `mem`, `net`, `idle`, or `compute`, `memory`, `network`), of chips
    or of other values. `total` names the sum; without it, there is no such row.
    """
    given = some_rows_of(rows)
    check_columns(given, y, x, series)
    given = with_numbers_or_none(given, x)
    words = figure.words.with_categories(given, y, series)
    looks: dict[Any, Look] = looks_of([row[series] for row in given], words, series, filled=True)
    if all(look.token in ROLES for look in looks.values()):
        looks = dict(sorted(looks.items(), key=lambda one: ROLES.index(one[1].token)))
    items, start = [], 0.0
    for row in given:
        value = row[x]
        segment = Segment(str(row[series]), looks[series_key(row[series])], value, start)
        items.append(Item(label=text_of(row[y], words, y), segments=(segment,)))
        start += value or 0.0
    if total:
        items.append(Item(label=total, segments=_sums(given, (x, series), looks, total)))
    panel = BarPanel(figure, items, x=x, stacked=True, legend=tuple(looks.values()))
    arrangement_of(figure).add(Panels([panel]))
    return panel


def _sums(
    rows: Sequence[dict[str, Any]], names: tuple[str, str], looks: dict[Any, Look], total: str
) -> tuple[Segment, ...]:
    """The sum of each series, as parts of one bar; where some are below zero, the sum of all."""
    x, series = names
    sums = {key: sum(row[x] or 0.0 for row in rows if series_key(row[series]) == key) for key in looks}
    if min(sums.values()) < 0:
        return (Segment(total, plain_look("seq6", total), sum(sums.values())),)
    return in_order_of_roles([Segment(str(key), looks[key], value) for key, value in sums.items()])

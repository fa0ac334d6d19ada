"""Charts of level bars, from rows of data."""

from collections.abc import Mapping, Sequence
from typing import Any

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.arrangement import Panels, arrangement_of
from diglot.figures.charts.bar_panel import BarPanel, Item, Segment, in_order_of_roles
from diglot.figures.charts.rows import (
    Rows,
    check_columns,
    check_columns_of_some,
    some_rows_of,
    text_of,
    with_numbers_or_none,
)
from diglot.figures.charts.series import ROLES, Look, look_of, looks_of, plain_look, series_key
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.palette import color as checked_colour
from diglot.figures.scripts.misuse import Misuse
from diglot.figures.scripts.words import Words


@checked
def bars(
    figure: Canvas,
    rows: Rows,
    *,
    y: str,
    x: str | Sequence[str],
    series: str | None = None,
    grouped: bool = False,
    color: str | None = None,
    note: str | None = None,
    detail: str | Mapping[str, str] | None = None,
    group: str | None = None,
    dots: Sequence[str] = (),
    missing: str = "–",
    columns: int | None = None,
    x_domain: Mapping[str, tuple[float, float]] | None = None,
    interval: tuple[str, str] | None = None,
) -> list[BarPanel]:
    """Level bars: a row for each value of `y`, as long as `x` says, with the number at its end.

    Several columns `x` are panels that share their rows: side by side, on a phone below each other.
    With `series` the rows of one `y` are parts of a stacked bar, or with `grouped` bars of their own. Parts
    below zero go to the left, those above to the right, and each side has its sum at its end. Bars have
    the look of the chip in `y`, of the series, or of `color`: a column of chips or roles, or a colour of
    the palette. `note` is a column shown after the label, `detail` one below the bar (or one per `x`),
    `group` one whose values head groups of rows. Columns in `dots`, such as ratios, are marks on thin lines.
    `x_domain` gives columns the values that their axis reaches at least, such as `{"time": (0, 20)}`: the
    same in all states that readers compare. `interval` names the columns of both ends of an interval, through
    which a whisker leads: of whole bars of one column `x`.
    """
    given, measures = some_rows_of(rows), [x] if isinstance(x, str) else list(x)
    check_columns(
        given, y, series, note, group, *measures, *(dots or ()), *(x_domain or ()), *(interval or ())
    )
    if interval and (len(measures) > 1 or (series and not grouped)):
        raise Misuse("an interval is of whole bars of one column", "leave out `interval`, or stack nothing.")
    check_columns_of_some(given, *(detail.values() if isinstance(detail, Mapping) else [detail]))
    if not measures:
        raise Misuse("x names no column", "name at least one column of numbers.")
    given = with_numbers_or_none(given, *measures, *(interval or ()))
    words = figure.words.with_categories(given, y, series, group)
    looks = looks_of([row[series] for row in given], words, series, filled=True) if series else {}
    if series and not grouped and all(look.token in ROLES for look in looks.values()):
        looks = dict(sorted(looks.items(), key=lambda one: ROLES.index(one[1].token)))
    parts: dict[Any, list[dict[str, Any]]] = {}
    for row in given:
        parts.setdefault((series_key(row[group]) if group else None, series_key(row[y])), []).append(row)
    if not series and any(len(found) > 1 for found in parts.values()):
        twice = next(key for key, found in parts.items() if len(found) > 1)[1]
        raise Misuse(
            f'several rows have "{twice}" as their {y}',
            "name a `series` column that tells them apart, or leave all but one out.",
        )
    # Bars of panels that are side by side are level, so that all leave room for details.
    beside = len(measures) > 1 and columns != 1 and not figure.is_narrow
    panels: list[BarPanel] = []
    for measure in measures:
        items, heading = [], None
        for (kind, _), found in parts.items():
            head, row = found[0], found[0]
            under = detail.get(measure) if isinstance(detail, Mapping) else detail
            segments = [
                Segment(
                    str(row[series] if series else row[y]),
                    looks[series_key(row[series])] if series else _bar_look(row, y, color, words),
                    row[measure],
                    interval=_interval_in(row, interval),
                )
                for row in found
            ]
            items.append(
                Item(
                    label=text_of(head[y], words, y)
                    if (look := look_of(head[y], words, y)) is None
                    else look.name,
                    note=_text_in(head, note, words),
                    detail=_text_in(head, under, words) or ("" if detail and beside else None),
                    heading=_text_in(head, group, words) if group and kind != heading else "",
                    segments=in_order_of_roles(segments) if series and not grouped else tuple(segments),
                )
            )
            heading = kind
        panels.append(
            BarPanel(
                *(figure, items),
                x=measure,
                stacked=bool(series) and not grouped,
                dots=measure in dots,
                missing=missing,
                legend=() if panels else tuple(looks.values()),  # said once
                domain=(x_domain or {}).get(measure, (0.0, 0.0)),
            )
        )
    arrangement_of(figure).add(Panels(panels, columns, share_y=True))
    return panels


def _interval_in(row: Mapping[str, Any], columns: tuple[str, str] | None) -> tuple[float, float] | None:
    """The ends of a row's interval; None where one is not known."""
    low, high = (row[column] for column in columns) if columns else (None, None)
    return None if low is None or high is None else (low, high)


def _bar_look(row: Mapping[str, Any], y: str, color: str | None, words: Words) -> Look:
    """The look of a bar that is no part of a series."""
    if color is not None and color not in row:
        return plain_look(checked_colour(color))
    column = color or y
    return look_of(row[column], words, column) or plain_look("seq6")


def _text_in(row: Mapping[str, Any], column: str | None, words: Words) -> str:
    """A cell of an optional column as text."""
    return "" if column is None or row.get(column) is None else text_of(row[column], words, column)

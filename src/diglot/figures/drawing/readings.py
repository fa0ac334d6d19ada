"""The points of a drawing with their values in words, which a page shows for the one that a reader points at.

They travel inside the drawing, as JSON in a `<metadata>` element: a list of charts, each with the `labels` of
its columns and its `series`: `{"name": …, "token": …, "at": [[x_px, y_px, text, …], …]}`, with a text for
each column. Texts are in the language of the drawing; `token` is a colour of the palette.
"""

import json
from collections.abc import Sequence

from diglot.figures.drawing.canvas import DrawnPoint
from diglot.figures.scripts.columns import ShownUnit
from diglot.figures.scripts.words import Words

ATTRIBUTE = "data-points"
"""Marks the element that holds them."""
_NEAREST_PX = 1.0
"""Points of a series that are nearer to each other cannot be pointed at one by one."""
_NO_SPACE_BEFORE = ("%", "")


def readings_of(points: Sequence[DrawnPoint], words: Words) -> str:
    """All points of a drawing as JSON, chart by chart and series by series; empty if there are none."""
    charts = [
        _chart([point for point in points if point.chart == number], words)
        for number in sorted({point.chart for point in points})
    ]
    return json.dumps(charts, ensure_ascii=False, separators=(",", ":")) if charts else ""


def _chart(points: Sequence[DrawnPoint], words: Words) -> dict[str, object]:
    names = [name for name, _ in points[0].values]
    units = {name: _unit(name, points, words) for name in names}
    series = []
    for key in dict.fromkeys(point.series for point in points):
        own = [point for point in points if point.series == key]
        at: list[list[object]] = []
        for point in own:
            x, y = round(point.x_px, 1), round(point.y_px, 1)
            if at and own[-1] is not point and _is_near(at[-1], x, y):
                continue
            at.append([x, y, *(_text(name, value, units[name], words) for name, value in point.values)])
        series.append({"name": own[0].name, "token": own[0].token, "at": at})
    return {"labels": [_label(name, words) for name in names], "series": series}


def _is_near(last: list[object], x: float, y: float) -> bool:
    return abs(float(str(last[0])) - x) < _NEAREST_PX and abs(float(str(last[1])) - y) < _NEAREST_PX


def _unit(name: str, points: Sequence[DrawnPoint], words: Words) -> ShownUnit | None:
    """The unit in which all values of a column are shown; None for a column of texts."""
    column = words.columns.get(name)
    values = [value for point in points for column_name, value in point.values if column_name == name]
    numbers = [value for value in values if not isinstance(value, str)]
    return column.shown_unit(numbers, words.language) if column is not None and numbers else None


def _label(name: str, words: Words) -> str:
    column = words.columns.get(name)
    return column.label.of(words.language) if column is not None else ""


def _text(name: str, value: float | str, unit: ShownUnit | None, words: Words) -> str:
    column = words.columns.get(name)
    if isinstance(value, str):
        return column.names[value].of(words.language) if column and value in column.names else value
    if column is None or unit is None:
        return words.number(value)
    gap = "" if unit.text in _NO_SPACE_BEFORE else "\N{NO-BREAK SPACE}"
    return column.number(value, unit) + gap + unit.text

"""The points of a drawing with their values in words, which a page shows for the one that a reader points at.

They travel inside the drawing, as JSON in a `<metadata>` element: a list of charts, each with the `labels` of
its columns and its `series`: `{"name": …, "token": …, "x": […], "y": […], "texts": [[…], …]}`. `x` and `y`
are in tenths of a pixel, each less the one before; `texts` has a list for each column, or the one text that a
column has everywhere: compressed, this takes a third of what it would take point by point. Texts are in the
language of the drawing; `token` is a colour of the palette.
"""

import json
from collections.abc import Sequence
from itertools import pairwise

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
    for key in dict.fromkeys((point.series, point.run) for point in points):
        own = _apart([point for point in points if (point.series, point.run) == key])
        texts = [[_text(name, value, units[name], words) for name, value in point.values] for point in own]
        series.append(
            {
                "name": own[0].name,
                "token": own[0].token,
                "x": _steps([point.x_px for point in own]),
                "y": _steps([point.y_px for point in own]),
                "texts": [
                    column[0] if len(set(column)) == 1 else column for column in zip(*texts, strict=True)
                ],
            }
        )
    return {"labels": [_label(name, words) for name in names], "series": series}


def _apart(points: Sequence[DrawnPoint]) -> list[DrawnPoint]:
    """The points that can be pointed at one by one, and the last."""
    kept: list[DrawnPoint] = []
    for point in points:
        if not kept or point is points[-1] or not _is_near(kept[-1], point):
            kept.append(point)
    return kept


def _is_near(one: DrawnPoint, other: DrawnPoint) -> bool:
    return abs(one.x_px - other.x_px) < _NEAREST_PX and abs(one.y_px - other.y_px) < _NEAREST_PX


def _steps(places_px: Sequence[float]) -> list[int]:
    tenths = [round(10 * place) for place in places_px]
    return [place - before for before, place in pairwise([0, *tenths])]


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

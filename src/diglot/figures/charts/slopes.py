"""Slope charts: how values change from one state to another, with names and numbers at both ends."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from matplotlib.axes import Axes

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.arrangement import Margins, Panels, arrangement_of, face_of
from diglot.figures.charts.furniture import paint_texts, without_ticks
from diglot.figures.charts.placing import Box, spread
from diglot.figures.charts.plots import Text
from diglot.figures.charts.rows import (
    Rows,
    check_columns,
    declared,
    some_rows_of,
    text_of,
    with_numbers_or_none,
)
from diglot.figures.charts.scales import check_scale
from diglot.figures.charts.series import Look, looks_of, series_key
from diglot.figures.drawing.canvas import Canvas, DrawnPoint
from diglot.figures.drawing.text_sizes import width_of, wrapped
from diglot.figures.scripts.misuse import Misuse

_BODY_PX = {"narrow": 240.0, "column": 260.0, "wide": 280.0, "slide": 190.0}


class SlopePanel:
    """Lines between two columns of marks."""

    first = last = opens = True

    def __init__(
        self,
        figure: Canvas,
        lines: Sequence[tuple[Look, str, tuple[float | None, float | None]]],
        states: tuple[str, str],
        *,
        y: str,
        logarithmic: bool,
    ) -> None:
        self.canvas, self.words, self.face = figure, figure.words, face_of(figure)
        self._lines, self._states, self._y, self._logarithmic = lines, states, y, logarithmic
        column = declared(self.words, y)
        shown = column.shown_unit(self._values(), self.words.language)
        comma = "，" if self.words.language == "zh" else ", "
        self._title = column.label.of(self.words.language) + (f"{comma}{shown.text}" if shown.text else "")
        self._numbers = [
            tuple("" if value is None else column.number(value, shown) for value in ends)
            for *_, ends in lines
        ]
        self._frame: Box | None = None
        self._texts: list[Text] = []

    def _values(self) -> list[float]:
        return [value for *_, ends in self._lines for value in ends if value is not None]

    @cached_property
    def axes(self) -> Axes:
        """matplotlib's axes."""
        return self.canvas.axes_px(0, 0, 10, 10)

    def _side_px(self, side: int) -> float:
        """Width of the names and numbers at one side."""
        face = self.face
        return max(width_of(self._said(n, side), face.text, face.language) for n in range(len(self._lines)))

    def _said(self, line: int, side: int) -> str:
        name, number = self._lines[line][0].name, self._numbers[line][side]
        if not number:  # a value that is missing has no mark, and nothing to name
            return ""
        return f"{name} {number}" if side == 0 else f"{number} {name}"

    def _head(self, width: float) -> list[str]:
        return wrapped(self._title, self.face.text, self.face.language, width).split("\n")

    def margins(self, width: float, *, legend: bool, inner: float | None = None) -> Margins:
        """Room for names and numbers at both sides, title and states above."""
        top = 1.25 * self.face.text * (len(self._head(width)) + 1) + 1.2 * self.face.text
        left, right = (math.ceil(self._side_px(side) + 12) for side in (0, 1))
        return Margins(left, math.ceil(top), right, 8)

    def body_px(self, width: float) -> tuple[float, float, float]:
        """Height of the frame: at least all names, one below the other."""
        least = 1.25 * self.face.text * len(self._lines)
        return max(least, 100.0), max(least, _BODY_PX[self.canvas.size]), math.inf

    def _share(self, value: float | None) -> float:
        if value is None:
            return math.nan
        values = self._values()
        low, high = min(values), max(values)
        if self._logarithmic:
            low, high, value = math.log(low), math.log(high), math.log(value)
        elif low > 0:
            low = 0.0
        return (value - low) / (high - low) if high > low else 0.5

    def plan(self, frame: Box, area: Box, *, legend: bool) -> bool:
        """Find the places of all names."""
        self._frame, face = frame, self.face
        self._texts = [
            Text(area.left, round(area.top + face.text * (1 + 1.25 * n), 2), line, "ink", False, "left")
            for n, line in enumerate(self._head(area.right - area.left))
        ]
        for side, (x, align) in enumerate(((frame.left, "right"), (frame.right, "left"))):
            at = round(frame.top - 0.9 * face.text, 2)
            self._texts.append(Text(x, at, self._states[side], "mute", True, align))
            known = [n for n, (*_, ends) in enumerate(self._lines) if ends[side] is not None]
            level = [self._y_px(frame, self._lines[n][2][side]) for n in known]
            moved = spread(level, [1.25 * face.text] * len(level), frame.top, frame.bottom)
            for line, y in zip(known, moved, strict=True):
                token = self._lines[line][0].text_token
                away = -10 if side == 0 else 10
                baseline = round(y + 0.35 * face.text, 2)
                self._texts.append(Text(x + away, baseline, self._said(line, side), token, False, align))
        return True

    def _y_px(self, frame: Box, value: float | None) -> float:
        return frame.bottom - self._share(value) * (frame.bottom - frame.top)

    def paint(self, number: int) -> None:
        """Draw the lines and the names."""
        frame, axes = self._frame, self.axes
        if frame is None:
            return
        self.canvas.place_axes(axes, frame.left, frame.top, frame.right, frame.bottom)
        without_ticks(axes, (0, 1), (0, 1))
        for look, key, ends in self._lines:
            style: dict[str, Any] = {"color": look.token, "marker": look.marker, "mfc": "paper"}
            shares = [self._share(value) for value in ends]
            axes.plot([0, 1], shares, lw=2, ms=8, mew=2, clip_on=False, zorder=3, **style)
            for x, value in zip((frame.left, frame.right), ends, strict=True):
                if value is None:
                    continue
                at = x, self._y_px(frame, value)
                said = ((self._y, value),)
                self.canvas.points.append(DrawnPoint(number, key, said, *at, look.name, look.token))
        paint_texts(self.canvas, self._texts, self.face)


@checked
def slope(figure: Canvas, rows: Rows, *, x: str, y: str, series: str, y_scale: str = "linear") -> SlopePanel:
    """A line for each series from the first to the second value of the column x.

    Raises ValueError unless x has exactly two values and each series a row for both.
    """
    given = some_rows_of(rows)
    check_columns(given, x, y, series)
    given = with_numbers_or_none(given, y)
    check_scale(y_scale, values := [row[y] for row in given if row[y] is not None])
    if not values:
        raise Misuse("the chart has no values: all are missing", "give it a number, or leave it out.")
    states = list({series_key(row[x]): row[x] for row in given}.values())
    if len(states) != 2:
        raise Misuse(
            f"a slope chart goes from one {x} to another, and the rows have {len(states)} of them",
            "leave all but two out, or draw lines.",
        )
    keys = [series_key(state) for state in states]
    words = figure.words.with_categories(given, x, series)
    looks = looks_of([row[series] for row in given], words, series)
    lines = []
    for key, look in looks.items():
        ends = {series_key(row[x]): row[y] for row in given if series_key(row[series]) == key}
        if set(ends) != set(keys):
            raise Misuse(
                f'"{look.name}" has no row for both values of {x}, which a slope needs',
                f"add the row, with None as {y} if the value is missing.",
            )
        lines.append((look, str(key), (ends[keys[0]], ends[keys[1]])))
    names = (text_of(states[0], words, x), text_of(states[1], words, x))
    panel = SlopePanel(figure, lines, names, y=y, logarithmic=y_scale != "linear")
    arrangement_of(figure).add(Panels([panel]))
    return panel

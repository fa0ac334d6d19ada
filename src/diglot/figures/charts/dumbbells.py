"""Dumb-bells: two or more values of each row on one line, such as ideal and measured."""

import math
from collections.abc import Sequence
from typing import Any

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.arrangement import Panels, arrangement_of
from diglot.figures.charts.bar_panel import Bar, BarPanel, Item, Segment
from diglot.figures.charts.furniture import number_width
from diglot.figures.charts.placing import Box
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
from diglot.figures.charts.series import look_of, plain_look
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.scripts.misuse import Misuse


class DumbbellPanel(BarPanel):
    """A thin line for each row, with a mark and a number at either end."""

    logarithmic = False
    filled: frozenset[str] = frozenset()
    reference: float | None = None

    def _place(self, value: float) -> float:
        return math.log(value) if self.logarithmic else value

    def limits(self, wide: float) -> tuple[float, float]:
        """Ends of the axis, with room for the numbers outside the outermost marks."""
        rows = [[part.value for part in item.segments if part.value is not None] for item in self.items]
        ends = [
            (self._place(value), number_width(self.value(value), self.face) + 14, sign)
            for row in rows
            if row
            for value, sign in ((min(row), -1), (max(row), 1))
        ]
        if self.reference is not None:
            ends.append((self._place(self.reference), 0.0, 1))
        low, high = min(at for at, *_ in ends), max(at for at, *_ in ends)
        if not self.logarithmic and low > 0:
            low = 0.0
        high = high if high > low else low + 1
        for _ in range(40):  # each round moves the ends by what still sticks out
            px = (high - low) / wide
            left = max((low - (at - room * px) for at, room, sign in ends if sign < 0), default=0.0)
            right = max((at + room * px - high for at, room, sign in ends if sign > 0), default=0.0)
            if left <= 0.001 * px and right <= 0.001 * px:
                break
            low, high = low - max(left, 0), high + max(right, 0)
        return low, high

    def foot_px(self) -> float:
        """Room below the rows, for the number at the reference."""
        return 6.0 if self.reference is None else 1.6 * self.face.small

    def plan(self, frame: Box, area: Box, *, legend: bool) -> bool:
        """Find the places of all marks and texts."""
        super().plan(frame, area, legend=legend)
        if self.reference is not None:
            low, high = self.limits(frame.right - frame.left)
            at = frame.left + (self._place(self.reference) - low) / (high - low) * (frame.right - frame.left)
            baseline = round(frame.bottom + 1.2 * self.face.small, 2)
            ends = (at, frame.top), (at, frame.bottom)
            text = self.value(self.reference)
            self.texts.append(Text(at, baseline, text, "mute", True, "center", False, ends, True))
        return True

    def plan_bar(self, row: str, parts: Sequence[Segment], top: float, thick: float, frame: Box) -> None:
        """Find the marks of a row, and the places of its lowest and highest number."""
        low, high = self.limits(frame.right - frame.left)
        scale = (frame.right - frame.left) / (high - low)
        known = sorted(
            ((part.value, part) for part in parts if part.value is not None), key=lambda one: one[0]
        )
        baseline = round(frame.top + top + thick / 2 + 0.35 * self.face.small, 2)
        if not known:
            self.texts.append(Text(frame.left + 6, baseline, self.missing, "mute", True, "left"))
            return
        first = self._place(known[0][0])
        for value, part in known:
            self.bars.append(Bar(row, part, first, self._place(value), top, thick))
        for (value, _), sign in ((known[0], -1), (known[-1], 1)):
            if sign > 0 and len(known) == 1:
                continue
            at = frame.left + (self._place(value) - low) * scale + sign * 9
            align = "left" if sign > 0 else "right"
            self.texts.append(Text(at, baseline, self.value(value), "ink", True, align))

    def name_of(self, part: Segment) -> str:
        """The column that a mark shows."""
        return declared(self.words, part.key).label.of(self.words.language)

    def paint_bar(self, bar: Bar, px: float) -> None:
        """Draw a mark, and the line from the lowest to it."""
        look, y = bar.part.look, bar.top + bar.thick / 2
        self.axes.plot([bar.start, bar.end], [y, y], color="rule", lw=1, zorder=1)
        face = look.token if bar.part.key in self.filled else "paper"
        style: dict[str, Any] = {"ms": 8, "mew": 2, "mec": look.token, "mfc": face, "zorder": 4}
        self.axes.plot([bar.end], [y], ls="none", marker=look.marker, clip_on=False, **style)


@checked
def dumbbell(
    figure: Canvas,
    rows: Rows,
    *,
    y: str,
    x: Sequence[str],
    measured: Sequence[str] = (),
    color: str | None = None,
    note: str | None = None,
    x_scale: str = "linear",
    reference: float | None = None,
    title: str = "",
) -> DumbbellPanel:
    """Marks for several columns `x` on one line in each row of `y`, with the numbers at both ends.

    Columns in `measured` have filled marks, others hollow ones. Rows have the look of the chip in `y` or in
    the column `color`. All columns have the unit of the first. Without a `title`, they are named above. A
    dotted guide shows the value `reference`, in the same unit.
    """
    given = some_rows_of(rows)
    check_columns(given, y, color, note, *x)
    given = with_numbers_or_none(given, *x)
    words = figure.words.with_categories(given, y)
    for column in x:
        check_scale(x_scale, [row[column] for row in given if row[column] is not None])
    if not any(row[column] is not None for row in given for column in x):
        raise Misuse("the chart has no values: all are missing", "give it a number, or leave it out.")
    items = []
    for row in given:
        look = look_of(row[color or y], words, color or y) or plain_look("ink")
        values = [row[column] for column in x]
        parts = tuple(Segment(column, look, value) for column, value in zip(x, values, strict=True))
        own = look_of(row[y], words, y)
        label = own.name if own is not None else text_of(row[y], words, y)
        items.append(Item(label=label, note=text_of(row[note], words, note) if note else "", segments=parts))
    signs = [("●" if column in measured else "○") for column in x]
    names = [declared(words, column).label.of(words.language) for column in x]
    said = "  ".join(f"{sign}\N{NO-BREAK SPACE}{name}" for sign, name in zip(signs, names, strict=True))
    if len(x) == 2 and signs[0] == signs[1] and _is_ordered(given, x):
        # The same mark twice would tell nobody which is which: their order does.
        said = f"{names[0]} {signs[0]}–{signs[1]} {names[1]}"
    panel = DumbbellPanel(figure, items, x=x[0], title=title or said, stacked=True, dots=True)
    panel.logarithmic = x_scale != "linear"
    panel.filled = frozenset(measured)
    panel.reference = reference
    arrangement_of(figure).add(Panels([panel]))
    return panel


def _is_ordered(rows: Sequence[dict[str, Any]], x: Sequence[str]) -> bool:
    """Whether the first column is nowhere right of the second."""
    pairs = ((row[x[0]], row[x[1]]) for row in rows)
    return all(low <= high for low, high in pairs if low is not None and high is not None)

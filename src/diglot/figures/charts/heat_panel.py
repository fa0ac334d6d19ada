"""A grid of coloured cells, with numbers in the rows where they say something."""

import math
from collections.abc import Callable, Sequence
from functools import cached_property

import msgspec
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from diglot.figures.charts.arrangement import Margins, face_of
from diglot.figures.charts.furniture import number_width, paint_texts, without_ticks
from diglot.figures.charts.placing import Box
from diglot.figures.charts.plots import Text
from diglot.figures.drawing.canvas import Canvas, DrawnPoint
from diglot.figures.drawing.text_sizes import width_of, wrapped
from diglot.figures.palette import text_token_on

ROW_EM = 1.6
"""Height of a row that has numbers, in text."""
_LEAST_ROW_PX = 6.0
_SWATCH_PX = 20.0
_KEY_EM = 3.1


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """What the colours mean: the name of the values, the steps, and the texts below the strip."""

    title: str
    tokens: tuple[str, ...]
    ends: tuple[str, str, str]


class Grid(msgspec.Struct, frozen=True, kw_only=True):
    """The cells: values by row and column, row 0 at the bottom."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    """What is written into the cells; empty for nothing."""
    marked: frozenset[int]
    """Rows whose labels are shown even if there is no room for all."""
    names: tuple[str, str, str]
    """The columns of the data: x, y, value."""


class HeatPanel:
    """One heat map."""

    first = last = opens = names_x = names_y = True

    def __init__(
        self,
        figure: Canvas,
        grid: Grid,
        *,
        title: str,
        x_title: str,
        y_title: str,
        key: Key,
        token_of: Callable[[float], str],
    ) -> None:
        self.canvas, self.words, self.face, self.grid = figure, figure.words, face_of(figure), grid
        self.title, self.x_title, self.y_title, self.token_of = title, x_title, y_title, token_of
        self._any_key = key
        self._frame: Box | None = None
        self._texts: list[Text] = []
        self._width = figure.width_px

    @cached_property
    def axes(self) -> Axes:
        """matplotlib's axes."""
        return self.canvas.axes_px(0, 0, 10, 10)

    @property
    def key(self) -> Key | None:
        """The key, which appears once, above the right end of the first line of panels."""
        return self._any_key if self.opens and self.last else None

    def _left_px(self) -> float:
        return max(width_of(text, self.face.small, self.face.language) for text in self.grid.rows)

    def margins(self, width: float, *, legend: bool, inner: float | None = None) -> Margins:
        """Room for the titles and the key above, labels at the left and below."""
        self._width = width
        face = self.face
        left = self._left_px() + 12 if self.first else 2.0
        head = 1.25 * face.text * len(self._head(width)) + (1.25 * face.text if self.title else 0.0)
        if self.key is not None and not self._key_in_row(self.key):
            head += 0.0 if self._key_beside(width) else _KEY_EM * face.text
            head = max(head, (_KEY_EM + (1.25 if self.title else 0.0)) * face.text)
        foot = 6 + face.small + (1.6 * face.text + 8 if self.names_x else 0.35 * face.text)
        columns = self.grid.columns
        cell = (inner or width - left) / len(columns)
        right = max(1.0, number_width(columns[-1], face) / 2 - cell / 2)  # half of the last label
        return Margins(math.ceil(left), math.ceil(head + 0.5 * face.text), right, math.ceil(foot))

    def _head(self, width: float) -> list[str]:
        if not self.names_y:
            return []
        if not self.first:
            return [""]
        wide = width - (self._key_px() + 20 if self._key_beside(width) else 0)
        return wrapped(self.y_title, self.face.text, self.face.language, wide).split("\n")

    def _key_px(self) -> float:
        if self.key is None:
            return 0.0
        if self._key_in_row(self.key):
            return self._row_px(self.key)
        title = width_of(self.key.title, self.face.text, self.face.language)
        ends = sum(number_width(text, self.face) for text in self.key.ends) + 30
        return max(len(self.key.tokens) * _SWATCH_PX, title, ends)

    def _key_in_row(self, key: Key) -> bool:
        """Whether the key is a line next to the title of the y axis: on slides, where rows are scarce."""
        title = width_of(self.y_title, self.face.text, self.face.language) + 20
        return self.canvas.size == "slide" and title + self._row_px(key) <= self.canvas.width_px

    def _row_px(self, key: Key) -> float:
        """Width of a key in one line: its title, and the strip between its ends."""
        ends = number_width(key.ends[0], self.face) + number_width(key.ends[2], self.face)
        title = width_of(key.title, self.face.text, self.face.language)
        return title + 12 + ends + 12 + len(key.tokens) * _SWATCH_PX

    def _key_beside(self, width: float) -> bool:
        """Whether the key is right of the title of the y axis, not below it."""
        if self.key is None:
            return True
        title = width_of(self.y_title, self.face.text, self.face.language) + 20
        # The last of several panels may hold it above the others, where there is nothing else.
        return title + self._key_px() <= (width if self.first else self.canvas.width_px)

    def body_px(self, width: float) -> tuple[float, float, float]:
        """Height of all rows: rows with numbers need the height of a text."""
        rows = len(self.grid.rows)
        written = any(text for row in self.grid.texts for text in row)
        least = rows * (1.2 * self.face.small if written else _LEAST_ROW_PX)
        natural = rows * (ROW_EM * self.face.text if rows <= 24 or written else 12.0)
        return least, natural, 2.0 * natural

    def plan(self, frame: Box, area: Box, *, legend: bool) -> bool:
        """Find the place of every text."""
        self._frame, self._texts = frame, []
        face = self.face
        baseline = area.top + face.text
        for line in self._head(area.right - area.left):
            if line:
                self._texts.append(Text(area.left, round(baseline, 2), line, "ink", False, "left"))
            baseline += 1.25 * face.text
        if self.title:
            at = round(frame.top - 0.5 * face.text, 2)
            self._texts.append(Text(frame.left, at, self.title, "ink", False, "left"))
        if self.key is not None:
            top = area.top if self._key_beside(area.right - area.left) else baseline - face.text
            self._plan_key(self.key, self._key_left(frame, area), top)
        self._plan_labels(frame)
        if self.last and self.names_x:
            at = round(area.bottom - 8, 2)
            self._texts.append(Text(frame.right, at, self.x_title, "ink", False, "right"))
        self._plan_numbers(frame)
        return True

    def _key_left(self, frame: Box, area: Box) -> float:
        if self._key_beside(area.right - area.left):
            return frame.right - self._key_px()
        return max(0.0, min(frame.left, frame.right - self._key_px()))

    def _plan_key(self, key: Key, left: float, top: float) -> None:
        face = self.face
        length = len(key.tokens) * _SWATCH_PX
        if self._key_in_row(key):
            at, right = round(top + face.text, 2), left + self._row_px(key)
            strip = right - number_width(key.ends[2], face) - 6 - length
            self._key_at = (strip, top + face.text - 10)
            self._texts.append(Text(left, at, key.title, "ink", False, "left"))
            self._texts.append(Text(strip - 6, at, key.ends[0], "mute", True, "right"))
            self._texts.append(Text(right, at, key.ends[2], "mute", True, "right"))
            return
        self._key_at = (left, top + 1.35 * face.text)
        self._texts.append(Text(left, round(top + face.text, 2), key.title, "ink", False, "left"))
        at = round(top + 1.35 * face.text + 12 + face.small, 2)
        for x, align, text in zip(
            (0, length / 2, length), ("left", "center", "right"), key.ends, strict=True
        ):
            self._texts.append(Text(left + x, at, text, "mute", True, align))

    def _plan_labels(self, frame: Box) -> None:
        face, grid = self.face, self.grid
        wide, high = (
            (frame.right - frame.left) / len(grid.columns),
            (frame.bottom - frame.top) / len(grid.rows),
        )
        widest = max(number_width(text, face) for text in grid.columns)
        # Numbers can be read between others that are shown; a category that is left out is lost.
        numeric = all(text.replace(",", "").isdecimal() for text in grid.columns)
        stride = max(1, math.ceil((widest + (8 if numeric else 2)) / wide))
        for number, text in enumerate(grid.columns):
            if number % stride == (len(grid.columns) - 1) % stride:
                at = frame.left + (number + 0.5) * wide
                self._texts.append(
                    Text(at, round(frame.bottom + 6 + 0.8 * face.small, 2), text, "mute", True, "center")
                )
        if not self.first:
            return
        stride = max(1, math.ceil(1.15 * face.small / high))
        shown: list[float] = []
        order = sorted(range(len(grid.rows)), key=lambda n: (n not in grid.marked, n))
        for number in order:
            middle = frame.bottom - (number + 0.5) * high
            free = all(abs(middle - other) >= 1.15 * face.small for other in shown)
            if free and (number in grid.marked or (not grid.marked and number % stride == 0)):
                shown.append(middle)
                at = round(middle + 0.36 * face.small, 2)
                self._texts.append(Text(frame.left - 8, at, grid.rows[number], "mute", True, "right"))

    def _plan_numbers(self, frame: Box) -> None:
        face, grid = self.face, self.grid
        wide, high = (
            (frame.right - frame.left) / len(grid.columns),
            (frame.bottom - frame.top) / len(grid.rows),
        )
        widest = max((number_width(text, face) for row in grid.texts for text in row), default=0.0)
        if widest + 2 > wide:  # numbers that do not fit would cover each other; the table has them
            return
        for row, texts in enumerate(grid.texts):
            for column, text in enumerate(texts):
                value = grid.values[row][column]
                if text and value is not None:
                    x, y = frame.left + (column + 0.5) * wide, frame.bottom - (row + 0.5) * high
                    token = text_token_on(self.token_of(value))
                    self._texts.append(
                        Text(round(x, 2), round(y + 0.36 * face.small, 2), text, token, True, "center")
                    )

    def paint(self, number: int) -> None:
        """Draw the cells, one shape for each colour, then the key and the texts."""
        frame, grid, axes = self._frame, self.grid, self.axes
        if frame is None:
            return
        self.canvas.place_axes(axes, frame.left, frame.top, frame.right, frame.bottom)
        without_ticks(axes, (0, len(grid.columns)), (0, len(grid.rows)))
        cells: dict[str, list[tuple[float, float]]] = {}
        wide, high = (
            (frame.right - frame.left) / len(grid.columns),
            (frame.bottom - frame.top) / len(grid.rows),
        )
        for row, values in enumerate(grid.values):
            for column, value in enumerate(values):
                if value is None:
                    continue
                cells.setdefault(self.token_of(value), []).append((column, row))
                at = frame.left + (column + 0.5) * wide, frame.bottom - (row + 0.5) * high
                x, y, z = grid.names
                said = ((x, grid.columns[column]), (y, grid.rows[row]), (z, value))
                self.canvas.points.append(DrawnPoint(number, "", said, *at))
        for token, corners in sorted(cells.items()):
            axes.add_patch(PathPatch(_squares(corners), fc=token, ec="paper", lw=1 if high > 8 else 0.5))
        if self.key is not None:
            left, top = self._key_at
            for place, token in enumerate(self.key.tokens):
                self.canvas.rectangle_px(
                    left + place * _SWATCH_PX, top, _SWATCH_PX - 1, 10, fc=token, ec="none"
                )
        paint_texts(self.canvas, self._texts, self.face)


def _squares(corners: Sequence[tuple[float, float]]) -> Path:
    """One path for all cells of a colour, so that a page has a few shapes instead of hundreds."""
    square = ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))
    vertices = [(x + dx, y + dy) for x, y in corners for dx, dy in square]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(corners)
    return Path(vertices, codes)

"""Grids of cells, one for each moment: what every element of an array, or stage of a pipeline, does."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.arrangement import Margins, Panels, arrangement_of, face_of
from diglot.figures.charts.furniture import number_width, paint_texts, without_ticks
from diglot.figures.charts.placing import Box
from diglot.figures.charts.plots import Text
from diglot.figures.charts.rows import Rows, check_columns, some_rows_of, text_of, whole_number_of
from diglot.figures.charts.series import Look, looks_of, plain_look, series_key
from diglot.figures.drawing.canvas import Canvas, DrawnPoint
from diglot.figures.drawing.text_sizes import width_of
from diglot.figures.palette import color as checked_colour
from diglot.figures.palette import text_token_on
from diglot.figures.scripts.misuse import Misuse, quoted

_CELL_PX, _LEAST_CELL_PX = 24.0, 13.0
_WORDS_GAP_EM = 1.3
"""Behind the name of a state."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One cell."""

    x: int
    y: int
    state: str
    look: Look
    text: str


class CellsPanel:
    """The cells of one moment; y runs down."""

    first = last = opens = True

    def __init__(
        self,
        figure: Canvas,
        cells: Sequence[Cell],
        *,
        title: str,
        note: str,
        ends: tuple[int, int, int, int],
        names: tuple[Mapping[int, str], Mapping[int, str]],
        legend: Sequence[Look],
        alone: bool,
    ) -> None:
        self.canvas, self.words, self.face = figure, figure.words, face_of(figure)
        self._cells, self._title, self._note, self._legend = cells, title, note, legend
        self._left, self._top, self._right, self._bottom = ends
        """The least and the greatest x and y of all panels."""
        self._most_px = 1.4 * _CELL_PX if alone else _CELL_PX
        self._columns, self._rows = names
        self._frame: Box | None = None
        self._texts: list[Text] = []
        self._swatches: list[tuple[float, float, Look]] = []

    @cached_property
    def axes(self) -> Axes:
        """matplotlib's axes."""
        return self.canvas.axes_px(0, 0, 10, 10)

    def _labels_px(self) -> float:
        face = self.face
        return max((width_of(text, face.small, face.language) for text in self._rows.values()), default=0.0)

    def _explained(self) -> Sequence[Look]:
        """The states whose names are above the first panel."""
        return self._legend if self.opens and self.first else ()

    def margins(self, width: float, *, legend: bool, inner: float | None = None) -> Margins:
        """Room for the title, the words of the states, and labels of rows and columns."""
        face = self.face
        rows = bool(self._title) + bool(self._explained()) - self._is_one_row(width)
        head = face.text * 1.25 * rows
        left = self._labels_px() + 8 if self._rows else 0.0
        foot = 1.3 * face.small + 4 if self._columns else 4.0
        return Margins(math.ceil(left), math.ceil(head + 0.5 * face.text), 0.0, math.ceil(foot))

    def _is_one_row(self, width: float) -> bool:
        """Whether the names of the states are behind the title: on slides, where rows are scarce."""
        if self.canvas.size != "slide" or not self._title or not self._explained():
            return False
        face = self.face
        title = width_of(self._title, face.text, face.language)
        note = 12 + width_of(self._note, face.small, face.language)
        return title + note + sum(map(self._name_px, self._explained())) <= width

    def _name_px(self, look: Look) -> float:
        """Width of the name of a state, with its swatch and the gap behind it."""
        face = self.face
        return face.text + 5 + width_of(look.name, face.small, face.language) + _WORDS_GAP_EM * face.text

    def _side_px(self, width: float) -> float:
        side = width / (self._right - self._left + 1)
        return max(min(side, self._most_px), _LEAST_CELL_PX)

    def body_px(self, width: float) -> tuple[float, float, float]:
        """Square cells, or lower ones on a slide that has no room for them."""
        rows = self._bottom - self._top + 1
        natural = rows * self._side_px(width)
        return min(natural, rows * 1.12 * self.face.small), natural, natural

    def plan(self, frame: Box, area: Box, *, legend: bool) -> bool:
        """Find the places of all texts."""
        face = self.face
        self._texts = []
        high = (frame.bottom - frame.top) / (self._bottom - self._top + 1)
        side = self._side_px(frame.right - frame.left)
        right = frame.left + side * (self._right - self._left + 1)
        self._frame = frame = Box(frame.left, frame.top, right, frame.bottom)
        self._plan_words(frame, area)
        if self._title:
            at = round(frame.top - 0.7 * face.text, 2)
            self._texts.append(Text(frame.left, at, self._title, "ink", False, "left"))
            title = width_of(self._title, face.text, face.language)
            note = width_of(self._note, face.small, face.language)
            if self._note and title + note + 12 <= max(frame.right, area.right) - frame.left:
                right = frame.left + title + note + 12
                if not self._is_one_row(area.right - area.left):
                    right = max(right, frame.right)
                self._texts.append(Text(right, at, self._note, "mute", True, "right"))
        for cell in self._cells:
            if cell.text:
                x, y = (
                    frame.left + (cell.x - self._left + 0.5) * side,
                    frame.top + (cell.y - self._top + 0.5) * high,
                )
                at = round(y + 0.36 * face.small, 2)
                token = "mute" if cell.look.token == "paper" else text_token_on(cell.look.token)
                self._texts.append(Text(round(x, 2), at, cell.text, token, True, "center"))
        for row, text in self._rows.items():
            y = frame.top + (row - self._top + 0.5) * high
            self._texts.append(
                Text(frame.left - 8, round(y + 0.36 * face.small, 2), text, "mute", True, "right")
            )
        widest = max((number_width(text, face) for text in self._columns.values()), default=1.0)
        stride = max(1, math.ceil((widest + 6) / side))
        for number, (column, text) in enumerate(self._columns.items()):
            if number % stride == 0:
                x, y = frame.left + (column - self._left + 0.5) * side, frame.bottom + 4 + 0.85 * face.small
                self._texts.append(Text(round(x, 2), round(y, 2), text, "mute", True, "center"))
        return True

    def _middle(self, cell: Cell, frame: Box) -> tuple[float, float]:
        across = (cell.x - self._left + 0.5) / (self._right - self._left + 1)
        down = (cell.y - self._top + 0.5) / (self._bottom - self._top + 1)
        return frame.left + across * (frame.right - frame.left), frame.top + down * (frame.bottom - frame.top)

    def _plan_words(self, frame: Box, area: Box) -> None:
        """The names of the states, each behind a cell in its colour."""
        face, left, baseline = self.face, area.left, area.top + self.face.text
        if self._is_one_row(area.right - area.left):
            left = area.right - sum(map(self._name_px, self._explained()))
            baseline = frame.top - 0.7 * face.text
        self._swatches = []
        for look in self._explained():
            self._swatches.append((left, baseline - 0.75 * face.text, look))
            at = round(baseline, 2)
            self._texts.append(Text(left + face.text + 5, at, look.name, "mute", True, "left"))
            left += self._name_px(look)

    def paint(self, number: int) -> None:
        """Draw the cells."""
        frame, axes = self._frame, self.axes
        if frame is None:
            return
        self.canvas.place_axes(axes, frame.left, frame.top, frame.right, frame.bottom)
        without_ticks(axes, (self._left, self._right + 1), (self._bottom + 1, self._top))
        gap = 0.6 * (self._right - self._left + 1) / (frame.right - frame.left)
        tall = 0.6 * (self._bottom - self._top + 1) / (frame.bottom - frame.top)
        for cell in self._cells:
            corner, sides = (cell.x + gap, cell.y + tall), (1 - 2 * gap, 1 - 2 * tall)
            # The limits are known: `add_patch` would find them anew for every cell, which takes longer than
            # to draw it.
            patch = Rectangle(corner, *sides, clip_on=False, **_style(cell.look))
            axes.add_artist(self.canvas.origins.note(patch))
            x, y = self._middle(cell, frame)
            said, look = (("", self._title), ("", cell.text)), cell.look
            self.canvas.points.append(DrawnPoint(number, cell.state, said, x, y, look.name, look.token))
        for left, top, look in self._swatches:
            side = 0.85 * self.face.text
            self.canvas.rectangle_px(left, top, side, side, **_style(look))
        paint_texts(self.canvas, self._texts, self.face)


def _style(look: Look) -> dict[str, Any]:
    """How a cell is filled: idle ones are hatched, those of the page's colour have an outline."""
    if look.token == "idle":
        return {"fc": "paper", "ec": "idle", "lw": 1, "hatch": "////"}
    return (
        {"fc": "paper", "ec": "rule", "lw": 1} if look.token == "paper" else {"fc": look.token, "ec": "none"}
    )


@checked
def cells(
    figure: Canvas,
    rows: Rows,
    *,
    x: str,
    y: str,
    state: str,
    by: str | None = None,
    text: str | None = None,
    note: str | None = None,
    colors: Mapping[str, str] | None = None,
    columns: int | None = None,
    x_domain: tuple[int, int] | None = None,
    y_domain: tuple[int, int] | None = None,
) -> list[CellsPanel]:
    """Square cells at whole places x and y, coloured by what they do in `state`; y runs down.

    `by` makes a panel for each moment. `text` is a column written into the cells, and `note` one that is
    in mute next to the title of its panel. `colors` gives states a colour of the palette: `idle` is hatched,
    `paper` an outline. Other states look like series. States that `COLUMNS` names are explained above: those
    in `colors` always, others where a cell has them. Columns x and y that are in `COLUMNS` get labels.
    `x_domain` and `y_domain` are the first and last places of the grid, by default those that cells have;
    give them where readers can turn the figure, so that it stays where it is.
    """
    given = some_rows_of(rows)
    check_columns(given, x, y, state, by, text, note)
    words, colors = figure.words.with_categories(given, x, y, state, by), colors or {}
    for row in given:
        for column in (x, y):
            if not isinstance(row[column], int) or isinstance(row[column], bool):
                raise Misuse(
                    f'"{column}" of a cell is {quoted(row[column])}, not a whole number',
                    "give the number of its column or row, counted from 0.",
                )
    states = list(dict.fromkeys([*colors, *(str(row[state]) for row in given)]))
    looks = looks_of([one for one in states if one not in colors], words, state)
    for one in states:
        if one in colors:
            looks[one] = plain_look(checked_colour(colors[one]), text_of(one, words, state))
    entry = words.columns.get(state)
    explained = [looks[one] for one in states if entry is not None and one in entry.names]
    across, down = ([row[column] for row in given] for column in (x, y))
    left, right = x_domain or (min(across), max(across))
    top, bottom = y_domain or (min(down), max(down))
    parts: dict[Any, list[dict[str, Any]]] = {}
    for row in given:
        parts.setdefault(series_key(row[by]) if by else None, []).append(row)
    names = tuple(
        {at: whole_number_of(at, words, column) for at in sorted({row[column] for row in given})}
        if column in words.columns
        else {}
        for column in (x, y)
    )
    panels = [
        CellsPanel(
            figure,
            [
                Cell(
                    x=row[x],
                    y=row[y],
                    state=str(row[state]),
                    look=looks[str(row[state])],
                    text="" if text is None or row[text] in (None, "") else text_of(row[text], words, text),
                )
                for row in part
            ],
            title=_title(part[0][by], words, by) if by else "",
            note=text_of(part[0][note], words, note) if note else "",
            ends=(left, top, right, bottom),
            names=(names[0], names[1]),
            legend=explained,
            alone=len(parts) == 1,
        )
        for part in parts.values()
    ]
    arrangement_of(figure).add(Panels(panels, columns or (2 if figure.is_narrow else None), share_y=True))
    return panels


def _title(value: Any, words: Any, by: str) -> str:
    """What a moment is called: `Cycle 6`."""
    shown = whole_number_of(value, words, by) if isinstance(value, int) else text_of(value, words, by)
    entry = words.columns.get(by)
    return (
        shown if entry is None or not isinstance(value, int) else f"{entry.label.of(words.language)} {shown}"
    )

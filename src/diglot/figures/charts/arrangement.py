"""Arranges the charts of a canvas: below each other, or panels side by side, in one frame per panel.

Margins have room for the texts of both languages, so that both drawings have the same frames.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.placing import Box
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.text_sizes import LINE_EM, Face, wrapped
from diglot.figures.scripts.misuse import Misuse

CHART_GAP_PX = 22


class Margins(NamedTuple):
    """Room around a frame, in px."""

    left: float
    top: float
    right: float
    bottom: float

    def joined(self, other: "Margins") -> "Margins":
        """Room for both."""
        return Margins(*map(max, self, other))


class Part(Protocol):
    """A chart, or a panel of one."""

    first: bool
    """Whether it is the leftmost of its row, which shows the axis that the row shares."""
    last: bool
    """Whether it is the rightmost."""
    opens: bool
    """Whether its line of panels is the first, above which there is a key."""
    names_x: bool
    """Whether its line has the title of the x axis: in a grid the last one, for all."""
    names_y: bool
    """Whether its line has the title of the y axis: in a grid the first one, for all."""

    def margins(self, width: float, *, legend: bool, inner: float | None = None) -> Margins:
        """Room that the texts of this language need in a drawing of this width.

        `inner` is the width of the frame, once it is known.
        """

    def body_px(self, width: float) -> tuple[float, float, float]:
        """Height of the frame, if it is this wide: at least, by itself, and at most."""

    def plan(self, frame: Box, area: Box, *, legend: bool) -> bool:
        """Find the place of everything. Returns whether direct labels fit."""

    def paint(self, number: int) -> None:
        """Draw what was planned."""


class Panels(NamedTuple):
    """Charts that are side by side where there is room."""

    charts: list[Any]
    most_columns: int | None = None
    share_y: bool = False


class Arrangement:
    """The charts of one canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.rows: list[Panels] = []
        self.heading = ""
        """What all charts have in common, said once above them."""
        self._made_at: list[int | None] = []
        """The line of the script that made each row."""
        self._laid_out: list[tuple[Any, int | None]] = []
        """The charts in their order on the canvas, each with the line of the script that made it."""

    def add(self, row: Panels) -> None:
        """Add charts below those there are."""
        self.rows.append(row)
        self._made_at.append(self.canvas.origins.here())

    def lay_out(self, twin: "Arrangement | None") -> None:
        """Find the place of everything, for both languages at once.

        Raises ValueError if the script makes other charts in the other language.
        """
        both = (self, twin or self)
        rows = [[len(row.charts) for row in one.rows] for one in both]
        if rows[0] != rows[1]:
            raise Misuse(
                "`draw` makes other charts in one language than in the other", "make the same ones in both."
            )
        made = [
            (line, at)
            for row, other, *at in zip(self.rows, both[1].rows, *(one._made_at for one in both), strict=True)
            for line in self._lines(row, list(zip(row.charts, other.charts, strict=True)))
        ]
        lines = [line for line, _ in made]
        top = max(one.heading_px() for one in both)
        spare = None
        if self.canvas.fixed_height:
            spare = self._spare(lines, self.canvas.height_px - top)
        for number, (line, at) in enumerate(made):
            top += CHART_GAP_PX if number else 0
            try:
                found = self._frames(line, top, spare, legend=False)
                if not all(self._plan(line, found, legend=False)):
                    found = self._frames(line, top, spare, legend=True)
                    self._plan(line, found, legend=True)
            except Misuse as error:
                error.line = at[0]
                raise
            top = found[0][1].bottom
        for which, one in enumerate(both):
            one.canvas.set_height_px(math.ceil(top))
            one._laid_out = [(pair[which], at[which]) for line, at in made for pair in line]

    def paint(self) -> None:
        """Draw what was laid out."""
        face = face_of(self.canvas)
        for number, text in enumerate(self._heading_lines()):
            self.canvas.text_px(0, face.text * (1 + LINE_EM * number), text, color="mute", size=face.text)
        for place, (chart, at) in enumerate(self._laid_out):
            with self.canvas.origins.at(at):
                chart.paint(place)

    def heading_px(self) -> float:
        """Height of the heading in this language, with the gap below it."""
        lines = len(self._heading_lines())
        return round(face_of(self.canvas).text * (LINE_EM * lines + 0.4)) if lines else 0.0

    def _heading_lines(self) -> list[str]:
        face = face_of(self.canvas)
        if not self.heading:
            return []
        wide = 0.97 * self.canvas.width_px  # hinted letters are a little wider than they measure
        return wrapped(self.heading, face.text, face.language, wide).split("\n")

    def _lines(self, row: Panels, charts: list[tuple[Any, Any]]) -> list[list[tuple[Any, Any]]]:
        """The charts of a row, in as many lines as the width of the canvas asks for."""
        width = self.canvas.width_px
        fitting = max(1, int(width // 150))
        columns = min(row.most_columns or (1 if self.canvas.is_narrow else fitting), fitting)
        count = -(-len(charts) // columns)
        columns = -(-len(charts) // count)
        lines = [charts[n : n + columns] for n in range(0, len(charts), columns)]
        for number, line in enumerate(lines):
            for place, pair in enumerate(line):
                for chart in pair:
                    chart.opens = number == 0
                    chart.names_x = columns == 1 or number == len(lines) - 1
                    chart.names_y = columns == 1 or number == 0
                    chart.first = place == 0 or not row.share_y
                    chart.last = place == len(line) - 1 or not row.share_y
        return lines

    def _frames(
        self, line: list[tuple[Any, Any]], top: float, spare: float | None, *, legend: bool
    ) -> list[tuple[Box, Box]]:
        """The frame and the area of each chart of a line. Frames are equally wide and level."""
        width, gap = self.canvas.width_px, CHART_GAP_PX
        share = (width - gap * (len(line) - 1)) / len(line)
        inner, margins = None, []
        for _ in range(2):  # how high texts above a frame are depends on its width
            margins = [
                chart.margins(share, legend=legend, inner=inner).joined(
                    twin.margins(share, legend=legend, inner=inner)
                )
                for chart, twin in line
            ]
            inner = (width - gap * (len(line) - 1) - sum(m.left + m.right for m in margins)) / len(line)
        inner = inner or 0.0
        above, below = max(m.top for m in margins), max(m.bottom for m in margins)
        least, body, most = map(max, *(chart.body_px(inner) for pair in line for chart in pair))
        if spare is not None:
            body = min(max(spare, least), most)
        found, left = [], 0.0
        for m in margins:
            right = left + m.left + inner + m.right
            frame = Box(left + m.left, top + above, right - m.right, top + above + body)
            found.append((frame, Box(left, top, right, frame.bottom + below)))
            left = right + gap
        return found

    def _spare(self, lines: Sequence[list[tuple[Any, Any]]], height: float) -> float:
        """Height of each frame, if the drawing has to be this high; one that needs more takes its least."""
        left, leasts = height - CHART_GAP_PX * (len(lines) - 1), []
        for line in lines:
            (frame, area), *_ = self._frames(line, 0.0, 100.0, legend=False)
            left -= (area.bottom - area.top) - (frame.bottom - frame.top)
            leasts.append(max(one.body_px(frame.right - frame.left)[0] for pair in line for one in pair))
        for count, least in zip(range(len(leasts), 1, -1), sorted(leasts, reverse=True), strict=False):
            if least <= left / count:
                return left / count
            left -= least
        return left

    def _plan(
        self, line: list[tuple[Any, Any]], frames: list[tuple[Box, Box]], *, legend: bool
    ) -> list[bool]:
        return [
            chart.plan(frame, area, legend=legend)
            for pair, (frame, area) in zip(line, frames, strict=True)
            for chart in dict.fromkeys(pair)  # without a twin, the chart is its own
        ]


def arrangement_of(canvas: Canvas) -> Arrangement:
    """The arrangement of a canvas, made when its first chart is."""
    if not isinstance(canvas.arrangement, Arrangement):
        canvas.arrangement = Arrangement(canvas)
    return canvas.arrangement


@checked
def heading(figure: Canvas, text: str) -> None:
    """A line above all charts of the figure: what they have in common, such as the model and its format."""
    arrangement_of(figure).heading = text


_SLIDE_TEXT = 13.75 / 12
"""Text on slides in text on pages, so that the smallest is 24 px on 1,280 × 720."""


def face_of(canvas: Canvas) -> Face:
    """The language of a canvas and the sizes of its text."""
    scale = _SLIDE_TEXT if canvas.size == "slide" else 1.0
    return Face(canvas.language, canvas.normal * scale, canvas.small * scale)

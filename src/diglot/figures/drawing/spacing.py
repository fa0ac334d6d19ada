"""The gap between Chinese characters and Latin letters or digits, which no one types.

Browsers set it on pages (`text-autospace: normal`), matplotlib does not. So a renderer is wrapped into one
that measures texts with their gaps, and, in files whose text no browser sets, draws them piece by piece.
"""

import math
from typing import TYPE_CHECKING, Any, Literal

from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.font_manager import FontProperties

from diglot.figures.drawing.line_breaks import GAP_EM, pieces_of
from diglot.figures.drawing.runs import Measure, advance_of, extent_of, runs_of

if TYPE_CHECKING:
    from matplotlib.text import Text

    from diglot.figures.drawing.respelling import Respelling


class SpacedRenderer:
    """A renderer of matplotlib with gaps in texts; everything else is done by the one that it wraps."""

    def __init__(
        self, renderer: RendererBase, *, draws_gaps: bool, respelling: "Respelling | None" = None
    ) -> None:
        """With `draws_gaps=False` texts are drawn whole, because what shows them sets the gaps.

        With `respelling`, texts are drawn in traditional characters; those with a formula stay as they are.
        """
        object.__setattr__(self, "wrapped", renderer)
        object.__setattr__(self, "draws_gaps", draws_gaps)
        object.__setattr__(self, "respelling", respelling)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.wrapped, name, value)

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: bool | Literal["TeX"]
    ) -> tuple[float, float, float]:
        """Width with gaps, height and descent of a line, in pixels. Called by matplotlib."""
        if ismath == "TeX":
            return tuple(self.wrapped.get_text_width_height_descent(s, prop, ismath))
        return extent_of(s, self._size_px(prop), self._measure(prop))

    def draw_text(  # noqa: PLR0917  (matplotlib prescribes the signature)
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: bool | Literal["TeX"] = False,
        mtext: "Text | None" = None,
    ) -> None:
        """Draw a line, whose baseline begins at x, y. Called by matplotlib."""
        if ismath == "TeX":
            self.wrapped.draw_text(gc, x, y, s, prop, angle, ismath, mtext)
            return
        along, across = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        if self.wrapped.flipy():
            across = -across
        runs = runs_of(s)
        if len(runs) > 1:
            mtext = None  # matplotlib would place each run by the place and the alignment of the whole text
        for run in runs:
            at = (x, y)
            if run.is_formula:  # set in one face, which has no traditional characters
                self.wrapped.draw_text(gc, *at, run.drawn, prop, angle, True, mtext)
            else:
                self._draw_pieces(gc, at, run.drawn, prop, angle, (along, across), mtext)
            if run is not runs[-1]:
                advance = advance_of(run, self._size_px(prop), self._measure(prop))
                x, y = x + advance * along, y + advance * across

    def _draw_pieces(  # noqa: PLR0917  (what matplotlib gives, and the direction of the line)
        self,
        gc: GraphicsContextBase,
        at: tuple[float, float],
        text: str,
        prop: FontProperties,
        angle: float,
        direction: tuple[float, float],
        mtext: "Text | None",
    ) -> None:
        """Draw text without formulas, with its gaps."""
        if self.respelling is not None:
            text, prop = self.respelling.label(text), self.respelling.face(prop)
        pieces = pieces_of(text) if self.draws_gaps else [text]
        x, y = at
        for piece in pieces:
            self.wrapped.draw_text(gc, x, y, piece, prop, angle, False, mtext)
            if len(pieces) > 1:
                width, _, _ = self.wrapped.get_text_width_height_descent(piece, prop, False)
                advance = width + GAP_EM * self._size_px(prop)
                x, y = x + advance * direction[0], y + advance * direction[1]

    def _measure(self, prop: FontProperties) -> Measure:
        return lambda text, math: self.wrapped.get_text_width_height_descent(text, prop, math)

    def _size_px(self, prop: FontProperties) -> float:
        return float(self.wrapped.points_to_pixels(prop.get_size_in_points()))


class MeasuringCanvas(FigureCanvasAgg):
    """What scripts measure texts with before the figure is drawn: gaps count."""

    def get_renderer(self) -> Any:
        """The renderer that matplotlib takes for `text.get_window_extent()`."""
        return SpacedRenderer(super().get_renderer(), draws_gaps=True)  # type: ignore[no-untyped-call]  # untyped in matplotlib

"""The canvas that scripts draw on: a matplotlib figure in CSS pixels, measured from its top left corner."""

from typing import Any, cast

from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

from diglot.figures.drawing.origins import NotingAxes, Origins
from diglot.figures.drawing.spacing import MeasuringCanvas, SpacedRenderer
from diglot.figures.drawing.style import TEXT_PX
from diglot.figures.records import Size
from diglot.languages import Language

WIDTH_PX: dict[Size, int] = {"narrow": 350, "column": 680, "wide": 1000, "slide": 662}
HEIGHT_PX: dict[Size, int] = {"narrow": 340, "column": 400, "wide": 400, "slide": 331}
"""Default height, if a script does not set one."""
SLIDE_SCALE = 22 / 13
"""Enlargement of a slide's drawing, which is laid out like the column's. On 1,280 × 720 px, text is 22 px,
lines are 3.4 px, markers 13.5 px, and 662 × 331 becomes 1,120 × 560."""


class Canvas(Figure):
    """A figure of a given width. One unit is one CSS pixel; y runs down from the top edge."""

    def __init__(
        self, size: Size, language: Language, *, width_px: float | None = None, height_px: float | None = None
    ) -> None:
        self.size: Size = size
        """`narrow` 350 px (a phone), `column` 680 (the text column), `wide` 1,000, or `slide`."""
        self.language: Language = language
        self.width_px: float = width_px or WIDTH_PX[size]
        self.height_px: float = height_px or HEIGHT_PX[size]
        self.small: int = TEXT_PX[language][1]
        """Text size of ticks, units and small labels, in px."""
        self.origins = Origins()
        """Which line of the script made each mark."""
        self.drawn_by: RendererBase | None = None
        """The renderer that last drew the canvas."""
        self.draws_gaps = True
        """Whether gaps between Chinese and Latin are drawn; False where the text stays text, on pages."""
        super().__init__(figsize=(self.width_px / 72, self.height_px / 72), dpi=72)
        MeasuringCanvas(self)

    def draw(self, renderer: RendererBase) -> None:
        """Draw everything, and remember the renderer. Called by matplotlib."""
        self.drawn_by = cast(RendererBase, SpacedRenderer(renderer, draws_gaps=self.draws_gaps))
        super().draw(self.drawn_by)

    @property
    def is_narrow(self) -> bool:
        """True for phones, where drawings should have fewer ticks and labels."""
        return self.size == "narrow"

    def set_height_px(self, height: float) -> None:
        """Set the height of the drawing. Raises ValueError if axes or text are already placed.

        A slide has room for 331 px. A taller drawing is scaled down to fit, with smaller text.
        """
        if self.axes or self.texts:
            raise ValueError("set the height before axes and text are placed")
        self.height_px = height
        self.set_size_inches(self.width_px / 72, height / 72)

    def axes_px(self, left: float, top: float, width: float, height: float, **options: Any) -> Axes:
        """Create axes with their frame exactly there, whatever their labels, so that both languages match."""
        w, h = self.width_px, self.height_px
        bounds = (left / w, 1 - (top + height) / h, width / w, height / h)
        return self.add_axes(bounds, axes_class=NotingAxes, origins=self.origins, **options)

    def text_px(
        self,
        x: float,
        y: float,
        text: str,
        *,
        color: str = "ink",
        small: bool = False,
        align: str = "left",
        **options: Any,
    ) -> Text:
        """Place text with its baseline at y. `align` (left, center, right) says which part of it is at x."""
        if small:
            options.setdefault("size", self.small)
        options.setdefault("va", "baseline")
        return self.text(x / self.width_px, 1 - y / self.height_px, text, color=color, ha=align, **options)

    def text(self, *args: Any, **options: Any) -> Text:
        """Place text in fractions of the drawing, as matplotlib does."""
        return self.origins.note(super().text(*args, **options))

    def legend(self, *args: Any, **options: Any) -> Legend:
        """Add a legend to the whole drawing, as matplotlib does."""
        return self.origins.note(super().legend(*args, **options))

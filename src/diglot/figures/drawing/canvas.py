"""What a script draws on: a matplotlib figure measured in CSS pixels from its top left corner."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.text import Text

from diglot.figures.drawing.style import TEXT_PX
from diglot.figures.records import Size
from diglot.languages import Language

WIDTH_PX: dict[Size, int] = {"narrow": 350, "column": 680, "wide": 1000, "slide": 662}
HEIGHT_PX: dict[Size, int] = {"narrow": 340, "column": 400, "wide": 400, "slide": 331}
"""Where a script does not set one."""
SLIDE_SCALE = 22 / 13
"""A slide's drawing is laid out like the column's and set this much larger: text 22, lines 3.4, markers 13.5
pixels on 1,280 × 720, and 662 × 331 become 1,120 × 560."""


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
        """Size of ticks, units and labels inside the picture, px."""
        self.drawn_by: RendererBase | None = None
        """What the canvas was last drawn with."""
        super().__init__(figsize=(self.width_px / 72, self.height_px / 72), dpi=72)

    def draw(self, renderer: RendererBase) -> None:
        """Draw all there is, as matplotlib calls it."""
        self.drawn_by = renderer
        super().draw(renderer)

    @property
    def is_narrow(self) -> bool:
        """True for the drawing of a phone: fewer ticks, fewer labels."""
        return self.size == "narrow"

    def set_height_px(self, height: float) -> None:
        """The height of the drawing. To be set before anything is placed.

        A slide has room for 331; what is higher is fitted in, with smaller text.
        """
        if self.axes or self.texts:
            raise ValueError("set the height before axes and text are placed")
        self.height_px = height
        self.set_size_inches(self.width_px / 72, height / 72)

    def axes_px(self, left: float, top: float, width: float, height: float, **options: Any) -> Axes:
        """Axes whose frame lies exactly there, whatever its labels: both languages lie on each other."""
        w, h = self.width_px, self.height_px
        return self.add_axes((left / w, 1 - (top + height) / h, width / w, height / h), **options)

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
        """Text with its baseline at y; `align` says which end of it stands at x (left, center, right)."""
        if small:
            options.setdefault("size", self.small)
        options.setdefault("va", "baseline")
        return self.text(x / self.width_px, 1 - y / self.height_px, text, color=color, ha=align, **options)

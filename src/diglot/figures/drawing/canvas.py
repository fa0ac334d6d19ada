"""The canvas that scripts draw on: a matplotlib figure in CSS pixels, measured from its top left corner."""

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, cast
from xml.etree.ElementTree import Element

from matplotlib import colors
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from diglot.figures.drawing.origins import NotingAxes, Origins
from diglot.figures.drawing.spacing import MeasuringCanvas, SpacedRenderer
from diglot.figures.drawing.style import TEXT_PX
from diglot.figures.palette import color
from diglot.figures.records import Size
from diglot.figures.scripts.words import Words
from diglot.languages import Language

if TYPE_CHECKING:
    from diglot.figures.drawing.respelling import Respelling

WIDTH_PX: dict[Size, int] = {"narrow": 350, "column": 680, "wide": 1000, "slide": 640}
HEIGHT_PX: dict[Size, int] = {"narrow": 340, "column": 400, "wide": 400, "slide": 320}
"""Default height, if a script does not set one."""
SLIDE_SCALE = 7 / 4
"""Enlargement of a slide's drawing. On 1,280 × 720 px, lines are 3.5 px, markers 14 px, and 640 × 320 becomes
1,120 × 560; 640 × 257 becomes 1,120 × 450, which has room under a title."""


class Arrangement(Protocol):
    """The charts of a canvas, whose layout is found when all of them are known."""

    def lay_out(self, twin: Self | None) -> None:
        """Find the place of everything, also of `twin`: the same charts in the other language."""

    def paint(self) -> None:
        """Draw the charts where they were laid out."""


class DrawnPoint(NamedTuple):
    """A data point of a chart, for readings on the page."""

    chart: int
    """Number of the chart on the canvas, from 0."""
    series: str
    """The value of the series column, such as a chip id; empty if the chart has none."""
    values: tuple[tuple[str, float | str], ...]
    """Columns that position the point, with their values in base units."""
    x_px: float
    """From the left edge of the drawing."""
    y_px: float
    """From its top edge."""
    name: str = ""
    """What the series is called in the language of the drawing."""
    token: str = ""
    """Its colour."""
    run: int = 0
    """Counts the lines and groups of marks of a chart: each is read from one end to the other."""


class Canvas(Figure):
    """A figure of a given width. One unit is one CSS pixel; y runs down from the top edge."""

    def __init__(
        self,
        size: Size,
        language: Language,
        *,
        width_px: float | None = None,
        height_px: float | None = None,
        words: Words | None = None,
    ) -> None:
        self.size: Size = size
        """`narrow` 350 px (a phone), `column` 680 (the text column), `wide` 1,000, or `slide`."""
        self.language: Language = language
        self.width_px: float = width_px or WIDTH_PX[size]
        self.height_px: float = height_px or HEIGHT_PX[size]
        self.small: float = TEXT_PX[language][1]
        """Text size of ticks, units and small labels, in px."""
        self.words: Words = words or Words(language)
        """Language and columns of the script that draws."""
        self.arrangement: Arrangement | None = None
        """The charts; None if the script draws by hand."""
        self.colours: list[tuple[float, float, float, float]] = []
        """Of each heat map without all numbers, the ends of its colours and the least and largest value."""
        self.points: list[DrawnPoint] = []
        """Every data point that a chart has drawn."""
        self.sliders: dict[str, Axes] = {}
        """The parameters whose slider lies on an x axis."""
        self._laid_out = self._painted = False
        self._placed_axes: list[tuple[Axes, tuple[float, float, float, float]]] = []
        self._placed_texts: list[tuple[Text, float]] = []
        self._height_given = height_px
        self.normal: float = TEXT_PX[language][0]
        """Text size of titles and names, in px."""
        self.origins = Origins()
        """Which line of the script made each mark."""
        self.picture: Element | None = None
        """What another library has drawn over all of it, as SVG in pixels of the canvas."""
        self.drawn_by: RendererBase | None = None
        """The renderer that last drew the canvas."""
        self.draws_gaps = True
        """Whether gaps between Chinese and Latin are drawn; False where the text stays text, on pages."""
        self.respelling: Respelling | None = None
        """Draws texts in traditional characters, where others were laid out."""
        super().__init__(figsize=(self.width_px / 72, self.height_px / 72), dpi=72)
        MeasuringCanvas(self)

    def draw(self, renderer: RendererBase) -> None:
        """Draw everything, and remember the renderer. Called by matplotlib."""
        self.paint()
        spaced = SpacedRenderer(renderer, draws_gaps=self.draws_gaps, respelling=self.respelling)
        self.drawn_by = cast(RendererBase, spaced)
        super().draw(self.drawn_by)

    def colour(self, token: str) -> str:
        """A colour of the palette for another library's chart, in the theme that is drawn."""
        return colors.to_hex(color(token))

    def twin(self) -> "Canvas":
        """An empty canvas of this size in the other language."""
        words = self.words.twin()
        return Canvas(
            self.size, words.language, width_px=self.width_px, height_px=self._height_given, words=words
        )

    def lay_out(self, twin: "Canvas | None") -> None:
        """Find the place of all charts, on both canvases, if there are any and it is not done yet."""
        if self.arrangement is None or self._laid_out:
            return
        other = None if twin is None else twin.arrangement
        self._laid_out = True
        if twin is not None and other is not None:
            twin._laid_out = True
        self.arrangement.lay_out(other)

    def paint(self) -> None:
        """Draw the charts, if there are any and it is not done yet."""
        self.lay_out(None)
        if self.arrangement is not None and not self._painted:
            self._painted = True
            self.arrangement.paint()

    @property
    def is_narrow(self) -> bool:
        """True for phones, where drawings should have fewer ticks and labels."""
        return self.size == "narrow"

    def set_height_px(self, height: float) -> None:
        """Set the height of the drawing. What is placed already keeps its distance from the top edge.

        A slide has room for 320 px. A taller drawing is scaled down to fit, with smaller text.
        """
        self.height_px = height
        self.set_size_inches(self.width_px / 72, height / 72)
        for axes, (left, top, width, tall) in self._placed_axes:
            axes.set_position(self._fractions(left, top, width, tall))
        for text, y in self._placed_texts:
            text.set_y(1 - y / height)

    def _fractions(
        self, left: float, top: float, width: float, height: float
    ) -> tuple[float, float, float, float]:
        w, h = self.width_px, self.height_px
        return (left / w, 1 - (top + height) / h, width / w, height / h)

    def axes_px(self, left: float, top: float, width: float, height: float, **options: Any) -> Axes:
        """Create axes with their frame exactly there, whatever their labels, so that both languages match."""
        axes = self.add_axes(
            self._fractions(left, top, width, height),
            axes_class=NotingAxes,
            origins=self.origins,
            **options,
        )
        self._placed_axes.append((axes, (left, top, width, height)))
        return axes

    def place_axes(self, axes: Axes, left: float, top: float, right: float, bottom: float) -> None:
        """Move axes that `axes_px` has created."""
        box = (left, top, right - left, bottom - top)
        self._placed_axes = [(one, box if one is axes else at) for one, at in self._placed_axes]
        axes.set_position(self._fractions(*box))

    def put_slider(self, parameter: str, axes: Axes) -> None:
        """Let the x axis of `axes` be the track of the slider with which readers turn a parameter."""
        self.sliders[parameter] = axes

    def track_of(self, axes: Axes) -> str:
        """The x axis as a track: its scale, the values at its ends, and where they are, in pixels."""
        low, high = axes.get_xlim()
        box = axes.get_position()
        left, right = box.x0 * self.width_px, box.x1 * self.width_px
        places = (low, high, left, right, (1 - box.y0) * self.height_px)
        return " ".join([axes.get_xscale(), *(f"{place:.6g}" for place in places)])

    def line_px(
        self, start: tuple[float, float], end: tuple[float, float], *, color: str, guide: bool = False
    ) -> None:
        """Draw a thin line, once the height is final; a dotted guide is behind all marks."""
        xs, ys = zip(start, end, strict=True)
        w, h = self.width_px, self.height_px
        drawn = Line2D([x / w for x in xs], [1 - y / h for y in ys], color=color, transform=self.transFigure)
        drawn.set_linewidth(1 if guide else 0.75)
        drawn.set_zorder(-1 if guide else 2)
        if guide:
            drawn.set_dashes((1, 3))
        self.add_artist(drawn)

    def rectangle_px(self, left: float, top: float, width: float, height: float, **style: Any) -> None:
        """Draw a rectangle, once the height is final."""
        left, bottom, width, height = self._fractions(left, top, width, height)
        self.add_artist(Rectangle((left, bottom), width, height, transform=self.transFigure, **style))

    @property
    def fixed_height(self) -> bool:
        """Whether the sheet decides how high the drawing is."""
        return self._height_given is not None

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
        placed = self.text(x / self.width_px, 1 - y / self.height_px, text, color=color, ha=align, **options)
        self._placed_texts.append((placed, y))
        return placed

    def text(self, *args: Any, **options: Any) -> Text:
        """Place text in fractions of the drawing, as matplotlib does."""
        return self.origins.note(super().text(*args, **options))

    def legend(self, *args: Any, **options: Any) -> Legend:
        """Add a legend to the whole drawing, as matplotlib does."""
        return self.origins.note(super().legend(*args, **options))

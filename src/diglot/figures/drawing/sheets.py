"""The sheet a file shows a drawing on: its size, its margins, and how much the drawing is enlarged."""

import re

import msgspec

from diglot.figures.drawing.canvas import SLIDE_SCALE, Canvas
from diglot.figures.records import PAGE_SIZES, Size
from diglot.languages import Language

MARGIN_PX = 20
"""Around a page's drawing in a file of its own."""
SLIDE_PX = (1280, 720)
SLIDE_MARGIN_PX = 80
_NARROW_BELOW_PX = 500
_PIXELS = re.compile(r"(\d+)x(\d+)")
_RATIO = re.compile(r"(\d+):(\d+)")


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """Where a drawing lies on its sheet. Lengths are CSS pixels of the file unless said otherwise."""

    width: float
    height: float
    room_width: float
    room_height: float
    scale: float
    """CSS pixels of the file to one of the drawing, at most."""
    size: Size
    drawn_width: float | None
    """Pixels of the drawing; None leaves them to the size."""
    drawn_height: float | None

    def canvas(self, language: Language) -> Canvas:
        """What the script draws on."""
        return Canvas(self.size, language, width_px=self.drawn_width, height_px=self.drawn_height)


def layout(size: str) -> Layout | None:
    """The sheet for a size as people write it: `column`, `slide`, `16:9`, `1920x1080`; None for nonsense."""
    if size in PAGE_SIZES:
        canvas = Canvas(size, "en")
        return Layout(
            width=canvas.width_px + 2 * MARGIN_PX,
            height=0,  # as high as the drawing turns out
            room_width=canvas.width_px,
            room_height=0,
            scale=1,
            size=size,
            drawn_width=None,
            drawn_height=None,
        )
    if size == "slide":
        width, height = SLIDE_PX
    elif (pixels := _PIXELS.fullmatch(size)) is not None:
        width, height = int(pixels[1]), int(pixels[2])
    elif (ratio := _RATIO.fullmatch(size)) is not None and int(ratio[2]):
        width, height = round(SLIDE_PX[1] * int(ratio[1]) / int(ratio[2])), SLIDE_PX[1]
    else:
        return None
    if min(width, height) < 100 or max(width, height) > 20_000:
        return None
    share = min(width / SLIDE_PX[0], height / SLIDE_PX[1])
    margin, scale = SLIDE_MARGIN_PX * share, SLIDE_SCALE * share
    drawn_width = (width - 2 * margin) / scale
    return Layout(
        width=width,
        height=height,
        room_width=width - 2 * margin,
        room_height=height - 2 * margin,
        scale=scale,
        size="narrow" if drawn_width < _NARROW_BELOW_PX else "slide",
        drawn_width=round(drawn_width),
        drawn_height=round((height - 2 * margin) / scale),
    )


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """A finished drawing on its sheet."""

    view_box: tuple[float, float, float, float]
    """Left, top, width, height of the sheet in pixels of the drawing, whose own corner is 0, 0."""
    width_px: float
    """Of the file, CSS pixels."""
    height_px: float
    scale: float


def place(canvas: Canvas, on: Layout) -> Placed:
    """The drawing in the middle of its sheet, as large as there is room and its text should be."""
    height = on.height or canvas.height_px + 2 * MARGIN_PX
    room_height = on.room_height or canvas.height_px
    scale = min(on.scale, on.room_width / canvas.width_px, room_height / canvas.height_px)
    width_drawn, height_drawn = on.width / scale, height / scale
    return Placed(
        view_box=(
            (canvas.width_px - width_drawn) / 2,
            (canvas.height_px - height_drawn) / 2,
            width_drawn,
            height_drawn,
        ),
        width_px=on.width,
        height_px=height,
        scale=scale,
    )

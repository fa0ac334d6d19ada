"""Sheets of exported files: their size and margins, and how much the drawing is enlarged."""

import re

import msgspec

from diglot.figures.drawing.canvas import SLIDE_SCALE, Canvas
from diglot.figures.records import PAGE_SIZES, Size
from diglot.figures.scripts.words import Words

MARGIN_PX = 20
"""Margin around a page's drawing in a standalone file."""
SLIDE_PX = (1280, 720)
SLIDE_MARGIN_PX = 80
_NARROW_BELOW_PX = 500
_PIXELS = re.compile(r"(\d+)x(\d+)")
_RATIO = re.compile(r"(\d+):(\d+)")


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """Position of a drawing on its sheet. Lengths are in CSS pixels of the file if not said otherwise."""

    width: float
    height: float
    room_width: float
    room_height: float
    scale: float
    """Maximum enlargement: CSS pixels of the file per pixel of the drawing."""
    size: Size
    drawn_width: float | None
    """Pixels of the drawing; None for the default of `size`."""
    drawn_height: float | None

    def canvas(self, words: Words) -> Canvas:
        """A new canvas for the script."""
        return Canvas(
            self.size, words.language, width_px=self.drawn_width, height_px=self.drawn_height, words=words
        )


def layout(size: str) -> Layout | None:
    """The layout for a size such as `column`, `slide`, `16:9` or `1920x1080`, or None if it is not a size.

    Sides in pixels must be from 100 to 20,000.
    """
    if size in PAGE_SIZES:
        canvas = Canvas(size, "en")
        return Layout(
            width=canvas.width_px + 2 * MARGIN_PX,
            height=0,  # `place` takes the height from the finished drawing
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
    """Position of a finished drawing on its sheet."""

    view_box: tuple[float, float, float, float]
    """Left, top, width, height of the sheet in pixels of the drawing, whose top left corner is 0, 0."""
    width_px: float
    """Width of the file, in CSS pixels."""
    height_px: float
    scale: float


def place(canvas: Canvas, on: Layout) -> Placed:
    """Centre the drawing on its sheet, as large as its room and the layout's maximum enlargement allow."""
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


def enlargement_on_slide(placed: Placed, on: Layout) -> float:
    """How much a drawing is enlarged, if its sheet is shown as a slide of 1,280 × 720 px."""
    return placed.scale / min(on.width / SLIDE_PX[0], on.height / SLIDE_PX[1])

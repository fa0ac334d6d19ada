"""Sheets of exported files: their size and margins, and how much the drawing is enlarged."""

import re
from collections.abc import Mapping
from math import ceil

import msgspec
from msgspec.structs import replace

from diglot.figures.drawing.canvas import SLIDE_SCALE, Canvas
from diglot.figures.drawing.text_sizes import LINE_EM, wrapped
from diglot.figures.records import PAGE_SIZES, Size
from diglot.figures.scripts.words import Words
from diglot.languages import LANGUAGES, NO_TEXT, Bilingual, Language

MARGIN_PX = 20
"""Margin around a page's drawing in a standalone file."""
SLIDE_PX = (1280, 720)
SLIDE_MARGIN_PX = 80
_NARROW_BELOW_PX = 500
_PIXELS = re.compile(r"(\d+)x(\d+)")
_RATIO = re.compile(r"(\d+):(\d+)")


class _Preset(msgspec.Struct, frozen=True):
    """A sheet with a name. Lengths are in CSS pixels."""

    width: float
    height: float
    margin: float
    share: float
    """Size of its text in that of a slide of 1,280 × 720 px."""


PRESETS: Mapping[str, _Preset] = {
    "16:9": _Preset(*SLIDE_PX, SLIDE_MARGIN_PX, 1.0),
    "slide": _Preset(*SLIDE_PX, SLIDE_MARGIN_PX, 1.0),
    "4:3": _Preset(960, 720, 60, 0.86),
    "half": _Preset(640, 720, 40, 1.0),
    "square": _Preset(720, 720, 48, 0.9),
    "card": _Preset(1080, 380, 0, 0.9),
}
"""Sheets as high as a slide of 720 px: whole slides, the half of one next to a list of points, a square."""
CARD = "card"
"""The room for a figure on a picture that stands for an article where it is shared."""
POSTER = "poster"
"""A sheet of 16:9 that is read from near, on which a figure has the small text of a page."""
_POSTER_PX, _POSTER_MARGIN_PX = (2400, 1350), 120
_TITLE_PX, _CREDIT_PX = 34.0, 20.0
"""Size of a title and of a credit on a slide."""
_PAGE_TITLE_PX, _PAGE_CREDIT_PX = 17.0, 12.0


class SheetTexts(msgspec.Struct, frozen=True, kw_only=True):
    """Texts around the drawing; an empty one is left out."""

    title: Bilingual = NO_TEXT
    credit: Bilingual = NO_TEXT


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """Position of a drawing on its sheet. Lengths are in CSS pixels of the file if not said otherwise."""

    width: float
    height: float
    """0 if the drawing decides."""
    room_width: float
    room_height: float
    scale: float
    """Maximum enlargement: CSS pixels of the file per pixel of the drawing."""
    size: Size
    drawn_width: float | None
    """Pixels of the drawing; None for the default of `size`."""
    drawn_height: float | None
    share: float | None
    """Size of its text in that of a slide; None if it is not shown as a slide."""
    above: float = 0.0
    """Height of the title, with the gap below it. The same in both languages."""
    below: float = 0.0
    """Height of the credit, with the gap above it."""
    title: Mapping[Language, tuple[str, ...]] = {}
    """Its lines."""
    credit: Mapping[Language, tuple[str, ...]] = {}
    title_px: float = 0.0
    credit_px: float = 0.0

    def canvas(self, words: Words) -> Canvas:
        """A new canvas for the script."""
        return Canvas(
            self.size, words.language, width_px=self.drawn_width, height_px=self.drawn_height, words=words
        )


def layout(size: str, *, text: float = 1.0, texts: SheetTexts | None = None) -> Layout | None:
    """The layout for a size such as `column`, `half`, `16:9` or `1920x1080`, or None if it is not a size.

    Sides in pixels must be from 100 to 20,000. `text` enlarges all text and lines; the drawing is laid out
    anew for the room that is left.
    """
    found = _of_page(size, text) if size in PAGE_SIZES else _of_sheet(size, text)
    return found if found is None or texts is None else _with_texts(found, texts, text)


def _of_page(size: str, text: float) -> Layout:
    canvas = Canvas("narrow" if size == "narrow" else "column" if size == "column" else "wide", "en")
    return Layout(
        width=canvas.width_px + 2 * MARGIN_PX,
        height=0,
        room_width=canvas.width_px,
        room_height=0,
        scale=text,
        size=canvas.size,
        drawn_width=None if text == 1 else round(canvas.width_px / text),
        drawn_height=None,
        share=None,
    )


def _of_sheet(size: str, text: float) -> Layout | None:
    if size == POSTER:
        (width, height), margin = _POSTER_PX, _POSTER_MARGIN_PX
        drawn = Canvas("wide", "en").width_px
        preset, scale, share = _Preset(width, height, margin, 1.0), (width - 2 * margin) / drawn * text, None
    elif (known := PRESETS.get(size)) is not None:
        preset, scale, share = known, SLIDE_SCALE * known.share * text, None if size == CARD else 1.0
    elif (sides := _sides(size)) is not None:
        share = min(sides[0] / SLIDE_PX[0], sides[1] / SLIDE_PX[1])
        preset, scale = _Preset(*sides, SLIDE_MARGIN_PX * share, share), SLIDE_SCALE * share * text
    else:
        return None
    room_width, room_height = preset.width - 2 * preset.margin, preset.height - 2 * preset.margin
    drawn_width = room_width / scale
    return Layout(
        width=preset.width,
        height=preset.height,
        room_width=room_width,
        room_height=room_height,
        scale=scale,
        size="wide" if size == POSTER else "narrow" if drawn_width < _NARROW_BELOW_PX else "slide",
        drawn_width=round(drawn_width),
        drawn_height=round(room_height / scale),
        share=share,
    )


def _sides(size: str) -> tuple[float, float] | None:
    if (pixels := _PIXELS.fullmatch(size)) is not None:
        width, height = int(pixels[1]), int(pixels[2])
    elif (ratio := _RATIO.fullmatch(size)) is not None and int(ratio[2]):
        width, height = round(SLIDE_PX[1] * int(ratio[1]) / int(ratio[2])), SLIDE_PX[1]
    else:
        return None
    return (width, height) if 100 <= min(width, height) <= max(width, height) <= 20_000 else None


def _with_texts(on: Layout, texts: SheetTexts, text: float) -> Layout:
    """The layout with room for a title and a credit, as much as the longer of both languages needs."""
    of_slide = on.height > 0
    share = on.scale / SLIDE_SCALE if of_slide else text
    title_px = (_TITLE_PX if of_slide else _PAGE_TITLE_PX) * share
    credit_px = (_CREDIT_PX if of_slide else _PAGE_CREDIT_PX) * share
    title, credit = (
        {
            language: tuple(wrapped(words.of(language), px, language, on.room_width).split("\n"))
            for language in LANGUAGES
            if words.of(language)
        }
        for words, px in ((texts.title, title_px), (texts.credit, credit_px))
    )
    above, below = (
        ceil(px * (LINE_EM * max(map(len, lines.values())) + gap)) if lines else 0
        for lines, px, gap in ((title, title_px, 0.6), (credit, credit_px, 0.6))
    )
    room_height = max(on.room_height - above - below, 0.25 * on.room_height)
    return replace(
        on,
        room_height=room_height,
        drawn_height=round(room_height / on.scale) if on.drawn_height is not None else None,
        above=above,
        below=below,
        title=title,
        credit=credit,
        title_px=title_px,
        credit_px=credit_px,
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
    room_height = on.room_height or canvas.height_px * on.scale
    scale = min(on.scale, on.room_width / canvas.width_px, room_height / canvas.height_px)
    height = on.height or canvas.height_px * scale + on.above + on.below + 2 * MARGIN_PX
    width_drawn, height_drawn = on.width / scale, height / scale
    return Placed(
        view_box=(
            (canvas.width_px - width_drawn) / 2,
            (canvas.height_px - height_drawn - (on.above - on.below) / scale) / 2,
            width_drawn,
            height_drawn,
        ),
        width_px=on.width,
        height_px=height,
        scale=scale,
    )


def put_texts(canvas: Canvas, on: Layout, placed: Placed) -> None:
    """Put title and credit on the sheet, outside the drawing."""
    left = placed.view_box[0] + (on.width - on.room_width) / 2 / placed.scale
    room = on.room_height or canvas.height_px * placed.scale
    margin = (placed.height_px - room - on.above - on.below) / 2
    for number, line in enumerate(on.title.get(canvas.language, ())):
        y = placed.view_box[1] + (margin + on.title_px * (0.9 + LINE_EM * number)) / placed.scale
        canvas.text_px(left, y, line, size=on.title_px / placed.scale)
    lines = on.credit.get(canvas.language, ())
    for number, line in enumerate(reversed(lines)):
        up = margin + on.credit_px * (0.2 + LINE_EM * number)
        y = placed.view_box[1] + (placed.height_px - up) / placed.scale
        canvas.text_px(left, y, line, color="mute", size=on.credit_px / placed.scale)


def enlargement_on_slide(placed: Placed, on: Layout) -> float | None:
    """How much a drawing is enlarged, if its sheet is shown as a slide 720 px high; None if it is not."""
    return None if on.share is None else placed.scale / on.share

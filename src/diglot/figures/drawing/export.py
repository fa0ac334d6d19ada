"""A drawing as a file that a person drops into slides: SVG with glyphs as paths, PNG, PDF.

Real colours of one theme, no dates, and in each file's metadata its title, alt text and the figure's key.
"""

import io

import msgspec
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.transforms import Bbox

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.sheets import Placed
from diglot.figures.drawing.svg import Caption, Page, standalone_svg
from diglot.figures.palette import DARK, LIGHT, Theme

CSS_DPI = 96


class Inscription(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says of itself."""

    caption: Caption
    key: str
    """The figure, its parameters and the digest of its data: `roofline?dtype=fp8 data 9c41e7b2`."""


def paper(theme: Theme) -> str:
    """The colour behind a drawing."""
    return (LIGHT if theme == "light" else DARK)["paper"]


def svg(canvas: Canvas, placed: Placed, theme: Theme, about: Inscription) -> bytes:
    """The drawing as an SVG file that needs no fonts."""
    page = Page(
        view_box=placed.view_box, width_px=placed.width_px, height_px=placed.height_px, paper=paper(theme)
    )
    return standalone_svg(canvas, about.caption, page=page, key=about.key)


def png(canvas: Canvas, placed: Placed, theme: Theme, about: Inscription | None, *, dpi: int) -> bytes:
    """The drawing as a picture of `width × dpi / 96` by `height × dpi / 96` pixels."""
    file = io.BytesIO()
    words = (
        {}
        if about is None
        else {
            "Title": about.caption.title,
            "Description": about.caption.alt,
            "Source": about.key,
        }
    )
    FigureCanvasAgg(canvas)
    canvas.savefig(
        file,
        format="png",
        dpi=72 * placed.scale * dpi / CSS_DPI,
        bbox_inches=_sheet(canvas, placed),
        facecolor=paper(theme),
        metadata={"Software": None, **words},
    )
    return file.getvalue()


def pdf(canvas: Canvas, placed: Placed, theme: Theme, about: Inscription) -> bytes:
    """The drawing as one PDF page, its faces embedded and its text to be found and copied."""
    file = io.BytesIO()
    FigureCanvasPdf(canvas)
    canvas.savefig(
        file,
        format="pdf",
        bbox_inches=_sheet(canvas, placed),
        facecolor=paper(theme),
        metadata={
            "Title": about.caption.title,
            "Subject": about.caption.alt,
            "Keywords": about.key,
            **dict.fromkeys(("CreationDate", "Creator", "Producer")),
        },
    )
    return file.getvalue()


def _sheet(canvas: Canvas, placed: Placed) -> Bbox:
    """The sheet in inches from the drawing's lower left corner."""
    left, top, width, height = placed.view_box
    # A hair more, for matplotlib cuts off what is short of a whole pixel.
    return Bbox.from_bounds(
        left / 72, (canvas.height_px - top - height) / 72, (width + 1e-4) / 72, (height + 1e-4) / 72
    )

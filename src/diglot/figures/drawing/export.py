"""Exports a drawing to a file for slides: SVG with glyphs as paths, PNG, or PDF.

Files have the colours of one theme and no dates. Their metadata has title, alt text and the figure's key.
"""

import io

import msgspec
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.transforms import Bbox
from msgspec.structs import replace

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.sheets import Placed
from diglot.figures.drawing.svg import Caption, Page, standalone_svg
from diglot.figures.jobs import Format
from diglot.figures.palette import DARK, LIGHT, Theme
from diglot.figures.picture_key import PictureKey

CSS_DPI = 96
PNG_DPI = 192
"""Resolution of PNG files if nothing else is asked for."""


class Inscription(msgspec.Struct, frozen=True, kw_only=True):
    """Metadata of a file."""

    caption: Caption
    key: PictureKey
    """All but the resolution."""


def paper(theme: Theme) -> str:
    """The background colour of a theme."""
    return (LIGHT if theme == "light" else DARK)["paper"]


def write(
    canvas: Canvas, placed: Placed, theme: Theme, about: Inscription, *, format: Format, dpi: int
) -> bytes:
    """The drawing as a file of some format."""
    if format == "svg":
        return svg(canvas, placed, theme, about)
    if format == "pdf":
        return pdf(canvas, placed, theme, about)
    return png(canvas, placed, theme, about, dpi=dpi)


def svg(canvas: Canvas, placed: Placed, theme: Theme, about: Inscription) -> bytes:
    """The drawing as an SVG file that needs no installed fonts."""
    page = Page(
        view_box=placed.view_box, width_px=placed.width_px, height_px=placed.height_px, paper=paper(theme)
    )
    return standalone_svg(canvas, about.caption, page=page, key=str(about.key))


def png(canvas: Canvas, placed: Placed, theme: Theme, about: Inscription | None, *, dpi: int) -> bytes:
    """The drawing as a PNG of `width_px × dpi / 96` by `height_px × dpi / 96` pixels.

    Without `about` the file has no metadata.
    """
    file = io.BytesIO()
    words = (
        {}
        if about is None
        else {
            "Title": about.caption.title,
            "Description": about.caption.alt,
            "Source": str(_at(about.key, dpi)),
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


def _at(key: PictureKey, dpi: int) -> PictureKey:
    """The key of a PNG file, which names its resolution unless that is the usual one."""
    return replace(key, options=(*key.options, ("dpi", str(dpi)))) if dpi != PNG_DPI else key


def pdf(canvas: Canvas, placed: Placed, theme: Theme, about: Inscription) -> bytes:
    """The drawing as one PDF page, with embedded fonts and text that can be searched and copied."""
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
            "Keywords": str(about.key),
            **dict.fromkeys(("CreationDate", "Creator", "Producer")),
        },
    )
    return file.getvalue()


def _sheet(canvas: Canvas, placed: Placed) -> Bbox:
    """The sheet's bounds in inches, from the drawing's lower left corner."""
    left, top, width, height = placed.view_box
    # Slightly larger, because matplotlib rounds down to whole pixels.
    return Bbox.from_bounds(
        left / 72, (canvas.height_px - top - height) / 72, (width + 1e-4) / 72, (height + 1e-4) / 72
    )

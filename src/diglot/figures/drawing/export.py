"""Exports a drawing to a file for slides: SVG with glyphs as paths, PNG, or PDF.

Files have the colours of one theme and no dates. Their metadata has title, alt text and the figure's key.
"""

import io

import msgspec
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.transforms import Bbox

from diglot.figures.drawing import vega
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.sheets import Placed
from diglot.figures.drawing.svg import Caption, Page, standalone_svg
from diglot.figures.jobs import Format, Sheet
from diglot.figures.palette import DARK, LIGHT
from diglot.figures.picture_key import PictureKey
from diglot.figures.scripts.misuse import Misuse
from diglot.figures.sheet_options import with_resolution

CSS_DPI = 96


class Inscription(msgspec.Struct, frozen=True, kw_only=True):
    """Metadata of a file."""

    caption: Caption
    key: PictureKey
    """All but the resolution."""


PAPER = {"light": LIGHT["paper"], "dark": DARK["paper"]}
"""The colour of pages in each theme."""


def paper_of(sheet: Sheet) -> str | None:
    """The colour behind the drawing; None if there is none."""
    if sheet.background == "page":
        return PAPER[sheet.theme]
    return sheet.background or None


def paper_below_labels(sheet: Sheet) -> str:
    """The colour that keeps marks away from labels, for slides are white or dark if nothing else is said."""
    return paper_of(sheet) or ("#ffffff" if sheet.theme == "light" else DARK["paper"])


def write(canvas: Canvas, placed: Placed, sheet: Sheet, about: Inscription, format: Format) -> bytes:
    """The drawing as a file of some format."""
    if format == "svg":
        return svg(canvas, placed, about, paper=paper_of(sheet))
    if format == "pdf":
        return pdf(canvas, placed, about, paper=paper_of(sheet))
    return png(canvas, placed, about, paper=paper_of(sheet), dpi=sheet.dpi)


def svg(canvas: Canvas, placed: Placed, about: Inscription, *, paper: str | None) -> bytes:
    """The drawing as an SVG file that needs no installed fonts."""
    return standalone_svg(canvas, about.caption, page=_page(placed, paper), key=str(about.key))


def _page(placed: Placed, paper: str | None) -> Page:
    return Page(view_box=placed.view_box, width_px=placed.width_px, height_px=placed.height_px, paper=paper)


def png(canvas: Canvas, placed: Placed, about: Inscription | None, *, paper: str | None, dpi: int) -> bytes:
    """The drawing as a PNG of `width_px × dpi / 96` by `height_px × dpi / 96` pixels.

    Without `about` the file has no metadata.
    """
    words = (
        {}
        if about is None
        else {
            "Title": about.caption.title,
            "Description": about.caption.alt,
            "Source": str(with_resolution(about.key, dpi)),
        }
    )
    if canvas.picture is not None:
        caption = about.caption if about is not None else Caption(prefix="p", title="", alt="", lang="")
        return vega.png(standalone_svg(canvas, caption, page=_page(placed, paper), key=""), words, dpi)
    file = io.BytesIO()
    FigureCanvasAgg(canvas)
    canvas.savefig(
        file,
        format="png",
        dpi=72 * placed.scale * dpi / CSS_DPI,
        bbox_inches=_sheet(canvas, placed),
        facecolor=paper or "none",
        metadata={"Software": None, **words},
    )
    return file.getvalue()


def pdf(canvas: Canvas, placed: Placed, about: Inscription, *, paper: str | None) -> bytes:
    """The drawing as one PDF page, with embedded fonts and text that can be searched and copied."""
    if canvas.picture is not None:
        raise Misuse("a chart of Altair has no PDF file", "use SVG or PNG.")
    file = io.BytesIO()
    FigureCanvasPdf(canvas)
    canvas.savefig(
        file,
        format="pdf",
        bbox_inches=_sheet(canvas, placed),
        facecolor=paper or "none",
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

"""A drawing as a file of its own: PNG."""

import io
from collections.abc import Mapping

from diglot.figures.canvas import Canvas
from diglot.figures.palette import DARK, LIGHT, Theme


def png(canvas: Canvas, theme: Theme, *, dpi: int, text: Mapping[str, str]) -> bytes:
    """The drawing on the theme's paper; `text` becomes the file's tEXt chunks."""
    file = io.BytesIO()
    paper = (LIGHT if theme == "light" else DARK)["paper"]
    canvas.savefig(file, format="png", dpi=dpi, facecolor=paper, metadata={"Software": None, **text})
    return file.getvalue()

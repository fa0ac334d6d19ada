"""Pictures as PowerPoint shows them: SVG has a PNG picture next to it, for programs that do not know SVG."""

import io
from collections.abc import Callable
from typing import Any

import msgspec
from PIL import Image
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.figures.svg_sizes import svg_size
from diglot.slides.picture_metadata import picture_metadata
from diglot.slides.powerpoint_files.designs import Rect
from diglot.slides.powerpoint_files.elements import add
from diglot.slides.xml import ASVG, A, R

_SVG_EXTENSION = "{96DAC541-7B7A-43D3-8B79-37D633B846F1}"
_SHOWN = ("PNG", "JPEG", "GIF", "BMP", "TIFF")
_USUAL_SIDES = (300.0, 150.0)


class ShownPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture of the author's."""

    raster: bytes
    """In a format that PowerPoint knows; of an SVG file, a picture for programs that do not know SVG."""
    svg: bytes = b""


Paint = Callable[[bytes, int, int], bytes | None]
"""Makes a PNG picture of an SVG file of a width and height in pixels; None if it cannot."""


def shown_picture(path: str, content: bytes, paint: Paint) -> ShownPicture:
    """A picture for a slide. Raises DiagnosticError if it is in no known format."""
    if picture_metadata(content).format == "svg":
        width, height = (max(1, round(side)) for side in svg_size(content) or _USUAL_SIDES)
        painted = paint(content, width, height)
        raster = _png(Image.new("RGBA", (width, height), (0, 0, 0, 0))) if painted is None else painted
        return ShownPicture(raster=raster, svg=content)
    try:
        with Image.open(io.BytesIO(content)) as image:
            is_shown = image.format in _SHOWN
            return ShownPicture(raster=content if is_shown else _png(image.convert("RGBA")))
    except Exception as error:  # damaged files raise different errors in each format
        raise DiagnosticError(
            Diagnostic(
                rule="slides-picture",
                message=f'"{path}" is a picture that PowerPoint cannot show',
                fix="save it as PNG, JPEG or SVG.",
            )
        ) from error


def _png(image: Any) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG")
    return target.getvalue()


def put_picture(slide: Any, place: Rect, raster: bytes, svg: bytes = b"") -> Any:
    """Put a picture on a slide, as SVG where that is given. Returns its shape."""
    shape = slide.shapes.add_picture(io.BytesIO(raster), *place)
    if not svg:
        return shape
    package = slide.part.package
    name = PackURI(package.next_partname("/ppt/media/drawing%d.svg"))
    leads = slide.part.relate_to(Part(name, "image/svg+xml", package, svg), RELATIONSHIP_TYPE.IMAGE)
    blip = shape.element.find(f".//{A}blip")
    extension = add(add(blip, f"{A}extLst"), f"{A}ext", uri=_SVG_EXTENSION)
    drawing = add(extension, f"{ASVG}svgBlip", {"asvg": ASVG[1:-1]})
    drawing.set(f"{R}embed", leads)
    return shape


def fitted(place: Rect, raster: bytes) -> Rect:
    """The largest place of a picture's proportions in the middle of another one."""
    with Image.open(io.BytesIO(raster)) as image:
        width, height = image.size
    scale = min(place.width / width, place.height / height)
    wide, high = round(width * scale), round(height * scale)
    return Rect(place.left + (place.width - wide) // 2, place.top + (place.height - high) // 2, wide, high)

"""Authors' pictures in HTML: their size, the widths that browsers choose from, variants for dark pages."""

import re
from collections.abc import Iterable

from markupsafe import Markup, escape

from diglot.content.raw_html import is_pixels
from diglot.render.addresses import Addresses
from diglot.render.materials import ImageFile
from diglot.render.parts import in_srcset

COLUMN_PX = 680
"""Width of the text on a wide screen, in CSS pixels."""
_EDGES_PX = 40
"""What a narrow screen leaves at both sides of the text."""


def size_attributes(image: ImageFile, width: str, height: str) -> str:
    """The size of a picture as attributes; both sides are empty, or pixels that the author gave.

    With the size given, the browser reserves the space, so that nothing moves when the picture loads.
    """
    sides = zip(("width", "height"), _size(image, width, height), strict=True)
    return Markup("").join(Markup(' {}="{}"').format(name, side) for name, side in sides if side != "")


def _size(image: ImageFile, width: str, height: str) -> tuple[str | int, str | int]:
    """Width and height in pixels: what the author gave, and what follows from the size of the file."""
    if (width and height) or image.width_px is None or image.height_px is None:
        return width, height
    if width:
        return width, max(1, round(int(width) * image.height_px / image.width_px))
    if height:
        return max(1, round(int(height) * image.width_px / image.height_px)), height
    return (image.width_px, image.height_px) if image.is_sized else ("", "")


_DARK = ' data-dark media="(prefers-color-scheme: dark)"'


def picture_start(image: ImageFile, width: str, height: str, addresses: Addresses) -> str:
    """What is before a picture that browsers may show in another width, format or colour."""
    if not width and is_pixels(height):
        width = str(_size(image, "", height)[0])
    sources = _scaled(image, width, addresses)
    if (dark := image.dark) is not None:
        # HTML asks for a width here, too, where a source before has some.
        widest = dark.sizes[-1][0] if dark.sizes else None
        itself = _source(_DARK, ((widest, dark.path),), _shown(width, dark), addresses)
        sources = _scaled(dark, width, addresses, _DARK) + itself + sources
    return Markup(f"<picture>{sources}") if sources else ""


def picture_end(image: ImageFile) -> str:
    """What is behind such a picture."""
    return Markup("</picture>") if image.sizes or image.dark is not None else ""


def _scaled(image: ImageFile, wanted: str, addresses: Addresses, condition: str = "") -> str:
    """The widths to choose from, for browsers that know the format; empty for a picture in its own alone."""
    if not image.sizes:
        return ""
    kind = image.sizes[0][1].rpartition(".")[2]
    return _source(f'{condition} type="image/{kind}"', image.sizes, _shown(wanted, image), addresses)


def _source(about: str, files: Iterable[tuple[int | None, str]], sizes: str, addresses: Addresses) -> str:
    """Files with their widths, or one without."""
    offered = [(in_srcset(addresses.path(path)), width) for width, path in files]
    srcset = ", ".join(address if width is None else f"{address} {width}w" for address, width in offered)
    shown = "" if any(width is None for _, width in offered) else f' sizes="{sizes}"'
    return f'<source{about} srcset="{escape(srcset)}"{shown}>'


def _shown(wanted: str, image: ImageFile) -> str:
    """How wide a picture is shown, for `sizes`."""
    if found := re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]+)?)%", wanted):
        share = min(float(found[1]), 100) / 100
        narrow = f"calc({share:g} * (100vw - {_EDGES_PX}px))"
        return f"(max-width: {COLUMN_PX + _EDGES_PX}px) {narrow}, {round(share * COLUMN_PX)}px"
    pixels = re.fullmatch(r"([0-9]{1,6})(?:px)?", wanted)
    most = min(int(pixels[1]) if pixels else image.width_px or COLUMN_PX, COLUMN_PX)
    return f"(max-width: {most + _EDGES_PX}px) calc(100vw - {_EDGES_PX}px), {most}px"

"""Authors' pictures in HTML: their size, the widths that browsers choose from, variants for dark pages."""

import re

from markupsafe import Markup, escape

from diglot.content.records import Placeholder
from diglot.render.addresses import Addresses
from diglot.render.materials import ImageFile
from diglot.render.parts import Attributes

COLUMN_PX = 680
"""Width of the text on a wide screen, in CSS pixels."""
_EDGES_PX = 40
"""What a narrow screen leaves at both sides of the text."""


def image_attributes(image: ImageFile, placeholder: Placeholder, addresses: Addresses) -> str:
    """The address of a picture; in Markdown, with its size and the widths to choose from.

    With the size given, the browser reserves the space, so that nothing moves when the picture loads.
    """
    address = addresses.path(image.path)
    if image.width_px is None or image.height_px is None or placeholder.context != "attribute":
        return address
    width, height = image.width_px, image.height_px
    wanted = placeholder.width
    if wanted and wanted.isdigit() and int(wanted):
        width, height = int(wanted), max(1, round(int(wanted) * height / width))
    more = _choices(image, wanted, addresses) if wanted is not None else ""
    return Attributes(f'{escape(address)}"{more} width="{width}" height="{height}')


def picture_start(image: ImageFile, width: str | None, addresses: Addresses) -> str:
    """What begins a picture with a dark variant; empty for any other."""
    if image.dark is None:
        return ""
    choices = _choices(image.dark, width or "", addresses) or (
        f' srcset="{escape(_in_srcset(addresses.path(image.dark.path)))}"'
    )
    return Markup(f'<picture><source data-dark media="(prefers-color-scheme: dark)"{choices}>')


def _choices(image: ImageFile, wanted: str | None, addresses: Addresses) -> str:
    """The attributes `srcset` and `sizes`; empty for a picture that there is in one width alone."""
    if not image.sizes:
        return ""
    files = ", ".join(f"{_in_srcset(addresses.path(path))} {width}w" for width, path in image.sizes)
    return f' srcset="{escape(files)}" sizes="{_shown(wanted or "", image.width_px or COLUMN_PX)}"'


def _shown(wanted: str, own_px: int) -> str:
    """How wide a picture is shown, for `sizes`."""
    if found := re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]+)?)%", wanted):
        share = min(float(found[1]), 100) / 100
        narrow = f"calc({share:g} * (100vw - {_EDGES_PX}px))"
        return f"(max-width: {COLUMN_PX + _EDGES_PX}px) {narrow}, {round(share * COLUMN_PX)}px"
    pixels = re.fullmatch(r"([0-9]+)(?:px)?", wanted)
    most = min(int(pixels[1]) if pixels else own_px, COLUMN_PX)
    return f"(max-width: {most + _EDGES_PX}px) calc(100vw - {_EDGES_PX}px), {most}px"


def _in_srcset(address: str) -> str:
    """An address without what separates the entries of `srcset`."""
    return address.replace(",", "%2C").replace(" ", "%20")

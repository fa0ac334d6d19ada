"""Pictures that are heavier than what readers see of them."""

import re
from collections.abc import Iterator, Mapping

from diglot.check.finished_site import FinishedSite
from diglot.check.locating import in_html, picture_name
from diglot.check.parsed_pages import Candidate, Picture
from diglot.diagnostics import Diagnostic

COLUMN_PX = 680
"""Width of the text on a wide screen, in CSS pixels."""

_DOTS = 2
"""Dots of a screen for a CSS pixel, on most phones and new laptops."""

_HEAVY_BYTES = 300_000


def check_weights(site: FinishedSite, pictures: Mapping[str, bytes]) -> Iterator[Diagnostic]:
    """Pictures of more than 300 kB, as a reader with a sharp screen loads them.

    `pictures` maps output paths to contents.
    """
    for path, page in site.pages.items():
        if not page.is_indexed:
            continue
        for picture in page.pictures:
            shown = shown_width_px(picture)
            address = loaded(picture, shown).address
            size = len(pictures.get(site.file_at(address, path) or "", b""))
            if size <= _HEAVY_BYTES:
                continue
            name = picture_name(picture.src)
            kind = name.rpartition(".")[2].upper()
            is_html = address == picture.src  # of Markdown's pictures there are several widths
            yield site.reporter(path)(
                "picture-heavy",
                f'"{name}" has {size / 1000:,.0f} kB, and is shown {shown} px wide',
                picture.line,
                in_html(name) if is_html else name,
                _fix(kind, shown),
                severity="warning",
            )


def shown_width_px(picture: Picture) -> int:
    """The width of a picture on a wide screen, in CSS pixels."""
    if found := re.fullmatch(r"([0-9.]+)(px|%)?", picture.width):
        number = float(found[1])
        return round(COLUMN_PX * min(number, 100) / 100 if found[2] == "%" else min(number, COLUMN_PX))
    return COLUMN_PX


def loaded(picture: Picture, shown_px: int) -> Candidate:
    """The file that a browser chooses for a sharp screen."""
    wide_enough = [one for one in picture.candidates if (one.width_px or 0) >= _DOTS * shown_px]
    if wide_enough:
        return min(wide_enough, key=lambda one: one.width_px or 0)
    return max(picture.candidates, key=lambda one: one.width_px or 0)


def _fix(kind: str, shown_px: int) -> str:
    match kind:
        case "SVG":
            return "remove what is not seen, with a program such as svgo, or save it as a picture of pixels."
        case "GIF":
            return "a film has a tenth of that: use <video> with an MP4 or WebM file."
        case "PNG":
            return f"save a photograph as JPEG, and all pictures at most {_DOTS * shown_px} px wide."
    return f"save it at most {_DOTS * shown_px} px wide, or with lower quality."

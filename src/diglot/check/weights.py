"""Pictures that are heavier than what readers see of them."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from diglot.check.finished_site import FinishedSite
from diglot.check.locating import in_html, picture_name
from diglot.check.picture_widths import DOTS
from diglot.diagnostics import Diagnostic
from diglot.digests import digest_of

_HEAVY_BYTES = 300_000


def check_weights(site: FinishedSite, pictures: Mapping[str, bytes]) -> Iterator[Diagnostic]:
    """Pictures of more than 300 kB, as a reader with a sharp screen loads them.

    `pictures` maps output paths to contents.
    """
    contents = digest_of(" ".join(site.digest(path) for path in sorted(pictures)).encode())
    name = f"weights {site.state('pictures')} {contents}"
    for one in site.kept.value(name, tuple[_Heavy, ...], lambda: tuple(_heavy(site, pictures))):
        picture = site.pages[one.page].pictures[one.number]
        written = picture_name(picture.src)
        kind = written.rpartition(".")[2].upper()
        report = site.reporter(one.page)
        yield report(
            "picture-heavy",
            f'"{written}" has {one.size_bytes / 1000:,.0f} kB, and is shown {picture.width_px} px wide',
            picture.line,
            in_html(written)
            if picture.is_src
            else written,  # of Markdown's pictures there are several widths
            _fix(kind, picture.width_px),
            severity="warning",
        )


class _Heavy(NamedTuple):
    """A heavy picture on a page."""

    page: str
    number: int
    """Its place among the pictures of the page."""
    size_bytes: int


def _heavy(site: FinishedSite, pictures: Mapping[str, bytes]) -> Iterator[_Heavy]:
    @cache
    def size_of(path: str) -> int:
        return len(pictures[path]) if path in pictures else 0

    for path, page in site.pages.items():
        for number, picture in enumerate(page.pictures if page.is_indexed else ()):
            if (size := size_of(site.there(picture.goal))) > _HEAVY_BYTES:
                yield _Heavy(path, number, size)


def _fix(kind: str, shown_px: int) -> str:
    match kind:
        case "SVG":
            return "remove what is not seen, with a program such as svgo, or save it as a picture of pixels."
        case "GIF":
            return "a film has a tenth of that: use <video> with an MP4 or WebM file."
        case "PNG":
            return f"save a photograph as JPEG, and all pictures at most {DOTS * shown_px} px wide."
    return f"save it at most {DOTS * shown_px} px wide, or with lower quality."

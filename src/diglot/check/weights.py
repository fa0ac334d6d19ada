"""Pictures that are heavier than what readers see of them."""

from collections.abc import Iterator, Mapping
from functools import cache

from diglot.check.finished_site import FinishedSite
from diglot.check.locating import in_html, picture_name
from diglot.check.picture_widths import DOTS
from diglot.diagnostics import Diagnostic

_HEAVY_BYTES = 300_000


def check_weights(site: FinishedSite, pictures: Mapping[str, bytes]) -> Iterator[Diagnostic]:
    """Pictures of more than 300 kB, as a reader with a sharp screen loads them.

    `pictures` maps output paths to contents.
    """

    @cache
    def size_of(path: str) -> int:
        name = f"size {site.digest(path)}"
        return site.kept.value(name, int, lambda: len(pictures[path]))

    for path, page in site.pages.items():
        if not page.is_indexed:
            continue
        for picture in page.pictures:
            goal = site.there(picture.goal)
            size = size_of(goal) if goal in pictures else 0
            if size <= _HEAVY_BYTES:
                continue
            name = picture_name(picture.src)
            kind = name.rpartition(".")[2].upper()
            report = site.reporter(path)
            yield report(
                "picture-heavy",
                f'"{name}" has {size / 1000:,.0f} kB, and is shown {picture.width_px} px wide',
                picture.line,
                in_html(name) if picture.is_src else name,  # of Markdown's pictures there are several widths
                _fix(kind, picture.width_px),
                severity="warning",
            )


def _fix(kind: str, shown_px: int) -> str:
    match kind:
        case "SVG":
            return "remove what is not seen, with a program such as svgo, or save it as a picture of pixels."
        case "GIF":
            return "a film has a tenth of that: use <video> with an MP4 or WebM file."
        case "PNG":
            return f"save a photograph as JPEG, and all pictures at most {DOTS * shown_px} px wide."
    return f"save it at most {DOTS * shown_px} px wide, or with lower quality."

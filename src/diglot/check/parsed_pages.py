"""What checks need to know of a finished page. The source of the HTML does not matter."""

import re
from typing import NamedTuple

from diglot.check.html_tags import Tag, tags_of
from diglot.content.css import Url, pieces_of_css
from diglot.html_tags import PAINTED, refresh_target

_LINKS = frozenset(("href", "xlink:href", "src", "poster", "cite", "action", "formaction", "background"))
_CANDIDATE = re.compile(r"\s*([^\s,]\S*[^\s,]|[^\s,])(?:\s+([0-9.]+)([wx]))?\s*(?:,|$)")


class Candidate(NamedTuple):
    """One file of a picture that a browser may choose."""

    address: str
    width_px: int | None
    """The width that `srcset` promises; None where it promises none."""


class Picture(NamedTuple):
    """A picture as the page shows it."""

    candidates: tuple[Candidate, ...]
    """What the first `source` without a condition offers, else what the `img` does."""
    src: str
    width: str
    """What the page says of its width: a number of pixels, or a style such as `50%`; empty for nothing."""
    line: int


class Alternate(NamedTuple):
    """A version of the page in another language."""

    language: str
    """As `hreflang` writes it; `x-default` for readers of any other language."""
    address: str
    line: int


class ParsedPage:
    """A page, read once for all checks; everything with its line."""

    def __init__(self, html: str) -> None:
        self.names: set[str] = set()
        """Ids, and names of anchors."""
        self.repeated: list[tuple[str, int]] = []
        """Ids that were used before on the page."""
        self.targets: list[tuple[str, int]] = []
        """All addresses."""
        self.textless: list[tuple[str, int]] = []
        """Pictures without `alt`."""
        self.leads_to: list[str] = []
        """Addresses that readers can follow."""
        self.links_out: list[tuple[str, int]] = []
        """Addresses of links and pictures, without those in the page's head."""
        self.pictures: list[Picture] = []
        self.language = ""
        self.title = ""
        self.title_line = 1
        self.description = ""
        self.canonical = ""
        self.alternates: list[Alternate] = []
        self.is_indexed = True
        """False for a page that search engines are told to leave out, or that leads on at once."""
        self._offered: tuple[Candidate, ...] = ()
        templates = 0  # no part of the page: what it asks for later
        for tag in tags_of(html):
            templates = max(0, templates + (tag.name == "template") - (tag.name == "/template"))
            if not templates:
                self._take(tag)

    def _take(self, tag: Tag) -> None:
        attributes, line = tag.attributes, tag.line
        if identifier := attributes.get("id"):
            if identifier in self.names:
                self.repeated.append((identifier, line))
            self.names.add(identifier)
        if tag.name == "a" and (name := attributes.get("name")):
            self.names.add(name)
        self.targets += [(value, line) for name, value in attributes.items() if name in _LINKS]
        if tag.name == "object" and (data := attributes.get("data")):
            self.targets.append((data, line))
        for name, value in attributes.items():
            if "(" in value and (name == "style" or name in PAINTED):
                self.targets += [(one.target, line) for one in pieces_of_css(value) if isinstance(one, Url)]
        match tag.name:
            case "a" | "area":
                self._link(attributes, line)
            case "img" | "source":
                self._picture(tag.name, attributes, line)
            case "/picture":
                self._offered = ()
            case "title" if tag.title is not None and not self.title:
                self.title, self.title_line = tag.title, line
            case "link" | "meta" | "html":
                self._about(tag.name, attributes, line)

    def _link(self, attributes: dict[str, str], line: int) -> None:
        if href := attributes.get("href"):
            self.leads_to.append(href)
            self.links_out.append((href, line))

    def _picture(self, tag: str, attributes: dict[str, str], line: int) -> None:
        candidates = candidates_in(attributes.get("srcset", ""))
        self.targets += [(one.address, line) for one in candidates]
        if tag == "source":
            if "media" not in attributes:
                self._offered = self._offered or candidates
            return
        src = attributes.get("src", "")
        if "alt" not in attributes:
            self.textless.append((src, line))
        self.links_out.append((src, line))
        style = re.search(r"(?:^|;)\s*width:\s*([^;]+)", attributes.get("style", ""))
        self.pictures.append(
            Picture(
                candidates=self._offered or candidates or (Candidate(src, None),),
                src=src,
                width=style[1].strip() if style else attributes.get("width", ""),
                line=line,
            )
        )

    def _about(self, tag: str, attributes: dict[str, str], line: int) -> None:
        words = attributes.get("rel", "").split()
        match tag:
            case "html":
                self.language = attributes.get("lang", "")
            case "link" if "imagesrcset" in attributes:
                offered = candidates_in(attributes["imagesrcset"])
                self.targets += [(one.address, line) for one in offered]
            case "link" if "canonical" in words:
                self.canonical = attributes.get("href", "")
            case "link" if "alternate" in words and "hreflang" in attributes:
                self.alternates.append(Alternate(attributes["hreflang"], attributes.get("href", ""), line))
            case "meta" if attributes.get("name") == "description":
                self.description = attributes.get("content", "").strip()
            case "meta" if "noindex" in attributes.get("content", "") and attributes.get("name") == "robots":
                self.is_indexed = False
            case "meta" if attributes.get("http-equiv", "").lower() == "refresh":
                self.is_indexed = False
                target = refresh_target(attributes.get("content", ""))
                self.leads_to.append(target)
                self.targets.append((target, line))


def candidates_in(srcset: str) -> tuple[Candidate, ...]:
    """The files that a `srcset` offers."""
    return tuple(
        Candidate(address, int(float(number)) if unit == "w" else None)
        for address, number, unit in _CANDIDATE.findall(srcset)
    )

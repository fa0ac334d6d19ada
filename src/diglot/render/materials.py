"""What an article's page is made from: the parsed halves and all that their holes ask for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from diglot.content.records import Alignment, Document, FigureEmbed, FrontMatter, Hole, Parts, TableEmbed
from diglot.figure_request import FigureRequest
from diglot.figures.records import ComputedFigure, DrawnFigure
from diglot.languages import LANGUAGES, Language
from diglot.render.parts import holes_in
from diglot.site_map import Neighbours


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFile:
    """A picture as pages embed it."""

    path: str
    """From the site's root, or a whole address."""
    width_px: int | None = None
    height_px: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """One half of an article with its links resolved."""

    front_matter: FrontMatter
    document: Document
    links: Mapping[str, str] = field(default_factory=dict)
    """Target as written to a path from the site's root, `#row`, or a whole address."""
    images: Mapping[str, ImageFile] = field(default_factory=dict)
    """Target as written to the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureMaterial:
    """A figure as computed and drawn for one request."""

    computed: ComputedFigure
    script_path: str
    """Relative to the project."""
    drawn: Mapping[Language, DrawnFigure] = field(default_factory=dict)
    """Empty where only its numbers are used."""
    downloads: Mapping[Language, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """Words and paths from the site's root: (("SVG", "figures/roofline.zh.svg"), …)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """All that an article's pages are rendered from."""

    slug: str
    halves: Mapping[Language, Half]
    """One or two."""
    alignment: Alignment
    figures: Mapping[str, FigureMaterial] = field(default_factory=dict)
    """By the text of the `FigureRequest`: see `requests_of`."""
    neighbours: Mapping[Language, Neighbours] = field(default_factory=dict)
    source_urls: Mapping[str, str] = field(default_factory=dict)
    """Whole addresses of scripts and data files, by their paths; what is not here is named without a link."""

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages it is written in, zh before en."""
        return tuple(language for language in LANGUAGES if language in self.halves)


def requests_of(half_front_matter: FrontMatter, document: Document) -> tuple[FigureRequest, ...]:
    """The figures a half shows or reads values of, in the order they are first met."""
    found = [FigureRequest.of(embed.figure_id, embed.parameters) for embed in _embeds(document)]
    for hole in _all_holes(half_front_matter, document):
        found += [FigureRequest.parse(text) for text in hole.figures]
    return tuple(dict.fromkeys(found))


def drawn_requests_of(document: Document) -> tuple[FigureRequest, ...]:
    """The figures a half shows, as a drawing or as a table: those that must be drawn, not only computed."""
    embeds = _embeds(document)
    return tuple(dict.fromkeys(FigureRequest.of(embed.figure_id, embed.parameters) for embed in embeds))


def value_requests(*parts: Parts) -> tuple[FigureRequest, ...]:
    """The figures whose values some parts read, e.g. those of a title for a list."""
    texts = (text for some in parts for hole in holes_in(some) for text in hole.figures)
    return tuple(dict.fromkeys(map(FigureRequest.parse, texts)))


def _embeds(document: Document) -> tuple[FigureEmbed | TableEmbed, ...]:
    return (*document.figures, *document.tables)


def _all_holes(front_matter: FrontMatter, document: Document) -> Iterator[Hole]:
    yield from holes_in(front_matter.title)
    yield from holes_in(front_matter.description)
    for block in document.blocks:
        yield from holes_in(block.parts)
        for note in block.notes:
            yield from holes_in(note.parts)
    for embed in _embeds(document):
        yield from holes_in(embed.caption)

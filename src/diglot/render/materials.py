"""The material of an article's pages: the parsed halves and everything that their placeholders need."""

import datetime
from collections.abc import Mapping

import msgspec

from diglot.bibliography.works import NO_CITATIONS, HalfCitations
from diglot.content.records import Alignment, Document, FrontMatter, Parts
from diglot.figure_request import FigureRequest
from diglot.figures.chip_sheets import ChipName
from diglot.figures.frames.plan import Plan
from diglot.figures.records import ComputedFigure, DrawnFigure, Size
from diglot.languages import LANGUAGES, Bilingual, Language
from diglot.render.parts import placeholders_in
from diglot.site_map import ArticleKind, HalfSummary, Neighbours


class ImageFile(msgspec.Struct, frozen=True, kw_only=True):
    """An image that pages embed."""

    path: str
    """Path from the site's root, or a whole address."""
    width_px: int | None = None
    height_px: int | None = None
    is_sized: bool = True
    """False for a drawing that only has proportions, and takes the room that there is."""
    sizes: tuple[tuple[int, str], ...] = ()
    """The same in other widths, in CSS pixels, each with its path; the narrowest first."""
    dark: "ImageFile | None" = None
    """What takes its place on a dark page."""


class Exploration(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that readers can turn."""

    plan: Plan
    files: Mapping[Size, str]
    """For each size, the path from the site's root of what its states differ in."""


class DrawnDiagram(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A diagram of a half."""

    svg: str
    """An element of the page; empty where readers have neither the theme's colours nor its fonts."""
    alt: str


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """One half of an article with its links resolved."""

    front_matter: FrontMatter
    document: Document
    links: Mapping[str, str] = msgspec.field(default_factory=dict)
    """From the target as written to a path from the site's root, `#row`, or a whole address."""
    images: Mapping[str, ImageFile] = msgspec.field(default_factory=dict)
    """From the target as written to the image."""
    citations: HalfCitations = NO_CITATIONS
    diagrams: tuple[DrawnDiagram, ...] = ()
    explorations: Mapping[str, Exploration] = msgspec.field(default_factory=dict)
    """Figures that readers can turn, by their name in the article."""
    following: frozenset[tuple[str, str]] = frozenset()
    """Values that follow them: the name of the figure, and the expression."""
    values: str = ""
    """Path from the site's root of the texts of these values; empty where no value follows."""


class FigureMaterial(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, computed and drawn for one request."""

    computed: ComputedFigure
    script_path: str
    """Path relative to the project."""
    chips: tuple[ChipName, ...] = ()
    """Those whose facts it has read; empty where chips have no pages."""
    drawn: Mapping[Language, DrawnFigure] = msgspec.field(default_factory=dict)
    """Empty where only the figure's values are used."""
    answers_path: str = ""
    """Path from the site's root of the table behind its form; empty where it has none."""
    downloads: Mapping[Language, tuple[tuple[str, str], ...]] = msgspec.field(default_factory=dict)
    """Labels and paths from the site's root: (("SVG", "figures/roofline.zh.svg"), …)."""


class BehindBlock(msgspec.Struct, frozen=True, kw_only=True):
    """A place of a half at which its twin is newer."""

    row: str
    """The id of the row: of the block, or of the one before a block that this half lacks.
    Empty for the title."""
    twin_row: str
    """The id of the row of the newer block; empty if the twin dropped it."""
    since: datetime.date | None
    """The last day on which both were in step; None for a block that this half lacks."""


class ManualPage(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A page of the manual, in the list of all."""

    name: str
    title: str
    language: Language
    """The language of the title, where that of readers has no half."""
    path: str
    """From the site's root."""


class TreeSection(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A section of the manual with the pages that this build shows."""

    title: Bilingual
    pages: tuple[ManualPage, ...]


class ManualTree(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The manual for readers of a language."""

    title: Bilingual
    version: str
    sections: tuple[TreeSection, ...]

    @property
    def pages(self) -> tuple[ManualPage, ...]:
        """All of them, in the order in which one reads."""
        return tuple(page for section in self.sections for page in section.pages)


class ManualPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A page with the manual around it."""

    tree: ManualTree
    page: str
    """Its name."""
    edits: Mapping[Language, str]
    """The address at which each half can be edited; empty where the site names none."""


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an article's pages are rendered from."""

    paths: Mapping[Language, str]
    """The path of the page for readers of each language from the site's root. If there is one for a language
    in which there is no half, it shows the other half."""
    expired: bool = False
    """Whether it is shown although its last day has passed."""
    kind: ArticleKind = "post"
    halves: Mapping[Language, Half]
    """One or two."""
    alignment: Alignment
    figures: Mapping[str, FigureMaterial] = msgspec.field(default_factory=dict)
    """Figures that the article shows or quotes, by the text of the `FigureRequest`."""
    behind: Mapping[Language, tuple[BehindBlock, ...]] | None = None
    """For each half shown, where it is behind its twin; None where no file keeps count."""
    talks: tuple["LinkedArticle", ...] = ()
    """Talks about it; of a talk, the article that it is about."""
    neighbours: Mapping[Language, Neighbours] = msgspec.field(default_factory=dict)
    manual: ManualPlace | None = None
    """Where it is in the manual, for readers of one language; None where it is not in it."""
    source_urls: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Whole addresses of scripts and data files by path; pages show other files without a link."""

    @property
    def languages(self) -> tuple[Language, ...]:
        """The article's languages, zh before en."""
        return tuple(language for language in LANGUAGES if language in self.halves)


class CardWords(msgspec.Struct, frozen=True, kw_only=True):
    """What is written on a card."""

    language: Language
    title: str
    site: str
    host: str
    """Shown where there is no figure."""
    figure: str = ""
    """The text of the `FigureRequest` of the article's first figure; empty if it has none."""


def value_requests(*parts: Parts) -> tuple[FigureRequest, ...]:
    """The figures whose values some parts quote, e.g. those of a title in a list."""
    texts = (text for some in parts for placeholder in placeholders_in(some) for text in placeholder.figures)
    return tuple(dict.fromkeys(map(FigureRequest.parse, texts)))


class LinkedArticle(msgspec.Struct, frozen=True, kw_only=True):
    """An article or a talk, as a page of another one links to it."""

    paths: Mapping[Language, str]
    """Its pages; none if this build leaves it out."""
    titles: Mapping[Language, str]


class ListedTalk(msgspec.Struct, frozen=True, kw_only=True):
    """What the list of talks shows of one."""

    halves: tuple[HalfSummary, ...]
    date: datetime.date
    draft: bool
    expired: bool
    paths: Mapping[Language, str]
    files: Mapping[Language, tuple[tuple[str, str], ...]]
    """Names of formats, with the paths of the files."""
    article: LinkedArticle
    """The article that it is about."""

"""What the stages of content hand on: parsed halves, and the pair they make.

HTML is kept as parts: literal text with placeholders in it. A placeholder stands for what the parser cannot
know (a figure's value, the address of another page). It is resolved when the page is rendered, so that a
changed figure renders a page again without parsing it again.
"""

import datetime
from typing import Literal

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.languages import Language

PlaceholderKind = Literal["eval", "ref", "link", "image", "figure", "table"]
PlaceholderContext = Literal["html", "attribute", "text"]


class Placeholder(msgspec.Struct, frozen=True, kw_only=True):
    """A place in HTML that is filled when the page is rendered."""

    kind: PlaceholderKind
    """eval: a value; ref: "Figure 1"; link: an address; image: an address; figure, table: a whole embed."""
    target: str
    """eval: the expression; ref: the label; link and image: the target as written, decoded;
    figure and table: the index into the document's `figures` or `tables`."""
    line: int
    """In the source file, from 1."""
    context: PlaceholderContext = "html"
    """Where the filling lands: between tags, inside a quoted attribute, or in plain text."""
    figures: tuple[str, ...] = ()
    """eval: the figures whose data the expression reads, each as the text of a `FigureRequest`."""


Parts = tuple[str | Placeholder, ...]
"""Literal text with placeholders. The literals are escaped in HTML parts and plain in text parts."""

BlockKind = Literal[
    "heading",
    "paragraph",
    "list",
    "definitions",
    "table",
    "code",
    "formula",
    "figure",
    "quote",
    "admonition",
    "html",
    "rule",
]


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A footnote, shown beside the block that first refers to it."""

    number: int
    """From 1, in the order of the marks in this half."""
    parts: Parts
    """HTML of its content, without the number."""
    line: int


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """One top-level block of a half: the unit that is aligned with the twin, linked to and swapped."""

    kind: BlockKind
    line: int
    """First line in the source file, from 1, front matter counted."""
    parts: Parts
    """HTML. Ids inside it are unique across both halves of the pair (they carry the language)."""
    level: int = 0
    """Of a heading: 2 to 6 (a level-1 heading in a body is a diagnostic). 0 otherwise."""
    anchor: str | None = None
    """The id the author gave it (`{#roof}`, `:name:`); None where the pair will choose one."""
    number: int = 0
    """Of a formula that has a label, from 1; 0 otherwise."""
    text: str = ""
    """Plain text for alignment, slugs and search: headings and paragraphs whole, code as it stands."""
    notes: tuple[Note, ...] = ()


class FigureEmbed(msgspec.Struct, frozen=True, kw_only=True):
    """A figure placed in an article by a ```{figure} id``` directive."""

    figure_id: str
    name: str
    """What cross-references call it, and its anchor: `:name:`, by default `fig-<id>` with hyphens."""
    parameters: tuple[tuple[str, str], ...]
    """As written, e.g. (("dtype", "fp8"),); the figure's domains decide what they mean."""
    caption: Parts
    """HTML of the caption."""
    line: int


class TableEmbed(msgspec.Struct, frozen=True, kw_only=True):
    """A script's table placed in an article by a ```{table} id``` directive."""

    figure_id: str
    name: str
    """By default `tab-<id>` with hyphens."""
    parameters: tuple[tuple[str, str], ...]
    caption: Parts
    line: int


class FencedScript(msgspec.Struct, frozen=True, kw_only=True):
    """A figure script standing in an article as a ```{figure-script} id``` fence."""

    figure_id: str
    source: str
    line: int
    """Line of the first line of code in the article's file, so that tracebacks point there."""


class SharedText(msgspec.Struct, frozen=True, kw_only=True):
    """The `meta.yaml` beside the two halves: what both of them would say alike."""

    path: str
    text: str


class FrontMatter(msgspec.Struct, frozen=True, kw_only=True):
    """What an article says about itself in one language; shared keys of `meta.yaml` filled in."""

    title: Parts
    """Plain text with placeholders."""
    date: datetime.date
    description: Parts = ()
    """Plain text with placeholders; empty where the author gave none."""
    updated: datetime.date | None = None
    draft: bool = False
    tags: tuple[str, ...] = ()
    """Ids; their labels in both languages stand in `site/site.yaml`."""
    categories: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """Old addresses that lead here, as paths from the site's root."""
    only: Language | None = None
    """Set where the other half is missing on purpose."""
    slug: str | None = None
    """Overrides the folder's name in the address; the same in both halves."""


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """One half of an article, its body parsed."""

    path: str
    language: Language
    blocks: tuple[Block, ...]
    figures: tuple[FigureEmbed, ...] = ()
    tables: tuple[TableEmbed, ...] = ()
    scripts: tuple[FencedScript, ...] = ()
    links: tuple[Placeholder, ...] = ()
    """Every link and image of the body, for the link check."""
    reading_minutes: int = 1
    first_text: Parts = ()
    """Plain text of the first paragraph, with placeholders: the description where front matter gives none."""
    warnings: tuple[Diagnostic, ...] = ()
    """What is most likely not meant, but keeps nothing from being built."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A block and its twin."""

    id: str
    """The same on both pages: what the toggle, `#links` and the side-by-side view rest on."""
    zh: int | None
    """Index into the blocks of the zh half; None where only en has this block."""
    en: int | None


class Alignment(msgspec.Struct, frozen=True, kw_only=True):
    """How the two halves of an article run beside each other, in reading order."""

    rows: tuple[Row, ...] = msgspec.field(default=())

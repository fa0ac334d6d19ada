"""Records of the content stages: parsed halves, and the alignment of two of them.

HTML is kept as parts: literal text with placeholders. A placeholder stands for what the parser cannot know (a
figure's value, the address of another page). It is resolved when the page is rendered, so that a changed
figure renders the page again without parsing it again.
"""

import datetime
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.exploration import Explored
from diglot.languages import Language

PlaceholderKind = Literal[
    "eval",
    "assert",
    "control",
    "ref",
    "cite",
    "link",
    "image",
    "file",
    "picture",
    "picture-size",
    "picture-end",
    "figure",
    "table",
    "cell",
    "diagram",
    "label",
]
PlaceholderContext = Literal["html", "attribute", "srcset", "style-attribute", "style", "text"]


class Placeholder(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A place in HTML whose text is known only when the page is rendered."""

    kind: PlaceholderKind
    """eval: a value; assert: nothing, if a statement about values is true; control: a parameter that readers
    turn; ref: "Figure 1"; cite: the mark of a citation; link, image and file: an address; picture and
    picture-end: what is around an image that browsers may show in another format or colour; picture-size: its
    width and height as attributes; figure and table: a whole embed; cell: what a code cell shows;
    diagram: a drawn diagram; label: "Figure 1" of a picture, "(a)" of a part of it, "Theorem 2"."""
    target: str
    """eval and assert: the expression; control: `wave.n` or `n`; ref: the name; label: a
    `Label`; cite: a `CitationTarget`; link, image and file: the target as written, decoded; figure and
    table: the index into the document's `figures` or `tables`; cell and diagram: its number, from 0."""
    line: int
    """Line in the source file, from 1."""
    context: PlaceholderContext = "html"
    """Where the text is inserted: between tags, inside a quoted attribute, as an address in one with several
    files or in CSS, or in plain text."""
    figures: tuple[str, ...] = ()
    """eval and assert: the figures whose data the expression reads, each as the text of a `FigureRequest`;
    cell: the cells of the article, likewise."""
    width: str = ""
    """picture, picture-size: the width that the author gave, such as `50%`; empty for none."""
    height: str = ""
    """Likewise."""


Parts = tuple[str | Placeholder, ...]
"""Literal text with placeholders. Literals are escaped in HTML parts and plain in text parts."""

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
    "notes",
    "slide",
]


OF_TALKS = ("notes", "slide")
"""Kinds of blocks that articles do not show: what a speaker says, and what a slide on a section holds."""


class Note(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A footnote, shown next to the block that refers to it first."""

    number: int
    """Counts from 1, in the order of the marks in this half."""
    parts: Parts
    """HTML of the note, without its number."""
    line: int
    label: str = ""
    """What its mark says: `dense` in `[^dense]`."""
    first_line: int = 0
    """First line of its definition in the source file, from 1."""
    last_line: int = 0


class Block(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One top-level block of a half: the unit of alignment, of links, and of swapping languages."""

    kind: BlockKind
    line: int
    """First line in the source file, from 1, counting the front matter."""
    last_line: int = 0
    """Last line; 0 in a skeleton."""
    parts: Parts
    """HTML. Ids inside it carry the language, so that they are unique across both halves."""
    level: int = 0
    """Level of a heading, 2 to 6 (level 1 in a body is a diagnostic); 0 for other blocks."""
    anchor: str | None = None
    """The id that the author chose (`{#roof}`, `:name:`); None where the alignment chooses one."""
    number: int = 0
    """Number of a formula with a label, from 1; 0 for other blocks."""
    text: str = ""
    """Plain text for alignment, slugs and search: headings and paragraphs in full, code unchanged."""
    notes: tuple[Note, ...] = ()
    classes: tuple[str, ...] = ()
    """Its class names: `{.full}` on the line above it, or at the end of a heading."""
    markup: str = ""
    """How a rule is written: `---`, `***` or `___`; empty for other blocks."""


class FigureEmbed(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A figure that a ```{figure} id``` directive places in an article."""

    figure_id: str
    name: str
    """Its name in cross-references, and its anchor: `:name:`, by default `fig-<id>` with hyphens."""
    parameters: tuple[tuple[str, str], ...]
    """As written, e.g. (("dtype", "fp8"),); the domains in the figure's script define their types."""
    caption: Parts
    """HTML of the caption."""
    line: int
    explored: tuple[Explored, ...] = ()
    """The parameters that readers can turn; empty for a figure without controls."""
    explored_line: int = 0
    """The line of `:explore:`; 0 where there is none."""


class TableEmbed(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A script's table that a ```{table} id``` directive places in an article."""

    figure_id: str
    name: str
    """`:name:`, by default `tab-<id>` with hyphens."""
    parameters: tuple[tuple[str, str], ...]
    caption: Parts
    line: int


class FencedScript(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A figure script inside an article, written as a ```{figure-script} id``` fence."""

    figure_id: str
    source: str
    line: int
    """Line of the first line of code in the article's file, so that tracebacks point to it."""


class CodeCell(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Code that runs where it is shown, written as a ```{code-cell} python``` fence."""

    source: str
    """Its lines, without options."""
    line: int
    """The line of the first of them in the article's file."""
    fence_line: int
    alt: str = ""
    """What its pictures show, in words."""
    may_fail: bool = False
    """Whether it may raise an exception, which is shown."""
    is_hidden: bool = False
    """Whether readers see nothing of what it shows."""


class Diagram(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A diagram that a ```mermaid``` or ```dot``` fence describes."""

    kind: str
    """`mermaid` or `dot`."""
    source: str
    """Its lines, without options."""
    line: int
    """The line of the first of them in the article's file."""
    fence_line: int
    alt: str
    """What it shows, in words."""
    caption: Parts = ()


class SharedText(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The `meta.yaml` next to the two halves, with the front matter that both share."""

    path: str
    text: str


class FrontMatter(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Front matter of an article in one language, with the shared keys of `meta.yaml` filled in."""

    title: Parts
    """Plain text with placeholders."""
    date: datetime.date
    description: Parts = ()
    """Plain text with placeholders; empty where the author gave none."""
    updated: datetime.date | None = None
    expires: datetime.date | None = None
    """The last day on which builds show the article; None for ever."""
    draft: bool = False
    tags: tuple[str, ...] = ()
    """Ids; `site/site.yaml` has their labels in both languages."""
    categories: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    """Old addresses that redirect here, as paths from the site's root."""
    only: Language | None = None
    """This half's language, where the author leaves out the other half on purpose."""
    slug: str | None = None
    """Replaces the folder's name in the address of this half."""
    fallback: bool | None = None
    """Whether the only half is shown to readers of the other language too; None: as the site says."""
    comments: bool | None = None
    """Whether readers can comment on it, where the site has comments; None: on posts, but not on pages."""
    series: str = ""
    """Id of the series that it is a part of; empty for none."""
    part: int | None = None
    """Its number there; None to order it by date."""
    execute: bool = True
    """Whether its code cells run; else pages show what its notebook has stored."""
    contents: bool = True
    """Whether its page has a table of contents, if it has enough headings."""
    params: Mapping[str, Any] = {}
    """Values of the author's own, for templates."""
    event: Parts = ()
    """Where a talk was given, as plain text with placeholders; empty where its author does not say."""
    article: str = ""
    """The name of the post that a talk is about; empty for none."""


class Document(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One half of an article with its body parsed."""

    path: str
    language: Language
    blocks: tuple[Block, ...]
    figures: tuple[FigureEmbed, ...] = ()
    tables: tuple[TableEmbed, ...] = ()
    scripts: tuple[FencedScript, ...] = ()
    cells: tuple[CodeCell, ...] = ()
    diagrams: tuple[Diagram, ...] = ()
    links: tuple[Placeholder, ...] = ()
    """Every link and image of the body, for the link check."""
    citations: tuple[Placeholder, ...] = ()
    """Every citation of the body, in the order of the text."""
    reading_minutes: int = 1
    first_text: Parts = ()
    """Plain text of the first paragraph, with placeholders: the description where front matter has none."""
    warnings: tuple[Diagnostic, ...] = ()
    """Probable mistakes that do not stop the build."""


class Row(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A block and its twin."""

    id: str
    """The same on both pages: the language toggle, `#links` and the side-by-side view rely on it."""
    zh: int | None
    """Index into the blocks of the zh half; None where only the en half has this block."""
    en: int | None


class Alignment(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The rows of an article's two halves, in reading order."""

    rows: tuple[Row, ...] = msgspec.field(default=())

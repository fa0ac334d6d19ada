"""The document tree: what an article says, apart from how HTML writes it.

A half is parsed once, to these nodes, and what its readers see is written from them. Text in a line is `str`,
plain. The place of an inline is its block's line plus the line breaks before it, so that each `Break` stays,
even where it shows nothing.

Nodes are stored. They are frozen and hold no cycle, so the garbage collector need not count them: `gc=False`.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import msgspec

from diglot.content.records import (
    BlockKind,
    CodeCell,
    Diagram,
    Document,
    FencedScript,
    Parts,
    PlaceholderKind,
)
from diglot.exploration import Explored
from diglot.languages import Language

DEEPEST_TREE = 100
"""How deeply inlines may be nested, and elements of raw HTML: writers, and the store, recurse."""

Attributes: TypeAlias = dict[str, str]
Nodes: TypeAlias = tuple["Node", ...]

SPACE, NOTHING, NEW_LINE = 0, 1, 2
"""What a line break of the file is for readers; between two Chinese characters it is nothing."""


class _Node(msgspec.Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    pass


# Inlines


class Break(_Node, frozen=True, kw_only=True, tag=1):
    """The end of a line of the file."""

    shows: int
    """`SPACE`, `NOTHING` or `NEW_LINE`."""


class Styled(_Node, frozen=True, kw_only=True, tag=2):
    """Emphasis and the like."""

    name: str
    """An element of HTML: em, strong, s, span, or data for a `{cite-number}`."""
    children: Nodes
    attributes: Attributes = {}


class Code(_Node, frozen=True, kw_only=True, tag=3):
    """Code in a line."""

    text: str
    attributes: Attributes = {}


class Formula(_Node, frozen=True, kw_only=True, tag=4):
    """A formula in a line."""

    latex: str
    mathml: str
    """Empty for a formula with a mistake."""


class Link(_Node, frozen=True, kw_only=True, tag=5):
    """A link around text."""

    target: str
    """As written, decoded."""
    line: int
    """The line of its address, behind its text."""
    children: Nodes
    title: Parts | None = None
    """Plain text."""
    attributes: Attributes = {}


class Picture(_Node, frozen=True, kw_only=True, tag=6):
    """A picture in a line."""

    target: str
    line: int
    address_line: int
    """The line of its address, if its alternative text has several."""
    alt: Parts
    """Its alternative text, plain."""
    title: Parts | None = None
    attributes: Attributes = {}
    width: str = ""
    """As the author gave it; empty for none."""
    height: str = ""


class Value(_Node, frozen=True, kw_only=True, tag=7):
    """What is known only when a page is rendered: a value, an assertion, a control, a reference, or what a
    code cell shows."""

    kind: PlaceholderKind
    target: str
    line: int
    figures: tuple[str, ...] = ()
    attributes: Attributes = {}


class Mark(_Node, frozen=True, kw_only=True, tag=8):
    """The mark of a footnote."""

    number: int
    """0 for a footnote that there is not."""
    nth: int
    """Which of the marks of its footnote it is, from 1."""
    is_tucked: bool
    """Whether it is shown in the empty half of the full-width mark before it."""
    is_spaced: bool
    """Whether it would read as one with what is behind it."""


class Citation(_Node, frozen=True, kw_only=True, tag=11):
    """A place that cites works; its mark is known once all citations of the half are."""

    target: str
    """The text of a `CitationTarget`."""
    line: int


class Raw(_Node, frozen=True, kw_only=True, tag=9):
    """An element of raw HTML, or a piece that is none: a comment, or a tag without its other half."""

    begin: Parts
    """Its start tag, or the whole piece."""
    name: str = ""
    """The name of the element; `/b` for a lone end tag, and empty for what is no tag."""
    attributes: Attributes = {}
    children: Nodes = ()
    end: str = ""
    """Its end tag; empty where it has none."""


class RawText(_Node, frozen=True, kw_only=True, tag=10):
    """Text in raw HTML."""

    html: str


# Blocks


class Paragraph(_Node, frozen=True, kw_only=True, tag=20):
    """A paragraph."""

    children: Nodes
    attributes: Attributes = {}
    is_hidden: bool = False
    """Whether it is text without an element: in a tight list, or where readers see nothing of it."""


class Heading(_Node, frozen=True, kw_only=True, tag=22):
    """A heading."""

    level: int
    children: Nodes
    attributes: Attributes = {}


class Container(_Node, frozen=True, kw_only=True, tag=23):
    """A list, a quotation, a list of definitions, or a term or definition in one."""

    name: str
    """An element of HTML: ul, ol, blockquote, dl, dt or dd."""
    children: Nodes
    attributes: Attributes = {}


class Item(_Node, frozen=True, kw_only=True, tag=24):
    """An item of a list."""

    children: Nodes
    attributes: Attributes = {}
    is_done: bool | None = None
    """Whether a task is done; None for an item that is no task."""


class Table(_Node, frozen=True, kw_only=True, tag=25):
    """A table that is written in Markdown."""

    sides: tuple[str, ...]
    """Of each column: left, center or right; empty where the author gave none."""
    rows: tuple[tuple[Nodes, ...], ...]
    """The cells of each row; the first row is the head."""
    attributes: Attributes = {}


class CodeBlock(_Node, frozen=True, kw_only=True, tag=26):
    """A block of code."""

    text: str
    language: str = ""
    attributes: Attributes = {}
    title: str = ""
    marked: tuple[int, ...] = ()
    """Lines of the block, from 1."""
    first: int | None = None
    """The number of the first line; None for code without numbers."""


class Display(_Node, frozen=True, kw_only=True, tag=27):
    """A formula between blocks."""

    latex: str
    mathml: str
    number: int = 0
    """Counts from 1; 0 for a formula without a label."""
    classes: str = ""


class Directive(_Node, frozen=True, kw_only=True, tag=28):
    """Blocks between colons: an admonition, notes of a speaker, or what a slide on a section holds."""

    name: str
    children: Nodes
    title: Nodes = ()
    """Empty for one that is called by its kind."""
    attributes: Attributes = {}
    fold: str = ""
    """`closed` or `open` for one that readers unfold, as they first see it."""


class Embed(_Node, frozen=True, kw_only=True, tag=29):
    """A figure, or a table of numbers that a script makes."""

    kind: PlaceholderKind
    """`figure` or `table`."""
    figure_id: str
    name: str
    parameters: tuple[tuple[str, str], ...]
    caption: Nodes
    line: int
    explored: tuple[Explored, ...] = ()
    explored_line: int = 0


class Captioned(_Node, frozen=True, kw_only=True, tag=31):
    """A picture, diagram or table with a caption between blocks, which has a number; or several pictures."""

    picture: "Picture | Value | Table | Directive"
    """A `Directive` is the grid of a figure that has parts, each of them `Captioned` itself."""
    caption: Nodes
    name: str
    """Its name in references."""
    attributes: Attributes = {}
    of: str = "figure"
    """What it is counted with: `figure` or `table`, or `part` for a picture in a figure of several."""


class Rule(_Node, frozen=True, kw_only=True, tag=30):
    """A rule between blocks."""


Node: TypeAlias = (
    str
    | Break
    | Styled
    | Code
    | Formula
    | Link
    | Picture
    | Value
    | Mark
    | Citation
    | Raw
    | RawText
    | Paragraph
    | Heading
    | Container
    | Item
    | Table
    | CodeBlock
    | Display
    | Directive
    | Embed
    | Captioned
    | Rule
)


class Footnote(_Node, frozen=True, kw_only=True):
    """A footnote, shown next to the block that refers to it first."""

    number: int
    label: str
    line: int
    first_line: int
    last_line: int
    children: Nodes


class TopBlock(_Node, frozen=True, kw_only=True):
    """One top-level block of a half. Raw HTML that is open over several of Markdown's blocks joins them."""

    kind: BlockKind
    line: int
    last_line: int
    nodes: Nodes
    level: int = 0
    anchor: str | None = None
    number: int = 0
    notes: tuple[Footnote, ...] = ()
    classes: tuple[str, ...] = ()
    markup: str = ""


class Tree(_Node, frozen=True, kw_only=True):
    """The body of a half. Its blocks are those of its `Document`, in their order."""

    path: str
    language: Language
    blocks: tuple[TopBlock, ...]
    scripts: tuple[FencedScript, ...] = ()
    cells: tuple[CodeCell, ...] = ()
    diagrams: tuple[Diagram, ...] = ()


class ParsedText(NamedTuple):
    """A half, parsed: what it says, and what its pages show of it."""

    tree: Tree
    document: Document


def nodes_of(text: Parts) -> Nodes:
    """A plain text, such as a title, as nodes."""
    return tuple(
        part
        if isinstance(part, str)
        else Value(kind=part.kind, target=part.target, line=part.line, figures=part.figures)
        for part in text
    )


def children_of(node: Node) -> tuple[Nodes, ...]:
    """The nodes inside a node, each of its texts in turn: a title, then what is below it."""
    below = _CHILDREN.get(type(node))
    return () if below is None else below(node)


_CHILDREN: dict[type, Callable[[Any], tuple[Nodes, ...]]] = {
    **dict.fromkeys((Styled, Link, Raw, Paragraph, Heading, Container, Item), lambda node: (node.children,)),
    Table: lambda table: tuple(cell for row in table.rows for cell in row),
    Directive: lambda directive: (directive.title, directive.children),
    Embed: lambda embed: (embed.caption,),
    Captioned: lambda captioned: ((captioned.picture,), captioned.caption),
}


def all_below(nodes: Nodes) -> list[Node]:
    """All nodes, in the order of the text."""
    found: list[Node] = []
    _collect(nodes, found)
    return found


def _collect(nodes: Nodes, found: list[Node]) -> None:
    for node in nodes:
        found.append(node)
        if type(node) is not str and (below := _CHILDREN.get(type(node))) is not None:
            for children in below(node):
                _collect(children, found)


def texts_of(tree: Tree) -> Iterator[Nodes]:
    """What a half says: its blocks, each with its notes."""
    for block in tree.blocks:
        yield block.nodes
        for note in block.notes:
            yield note.children


def embeds_in(tree: Tree) -> Iterator[Embed]:
    """The figures of a half and its tables of numbers."""
    return (node for block in tree.blocks for node in block.nodes if isinstance(node, Embed))

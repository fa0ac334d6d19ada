"""The prose of nodes: what a reader reads, without code, formulas and the marks of notes."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import unescape

from diglot.bibliography.works import parse_target
from diglot.content.records import Parts, Placeholder, PlaceholderKind
from diglot.content.roles import CITE_NUMBER
from diglot.content.tree.nodes import (
    NEW_LINE,
    NOTHING,
    Break,
    Captioned,
    Citation,
    Code,
    CodeBlock,
    Container,
    Directive,
    Display,
    Embed,
    Formula,
    Heading,
    Item,
    Link,
    Mark,
    Nodes,
    Paragraph,
    Picture,
    Raw,
    RawText,
    Rule,
    Styled,
    Table,
    Value,
    all_below,
    nodes_of,
)
from diglot.content.tree.text import OF_MACHINES

BOUND = "\ufffc"
"""Stands for what is known only when the page is rendered, such as a figure's value."""

CITED = "\ufff9"
"""Stands for the mark of a footnote and for a link to another site: a sentence with one has a source."""

CITED_NUMBER, CITED_NUMBER_END = "\ufffa", "\ufffb"
"""Around the text of a `{cite-number}`: it has a source, and its sentence need not have one."""

Fill = Callable[[str], str]
"""The text of a value, given its expression."""

_ENDS_A_SENTENCE = frozenset(
    re.findall(r"\w+", "p li td th tr div dt dd h1 h2 h3 h4 h5 h6 br blockquote ul ol table pre")
)


def prose_of(nodes: Nodes, fill: Fill = lambda _expression: BOUND) -> str:
    """The sentences of nodes as plain text, blocks and cells on lines of their own."""
    prose = Lines(fill)
    prose.write(nodes)
    return "".join(prose.words)


class Lines:
    """Writes nodes as lines of text: as prose, where a subclass says nothing else."""

    _stand_ins: Mapping[str, str] = {
        **dict.fromkeys((*OF_MACHINES, "pre", "svg"), ""),
        **dict.fromkeys(("code", "math"), BOUND),
    }
    """What stands for elements of raw HTML that are not read."""

    def __init__(self, fill: Fill) -> None:
        self.words: list[str] = []
        self._fill = fill

    def write(self, nodes: Nodes) -> None:
        """Add what nodes say."""
        for node in nodes:
            if type(node) is str:
                self.words.append(node.replace("\n", " "))  # lines of the file end no sentence
            else:
                getattr(self, _METHODS[type(node)])(node)

    def _line(self, nodes: Nodes) -> None:
        """Add what nodes say as a line of its own."""
        self.words.append("\n")
        self.write(nodes)
        self.words.append("\n")

    def _inner_line(self, node: Paragraph | Heading | Container | Item) -> None:
        self._line(node.children)

    def _break(self, line_break: Break) -> None:
        if line_break.shows != NOTHING:
            self.words.append("\n" if line_break.shows == NEW_LINE else " ")

    def _styled(self, styled: Styled) -> None:
        if styled.attributes.get("class") != CITE_NUMBER:
            self.write(styled.children)
            return
        number = "".join(node for node in all_below(styled.children) if isinstance(node, str))
        self.words.append(f"{CITED_NUMBER}{number.rstrip()}{CITED_NUMBER_END}")

    def _cited(self) -> None:
        self.words.append(CITED)

    def _link(self, link: Link) -> None:
        if "://" in link.target:
            self._cited()
        self.write(link.children)

    def _mark(self, mark: Mark) -> None:
        self._cited()
        self.words.append(" " if mark.is_spaced else "")

    def _citation(self, citation: Citation) -> None:
        if parse_target(citation.target).form != "p":
            self.words.append(BOUND)  # the author's name
        self._cited()

    def _code(self, code: Code) -> None:
        self.words.append(BOUND)

    def _formula(self, formula: Formula | Display) -> None:
        self.words.append(BOUND)

    def _display(self, display: Display) -> None:
        self.words.append("\n")
        self._formula(display)
        self.words.append("\n")

    def _value(self, value: Value) -> None:
        self.words.append(self._fill(value.target) if value.kind == "eval" else BOUND)

    def _picture(self, picture: Picture) -> None:
        self._said_of_picture(picture.alt, picture.title or ())

    def _said_of_picture(self, alt: Parts, title: Parts) -> None:
        self._line(nodes_of(alt))

    def _table(self, table: Table) -> None:
        for row in table.rows:
            self._cells(row)

    def _cells(self, cells: Sequence[Nodes]) -> None:
        for cell in cells:
            self._line(cell)

    def _directive(self, directive: Directive) -> None:
        self._line(directive.title)
        self._line(directive.children)

    def _code_block(self, block: CodeBlock) -> None:
        self._line((block.title,))

    def _embed(self, embed: Embed) -> None:
        self._line(embed.caption)

    def _captioned(self, captioned: Captioned) -> None:
        if not isinstance(captioned.picture, Value):
            self.write((captioned.picture,))
        self._line(captioned.caption)

    def _rule(self, _rule: Rule) -> None:
        """Nothing is said."""

    def _raw(self, raw: Raw) -> None:
        if (stand_in := self._stand_ins.get(raw.name)) is not None:
            self.words.append(stand_in)
        elif raw.name == "img":
            alt, title = (raw.attributes.get(name, "") for name in ("alt", "title"))
            self._said_of_picture((alt,), (title,))
        elif raw.name == "tr":
            self._cells([cell.children for cell in raw.children if isinstance(cell, Raw)])
        elif raw.name in _ENDS_A_SENTENCE:
            self._line(raw.children)
        else:
            if raw.name == "a" and "://" in raw.attributes.get("href", ""):
                self._cited()
            self.write(raw.children)

    def _raw_text(self, text: RawText) -> None:
        self.words.append(unescape(text.html).replace("\n", " "))


_METHODS: dict[type, str] = {
    **dict.fromkeys((Paragraph, Heading, Container, Item), "_inner_line"),
    **{Break: "_break", Styled: "_styled", Link: "_link", Mark: "_mark", Code: "_code", Formula: "_formula"},
    **{Display: "_display", Value: "_value", Picture: "_picture", Table: "_table", Directive: "_directive"},
    **{CodeBlock: "_code_block", Embed: "_embed", Rule: "_rule", Raw: "_raw", RawText: "_raw_text"},
    **{Citation: "_citation", Captioned: "_captioned"},
}


def without_stand_ins(prose: str) -> str:
    """Prose as it can be shown: an ellipsis for what is known only when the page is rendered."""
    return re.sub(f"[{CITED}{CITED_NUMBER}{CITED_NUMBER_END}]", "", prose).replace(BOUND, "…")


def targets_of(nodes: Nodes, *kinds: PlaceholderKind) -> Iterator[str]:
    """What nodes refer to or quote, of some kinds, in order."""
    return (placeholder.target for placeholder in placeholders_below(nodes) if placeholder.kind in kinds)


def placeholders_below(nodes: Nodes) -> Iterator[Placeholder | Value]:
    """The addresses of nodes, and what is known only on a page."""
    for node in all_below(nodes):
        match node:
            case Value():
                yield node
            case Link():
                yield Placeholder(kind="link", target=node.target, line=node.line)
                yield from _placeholders(node.title or ())
            case Picture():
                yield Placeholder(kind="image", target=node.target, line=node.line)
                yield from _placeholders(node.alt)
                yield from _placeholders(node.title or ())
            case Raw():
                yield from _placeholders(node.begin)


def _placeholders(parts: Parts) -> Iterable[Placeholder]:
    return (part for part in parts if isinstance(part, Placeholder))

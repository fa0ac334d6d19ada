"""The prose of nodes: what a reader reads, without code, formulas and the marks of notes."""

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from typing import Any

from diglot.content.records import Parts, Placeholder, PlaceholderKind
from diglot.content.roles import CITE_NUMBER
from diglot.content.tree.nodes import (
    NEW_LINE,
    SPACE,
    Break,
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

_NOT_READ = OF_MACHINES | {"pre", "svg"}
_ENDS_A_SENTENCE = frozenset(
    re.findall(r"\w+", "p li td th tr div dt dd h1 h2 h3 h4 h5 h6 br blockquote ul ol table")
)


def prose_of(nodes: Nodes, fill: Fill = lambda _expression: BOUND) -> str:
    """The sentences of nodes as plain text, blocks and cells on lines of their own."""
    prose = _Prose(fill)
    prose.write(nodes)
    return "".join(prose.words)


class _Prose:
    def __init__(self, fill: Fill) -> None:
        self.words: list[str] = []
        self._fill = fill

    def write(self, nodes: Nodes) -> None:
        for node in nodes:
            if type(node) is str:
                self.words.append(node.replace("\n", " "))
            else:
                _WRITERS[type(node)](self, node)

    def line(self, nodes: Nodes) -> None:
        self.words.append("\n")
        self.write(nodes)
        self.words.append("\n")

    def break_(self, one: Break) -> None:
        if one.shows == NEW_LINE:
            self.words.append("\n")
        elif one.shows == SPACE:
            self.words.append(" ")  # lines of the file end no sentence

    def styled(self, styled: Styled) -> None:
        if styled.attributes.get("class") != CITE_NUMBER:
            self.write(styled.children)
            return
        number = "".join(node for node in all_below(styled.children) if isinstance(node, str))
        self.words.append(f"{CITED_NUMBER}{number}{CITED_NUMBER_END}")

    def link(self, link: Link) -> None:
        if "://" in link.target:
            self.words.append(CITED)
        self.write(link.children)

    def picture(self, picture: Picture) -> None:
        self.line(nodes_of(picture.alt))

    def value(self, value: Value) -> None:
        self.words.append(self._fill(value.target) if value.kind == "eval" else BOUND)

    def mark(self, mark: Mark) -> None:
        self.words.append(f"{CITED} " if mark.is_spaced else CITED)

    def raw(self, raw: Raw) -> None:
        if raw.name in ("code", "math"):
            self.words.append(BOUND)
        elif raw.name in _ENDS_A_SENTENCE:
            self.line(raw.children)
        elif raw.name == "img":
            self.line((raw.attributes.get("alt", ""),))
        elif raw.name not in _NOT_READ:
            if raw.name == "a" and "://" in raw.attributes.get("href", ""):
                self.words.append(CITED)
            self.write(raw.children)

    def table(self, table: Table) -> None:
        for row in table.rows:
            for cell in row:
                self.line(cell)

    def directive(self, directive: Directive) -> None:
        self.line(directive.title)
        self.line(directive.children)

    def code_block(self, block: CodeBlock) -> None:
        if block.title:
            self.line((block.title,))


_WRITERS: dict[type, Callable[[_Prose, Any], None]] = {
    Break: _Prose.break_,
    Styled: _Prose.styled,
    Link: _Prose.link,
    Picture: _Prose.picture,
    Value: _Prose.value,
    Mark: _Prose.mark,
    Raw: _Prose.raw,
    RawText: lambda prose, text: prose.words.append(unescape(text.html).replace("\n", " ")),
    Table: _Prose.table,
    Directive: _Prose.directive,
    CodeBlock: _Prose.code_block,
    **dict.fromkeys((Code, Formula), lambda prose, _: prose.words.append(BOUND)),
    **dict.fromkeys((Paragraph, Heading, Container, Item), lambda prose, node: prose.line(node.children)),
    Display: lambda prose, _: prose.line((BOUND,)),
    Embed: lambda prose, embed: prose.line(embed.caption),
    Rule: lambda prose, _: None,
}


def nodes_of(text: Parts) -> Nodes:
    """A plain text, such as a title, as nodes."""
    return tuple(
        part
        if isinstance(part, str)
        else Value(kind=part.kind, target=part.target, line=part.line, figures=part.figures)
        for part in text
    )


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

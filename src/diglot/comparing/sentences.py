"""Cuts the text of a block into sentences, each with the values that it quotes."""

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from typing import Any

from markupsafe import Markup

from diglot.comparing.records import BoundValue, Sentence
from diglot.content.plain_formulas import plain_formula
from diglot.content.prose import nodes_of
from diglot.content.records import Parts, Placeholder
from diglot.content.tree.nodes import (
    NEW_LINE,
    SPACE,
    Break,
    Code,
    CodeBlock,
    Container,
    Directive,
    Display,
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
    Styled,
    Table,
    Value,
)
from diglot.content.tree.text import OF_MACHINES
from diglot.render.parts import Resolver

# Control characters, which no text may contain: around a value's number, and at its end.
_BEGIN, _BEHIND_NUMBER, _END = "\x02", "\x03", "\x04"
_VALUE = re.compile(f"{_BEGIN}(\\d+){_BEHIND_NUMBER}([^{_END}]*){_END}")
_ASSERTED = "\x05"
"""Around the expression of an assertion, where it is."""
_ASSERTION = re.compile(f"{_ASSERTED}([^{_ASSERTED}]*){_ASSERTED}")
_SPACES = re.compile(r"[^\S\n\N{NO-BREAK SPACE}]+")
_STOP = re.compile(r"(?<=[。！？；])(?![”’」』）])|(?<=[。！？；][”’」』）])|(?<=[.!?])\s+(?=[A-Z“\x02])")
_ENDS_A_LINE = frozenset(
    ("p", "li", "dt", "dd", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "br")
)

_BETWEEN_CELLS = " | "

Bind = Callable[[Placeholder, str], BoundValue]
"""The value that a placeholder of kind `eval` stands for, and its text."""


def sentences_of(nodes: Nodes, resolver: Resolver, bind: Bind, line: int, *, is_code: bool) -> list[Sentence]:
    """The sentences of a block. `line` is where it begins in its file; `resolver` gives plain text."""
    lines = _Lines(resolver, bind)
    lines.write(nodes)
    text = "".join(lines.words)
    return [*cut(text if is_code else _SPACES.sub(" ", text), lines.bound, line, is_code=is_code)]


def cut(text: str, bound: Sequence[BoundValue], line: int, *, is_code: bool = False) -> Iterator[Sentence]:
    """The sentences of a text whose values and assertions are between marks; each line ends one, too."""
    for each in text.split("\n"):
        for marked in [each] if is_code else _STOP.split(each):
            asserts, piece = tuple(_ASSERTION.findall(marked)), _ASSERTION.sub("", marked)
            if not piece.strip():
                continue
            values = tuple(bound[int(found[1])] for found in _VALUE.finditer(piece))
            yield Sentence(
                text=_VALUE.sub(r"\2", piece).strip(),
                template=_VALUE.sub(lambda found: f"{{{bound[int(found[1])].expression}}}", piece).strip(),
                values=values,
                line=values[0].line if values else line,
                asserts=asserts,
            )


class _Lines:
    """Writes nodes as lines of text, with marks around values and assertions."""

    def __init__(self, resolver: Resolver, bind: Bind) -> None:
        self.words: list[str] = []
        self.bound: list[BoundValue] = []
        self._resolver = resolver
        self._bind = bind

    def write(self, nodes: Nodes) -> None:
        for node in nodes:
            if isinstance(node, str):
                self.words.append(node.replace("\n", " "))
            elif (writer := _WRITERS.get(type(node))) is not None:
                writer(self, node)

    def line(self, nodes: Nodes) -> None:
        self.write(nodes)
        self.words.append("\n")

    def break_(self, one: Break) -> None:
        if one.shows in (SPACE, NEW_LINE):
            self.words.append(" " if one.shows == SPACE else "\n")

    def formula(self, formula: Formula | Display) -> None:
        if formula.mathml:
            self.words.append(Markup(plain_formula(formula.mathml)).striptags())

    def value(self, value: Value) -> None:
        placeholder = Placeholder(
            kind=value.kind, target=value.target, line=value.line, figures=value.figures
        )
        text = self._resolver(placeholder)
        if value.kind == "assert":
            text = f"{_ASSERTED}{value.target}{_ASSERTED}"
        elif value.kind == "eval":
            self.bound.append(self._bind(placeholder, text))
            text = f"{_BEGIN}{len(self.bound) - 1}{_BEHIND_NUMBER}{text}{_END}"
        self.words.append(text)

    def picture(self, alt: Parts, title: Parts | None) -> None:
        self.words.append("\n")
        for text in (alt, title or ()):
            self.line(nodes_of(text))

    def raw(self, raw: Raw) -> None:
        if raw.name == "img":
            title = raw.attributes.get("title")
            self.picture((raw.attributes.get("alt", ""),), None if title is None else (title,))
        elif raw.name not in OF_MACHINES:
            self.write(raw.children)
            if raw.name == "tr" and self.words and self.words[-1] == _BETWEEN_CELLS:
                self.words.pop()
            if raw.name in _ENDS_A_LINE:
                self.words.append("\n")
            elif raw.name in ("td", "th"):
                self.words.append(_BETWEEN_CELLS)

    def table(self, table: Table) -> None:
        for row in table.rows:
            for at, cell in enumerate(row):
                self.words.append(_BETWEEN_CELLS if at else "")
                self.write(cell)
            self.words.append("\n")

    def directive(self, directive: Directive) -> None:
        self.line(directive.title)
        self.write(directive.children)

    def code_block(self, block: CodeBlock) -> None:
        self.words += (f"{block.title}\n" if block.title else "", block.text, "\n")


_WRITERS: dict[type, Callable[[_Lines, Any], None]] = {
    Break: _Lines.break_,
    Code: lambda lines, code: lines.words.append(code.text),
    Formula: _Lines.formula,
    Display: _Lines.formula,
    **dict.fromkeys((Styled, Link), lambda lines, node: lines.write(node.children)),
    **dict.fromkeys((Paragraph, Heading, Container, Item), lambda lines, node: lines.line(node.children)),
    Picture: lambda lines, picture: lines.picture(picture.alt, picture.title),
    Value: _Lines.value,
    Mark: lambda lines, mark: lines.words.append(" " if mark.is_spaced else ""),
    Raw: _Lines.raw,
    RawText: lambda lines, text: lines.words.append(unescape(text.html).replace("\n", " ")),
    Table: _Lines.table,
    Directive: _Lines.directive,
    CodeBlock: _Lines.code_block,
}

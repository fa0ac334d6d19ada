"""Writes nodes as plain text, for alignment, slugs and descriptions; `content.prose` is for guards."""

import functools
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any, cast
from xml.etree import ElementTree

from diglot.bibliography.works import parse_target
from diglot.content.plain_formulas import formula_in_one_line
from diglot.content.records import Parts, Placeholder
from diglot.content.tree.joining import joined
from diglot.content.tree.nodes import (
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
    Raw,
    RawText,
    Styled,
    Table,
    Tree,
    Value,
    all_below,
    texts_of,
)

OF_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote caption center dd details div dl dt fieldset figcaption figure"
        " footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol p section summary table tbody td"
        " tfoot th thead tr ul",
    )
)
"""Elements of raw HTML that begin and end a line."""
OF_MACHINES = frozenset(("script", "style", "template"))
"""Elements of raw HTML whose text no reader sees."""


def text_of(nodes: Nodes) -> str:
    """Plain text, each block on lines of its own, without values and without raw HTML. Code is unchanged."""
    words: list[str] = []
    _write(nodes, words)
    text = "".join(words).strip()
    if "\n" in text:  # one line each, without empty lines or spaces around them
        text = "\n".join(filter(None, [line.strip(" ") for line in text.split("\n")]))
    return text


def _write(nodes: Nodes, words: list[str]) -> None:
    for node in nodes:
        if type(node) is str:
            words.append(node)
        elif (writer := _WRITERS.get(type(node))) is not None:
            writer(node, words)


def _line(node: Any, words: list[str]) -> None:
    _write(node.children, words)
    words.append("\n")


def _table(table: Table, words: list[str]) -> None:
    for row in table.rows:
        for cell in row:
            if len(cell) == 1 and type(text := cell[0]) is str:  # as most are
                words.append(f"{text}\n")
                continue
            _write(cell, words)
            words.append("\n")


def _code_block(block: CodeBlock, words: list[str]) -> None:
    words += (f"{block.title}\n", block.text) if block.title else (block.text,)


def _directive(directive: Directive, words: list[str]) -> None:
    if directive.title:
        _write(directive.title, words)
        words.append("\n")
    _write(directive.children, words)


def _raw(raw: Raw, words: list[str]) -> None:
    _write(raw.children, words)
    if raw.name in OF_BLOCKS:
        words.append("\n")


def _break(line_break: Break, words: list[str]) -> None:
    if line_break.shows != NOTHING:
        words.append(" ")


def _captioned(captioned: Captioned, words: list[str]) -> None:
    if isinstance(captioned.picture, Table | Directive):
        _write((captioned.picture,), words)
    words.append(text_of(captioned.caption))


_Writer = Callable[[Any, list[str]], None]
_WRITERS: dict[type, _Writer] = {
    Break: _break,
    Code: lambda node, words: words.append(node.text),
    Formula: lambda node, words: words.append(node.latex),
    **dict.fromkeys((Styled, Link), lambda node, words: _write(node.children, words)),
    Raw: _raw,
    **dict.fromkeys((Paragraph, Heading, Container, Item), _line),
    Table: _table,
    CodeBlock: _code_block,
    Display: lambda node, words: words.append(f"{node.latex.strip()}\n"),
    Directive: _directive,
    Embed: lambda node, words: words.append(text_of(node.caption)),
    Captioned: _captioned,
}


def line_of(nodes: Nodes) -> Parts:
    """A paragraph as one line of plain text, in which values and references stay placeholders."""
    return joined([*_pieces(nodes)])


def _pieces(nodes: Nodes) -> Iterator[str | Placeholder]:
    for index, node in enumerate(nodes):
        match node:
            case str():
                yield (node.rstrip(" ") if _precedes_mark(nodes, index) else node).replace("\n", " ")
            case Citation() if not _is_in_brackets(node):
                yield Placeholder(kind="cite", target=node.target, line=node.line, context="text")
            case Break():
                yield "" if node.shows == NOTHING else " "
            case Code():
                yield node.text.replace("\n", " ")
            case Formula(mathml=mathml):
                yield formula_in_one_line(mathml).replace("\n", " ") if mathml else ""
            case Value(kind="eval" | "control" | "ref"):
                yield Placeholder(
                    kind=node.kind, target=node.target, line=node.line, context="text", figures=node.figures
                )
            case RawText():
                yield unescape(node.html).replace("\n", " ")
            case Raw() if node.name in OF_MACHINES:
                continue
            case Mark(is_spaced=True):
                yield " "
            case Styled() | Link() | Raw() | Paragraph():
                yield from _pieces(node.children)


def _precedes_mark(nodes: Nodes, index: int) -> bool:
    following = nodes[index + 1] if index + 1 < len(nodes) else None
    return isinstance(following, Citation) and _is_in_brackets(following)


def _is_in_brackets(citation: Citation) -> bool:
    return parse_target(citation.target).form == "p"


def characters_of_formulas(tree: Tree) -> set[str]:
    """The characters that the formulas of a half are set with, white space aside."""
    found: set[str] = set()
    for nodes in texts_of(tree):
        for node in all_below(nodes):
            kind = type(node)  # there are many nodes, and few formulas
            if kind is Formula or kind is Display:
                found |= _characters_of_mathml(cast(Formula | Display, node).mathml)
            elif kind is Raw and (raw := cast(Raw, node)).name == "math":
                found |= {character for character in text_of_html(raw) if not character.isspace()}
    return found


@functools.lru_cache(maxsize=1024)
def _characters_of_mathml(mathml: str) -> frozenset[str]:
    if not mathml:
        return frozenset()
    formula = ElementTree.fromstring(mathml)
    has_root = any(element.tag in _ROOTS for element in formula.iter())
    return frozenset(
        character for character in "".join((*formula.itertext(), "√" * has_root)) if not character.isspace()
    )


_ROOTS = ("msqrt", "mroot")


def text_of_html(raw: Raw) -> str:
    """All text in an element of raw HTML, with the sign of a root where MathML has one."""
    text = "√" if raw.name in _ROOTS else ""
    for node in raw.children:
        if isinstance(node, Raw):
            text += text_of_html(node)
        elif isinstance(node, RawText):
            text += unescape(node.html)
        elif isinstance(node, str):
            text += node
    return text

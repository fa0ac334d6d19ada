"""What is stored of a parsed half, and how it is read: its body, and the parts that are cut out of it."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec import Raw, msgpack

from diglot.content.records import (
    CodeCell,
    Diagram,
    Document,
    FencedScript,
    FigureEmbed,
    Parts,
    Placeholder,
    TableEmbed,
)
from diglot.content.tree.nodes import ParsedText, Tree
from diglot.engine import BlobReference, Packs
from diglot.exploration import Explored
from diglot.languages import Language


class Source(NamedTuple):
    """A half as it is parsed."""

    text: str
    path: str
    language: Language


class ParsedHalf(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The body of a half, with each part encoded separately."""

    body: Raw
    """A `Document`."""
    outline: Raw
    """An `Outline`."""
    skeleton: Raw
    """A `Document` without its text: what the twin's page needs to number figures and pair blocks."""
    references: Raw
    """A `References`."""
    keywords: Raw
    """The words that say what it is about."""
    tree: Raw
    """A `Tree`."""


class Outline(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What other tasks need from a half's body, apart from its own pages."""

    reading_minutes: int
    first_text: Parts
    scripts: tuple[FencedScript, ...]
    formulas: str
    """The characters of its formulas, each once, in their order."""


class ExploredEmbed(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A figure that readers can turn."""

    name: str
    request: str
    """The text of the `FigureRequest` that it is shown with first."""
    explored: tuple[Explored, ...]
    line: int
    """The line of `:explore:`."""


class FollowingValue(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A value in prose that follows a figure that readers can turn."""

    expression: str
    figures: tuple[str, ...]
    """The figures whose data it reads, each as the text of a `FigureRequest`."""
    figure: str
    """The name of the figure that it follows."""
    line: int


class References(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What a half's body refers to: links, pictures and figures."""

    path: str
    language: Language
    links: tuple[Placeholder, ...]
    embedded: tuple[tuple[str, int], ...]
    """Figures shown as drawing or table: the text of a `FigureRequest`, and the line."""
    quoted: tuple[tuple[str, int], ...]
    """Figures whose values the text quotes, in the same form."""
    cells: tuple[CodeCell, ...] = ()
    diagrams: tuple[Diagram, ...] = ()
    explored: tuple[ExploredEmbed, ...] = ()
    """Figures that readers can turn."""
    following: tuple[FollowingValue, ...] = ()
    """Values that follow them, each expression once."""
    citations: tuple[Placeholder, ...] = ()
    """Every citation, in the order of the text."""


_AT_HAND = 8
"""How many bodies stay decoded: both halves of an article are aligned, then rendered on two pages each."""


def body_of(packs: Packs, blob: BlobReference) -> Document:
    """The body in a `ParsedHalf`, read from its pack. Raises ObjectMissing if it is gone."""
    return _body_in(packs.folder, blob)


def parsed_in(packs: Packs, blob: BlobReference) -> ParsedText:
    """All of a `ParsedHalf`. Raises ObjectMissing if it is gone."""
    half = msgpack.decode(packs.read(blob), type=ParsedHalf)
    return ParsedText(msgpack.decode(half.tree, type=Tree), msgpack.decode(half.body, type=Document))


def tree_of(packs: Packs, blob: BlobReference) -> Tree:
    """The tree in a `ParsedHalf`. Raises ObjectMissing if it is gone."""
    return msgpack.decode(msgpack.decode(packs.read(blob), type=ParsedHalf).tree, type=Tree)


@lru_cache(_AT_HAND)
def _body_in(folder: str, blob: BlobReference) -> Document:
    half = msgpack.decode(Packs(folder).read(blob), type=ParsedHalf)
    return msgpack.decode(half.body, type=Document)


def parts_of(document: Document) -> Iterator[Parts]:
    """The texts of a body: of its blocks, notes and captions."""
    for block in document.blocks:
        yield block.parts
        for note in block.notes:
            yield note.parts
    for embed in embeds_of(document):
        yield embed.caption


def embeds_of(document: Document) -> tuple[FigureEmbed | TableEmbed, ...]:
    """Its figures and tables of numbers."""
    return (*document.figures, *document.tables)

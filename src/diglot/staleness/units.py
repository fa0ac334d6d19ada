"""What is translated of an article: blocks, footnotes, texts of the front matter, each as Markdown."""

from collections.abc import Iterator
from functools import cached_property
from itertools import zip_longest

import msgspec

from diglot.content.front_matter import split_front_matter
from diglot.content.records import Alignment, Document
from diglot.diagnostics import DiagnosticError
from diglot.languages import Language
from diglot.staleness.normalising import bigrams, digest, normalised
from diglot.strict_yaml import read_mapping

TOP = "_top"
"""The id of the row with an article's title."""
OF_FRONT_MATTER = ("title", "description", "event")
"""Keys whose texts are translated. As kinds of units they have an id that begins with `_`."""
FOOTNOTE = "footnote"


class Unit(msgspec.Struct, frozen=True, kw_only=True, dict=True):  # dict=True is for what is cached
    """A block of one half, a footnote, or a text of the front matter."""

    kind: str
    """A `BlockKind`, `footnote`, or a key of the front matter."""
    text: str
    """Its Markdown as the author wrote it, without the line of attributes above it."""
    line: int
    """First line in the source file, from 1."""
    last_line: int
    anchor: str | None = None
    """What its author calls it: the id of a block, or the label of a footnote."""

    @cached_property
    def bigrams(self) -> frozenset[str]:
        """The pairs of neighbouring characters of its text."""
        return bigrams(normalised(self.text, self.kind))

    @cached_property
    def digest(self) -> str:
        """The digest of its Markdown as it is compared."""
        return digest(self.text, self.kind)


class Twins(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of each half that the alignment pairs; one of them may be None."""

    id: str
    """The id of the row of a block, `^label` of a footnote, `_title` of a text of the front matter."""
    row: str
    """The id of the row on pages that shows it."""
    zh: int | None
    """Index into the units of the zh half."""
    en: int | None


class Units(msgspec.Struct, frozen=True, kw_only=True):
    """All units of an article, in reading order."""

    zh: tuple[Unit, ...]
    en: tuple[Unit, ...]
    twins: tuple[Twins, ...]

    def of(self, language: Language) -> tuple[Unit, ...]:
        """The units of one half."""
        return self.zh if language == "zh" else self.en


def units_of(zh: tuple[Document, str], en: tuple[Document, str], alignment: Alignment) -> Units:
    """The units of both halves, each given with the text that it was parsed from."""
    left, right = _Half(*zh), _Half(*en)
    twins: list[Twins] = []

    def add(name: str, row: str, one: Unit | None, other: Unit | None) -> None:
        if one is not None or other is not None:
            twins.append(Twins(id=name, row=row, zh=left.take(one), en=right.take(other)))

    for key in OF_FRONT_MATTER:
        add(f"_{key}", TOP, left.matter.get(key), right.matter.get(key))
    for row in alignment.rows:
        add(row.id, row.id, left.block(row.zh), right.block(row.en))
        for one, other in zip_longest(left.notes(row.zh), right.notes(row.en)):
            add(f"^{(other or one).anchor}", row.id, one, other)
    return Units(zh=tuple(left.units), en=tuple(right.units), twins=tuple(twins))


def units_of_half(document: Document, text: str) -> tuple[Unit, ...]:
    """The units of one half, without those of its front matter."""
    half = _Half(document, text)
    for index in range(len(document.blocks)):
        for unit in (half.block(index), *half.notes(index)):
            half.take(unit)
    return tuple(half.units)


class _Half:
    """One half, whose units are collected in reading order."""

    def __init__(self, document: Document, text: str) -> None:
        matter = split_front_matter(text, document.path)
        self._document = document
        self._lines = matter.lines
        self.matter = {unit.kind: unit for unit in _of_front_matter(matter.yaml, document.path)}
        self.units: list[Unit] = []

    def take(self, unit: Unit | None) -> int | None:
        """The index of a unit, which is added."""
        if unit is None:
            return None
        self.units.append(unit)
        return len(self.units) - 1

    def block(self, index: int | None) -> Unit | None:
        """The unit of a block."""
        if index is None:
            return None
        block = self._document.blocks[index]
        if block.kind == "rule":
            return None  # it says nothing, and one is like another
        text, last = self._source(block.line, block.last_line)
        return Unit(kind=block.kind, text=text, line=block.line, last_line=last, anchor=block.anchor)

    def notes(self, index: int | None) -> Iterator[Unit]:
        """The units of the footnotes that are next to a block."""
        for note in () if index is None else self._document.blocks[index].notes:
            text, last = self._source(note.first_line, note.last_line)
            yield Unit(kind=FOOTNOTE, text=text, line=note.first_line, last_line=last, anchor=note.label)

    def _source(self, first: int, last: int) -> tuple[str, int]:
        """The lines from one to another without blank ones at the end, and the last of them."""
        while last > first and not self._lines[last - 1].strip():
            last -= 1
        return "\n".join(self._lines[first - 1 : last]), last


def _of_front_matter(yaml: str | None, path: str) -> Iterator[Unit]:
    """The texts of a half's own front matter; none if it has mistakes, which are reported elsewhere."""
    try:
        mapping = read_mapping(yaml or "", path, first_line=2)
    except DiagnosticError:
        return
    for key in OF_FRONT_MATTER:
        text, line = mapping.values.get(key), mapping.lines.get((key,), 1)
        if isinstance(text, str) and text.strip():
            yield Unit(kind=key, text=text, line=line, last_line=line)

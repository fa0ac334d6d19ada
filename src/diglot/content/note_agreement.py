"""Compares which footnotes two blocks have."""

import re
from collections import Counter
from collections.abc import Iterator

from diglot.content.differences import Difference
from diglot.content.prose import markup_of
from diglot.content.records import Block, Document

_MARK = re.compile(r'<a href="#note-\w+-(\d+)" id="mark')


def compare_notes(one: Block, other: Block, zh: Document, en: Document) -> Iterator[Difference]:
    """The marks of notes in two blocks: how many, and of which, where both halves call their notes alike."""
    left, right = _marks(one), _marks(other)
    fix = "give both halves the same footnotes."
    if len(left) != len(right):
        message = f"{len(left)} footnotes here, {len(right)} in the English half"
        yield Difference(rule="halves-note", message=message, fix=fix)
        return
    labels = _labels(zh), _labels(en)
    if {*labels[0].values()} != {*labels[1].values()}:
        return
    here, there = (
        Counter(of.get(number, "") for number in numbers)
        for of, numbers in zip(labels, (left, right), strict=True)
    )
    for label in sorted(here - there):
        yield Difference("halves-note", f"the footnote [^{label}] is not in the English half", fix)


def _marks(block: Block) -> list[int]:
    return [int(number) for number in _MARK.findall(markup_of(block.parts))]


def _labels(document: Document) -> dict[int, str]:
    return {note.number: note.label for block in document.blocks for note in block.notes}

"""Compares which footnotes two blocks have."""

from collections import Counter
from collections.abc import Iterator

from diglot.content.differences import Difference
from diglot.content.tree.nodes import Mark, TopBlock, Tree, all_below
from diglot.diagnostics import counted


def compare_notes(one: TopBlock, other: TopBlock, zh: Tree, en: Tree) -> Iterator[Difference]:
    """The marks of notes in two blocks: how many, and of which, where both halves call their notes alike."""
    left, right = _marks(one), _marks(other)
    fix = "give both halves the same footnotes."
    if len(left) != len(right):
        message = f"{counted(len(left), 'footnote')} here, {len(right)} in the English half"
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


def _marks(block: TopBlock) -> list[int]:
    return [node.number for node in all_below(block.nodes) if isinstance(node, Mark)]


def _labels(document: Tree) -> dict[int, str]:
    return {note.number: note.label for block in document.blocks for note in block.notes}

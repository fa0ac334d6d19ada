"""Compares which footnotes two blocks have, and which works they cite."""

from collections import Counter
from collections.abc import Iterator

from diglot.bibliography.works import parse_target
from diglot.content.differences import Difference
from diglot.content.tree.nodes import Citation, Mark, TopBlock, Tree, all_below
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


def compare_citations(one: TopBlock, other: TopBlock, zh: Tree, en: Tree) -> Iterator[Difference]:
    """The works that one of two blocks cites, and the other half nowhere."""
    left, right = _cited_in(one), _cited_in(other)
    fix = "cite the same works in both halves."
    if left - right and (keys := left - right - _cited_by(en)):
        message = f"the English half does not cite {', '.join(sorted(keys))}"
        yield Difference(rule="halves-citation", message=message, fix=fix)
    if right - left and (keys := right - left - _cited_by(zh)):
        message = f"the English half cites {', '.join(sorted(keys))}, and this one does not"
        yield Difference(rule="halves-citation", message=message, fix=fix)


def _cited_by(half: Tree) -> set[str]:
    return {key for block in half.blocks for key in _cited_in(block)}


def _cited_in(block: TopBlock) -> set[str]:
    texts = (block.nodes, *(note.children for note in block.notes))
    return {
        key
        for nodes in texts
        for node in all_below(nodes)
        if isinstance(node, Citation)
        for key in parse_target(node.target).keys
    }


def _marks(block: TopBlock) -> list[int]:
    return [node.number for node in all_below(block.nodes) if isinstance(node, Mark)]


def _labels(document: Tree) -> dict[int, str]:
    return {note.number: note.label for block in document.blocks for note in block.notes}

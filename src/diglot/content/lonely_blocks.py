"""Finds paragraphs, lists and quotations that only one half has.

`pairs.py` reports headings, figures, code and formulas in every build. Where a half has joined two blocks of
prose into one, nothing is missing, but they are not side by side.
"""

import math
from collections.abc import Iterator

from diglot.content.differences import Difference
from diglot.content.pairs import (
    TOLD_IN_BUILDS,
    called,
    half_place,
    halves_warning,
    length_in_letters,
    missing_warning,
)
from diglot.content.prose import prose_of
from diglot.content.records import Alignment, Row
from diglot.content.tree.nodes import Paragraph, Raw, TopBlock, Tree, all_below
from diglot.diagnostics import Diagnostic, counted


def report_lonely_blocks(zh: Tree, en: Tree, alignment: Alignment) -> Iterator[Diagnostic]:
    """A warning for each."""
    last: dict[str, TopBlock] = {}
    for index, row in enumerate(alignment.rows):
        here, there = (zh, en) if row.en is None else (en, zh)
        block = _block(row, here)
        if block is not None and _block(row, there) is None and block.kind not in TOLD_IN_BUILDS:
            beside = (*alignment.rows[max(0, index - 1) : index], *alignment.rows[index + 1 : index + 2])
            joined = next((other for other in beside if _is_joined(block, other, here, there)), None)
            twin = None if joined is None else _block(joined, there)
            if twin is None:
                yield missing_warning(block, here, there, last.get(there.language))
            else:
                message = f"{called(block)} is part of the one at {half_place(twin, there)}"
                fix = "divide both halves in the same way."
                yield halves_warning("halves-split", message, block, here, fix)
        for half in (zh, en):
            if (passed := _block(row, half)) is not None:
                last[half.language] = passed


_SHORTER = 0.8
"""A half with fewer paragraphs lacks one if it is shorter than this share of the other."""


def compare_paragraphs(one: TopBlock, other: TopBlock) -> Iterator[Difference]:
    """Whether one of two notes, admonitions or quotations lacks a paragraph of the other."""
    here, there = _count_paragraphs(one), _count_paragraphs(other)
    fewer, more = (one, other) if here < there else (other, one)
    if one.kind in _OF_PARAGRAPHS and here != there and _length(fewer) < _SHORTER * _length(more):
        message = f"{counted(here, 'paragraph')} here, {there} in the English half"
        yield Difference("halves-missing", message, "say the same in both halves.")


def _count_paragraphs(block: TopBlock) -> int:
    return sum(
        (isinstance(node, Paragraph) and not node.is_hidden) or (isinstance(node, Raw) and node.name == "p")
        for node in all_below(block.nodes)
    )


_OF_PARAGRAPHS = ("notes", "admonition", "quote")


def _block(row: Row, half: Tree) -> TopBlock | None:
    index = row.zh if half.language == "zh" else row.en
    return None if index is None else half.blocks[index]


def _is_joined(block: TopBlock, row: Row, here: Tree, there: Tree) -> bool:
    """Whether the twin of a block next to it is long enough for both."""
    beside, twin = _block(row, here), _block(row, there)
    if beside is None or twin is None or not beside.kind == twin.kind == block.kind:
        return False
    alone, both, joined = (sum(map(_length, blocks)) for blocks in ((beside,), (beside, block), (twin,)))
    return abs(math.log(both / joined)) < abs(math.log(alone / joined))


def _length(block: TopBlock) -> float:
    return length_in_letters(prose_of(block.nodes))

"""Compares what two halves say: quantities, values, links, notes, tables, code and formulas of each row.

`pairs.py` says which blocks belong together. Here each pair of them is compared by what has to be the same in
any language. Order within a block is not: sentences are built differently in Chinese and English.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from diglot.content.block_pieces import pieces_of
from diglot.content.bound_units import differing_units
from diglot.content.differences import Difference
from diglot.content.item_order import exchanged_items
from diglot.content.length_agreement import report_lengths
from diglot.content.lonely_blocks import compare_paragraphs, report_lonely_blocks
from diglot.content.markup_agreement import compare_code, compare_members, compare_shapes
from diglot.content.modal_agreement import compare_modals
from diglot.content.negation_agreement import compare_negation
from diglot.content.note_agreement import compare_citations, compare_notes
from diglot.content.pairs import half_place, halves_warning
from diglot.content.pole_agreement import compare_poles
from diglot.content.prose import prose_of, targets_of
from diglot.content.quantity_agreement import Units, compare_quantities, units_in
from diglot.content.records import (
    Alignment,
    FrontMatter,
    PlaceholderKind,
)
from diglot.content.role_agreement import compare_roles
from diglot.content.sentence_pairs import line_pairs
from diglot.content.tree.nodes import Nodes, TopBlock, Tree, nodes_of
from diglot.content.whole_blocks import caption_of, whole_of
from diglot.diagnostics import Diagnostic
from diglot.quantities.free_numbers import numbered_names


def compare_contents(
    zh: Tree,
    en: Tree,
    alignment: Alignment,
) -> tuple[Diagnostic, ...]:
    """Warnings where halves state different things."""
    found: list[Diagnostic] = []
    known = _NamesOfHalves(zh, en)
    for row in alignment.rows:
        if row.zh is not None and row.en is not None:
            one, other = zh.blocks[row.zh], en.blocks[row.en]
            for difference in _differences(one, other, zh, en, known):
                message = f"{difference.message} (its twin: {half_place(other, en)})"
                found.append(halves_warning(difference.rule, message, one, zh, difference.fix))
    found += report_lonely_blocks(zh, en, alignment)
    found += report_lengths(zh, en, alignment)
    return tuple(found)


def compare_front_matter(zh: FrontMatter, en: FrontMatter) -> Iterator[Difference]:
    """The differences between titles and between descriptions."""
    for one, other in ((zh.title, en.title), (zh.description, en.description)):
        if one and other:
            yield from _compare_sentences(nodes_of(one), nodes_of(other))


def compare_texts(zh: str, en: str) -> tuple[Difference, ...]:
    """The differences between two plain texts, such as the words for a figure."""
    return tuple(_compare_sentences((zh,), (en,))) if zh and en else ()


def _differences(
    one: TopBlock, other: TopBlock, zh: Tree, en: Tree, known: "_NamesOfHalves"
) -> list[Difference]:
    left, right = whole_of(one), whole_of(other)
    found: list[Difference] = []
    if one.kind not in ("code", "formula"):
        found += _compare_sentences(left, right, known)
    if bool(caption_of(one)) != bool(caption_of(other)):
        where = "from the English half" if caption_of(one) else "here"
        found.append(Difference("halves-missing", f"the caption is missing {where}"))
    found += compare_members(left, right)
    found += compare_shapes(left, right)
    found += compare_notes(one, other, zh, en)
    found += compare_citations(one, other, zh, en)
    found += compare_paragraphs(one, other)
    found += compare_code(one, other)
    return found or _compare_pieces(left, right)


def _compare_pieces(one: Nodes, other: Nodes) -> list[Difference]:
    """The first cell or item that differs, of tables and lists that are the same as a whole; then order."""
    left, right = pieces_of(one), pieces_of(other)
    if len(left) < 2 or len(left) != len(right):
        return []
    units = None
    for here, there in zip(left, right, strict=True):
        if here.nodes == there.nodes:
            continue  # most cells are numbers
        units = units or units_in(prose_of(one), prose_of(other))
        for difference in (
            *_compare_sentences(here.nodes, there.nodes, units=units),
            *compare_members(here.nodes, there.nodes),
        ):
            return [difference._replace(message=f"in {here.place}, {difference.message}")]
    if left[0].place.startswith("item"):
        exchanged = exchanged_items([here.nodes for here in left], [there.nodes for there in right])
        if exchanged is not None:
            places = " and ".join(left[index].place for index in exchanged)
            message = f"{places} are in another order in the English half"
            return [Difference("halves-list", message, "put them in the same order in both halves.")]
    return []


# ---- what sentences say


def _compare_sentences(
    one: Nodes,
    other: Nodes,
    known: "_NamesOfHalves | None" = None,
    units: tuple[Units, Units] | None = None,
) -> Iterator[Difference]:
    zh, en = prose_of(one), prose_of(other)
    yield from compare_quantities(zh, en, units)
    yield from compare_negation(zh, en)
    yield from compare_poles(zh, en)
    yield from compare_modals(zh, en)
    yield from compare_roles(zh, en)
    yield from _compare_names(zh, en, known)
    if known is not None:
        yield from _compare_acronyms(zh, en, known)
    yield from _compare_values(one, other)
    for behind in differing_units(one, other, units):
        what = f"{behind.of} is in “{behind.zh}” here" if behind.of else f"the unit “{behind.zh}” is here"
        yield Difference(rule="halves-unit", message=f"{what}, “{behind.en}” in the English half")


def _compare_names(zh: str, en: str, known: "_NamesOfHalves | None") -> Iterator[Difference]:
    """Names such as `H200` of which each text has one that the other has not, or has less often.

    One only left out is no difference, because the other text may say `it`, unless its half has it nowhere.
    So how often counts only where a name is nowhere in the other text, or where both have as many names.
    """
    left, right = numbered_names(zh), numbered_names(en)
    here, there = sorted(left.keys() - right.keys()), sorted(right.keys() - left.keys())
    more_here, more_there = sorted(left - right), sorted(right - left)
    if more_here and more_there and (here or there or left.total() == right.total()):
        message = f"“{(here or more_here)[0]}” here, “{(there or more_there)[0]}” in the English half"
        yield Difference(rule="halves-name", message=message)
    elif known is not None and (unknown := [name for name in here if name not in known.en]):
        yield Difference(rule="halves-name", message=f"“{unknown[0]}” is nowhere in the English half")
    elif known is not None and (unknown := [name for name in there if name not in known.zh]):
        yield Difference(rule="halves-name", message=f"“{unknown[0]}” is only in the English half")


_ACRONYM = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2,}(?=s?(?![A-Za-z0-9]))")


def _compare_acronyms(zh: str, en: str, known: "_NamesOfHalves") -> Iterator[Difference]:
    """`GPU` against `TPU` in lines with as many names, where both halves have both elsewhere.

    Items that changed places are none of these: their order is reported.
    """
    if Counter(_ACRONYM.findall(zh)) == Counter(_ACRONYM.findall(en)):
        return
    for here, there in line_pairs(zh, en):
        ours, theirs = Counter(_ACRONYM.findall(here)), Counter(_ACRONYM.findall(there))
        only_here, only_there = ours.keys() - theirs.keys(), theirs.keys() - ours.keys()
        if len(only_here) == len(only_there) == 1 and ours.total() == theirs.total():
            one, other = min(only_here), min(only_there)
            if one in known.en and other in known.zh:
                yield Difference("halves-name", f"“{one}” here, “{other}” in the English half")


class _NamesOfHalves:
    """The names with numbers in them, and of capitals, that each half has, wherever."""

    def __init__(self, zh: Tree, en: Tree) -> None:
        self._halves = (zh, en)

    @cached_property
    def zh(self) -> frozenset[str]:
        """Those of the Chinese half."""
        return _names_in(self._halves[0])

    @cached_property
    def en(self) -> frozenset[str]:
        """Those of the English half."""
        return _names_in(self._halves[1])


def _names_in(half: Tree) -> frozenset[str]:
    prose = "\n".join(prose_of(whole_of(block)) for block in half.blocks)
    return frozenset((*numbered_names(prose), *_ACRONYM.findall(prose)))


_SPACES = re.compile(r"\s+")
_VALUES: tuple[tuple[PlaceholderKind, str], ...] = (
    ("eval", "value"),
    ("control", "control"),
    ("assert", "assertion"),
)


def _compare_values(one: Nodes, other: Nodes) -> Iterator[Difference]:
    """The values that one text has more often than the other."""
    left, right = _values_of(one), _values_of(other)
    for value in sorted(left - right):
        where = "is more often here than" if value in right else "is not"
        yield Difference(rule="halves-value", message=f"the {value} {where} in the English half")
    for value in sorted(right - left):
        where = "is more often" if value in left else "is only"
        yield Difference(rule="halves-value", message=f"the {value} {where} in the English half")


def _values_of(nodes: Nodes) -> Counter[str]:
    """What a text says of values, without the formats of those shown: ``value `a.time_s```."""
    return Counter(
        f"{called} `{_SPACES.sub('', target) if kind == 'assert' else _expression_of(target)}`"
        for kind, called in _VALUES
        for target in targets_of(nodes, kind)
    )


_IN_A_UNIT = re.compile(r"\(([\w.\[\]]+)[*/](?:10+|60|3600|86400)\)")
"""A value in another unit, for words that no format writes: `(a.time_s * 1000) | number(1)` milliseconds."""


def _expression_of(target: str) -> str:
    """A value without its format, and without what is part of its format."""
    expression = _SPACES.sub("", target.partition("|")[0])
    converted = _IN_A_UNIT.fullmatch(expression)
    return converted[1] if converted is not None else expression

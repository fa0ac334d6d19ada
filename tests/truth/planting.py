"""Plants faults in copies of pairs, at most one in each block, and says which of them the guards find."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from diglot.diagnostics import Diagnostic
from diglot.languages import LANGUAGES, Language
from diglot.staleness.units import TOP, Twins, Unit, Units
from tests.truth.published import Pair


class Block(NamedTuple):
    """A block, footnote or text of the front matter in both halves, as Markdown."""

    kind: str
    zh: str
    en: str

    def of(self, language: Language) -> str:
        """One half of it."""
        return self.zh if language == "zh" else self.en

    def having(self, language: Language, text: str) -> "Block":
        """The block with another text in one half."""
        return self._replace(zh=text) if language == "zh" else self._replace(en=text)


class Fault(NamedTuple):
    """What a block became, and what a guard has to say of it."""

    block: Block
    rules: frozenset[str]
    said: tuple[str, ...] = ()
    """Texts, one of which is in the message or the fix; empty where the rule says it all."""
    may_be_beside: bool = False
    """Whether the heading before or behind may be told instead: without ids and words in common nobody knows
    which of two headings is missing."""


Planter = Callable[[Block, random.Random], Fault | None]
"""Plants a fault of one kind in a block; None where that block cannot have it."""


class Planted(NamedTuple):
    """A fault with what was found of it."""

    fault: Fault
    was: Block
    found: bool
    told: tuple[str, ...]


class Trial(NamedTuple):
    """What became of the faults in one copy."""

    planted: tuple[Planted, ...]
    elsewhere: tuple[Diagnostic, ...]
    """Findings at blocks without a fault."""


def plant(
    pair: Pair,
    planters: Sequence[Planter],
    seed: int | str,
    guard: Callable[[Pair], Iterable[Diagnostic]],
    *,
    most: int = 8,
) -> Trial:
    """Plant faults of these kinds, as many as fit into one copy, and look for them."""
    chance = random.Random(seed)
    units = pair.units
    rows = [twins for twins in units.twins if twins.zh is not None and twins.en is not None]
    chance.shuffle(rows)
    faults: dict[str, tuple[Block, Fault]] = {}
    blocks: dict[str, Block] = {}
    for twins in rows:
        zh, en = units.zh[twins.zh or 0], units.en[twins.en or 0]
        block = Block(zh.kind, zh.text, en.text)
        planter = chance.choice(planters)
        fault = planter(block, chance)
        if fault is not None and len(faults) < most and twins.row not in faults:
            faults[twins.row] = (block, fault)
            blocks[twins.id] = fault.block
    copy, lines = _edited(pair, units, blocks)
    at = defaultdict(list)
    for one in guard(copy):
        at[_row_of(one, copy, lines)].append(one)
    headings = [
        twins.row for twins in units.twins if twins.zh is not None and units.zh[twins.zh].kind == "heading"
    ]
    told: set[str] = set()
    planted = []
    for row, (was, fault) in faults.items():
        places = _beside(row, headings) if fault.may_be_beside else [row]
        told.update(places)
        found = any(_says(one, fault) for place in places for one in at[place])
        planted.append(Planted(fault, was, found, tuple(map(str, at[row]))))
    return Trial(tuple(planted), tuple(one for row, found in at.items() if row not in told for one in found))


def _beside(row: str, headings: list[str]) -> list[str]:
    """A heading's row with those before and behind."""
    at = headings.index(row)
    return headings[max(at - 1, 0) : at + 2]


def _says(found: Diagnostic, fault: Fault) -> bool:
    told = f"{found.message} {found.fix}"
    return found.rule in fault.rules and (not fault.said or any(one in told for one in fault.said))


_Lines = dict[Language, list[tuple[int, str]]]
"""The first line of each unit of a half, and its row, in order."""


def _edited(pair: Pair, units: Units, blocks: dict[str, Block]) -> tuple[Pair, _Lines]:
    """The pair with other texts in some rows, and where each row begins in it."""
    texts: dict[Language, str] = {}
    lines: _Lines = {}
    for language in LANGUAGES:
        half = pair.of(language).split("\n")
        starts: list[tuple[int, str]] = []
        shift = 0
        for unit, twins in sorted(_with_rows(units, language), key=lambda one: (one[0].line, one[1].id)):
            starts.append((unit.line + shift, twins.row))
            block = blocks.get(twins.id)
            if block is None or block.of(language) == unit.text:
                continue
            first, last = unit.line - 1 + shift, unit.last_line + shift
            old = "\n".join(half[first:last])
            new = old.replace(unit.text, block.of(language)).split("\n")
            half[first:last] = new
            shift += len(new) - (last - first)
        texts[language], lines[language] = "\n".join(half), starts
    return Pair(pair.article, texts["zh"], texts["en"]), lines


def _with_rows(units: Units, language: Language) -> list[tuple[Unit, Twins]]:
    found = []
    for twins in units.twins:
        index = twins.zh if language == "zh" else twins.en
        if index is not None:
            found.append((units.of(language)[index], twins))
    return found


def _row_of(found: Diagnostic, pair: Pair, lines: _Lines) -> str:
    place = found.location
    for language in LANGUAGES:
        if place is not None and place.path == pair.path(language):
            before = [row for first, row in lines[language] if first <= (place.line or 1)]
            return before[-1] if before else TOP
    return ""

"""Which facts of chips a figure has read, and which of them a value rests on."""

from collections.abc import Iterable, Mapping, Sequence
from math import isclose
from typing import TypeAlias

from diglot.expressions.numbers import NamedChip
from diglot.figures.chip_sheets import ChipPrice, ChipSheet, Fact
from diglot.figures.records import ComputedFigure
from diglot.figures.scripts.datasets import split_row

Fields: TypeAlias = tuple[str, ...] | None
"""Fields of a chip's facts, and `prices`; None for all of them."""

ReadChips: TypeAlias = Mapping[str, Fields]
"""What has been read of chips, by their ids."""

PRICES = "prices"
"""What the list prices of a chip are called among its fields."""

_CATALOGUE = "diglot.hardware.chips.loading:digest_rows"
"""The dataset that the catalogue of chips is."""
_LARGE = 1e6
"""From here on numbers are not equal by chance."""


def chips_of(computed: ComputedFigure) -> set[str]:
    """The ids of the chips that a figure's numbers rest on."""
    found = set()
    for row in _rows(computed):
        kind, _, of = row.partition(":")
        if kind in ("quantities", PRICES):
            found.add(of)
        elif kind == "quantity":
            found.add(of.rpartition(":")[0])
    return found


def fields_of(computed: ComputedFigure, sheet: ChipSheet) -> Fields:
    """The facts of a chip that a figure has read and a source gives."""
    rows = _rows(computed)
    if f"quantities:{sheet.id}" in rows:
        return None
    fields = [one.field for one in sheet.facts if one.source and f"quantity:{sheet.id}:{one.field}" in rows]
    return (*fields, *([PRICES] if sheet.prices and f"{PRICES}:{sheet.id}" in rows else ()))


def fields_behind(paths: Sequence[NamedChip], fields: Fields, sheet: ChipSheet) -> Fields:
    """Of the facts of a chip that a figure has read, those that all paths through it pass on as they are.

    All of them if one path leads to something else, which may rest on any.
    """
    found: set[str] = set()
    for path in (one for one in paths if one.id == sheet.id):
        same = {one.field for one in facts_in(sheet, fields) if _is_same(path, one)}
        if not same:
            return fields
        found |= same
    return tuple(one.field for one in sheet.facts if one.field in found) if found else fields


def facts_in(sheet: ChipSheet, fields: Fields) -> tuple[Fact, ...]:
    """The facts of some fields. Those that follow from others are none that a figure reads."""
    return tuple(one for one in sheet.facts if one.source and (fields is None or one.field in fields))


def prices_in(sheet: ChipSheet, fields: Fields) -> tuple[ChipPrice, ...]:
    """The prices of a chip, if they are among some fields."""
    return sheet.prices if fields is None or PRICES in fields else ()


def together(all_fields: Iterable[Fields]) -> Fields:
    """The fields that are among any of several."""
    found: dict[str, None] = {}
    for fields in all_fields:
        if fields is None:
            return None
        found.update(dict.fromkeys(fields))
    return tuple(found)


def chips_told(read: Sequence[ChipSheet], paths: Sequence[NamedChip]) -> Sequence[ChipSheet]:
    """Of the chips that a figure has read, those that paths lead through; all if they lead through none."""
    named = {one.id for one in paths}
    return [one for one in read if one.id in named] or read


def _rows(computed: ComputedFigure) -> set[str]:
    """The rows of the catalogue that a figure has read."""
    return {row for one in computed.rows for dataset, row in (split_row(one),) if dataset == _CATALOGUE}


def _is_same(path: NamedChip, fact: Fact) -> bool:
    """Whether a path ends in a fact as it is, in the unit that its last key says, or else in a base unit."""
    from diglot.quantities.names import unit_in_name  # noqa: PLC0415  (loaded where a value rests on a chip: most edits need no units)
    from diglot.quantities.units import unit_at  # noqa: PLC0415  (most edits need no units)

    unit = unit_at(fact.unit, 0)
    if path.number is None or unit is None:
        return False
    base, factor = unit[0]
    said = unit_in_name(path.key)
    if said is None:
        return path.number >= _LARGE and isclose(path.number, fact.value * factor)
    return said.base == base and isclose(path.number * said.factor, fact.value * factor)

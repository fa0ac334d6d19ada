"""Which facts of chips a figure has read, and which of them a value depends on."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import isclose
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from diglot.expressions.numbers import ValuePath, path_at
from diglot.figures.chip_sheets import ChipPrice, ChipSheet, Fact
from diglot.figures.records import ComputedFigure
from diglot.figures.scripts.datasets import split_row
from diglot.figures.scripts.value_parts import Parts

Fields: TypeAlias = tuple[str, ...] | None
"""Fields of a chip's facts, and `prices`; None for all of them."""

ReadChips: TypeAlias = Mapping[str, Fields]
"""What has been read of chips, by their ids."""

Reach: TypeAlias = Literal["script", "fact", "chip", "figure"]
"""How closely it is known which facts something depends on: none, because the script gives it; single ones;
those read of the chips that it names; or all that its figure has read."""
_REACHES: tuple[Reach, ...] = ("script", "fact", "chip", "figure")

PRICES = "prices"
"""What the list prices of a chip are called among its fields."""

_CATALOGUE = "diglot.hardware.chips.loading:digest_rows"
"""The dataset that the catalogue of chips is."""
_LARGE = 1e6
"""From here on numbers are not equal by chance."""


def chips_of(computed: ComputedFigure) -> set[str]:
    """The ids of the chips that a figure's numbers depend on."""
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


class Rest(NamedTuple):
    """What a value depends on of chips."""

    reach: Reach
    chips: ReadChips


def rest_of(path: ValuePath, computed: ComputedFigure, read: Sequence[ChipSheet], parts: Parts) -> Rest:
    """What the value at the end of a path depends on. `read` are the chips that its figure has read.

    `parts` are those of the figure's values that are made of others alone, or of constants and parameters.
    """
    own = next((made_of for keys, made_of in parts if keys == path.keys), None)
    if own is not None:
        data = _decoded(computed.data)
        paths = [path_at(path.figure, keys, data) for keys in own]
        return rest_of_all(rest_of(one, computed, read, ()) for one in paths)
    fields = {one.id: fields_of(computed, one) for one in read}
    same = {
        one.id: tuple(fact.field for fact in facts_in(one, fields[one.id]) if _is_same(path, fact))
        for one in read
        if one.id in path.chips or not path.chips
    }
    if not fields.keys() & set(path.chips):
        found = {id_: facts for id_, facts in same.items() if facts}
        return Rest("fact", found) if len(found) == 1 else Rest("figure", fields)
    is_fact = all(same.values())
    return Rest("fact" if is_fact else "chip", {id_: found or fields[id_] for id_, found in same.items()})


def rest_of_all(rests: Iterable[Rest]) -> Rest:
    """What several things depend on together."""
    reach: Reach = "script"
    found: dict[str, Fields] = {}
    for rest in rests:
        reach = max(reach, rest.reach, key=_REACHES.index)
        for id_, fields in rest.chips.items():
            found[id_] = together([found.get(id_, ()), fields])
    return Rest(reach, found)


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


def _rows(computed: ComputedFigure) -> set[str]:
    """The rows of the catalogue that a figure has read."""
    return {row for one in computed.rows for dataset, row in (split_row(one),) if dataset == _CATALOGUE}


@lru_cache(8)
def _decoded(data: bytes) -> Any:
    return msgspec.json.decode(data)


def _is_same(path: ValuePath, fact: Fact) -> bool:
    """Whether a path ends in a fact as it is, in the unit that its last key says, or else in a base unit."""
    from diglot.quantities.names import unit_in_name  # noqa: PLC0415  (loaded where a value rests on a chip: most edits need no units)
    from diglot.quantities.units import unit_at  # noqa: PLC0415  (most edits need no units)

    unit = unit_at(fact.unit, 0)
    if path.number is None or unit is None:
        return False
    base, factor = unit[0]
    said = unit_in_name(path.keys[-1])
    if said is None:
        return path.number >= _LARGE and isclose(path.number, fact.value * factor)
    return said.base == base and isclose(path.number * said.factor, fact.value * factor)

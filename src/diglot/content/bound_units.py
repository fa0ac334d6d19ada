"""The units that authors type behind values and in heads of tables: `{eval}` times, `TFLOP/s`.

The value is the same in both halves; the unit behind it is typed twice.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeGuard

from diglot.content.prose import prose_of
from diglot.content.records import Parts, Placeholder
from diglot.languages import Language
from diglot.quantities.reading import quantities_in
from diglot.quantities.units import Unit, units_alone

_FIRST = 9_170_001
"""Numbers from here on stand for values: hardly a text has them."""
_STAND_IN = re.compile(r"917\d{4}")
_SPACES = re.compile(r"\s+")


class UnitsOfHalves(NamedTuple):
    """What both halves of a block say something of, with the units that each half alone writes for it."""

    of: str
    """What they are of; empty for units that stand alone, as in the head of a table."""
    zh: str
    en: str


def differing_units(one: Parts, other: Parts) -> Iterator[UnitsOfHalves]:
    """Values that have one unit in Chinese and another in English; one left out is no difference."""
    left, right = units_of_values(one, "zh"), units_of_values(other, "en")
    for target in sorted(left.keys() & right.keys()):
        yield from _differing(f"the value `{target}`", left[target], right[target])
    here, there = _shown_in_percent(one), _shown_in_percent(other)
    for value in sorted(here.keys() & there.keys()):
        if here[value] != there[value]:
            zh, en = ("%" if is_percent else "plain numbers" for is_percent in (here[value], there[value]))
            yield UnitsOfHalves(f"the value `{value}`", zh, en)
    yield from _differing("", units_alone(prose_of(one)), units_alone(prose_of(other)))


_PERCENT = re.compile(r"\|\s*percent\b")


def _shown_in_percent(parts: Parts) -> dict[str, bool]:
    """Whether each value is shown in percent, by its expression; without those shown in both ways."""
    found: dict[str, set[bool]] = {}
    for part in parts:
        if _is_value(part):
            value = _SPACES.sub("", part.target.partition("|")[0])
            found.setdefault(value, set()).add(_PERCENT.search(part.target) is not None)
    return {value: ways.pop() for value, ways in found.items() if len(ways) == 1}


_Written = dict[Unit, str]
"""Units, each as it is written."""


def _differing(of: str, left: _Written, right: _Written) -> Iterator[UnitsOfHalves]:
    here, there = left.keys() - right.keys(), right.keys() - left.keys()
    if here and there:
        yield UnitsOfHalves(of, left[min(here)], right[min(there)])


def units_of_values(parts: Parts, language: Language) -> dict[str, _Written]:
    """The units behind each value, by its expression without a format, each as it is written."""
    targets = [*dict.fromkeys(part.target for part in parts if _is_value(part))]
    if not targets:
        return {}
    prose = prose_of(tuple(_stand_in(part, targets) if _is_value(part) else part for part in parts))
    found: dict[str, _Written] = {}
    for quantity in quantities_in(prose, language):
        if not quantity.unit or quantity.is_in_itself:
            continue
        written = _STAND_IN.split(quantity.text)[-1].strip()
        for number in _STAND_IN.findall(quantity.text):
            index = int(number) - _FIRST
            if 0 <= index < len(targets):
                value = _SPACES.sub("", targets[index].partition("|")[0])
                found.setdefault(value, {})[Unit(quantity.unit, quantity.step)] = written
    return found


def _is_value(part: str | Placeholder) -> TypeGuard[Placeholder]:
    return isinstance(part, Placeholder) and part.kind == "eval"


def _stand_in(value: Placeholder, targets: Sequence[str]) -> str:
    percent = "%" if _PERCENT.search(value.target) else ""
    return f"{_FIRST + targets.index(value.target)}{percent}"

"""The units that authors type behind values and in heads of tables: `{eval}` times, `TFLOP/s`.

The value is the same in both halves; the unit behind it is typed twice.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from diglot.content.prose import prose_of, targets_of
from diglot.content.tree.nodes import Nodes
from diglot.expressions.number_formats import base_unit
from diglot.languages import Language
from diglot.quantities.quantity import Quantity
from diglot.quantities.reading import quantities_in
from diglot.quantities.units import Unit, unit_at, units_alone

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


def differing_units(
    one: Nodes, other: Nodes, units: tuple[Collection[Unit], Collection[Unit]] | None = None
) -> Iterator[UnitsOfHalves]:
    """Values that have one unit in one half, and another or clearly none in the other.

    `units` are those that are around these texts, where they are parts of larger ones.
    """
    left, right = _values_in(one, "zh"), _values_in(other, "en")
    for value in sorted(left.units.keys() & right.units.keys()):
        yield from _differing(f"the value `{value}`", left.units[value], right.units[value])
    alone = units_alone(prose_of(one)), units_alone(prose_of(other))
    for value in sorted((left.units.keys() & right.bare) | (right.units.keys() & left.bare)):
        in_zh = value in left.units
        for unit, written in (left if in_zh else right).units[value].items():
            if _is_needed(unit) and unit not in (units or alone)[in_zh]:
                zh, en = (written, _NOTHING) if in_zh else (_NOTHING, written)
                yield UnitsOfHalves(f"the value `{value}`", zh, en)
    here, there = _shown_in_percent(one), _shown_in_percent(other)
    for value in sorted(here.keys() & there.keys()):
        if here[value] != there[value]:
            zh, en = ("%" if is_percent else "plain numbers" for is_percent in (here[value], there[value]))
            yield UnitsOfHalves(f"the value `{value}`", zh, en)
    yield from _differing("", *alone)


_NOTHING = "no unit"


def _is_needed(unit: Unit) -> bool:
    """Whether a unit is left out in no language: rates and shares, not counted things."""
    return unit.base == "fraction" or "/" in unit.base


_PERCENT = re.compile(r"\|\s*percent\b")


def _shown_in_percent(nodes: Nodes) -> dict[str, bool]:
    """Whether each value is shown in percent, by its expression; without those shown in both ways."""
    found: dict[str, set[bool]] = {}
    for target in targets_of(nodes, "eval"):
        value = _SPACES.sub("", target.partition("|")[0])
        found.setdefault(value, set()).add(_PERCENT.search(target) is not None)
    return {value: ways.pop() for value, ways in found.items() if len(ways) == 1}


_Written = dict[Unit, str]
"""Units, each as it is written."""


def _differing(of: str, left: _Written, right: _Written) -> Iterator[UnitsOfHalves]:
    here, there = left.keys() - right.keys(), right.keys() - left.keys()
    if here and there:
        yield UnitsOfHalves(of, left[min(here)], right[min(there)])


def units_of_values(nodes: Nodes, language: Language) -> dict[str, _Written]:
    """The units behind each value, by its expression without a format, each as it is written."""
    return _values_in(nodes, language).units


def shown_units(texts: Iterable[Nodes], language: Language) -> dict[str, Unit]:
    """What the numbers of figures are, by path, and by figure and last name: as formats and typed units say.

    A name that is shown in several units says nothing.
    """
    uses = (
        (target, typed)
        for nodes in texts
        for typed in (units_of_values(nodes, language),)
        for target in targets_of(nodes, "eval")
    )
    return _sure_units(uses)


def units_of_formats(expressions: Iterable[str]) -> dict[str, Unit]:
    """The same as expressions alone say it, whatever is typed behind them."""
    return _sure_units((expression, {}) for expression in expressions)


def _sure_units(uses: Iterable[tuple[str, Mapping[str, Collection[Unit]]]]) -> dict[str, Unit]:
    """The units of expressions, each with what is typed behind values."""
    found: dict[str, set[Unit]] = defaultdict(set)
    for expression, typed in uses:
        value = _SPACES.sub("", expression.partition("|")[0])
        if (path := _PATH.fullmatch(value)) is not None:
            unit = _unit_of_format(expression)
            for key in (value, f"{path['figure']} {path['name']}"):
                found[key].update(typed.get(value, ()) if unit is None else (unit,))
    return {key: unit for key, units in found.items() if len(units) == 1 for unit in units}


_PATH = re.compile(r"(?P<figure>[a-z]\w*)(?:\([^()]*\))?[\w.\[\]]*\.(?P<name>[a-z]\w*)[\d\[\]]*")
_WITH_UNIT = re.compile(r"""\|\s*(?:si|unit)\(\s*(?:unit\s*=\s*)?(["'])(?P<unit>[^"']+)\1""")


def _unit_of_format(expression: str) -> Unit | None:
    """What the number behind an expression is, as its filter says: bytes per second for `| si("B/s")`."""
    if _PERCENT.search(expression):
        return Unit("fraction", 1.0)
    found = _WITH_UNIT.search(expression)
    unit = None if found is None else unit_at(base_unit(found["unit"].strip()), 0)
    return None if unit is None else unit[0]


class _Values(NamedTuple):
    """The values of a text, by their expressions without formats."""

    units: dict[str, _Written]
    """Those with a unit behind them."""
    bare: frozenset[str]
    """Those that no possible unit follows."""


def _values_in(nodes: Nodes, language: Language) -> _Values:
    targets = [*dict.fromkeys(targets_of(nodes, "eval"))]
    if not targets:
        return _Values({}, frozenset())
    prose = prose_of(nodes, lambda expression: _stand_in(expression, targets))
    found: dict[str, _Written] = {}
    bare: set[str] = set()
    quantities = quantities_in(prose, language)
    elided = _without_their_units(quantities, prose)
    for quantity in quantities:
        numbers = _STAND_IN.findall(quantity.text)
        for number in numbers:
            index = int(number) - _FIRST
            if not 0 <= index < len(targets) or quantity.is_in_itself:
                continue
            value, _, shown = _SPACES.sub("", targets[index]).partition("|")
            if quantity.unit == "fraction" and number != numbers[-1] and not shown.startswith("percent"):
                continue  # an array of 256 to 56%
            if quantity.unit:
                written = _STAND_IN.split(quantity.text)[-1].strip()
                found.setdefault(value, {})[Unit(quantity.unit, quantity.step)] = written
            elif (
                quantity not in elided
                and shown.startswith("number")
                and _ENDS[language].match(prose, quantity.end)
            ):
                bare.add(value)
    return _Values(found, frozenset(bare - found.keys()))


def _without_their_units(quantities: Sequence[Quantity], prose: str) -> frozenset[Quantity]:
    """The numbers of series whose unit is behind the last one: `from 46 to 2,307 TFLOP/s`."""
    found = set()
    has_unit = False
    for one, after in reversed([*pairwise(quantities)]):
        has_unit = (has_unit or bool(after.unit)) and _IN_SERIES.fullmatch(
            prose, one.end, after.start
        ) is not None
        if has_unit and not one.unit:
            found.add(one)
    return frozenset(found)


_IN_SERIES = re.compile(r"[\s,，、/–~-]*(?:and|or|to|[和与或]|[\u3400-\u9fff]{0,2}[到至])?\s*")
"""What is between the numbers of a series."""
_ENDS = {
    "zh": re.compile(r"\s*(?:[，。；：、（）！？”]|$|[处就才时以的而]|也|上下|左右)"),
    "en": re.compile(
        r"(?:[,;:.)”—?!]|\s*\(|\s*$|\s+(?:and|or|but|so|at|to|on|in|by|for|from|than|with|while|where|when|is|are|it|its"
        r"|the|that|which|as|after|before)\b)"
    ),
}
"""What shows that the words behind a number are no unit."""


def _stand_in(expression: str, targets: Sequence[str]) -> str:
    percent = "%" if _PERCENT.search(expression) else ""
    return f"{_FIRST + targets.index(expression)}{percent}"

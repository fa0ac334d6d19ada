"""Units behind values that cannot be theirs: GB/s behind `peak_tflops_per_s`, or another than elsewhere."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from diglot.content.bound_units import units_of_values
from diglot.content.typed_numbers import Half, texts_of
from diglot.diagnostics import Diagnostic, Location
from diglot.quantities.names import unit_in_name
from diglot.quantities.units import Unit

_PATH = re.compile(r"(?P<figure>[a-z]\w*)(?:\([^()]*\))?(?P<above>[\w.\[\]]*)\.(?P<name>[a-z]\w*)")
_MEASURED = frozenset(("s", "byte", "bit", "flop", "J", "W", "Hz", "USD", "CNY", "times"))


class _Use(NamedTuple):
    value: str
    unit: Unit
    written: str
    line: int


def report_odd_units(half: Half) -> Iterator[Diagnostic]:
    """A warning for each unit that contradicts a value's name, or most values of that name in the figure."""
    uses: dict[tuple[str, str, str], list[_Use]] = defaultdict(list)
    for text in texts_of(half):
        for value, units in units_of_values(text.nodes, half.tree.language).items():
            path = _PATH.fullmatch(value)
            if path is None:
                continue
            for unit, written in units.items():
                if _is_measured(unit):
                    above = path["above"].rpartition(".")[2]
                    place = above if _is_unit(above) else ""  # `days.list` is no price, as `h200.list` may be
                    uses[path["figure"], place, path["name"]].append(_Use(value, unit, written, text.line))
    for (_, place, name), found in uses.items():
        right = unit_in_name(name) or (None if place else _common(found))
        for use in found:
            differing = [one for one in found if not _are_alike(one.unit, use.unit)]
            other = next((one for one in differing if right in (None, one.unit)), None)
            is_wrong = right is not None and not _are_alike(use.unit, right)
            if is_wrong or (right is None and other is not None):
                yield Diagnostic(
                    rule="number-unit",
                    message=f"“{use.written}” is written after {use.value}, "
                    + (
                        f"and “{other.written}” after {other.value}"
                        if other
                        else "whose name has another unit"
                    ),
                    severity="warning",
                    location=Location(path=half.tree.path, line=use.line),
                    fix="correct the unit, or convert the value: (a.time_s * 1000) | number(1).",
                )


def _is_unit(name: str) -> bool:
    return unit_in_name(name) is not None or name in ("seconds", "minutes", "hours", "days", "years")


def _are_alike(one: Unit, other: Unit) -> bool:
    """Whether units are the same but for what a value is of, which one may leave out: 2 USD an hour, 5 ms a
    token. What is per second is another thing."""
    if one == other:
        return True
    here, there = one.base.partition("/"), other.base.partition("/")
    is_left_out = bool(here[1]) != bool(there[1]) and here[0] == there[0]
    return is_left_out and (here[0] in _MONEY or "s" not in (here[2], there[2]))


_MONEY = ("USD", "CNY")


def _is_measured(unit: Unit) -> bool:
    return "/" in unit.base or unit.base in _MEASURED


def _common(uses: list[_Use]) -> Unit | None:
    """The unit of most values of a name; None if no unit is that of most."""
    counts = Counter(use.unit for use in uses).most_common(2)
    return counts[0][0] if len(counts) == 1 or counts[0][1] > counts[1][1] else None

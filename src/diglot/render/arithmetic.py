"""How a value follows from a few facts of chips: as the product of their powers, if that is exact."""

from collections.abc import Mapping
from itertools import product
from math import isclose, log10, prod
from typing import NamedTuple

from diglot.figures.chip_sheets import ChipSheet, Fact
from diglot.render.facts_read import PRICES, Rest, facts_in

_MOST_FACTS = 3


class Factor(NamedTuple):
    """A fact of a chip, in the numerator or the denominator."""

    sheet: ChipSheet
    fact: Fact
    power: int


class Arithmetic(NamedTuple):
    """A product of factors, less 1 for a growth such as 8%."""

    factors: tuple[Factor, ...]
    less: int


def arithmetic_of(number: float | None, rest: Rest, chips: Mapping[str, ChipSheet]) -> Arithmetic | None:
    """The product of all facts that a number depends on which equals it; None where there is none.

    It has every fact, and none that it could do without: a number that fewer facts give is not computed from
    all of them. Other numbers of the figure's data are no factors, because they may be computed from these
    facts: a ridge would make any count of units a product of peak, bandwidth and ridge.
    """
    read = [(chips[id_], fields) for id_, fields in rest.chips.items()]
    is_known = rest.reach in ("fact", "chip") and all(fields and PRICES not in fields for _, fields in read)
    facts = [(sheet, fact) for sheet, fields in read for fact in facts_in(sheet, fields)]
    if not number or not is_known or not 2 <= len(facts) <= _MOST_FACTS:
        return None
    sums = (
        Arithmetic(tuple(Factor(*of, power) for of, power in zip(facts, powers, strict=True) if power), less)
        for less, powers in product((0, 1), product((1, -1, 0), repeat=len(facts)))
        if max(powers) == 1 and all(fact.value > 0 for _, fact in facts)
    )
    found = [one for one in sums if _is_equal(number, one)]
    if len(found) != 1 or len(found[0].factors) < len(facts):
        return None
    (only,) = found
    return only._replace(factors=tuple(sorted(only.factors, key=lambda factor: -factor.power)))


def _is_equal(number: float, arithmetic: Arithmetic) -> bool:
    """Whether they agree in ten digits; but for steps of a thousand, by which units differ."""
    value = prod(factor.fact.value**factor.power for factor in arithmetic.factors)
    if arithmetic.less or number <= 0:
        return isclose(number + arithmetic.less, value, rel_tol=1e-10)
    thousands = log10(number / value) / 3
    return abs(thousands - round(thousands)) < 1e-11

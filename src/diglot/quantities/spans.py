"""What is read at a place of a text: numbers, a unit, and where it ends."""

from typing import NamedTuple

from diglot.quantities.numerals import Numeral
from diglot.quantities.units import Unit


class Span(NamedTuple):
    """A quantity as read, or with `unit` None text to read over: an idiom, or a number that is none."""

    end: int
    low: Numeral
    high: Numeral
    unit: Unit | None
    is_more: bool = False
    """Whether `多` behind the number says that it is more."""


def read_over(end: int) -> Span:
    """Text up to a place that is no quantity."""
    nothing = Numeral(0.0, 0.0, end)
    return Span(end, nothing, nothing, None)


def stated(end: int, value: float, unit: Unit, high: float | None = None, *, is_more: bool = False) -> Span:
    """A quantity in words, whose number has no last digit."""
    low = Numeral(value, 0.0, end)
    return Span(end, low, low if high is None else Numeral(high, 0.0, end), unit, is_more)


FRACTION = Unit("fraction", 1.0)
TIMES = Unit("times", 1.0)
COUNT = Unit("", 1.0)

"""A quantity that a sentence states, and when two of them say the same."""

import math
from typing import Literal, NamedTuple

Qualifier = Literal["", "about", "above", "below"]


class Quantity(NamedTuple):
    """A number with its unit, or a range of them, as a sentence states it."""

    low: float
    """In the base unit; the number itself where it is no range."""
    high: float
    unit: str
    """The base unit: `byte/s`, `fraction`, `times`, `USD/token`, `token`; empty for a bare count."""
    step: float
    """What one in the last digit of `low` is, in the base unit: 0.1e12 for `4.8 TB/s`; 0 for words such as
    half."""
    high_step: float
    """As `step`, of `high`."""
    qualifier: Qualifier
    start: int
    end: int
    """Where it is in the text."""
    text: str
    """As written, its unit included."""
    factor: float = 1.0
    """How many base units the written unit is: 1e12 for `4.8 TB/s`."""

    @property
    def is_range(self) -> bool:
        """Whether two ends are written."""
        return self.low != self.high

    @property
    def is_in_itself(self) -> bool:
        """Whether it is a shape such as 128×128 or a ratio such as 2:4: its unit holds its numbers."""
        return self.unit.startswith(("shape ", "ratio "))

    @property
    def as_written(self) -> "Quantity":
        """The quantity as a bare number: 4.8 for `4.8 TB/s`."""
        return self._replace(
            low=self.low / self.factor,
            high=self.high / self.factor,
            step=self.step / self.factor,
            unit="",
            factor=1.0,
        )

    def says(self, value: float) -> bool:
        """Whether a value in the base unit is what is written, rounded as it is written."""
        if self.is_range:
            return self.low - self.step / 2 <= value <= self.high + self.high_step / 2
        return math.isclose(self.low, value, rel_tol=1e-9, abs_tol=0.5000001 * self.step)

    def agrees(self, other: "Quantity") -> bool:
        """Whether both say the same, in the same unit.

        One may be rounded: from three digits on, or if a word says so (`about 3万` and `31,400`).
        """
        if self.unit != other.unit:
            return False
        is_hedged = bool(self.qualifier or other.qualifier)
        return all(
            math.isclose(one, two, rel_tol=1e-9, abs_tol=_slack(one, two, steps, is_hedged=is_hedged))
            for one, two, steps in (
                (self.low, other.low, (self.step, other.step)),
                (self.high, other.high, (self.high_step, other.high_step)),
            )
        )


_IN_WORDS = 0.1
"""How far off a number in words may be if it is said to be approximate, as a share of it."""
_DIGITS_ENOUGH = 100


def _slack(one: float, two: float, steps: tuple[float, float], *, is_hedged: bool) -> float:
    """By how much two numbers that say the same may differ."""
    value, step = (one, steps[0]) if steps[0] >= steps[1] else (two, steps[1])
    if not all(steps):
        return max(step / 2, _IN_WORDS * abs(value) if is_hedged and any(steps) else 0.0)
    return 0.5000001 * step if is_hedged or abs(value) >= _DIGITS_ENOUGH * step else 0.0

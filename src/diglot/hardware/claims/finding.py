"""What models find of a claim: a range, its interval, and whether the claim holds in it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Literal, TypeAlias, get_args

import numpy as np

from diglot.hardware.chips.notes import Note

Verdict = Literal["holds", "in part", "does not hold", "open"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The range that models give, next to the one that is claimed."""

    found_low: float
    found_high: float
    """In `unit`, like what is claimed."""
    intervals: tuple[Interval, ...]
    """Of each case the ends of what a measurement would give nine times in ten: a point where nothing that is
    measured enters, such as a ratio of peaks."""
    claimed_low: float
    claimed_high: float
    unit: str
    """Of all: `ratio`, `s`, `W`, `chips` …"""
    told: Note
    """What was computed, with its numbers, in both languages."""

    def __post_init__(self) -> None:
        ends = ((self.found_low, self.found_high), (self.claimed_low, self.claimed_high), *self.intervals)
        for low, high in ends:
            if not low <= high:
                raise ValueError(f"a range must not end before it begins: {low!r} to {high!r}")

    @property
    def interval(self) -> Interval:
        """From the least to the most that a measurement of any case would give, nine times in ten."""
        lows, highs = zip(*self.intervals, strict=True)
        return min(lows), max(highs)

    @property
    def printed_ends(self) -> tuple[str, str]:
        """The ends of the interval, in two digits."""
        low, high = (
            _with_signs(np.format_float_positional(end, 2, fractional=False, trim="-"))
            for end in self.interval
        )
        return low, high

    @property
    def is_exact(self) -> bool:
        """Whether nothing that is measured enters, so that no case is less sure than its numbers."""
        return all(low == high for low, high in self.intervals)

    @property
    def verdict(self) -> Verdict:
        """Whether all, some or none of the cases are what is claimed, as far as their intervals tell."""
        return find_verdict(self.intervals, (self.claimed_low, self.claimed_high))


def find_verdict(cases: Iterable[Interval], claimed: Interval) -> Verdict:
    """Whether all, some or none of the cases lie in what is claimed; open where their intervals straddle it.

    Some is sure where one case lies wholly inside and another wholly outside.
    """
    several = list(cases)
    inside = [claimed[0] <= low and high <= claimed[1] for low, high in several]
    outside = [high < claimed[0] or claimed[1] < low for low, high in several]
    if all(inside):
        return "holds"
    if all(outside):
        return "does not hold"
    return "in part" if any(inside) and any(outside) else "open"


def tell(
    found: Iterable[float],
    claimed: Interval,
    *,
    zh: str,
    en: str,
    unit: str = "ratio",
    intervals: Iterable[Interval] = (),
) -> Finding:
    """A finding from all values found; `claimed` may end at infinity.

    Without `intervals` the values are exact, and each is a case.
    """
    values = [float(each) for each in found]
    cases = tuple((float(low), float(high)) for low, high in intervals)
    return Finding(
        found_low=min(values), found_high=max(values), claimed_low=claimed[0], claimed_high=claimed[1],
        unit=unit, told=Note(zh=_with_signs(zh), en=_with_signs(en)),
        intervals=cases or tuple((value, value) for value in values),
    )  # fmt: skip


def _with_signs(told: str) -> str:
    """Minus signs before numbers, where formats write hyphens."""
    return re.sub(r"(?<![0-9A-Za-z])-(?=\d)", "−", told)


MORE = (1.0, inf)
"""Claimed of a ratio: above 1."""
LESS = (0.0, 1.0)
"""Claimed of a ratio: below 1."""

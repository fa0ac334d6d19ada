"""What models find of a claim: a range, and whether the claim holds in it."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Literal, get_args

from diglot.hardware.chips.notes import Note

Verdict = Literal["holds", "in part", "does not hold"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The range that models give, next to the one that is claimed."""

    found_low: float
    found_high: float
    """In `unit`, like what is claimed."""
    claimed_low: float
    claimed_high: float
    unit: str
    """Of all four: `ratio`, `s`, `W`, `chips` …"""
    told: Note
    """What was computed, with its numbers, in both languages."""

    def __post_init__(self) -> None:
        for low, high in ((self.found_low, self.found_high), (self.claimed_low, self.claimed_high)):
            if not low <= high:
                raise ValueError(f"a range must not end before it begins: {low!r} to {high!r}")

    @property
    def verdict(self) -> Verdict:
        """Whether all, some or nothing of what is found lies in what is claimed."""
        if self.claimed_low <= self.found_low and self.found_high <= self.claimed_high:
            return "holds"
        apart = self.found_high < self.claimed_low or self.claimed_high < self.found_low
        return "does not hold" if apart else "in part"


def tell(
    found: Iterable[float], claimed: tuple[float, float], *, zh: str, en: str, unit: str = "ratio"
) -> Finding:
    """A finding from all values found; `claimed` may end at infinity."""
    values = [float(each) for each in found]
    return Finding(
        found_low=min(values), found_high=max(values), claimed_low=claimed[0], claimed_high=claimed[1],
        unit=unit, told=Note(zh=zh, en=en),
    )  # fmt: skip


MORE = (1.0, inf)
"""Claimed of a ratio: above 1."""
LESS = (0.0, 1.0)
"""Claimed of a ratio: below 1."""

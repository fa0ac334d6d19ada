"""Finds remembered units of a half again, after others were inserted, moved, changed or deleted."""

from bisect import bisect_left
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise

import msgspec

from diglot.content.sequences import COMPARED_WITH_ALL, aligned
from diglot.staleness.normalising import bigrams, normalised
from diglot.staleness.units import OF_FRONT_MATTER, Unit

_IMPOSSIBLE = -1e9
_ALIKE = 0.6
"""Share of common pairs of characters from which a text in another place is the same text, changed."""


class Remembered(msgspec.Struct, frozen=True, kw_only=True, dict=True):  # dict=True is for what is cached
    """A unit of a half as the file remembers it."""

    kind: str
    digest: str
    text: str
    anchor: str | None

    @cached_property
    def bigrams(self) -> frozenset[str]:
        """The pairs of neighbouring characters of its text."""
        return bigrams(normalised(self.text, self.kind))


def find_again(now: Sequence[Unit], before: Sequence[Remembered]) -> dict[int, int]:
    """The index of what was, by the index of what is.

    By the author's anchor, else by the digest, nearest neighbours first, else by likeness between those.
    """
    return _Search(now, before).found()


class _Search:
    def __init__(self, now: Sequence[Unit], before: Sequence[Remembered]) -> None:
        self._now = now
        self._before = before
        self._found: dict[int, int] = {}

    def found(self) -> dict[int, int]:
        self._by_anchor()
        self._by_digest()
        self._between()
        self._elsewhere()
        return self._found

    def _left(self) -> tuple[list[int], list[int]]:
        taken = frozenset(self._found.values())
        now = [i for i in range(len(self._now)) if i not in self._found]
        return now, [j for j in range(len(self._before)) if j not in taken]

    def _by_anchor(self) -> None:
        places: dict[tuple[str, str], int] = {}
        for j, one in enumerate(self._before):
            if (name := _name(one)) is not None:
                places.setdefault((one.kind, name), j)
        taken: set[int] = set()
        for i, unit in enumerate(self._now):
            name = _name(unit)
            at = places.get((unit.kind, name)) if name is not None else None
            if at is not None and at not in taken:
                taken.add(at)
                self._found[i] = at

    def _by_digest(self) -> None:
        now, before = self._left()
        matcher = SequenceMatcher(
            None,
            [self._now[i].digest for i in now],
            [self._before[j].digest for j in before],
            autojunk=False,
        )
        for at, other, size in matcher.get_matching_blocks():
            for n in range(size):
                self._found[now[at + n]] = before[other + n]
        now, before = self._left()
        places: dict[str, list[int]] = {}
        for j in reversed(before):
            places.setdefault(self._before[j].digest, []).append(j)
        for i in now:
            if same := places.get(self._now[i].digest):
                self._found[i] = same.pop()

    def _between(self) -> None:
        """Pair what is left between two neighbours that were found, in order."""
        ends = [(-1, -1), *_rising(sorted(self._found.items())), (len(self._now), len(self._before))]
        left_now, left_before = map(frozenset, self._left())
        for (first, first_before), (last, last_before) in pairwise(ends):
            gap = [i for i in range(first + 1, last) if i in left_now]
            gone = [j for j in range(first_before + 1, last_before) if j in left_before]
            if not gap or not gone:
                continue
            for i, j in aligned(
                gap,
                gone,
                self._score,
                lambda i: self._now[i].bigrams,
                lambda j: self._before[j].bigrams,
            ):
                if i is not None and j is not None:
                    self._found[i] = j

    def _elsewhere(self) -> None:
        """Pair what moved and changed; where nearly everything is different, nothing counts as moved."""
        now, before = self._left()
        if len(now) * len(before) > COMPARED_WITH_ALL:
            return
        alike = sorted(
            (
                (likeness, i, j)
                for i in now
                for j in before
                if self._now[i].kind == self._before[j].kind and (likeness := self._likeness(i, j)) >= _ALIKE
            ),
            key=lambda one: (-one[0], one[1], one[2]),
        )
        taken: set[int] = set()
        for _, i, j in alike:
            if i not in self._found and j not in taken:
                taken.add(j)
                self._found[i] = j

    def _score(self, i: int, j: int, _shared: float | None = None) -> float:
        """Between the same neighbours, a text takes the old one's place even if they share nothing."""
        if self._now[i].kind != self._before[j].kind or _are_others(self._now[i], self._before[j]):
            return _IMPOSSIBLE
        return 4 * self._likeness(i, j) - 1

    def _likeness(self, i: int, j: int) -> float:
        one, other = self._now[i].bigrams, self._before[j].bigrams
        return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def _name(one: Unit | Remembered) -> str | None:
    """What tells a unit from all others of its half, whatever it says."""
    return one.kind if one.kind in OF_FRONT_MATTER else one.anchor


def _are_others(unit: Unit, one: Remembered) -> bool:
    """Whether two units have different names, so that neither is the other, changed."""
    return unit.anchor is not None and one.anchor is not None and unit.anchor != one.anchor


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """As many pairs as are in the same order on both sides; those on the left are sorted already."""
    return [pairs[at] for at in in_order([before for _, before in pairs])]


def in_order(numbers: Sequence[int]) -> list[int]:
    """The positions of a longest rising subsequence: of what need not have moved."""
    ends: list[int] = []
    places: list[int] = []
    previous: list[int] = []
    for at, number in enumerate(numbers):
        length = bisect_left(ends, number)
        previous.append(places[length - 1] if length else -1)
        if length == len(ends):
            ends.append(number)
            places.append(at)
        else:
            ends[length], places[length] = number, at
    found = []
    at = places[-1] if places else -1
    while at >= 0:
        found.append(at)
        at = previous[at]
    return found[::-1]

"""Finds the best sequence of pairs of two sequences, such as blocks of two halves, in linear time.

Short sequences are compared in full (Needleman-Wunsch). Long ones are compared only near a path, which runs
through the places where both sides have the same rare marks, chained as genome aligners chain their matches,
and straight between them. So time and memory are proportional to the length. The result is worse than that of
a full comparison only where a part has moved further than the path is wide and contains nothing rare.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

Pair = tuple[int | None, int | None]
"""Indices of two elements that belong together; None where one has no twin."""
Marks = Callable[[int], Iterable[str]]
"""Gives the marks of the element at an index: features that may tell it from others."""

ALONE = -0.8
"""Score of an element without a twin."""
_CLEARLY = 1e-6
"""Smaller differences of two sums are rounding errors."""

COMPARED_WITH_ALL = 200 * 200
"""Above this number of scores, only those near a path are computed: for sections of more than 200 blocks."""
_LOOKED_AT_FIRST = 1024
"""Up to this number of scores, it pays to check whether all are in step before comparing words."""
_BESIDE_PATH = 24
"""Columns compared on each side of the path, at most."""
_BESIDE_GAP = 48
"""Further columns, at most, where one side has more elements than the other between two path places."""
_RARE = 3
"""Marks that one side has more often than this say nothing about the path."""
_LOOKED_BACK = 16
"""Each place of a path is tried after this many places before it, after as many of the best ones, and after
the best one with the same shift."""
_ORDINARY = 1.0
"""Approximate score of a pair that has nothing in common but its kind."""
_SHIFT = _ORDINARY / 2 - ALONE
"""Cost of each position by which a path shifts: one element without a twin, and half a pair less."""

_PAIRED, _LEFT_ALONE, _RIGHT_ALONE = 0, 1, 2
_NEVER = -math.inf


class Score(Protocol):
    """Gives the score of two elements by their indices: how likely they are twins."""

    def __call__(self, i: int, j: int, shared: float | None = None, /) -> float:
        """`shared` is the share of words that both have, from 0 to 1; None computes it."""


def aligned(
    left: Sequence[int], right: Sequence[int], score: Score, left_marks: Marks, right_marks: Marks
) -> list[Pair]:
    """The sequence of pairs with the highest sum of scores; of equal ones, the one that pairs early."""
    if not left or not right:
        return [*((i, None) for i in left), *((None, j) for j in right)]
    if len(left) * len(right) > COMPARED_WITH_ALL:
        places = _places(left, right, score, left_marks, right_marks)
        path = _path(places, len(left), len(right))
        return _best(left, right, score, _near(path))[1]
    if _are_in_step(left, right, score):
        return list(zip(left, right, strict=True))
    return _best(left, right, score, _everywhere(left, right))[1]


def _are_in_step(left: Sequence[int], right: Sequence[int], score: Score) -> bool:
    """Whether each element pairs with the one at its own index, whatever words they share.

    True where that is the best sequence even if those pairs share no words and all other pairs share all of
    them.
    """
    if len(left) != len(right) or len(left) * len(right) > _LOOKED_AT_FIRST:
        return False
    in_step = 0.0

    def at_worst(i: int, j: int, _: float | None = None) -> float:
        return score(left[i], right[j], 0.0) - _CLEARLY if i == j else score(left[i], right[j], 1.0)

    for n in range(len(left)):
        in_step += at_worst(n, n)
    places = range(len(left))
    return _best(places, places, at_worst, _everywhere(left, right))[0] < in_step + _CLEARLY / 2


# What is compared


class _Columns(NamedTuple):
    """The columns that a row is compared with, both included; the end of the sequence is a column, too."""

    first: int
    last: int


class _Place(NamedTuple):
    """A position in both sequences: a row (left) and a column (right)."""

    row: int
    column: int


def _everywhere(left: Sequence[int], right: Sequence[int]) -> list[_Columns]:
    return [_Columns(0, len(right))] * (len(left) + 1)


def _near(path: Sequence[_Place]) -> list[_Columns]:
    """The columns near a path that begins before both sequences and ends after them."""
    firsts: list[int] = []
    lasts: list[int] = []
    columns = path[-1].column
    before = 0
    for here, there in pairwise(path):
        rows, wide = there.row - here.row, there.column - here.column
        # Where the next place of the path is close, the path is reliable and few columns are enough.
        beside = min(_BESIDE_PATH, 6 + 2 * max(rows, wide)) + min(_BESIDE_GAP, abs(wide - rows))
        for row in range(rows):
            at, onward = here.column + row * wide // rows, here.column + (row + 1) * wide // rows
            # Where the path jumps forward, this row's pair may be before the jump, and the jump a row later.
            firsts.append(max(0, before - beside))
            lasts.append(min(columns, onward + beside))
            before = at
    firsts.append(max(0, before - _BESIDE_PATH))
    lasts.append(columns)
    for row in range(len(firsts) - 2, -1, -1):  # no row begins or ends before the row above it
        firsts[row] = min(firsts[row], firsts[row + 1])
    for row in range(1, len(lasts)):
        lasts[row] = max(lasts[row], lasts[row - 1])
    return [_Columns(first, last) for first, last in zip(firsts, lasts, strict=True)]


class _Found(NamedTuple):
    """A place where both sides have the same rare mark."""

    place: _Place
    gain: float
    """How much better a pair is here than an ordinary one."""


def _places(
    left: Sequence[int], right: Sequence[int], score: Score, left_marks: Marks, right_marks: Marks
) -> list[_Found]:
    """The places where both sides have a mark that is rare in each, ordered by row, with positive gain."""
    rows, columns = _rare(left, left_marks), _rare(right, right_marks)
    places = {
        _Place(row, column)
        for mark, here in rows.items()
        if (there := columns.get(mark)) and max(len(here), len(there)) <= _RARE
        for row in here
        for column in there
    }
    found = (_Found(at, score(left[at.row], right[at.column]) - _ORDINARY) for at in sorted(places))
    return [one for one in found if one.gain > 0]


def _rare(sequence: Sequence[int], marks: Marks) -> dict[str, list[int]]:
    """The positions of each mark; for marks that are not rare, only the first ones."""
    found: dict[str, list[int]] = {}
    for place, index in enumerate(sequence):
        for mark in marks(index):
            places = found.setdefault(mark, [])
            if len(places) <= _RARE:
                places.append(place)
    return found


class _Step(NamedTuple):
    """A place that a path goes through."""

    total: float
    """Sum of the best path that ends here."""
    at: int
    before: int
    """Index of the place before this one; -1 for the beginning."""


def _path(found: Sequence[_Found], rows: int, columns: int) -> list[_Place]:
    """The path through both sequences with the highest gain, less the cost of shifts; both ends included."""
    steps: list[_Step] = []
    shifted: dict[int, _Step] = {}
    best: list[_Step] = []
    for at, (place, gain) in enumerate(found):
        shift = place.column - place.row
        total, before = -_SHIFT * abs(shift), -1
        alike = shifted.get(shift)
        for step in (*steps[-_LOOKED_BACK:], *best, *((alike,) if alike else ())):
            other = found[step.at].place
            candidate = step.total - _SHIFT * abs(shift - other.column + other.row)
            if candidate > total and other.row < place.row and other.column < place.column:
                total, before = candidate, step.at
        step = _Step(total + gain, at, before)
        steps.append(step)
        if alike is None or step.total >= alike.total:
            shifted[shift] = step
        if len(best) < _LOOKED_BACK:
            best.append(step)
        elif step.total > (least := min(best)).total:
            best[best.index(least)] = step
    end = columns - rows
    total, at = -_SHIFT * abs(end), -1
    for step in steps:
        place = found[step.at].place
        candidate = step.total - _SHIFT * abs(end - place.column + place.row)
        if candidate > total:
            total, at = candidate, step.at
    path = [_Place(rows, columns)]
    while at >= 0:
        path.append(found[at].place)
        at = steps[at].before
    path.append(_Place(0, 0))
    path.reverse()
    return path


# What is best


def _best(
    left: Sequence[int], right: Sequence[int], score: Score, compared: Sequence[_Columns]
) -> tuple[float, list[Pair]]:
    """The highest sum of a sequence within the compared columns, and its pairs."""
    rows, columns = len(left), len(right)
    # Filled from the end, so that the pairs can be read from the beginning.
    first, last = compared[rows]
    below = [ALONE * (columns - column) for column in range(first, last + 1)]
    steps = [bytearray([_RIGHT_ALONE]) * len(below)]
    for row in range(rows - 1, -1, -1):
        below_first, (first, last) = first, compared[row]
        # The row below, from this row's first column to one past its last; other columns are never best.
        below = [_NEVER] * (below_first - first) + below[: last - below_first + 2] + [_NEVER]
        taken = bytearray([_LEFT_ALONE]) * (last - first + 1)
        sums = [ALONE * (rows - row)] * (last - first + 1)
        behind = sums[-1] if last == columns else _NEVER
        one = left[row]
        for column in range(last if last < columns else columns - 1, first - 1, -1):
            at = column - first
            paired, down, onward = (
                score(one, right[column]) + below[at + 1],
                ALONE + below[at],
                ALONE + behind,
            )
            if paired >= down and paired >= onward:
                behind, taken[at] = paired, _PAIRED
            elif down >= onward:
                behind = down
            else:
                behind, taken[at] = onward, _RIGHT_ALONE
            sums[at] = behind
        below = sums
        steps.append(taken)
    steps.reverse()
    return below[0], _read_off(left, right, steps, compared)


def _read_off(
    left: Sequence[int], right: Sequence[int], steps: Sequence[bytearray], compared: Sequence[_Columns]
) -> list[Pair]:
    rows, columns = len(left), len(right)
    pairs: list[Pair] = []
    i = j = 0
    while i < rows or j < columns:
        step = steps[i][j - compared[i].first]
        if step == _PAIRED:
            pairs.append((left[i], right[j]))
        else:
            pairs.append((left[i], None) if step == _LEFT_ALONE else (None, right[j]))
        i += step != _RIGHT_ALONE
        j += step != _LEFT_ALONE
    return pairs

"""Places labels: each at the best of its candidate places, so that none covers another or a mark.

Lengths are px from the top left corner of the drawing, y downwards. The result depends on nothing but the
arguments, so that the same drawing always gets the same labels.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from statistics import fmean
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from diglot.figures.drawing.text_sizes import ASCENT_EM, DESCENT_EM, LINE_EM, Face, width_of

LEADER_FROM_PX = 20
"""Distance from which a line leads from a label to what it names."""
_CELL_PX = 1.0
_INK, _OVERLAP, _OUTSIDE = 110.0, 400.0, 4000.0
_ROUNDS = 12


Align = Literal["left", "center", "right"]


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Box") -> float:
        """The area that two boxes share, in px²."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0

    def outside(self, bounds: "Box") -> float:
        """How far a box leaves the bounds, in px."""
        return (
            max(bounds.left - self.left, 0)
            + max(bounds.top - self.top, 0)
            + max(self.right - bounds.right, 0)
            + max(self.bottom - bounds.bottom, 0)
        )


class Candidate(NamedTuple):
    """A place for a label: the left end of its first baseline, and what it costs besides what it covers."""

    left: float
    baseline: float
    cost: float
    leader: tuple[float, float] | None = None
    """The point that a line leads to."""
    align: Align = "left"
    """The part of the text that stays in place if a reader's font is wider or narrower than measured."""


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """A text that has to find a place."""

    text: str
    size: float
    token: str
    candidates: tuple[Candidate, ...]
    optional: bool = False
    """Whether it is left out where it would cover something, because it only helps."""

    def box(self, at: Candidate, face: Face) -> Box:
        """What the label covers at a place."""
        return Box(*self._sides(at.left, at.baseline, face))

    def boxes(self, face: Face) -> np.ndarray:
        """What the label covers at each of its candidates, in rows as in `Box`."""
        left, baseline = np.array([(at.left, at.baseline) for at in self.candidates]).T
        return np.stack(self._sides(left, baseline, face), axis=1)

    def _sides(self, left: Any, baseline: Any, face: Face) -> tuple[Any, Any, Any, Any]:
        """The sides of one box, or of many."""
        lines = self.text.count("\n")
        width = width_of(self.text, self.size, face.language)
        top = baseline - ASCENT_EM * self.size
        bottom = baseline + (DESCENT_EM + LINE_EM * lines) * self.size
        return left, top, left + width, bottom


class Ink:
    """What marks cover, as a grid of px that answers how much of a box is covered."""

    def __init__(self, width: float, height: float) -> None:
        self._grid = np.zeros((int(height) + 2, int(width) + 2))
        self._sums: np.ndarray | None = None

    def add_line(
        self, points: Iterable[tuple[float, float]], weight: float = 1.0, *, thick: float = 2
    ) -> None:
        """A polyline."""
        at = np.array([*points], dtype=float).reshape(-1, 2)
        at = at[np.isfinite(at).all(axis=1)]
        if len(at) < 2:
            return
        bound = float(max(self._grid.shape)) * 4
        at = np.clip(at, -bound, bound)
        # All segments at once, in steps of a px: a saw-tooth has hundreds.
        counts = (np.hypot(*(at[1:] - at[:-1]).T) / _CELL_PX).astype(int) + 2
        within = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts)
        shares = (within / np.repeat(counts - 1, counts))[:, None]
        starts = np.repeat(at[:-1], counts, axis=0)
        self._mark(starts + np.repeat(at[1:] - at[:-1], counts, axis=0) * shares, weight, thick)

    def _mark(self, places: np.ndarray, weight: float, thick: float) -> None:
        half = max(int(thick / 2), 0)
        at = np.rint(places).astype(int)
        # Steps of a px meet most cells twice in a row. To sort all of them takes more than it saves.
        columns, rows = at[np.append(True, (at[1:] != at[:-1]).any(axis=1))].T
        for dy in range(-half, half + 1):
            for dx in range(-half, half + 1):
                x, y = columns + dx, rows + dy
                inside = (x >= 0) & (y >= 0) & (x < self._grid.shape[1]) & (y < self._grid.shape[0])
                self._grid[y[inside], x[inside]] = np.maximum(self._grid[y[inside], x[inside]], weight)
        self._sums = None

    def add_box(self, box: Box, weight: float = 1.0) -> None:
        """A filled rectangle, such as a bar, a mark or a text."""
        top, bottom = max(int(box.top), 0), max(int(np.ceil(box.bottom)), 0)
        left, right = max(int(box.left), 0), max(int(np.ceil(box.right)), 0)
        part = self._grid[top:bottom, left:right]
        np.maximum(part, weight, out=part)
        self._sums = None

    def under(self, box: Box) -> float:
        """Covered px² in a box."""
        return float(self.under_each(np.array([box]))[0])

    def under_each(self, boxes: np.ndarray) -> np.ndarray:
        """Covered px² in each of several boxes, which are rows as in `Box`."""
        if self._sums is None:
            self._sums = np.pad(self._grid.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        height, width = self._grid.shape
        left, top = (np.clip(boxes[:, n].astype(int), 0, most) for n, most in ((0, width), (1, height)))
        right, bottom = (
            np.clip(np.ceil(boxes[:, n]).astype(int), 0, most) for n, most in ((2, width), (3, height))
        )
        s = self._sums
        return np.asarray(s[bottom, right] - s[top, right] - s[bottom, left] + s[top, left])


class Placement(NamedTuple):
    """Where labels are, and how well."""

    places: tuple[Candidate, ...]
    covered: tuple[float, ...]
    """For each label, how much of it lies on marks, other labels or outside, as a share of its area."""


def place(labels: Sequence[Label], ink: Ink, bounds: Box, face: Face) -> Placement:
    """The best place of each label, found by moving one label at a time until none gets better."""
    boxes = [label.boxes(face) for label in labels]
    alone = [_costs_alone(label, ours, ink, bounds) for label, ours in zip(labels, boxes, strict=True)]
    from_cheapest = [sorted(range(len(costs)), key=costs.__getitem__) for costs in alone]
    chosen = [order[0] for order in from_cheapest]

    @cache
    def box_of(label: int, candidate: int) -> Box:
        return Box(*boxes[label][candidate].tolist())

    def cost(label: int, candidate: int) -> float:
        box = box_of(label, candidate)
        others = (box_of(n, at) for n, at in enumerate(chosen) if n != label)
        return alone[label][candidate] + sum(_OVERLAP * (box.overlap(_padded(other)) > 0) for other in others)

    for _ in range(_ROUNDS):
        before = list(chosen)
        for label, candidates in enumerate(alone):
            # Candidates are tried from the cheapest, and left when the rest cannot be better.
            best, least = chosen[label], cost(label, chosen[label])
            for candidate in from_cheapest[label]:
                if candidates[candidate] >= least:
                    break
                if (found := cost(label, candidate)) < least - 1e-9:
                    best, least = candidate, found
            chosen[label] = best
        if chosen == before:
            break
    places = tuple(label.candidates[at] for label, at in zip(labels, chosen, strict=True))
    final = [box_of(label, at) for label, at in enumerate(chosen)]
    covered = tuple(
        (
            ink.under(box)
            + sum(box.overlap(other) for n, other in enumerate(final) if n != number)
            + (_height(box) * box.outside(bounds))
        )
        / max((box.right - box.left) * _height(box), 1)
        for number, box in enumerate(final)
    )
    return Placement(places, covered)


def _costs_alone(label: Label, boxes: np.ndarray, ink: Ink, bounds: Box) -> list[float]:
    """What each place of a label costs if there are no others."""
    left, top, right, bottom = boxes.T
    over = (bounds.left - left, bounds.top - top, right - bounds.right, bottom - bounds.bottom)
    outside = np.maximum(over, 0).sum(axis=0)
    covered = _INK * ink.under_each(boxes) / np.maximum(bottom - top, 1.0)
    costs = np.array([at.cost for at in label.candidates]) + covered + _OUTSIDE * (outside > 0.5)
    return [float(cost) for cost in costs]


def _height(box: Box) -> float:
    return max(box.bottom - box.top, 1.0)


def _padded(box: Box, by: float = 2.0) -> Box:
    return Box(box.left - 2 * by, box.top - by / 2, box.right + 2 * by, box.bottom + by / 2)


def around(
    x: float, y: float, width: float, size: float, *, gap: float, prefer: str = "right", far: bool = True
) -> list[Candidate]:
    """Places for a label next to a point: eight directions, near and, with a leader, farther away."""
    capitals = 0.7 * size
    order = _DIRECTIONS if prefer == "right" else _sorted_from(prefer)
    found = []
    for distance, extra in (
        (gap, 0.0),
        (gap + 7, 6.0),
        *(((28.0, 150.0), (46.0, 190.0), (68.0, 230.0)) if far else ()),
    ):
        for number, (dx, dy) in enumerate(order):
            reach = distance if dx == 0 or dy == 0 else distance * 0.8
            left = x + dx * reach - (width if dx < 0 else width / 2 if dx == 0 else 0)
            middle = y + dy * (reach + (capitals / 2 if dy else 0))
            leader = (x, y) if distance >= LEADER_FROM_PX else None
            align: Align = "right" if dx < 0 else "center" if dx == 0 else "left"
            found.append(Candidate(left, middle + capitals / 2, number * 2.0 + extra, leader, align))
    return found


_DIRECTIONS = ((1, 0), (1, -1), (1, 1), (0, -1), (0, 1), (-1, 0), (-1, -1), (-1, 1))


def _sorted_from(prefer: str) -> tuple[tuple[int, int], ...]:
    first = {
        "left": (-1, 0),
        "above": (0, -1),
        "below": (0, 1),
        "above left": (-1, -1),
        "above right": (1, -1),
    }
    at = first.get(prefer, (1, 0))
    return (at, *(one for one in _DIRECTIONS if one != at))


def along(
    points: Sequence[tuple[float, float]], width: float, size: float, *, gap: float, from_end: bool = True
) -> list[Candidate]:
    """Places for a line's name above and below it, next to it where it is steep, best near its right end."""
    capitals = 0.7 * size
    if len(points) < 2:
        return around(*points[0], width, size, gap=gap) if points else []
    at = np.array(points, dtype=float)
    xs = np.linspace(at[0, 0], at[-1, 0], 25) if at[-1, 0] > at[0, 0] else at[:, 0]
    found = []
    for x in xs:
        near = at[(at[:, 0] >= x - width / 2) & (at[:, 0] <= x + width / 2)]
        y = float(np.interp(x, at[:, 0], at[:, 1]))
        ys = np.append(near[:, 1], y)
        far = abs(x - (at[-1, 0] - width / 2)) / max(at[-1, 0] - at[0, 0], 1)
        cost = 30 * far if from_end else 0.0
        for part, align in _ALIGNED:
            left = x - width * part
            found.append(Candidate(left, float(ys.min()) - gap, cost + 1, None, align))
            found.append(Candidate(left, float(ys.max()) + gap + capitals, cost + 3, None, align))
            found.append(Candidate(left, y - gap, cost + 2, None, align))
            found.append(Candidate(left, y + gap + capitals, cost + 4, None, align))
    steps = np.diff(at, axis=0)
    steep = np.abs(steps[:, 1]) > 2 * np.abs(steps[:, 0])
    lengths = np.hypot(*steps.T) * steep
    if lengths.sum() > 3 * size:
        ends = lengths.cumsum()
        for share in np.linspace(0.06, 0.94, 12):
            number = int(np.searchsorted(ends, share * ends[-1]))
            part = 1 - (ends[number] - share * ends[-1]) / lengths[number]
            x, y = (float(one) for one in at[number] + part * steps[number])
            cost = 4 + (20 * (1 - share) if from_end else 0.0)
            found.append(Candidate(x + gap + 2, y + capitals / 2, cost, None, "left"))
            found.append(Candidate(x - gap - 2 - width, y + capitals / 2, cost + 2, None, "right"))
    return found


_ALIGNED: tuple[tuple[float, Align], ...] = (*((0.0, "left"), (0.5, "center"), (1.0, "right")),)


def spread(places: Sequence[float], gaps: Sequence[float], low: float, high: float) -> list[float]:
    """Move places as little as possible (least squares) so that neighbours keep their gaps, within bounds.

    `gaps[n]` is the least distance between the nth place and the one before it in ascending order.
    """
    order = sorted(range(len(places)), key=places.__getitem__)
    below, total = [], 0.0
    for number, place_of in enumerate(order):
        total += gaps[place_of] if number else 0.0
        below.append(total)
    # With the gaps below subtracted, the places must not descend (isotonic regression): neighbouring runs
    # whose means descend are merged, and share their mean.
    runs: list[list[float]] = []
    for number, place_of in enumerate(order):
        runs.append([places[place_of] - below[number]])
        while len(runs) > 1 and fmean(runs[-2]) > fmean(runs[-1]):
            last = runs.pop()
            runs[-1] += last
    top = high - (below[-1] if below else 0)
    levels = [min(max(fmean(run), low), max(top, low)) for run in runs for _ in run]
    moved = [0.0] * len(places)
    for number, place_of in enumerate(order):
        moved[place_of] = levels[number] + below[number]
    return moved

"""Finds data that the frame of its axes, or the edge of the drawing, cuts off.

A point or a bar that is not wholly inside is missing or wrong. A line may run out of the frame. Nothing is
lost where it goes straight on from corner to corner or on a logarithmic axis, as the slope of a roof does, or
steeply, towards a limit that it never reaches, or where it leaves at the left or right, because the script
shows a part of a longer sweep. What is reported is a peak or a series of values that is cut off, an end that
bends out of sight, and a line of which nothing is seen.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal

import msgspec
import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Bbox, BboxBase
from numpy.typing import NDArray

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.labels import plain_number
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.lint.marks import Mark, Points

Flags = NDArray[np.bool_]

TOLERANCE_PX = 1.0
"""How far outside a mark may be. A peak of a line may be as far as the line is wide."""
FEW_VERTICES = 5
"""Lines of at most so many vertices are constructed, as roofs are; others are samples of a curve."""
_CORNERS = 3
"""Vertices of a line that is drawn from corner to corner: a slope, a roof and its end."""
_AXES: tuple[Literal["x", "y"], ...] = ("x", "y")
_BEND = 0.01
"""Share of its length by which a line may leave its straight course and still be straight."""
_STEEP = 0.02
"""Share of the frame's width within which the end of a line is steep, however high it goes."""


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """An axis that ends before the data does."""

    which: Literal["x", "y"]
    upper: bool
    """Whether the data is beyond the larger of the two limits."""
    limit: float
    reached: float
    """The farthest value that is cut off."""

    def __str__(self) -> str:
        ends = "ends" if self.upper else "begins"
        goes = "goes to" if self.upper else "begins at"
        limit, reached = read_number(self.limit), read_number(self.reached)
        return f"the {self.which} axis {ends} at {limit}, but the data {goes} {reached}"


def clipped(canvas: Canvas, marks: Iterable[Mark]) -> Iterator[Finding]:
    """For each line of the script and each end of an axis that cuts data off, the farthest value."""
    farthest: dict[object, tuple[Mark, Cut]] = {}
    for mark in _suspects(marks):
        for cut in _cuts(canvas, mark):
            key = (canvas.origins.line_of(mark.artist), cut.which, cut.upper, cut.limit)
            known = farthest.get(key)
            if known is None or abs(cut.reached - cut.limit) > abs(known[1].reached - cut.limit):
                farthest[key] = (mark, cut)
    for mark, cut in farthest.values():
        yield Finding(
            rule="figure-clipped",
            message=str(cut),
            fix="widen the limits of the axis, or leave out what is not to be shown.",
            artist=mark.artist,
        )


def saturated(canvas: Canvas) -> Iterator[Finding]:
    """The heat maps whose colours end before their values do: those beyond look like the last ones."""
    for low, high, least, most in canvas.colours:
        room = 1e-9 * (high - low)
        if least < low - room or most > high + room:
            colours = f"{read_number(low)} to {read_number(high)}"
            values = f"{read_number(least)} to {read_number(most)}"
            yield Finding(
                rule="figure-clipped",
                message=f"the colours go from {colours}, but the values from {values}",
                fix="give `domain` ends that hold all values, or leave out what is not to be shown.",
                word="heat_map(",
            )


def _suspects(marks: Iterable[Mark]) -> Iterator[Mark]:
    """The marks in axes that do not hold all their data: in most drawings none, and soon found."""
    for axes, group in groupby(marks, key=lambda mark: mark.axes):
        own = [*group]
        places = np.concatenate([path for mark in own for path in mark.paths])
        (left, right), (bottom, top) = sorted(axes.get_xlim()), sorted(axes.get_ylim())
        if not ((places >= (left, bottom)) & (places <= (right, top))).all():
            yield from own


def _cuts(canvas: Canvas, mark: Mark) -> Iterator[Cut]:
    axes = mark.axes
    box = axes.bbox if mark.is_clipped else canvas.bbox
    for places in mark.paths:
        with np.errstate(all="ignore"):  # such as the logarithm of 0, which is nowhere on its axis
            at = axes.transData.transform(places)
        known = np.isfinite(at).all(axis=1)
        lost = _lost(mark, places[known], at[known], box)
        if lost.any():
            yield from _worst(mark, places[known][lost], at[known][lost], box)


def _lost(mark: Mark, places: Points, at: Points, box: BboxBase) -> Flags:
    """Which vertices are cut off by mistake."""
    if mark.kind == "line":
        outside = _outside(at, box, room=max(TOLERANCE_PX, mark.width_px))
        if mark.marker is not None:
            return outside
        return _hidden_of_line(at, outside, box, is_logarithmic=mark.axes.get_yscale() == "log")
    if mark.kind in ("bar", "area"):
        # They begin at the foot of a logarithmic axis, which has no 0.
        logarithmic = [scale == "log" for scale in (mark.axes.get_xscale(), mark.axes.get_yscale())]
        at = np.maximum(at, np.where(logarithmic, (box.x0, box.y0), -np.inf))
    outside = _outside(at, box)
    if mark.kind == "area" and outside.sum() > 1 and len(np.unique(places[outside, 1])) == 1:
        return np.zeros_like(outside)  # an edge at one level is the open side of a region, and no data
    return outside


def _outside(at: Points, box: BboxBase, *, room: float = TOLERANCE_PX) -> Flags:
    beyond = (at < (box.x0 - room, box.y0 - room)) | (at > (box.x1 + room, box.y1 + room))
    return np.asarray(np.asarray(beyond).any(axis=1), dtype=np.bool_)


def _hidden_of_line(at: Points, outside: Flags, box: BboxBase, *, is_logarithmic: bool) -> Flags:
    """The vertices outside that a reader misses, for a line without markers."""
    is_curve = len(at) > FEW_VERTICES
    if outside.all():
        # A straight line from far outside to far outside, such as y = x, is seen where it crosses the frame.
        return outside & (is_curve or not Path(at).intersects_bbox(Bbox(box.get_points()), filled=False))
    hidden = outside.copy()
    first, last = (int(n) for n in np.flatnonzero(~outside)[[0, -1]])
    seen = 2 if is_curve else 1
    may_go_on = is_logarithmic or len(at) <= _CORNERS
    if _runs_out(at[:first][::-1], at[first : first + seen][::-1], box, may_go_on=may_go_on):
        hidden[:first] = False
    if _runs_out(at[last + 1 :], at[max(last + 1 - seen, 0) : last + 1], box, may_go_on=may_go_on):
        hidden[last + 1 :] = False
    return hidden


def _runs_out(gone: Points, course: Points, box: BboxBase, *, may_go_on: bool) -> bool:
    """Whether the end of a line, after its last visible vertices (`course`), runs out of the frame fairly.

    With `may_go_on`, a straight line is known from what is seen of it: a roof, or a power on a logarithmic
    axis. A series of values on a linear axis may end anywhere.
    """
    by_the_side = (gone[:, 0] < box.x0) | (gone[:, 0] > box.x1)
    if by_the_side.all():
        return True
    is_steep = np.ptp([course[-1, 0], *gone[:, 0]]) <= _STEEP * box.width
    return bool(is_steep) or (may_go_on and _is_straight(np.concatenate([course, gone])))


def _is_straight(points: Points) -> bool:
    across, up = points[-1] - points[0]
    length = float(np.hypot(across, up))
    turned = np.abs(across * (points[:, 1] - points[0, 1]) - up * (points[:, 0] - points[0, 0]))
    return bool((turned <= length * max(TOLERANCE_PX, _BEND * length)).all())


def _worst(mark: Mark, places: Points, at: Points, box: BboxBase) -> Iterator[Cut]:
    """The farthest value beyond each side."""
    axes = mark.axes
    for n, which in enumerate(_AXES):
        limits = axes.get_xlim() if which == "x" else axes.get_ylim()
        low, high = ((box.x0, box.x1), (box.y0, box.y1))[n]
        for limit, beyond in zip(limits, (at[:, n] < low, at[:, n] > high), strict=True):
            if (there := places[beyond, n]).size:
                upper = limit == max(limits)
                reached = float(there.max() if upper else there.min())
                yield Cut(which=which, upper=upper, limit=float(limit), reached=reached)


def read_number(value: float) -> str:
    """A number as on an axis, or, if it is very large or small, as in a script: `9.89e14`."""
    if value == 0 or 1e-4 <= abs(value) < 1e7:
        return plain_number(float(f"{value:.4g}"))
    return f"{value:.4g}".replace("e+", "e")

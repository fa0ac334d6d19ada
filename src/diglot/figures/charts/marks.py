"""Marks of a chart with two axes: lines, areas, points, rules, bands, and texts about them."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec
import numpy as np
from matplotlib.axes import Axes

from diglot.figures.charts.placing import Align, Box, Candidate, Label, along, around
from diglot.figures.charts.plots import End, Plot
from diglot.figures.charts.series import GUIDE, Look
from diglot.figures.drawing.text_sizes import width_of

Point = tuple[float, float]
MARKER_PX, LINE_PX = 8.0, 2.0
_WHISKER_PX = 1.5
_DOT_PX = 6.0
"""Size of a point of a line that has no neighbours."""


class Mark(Protocol):
    """Something in a frame of two axes."""

    def extent(self) -> tuple[Sequence[float], Sequence[float]]:
        """The x and the y values that the axes must show."""

    def plan(self, plot: Plot) -> None:
        """Note the ink and the texts of the mark."""

    def paint(self, axes: Axes) -> None:
        """Draw the mark."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A polyline, with a name at its end."""

    points: tuple[Point, ...]
    look: Look
    width: float = LINE_PX
    dashes: tuple[float, ...] | None = None
    name: str = ""
    above: float | None = None
    """For an area, the value that it is filled down to."""
    below: tuple[float, ...] | None = None
    """For an area above another one, the values that it is filled down to."""

    def extent(self) -> tuple[Sequence[float], Sequence[float]]:
        """The x and the y values of the line, and the foot of its area."""
        points = self._known()
        foot = [y for y in self.below or () if not math.isnan(y)]
        return [x for x, _ in points], [
            *(y for _, y in points),
            *foot,
            *([] if self.above is None else [self.above]),
        ]

    def _known(self) -> list[Point]:
        """The points without the gaps, where x or y is NaN."""
        return [point for point in self.points if not math.isnan(point[0] + point[1])]

    @property
    def end(self) -> Point | None:
        """The last point that is known."""
        return next(reversed(self._known()), None)

    def _alone(self) -> list[Point]:
        """Points with gaps at both sides, through which no line goes."""
        padded = [(math.nan, math.nan), *self.points, (math.nan, math.nan)]
        missing = [math.isnan(x + y) for x, y in padded]
        return [
            point for n, point in enumerate(padded) if not missing[n] and missing[n - 1] and missing[n + 1]
        ]

    def plan(self, plot: Plot) -> None:
        """Note the line's ink and its name."""
        pixels = plot.polyline(self._known())
        plot.ink.add_line(pixels, thick=self.width)
        if self.name and pixels:
            plot.ends.append(End(self.name, self.look.text_token, tuple(pixels)))

    def paint(self, axes: Axes) -> None:
        """Draw the line, and its area in a pale tint."""
        alone = self._alone()
        if alone and self.width:
            dots: dict[str, Any] = {
                "marker": "o",
                "ms": _DOT_PX,
                "mew": 0,
                "mfc": self.look.token,
                "zorder": 3,
                "clip_on": False,
            }
            axes.plot([x for x, _ in alone], [y for _, y in alone], ls="none", **dots)
        if len(alone) == len(self._known()):
            return
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        if self.above is not None or self.below is not None:
            foot: Any = self.below if self.below is not None else self.above
            axes.fill_between(xs, ys, foot, color=self.look.token, alpha=0.22, lw=0, zorder=2)
        if not self.width:
            return
        (drawn,) = axes.plot(xs, ys, color=self.look.token, lw=self.width, zorder=3, solid_capstyle="round")
        if self.dashes is not None:
            drawn.set_dashes(self.dashes)
            drawn.set_dash_capstyle("butt")


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """How sure values are: a pale band along a line, or a whisker through each point."""

    x: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    look: Look
    is_band: bool

    def _known(self) -> list[tuple[float, float, float]]:
        """Places whose interval is known; the others are gaps."""
        every = zip(self.x, self.low, self.high, strict=True)
        return [(x, low, high) for x, low, high in every if not math.isnan(x + low + high)]

    def extent(self) -> tuple[Sequence[float], Sequence[float]]:
        """The places, and both ends."""
        known = self._known()
        return [x for x, _, _ in known], [end for _, low, high in known for end in (low, high)]

    def plan(self, plot: Plot) -> None:
        """Note the ink of whiskers; texts may lie on a band."""
        for x, low, high in [] if self.is_band else self._known():
            plot.ink.add_line([plot.px(x, low), plot.px(x, high)], thick=_WHISKER_PX)

    def paint(self, axes: Axes) -> None:
        """Draw the band or the whiskers, below lines and points."""
        if self.is_band:
            axes.fill_between(self.x, self.low, self.high, color=self.look.token, alpha=0.22, lw=0, zorder=2)
            return
        x, low, high = zip(*self._known(), strict=True) if self._known() else ((), (), ())
        axes.vlines(x, low, high, colors=self.look.token, lw=_WHISKER_PX, zorder=2)


class Points(msgspec.Struct, frozen=True, kw_only=True):
    """Markers: hollow if computed, filled if measured or published."""

    points: tuple[Point, ...]
    look: Look
    size: float = MARKER_PX
    filled: bool = False
    mute: bool = False
    """Small dots without meaning of their own, such as dominated points."""
    texts: tuple[str, ...] = ()
    """A label for each point; empty for none."""
    drop: bool = False
    """Whether a dotted guide leads from each point to the axis."""
    name: str = ""
    prefer: str = "right"

    def extent(self) -> tuple[Sequence[float], Sequence[float]]:
        """The places of the points."""
        return [x for x, _ in self.points], [y for _, y in self.points]

    def labelled(self) -> list[float]:
        """The y values of points with a text."""
        return [y for text, (_, y) in zip(self.texts, self.points, strict=False) if text]

    def plan(self, plot: Plot) -> None:
        """Note the markers' ink and their labels."""
        half = self.size / 2 + 1
        gap, size = half + 6, plot.face.small
        places = [plot.px(*point) for point in self.points]
        for x, y in places:
            plot.ink.add_box(Box(x - half, y - half, x + half, y + half), 0.15 if self.mute else 2.0)
            if self.drop:
                plot.ink.add_line([(x, y), (x, plot.frame.bottom)], 0.5, thick=1)
        for text, (x, y) in zip(self.texts, places, strict=False):
            if text:
                found = around(x, y, _width(text, size, plot), size, gap=gap, prefer=self.prefer)
                plot.labels.append(
                    Label(text=text, size=size, token=self.look.text_token, candidates=tuple(found))
                )
        if self.name and places:
            size = plot.face.text
            found = [
                at._replace(cost=at.cost + 2 * abs(number - len(places) + 1))
                for number, (x, y) in enumerate(places)
                for at in around(x, y, _width(self.name, size, plot), size, gap=gap, far=False)
            ]
            plot.labels.append(
                Label(text=self.name, size=size, token=self.look.text_token, candidates=tuple(found))
            )

    def paint(self, axes: Axes) -> None:
        """Draw all markers as one element."""
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        if self.drop:
            low = axes.get_ylim()[0]
            for x, y in self.points:
                axes.plot([x, x], [low, y], color=self.look.token, lw=1, dashes=GUIDE, zorder=2)
        # matplotlib's diamond is a square on its tip, which would look larger than the other markers.
        size = self.size * (0.85 if self.look.marker == "D" else 1)
        if self.mute:
            axes.plot(xs, ys, ls="none", marker="o", ms=self.size, mew=0, mfc="mute", zorder=2)
            return
        face = self.look.token if self.filled else "paper"
        axes.plot(
            *(xs, ys), ls="none", marker=self.look.marker, ms=size, mew=2 if self.size >= 6 else 1.5,
            mec=self.look.token, mfc=face, zorder=4, clip_on=False,
        )  # fmt: skip


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A dotted guide across the frame at one value, with a word at its end."""

    x: float | None = None
    y: float | None = None
    text: str = ""
    token: str = "mute"

    def extent(self) -> tuple[Sequence[float], Sequence[float]]:
        """The value of the rule."""
        return ([] if self.x is None else [self.x]), ([] if self.y is None else [self.y])

    def plan(self, plot: Plot) -> None:
        """Note the guide and its word."""
        frame, size = plot.frame, plot.face.small
        width = _width(self.text, size, plot)
        found: list[Candidate] = []
        if self.x is not None:
            x = plot.x_px(self.x)
            plot.ink.add_line([(x, frame.top), (x, frame.bottom)], 0.6, thick=1)
            for number, share in enumerate((0.0, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85)):
                baseline = frame.top + share * (frame.bottom - frame.top) + size
                found += [
                    Candidate(x + 6, baseline, 3 * number),
                    Candidate(x - 6 - width, baseline, 3 * number + 2, None, "right"),
                ]
        elif self.y is not None:
            y = plot.y_px(self.y)
            plot.ink.add_line([(frame.left, y), (frame.right, y)], 0.6, thick=1)
            for number, share in enumerate((1.0, 0.8, 0.6, 0.4, 0.2, 0.0)):
                left = frame.left + share * (frame.right - frame.left - width)
                align: Align = "right" if share > 0.5 else "left"
                found += [
                    Candidate(left, y - 5, 3 * number, None, align),
                    Candidate(left, y + 5 + 0.7 * size, 3 * number + 2, None, align),
                ]
        if self.text and found:
            plot.labels.append(Label(text=self.text, size=size, token=self.token, candidates=tuple(found)))

    def paint(self, axes: Axes) -> None:
        """Draw the guide."""
        if self.x is not None:
            drawn = axes.axvline(self.x, color=self.token, lw=1, zorder=1)
        else:
            drawn = axes.axhline(self.y or 0, color=self.token, lw=1, zorder=1)
        drawn.set_dashes(GUIDE)


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """A pale range of x or of y, with a word inside."""

    x: tuple[float, float] | None = None
    y: tuple[float, float] | None = None
    text: str = ""

    def extent(self) -> tuple[Sequence[float], Sequence[float]]:
        """The ends of the band."""
        return self.x or (), self.y or ()

    def plan(self, plot: Plot) -> None:
        """Note the band's word; labels may lie on the band."""
        if not self.text:
            return
        frame, size = plot.frame, plot.face.small
        left, right = (plot.x_px(self.x[0]), plot.x_px(self.x[1])) if self.x else (frame.left, frame.right)
        bottom, top = (plot.y_px(self.y[0]), plot.y_px(self.y[1])) if self.y else (frame.bottom, frame.top)
        box = Box(left + 5, top + 4, right - 5, bottom - 4)
        plot.labels.append(
            Label(text=self.text, size=size, token="mute", candidates=_within(box, self.text, size, plot))
        )

    def paint(self, axes: Axes) -> None:
        """Draw the band below everything else."""
        if self.x is not None:
            axes.axvspan(*self.x, fc="sunk", ec="none", zorder=0)
        if self.y is not None:
            axes.axhspan(*self.y, fc="sunk", ec="none", zorder=0)


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """A word for a part of the frame, near a place given as shares of the frame."""

    text: str
    at: Point

    def extent(self) -> tuple[Sequence[float], Sequence[float]]:
        """Nothing: a word moves no axis."""
        return (), ()

    def plan(self, plot: Plot) -> None:
        """Look for a free place near the one asked for."""
        frame, size = plot.frame, plot.face.small
        wide, high = frame.right - frame.left, frame.bottom - frame.top
        width = _width(self.text, size, plot)
        found = []
        for dx in range(-6, 7):
            for dy in range(-6, 7):
                x = frame.left + (self.at[0] + dx * 0.04) * wide - width * self.at[0]
                y = frame.bottom - (self.at[1] + dy * 0.04) * high + 0.35 * size
                found.append(Candidate(x, y, 1.5 * (abs(dx) + abs(dy))))
        inside = [
            one
            for one in found
            if frame.left + 4 <= one.left <= frame.right - width
            and frame.top + size <= one.baseline <= frame.bottom - 6
        ]
        plot.labels.append(Label(text=self.text, size=size, token="mute", candidates=tuple(inside or found)))

    def paint(self, axes: Axes) -> None:
        """Nothing but the word is drawn."""


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """What the author says about a point."""

    point: Point
    text: str
    token: str = "ink"
    prefer: str = "right"

    def extent(self) -> tuple[Sequence[float], Sequence[float]]:
        """The point, so that it lies inside the frame."""
        return [self.point[0]], [self.point[1]]

    def labelled(self) -> list[float]:
        """The y value of the point."""
        return [self.point[1]]

    def plan(self, plot: Plot) -> None:
        """Look for a place next to the point."""
        size, (x, y) = plot.face.small, plot.px(*self.point)
        width = _width(self.text, size, plot)
        found = around(x, y, width, size, gap=9, prefer=self.prefer)
        plot.labels.append(Label(text=self.text, size=size, token=self.token, candidates=tuple(found)))

    def paint(self, axes: Axes) -> None:
        """Nothing but the text is drawn."""


def name_label(end: End, plot: Plot) -> Label:
    """A line's name inside the frame: at its end, above or below the line, nearer to it than to any other."""
    size = plot.face.text
    width = _width(end.text, size, plot)
    seen = [point for point in end.points if _in_frame(point, plot.frame)] or list(end.points)
    x, y = seen[-1]
    at_end = [one._replace(cost=one.cost + 0.5) for one in around(x, y, width, size, gap=7, far=False)]
    others = [_dense(other.points) for other in plot.ends if other is not end]
    own = _dense(end.points)
    places = (*at_end, *along(sorted(seen), width, size, gap=5))
    found = Label(text=end.text, size=size, token=end.token, candidates=places)
    boxes = found.boxes(plot.face)
    distances = _distances(own, boxes)
    wrong = distances > 16
    for other in others:
        wrong |= _distances(other, boxes) < distances + 1
    candidates = [
        one._replace(cost=one.cost + AMBIGUOUS * bool(is_wrong))
        for one, is_wrong in zip(places, wrong, strict=True)
    ]
    return msgspec.structs.replace(found, candidates=tuple(candidates))


AMBIGUOUS = 90.0
"""Cost of a place where a name could be that of another line."""


def _dense(points: Sequence[Point]) -> np.ndarray:
    """Points on a polyline, at most 4 px apart."""
    at = np.array(points, dtype=float)
    if len(at) < 2:
        return at
    steps = at[1:] - at[:-1]
    counts = (np.minimum(np.hypot(*steps.T), 4000) / 4).astype(int) + 2
    within = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts)
    shares = (within / np.repeat(counts - 1, counts))[:, None]
    return np.asarray(np.repeat(at[:-1], counts, axis=0) + np.repeat(steps, counts, axis=0) * shares)


def _distances(points: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """The distance of a line from each box, in px. Points are rows of x, y, boxes rows as in `Box`."""
    x, y = points.T
    # In blocks that stay in the processor's cache. All boxes at once take fresh memory five times, which is
    # most of the time; one box at a time is slower, too.
    many = max(1, _BLOCK // max(len(points), 1))
    squares = np.empty(len(boxes))
    for first in range(0, len(boxes), many):
        left, top, right, bottom = boxes[first : first + many].T[:, :, None]
        dx = np.maximum(np.maximum(left - x, x - right), 0)
        dy = np.maximum(np.maximum(top - y, y - bottom), 0)
        squares[first : first + many] = (dx * dx + dy * dy).min(axis=1)
    return np.sqrt(squares)


_BLOCK = 16_000
"""How many distances are computed at once."""


def _in_frame(point: Point, frame: Box) -> bool:
    return frame.left - 1 <= point[0] <= frame.right + 1 and frame.top - 1 <= point[1] <= frame.bottom + 1


def _width(text: str, size: float, plot: Plot) -> float:
    return width_of(text, size, plot.face.language)


def _within(box: Box, text: str, size: float, plot: Plot) -> tuple[Candidate, ...]:
    """Places inside a box, best at its top left."""
    width = _width(text, size, plot)
    steps = [n / 6 for n in range(7)]
    return tuple(
        Candidate(
            box.left + a * (box.right - box.left - width),
            box.top + size + b * (box.bottom - box.top - size),
            4 * a + 6 * b,
        )
        for b in steps
        for a in steps
    )


def steps(points: Iterable[Point]) -> tuple[Point, ...]:
    """A line that keeps each value until the next one, and jumps there."""
    given = list(points)
    found = given[:1]
    for x, y in given[1:]:
        found += [(x, found[-1][1]), (x, y)]
    return tuple(found)


def saw_teeth(points: Iterable[Point], teeth: Sequence[Any] | None = None) -> tuple[Point, ...]:
    """A line that falls vertically where a tooth ends, to where the next tooth would begin.

    A tooth ends where its value in `teeth` changes or, without `teeth`, before each fall. The drop is at the
    last point of the tooth; the next one is continued back to it by its first two points.
    """
    given = list(points)
    runs: list[list[Point]] = []
    for number, point in enumerate(given):
        new = number == 0 or (
            point[1] < given[number - 1][1] if teeth is None else teeth[number] != teeth[number - 1]
        )
        if new:
            runs.append([])
        runs[-1].append(point)
    found: list[Point] = []
    for run in runs:
        if found:
            x = found[-1][0]
            (x0, y0), (x1, y1) = (run[0], run[1]) if len(run) > 1 else (run[0], (run[0][0] + 1, run[0][1]))
            found.append((x, y0 + (y1 - y0) / (x1 - x0) * (x - x0) if x1 != x0 else y0))
        found += run
    return tuple(found)

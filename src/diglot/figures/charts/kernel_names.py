"""Names of kernels inside the frame of a roofline, where rows of them above it would leave it no height.

Above the slopes at the left and below the roofs at the right nothing is drawn. So a name is at the left above
the highest of its kernel's marks, right below the lowest, or further down at the end of a dotted guide.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from matplotlib.axes import Axes

from diglot.figures.charts.placing import Align, Box
from diglot.figures.charts.plots import Plot, Text
from diglot.figures.drawing.text_sizes import width_of

_GAP_PX = 7.0
_ROWS = 8
_OUTSIDE, _COVERED, _IN_THE_WAY = 1000.0, 100.0, 15.0


class KernelName(NamedTuple):
    """A name, with its kernel's intensity and the lowest and highest of its rates."""

    text: str
    x: float
    low: float
    high: float


class _Marks(NamedTuple):
    """The lowest and the highest mark of a kernel, in px."""

    x: float
    low: float
    high: float
    text: str


class _Place(NamedTuple):
    x: float
    baseline: float
    align: Align
    cost: float
    guided: bool = False


class KernelNames(msgspec.Struct, frozen=True, kw_only=True):
    """The names of all kernels of a roofline."""

    names: tuple[KernelName, ...]

    def extent(self) -> tuple[Sequence[float], Sequence[float]]:
        """Nothing: the kernels' marks are in the frame already."""
        return (), ()

    def plan(self, plot: Plot) -> None:
        """Give each name, from the left, the place where it covers least and is in the way of no other."""
        size, frame = plot.face.small, plot.frame
        # Names of roofs begin behind the frame: one that ends close to it would be read on into them.
        room = frame._replace(top=frame.top - 1.5 * size, right=frame.right - 0.5 * size)
        floor = frame.bottom - 1.6 * size  # below it are the numbers of the ridges
        marks = sorted(
            _Marks(plot.x_px(n.x), plot.y_px(n.low), plot.y_px(n.high), n.text) for n in self.names
        )
        for mark in marks:
            width = width_of(mark.text, size, plot.face.language)
            others = [(other.x, other.low) for other in marks if other is not mark]
            places = [at for at in _places(mark, size) if at.baseline < floor] or [*_places(mark, size)]
            costs = [
                at.cost
                + _COVERED * _ink_px2(at, mark, _box(at, width, size), plot) / size**2
                + _IN_THE_WAY * _crossed(_box(at, width, size), others)
                + _OUTSIDE * (_box(at, width, size).outside(room) > 1)
                for at in places
            ]
            best = places[min(range(len(places)), key=costs.__getitem__)]
            box = _box(best, width, size)
            on_grid = any(box.top < plot.y_px(tick) < box.bottom for tick in plot.y.ticks)
            patch = on_grid or plot.ink.under(box) > 0
            guide = ((mark.x, box.top), (mark.x, mark.low)) if best.guided else None
            plot.ink.add_box(box, 3.0)
            plot.ink.add_line(guide or (), 2.0)
            plot.texts.append(
                Text(best.x, round(best.baseline, 2), mark.text, "soft", True, best.align, patch, guide, True)
            )

    def paint(self, axes: Axes) -> None:
        """Only texts are drawn."""


def _places(mark: _Marks, size: float) -> Iterator[_Place]:
    x = mark.x
    yield _Place(x - _GAP_PX, mark.high - 0.1 * size, "right", 0.0)
    yield _Place(x, mark.high - size, "center", 2.0)
    for row in range(_ROWS):
        baseline, cost = mark.low + size * (1.3 + 0.8 * row), 4.0 + 5.0 * row
        yield _Place(x + _GAP_PX - 2, baseline, "left", cost, row > 0)
        yield _Place(x, baseline + 0.3 * size, "center", cost + 2, row > 0)
        yield _Place(x - _GAP_PX + 2, baseline, "right", cost + 3, row > 0)


def _box(at: _Place, width: float, size: float) -> Box:
    left = at.x - {"left": 0.0, "center": width / 2, "right": width}[at.align]
    return Box(left - 2, at.baseline - 0.85 * size, left + width + 2, at.baseline + 0.25 * size)


def _ink_px2(at: _Place, mark: _Marks, box: Box, plot: Plot) -> float:
    """What a name covers, and its guide, which counts as if it were as wide as a letter."""
    guide = Box(mark.x, mark.low + 6, mark.x + 1, box.top)
    return plot.ink.under(box) + (plot.face.small * plot.ink.under(guide) if at.guided else 0.0)


def _crossed(box: Box, others: Sequence[tuple[float, float]]) -> int:
    """How many other marks are above a name, so that their guides could not lead down past it."""
    return sum(box.left < x < box.right and low < box.top for x, low in others)

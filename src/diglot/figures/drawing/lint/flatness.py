"""Finds charts whose values differ, but lie so close together on their axis that readers see one place."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np
from matplotlib.axes import Axes

from diglot.figures.drawing.lint.clipping import read_number
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.lint.marks import Mark

_SEEN_PX = 1.0
"""Height that readers can see: lines are two pixels wide."""
_ROUNDING = 1e-12
"""Share of a value below which a difference comes from computing with floats."""


_MOST = 0.75
"""Share of the values from which on a chart is about those that are at one place."""
_FEWEST = 4


def flat(marks: Iterable[Mark]) -> Iterator[Finding]:
    """The axes in which all lines and points seem to be at one height, or most of them at one place of the x
    axis, although their values differ."""
    for axes, group in groupby(marks, key=lambda mark: mark.axes):
        own = [*group]
        yield from _squeezed(axes, own)
        if axes.get_yscale() != "linear" or any(mark.kind not in ("line", "points") for mark in own):
            continue
        heights = np.concatenate([path[:, 1] for mark in own for path in mark.paths])
        heights = heights[np.isfinite(heights)]
        if heights.size == 0:
            continue
        low, high = float(heights.min()), float(heights.max())
        bottom, top = sorted(axes.get_ylim())
        differ = high - low > _ROUNDING * max(abs(low), abs(high))
        if differ and (high - low) / (top - bottom) * axes.bbox.height < _SEEN_PX:
            yield Finding(
                rule="figure-flat",
                message=f"all values from {low:.12g} to {high:.12g} seem to be at one height on a y axis "
                f"from {read_number(bottom)} to {read_number(top)}",
                fix=f"give the axis ends near them, as in y_domain=({low:.12g}, {high:.12g}), "
                "or draw how much they differ.",
                artist=own[0].artist,
            )


def _squeezed(axes: Axes, marks: Sequence[Mark]) -> Iterator[Finding]:
    """Most of the values on a linear x axis at its beginning, because the last ones are so much larger."""
    if axes.get_xscale() != "linear" or any(mark.kind not in ("line", "points") for mark in marks):
        return
    places = np.unique(np.concatenate([path[:, 0] for mark in marks for path in mark.paths]))
    places = places[np.isfinite(places)]
    if places.size < _FEWEST or places[0] < 0:
        return
    left, right = sorted(axes.get_xlim())
    seen = (places - places[0]) / (right - left) * axes.bbox.width
    hidden = int((seen < _SEEN_PX).sum())
    if hidden >= _MOST * places.size:
        yield Finding(
            rule="figure-flat",
            message=f"{hidden} of {places.size} values on the x axis, from {places[0]:.12g} to "
            f"{places[hidden - 1]:.12g}, seem to be one, because it reaches {read_number(right)}",
            fix='give it a logarithmic scale: x_scale="log".',
            artist=marks[0].artist,
        )

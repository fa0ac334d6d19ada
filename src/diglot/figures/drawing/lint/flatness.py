"""Finds charts whose values differ, but lie so close together on their axis that readers see a flat line."""

from collections.abc import Iterable, Iterator
from itertools import groupby

import numpy as np

from diglot.figures.drawing.lint.clipping import read_number
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.lint.marks import Mark

_SEEN_PX = 1.0
"""Height that readers can see: lines are two pixels wide."""
_ROUNDING = 1e-12
"""Share of a value below which a difference comes from computing with floats."""


def flat(marks: Iterable[Mark]) -> Iterator[Finding]:
    """The axes in which all lines and points seem to be at one height, although their values differ."""
    for axes, group in groupby(marks, key=lambda mark: mark.axes):
        own = [*group]
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

"""Finds legends that readers could do without, because there is room for names at the ends of the lines."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.lint.marks import Mark, in_px, token_of
from diglot.figures.drawing.lint.painted_legends import painted_legends

GAP_PX = 10.0
"""Room between the end of a line and its name."""
LINE_PX = 17.0
"""Height that a name takes."""
AWAY_PX = 25.0
"""How far above or below the end of its line a name may be, so as not to touch others."""
NARROWER = 0.25
"""Share of its width that a frame may give up, to make room for the names."""


def needless_legends(
    canvas: Canvas, marks: Sequence[Mark], texts: Sequence[tuple[Text, Bbox]]
) -> Iterator[Finding]:
    """A finding for each legend of lines whose names would fit at their right ends.

    A legend is one of matplotlib's, or words that a script puts next to samples of its lines. Charts of the
    grammar have one only where nothing else fits.
    """
    found: list[tuple[Artist, Sequence[Mark], float]] = []
    for legend, drawn in _legends(canvas, marks):
        lines = _lines_of(legend, drawn)
        widest = max((box.width for text, box in texts if text in legend.get_texts()), default=0.0)
        found += [(legend, [*lines.values()], widest)] if lines is not None else []
    if canvas.arrangement is None:
        for named in painted_legends(canvas, marks, texts):
            found.append((named[0].text, [one.line for one in named], max(one.width for one in named)))
    for artist, explained, widest in found:
        if _fit(explained, canvas, width=widest + GAP_PX):
            yield Finding(
                rule="figure-legend",
                message="there is a legend, although the names of the lines fit at their right ends",
                fix="name each line at its right end, as `charts.lines` does, to save readers a search.",
                artist=artist,
            )


def _legends(canvas: Canvas, marks: Sequence[Mark]) -> Iterator[tuple[Legend, list[Mark]]]:
    """Every legend, with the marks that it may explain."""
    for legend in canvas.legends:
        yield legend, [*marks]
    for axes in canvas.axes:
        if (own := axes.get_legend()) is not None:
            yield own, [mark for mark in marks if mark.axes is axes]


def _lines_of(legend: Legend, marks: Sequence[Mark]) -> Mapping[Artist, Mark] | None:
    """The line that each sample in a legend stands for; None if some stand for anything else."""
    found: dict[Artist, Mark] = {}
    for sample in legend.legend_handles:
        if not isinstance(sample, Line2D):
            return None
        look = (token_of(sample.get_color()), sample.get_linestyle())
        line = next((one for one in marks if one.kind == "line" and (one.colour, one.look[0]) == look), None)
        if line is None:
            return None
        found[sample] = line
    return found or None


def _fit(lines: Sequence[Mark], canvas: Canvas, *, width: float) -> bool:
    """Whether names of a width have room at the right of the frame, near the ends of their lines."""
    frame = lines[0].axes.bbox
    if any(line.axes is not lines[0].axes for line in lines):
        return False  # in small multiples one legend stands for all
    edge = min((one.bbox.x0 for one in canvas.axes if one.bbox.x0 >= frame.x1), default=canvas.bbox.x1)
    if width > edge - frame.x1 + NARROWER * frame.width:
        return False
    lowest = -np.inf
    for end in sorted(_right_end(line) for line in lines):
        lowest = max(lowest + LINE_PX, end - AWAY_PX)
        if not lowest <= end + AWAY_PX:  # also if a line has no end in the frame
            return False
    return True


def _right_end(line: Mark) -> float:
    """The height in px at which a line is seen last; NaN if it is not seen at all."""
    box = line.axes.bbox
    at = in_px(line.axes, np.concatenate(line.paths))
    seen = at[(at >= (box.x0 - 1, box.y0 - 1)).all(axis=1) & (at <= (box.x1 + 1, box.y1 + 1)).all(axis=1)]
    return float(seen[seen[:, 0].argmax(), 1]) if len(seen) else float("nan")

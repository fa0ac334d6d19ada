"""Finds labels that overlap or leave the drawing, by measuring the finished drawing."""

from collections.abc import Sequence

import msgspec
import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from diglot.figures.drawing.canvas import Canvas
from diglot.invariants import certain

SLACK_PX = 1.5
"""Overlap of boxes that is tolerated, because glyphs do not fill their boxes."""
LINE_SLACK_PX = 3.5
"""The same vertically, where boxes include room for ascenders and descenders that few glyphs have."""


class Collision(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Two texts that overlap, or a text that leaves the canvas."""

    text: str
    other: str | None
    """The text that it overlaps; None if it leaves the canvas."""
    by_px: float
    """Extent of the overlap, or of the part outside."""
    artist: Text

    def __str__(self) -> str:
        where = "is partly outside the drawing" if self.other is None else f"overlaps {self.other!r}"
        return f"{self.text!r} {where} by {self.by_px:.0f} px"


def collisions(canvas: Canvas) -> tuple[Collision, ...]:
    """Lay out a canvas, and return its collisions."""
    return collisions_of(canvas, text_boxes(canvas, laid_out=False))


def collisions_of(canvas: Canvas, texts: Sequence[tuple[Text, Bbox]]) -> tuple[Collision, ...]:
    """Every overlapping pair of texts and every text that is partly outside, in drawing order."""
    words = [text.get_text().strip() for text, _ in texts]
    width, height = canvas.bbox.width, canvas.bbox.height
    left, bottom, right, top = np.array([box.extents for _, box in texts]).reshape(-1, 4).T
    outside = np.max([-left, -bottom, right - width, top - height], axis=0)
    found = []
    for number, (artist, _) in enumerate(texts):
        text = words[number]
        if outside[number] > SLACK_PX:
            found.append(Collision(text=text, other=None, by_px=float(outside[number]), artist=artist))
        # With all earlier texts at once; the whole table would be too large for thousands of texts.
        across = np.minimum(right[number], right[:number]) - np.maximum(left[number], left[:number])
        down = np.minimum(top[number], top[:number]) - np.maximum(bottom[number], bottom[:number])
        by_px = np.minimum(across, down)
        for other in np.flatnonzero((across > SLACK_PX) & (down > LINE_SLACK_PX)).tolist():
            found.append(Collision(text=text, other=words[other], by_px=float(by_px[other]), artist=artist))
    return tuple(found)


def text_boxes(canvas: Canvas, *, laid_out: bool) -> list[tuple[Text, Bbox]]:
    """Every visible text with its bounding box, in pixels of the figure.

    With `laid_out=True` the canvas was just drawn in its own resolution, so that it need not be laid out
    again, which takes as long as drawing.
    """
    if not laid_out:
        canvas.draw_without_rendering()
    renderer = certain(canvas.drawn_by, "the canvas was drawn")  # reused because it caches text measurements
    found = canvas.findobj(lambda artist: isinstance(artist, Text | Axes))
    outside = _labels_outside([one for one in found if isinstance(one, Axes)])
    return [
        # `Annotation.get_window_extent` would include the arrow; only the text must be readable.
        (text, Text.get_window_extent(text, renderer))
        for text in found
        if isinstance(text, Text)
        and text.get_visible()
        and text.get_text().strip()
        and text not in outside
        and not (isinstance(text, Annotation) and _is_left_out(text))
    ]


def _is_left_out(text: Annotation) -> bool:
    """Whether matplotlib does not draw a label, because its point in the data is outside the frame."""
    if text.xycoords != "data" or text.get_annotation_clip() is False or text.axes is None:
        return False
    return not text.axes.bbox.contains(*text.axes.transData.transform(text.xy))


def _labels_outside(all_axes: Sequence[Axes]) -> set[Text]:
    """Tick labels outside the axis limits, which matplotlib keeps but does not draw."""
    outside: set[Text] = set()
    for axes in all_axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not (axis.get_visible() and low <= tick.get_loc() <= high):
                    outside |= {tick.label1, tick.label2}
    return outside

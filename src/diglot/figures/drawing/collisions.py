"""Finds labels that overlap or leave the drawing, by measuring the finished drawing."""

from collections.abc import Sequence

import msgspec
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
    boxes = [(text.get_text().strip(), box) for text, box in texts]
    width, height = canvas.bbox.width, canvas.bbox.height
    found = []
    for number, ((text, box), (artist, _)) in enumerate(zip(boxes, texts, strict=True)):
        outside = max(-box.x0, -box.y0, box.x1 - width, box.y1 - height)
        if outside > SLACK_PX:
            found.append(Collision(text=text, other=None, by_px=float(outside), artist=artist))
        for other, other_box in boxes[:number]:
            across = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
            down = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
            if across > SLACK_PX and down > LINE_SLACK_PX:
                found.append(Collision(text=text, other=other, by_px=float(min(across, down)), artist=artist))
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

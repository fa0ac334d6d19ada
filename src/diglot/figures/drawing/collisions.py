"""Finds labels that overlap or leave the drawing, by measuring the finished drawing."""

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


class Collision(msgspec.Struct, frozen=True, kw_only=True):
    """Two texts that overlap, or a text that leaves the canvas."""

    text: str
    other: str | None
    """The text that it overlaps; None if it leaves the canvas."""
    by_px: float
    """Extent of the overlap, or of the part outside."""

    def __str__(self) -> str:
        where = "is partly outside the drawing" if self.other is None else f"overlaps {self.other!r}"
        return f"{self.text!r} {where} by {self.by_px:.0f} px"


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """Problems with the texts of a drawing."""

    collisions: tuple[Collision, ...]
    """Every overlapping pair and every text that is partly outside, in drawing order."""
    small: tuple[str, ...]
    """Texts that are too small to read."""


def look_over(canvas: Canvas, *, smallest_px: float, laid_out: bool) -> Seen:
    """Check every visible text for collisions and for sizes below `smallest_px`.

    With `laid_out=True` the canvas was just drawn in its own resolution, so that it need not be laid out
    again, which takes as long as drawing.
    """
    texts = _text_boxes(canvas, laid_out=laid_out)
    return Seen(
        collisions=_collisions(canvas, texts),
        small=tuple(t.get_text().strip() for t, _ in texts if float(t.get_fontsize()) < smallest_px),
    )


def collisions(canvas: Canvas) -> tuple[Collision, ...]:
    """Lay out a canvas, and return its collisions."""
    return _collisions(canvas, _text_boxes(canvas, laid_out=False))


def _collisions(canvas: Canvas, texts: list[tuple[Text, Bbox]]) -> tuple[Collision, ...]:
    boxes = [(text.get_text().strip(), box) for text, box in texts]
    width, height = canvas.bbox.width, canvas.bbox.height
    found = []
    for number, (text, box) in enumerate(boxes):
        outside = max(-box.x0, -box.y0, box.x1 - width, box.y1 - height)
        if outside > SLACK_PX:
            found.append(Collision(text=text, other=None, by_px=float(outside)))
        for other, other_box in boxes[:number]:
            across = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
            down = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
            if across > SLACK_PX and down > LINE_SLACK_PX:
                found.append(Collision(text=text, other=other, by_px=float(min(across, down))))
    return tuple(found)


def _text_boxes(canvas: Canvas, *, laid_out: bool) -> list[tuple[Text, Bbox]]:
    """Every visible text with its bounding box, in pixels of the figure."""
    if not laid_out:
        canvas.draw_without_rendering()
    renderer = certain(canvas.drawn_by, "the canvas was drawn")  # reused because it caches text measurements
    outside = _labels_outside(canvas)
    seen = []
    for text in canvas.findobj(Text):
        if not isinstance(text, Text):
            continue
        if text.get_visible() and text.get_text().strip() and text not in outside:
            if isinstance(text, Annotation):
                text.update_positions(renderer)
            # `Annotation.get_window_extent` would include the arrow; only the text must be readable.
            seen.append((text, Text.get_window_extent(text, renderer)))
    return seen


def _labels_outside(canvas: Canvas) -> set[Text]:
    """Tick labels outside the axis limits, which matplotlib keeps but does not draw."""
    outside: set[Text] = set()
    for axes in canvas.findobj(Axes):
        if not isinstance(axes, Axes):
            continue
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not (axis.get_visible() and low <= tick.get_loc() <= high):
                    outside |= {tick.label1, tick.label2}
    return outside

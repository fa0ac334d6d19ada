"""Labels that run into each other or out of the picture, found by measuring what was drawn."""

import msgspec
from matplotlib.axes import Axes
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from diglot.figures.drawing.canvas import Canvas
from diglot.invariants import certain

SLACK_PX = 1.5
"""Boxes may share this much: glyphs do not fill theirs."""
LINE_SLACK_PX = 3.5
"""The same from line to line, where a box has room for ascenders and descenders that few glyphs have."""


class Collision(msgspec.Struct, frozen=True, kw_only=True):
    """Two texts on one another, or one text that leaves the canvas."""

    text: str
    other: str | None
    """The text it runs into; None where it leaves the canvas."""
    by_px: float
    """How far."""

    def __str__(self) -> str:
        where = "is partly outside the drawing" if self.other is None else f"overlaps {self.other!r}"
        return f"{self.text!r} {where} by {self.by_px:.0f} px"


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen of a drawing's texts."""

    collisions: tuple[Collision, ...]
    """Every pair that overlaps, and every text that is not wholly inside, in drawing order."""
    small: tuple[str, ...]
    """Those set smaller than readers can read."""


def look_over(canvas: Canvas, *, smallest_px: float, laid_out: bool) -> Seen:
    """Look at every text that shows.

    `laid_out` says that the canvas was just drawn in its own resolution, so that all of it is in its place:
    to lay it out again takes as long as to draw it.
    """
    texts = _text_boxes(canvas, laid_out=laid_out)
    return Seen(
        collisions=_collisions(canvas, texts),
        small=tuple(t.get_text().strip() for t, _ in texts if float(t.get_fontsize()) < smallest_px),
    )


def collisions(canvas: Canvas) -> tuple[Collision, ...]:
    """What collides on a canvas that is laid out for the purpose."""
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
    """Every text that shows, with the box it takes in pixels of the figure."""
    if not laid_out:
        canvas.draw_without_rendering()
    renderer = certain(canvas.drawn_by, "the canvas was drawn")  # it remembers what it measured
    outside = _labels_outside(canvas)
    seen = []
    for text in canvas.findobj(Text):
        if not isinstance(text, Text):
            continue
        if text.get_visible() and text.get_text().strip() and text not in outside:
            if isinstance(text, Annotation):
                text.update_positions(renderer)
            # An annotation's own extent would include its arrow: the text alone is what is read.
            seen.append((text, Text.get_window_extent(text, renderer)))
    return seen


def _labels_outside(canvas: Canvas) -> set[Text]:
    """Labels of ticks outside the limits: matplotlib keeps them but does not draw them."""
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

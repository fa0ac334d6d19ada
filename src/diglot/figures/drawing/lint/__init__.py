"""Looks over a finished drawing for what readers would stumble over."""

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.collisions import text_boxes
from diglot.figures.drawing.lint.clipping import clipped
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.lint.legends import needless_legends
from diglot.figures.drawing.lint.likeness import look_alikes
from diglot.figures.drawing.lint.marks import marks_of
from diglot.figures.drawing.lint.texts import overlaps, small_texts


def look_over(canvas: Canvas, *, laid_out: bool, on_slide: float | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with a drawing.

    With `laid_out=True` the canvas was just drawn in its own resolution. `on_slide` is how much it is
    enlarged on a slide of 1,280 × 720 px; None for the drawing of a page.
    """
    texts, marks = text_boxes(canvas, laid_out=laid_out), marks_of(canvas)
    return (
        *overlaps(canvas, texts),
        *small_texts(texts, on_slide=on_slide),
        *clipped(canvas, marks),
        *look_alikes(canvas, marks, texts),
        *needless_legends(canvas, marks, texts),
    )

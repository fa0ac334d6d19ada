"""Looks over a finished drawing for what readers would stumble over."""

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.collisions import text_boxes
from diglot.figures.drawing.lint.clipping import clipped, saturated
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.lint.flatness import flat
from diglot.figures.drawing.lint.heat_maps import cells_among, unreadable_cells
from diglot.figures.drawing.lint.legends import needless_legends
from diglot.figures.drawing.lint.likeness import look_alikes
from diglot.figures.drawing.lint.marks import marks_of
from diglot.figures.drawing.lint.texts import overlaps, small_texts
from diglot.figures.drawing.lint.twins import twins


def look_over(canvas: Canvas, *, laid_out: bool, on_slide: float | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with a drawing.

    With `laid_out=True` the canvas was just drawn in its own resolution. `on_slide` is how much it is
    enlarged on a slide of 1,280 × 720 px; None for the drawing of a page.
    """
    texts, marks = text_boxes(canvas, laid_out=laid_out), marks_of(canvas)
    cells = {mark for same in cells_among(marks) for mark in same}
    series = [mark for mark in marks if mark not in cells]
    return (
        *overlaps(canvas, texts),
        *small_texts(texts, on_slide=on_slide),
        *clipped(canvas, marks),
        *saturated(canvas),
        *flat(marks),
        *look_alikes(canvas, series, texts),
        *twins(canvas, series, texts),
        *unreadable_cells(canvas, marks, texts),
        *needless_legends(canvas, marks, texts),
    )

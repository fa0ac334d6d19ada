"""Calls a script's `draw` so that its charts have the same frame in both languages."""

from collections.abc import Callable

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.scripts.words import Words


def draw_script(draw: Callable[[Canvas, Words], object], canvas: Canvas) -> None:
    """Draw on a canvas in the language of its words, and lay out its charts.

    Charts only note what they are to show until `draw` returns. So it is called once more in the other
    language, on a canvas that is thrown away: their margins have room for the longer of both texts.
    """
    draw(canvas, canvas.words)
    if canvas.arrangement is not None:
        twin = canvas.twin()
        draw(twin, twin.words)
        canvas.lay_out(twin)
        canvas.paint()

"""Finds legends that a script paints by hand: words next to small samples of its lines, or in their colours.

A word belongs to a line if a short stroke, a swatch or a marker in the line's colour is at its left, or
if it has the line's colour itself but is far from it. Two such words for lines of one frame are a legend.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.lint.likeness import REACH_PX, Series, family_of
from diglot.figures.drawing.lint.marks import Mark, in_px, token_of

SAMPLE_PX = (60.0, 20.0)
"""Largest width and height of a sample."""
BESIDE_PX = 16.0
"""Largest gap between a sample and its word."""


class Entry(NamedTuple):
    """A word of a legend."""

    text: Text
    width: float
    line: Mark


def painted_legends(
    canvas: Canvas, marks: Sequence[Mark], texts: Sequence[tuple[Text, Bbox]]
) -> list[list[Entry]]:
    """The words of each legend: for the lines of each axes, if there are two or more."""
    placed = {*canvas.texts, *(text for axes in canvas.axes for text in axes.texts)}
    words = [(text, box) for text, box in texts if text in placed and _is_word(text)]
    by_axes: dict[object, list[Mark]] = {}
    for mark in marks:
        if mark.kind == "line" and not _is_small(_box_of(mark)):
            by_axes.setdefault(mark.axes, []).append(mark)
    if len(words) < 2 or not any(len(lines) > 1 for lines in by_axes.values()):
        return []
    samples = _samples(canvas)
    found = []
    for lines in by_axes.values():
        entries = [
            Entry(text, box.width, line)
            for text, box in words
            if (line := _explained(text, box, lines, samples)) is not None
        ]
        if len({id(entry.line) for entry in entries}) > 1:
            found.append(entries)
    return found


def _explained(
    text: Text, box: Bbox, lines: Sequence[Mark], samples: Sequence[tuple[str, Bbox]]
) -> Mark | None:
    """The line that a word explains from afar."""
    beside = {
        colour
        for colour, sample in samples
        if 0 <= box.x0 - sample.x1 <= BESIDE_PX and box.y0 <= (sample.y0 + sample.y1) / 2 <= box.y1
    }
    own = family_of(token_of(text.get_color()) or "")
    alike = [line for line in lines if family_of(line.colour) == own]
    if any(_is_near(line, box) for line in alike):
        return None  # it is where names should be
    return next((line for line in lines if line.colour in beside or line in alike), None)


def _is_near(line: Mark, box: Bbox) -> bool:
    """Whether a text is where the name of a line would be."""
    across, up = Series.of([line], [line]).places.T
    dx = np.maximum(np.maximum(box.x0 - across, across - box.x1), 0)
    dy = np.maximum(np.maximum(box.y0 - up, up - box.y1), 0)
    return bool((np.hypot(dx, dy) <= REACH_PX).any())


def _samples(canvas: Canvas) -> list[tuple[str, Bbox]]:
    """Small strokes, swatches and markers, with their colours."""
    drawn: list[Artist] = [*canvas.lines, *canvas.patches, *canvas.artists]
    for axes in canvas.axes:
        drawn += [*axes.lines, *axes.patches]
    found = []
    for artist in drawn:
        if not isinstance(artist, Line2D | Rectangle) or not artist.get_visible():
            continue
        box = artist.get_window_extent()
        colour = artist.get_color() if isinstance(artist, Line2D) else artist.get_facecolor()
        if _is_small(box) and (token := token_of(colour)) is not None:
            found.append((token, box))
    return found


def _box_of(mark: Mark) -> Bbox:
    places = in_px(mark.axes, np.concatenate(mark.paths))
    return Bbox([places.min(axis=0), places.max(axis=0)]) if len(places) else Bbox.null()


def _is_small(box: Bbox) -> bool:
    return box.width <= SAMPLE_PX[0] and box.height <= SAMPLE_PX[1]


def _is_word(text: Text) -> bool:
    """Whether a text can be a name; one with an arrow is next to what it names in any case."""
    if isinstance(text, Annotation) and text.arrow_patch is not None:
        return False
    return any(character.isalpha() for character in text.get_text())

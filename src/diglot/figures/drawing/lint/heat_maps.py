"""Finds heat maps whose colours some readers, or a grey printer, cannot put in order.

Colours of values far apart have to stay apart: those of a rainbow do not. Neighbouring steps of one scale may
look alike, and numbers in the cells say what no colour does.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import to_hex
from matplotlib.image import AxesImage
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.lint.colour_vision import confused
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.lint.likeness import listed, seen_alike
from diglot.figures.drawing.lint.marks import NO_DATA, Mark, in_px, token_of

SAMPLES = 11
"""Colours of a scale that are compared, evenly over its range."""
FAR_APART = 2
"""Samples from which colours of a scale must be told apart."""
FEWEST_CELLS, FEWEST_COLOURS = 12, 5
"""From so many equal rectangles in so many colours, these are cells rather than bars."""


class Cells(NamedTuple):
    """The cells of a heat map."""

    axes: Axes
    artist: Artist
    colours: tuple[str, ...]
    cells_count: int
    scale: str = ""
    """The name of matplotlib's colour map, whose colours are in the order of the values."""


def unreadable_cells(
    canvas: Canvas, marks: Iterable[Mark], texts: Sequence[tuple[Text, Bbox]]
) -> Iterator[Finding]:
    """A finding for each heat map without numbers in which colours far apart look alike to some."""
    for cells in (*_of_colour_maps(canvas), *_of_patches(canvas, marks)):
        pairs = [
            (one, other)
            for (n, one), (m, other) in combinations(enumerate(cells.colours), 2)
            if not cells.scale or m - n >= FAR_APART
        ]
        seen = {pair: seen_alike(*pair, by=confused) for pair in pairs}
        worst = max(seen, key=lambda pair: len(seen[pair]), default=None)
        if worst is None or not seen[worst] or _numbers_in(cells.axes, texts) >= cells.cells_count:
            continue
        which = f'of the scale "{cells.scale}"' if cells.scale else f"such as {worst[0]} and {worst[1]}"
        every = dict.fromkeys(vision for visions in seen.values() for vision in visions)
        yield Finding(
            rule="figure-alike",
            message=f"colours {which} stand for different values, but look alike {listed([*every])}",
            fix="use `charts.heat_map`, whose steps go from light to dark, or write values into the cells.",
            artist=cells.artist,
        )


def cells_among(marks: Iterable[Mark]) -> list[list[Mark]]:
    """Rectangles that are the cells of a heat map: many of one size, in many colours."""
    by_size: dict[object, list[Mark]] = {}
    for mark in marks:
        if mark.kind == "bar":
            (width, height) = np.abs(np.diff(in_px(mark.axes, mark.paths[0]), axis=0)).ravel().round()
            by_size.setdefault((mark.axes, width, height), []).append(mark)
    return [
        same
        for same in by_size.values()
        if len(same) >= FEWEST_CELLS and len({mark.colour for mark in same}) >= FEWEST_COLOURS
    ]


def _of_colour_maps(canvas: Canvas) -> Iterator[Cells]:
    for axes in canvas.axes:
        for artist in axes.get_children():
            if not isinstance(artist, ScalarMappable) or not artist.get_visible():
                continue
            values, colour_map = artist.get_array(), artist.get_cmap()
            if values is None or (isinstance(artist, AxesImage) and np.ndim(values) > 2):
                continue  # the colours of a picture are its own
            colours = tuple(map(to_hex, colour_map(np.linspace(0, 1, SAMPLES))))
            yield Cells(axes, artist, colours, int(np.size(values)), colour_map.name)


def _of_patches(canvas: Canvas, marks: Iterable[Mark]) -> Iterator[Cells]:
    for same in cells_among(marks):
        colours = tuple(dict.fromkeys(mark.colour for mark in same))
        yield Cells(same[0].axes, same[0].artist, colours, len(same))
    for axes in canvas.axes:
        shapes = [one for one in axes.patches if isinstance(one, PathPatch) and one.get_visible()]
        known = {shape: token_of(shape.get_facecolor(), shape.get_alpha()) for shape in shapes}
        colours = tuple(dict.fromkeys(one for one in known.values() if one and one not in NO_DATA))
        count = sum(int(np.sum(shape.get_path().codes == Path.MOVETO)) for shape in shapes)
        if count >= FEWEST_CELLS and len(colours) > 1:
            yield Cells(axes, shapes[0], colours, count)


def _numbers_in(axes: Axes, texts: Sequence[tuple[Text, Bbox]]) -> int:
    """How many numbers are inside a frame."""
    return sum(
        axes.bbox.contains((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
        for text, box in texts
        if any(character.isdigit() for character in text.get_text())
    )

"""Finds series that only colour tells apart, in colours that some readers or a grey printer cannot.

Marks of one colour and look in one axes are a series. Two of a kind (lines, points, bars, areas) are
compared unless something besides colour tells them apart: dashes, width or hatch, the shape of their markers,
or a name next to one that the other has not. Bars are compared where they touch, because elsewhere their row
names them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.lint.colour_vision import alike
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.lint.marks import Kind, Mark, Points, in_px, shades, token_of
from diglot.figures.palette import COLOURS, SEQUENCE, THEMES

REACH_PX = 24.0
"""How far a name may be from a line or a point that it names."""
BESIDE_PX = 14.0
"""The same for bars and areas, whose names are in them or right next to them."""
TOUCHING_PX = 3.0
_STEP_PX = 8.0
_NEUTRAL = frozenset({"ink", "soft", "paper"})
"""Colours of names that may belong to any mark, next to it or, in `paper`, on it."""
PLURAL: dict[Kind, str] = {"line": "lines", "points": "points", "bar": "bars", "area": "areas"}


class Series:
    """The marks of one kind, colour and look in one axes."""

    def __init__(self, first: Mark) -> None:
        self.marks = [first]
        self.kind, self.colour, self.look = first.kind, first.colour, first.look
        self.same_colour: list[Mark] = []
        """All marks of its colour in the axes: itself, markers on its lines, leader lines to its name."""

    @classmethod
    def of(cls, marks: list[Mark], same_colour: list[Mark]) -> "Series":
        """Marks that are known to be one series, with those that can be told to be part of it."""
        series = cls(marks[0])
        series.marks, series.same_colour = marks, same_colour
        return series

    @cached_property
    def shapes(self) -> frozenset[object]:
        """The markers in its colour."""
        return frozenset(mark.marker for mark in self.same_colour if mark.marker is not None)

    @cached_property
    def places(self) -> Points:
        """Where its colour is, in px: places close together along lines and edges."""
        return np.concatenate([_along(mark) for mark in self.same_colour])


class Names:
    """The texts that may name a mark: words that a script placed, neither ticks nor numbers."""

    def __init__(self, canvas: Canvas, texts: Sequence[tuple[Text, Bbox]]) -> None:
        in_axes = {text for axes in canvas.axes for text in axes.texts}
        self._families: list[str | None] = []
        """The colour of the marks that each may name, without its step; None for all."""
        boxes: list[tuple[float, float, float, float]] = []
        for text, box in texts:
            is_word = any(character.isalpha() for character in text.get_text())
            if not is_word or not (text in in_axes or text in canvas.texts):
                continue
            family = family_of(token_of(text.get_color()) or "")
            for one in (box, *_ends_of_arrow(text)):
                # Text in a neutral colour that belongs to no axes is a title; in `paper` it is on a mark.
                is_any = family == "paper" or (family in _NEUTRAL and text in in_axes)
                self._families.append(None if is_any else family)
                boxes.append(one.extents)
        self._boxes = np.array(boxes).reshape(-1, 4)

    def beside(self, series: Series) -> frozenset[int]:
        """Which of them are next to a series and can be its name."""
        reach = REACH_PX if series.kind in ("line", "points") else BESIDE_PX
        family = family_of(series.colour)
        fitting = [n for n, named in enumerate(self._families) if named in (None, family)]
        if not fitting or not len(series.places):
            return frozenset()
        across, up = series.places[:, 0], series.places[:, 1]
        left, bottom, right, top = (side[:, None] for side in self._boxes[fitting].T)
        dx = np.maximum(np.maximum(left - across, across - right), 0)
        dy = np.maximum(np.maximum(bottom - up, up - top), 0)
        near = (dx * dx + dy * dy).min(axis=1) <= reach * reach
        return frozenset(n for n, is_near in zip(fitting, near.tolist(), strict=True) if is_near)


def look_alikes(
    canvas: Canvas, marks: Iterable[Mark], texts: Sequence[tuple[Text, Bbox]]
) -> Iterator[Finding]:
    """A finding for each pair of colours in a drawing that are all that tells two series apart."""
    found: set[tuple[str, str, Kind]] = set()
    names: Names | None = None
    for all_series in _series(marks):
        for one, other in combinations(all_series, 2):
            key = (one.colour, other.colour, one.kind)
            if key in found or not _comparable(one, other):
                continue
            seen = seen_alike(one.colour, other.colour)
            if not seen or (one.kind == "bar" and not touch(one, other)):
                continue
            names = names or Names(canvas, texts)
            first, second = names.beside(one), names.beside(other)
            if first == second and len(first) < 2:
                found.add(key)
                yield _finding(one, other, seen)


def _series(marks: Iterable[Mark]) -> list[list[Series]]:
    """The series in each axes, in the order of their first marks."""
    by_look: dict[Axes, dict[object, Series]] = {}
    by_colour: dict[tuple[Axes, str], list[Mark]] = {}
    for mark in marks:
        if mark.colour in SEQUENCE and mark.kind != "line":
            continue  # cells of a heat map
        by_colour.setdefault((mark.axes, mark.colour), []).append(mark)
        known = by_look.setdefault(mark.axes, {})
        key = (mark.kind, mark.colour, mark.look, mark.marker)
        if (series := known.get(key)) is not None:
            series.marks.append(mark)
        else:
            known[key] = Series(mark)
    for axes, known in by_look.items():
        for series in known.values():
            series.same_colour = by_colour[axes, series.colour]
    return [list(known.values()) for known in by_look.values()]


def _comparable(one: Series, other: Series) -> bool:
    """Whether two series are of a kind, and nothing but their colours tells them apart without words."""
    if one.kind != other.kind or one.colour == other.colour or one.look != other.look:
        return False
    if one.kind == "points":
        return one.marks[0].marker == other.marks[0].marker
    return not (one.shapes and other.shapes and one.shapes.isdisjoint(other.shapes))


def seen_alike(one: str, other: str, by: Callable[[str, str], tuple[str, ...]] = alike) -> tuple[str, ...]:
    """The visions in which two colours are alike, with the theme if it is so in one theme only."""
    pairs = list(zip(shades(one), shades(other), strict=True))
    by_theme = dict(zip(THEMES, (by(*pair) for pair in pairs), strict=True))
    light, dark = by_theme["light"], by_theme["dark"]
    every = dict.fromkeys((*light, *dark))
    return tuple(
        seen if seen in light and seen in dark else f"{seen} ({'light' if seen in light else 'dark'})"
        for seen in every
    )


def listed(seen: Sequence[str]) -> str:
    """Visions as a list within a sentence."""
    *first, last = seen
    return f"{', '.join(first)} and {last}" if first else last


def family_of(colour: str) -> str:
    """The colour's name without its step: a name has the text colour of a chip, which may be a darker one."""
    return colour.rstrip("1234") if colour in COLOURS else colour


def _ends_of_arrow(text: Text) -> Iterator[Bbox]:
    """The bounds of the arrow that leads from a text to what it names."""
    if isinstance(text, Annotation) and text.arrow_patch is not None:
        yield text.arrow_patch.get_window_extent()


def _along(mark: Mark) -> Points:
    """Places of a mark in px, close together along lines and edges."""
    found: list[NDArray[np.float64]] = []
    for path in mark.paths:
        corners = path
        if mark.kind == "bar":
            (left, bottom), (right, top) = path
            corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)])
        at = in_px(mark.axes, corners)
        if mark.kind == "points" or len(at) < 2:
            found.append(at)
            continue
        box = mark.axes.bbox
        at = np.clip(at, (box.x0 - REACH_PX, box.y0 - REACH_PX), (box.x1 + REACH_PX, box.y1 + REACH_PX))
        step = np.diff(at, axis=0)
        count = np.ceil(np.hypot(step[:, 0], step[:, 1]) / _STEP_PX).astype(int)
        share = (np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)) / np.repeat(
            count, count
        )
        found += [at, np.repeat(at[:-1], count, axis=0) + share[:, None] * np.repeat(step, count, axis=0)]
    return np.concatenate(found) if found else np.empty((0, 2))


def touch(one: Series, other: Series) -> bool:
    """Whether a bar of one series is at a bar of the other: stacked on it, or next to it in a group."""
    first, second = ([_box(mark) for mark in series.marks] for series in (one, other))
    return any(
        min(a.x1, b.x1) - max(a.x0, b.x0) > -TOUCHING_PX and min(a.y1, b.y1) - max(a.y0, b.y0) > -TOUCHING_PX
        for a in first
        for b in second
    )


def _box(mark: Mark) -> Bbox:
    return (
        Bbox.null() if not mark.paths else Bbox(np.sort(mark.axes.transData.transform(mark.paths[0]), axis=0))
    )


def _finding(one: Series, other: Series, seen: Sequence[str]) -> Finding:
    return Finding(
        rule="figure-alike",
        message=f"only colour tells {PLURAL[one.kind]} in {one.colour} and {other.colour} apart, "
        f"and these look alike {listed(seen)}",
        fix="name them where they are, or give one of them another marker, dashes or a hatch.",
        artist=other.marks[0].artist,
    )

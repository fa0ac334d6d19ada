"""Finds series that nothing tells apart: of one colour, with the same dashes, markers and hatch.

Pieces of one curve have one look for good reason. So lines count as two series only if they run above each
other, and bars, areas and points only if the script labels them differently. Lines in `mute` are a
background, such as many runs behind their mean, and need not be told apart.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.lint.findings import Finding
from diglot.figures.drawing.lint.likeness import PLURAL, Names, Series, touch
from diglot.figures.drawing.lint.marks import Mark, in_px

BACKGROUND = "mute"
ON_LINE_PX = 3.0
"""How far a marker may be from a line that it lies on."""
SHARED = 0.25
"""Share of the shorter line above or below which another one runs."""


def twins(canvas: Canvas, marks: Iterable[Mark], texts: Sequence[tuple[Text, Bbox]]) -> Iterator[Finding]:
    """A finding for each look that two series of an axes share, without names next to them."""
    by_look: dict[object, list[Mark]] = {}
    for mark in marks:
        if mark.colour != BACKGROUND:
            by_look.setdefault((mark.axes, mark.kind, mark.colour, mark.look, mark.marker), []).append(mark)
    names: Names | None = None
    for same in by_look.values():
        if len(same) < 2:
            continue
        points = [mark for mark in marks if mark.axes is same[0].axes and mark.kind == "points"]
        for one, other in combinations(_parts(same, points), 2):
            if not _meet(one, other):
                continue
            names = names or Names(canvas, texts)
            first, second = names.beside(one), names.beside(other)
            if first == second and len(first) < 2 and one.shapes == other.shapes:
                yield _finding(other)
                break


def _parts(same: Sequence[Mark], points: Sequence[Mark]) -> list[Series]:
    """The series among marks of one look: each line, with the markers on it, or the marks of each label."""
    if same[0].kind == "line":
        return [Series.of([line], [line, *_on(line, points)]) for line in same if _is_curve(line)]
    by_label: dict[str, list[Mark]] = {}
    for mark in same:
        by_label.setdefault(mark.label, []).append(mark)
    return [Series.of(part, part) for label, part in by_label.items() if label]


def _is_curve(line: Mark) -> bool:
    """Whether a line is more than a level or upright stroke, such as an error bar or one row of a chart."""
    return all(np.ptp(path[np.isfinite(path).all(axis=1)], axis=0).all() for path in line.paths)


def _on(line: Mark, points: Sequence[Mark]) -> list[Mark]:
    """The markers in a line's colour that lie on it."""
    course = np.concatenate([in_px(line.axes, path) for path in line.paths])
    course = course[np.argsort(course[:, 0])]
    found = []
    for mark in points:
        at = np.concatenate([in_px(mark.axes, path) for path in mark.paths])
        level = np.interp(at[:, 0], course[:, 0], course[:, 1], left=np.inf, right=np.inf)
        if mark.colour == line.colour and len(at) and (np.abs(level - at[:, 1]) <= ON_LINE_PX).all():
            found.append(mark)
    return found


def _meet(one: Series, other: Series) -> bool:
    """Whether a reader may take one series for the other."""
    if one.kind == "bar":
        return touch(one, other)
    if one.kind != "line":
        return True
    (left, right), (start, end) = (
        (places.min(), places.max()) for places in (one.places[:, 0], other.places[:, 0])
    )
    return bool(min(right, end) - max(left, start) > SHARED * min(right - left, end - start))


def _finding(one: Series) -> Finding:
    return Finding(
        rule="figure-alike",
        message=f"nothing tells two series of {PLURAL[one.kind]} in {one.colour} apart",
        fix="name them where they are, or give one of them another colour, marker, dashes or a hatch.",
        artist=one.marks[0].artist,
    )

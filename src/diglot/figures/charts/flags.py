"""Names above a frame, each at a dotted guide that leads down to what it names.

A name is next to the top of its guide like a flag. Rows are chosen so that no guide crosses a name.
"""

from collections.abc import Sequence
from typing import NamedTuple

from diglot.figures.charts.plots import Plot, Text
from diglot.figures.charts.scales import Scale
from diglot.figures.drawing.text_sizes import Face, width_of

FLAG_EM = 1.35
"""Height of a row of names, in small text."""
_GAP_PX = 4.0


class Flag(NamedTuple):
    """A name for an x value."""

    x: float
    text: str
    lowest: float
    """The y value that its guide leads down to."""
    token: str = "soft"


class _Placed(NamedTuple):
    x: float
    start: float
    end: float
    row: int


def flag_rows(
    flags: Sequence[Flag], scale: Scale, widths_px: tuple[float, float], face: Face
) -> list[tuple[int, bool]]:
    """The row of each name, from 0 nearest to the frame, and whether it is left of its guide.

    `widths_px` are those of the frame and of the room at its right.
    """
    inner, right = widths_px
    places = [scale.share(flag.x) * inner for flag in flags]
    widths = [width_of(flag.text, face.small, face.language) for flag in flags]
    from_right = sorted(range(len(flags)), key=lambda n: -places[n])
    left: set[int] = set()
    for n in from_right:  # a name is at the left where the drawing ends, or another of these begins
        end = places[n] + _GAP_PX + widths[n]
        if end > inner + right or any(places[n] < places[other] < end + 2 for other in left):
            left.add(n)
    for n in from_right:  # or where that saves a row, because only at the right it would cross a guide
        start, end = places[n] - _GAP_PX - widths[n], places[n] + _GAP_PX + widths[n]
        crossed = any(places[n] < other < end + 2 for other in places)
        if n not in left and crossed and start >= 0 and not any(start - 8 < x < places[n] for x in places):
            left.add(n)
    placed: list[_Placed] = []
    rows = dict.fromkeys(from_right, 0)
    for n in [*(n for n in from_right if n not in left), *(n for n in reversed(from_right) if n in left)]:
        x = places[n]
        start = x - _GAP_PX - widths[n] if n in left else x + _GAP_PX
        wanted = (_Placed(x, start, start + widths[n], row) for row in range(len(flags) + 1))
        found = next((one for one in wanted if all(_are_apart(one, other) for other in placed)), None)
        if found is None:  # two guides that almost touch
            found = _Placed(x, start, start + widths[n], max(other.row for other in placed) + 1)
        placed.append(found)
        rows[n] = found.row
    return [(rows[n], n in left) for n in range(len(flags))]


def _are_apart(one: _Placed, other: _Placed) -> bool:
    """Whether neither name covers the other, and neither guide crosses the other's name."""
    if one.row == other.row:
        return one.end + 6 <= other.start or other.end + 6 <= one.start
    low, high = (one, other) if one.row < other.row else (other, one)
    return not low.start - 2 < high.x < low.end + 2


def flag_texts(flags: Sequence[Flag], plot: Plot, right: float) -> list[Text]:
    """The names with their guides; `right` is where the drawing ends."""
    frame, face = plot.frame, plot.face
    widths = frame.right - frame.left, right - frame.right
    found = []
    for flag, (row, left) in zip(flags, flag_rows(flags, plot.x, widths, face), strict=True):
        x, low = plot.px(flag.x, flag.lowest)
        baseline = frame.top - 6 - FLAG_EM * face.small * row
        guide = (x, baseline - 0.75 * face.small), (x, low)
        at = x - _GAP_PX if left else x + _GAP_PX
        align = "right" if left else "left"
        found.append(Text(at, round(baseline, 2), flag.text, flag.token, True, align, False, guide, True))
    return found

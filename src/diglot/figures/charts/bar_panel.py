"""Level bars with their values at the end: plain, stacked, grouped, diverging, or as marks on thin lines."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from diglot.figures.charts.arrangement import Margins, face_of
from diglot.figures.charts.furniture import (
    legend_lines,
    legend_texts,
    number_width,
    paint_texts,
    without_ticks,
)
from diglot.figures.charts.placing import Box
from diglot.figures.charts.plots import Text
from diglot.figures.charts.rows import declared
from diglot.figures.charts.series import ROLES, Look
from diglot.figures.drawing.canvas import Canvas, DrawnPoint
from diglot.figures.drawing.text_sizes import width_of, wrapped
from diglot.figures.scripts.columns import ShownUnit

BAR_PX, GROUPED_BAR_PX = 18.0, 12.0
WHISKER_PX = 1.5
_SLIT_PX = 5.5
"""The paper about a whisker in its bar: on the darkest colour ink is not seen, nor at night on the palest."""
_LEAST_SHARE = 0.72
"""Of their height that rows need: a little more than a bar of one."""
_MOST_SHARE, _MOST_SHARE_ON_SLIDE, _THICKEST = 1.3, 2.2, 1.8
"""How far rows may move apart; on slides, which few rows fill, their bars get thicker with them."""
_WIDEST_LABELS = 0.46
"""Share of the width that labels may take at the left of their bars."""


class Segment(msgspec.Struct, frozen=True):
    """A part of a bar."""

    key: str
    look: Look
    value: float | None
    start: float | None = None
    """Where it begins; None for where the part before it ends, or 0."""
    interval: tuple[float, float] | None = None
    """Ends of the interval of the value of a whole bar, which a whisker shows."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the chart: one bar, or the bars of a group below each other."""

    label: str
    note: str = ""
    """Shown in mute after the label."""
    detail: str | None = None
    """Shown in mute below the bar; empty for the same room without a text."""
    heading: str = ""
    """Shown in mute above the row, where a group of rows begins."""
    segments: tuple[Segment, ...]


class Bar(NamedTuple):
    """Where a part is: its ends in data units, its top and height in px from the frame's top."""

    row: str
    part: Segment
    start: float
    end: float
    top: float
    thick: float


class BarPanel:
    """Bars for one column of numbers."""

    first = last = opens = True

    def __init__(
        self,
        figure: Canvas,
        items: Sequence[Item],
        *,
        x: str,
        title: str = "",
        stacked: bool = False,
        dots: bool = False,
        missing: str = "–",
        legend: Sequence[Look] = (),
        domain: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self.canvas, self.words, self.face = figure, figure.words, face_of(figure)
        self.items, self.x = items, x
        self.stacked, self.dots, self.missing, self.legend = stacked, dots, missing, legend
        self.domain = domain
        self.column = declared(self.words, x)
        measured = [*self._totals(), *filter(None, domain)]
        self.shown: ShownUnit = self.column.shown_unit(measured, self.words.language)
        title = title or self.column.label.of(self.words.language)
        comma = "，" if self.words.language == "zh" else ", "
        self.title = f"{title}{comma}{self.shown.text}" if self.shown.text else title
        self._width = figure.width_px
        self._frame: Box | None = None
        self.texts: list[Text] = []
        self.bars: list[Bar] = []

    @cached_property
    def axes(self) -> Axes:
        """matplotlib's axes."""
        return self.canvas.axes_px(0, 0, 10, 10)

    def _totals(self) -> list[float]:
        """The values at the ends of the bars."""
        if self.stacked:
            return [total for item in self.items for total in _sums_by_sign(item.segments)]
        return [part.value for item in self.items for part in item.segments if part.value is not None]

    def value(self, value: float) -> str:
        """A number in the unit of the title."""
        return self.column.number(value, self.shown)

    # Rows

    def _row_px(self, item: Item) -> float:
        """Height of a row without its heading."""
        face = self.face
        bars = 1 if self.stacked else len(item.segments)
        above = 1.3 * face.text if self._labels_above() else 0.0
        if bars == 1:
            high = 1.8 if item.detail is not None else 1.9 if above else 2.15
            return above + high * face.text + self._below(item)
        return above + bars * (GROUPED_BAR_PX + 4) + 0.9 * face.text + self._below(item)

    def _labels_above(self) -> bool:
        """Whether labels are so long that they are above their bars; never where panels share them."""
        labels, notes = self._left_parts()
        return self.first and self.last and labels + notes > _WIDEST_LABELS * self._width

    def _below(self, item: Item) -> float:
        return 0.0 if item.detail is None else 1.4 * self.face.small

    def _tops(self) -> list[float]:
        """The top of each row in px from the frame's top, and the height of all."""
        found, top = [], 0.0
        for item in self.items:
            top += 1.7 * self.face.small if item.heading else 0
            found.append(top)
            top += self._row_px(item)
        return [*found, top]

    # Layout

    def _left_parts(self) -> tuple[float, float]:
        face = self.face
        labels = max(width_of(item.label, face.text, face.language) for item in self.items)
        notes = max(width_of(item.note, face.small, face.language) for item in self.items)
        return labels, notes

    def margins(self, width: float, *, legend: bool, inner: float | None = None) -> Margins:
        """Room for labels at the left, the title and the words of the series above."""
        self._width = width
        labels, notes = self._left_parts()
        left = labels + 12 + (notes + 12 if notes else 0) if self.first else 2.0
        if self._labels_above():
            left = 2.0
        face = self.face
        lines = len(self._heading(width - left))
        if lines > 1 and self.first:
            lines = len(self._heading(width))
        words = legend_lines(self._entries(), face, width - left)
        return Margins(
            math.ceil(left),
            math.ceil(face.text * (1.25 * (lines + len(words)) + 0.55)),
            2.0,
            math.ceil(self.foot_px()),
        )

    def foot_px(self) -> float:
        """Room below the rows."""
        return 6.0

    def _entries(self) -> list[tuple[str, Look]]:
        return [(look.name, look) for look in self.legend]

    def _heading(self, width: float) -> list[str]:
        wide = 0.97 * width  # hinted letters are a little wider than they measure
        return wrapped(self.title, self.face.text, self.face.language, wide).split("\n")

    def body_px(self, width: float) -> tuple[float, float, float]:
        """Height of all rows, which can move a little closer together or apart."""
        rows = self._tops()[-1]
        return (
            _LEAST_SHARE * rows,
            rows,
            (_MOST_SHARE_ON_SLIDE if self.canvas.size == "slide" else _MOST_SHARE) * rows,
        )

    def plan(self, frame: Box, area: Box, *, legend: bool) -> bool:
        """Find the length of every bar and the place of every text."""
        self._frame, self.texts, self.bars = frame, [], []
        face, step = self.face, 1.25 * self.face.text
        baseline = area.top + face.text
        wide = frame.right - frame.left
        self.texts += legend_texts(legend_lines(self._entries(), face, wide), frame.left, baseline, face)
        heading, left = self._heading(wide), frame.left
        if len(heading) > 1 and self.first:  # a long title begins above the labels
            heading, left = self._heading(area.right - area.left), area.left
        for number, line in enumerate(heading):
            at = frame.top - 0.55 * face.text - 0.25 * face.text - step * (len(heading) - 1 - number)
            self.texts.append(Text(left, round(at, 2), line, "ink", False, "left"))
        tops = self._tops()
        scale = (frame.bottom - frame.top) / tops[-1]
        labels, _ = self._left_parts()
        for item, top in zip(self.items, tops, strict=False):
            self._plan_row(item, (top * scale, self._row_px(item) * scale), labels, frame, area)
        return True

    def _plan_row(self, item: Item, row: tuple[float, float], labels: float, frame: Box, area: Box) -> None:
        face = self.face
        bars = [item.segments] if self.stacked else [(part,) for part in item.segments]
        thick = BAR_PX if len(bars) == 1 else GROUPED_BAR_PX
        top, high = row
        if self.canvas.size == "slide":  # few rows fill it, and their bars with them
            thick *= min(max(1.0, high / self._row_px(item)), _THICKEST)
        below = self._below(item)
        above = 1.3 * face.text if self._labels_above() else 0.0
        start = top + above + (high - above - below - (len(bars) * (thick + 4) - 4)) / 2
        for number, parts in enumerate(bars):
            bar_top = start + number * (thick + 4)
            self.plan_bar(item.label, parts, bar_top, thick, frame)
        middle = frame.top + start + (len(bars) * (thick + 4) - 4) / 2
        if self.first:
            baseline = frame.top + start - 0.45 * face.text if above else middle + 0.36 * face.text
            baseline = round(baseline, 2)
            self.texts.append(Text(area.left, baseline, item.label, "ink", False, "left"))
            if item.note:
                self.texts.append(
                    Text(area.left + math.ceil(labels) + 12, baseline, item.note, "mute", True, "left")
                )
            if item.heading:
                at = round(frame.top + top - 0.35 * face.small, 2)
                self.texts.append(Text(area.left, at, item.heading, "mute", True, "left"))
        if item.detail:
            at = round(frame.top + start + len(bars) * (thick + 4) - 4 + 1.2 * face.small, 2)
            self.texts.append(Text(frame.left + 4, at, item.detail, "mute", True, "left"))

    def plan_bar(self, row: str, parts: Sequence[Segment], top: float, thick: float, frame: Box) -> None:
        """Find the ends of a bar, and the place of its number."""
        face = self.face
        middle = round(frame.top + top + thick / 2 + 0.35 * face.small, 2)
        for part, start, end in _spans(parts):
            self.bars.append(Bar(row, part, start, end, top, thick))
        low, high = self.limits(frame.right - frame.left)
        gap = 8.0 if self.dots else 6.0
        texts = self.end_texts(parts)
        if not texts:
            self.texts.append(Text(frame.left + 6, middle, self.missing, "mute", True, "left"))
        for end, text in texts:
            at = frame.left + (end - low) / (high - low) * (frame.right - frame.left)
            if end < 0:
                self.texts.append(Text(at - gap, middle, text, "ink", True, "right"))
            else:
                self.texts.append(Text(at + gap, middle, text, "ink", True, "left"))

    def end_texts(self, parts: Sequence[Segment]) -> list[tuple[float, str]]:
        """The ends of a bar with the sum of its parts, or of those of each sign. Empty if none is known."""
        known = [part.value for part in parts if part.value is not None]
        ends = [end for _, start, finish in _spans(parts) for end in (start, finish)]
        ends += [end for part in parts for end in part.interval or ()]
        if not known:
            return []
        below, above = _sums_by_sign(parts)
        if below and above:
            return [(below, self.value(below)), (above, self.value(above))]
        text = self.value(sum(known))
        if parts[0].interval is not None:  # at the end of a whisker the value alone would be read as its end
            text += f" ({'–'.join(map(self.value, parts[0].interval))})"
        return [(max(ends) if max(ends) > 0 else min(ends), text)]

    def _ends(self) -> list[tuple[float, str]]:
        """Where bars end, with what is written there."""
        found = []
        for item in self.items:
            for parts in [item.segments] if self.stacked else [(part,) for part in item.segments]:
                found += [*self.end_texts(parts), *((end, "") for *_, end in _spans(parts))]
                found += [(end, "") for part in parts for end in part.interval or ()]
        return found

    def limits(self, wide: float) -> tuple[float, float]:
        """Ends of the axis: every bar with its value fits, in both languages."""
        reached = [(end, self.value(end)) for end in self.domain if end]
        ends = [(end, number_width(text, self.face) + 12) for end, text in [*self._ends(), *reached]]
        most, least = max([0.0, *(end for end, _ in ends)]), min([0.0, *(end for end, _ in ends)])
        if most == least:
            most = 1.0
        px = wide
        for _ in range(40):  # each round moves the ends by what still sticks out
            per_px = (most - least) / max(px, 1)
            right = max([most / per_px, *(end / per_px + room for end, room in ends if end >= 0)])
            left = max([-least / per_px, *(-end / per_px + room for end, room in ends if end < 0)])
            if left + right <= wide + 0.01:
                return -left * per_px, (wide - left) * per_px
            px -= left + right - wide
        return least, most

    def paint(self, number: int) -> None:
        """Draw the bars and their texts."""
        frame, axes = self._frame, self.axes
        if frame is None:
            return
        self.canvas.place_axes(axes, frame.left, frame.top, frame.right, frame.bottom)
        low, high = self.limits(frame.right - frame.left)
        without_ticks(axes, (low, high), (frame.bottom - frame.top, 0))
        px = (high - low) / (frame.right - frame.left)
        for bar in self.bars:
            self.paint_bar(bar, px)
            at = frame.left + (bar.end - low) / px, frame.top + bar.top + bar.thick / 2
            values = (("", bar.row), (self.x, bar.part.value or 0.0))
            name, token = self.name_of(bar.part), bar.part.look.token
            self.canvas.points.append(DrawnPoint(number, bar.part.key, values, *at, name, token))
        if not self.dots:
            starts, ends = zip(*self._pieces(frame.bottom - frame.top), strict=True)
            axes.vlines([0.0] * len(starts), starts, ends, colors="soft", lw=1, clip_on=False)
        self.paint_axis(frame)
        paint_texts(self.canvas, self.texts, self.face)

    def _pieces(self, high: float) -> list[tuple[float, float]]:
        """Ends of the axis's parts: a heading above a group of rows may reach across it."""
        tops = self._tops()
        scale, edges = high / tops[-1], [0.0]
        for item, top in zip(self.items, tops, strict=False):
            if item.heading and self.first:
                edges += [(top - 1.7 * self.face.small) * scale, top * scale]
        edges.append(high)
        return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if end > start]

    def name_of(self, part: Segment) -> str:
        """What a part is called in readings."""
        return part.look.name

    def paint_axis(self, frame: Box) -> None:
        """Bars with values have no value axis."""

    def paint_bar(self, bar: Bar, px: float) -> None:
        """Draw a part of a bar; `px` is a pixel in data units."""
        axes, look, length = self.axes, bar.part.look, bar.end - bar.start
        if self.dots:
            y = bar.top + bar.thick / 2
            axes.plot([bar.start, bar.end], [y, y], color="rule", lw=1, zorder=1)
            style: dict[str, Any] = {"ms": 7, "mew": 2, "mec": look.token, "mfc": "paper", "zorder": 4}
            axes.plot([bar.end], [y], ls="none", marker=look.marker, clip_on=False, **style)
        elif look.token == "idle":
            style = {"fc": "paper", "ec": "idle", "lw": 1, "hatch": "////"}
            self._add(Rectangle((bar.start, bar.top), length, bar.thick, **style))
        else:
            # 1 px of paper between parts
            gap = math.copysign(px, length) if self.stacked and abs(length) > 2 * px else 0.0
            drawn = Rectangle((bar.start, bar.top), length - gap, bar.thick, fc=look.token)
            drawn.set_label(bar.part.key)
            self._add(drawn)
        if bar.part.interval is not None:
            y, (low, high) = bar.top + bar.thick / 2, bar.part.interval
            if low < bar.end:
                axes.hlines(y, low, min(high, bar.end), colors="paper", lw=_SLIT_PX, zorder=3)
            axes.hlines(y, low, high, colors="ink", lw=WHISKER_PX, zorder=3)

    def _add(self, patch: Rectangle) -> None:
        # The limits are known: `add_patch` would find them anew for every bar.
        self.axes.add_artist(self.canvas.origins.note(patch))


def _sums_by_sign(parts: Sequence[Segment]) -> tuple[float, float]:
    """The sum of the values below zero, and that of the others."""
    known = [part.value for part in parts if part.value is not None]
    return sum(value for value in known if value < 0), sum(value for value in known if value >= 0)


def _spans(parts: Sequence[Segment]) -> list[tuple[Segment, float, float]]:
    """The known parts, each from where the one of its sign before it ended, or from its own start."""
    found, below, above = [], 0.0, 0.0
    for part in parts:
        if part.value is None:
            continue
        if part.start is not None:
            found.append((part, part.start, part.start + part.value))
        elif part.value < 0:
            found.append((part, below, below + part.value))
            below += part.value
        else:
            found.append((part, above, above + part.value))
            above += part.value
    return found


def in_order_of_roles(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Parts of a step's time are always in the order compute, memory, network, idle."""
    if all(part.look.token in ROLES for part in segments):
        return tuple(sorted(segments, key=lambda part: ROLES.index(part.look.token)))
    return tuple(segments)

"""Timelines: what happens when, in rows of bars over an axis of time."""

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.arrangement import Margins, Panels, arrangement_of
from diglot.figures.charts.bar_panel import Bar, BarPanel, Item, Segment
from diglot.figures.charts.furniture import fitting, number_width
from diglot.figures.charts.placing import Box
from diglot.figures.charts.plots import Text
from diglot.figures.charts.rows import Rows, check_columns, is_missing, some_rows_of, text_of, with_numbers
from diglot.figures.charts.scales import AxisValues, Scale, scale_of
from diglot.figures.charts.series import Look, look_of, looks_of, plain_look, series_key
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.text_sizes import width_of
from diglot.figures.palette import text_token_on
from diglot.figures.scripts.misuse import Misuse

_MOST_TICKS = 8


class TimelinePanel(BarPanel):
    """Bars that begin and end at times, with their texts inside, or after them."""

    inside: dict[int, str]
    """The text of each segment, by its identity."""
    only_inside = False
    """Whether texts that do not fit into their bar are left out; otherwise they are after it."""
    end: float | None = None

    def margins(self, width: float, *, legend: bool, inner: float | None = None) -> Margins:
        """As for bars, with room for half of the last tick label."""
        last = max(
            number_width(self._scale(most).labels[-1], self.face) for most in range(2, _MOST_TICKS + 1)
        )
        found = super().margins(width, legend=legend, inner=inner)
        return found._replace(right=max(found.right, math.ceil(last / 2)))

    def _scale(self, most_ticks: int) -> Scale:
        ends = [end for _, _, end in self._segments()]
        starts = [start for _, start, _ in self._segments()]
        domain = (0.0 if min(starts) >= 0 else None, self.end)
        return scale_of(
            AxisValues.of([*starts, *ends]),
            self.column,
            self.words.language,
            domain=domain,
            tight=True,
            most_ticks=most_ticks,
        )

    def _segments(self) -> list[tuple[Segment, float, float]]:
        """Every bar with its start and its end."""
        return [
            (part, part.start or 0.0, (part.start or 0.0) + (part.value or 0.0))
            for item in self.items
            for part in item.segments
        ]

    def limits(self, wide: float) -> tuple[float, float]:
        """Ends of the axis, with room for the texts after the bars."""
        scale = self._scale(_MOST_TICKS)
        low, high = scale.low, scale.high
        for _ in range(40):  # each round moves the end by what still sticks out
            px = (high - low) / wide
            right = max(end + self._after_px(part, px) * px for part, _, end in self._segments())
            if right <= high + 0.001 * px:
                break
            high = right
        return low, high

    def _after_px(self, part: Segment, px: float) -> float:
        """Width of a text after its bar; 0 if it fits inside, or is left out."""
        return 0.0 if self.only_inside or self._fits(part, px) else self._text_px(part)

    def _fits(self, part: Segment, px: float) -> bool:
        return self._text_px(part) <= (part.value or 0.0) / px

    def _text_px(self, part: Segment) -> float:
        text = self.inside.get(id(part), "")
        return width_of(text, self.face.small, self.face.language) + 8 if text else 0.0

    def plan_bar(self, row: str, parts: Sequence[Segment], top: float, thick: float, frame: Box) -> None:
        """Find the ends of the bars of a row, and the places of their texts."""
        low, high = self.limits(frame.right - frame.left)
        px = (high - low) / (frame.right - frame.left)
        baseline = round(frame.top + top + thick / 2 + 0.35 * self.face.small, 2)
        for part in parts:
            if part.value is None or part.start is None:
                continue
            self.bars.append(Bar(row, part, part.start, part.start + part.value, top, thick))
            text, fits = self.inside.get(id(part), ""), self._fits(part, px)
            if text and fits:
                at = frame.left + (part.start - low) / px + 5
                self.texts.append(Text(at, baseline, text, text_token_on(part.look.token), True, "left"))
            elif text and not self.only_inside:
                at = frame.left + (part.start + part.value - low) / px + 5
                self.texts.append(Text(at, baseline, text, part.look.text_token, True, "left"))

    def foot_px(self) -> float:
        """Room for the tick labels."""
        return 10.0 + 1.1 * self.face.small

    def paint_axis(self, frame: Box) -> None:
        """Ticks of time below the rows."""
        wide = frame.right - frame.left
        low, high = self.limits(wide)
        most = 5 if self.canvas.is_narrow else _MOST_TICKS
        scale = fitting(
            lambda count: msgspec.structs.replace(self._scale(count), low=low, high=high),
            wide,
            self.face,
            most=most,
        )
        self.axes.set_axis_on()
        self.axes.yaxis.set_visible(False)
        self.axes.set_xticks(scale.ticks, scale.labels)
        self.axes.tick_params(axis="x", labelsize=self.face.small)
        self.axes.grid(True, axis="x")


@checked
def timeline(
    figure: Canvas,
    rows: Rows,
    *,
    y: str,
    start: str | None = None,
    end: str | None = None,
    duration: str | None = None,
    series: str | None = None,
    label: str | None = None,
    only_inside: bool = False,
    until: float | None = None,
) -> TimelinePanel:
    """A Gantt chart: each row of data is a bar from `start` to `end`, or for a `duration`.

    Rows of the same `y` share a line. Without `start` each bar begins where the one before it in its line
    ended. `series` gives the look: a role, a chip, or anything else. `label` is a column of texts, in the bar
    or after it, or with `only_inside` in those bars that have room; the column of the series names its look.
    The axis has the title and unit of the column `start`, or of `duration`, and ends at `until`. Raises
    TypeError unless exactly one of `end` and `duration` is given, and `start` with `end`; ValueError for a
    bar that ends before it begins.
    """
    if (end is None) == (duration is None):
        raise Misuse("a bar of a timeline lasts until an `end` or for a `duration`", "give one of the two.")
    if start is None and duration is None:
        raise Misuse(
            "bars with an `end` have a `start`", "give a `start`, or a `duration` instead of the end."
        )
    given = some_rows_of(rows)
    check_columns(given, y, start, end, duration, series, label)
    given = with_numbers(given, start, end, duration)
    words = figure.words.with_categories(given, y, series)
    lengths = [row[end or duration or ""] for row in given]
    starts = [row[start] for row in given] if start else _one_after_another(given, y, lengths)
    if end:
        lengths = [b - a for a, b in zip(starts, lengths, strict=True)]
    if wrong := [n for n, length in enumerate(lengths, start=1) if length < 0]:
        raise Misuse(
            f"row {wrong[0]} of the timeline ends before it begins", "exchange its start and its end."
        )
    looks: dict[Any, Look] = (
        looks_of([row[series] for row in given], words, series, filled=True) if series else {}
    )
    lines: dict[Any, list[Segment]] = {}
    inside: dict[int, str] = {}
    for row, at, length in zip(given, starts, lengths, strict=True):
        look = looks[series_key(row[series])] if series else look_of(row[y], words, y) or plain_look("seq6")
        line = lines.setdefault(series_key(row[y]), [])
        if is_missing(at + length):
            continue
        segment = Segment(str(row[series] if series else row[y]), look, length, at)
        line.append(segment)
        if label is not None and row[label] not in (None, ""):
            inside[id(segment)] = look.name if label == series else text_of(row[label], words, label)
    if not any(lines.values()):
        raise Misuse("the timeline has no bars: all are missing", "give a row its times, or leave it out.")
    named = {series_key(row[y]): row[y] for row in given}
    items = []
    for key, segments in lines.items():
        own = look_of(named[key], words, y)
        text = own.name if own is not None else text_of(named[key], words, y)
        items.append(Item(label=text, segments=tuple(segments)))
    bars_count = sum(map(len, lines.values()))
    said = len(inside) == bars_count and not only_inside  # every bar has its text
    panel = TimelinePanel(
        figure, items, x=start or duration or "", stacked=True, legend=() if said else tuple(looks.values())
    )
    panel.inside, panel.only_inside, panel.end = inside, only_inside, until
    arrangement_of(figure).add(Panels([panel]))
    return panel


def _one_after_another(rows: Sequence[dict[str, Any]], y: str, lengths: Sequence[float]) -> list[float]:
    """Where each bar begins if it follows the one before it in its line."""
    starts, ends = [], dict.fromkeys((series_key(row[y]) for row in rows), 0.0)
    for row, length in zip(rows, lengths, strict=True):
        starts.append(ends[series_key(row[y])])
        ends[series_key(row[y])] += 0.0 if is_missing(length) else length
    return starts

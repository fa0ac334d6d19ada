"""A chart with two axes, in which any number of marks share one frame.

Marks are noted while `draw` runs and laid out when it has returned, when all texts are known.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from matplotlib.axes import Axes

from diglot.diagnostics import did_you_mean
from diglot.figures.charts import marks
from diglot.figures.charts.arguments import checked
from diglot.figures.charts.arrangement import Margins, Panels, arrangement_of, face_of
from diglot.figures.charts.flags import Flag, flag_texts
from diglot.figures.charts.furniture import Furniture, paint_texts
from diglot.figures.charts.placing import Box, place, spread
from diglot.figures.charts.plots import Plot, Text
from diglot.figures.charts.rows import (
    Rows,
    check_columns,
    declared,
    is_missing,
    rows_of,
    text_of,
    with_numbers,
)
from diglot.figures.charts.scales import AxisValues, Scale, check_scale, scale_of
from diglot.figures.charts.series import Look, dashes_of, look_of, looks_of, plain_look, series_key
from diglot.figures.drawing.canvas import Canvas, DrawnPoint
from diglot.figures.drawing.text_sizes import width_of
from diglot.figures.palette import TOKENS
from diglot.figures.palette import color as checked_colour
from diglot.figures.scripts.misuse import Misuse

Curve = Literal["line", "steps", "saw-teeth"]
Side = Literal["right", "left", "above", "below", "above left", "above right"]
Domain = tuple[float | None, float | None]
BODY_PX = {"narrow": 220.0, "column": 250.0, "wide": 280.0, "slide": 176.0}
_WIDEST_NAMES = 0.34
"""Share of the width that names at the ends of lines may take; longer ones go into the frame."""
_COVERED = 0.06
"""Share of a name's area that may be covered before a legend is better."""

_GUIDE_PX = 5.0
"""Width of the guide of a flag with the room next to it that labels leave."""

_HELPS_BELOW = 0.02
"""The same for a text that only helps and is left out otherwise."""


OPTIONS = (
    *("x_scale", "y_scale", "x_domain", "y_domain", "x_ticks", "y_ticks"),
    *("title", "height"),
)
"""What a script may say of a frame with two axes, besides its columns."""


def check_options(call: str, options: Iterable[str], own: Sequence[str] = ()) -> None:
    """Raise Misuse for a name that is an option neither of a frame nor of the call itself."""
    known = (*OPTIONS, *own)
    for name in options:
        if name not in known:
            raise Misuse(f'`{call}` has no option "{name}"', did_you_mean(name, known))


class _Reading(NamedTuple):
    """A point that readers can point at, in the units of the axes."""

    key: str
    run: int
    name: str
    token: str
    x: float
    y: float


class Chart:
    """A frame with two axes. Its methods add marks and return the chart, so that calls can be chained."""

    first = last = opens = names_x = names_y = True

    @checked
    def __init__(
        self,
        figure: Canvas,
        *,
        x: str,
        y: str,
        x_scale: str = "linear",
        y_scale: str = "linear",
        x_domain: Domain = (None, None),
        y_domain: Domain = (None, None),
        x_ticks: Sequence[float] | None = None,
        y_ticks: Sequence[float] | None = None,
        title: str = "",
        height: float | None = None,
        panel: bool = False,
    ) -> None:
        self.canvas, self.words = figure, figure.words
        self.face = face_of(figure)
        self.x, self.y = x, y
        self._columns = {"x": declared(self.words, x), "y": declared(self.words, y)}
        self._kinds = {"x": x_scale, "y": y_scale}
        self._domains = {"x": x_domain, "y": y_domain}
        self._ticks = {"x": x_ticks, "y": y_ticks}
        self.title = title
        self._marks: list[marks.Mark] = []
        self._made_at: dict[int, int | None] = {}
        """The line of the script that made each mark, by the mark's identity."""
        self._readings: list[_Reading] = []
        self._looks: dict[str, dict[Any, Look]] = {}
        self._named: set[str] = set()
        self._body = height
        self._padded = False
        self.flags: list[Flag] = []
        """Names above the frame, with guides down to what they name."""
        self.shared: list[Chart] = [self]
        """The panels that have the same axes."""
        self._scales: dict[tuple[Any, ...], Scale] = {}
        self._values: dict[tuple[Any, ...], tuple[AxisValues, bool, bool]] = {}
        self._width = figure.width_px
        self._plan: Plot | None = None
        if not panel:
            arrangement_of(figure).add(Panels([self]))

    @cached_property
    def axes(self) -> Axes:
        """matplotlib's axes. Their place and limits are final when `draw` has returned."""
        return self.canvas.axes_px(0, 0, 10, 10)

    # Marks

    @checked
    def lines(
        self,
        rows: Rows,
        *,
        x: str | None = None,
        y: str | None = None,
        series: str | None = None,
        curve: Curve = "line",
        teeth: str | None = None,
        name: str | bool = True,
        color: str | None = None,
        dash: str | None = None,
        width: float = marks.LINE_PX,
        area: bool | str = False,
        interval: tuple[str, str] | None = None,
    ) -> "Chart":
        """A line for each series, named at its end.

        `curve` is `line`, `steps` or `saw-teeth`, which fall vertically where a value is lower than the one
        before or, with `teeth`, where that column changes. `name=False` leaves the name out; a text names a
        single line. `dash` is a format or a column of formats: 8-bit types are dashed. `area=True` fills the
        area down to 0, and the name of a column fills it down to that column.
        `interval` names the columns of both ends of an interval around the line, which becomes a pale band.
        """
        x, y = x or self.x, y or self.y
        given = rows_of(rows)
        foot = area if isinstance(area, str) else None
        check_columns(given, x, y, series, teeth, foot, *(interval or ()))
        given = with_numbers(given, x, y, foot, *(interval or ()))
        for look, key, chosen in self._split(given, series, color):
            self._add_interval(chosen, x, interval, look, is_band=True)
            points = [(row[x], row[y]) for row in chosen]
            self._read(key, look, points, name)
            below = tuple(row[foot] for row in chosen) if foot else None
            dashes = (
                dashes_of(chosen[0].get(dash, dash) if dash is not None and chosen else dash) or look.dashes
            )
            drawn = tuple(points)
            if curve == "steps":
                drawn = marks.steps(points)
            elif curve == "saw-teeth":
                drawn = marks.saw_teeth(points, [row[teeth] for row in chosen] if teeth else None)
            self.add(
                marks.Line(
                    points=drawn,
                    look=look,
                    width=width,
                    dashes=dashes,
                    name=self._name(look, name),
                    above=0.0 if area is True else None,
                    below=below if curve == "line" else None,
                )
            )
        return self

    @checked
    def areas(
        self, rows: Rows, *, series: str | None = None, stacked: bool = True, **options: Any
    ) -> "Chart":
        """Areas under lines: of several series on each other, or with `stacked=False` each down to 0.

        Where a value of a stack is missing, the whole stack has a gap, since its sum is not known.
        """
        given = rows_of(rows)
        if series is None or not stacked:
            return self.lines(given, series=series, area=True, **options)
        x, y = options.get("x") or self.x, options.get("y") or self.y
        check_columns(given, x, y, series)
        given = with_numbers(given, x, y)
        _check_stack(given, x, series)
        unknown = {row[x] for row in given if is_missing(row[y])}
        totals: dict[Any, float] = {}
        for row in given:
            row["_foot"] = math.nan if row[x] in unknown else totals.get(row[x], 0.0)
            row[y] += row["_foot"]
            totals[row[x]] = row[y]
        return self.lines(given, series=series, area="_foot", **options)

    @checked
    def points(
        self,
        rows: Rows,
        *,
        x: str | None = None,
        y: str | None = None,
        series: str | None = None,
        label: str | None = None,
        name: str | bool | None = None,
        measured: bool | str = False,
        color: str | None = None,
        size: float = marks.MARKER_PX,
        drop: bool = False,
        mute: bool = False,
        prefer: Side = "right",
        interval: tuple[str, str] | None = None,
    ) -> "Chart":
        """A marker for each row: hollow if computed, filled where `measured` is true (a column, or True).

        `label` is a column with a text or number for each point; empty texts and None are left out. `drop`
        leads a dotted guide to the axis. `mute` draws small dots. Series are named, unless points are
        labelled or lines of the chart already name them. `interval` names the columns of both ends of an
        interval, through which a whisker leads.
        """
        x, y = x or self.x, y or self.y
        given, ends = rows_of(rows), interval or ()
        check_columns(given, x, y, series, label, measured if isinstance(measured, str) else None, *ends)
        given = [row for row in with_numbers(given, x, y, *ends) if not is_missing(row[x] + row[y])]
        self._padded = True
        for look, key, chosen in self._split(given, series, color):
            self._add_interval(chosen, x, interval, look, is_band=False)
            points = tuple((row[x], row[y]) for row in chosen)
            self._read(key, look, points, name)
            texts: tuple[str, ...] = ()
            if label:
                told, bare = [row[label] for row in chosen], label in (x, y)
                texts = tuple(
                    "" if one is None else text_of(one, self.words, label, bare=bare) for one in told
                )
            named = self._name(look, name if name is not None else not (label or mute or series is None))
            for filled, places in _by_filling(chosen, measured):
                self.add(
                    marks.Points(
                        points=tuple(points[n] for n in places),
                        look=look,
                        size=3.0 if mute else size,
                        filled=filled,
                        mute=mute,
                        texts=tuple(texts[n] for n in places) if texts else (),
                        drop=drop,
                        name=named,
                        prefer=prefer,
                    )
                )
                named = ""
        return self

    def _add_interval(
        self,
        rows: list[dict[str, Any]],
        x: str,
        interval: tuple[str, str] | None,
        look: Look,
        *,
        is_band: bool,
    ) -> None:
        if interval is not None:
            places, low, high = (tuple(row[name] for row in rows) for name in (x, *interval))
            self.add(marks.Interval(x=places, low=low, high=high, look=look, is_band=is_band))

    @checked
    def annotate(
        self, point: tuple[float, float], text: str, *, color: str = "ink", prefer: Side = "right"
    ) -> "Chart":
        """A text about a point, next to it where there is room; from 20 px on, a line leads to the point.

        `color` is a colour of the palette or a chip id. `prefer` is the side that is tried first: `right`,
        `left`, `above`, `below`, `above left`, `above right`.
        """
        self.add(
            marks.Annotation(point=point, text=text, token=self._colour(color).text_token, prefer=prefer)
        )
        return self

    @checked
    def rule(
        self, *, x: float | None = None, y: float | None = None, text: str = "", color: str = "mute"
    ) -> "Chart":
        """A dotted guide at one x or one y, with a word. Raises Misuse unless exactly one is given."""
        if (x is None) == (y is None):
            raise Misuse("a rule is at one value, of x or of y", "give one of the two.")
        self.add(marks.Rule(x=x, y=y, text=text, token=self._colour(color).text_token))
        return self

    @checked
    def flag(self, x: float, text: str, *, down_to: float, color: str = "soft") -> "Chart":
        """A name above the frame for an x value, at a dotted guide that leads down to a y value.

        Names of all flags are put into rows so that no guide crosses a name.
        """
        check_scale(self._kinds["x"], [x])
        check_scale(self._kinds["y"], [down_to])
        self.flags.append(Flag(x, text, down_to, self._colour(color).text_token))
        return self

    @checked
    def band(
        self,
        *,
        x: tuple[float, float] | None = None,
        y: tuple[float, float] | None = None,
        text: str = "",
    ) -> "Chart":
        """A pale range of x or y, with a word inside. Raises Misuse without a range."""
        if x is None and y is None:
            raise Misuse("a band is a range of x or of y", "give x=(from, to) or y=(from, to).")
        for which, ends in (("x", x), ("y", y)):
            check_scale(self._kinds[which], ends or ())
        self._marks.insert(0, marks.Band(x=x, y=y, text=text))
        return self

    @checked
    def region(self, at: tuple[float, float], text: str) -> "Chart":
        """A word in mute for a part of the frame, near a place in shares of the frame from its lower left."""
        self.add(marks.Region(text=text, at=at))
        return self

    def add(self, mark: marks.Mark) -> None:
        """Add a mark of one's own. Raises ValueError if its values cannot be shown by the axes."""
        for which, values in zip(("x", "y"), mark.extent(), strict=True):
            check_scale(self._kinds[which], values)
        self._marks.append(mark)
        self._made_at[id(mark)] = self.canvas.origins.here()

    # Layout, called by the arrangement

    def margins(self, width: float, *, legend: bool, inner: float | None = None) -> Margins:
        """Room that the texts of this language need."""
        self._width = width
        return self._furniture(legend or self._has_legend_in_title(width)).margins(width, inner)

    def body_px(self, width: float) -> tuple[float, float, float]:
        """Height of the frame: enough for all names at the right, one below the other.

        Where the drawing has to be of a certain height, a frame gives up some of the height asked for.
        """
        names = 1.25 * self.face.text * len(self._ends_at_right() or [])
        least = max(min(110.0, 0.6 * (self._body or math.inf)), names)
        return least, max(self._body or BODY_PX[self.canvas.size], least), math.inf

    def plan(self, frame: Box, area: Box, *, legend: bool) -> bool:
        """Find the place of everything. Returns whether the names of lines fit next to their lines."""
        legend = legend or self._has_legend_in_title(area.right - area.left)
        furniture = self._furniture(legend)
        x, y = furniture.scales(frame)
        self._plan = plot = Plot(frame, x, y, self.face, (self.canvas.width_px, area.bottom))
        for mark in self._marks:
            mark.plan(plot)
        plot.texts += [*furniture.texts(frame, area, x), *flag_texts(self.flags, plot, area.right)]
        at_right = self._names_at_right(legend)
        inside = [] if legend or at_right else plot.ends
        if at_right:
            self._place_at_right(plot, area)
        own = len(plot.labels)
        names = [marks.name_label(end, plot) for end in inside]
        head = Box(frame.left + 2, frame.top - furniture.headroom, area.right - 3, frame.bottom - 3)
        for text in plot.texts:
            plot.ink.add_box(_box_of(text, self.face), 3.0)
            if text.leader is not None:
                plot.ink.add_line(text.leader, 0.5, thick=_GUIDE_PX)
        found = place([*plot.labels, *names], plot.ink, head, self.face)
        small = self.face.small
        for label, at, covered in zip([*plot.labels, *names], found.places, found.covered, strict=True):
            if label.optional and covered > _HELPS_BELOW:
                continue
            box = label.box(at, self.face)
            shift = {"left": box.left, "center": (box.left + box.right) / 2, "right": box.right}[at.align]
            leader = None
            if at.leader is not None:
                leader = (_nearest(box, at.leader), at.leader)
            on_grid = any(box.top < plot.y_px(tick) < box.bottom for tick in plot.y.ticks)
            patch = on_grid or plot.ink.under(box) > 0
            plot.texts.append(
                Text(
                    shift, at.baseline, label.text, label.token, label.size == small, at.align, patch, leader
                )
            )
        return all(
            covered <= _COVERED and at.cost < marks.AMBIGUOUS
            for covered, at in zip(found.covered[own:], found.places[own:], strict=True)
        )

    def paint(self, number: int) -> None:
        """Draw the axes, the marks and the texts, and record the points for readings."""
        plot = self._plan
        if plot is None:
            return
        self.canvas.place_axes(
            self.axes, plot.frame.left, plot.frame.top, plot.frame.right, plot.frame.bottom
        )
        self._furniture(False).paint(self.axes, plot)
        for mark in self._marks:
            with self.canvas.origins.at(self._made_at.get(id(mark))):
                mark.paint(self.axes)
        self.axes.set(xlim=(plot.x.low, plot.x.high), ylim=(plot.y.low, plot.y.high))
        paint_texts(self.canvas, plot.texts, self.face)
        for key, run, name, token, x, y in self._readings:
            at = plot.px(x, y)
            values = ((self.x, x), (self.y, y))
            self.canvas.points.append(DrawnPoint(number, key, values, *at, name, token, run))

    def _place_at_right(self, plot: Plot, area: Box) -> None:
        """Names at the right ends of their lines, apart from each other; far from its line with a leader."""
        size, frame = self.face.text, plot.frame
        wanted = [end.points[-1][1] for end in plot.ends]
        heights = [1.25 * size] * len(wanted)
        moved = spread(wanted, heights, frame.top - 0.1 * size, frame.bottom - 0.2 * size)
        for end, own, at in zip(plot.ends, wanted, moved, strict=True):
            far = abs(at - own) >= 20
            room = area.right - 4 - frame.right - width_of(end.text, size, self.face.language)
            left = frame.right + (min(26.0, room) if far else 9)
            leader = ((left - 4, at), (frame.right + 3, own)) if far else None
            plot.texts.append(Text(left, at + 0.35 * size, end.text, end.token, False, "left", False, leader))

    def _names_at_right(self, legend: bool) -> list[str]:
        """The names that are right of the frame: with a legend only if that could not help."""
        if not legend:
            return self._ends_at_right() or []
        return [] if self._legend_helps() else [line.name for line in self._lines() if line.name]

    def _has_legend_in_title(self, width: float) -> bool:
        """Whether names of lines are in the line of the title: on a slide, whose frame then has all width."""
        return self.canvas.size == "slide" and self._furniture(True).has_legend_in_title(width)

    def _legend_helps(self) -> bool:
        """Whether all series of a legend differ in colour or marker."""
        seen = [(look.token, look.marker) for _, look in self._entries()]
        return len(set(seen)) == len(seen)

    def _entries(self) -> list[tuple[str, Look]]:
        named = [mark for mark in self._marks if isinstance(mark, marks.Line | marks.Points) and mark.name]
        return [(mark.name, mark.look) for mark in named]

    def _ends_at_right(self) -> list[str] | None:
        """The names that are right of the frame: if all lines reach its end; None otherwise."""
        named = [line for line in self._lines() if line.name and line.end is not None]
        if not named:
            return None
        scale = self._scale("x")
        if any(scale.share((mark.end or (0.0,))[0]) < 0.985 for mark in named):
            return None
        if any(
            width_of(mark.name, self.face.text, self.face.language) > _WIDEST_NAMES * self._width
            for mark in named
        ):
            return None
        if self.canvas.is_narrow and any(
            width_of(mark.name, self.face.text, self.face.language) > 0.2 * self._width for mark in named
        ):
            return None
        return [mark.name for mark in named]

    def _lines(self) -> list[marks.Line]:
        """The lines of all marks."""
        return [mark for mark in self._marks if isinstance(mark, marks.Line)]

    def _furniture(self, legend: bool) -> Furniture:
        """Axes, titles and, if names do not fit, the legend."""
        scale = self._scale("y")
        labelled = [
            y
            for mark in self._marks
            if isinstance(mark, marks.Annotation | marks.Points)
            for y in mark.labelled()
        ]
        above = any(scale.share(y) > 0.93 for y in labelled)
        return Furniture(
            face=self.face,
            size=self.canvas.size,
            title=self.title,
            x_title=self._columns["x"].label.of(self.words.language),
            y_title=self._columns["y"].label.of(self.words.language),
            scale=self._scale,
            names=tuple(self._names_at_right(legend)),
            legend=tuple(self._entries()) if legend and self._legend_helps() else (),
            headroom=1.3 * self.face.small if above else 0.0,
            first=self.first,
            last=self.last,
            names_x=self.names_x,
            names_y=self.names_y,
            flags=tuple(self.flags),
        )

    def _scale(self, which: Literal["x", "y"], most_ticks: int = 6) -> Scale:
        # The layout asks for the same scale dozens of times.
        marks_counts = tuple(len(chart._marks) for chart in self.shared)
        asked = (which, most_ticks, marks_counts)
        if asked not in self._scales:
            self._scales[asked] = self._found_scale(which, most_ticks, marks_counts)
        return self._scales[asked]

    def _found_scale(self, which: Literal["x", "y"], most_ticks: int, marks_counts: tuple[int, ...]) -> Scale:
        if (which, marks_counts) not in self._values:
            self._values[which, marks_counts] = self._found_values(which)
        values, has_lines, ends_with_line = self._values[which, marks_counts]
        return scale_of(
            values,
            self._columns[which],
            self.words.language,
            kind=self._kinds[which],
            domain=self._domains[which],
            tight=which == "x" and has_lines,
            padded=any(chart._padded for chart in self.shared) and not (which == "x" and ends_with_line),
            most_ticks=most_ticks,
        ).with_ticks(self._ticks[which])

    def _found_values(self, which: Literal["x", "y"]) -> tuple[AxisValues, bool, bool]:
        """What an axis shows; whether that has lines; and whether these run from edge to edge.

        They do unless a marker is beyond their ends.
        """
        shown = [mark for chart in self.shared for mark in chart._marks]
        values = [value for mark in shown for value in mark.extent()[which == "y"]]
        lines = [x for chart in self.shared for line in chart._lines() for x in line.extent()[0]]
        ends_with_line = bool(lines) and (which == "y" or max(lines) >= max(values))
        return AxisValues.of(values, self._kinds[which]), bool(lines), ends_with_line

    # Series

    def _split(
        self, rows: list[dict[str, Any]], series: str | None, color: str | None
    ) -> list[tuple[Look, str, list[dict[str, Any]]]]:
        """The rows of each series with its look, in order of appearance."""
        if series is None:
            look = plain_look("ink") if color is None else self._colour(color)
            return [(look, "", rows)]
        known = self._looks.setdefault(series, {})
        keys = list(dict.fromkeys([*known, *(series_key(row[series]) for row in rows)]))
        words = self.words.with_categories(rows, series)
        known |= {key: look for key, look in looks_of(keys, words, series).items() if key not in known}
        parts: dict[Any, list[dict[str, Any]]] = {}
        for row in rows:
            parts.setdefault(series_key(row[series]), []).append(row)
        return [
            (known[key] if color is None else self._colour(color, known[key].name), str(key), part)
            for key, part in parts.items()
        ]

    def _colour(self, color: str, name: str = "") -> Look:
        """The look for a colour of the palette, or for a chip."""
        if color in TOKENS:
            return plain_look(color, name)
        found = look_of(color, self.words)
        return found or plain_look(checked_colour(color), name)

    def _name(self, look: Look, name: str | bool) -> str:
        """The name that a mark shows: each series is named once."""
        text = name if isinstance(name, str) else look.name if name else ""
        if text in self._named:
            return ""
        self._named |= {text} - {""}
        return text

    def _read(
        self, key: str, look: Look, points: Sequence[tuple[float, float]], name: str | bool | None
    ) -> None:
        run = self._readings[-1].run + 1 if self._readings else 0
        called = look.name or (name if isinstance(name, str) else "")
        self._readings += [
            _Reading(key, run, called, look.token, x, y) for x, y in points if not is_missing(x + y)
        ]


def _check_stack(rows: Iterable[dict[str, Any]], x: str, series: str) -> None:
    """Raise Misuse unless each series of a stack has one row for each x of the others."""
    places: dict[Any, list[float]] = {}
    for row in rows:
        if not is_missing(row[x]):
            places.setdefault(series_key(row[series]), []).append(row[x])
    names = {key: key[1] if isinstance(key, tuple) else key for key in places}
    every = dict.fromkeys(place for own in places.values() for place in own)
    for key, own in places.items():
        known = set(own)
        lacking = next((place for place in every if place not in known), None)
        if lacking is not None:
            raise Misuse(
                f'areas of series are on each other, and "{names[key]}" has no row where {x} is {lacking}',
                f"give each series the same {x}, with None for a missing value, or write `stacked=False`.",
            )
        if len(known) < len(own):
            twice = next(place for place in own if own.count(place) > 1)
            raise Misuse(
                f'several rows of "{names[key]}" have {twice} as their {x}',
                "leave all but one out, or write `stacked=False`.",
            )


def _by_filling(rows: list[dict[str, Any]], measured: bool | str) -> list[tuple[bool, list[int]]]:
    """Places of computed and of measured rows."""
    filled = [bool(row.get(measured)) if isinstance(measured, str) else bool(measured) for row in rows]
    found = [(kind, [n for n, one in enumerate(filled) if one is kind]) for kind in (False, True)]
    return [(kind, places) for kind, places in found if places]


def _box_of(text: Text, face: Any) -> Box:
    size = face.small if text.small else face.text
    width = width_of(text.text, size, face.language)
    left = text.x - {"left": 0.0, "center": width / 2, "right": width}[text.align]
    return Box(left, text.baseline - 0.8 * size, left + width, text.baseline + 0.2 * size)


def _nearest(box: Box, point: tuple[float, float]) -> tuple[float, float]:
    """The point of a box's edge from which a leader starts."""
    return min(max(point[0], box.left), box.right), min(max(point[1], box.top + 2), box.bottom - 1)

"""What is around a frame of two axes: titles, units, ticks, names, a legend."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec
from matplotlib.axes import Axes

from diglot.figures.charts.arrangement import Margins
from diglot.figures.charts.flags import FLAG_EM, Flag, flag_rows
from diglot.figures.charts.placing import Box
from diglot.figures.charts.plots import Plot, Text
from diglot.figures.charts.scales import Scale
from diglot.figures.charts.series import ROLES, Look
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.style import TEXT_PX
from diglot.figures.drawing.text_sizes import LINE_EM, Face, width_of, wrapped
from diglot.figures.records import Size
from diglot.languages import LANGUAGES

_TICK_PX, _PAD_PX = 5.0, 5.0
_ASCENT_EM = 0.78
"""Height of a line of tick labels above its baseline."""
_MOST_TICKS = 8
"""Of a level axis; fewer where their labels have no room."""


class Furniture(msgspec.Struct, frozen=True, kw_only=True):
    """Texts around the frame, in one language."""

    face: Face
    size: Size
    title: str
    x_title: str
    y_title: str
    scale: Callable[..., Scale]
    names: tuple[str, ...]
    legend: tuple[tuple[str, Look], ...]
    """Below the title of the y axis, or on a slide with room for it at the right end of that line."""
    headroom: float
    first: bool
    """Whether the y axis is labelled here, or by a panel further left."""
    last: bool
    """Whether the x axis has its title here, or in a panel further right."""
    names_x: bool
    names_y: bool
    """Whether the axes have their titles in this line of panels, or in another one."""

    flags: tuple[Flag, ...] = ()

    def margins(self, width: float, inner: float | None) -> Margins:
        """Room for these texts next to the frame."""
        labels = {text for most in range(2, 7) for text in self.scale("y", most).labels}
        widest = max((number_width(text, self.face) for text in labels), default=0.0)
        before = max(
            _before_begin(self.scale("x", most), inner or 0.8 * width, self.face)
            for most in range(2, _MOST_TICKS + 1)
        )
        left = widest + 8 if self.first else max(4.0, before - _OF_GAP_PX)
        names = max((width_of(text, self.face.text, self.face.language) for text in self.names), default=0.0)
        last = max(
            _beyond_end(self.scale("x", most), inner or 0.8 * width, self.face)
            for most in range(2, _MOST_TICKS + 1)
        )
        right = max(names + 12 + 18 * (len(self.names) > 4) if names else 0.0, last, 6.0)
        return Margins(
            math.ceil(left),
            math.ceil(
                self._head_px(width) + self.headroom + self._flags_px(inner or width - left - right, right)
            ),
            math.ceil(right),
            math.ceil(self._foot_px(width, inner)),
        )

    def _head(self, width: float) -> list[tuple[str, str, bool]]:
        """Lines above the frame: (text, colour, small)."""
        lines = []
        if self.title:
            lines += [(one, "ink", False) for one in self._wrapped(self.title, width)]
        if (self.first and self.names_y) or not self.title:
            unit = self.scale("y", 6).unit
            both = self._with_unit(self.y_title, unit)
            # Below a title, and on slides where rows are scarce, quantity and unit share a line.
            if self.title:
                lines += [(one, "mute", True) for one in self._wrapped(both, width)]
            elif self.size == "slide":
                lines += [(one, "ink", False) for one in self._wrapped(both, width)]
            else:
                lines += [(one, "ink", False) for one in self._wrapped(self.y_title, width)]
                lines += [(unit, "mute", True)] if unit else []
        return lines

    def _with_unit(self, title: str, unit: str) -> str:
        comma = "，" if self.face.language == "zh" else ", "
        return f"{title}{comma}{unit}" if unit else title

    def _wrapped(self, text: str, width: float) -> list[str]:
        return wrapped(text, self.face.text, self.face.language, width).split("\n")

    def _head_px(self, width: float) -> float:
        rows = len(self._legend_rows(width))
        return self.face.text + 1.25 * self.face.text * (len(self._head(width)) + rows) - 0.1 * self.face.text

    def _foot_px(self, width: float, inner: float | None) -> float:
        ticks = _TICK_PX + _PAD_PX + self.face.small
        beside = inner is not None and self._is_beside_ticks(inner, self._x_scale(inner))
        if beside or not self.names_x:
            return ticks + 0.35 * self.face.text
        lines = len(self._wrapped(self._x_text(), width))
        return ticks + 1.6 * self.face.text + 1.25 * self.face.text * (lines - 1) + 8

    def _is_beside_ticks(self, inner: float, x: Scale) -> bool:
        """Whether the title of the x axis is in the row of its tick labels, behind the last one.

        Only on slides, where a row of its own makes all other text smaller.
        """
        if self.size != "slide" or not self.last:
            return False
        taken = inner + _beyond_end(x, inner, self.face)
        title = width_of(self._x_text(), self.face.text, self.face.language)
        return taken + self.face.text + title <= inner

    def _flags_px(self, inner: float, right: float) -> float:
        """Height of the names above the frame."""
        rows = flag_rows(self.flags, self.scale("x", 6), (inner, right), self.face)
        return FLAG_EM * self.face.small * (max((row for row, _ in rows), default=-1) + 1)

    def _x_text(self) -> str:
        return self._with_unit(self.x_title, self.scale("x", 6).unit)

    def scales(self, frame: Box) -> tuple[Scale, Scale]:
        """Both axes, with as many ticks as have room."""
        tall = frame.bottom - frame.top
        y = self.scale("y", max(2, min(6, int(tall / (2.4 * self.face.small)))))
        while len(y.ticks) > 2 and tall < 1.2 * self.face.small * len(y.ticks):
            y = y.thinned(len(y.ticks) - 1)
        return self._x_scale(frame.right - frame.left), y

    def _x_scale(self, wide: float) -> Scale:
        return fitting(lambda most: self.scale("x", most), wide, self.face)

    def texts(self, frame: Box, area: Box, x: Scale) -> list[Text]:
        """Titles, units and the legend."""
        step, found = 1.25 * self.face.text, []
        if self.has_legend_in_title(area.right - area.left):
            # The last entry has a gap behind it.
            left = area.right - 7 - self._legend_px() + 1.3 * self.face.text
            found += legend_texts([self.legend], left, area.top + self.face.text, self.face)
        baseline = area.top + self.face.text
        for text, token, small in self._head(area.right - area.left):
            found.append(Text(area.left, round(baseline, 2), text, token, small, "left"))
            baseline += step
        found += legend_texts(self._legend_rows(area.right - area.left), area.left, baseline, self.face)
        lines = self._wrapped(self._x_text(), area.right - area.left)
        first = area.bottom - 8 - step * (len(lines) - 1)
        if self._is_beside_ticks(frame.right - frame.left, x):
            first = frame.bottom + _TICK_PX + _PAD_PX + 0.7 * self.face.small
        for number, line in enumerate(lines if self.last and self.names_x else []):
            right = max(frame.right, area.left + width_of(line, self.face.text, self.face.language))
            found.append(
                Text(min(right, area.right), round(first + step * number, 2), line, "ink", False, "right")
            )
        return found

    def _legend_rows(self, width: float) -> list[list[tuple[str, Look]]]:
        return [] if self.has_legend_in_title(width) else legend_lines(self.legend, self.face, width)

    def has_legend_in_title(self, width: float) -> bool:
        """Whether the legend is in the line of the title, so that the frame has all width and height."""
        head = self._head(width)
        if self.size != "slide" or not self.legend or len(head) != 1:
            return False
        return width_of(head[0][0], self.face.text, self.face.language) + self._legend_px() <= width

    def _legend_px(self) -> float:
        return sum(entry_px(name, look, self.face) for name, look in self.legend)

    def paint(self, axes: Axes, plot: Plot) -> None:
        """Scales and ticks of the axes."""
        has_exponents = any("×" in label for label in plot.x.labels)
        # First, because each tick that exists already would take them one by one.
        axes.tick_params(labelsize=self.face.small)
        if has_exponents:  # they are higher than digits
            axes.tick_params(axis="x", pad=_PAD_PX + _ASCENT_EM * self.face.small)
        for which, axis, scale in (("x", axes.xaxis, plot.x), ("y", axes.yaxis, plot.y)):
            kind = "linear" if scale.kind == "linear" else "log"
            if axis.get_scale() != kind:
                axes.set(**{f"{which}scale": kind})
            axes.set(**{f"{which}lim": (scale.low, scale.high)})
            labels = scale.labels if which == "x" or self.first else [""] * len(scale.labels)
            axis.set_ticks(scale.ticks, labels=labels)
            # Its own label is empty: a title is a text of the canvas. Unless it has a place, matplotlib
            # measures all ticks again to find one.
            axis.set_label_coords(0, 0)
        axes.minorticks_off()
        if has_exponents:
            for label in axes.get_xticklabels():
                label.set_verticalalignment("baseline")


def without_ticks(axes: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Leave axes of these limits without ticks, grid and spine: what is drawn in them says its values."""
    # matplotlib keeps a tick or two of an axis that has none, and lays them out unless the axis is off.
    axes.set_axis_off()
    axes.set(xticks=[], yticks=[], xlim=x, ylim=y)


_SIGNS = {"o": "●", "s": "■", "D": "◆", "^": "▲", "v": "▼", ">": "▶", "<": "◀"}


def _entry(name: str, look: Look) -> str:
    """A name behind its marker; roles need none, because the word has their colour."""
    if look.token in ROLES:
        return name
    return f"{_SIGNS.get(look.marker, '●')} {name}"


def entry_px(name: str, look: Look, face: Face) -> float:
    """Width of an entry of a legend, with the gap behind it."""
    return width_of(_entry(name, look), face.text, face.language) + 1.3 * face.text


def legend_lines(
    entries: Sequence[tuple[str, Look]], face: Face, width: float
) -> list[list[tuple[str, Look]]]:
    """The entries of a legend in lines that fit into a width."""
    rows: list[list[tuple[str, Look]]] = []
    used = width
    for name, look in entries:
        if used + entry_px(name, look, face) > width:
            rows.append([])
            used = 0.0
        rows[-1].append((name, look))
        used += entry_px(name, look, face)
    return rows


def legend_texts(
    rows: Sequence[Sequence[tuple[str, Look]]], left: float, baseline: float, face: Face
) -> list[Text]:
    """The words of a legend in the colours of what they name; of greys only their signs are in them."""
    found = []
    for number, row in enumerate(rows):
        x = left
        for name, look in row:
            at = round(baseline + 1.25 * face.text * number, 2)
            entry = _entry(name, look)
            if look.token.startswith("seq") and (sign := entry.removesuffix(name)):
                found.append(Text(x, at, sign.rstrip(), look.token, False, "left"))
                after = round(x + width_of(sign, face.text, face.language), 2)
                found.append(Text(after, at, name, look.text_token, False, "left"))
            else:
                found.append(Text(x, at, entry, look.text_token, False, "left"))
            x += entry_px(name, look, face)
    return found


def fitting(scale: Callable[[int], Scale], wide: float, face: Face, *, most: int = _MOST_TICKS) -> Scale:
    """A level axis with as many ticks as have room; two of them, as far apart as they can be, always stay.

    `scale` gives the axis with at most so many ticks.
    """
    for count in range(most, 1, -1):
        if _has_room(found := scale(count), wide, face):
            return found
    while len(found.ticks) > 2 and not _has_room(found, wide, face):
        found = found.thinned(len(found.ticks) - 1)
    return found if _has_room(found, wide, face) else scale(most).outermost()


_OF_GAP_PX = 14
"""How much of the gap between two panels labels may use that leave the right one of them."""


def _beyond_end(scale: Scale, wide: float, face: Face) -> float:
    """How far the last label of a level axis leaves the frame at the right; below 0 if it ends inside."""
    if not scale.labels:
        return -wide
    return number_width(scale.labels[-1], face) / 2 - (1 - scale.share(scale.ticks[-1])) * wide


def _before_begin(scale: Scale, wide: float, face: Face) -> float:
    """How far the first label leaves the frame at the left."""
    if not scale.labels:
        return -wide
    return number_width(scale.labels[0], face) / 2 - scale.share(scale.ticks[0]) * wide


def _has_room(scale: Scale, wide: float, face: Face) -> bool:
    """Whether the labels of an axis do not touch, in both languages."""
    ends = [
        (scale.share(tick) * wide, number_width(text, face) / 2)
        for tick, text in zip(scale.ticks, scale.labels, strict=True)
    ]
    return all(b[0] - b[1] - a[0] - a[1] >= 8 for a, b in pairwise(ends))


def number_width(text: str, face: Face) -> float:
    """Width of a tick label in px: the larger of both languages, which write it with different fonts."""
    own = TEXT_PX[face.language][1]
    return max(width_of(text, TEXT_PX[one][1] * face.small / own, one) for one in LANGUAGES)


def paint_texts(canvas: Canvas, texts: Sequence[Text], face: Face) -> None:
    """Draw texts where they were placed, with their leaders and patches."""
    for text in texts:
        if text.leader is not None:
            (x0, y0), (x1, y1) = text.leader
            canvas.line_px((x0, y0), (x1, y1), color=text.token, guide=text.guide)
        patch = {"fc": "paper", "ec": "none", "pad": 3} if text.patch else None
        for number, line in enumerate(text.text.split("\n")):
            size = face.small if text.small else face.text
            baseline = text.baseline + LINE_EM * size * number
            canvas.text_px(
                *(text.x, baseline, line), color=text.token, size=size, align=text.align, bbox=patch, zorder=6
            )

"""Drawing helpers for scripts: axes, direct labels, marks, bars, rooflines, heat maps.

Offsets are in CSS pixels, with dy upwards, as in matplotlib's annotations.
"""

import math
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.text import Annotation

from diglot.figures.chip_marks import ChipMark
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.style import CAPITALS_EM, TEXT_PX
from diglot.figures.palette import SEQUENCE, color, sequence_token, text_token_on
from diglot.languages import exact_number, format_number, number_for_reading, shows_something

DASHES: dict[str, tuple[float, float] | None] = {"solid": None, "8bit": (6, 3), "guide": (1, 3)}
"""Dash and gap in px: solid for bf16, 6-3 for 8-bit types, 1-3 for guides."""
BAR_PX = 18


def canvas_of(axes: Axes) -> Canvas:
    """The canvas of axes. Raises TypeError if they were not created with `figure.axes_px`."""
    canvas = axes.figure
    if not isinstance(canvas, Canvas):
        raise TypeError(
            "these axes do not belong to the figure that `draw` was given: create them with figure.axes_px"
        )
    return canvas


def axis_titles(
    canvas: Canvas,
    *,
    y: str | None = None,
    unit: str | None = None,
    x: str | None = None,
    left: float = 0,
    top: float = 0,
    right: float | None = None,
    bottom: float | None = None,
) -> None:
    """Axis titles: y horizontally at the top left with its unit below, x at the bottom right.

    The y title begins at `left`, `top`. The x title ends at `right`, `bottom`, by default the canvas's edges.
    """
    if y is not None:
        canvas.text_px(left, top + 14, y)
    if unit is not None:
        canvas.text_px(left, top + 31, unit, color="mute", small=True)
    if x is not None:
        end = canvas.width_px if right is None else right
        canvas.text_px(end, (canvas.height_px if bottom is None else bottom) - 8, x, align="right")


def decades(low: float, high: float) -> list[float]:
    """The powers of ten from `low` to `high`, both included."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0**n for n in range(first, last + 1)]


def log_axis(
    axes: Axes,
    which: Literal["x", "y"],
    low: float,
    high: float,
    *,
    unit: float = 1.0,
    ticks: Sequence[float] | None = None,
) -> None:
    """Make an axis logarithmic, with plain numbers (1 10 100 1,000) at the decades or at `ticks`.

    Values are in the data's unit; labels show them divided by `unit` (1e12 for TFLOP/s).
    """
    places = decades(low, high) if ticks is None else list(ticks)
    axes.set(**{f"{which}scale": "log", f"{which}lim": (low, high)})
    _set_ticks(axes, which, places, [plain_number(value / unit) for value in places])
    axes.minorticks_off()


def linear_axis(
    axes: Axes,
    which: Literal["x", "y"],
    low: float,
    high: float,
    *,
    ticks: Sequence[float],
    unit: float = 1.0,
    digits: int | None = None,
    suffix: str = "",
) -> None:
    """Make an axis linear with these ticks. Labels are divided by `unit`; the last has the suffix (`%`)."""
    labels = [_tick_label(value / unit, digits, span=(high - low) / unit) for value in ticks]
    if suffix and labels:
        labels[-1] += suffix
    axes.set(**{f"{which}lim": (low, high)})
    _set_ticks(axes, which, ticks, labels)


def _set_ticks(axes: Axes, which: Literal["x", "y"], places: Sequence[float], labels: Sequence[str]) -> None:
    if which == "x":
        axes.set_xticks(places, labels)
    else:
        axes.set_yticks(places, labels)


def plain_number(value: float) -> str:
    """A number for a tick label, with only the digits it needs: `0.1`, `1`, `1,000`."""
    digits = next((n for n in range(7) if math.isclose(value, round(value, n), rel_tol=1e-9)), 6)
    text = format_number(value, digits)
    return text if value == 0 or shows_something(text) else exact_number(float(f"{value:.6g}"))


def _tick_label(value: float, digits: int | None, *, span: float) -> str:
    """A tick label. A rounding error of a computed 0, as in `-0.3 + 3 * 0.1`, is shown as 0."""
    if abs(value) < abs(span) * _NOTHING:
        value = 0.0
    return plain_number(value) if digits is None else number_for_reading(value, digits)


_NOTHING = 1e-9
"""Share of an axis that is too small to be seen."""


def bare(axes: Axes) -> None:
    """Remove ticks, grid and frame, for bars with values and for heat maps."""
    axes.grid(False)
    axes.set(xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_visible(False)


def label(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    *,
    color: str = "ink",
    dx: float = 0,
    dy: float = 0,
    align: Literal["left", "center", "right"] = "left",
    small: bool = False,
    level: Literal["baseline", "center", "top", "bottom"] = "center",
    patch: bool = False,
) -> Annotation:
    """Place text at a data point, moved by (dx, dy) px. `patch` puts paper behind it, to cover lines."""
    canvas = canvas_of(axes)
    size = canvas.small if small else TEXT_PX[canvas.language][0]
    if level == "center" and "\n" not in text:
        # Centred by the height of capitals, not of this text, so that labels in a row share a baseline.
        level, dy = "baseline", dy - size * CAPITALS_EM[canvas.language] / 2
    drawn: Annotation = axes.annotate(
        text,
        (x, y),
        (dx, dy),
        textcoords="offset points",
        ha=align,
        va=level,
        color=color,
        size=size,
        annotation_clip=False,
        bbox={"fc": "paper", "ec": "none", "pad": 3} if patch else None,
        zorder=6,
    )
    return drawn


def direct_label(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    *,
    color: str,
    dx: float = 10,
    dy: float = 0,
    small: bool = False,
) -> Annotation:
    """Place a line's name at its right end, in its colour. `dy` moves neighbours apart."""
    return label(axes, x, y, text, color=color, dx=dx, dy=dy, small=small)


def direct_labels(
    axes: Axes,
    x: float,
    labels: Sequence[tuple[float, str, str]],
    *,
    dx: float = 10,
    gap: float = 17,
    small: bool = False,
) -> None:
    """Place names at the right ends of several lines: (y, text, colour), at least `gap` px apart.

    Labels are as near to their lines as the gap allows. Set the axes' limits before.
    """
    if not labels:
        return
    ordered = sorted(labels, key=lambda one: one[0])
    at = [float(axes.transData.transform((x, y))[1]) for y, _, _ in ordered]
    for (y, text, colour), own, moved in zip(ordered, at, _spread(at, gap), strict=True):
        direct_label(axes, x, y, text, color=colour, dx=dx, dy=moved - own, small=small)


def _spread(places: Sequence[float], gap: float) -> list[float]:
    """Move ascending places as little as possible (least squares) so that they are `gap` apart."""
    # With the gaps below subtracted, the places must not descend (isotonic regression). Neighbouring runs
    # whose means descend are merged, and share their mean.
    runs: list[list[float]] = []
    for number, place in enumerate(places):
        runs.append([place - gap * number])
        while len(runs) > 1 and fmean(runs[-2]) > fmean(runs[-1]):
            last = runs.pop()
            runs[-1] += last
    levels = [fmean(run) for run in runs for _ in run]
    return [level + gap * number for number, level in enumerate(levels)]


def region_word(
    axes: Axes,
    x_share: float,
    y_share: float,
    text: str,
    *,
    align: Literal["left", "center", "right"] = "left",
) -> Annotation:
    """Place a word that names a region, in `mute` on a patch of paper.

    Its position is in fractions of the frame, from 0, 0 at the bottom left.
    """
    drawn: Annotation = axes.annotate(
        text,
        (x_share, y_share),
        xycoords="axes fraction",
        color="mute",
        ha=align,
        va="center_baseline",
        size=canvas_of(axes).small,
        bbox={"fc": "paper", "ec": "none", "pad": 3},
        zorder=5,
    )
    return drawn


def mark(
    axes: Axes, x: float, y: float, *, color: str, marker: str = "o", measured: bool = False, size: float = 8
) -> None:
    """Draw one point: hollow if a model computed it, filled if it was measured or published."""
    # matplotlib's diamond is a square on its tip, which would look larger than the other markers.
    size = size * 0.85 if marker == "D" else size
    axes.plot(
        [x],
        [y],
        ls="none",
        marker=marker,
        ms=size,
        mew=2,
        mec=color,
        mfc=color if measured else "paper",
        zorder=4,
        clip_on=False,
    )


def drop_line(axes: Axes, x: float, y: float, *, color: str) -> None:
    """Draw a dotted guide from a point down to the axis."""
    axes.plot([x, x], [axes.get_ylim()[0], y], color=color, lw=1, dashes=DASHES["guide"], zorder=2)


def line(
    axes: Axes,
    x: Sequence[float],
    y: Sequence[float],
    *,
    color: str,
    dashes: Literal["solid", "8bit", "guide"] = "solid",
    width: float = 2.0,
    steps: bool = False,
) -> None:
    """Draw a data line, 2 px wide by default: solid for bf16, dashed for 8-bit types; `steps` is stepped."""
    pattern = DASHES[dashes]
    (drawn,) = axes.plot(
        x, y, color=color, lw=width, drawstyle="steps-post" if steps else "default", zorder=3, clip_on=True
    )
    if pattern is not None:
        drawn.set_dashes(pattern)
        drawn.set_dash_capstyle("butt")


def roof(
    axes: Axes,
    *,
    peak: float,
    bandwidth: float,
    chip: ChipMark,
    dashes: Literal["solid", "8bit"] = "solid",
    foot: str | None = None,
    foot_align: Literal["left", "right"] = "left",
) -> float:
    """Draw a roofline: slope, flat part, and the ridge with its marker, dotted guide and text at its foot.

    Returns the ridge, peak / bandwidth. `foot` is the text (`脊点 166` once, then only numbers); with
    `foot_align="right"` it ends left of the guide. Set the axes' limits before.
    """
    low, high = axes.get_xlim()
    bottom = axes.get_ylim()[0]
    ridge = peak / bandwidth
    drop_line(axes, ridge, peak, color=chip.token)
    start = max(low, bottom / bandwidth)
    line(axes, [start, ridge, high], [start * bandwidth, peak, peak], color=chip.token, dashes=dashes)
    mark(axes, ridge, peak, color=chip.token, marker=chip.marker)
    if foot is not None:
        dx, align = (5, "left") if foot_align == "left" else (-5, "right")
        axes.annotate(
            foot,
            (ridge, bottom),
            (dx, 6),
            textcoords="offset points",
            ha=align,
            color=chip.text_token,
            size=canvas_of(axes).small,
        )
    return ridge


def bar_rows(axes: Axes, rows: int, longest: float, *, room: float = 48) -> None:
    """Set up axes for horizontal bars: row 0 at the top, bars from 0, no value axis.

    The longest bar leaves `room` px on its right.
    """
    bare(axes)
    width = axes.get_position().width * canvas_of(axes).width_px
    axes.set(ylim=(rows, 0), xlim=(0, longest * width / (width - room)))


def bar(
    axes: Axes,
    row: int,
    value: float,
    *,
    color: str,
    text: str | None = None,
    thickness: float = BAR_PX,
    text_color: str = "ink",
) -> None:
    """Draw a horizontal bar, with `text` at its end."""
    half = _rows_of(axes, thickness) / 2
    axes.add_patch(Rectangle((0, row + 0.5 - half), value, 2 * half, fc=color))
    if text is not None:
        label(axes, value, row + 0.5, text, dx=6, small=True, color=text_color)


def zero_line(axes: Axes) -> None:
    """Draw the line from which bars start."""
    axes.axvline(0, color="soft", lw=1, clip_on=False)


def lollipop(axes: Axes, row: int, value: float, *, color: str, marker: str, text: str | None = None) -> None:
    """Draw a ratio as a mark on a thin line. A bar would suggest an amount."""
    axes.plot([0, value], [row + 0.5, row + 0.5], color="rule", lw=1, zorder=1)
    mark(axes, value, row + 0.5, color=color, marker=marker, size=7)
    if text is not None:
        label(axes, value, row + 0.5, text, dx=8, small=True)


ROLES = ("cmp", "mem", "net", "idle")


def stacked_bar(
    axes: Axes,
    row: int,
    parts: Sequence[tuple[str, float]],
    *,
    words: Sequence[str] | None = None,
    text: str | None = None,
    thickness: float = BAR_PX,
) -> None:
    """Draw a bar of compute, memory, network and idle parts, in this order, with 1 px of paper between them.

    `parts` are (role, value), with the roles `cmp`, `mem`, `net`, `idle`. `words` names each part below the
    bar, which is needed once per figure. `text` is the total, at the end.
    Raises ValueError for an unknown role or another order.
    """
    places = [ROLES.index(role) if role in ROLES else -1 for role, _ in parts]
    if -1 in places or places != sorted(set(places)):
        raise ValueError(
            f"the parts of a bar must be among {', '.join(ROLES)}, in this order; got {[r for r, _ in parts]}"
        )
    width = axes.get_position().width * canvas_of(axes).width_px
    per_px = (axes.get_xlim()[1] - axes.get_xlim()[0]) / width
    half, x = _rows_of(axes, thickness) / 2, 0.0
    for number, (role, value) in enumerate(parts):
        at, high = (x, row + 0.5 - half), 2 * half
        if role == "idle":
            axes.add_patch(Rectangle(at, value, high, fc="paper", ec="idle", lw=1, hatch="////"))
        else:
            axes.add_patch(Rectangle(at, max(value - per_px, 0), high, fc=role))
        if words is not None:
            colour = "mute" if role == "idle" else role
            label(axes, x, row + 0.5 + half, words[number], dy=-5, small=True, color=colour, level="top")
        x += value
    if text is not None:
        label(axes, x, row + 0.5, text, dx=6)


def _rows_of(axes: Axes, pixels: float) -> float:
    """Pixels in units of rows."""
    height = axes.get_position().height * canvas_of(axes).height_px
    low, high = axes.get_ylim()
    return pixels * abs(high - low) / height


def heat_map(
    axes: Axes,
    values: Sequence[Sequence[float]],
    *,
    step_of: Callable[[float], str] = sequence_token,
    text_of: Callable[[float, int, int], str | None] | None = None,
) -> None:
    """Draw cells in ten flat colour steps with 1 px of paper between them; row 0 is at the bottom.

    Values are shares from 0 to 1 by default; `step_of` maps each to a colour token. `text_of(value, row,
    column)` returns the text in a cell, or None. Label only the rows that matter.
    """
    bare(axes)
    axes.set(xlim=(0, len(values[0])), ylim=(0, len(values)))
    cells: dict[str, list[tuple[int, int]]] = {}
    for row, line_of_values in enumerate(values):
        for column, value in enumerate(line_of_values):
            step = color(step_of(value))
            cells.setdefault(step, []).append((column, row))
            text = text_of(value, row, column) if text_of is not None else None
            if text is not None:
                label(axes, column + 0.5, row + 0.5, text, color=_text_on(step), align="center", small=True)
    for step, places in sorted(cells.items()):
        axes.add_patch(PathPatch(_unit_squares(places), fc=step, ec="paper", lw=1))


def _unit_squares(corners: Sequence[tuple[int, int]]) -> Path:
    """One path for all cells of a colour step, so that a page has a few shapes instead of hundreds."""
    square = ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))
    vertices = [(x + dx, y + dy) for x, y in corners for dx, dy in square]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(corners)
    return Path(vertices, codes)


def _text_on(step: str) -> str:
    if step.startswith("seq"):
        return text_token_on(step)
    return "paper" if step[-1] in "34" else "ink"


def cell_ticks(
    axes: Axes,
    *,
    x: Sequence[tuple[int, str]] = (),
    y: Sequence[tuple[int, str]] = (),
) -> None:
    """Label columns (x) and rows (y) of a heat map, given as (index, text)."""
    axes.set_xticks([n + 0.5 for n, _ in x], [text for _, text in x])
    axes.set_yticks([n + 0.5 for n, _ in y], [text for _, text in y])
    axes.tick_params(length=0)


def key_strip(
    canvas: Canvas,
    left: float,
    top: float,
    *,
    title: str,
    ends: tuple[str, str, str],
    swatch: float = 26,
    tokens: Sequence[str] = SEQUENCE,
) -> None:
    """Draw the legend of a heat map: title, strip of steps, then the texts for low, middle and high."""
    w, h = canvas.width_px, canvas.height_px
    for n, token in enumerate(tokens):
        place = ((left + n * swatch) / w, 1 - (top + 28) / h)
        canvas.add_artist(
            Rectangle(
                place, (swatch - 1) / w, 10 / h, fc=color(token), ec="none", transform=canvas.transFigure
            )
        )
    canvas.text_px(left, top + 11, title)
    length = len(tokens) * swatch
    places = ((left, "left"), (left + length / 2, "center"), (left + length - 1, "right"))
    for (x, align), text in zip(places, ends, strict=True):
        canvas.text_px(x, top + 43, text, small=True, color="mute", align=align)

"""Texts that scripts place in matplotlib's axes by themselves, and numbers for them.

Offsets are in CSS pixels, with dy upwards, as in matplotlib's annotations.
"""

import math
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.text import Annotation

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.style import CAPITALS_EM, TEXT_PX
from diglot.languages import exact_number, format_number, shows_something


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
    canvas = _canvas_of(axes)
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


def _canvas_of(axes: Axes) -> Canvas:
    """The canvas of axes. Raises TypeError if they were not created with `figure.axes_px`."""
    canvas = axes.figure
    if not isinstance(canvas, Canvas):
        raise TypeError(
            "these axes do not belong to the figure that `draw` was given: create them with figure.axes_px"
        )
    return canvas


def plain_number(value: float) -> str:
    """A number for a label, with only the digits it needs: `0.1`, `1`, `1,000`."""
    digits = next((n for n in range(7) if math.isclose(value, round(value, n), rel_tol=1e-9)), 6)
    text = format_number(value, digits)
    return text if value == 0 or shows_something(text) else exact_number(float(f"{value:.6g}"))

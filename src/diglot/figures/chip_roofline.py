"""The roofline on a chip's page: its bandwidth, and the peak of every format that it computes in.

A figure script like an author's, but its numbers are those of the page: the build hands them to `draw`.
"""

import math
from typing import Any

from diglot.figures import (
    Canvas,
    Words,
    axis_titles,
    chip,
    direct_labels,
    drop_line,
    label,
    line,
    log_axis,
    mark,
    region_word,
)

TITLE = {"zh": "屋顶线", "en": "Roofline"}

_DIGIT_PX = 7
"""Width of a digit at the foot of a ridge. Numbers that would overlap stand one above the other."""


def compute() -> dict[str, Any]:
    """No numbers of its own."""
    return {}


def draw(figure: Canvas, data: Any, t: Words) -> None:
    """One slope, and a flat part for each peak, with its ridge point at the foot."""
    narrow = figure.is_narrow
    figure.set_height_px(340 if narrow else 360)
    left, right, top, bottom = 46, (132 if narrow else 180), 44, 54
    axes = figure.axes_px(left, top, figure.width_px - left - right, figure.height_px - top - bottom)
    look, slope = chip(data["id"]), data["bandwidth_gb_per_s"] / 1e3
    roofs = data["roofs"]
    lowest, highest = roofs[0], roofs[-1]
    low = min(1.0, _decade(lowest["ridge"], math.floor))
    high = 4 * highest["ridge"]
    floor = min(_decade(slope * low, math.floor), _decade(lowest["peak"] / 2, math.floor))
    log_axis(axes, "x", low, high)
    log_axis(axes, "y", floor, 2 * highest["peak"])
    axis_titles(
        figure,
        y=t(zh="可达算力", en="Attainable rate"),
        unit=data["unit"],
        x=t(zh="算术强度，FLOP/B", en="Arithmetic intensity, FLOP/B"),
        right=figure.width_px - right,
    )
    start = max(low, floor / slope)
    line(axes, [start, highest["ridge"]], [start * slope, highest["peak"]], color=look.token)
    decade_px = (figure.width_px - left - right) / math.log10(high / low)
    ends_px = [-math.inf] * 3
    for roof in roofs:
        line(
            axes,
            [roof["ridge"], high],
            [roof["peak"]] * 2,
            color=look.token,
            dashes="8bit" if roof["is_8_bit"] else "solid",
        )
        drop_line(axes, roof["ridge"], roof["peak"], color=look.token)
        mark(axes, roof["ridge"], roof["peak"], color=look.token, marker=look.marker, measured=True, size=6)
        foot = t.number(roof["ridge"], 0 if roof["ridge"] >= 10 else 1)
        at_px = decade_px * math.log10(roof["ridge"] / low)
        level = next((n for n, end_px in enumerate(ends_px) if end_px < at_px), 0)
        ends_px[level] = at_px + 10 + _DIGIT_PX * len(foot)
        label(
            axes,
            roof["ridge"],
            floor,
            foot,
            dx=4,
            dy=9 + 17 * level,
            color=look.text_token,
            small=True,
        )
    names = [(roof["peak"], _name(roof, t), look.text_token) for roof in roofs]
    direct_labels(axes, high, names, small=narrow)
    at = math.sqrt(start * lowest["ridge"])
    bandwidth = f"{t.number(data['bandwidth_gb_per_s'])} GB/s"
    label(axes, at, at * slope, bandwidth, dx=8, dy=-8, color=look.text_token, small=True)
    region_word(axes, 0.03, 0.92, t(zh="访存受限", en="memory-bound"))


def _decade(value: float, rounded: Any) -> float:
    return float(10 ** rounded(math.log10(value)))


def _name(roof: Any, t: Words) -> str:
    return f"{', '.join(roof['dtypes'])}  {t.number(roof['peak'], 0 if roof['peak'] >= 100 else 1)}"


def describe(data: Any, t: Words) -> str:
    """Bandwidth, and every peak with its ridge point."""
    n, unit = t.number, data["unit"]
    roofs = [
        t(
            zh=f"{'、'.join(roof['dtypes'])}峰值{n(roof['peak'])} {unit}，脊点{n(roof['ridge'])} FLOP/B",
            en=f"{' and '.join(roof['dtypes'])} {n(roof['peak'])} {unit}, ridge {n(roof['ridge'])} FLOP/B",
        )
        for roof in data["roofs"]
    ]
    bandwidth = n(data["bandwidth_gb_per_s"])
    return t(
        zh=f"{data['name']}的屋顶线，内存带宽{bandwidth} GB/s：{'；'.join(roofs)}。",
        en=f"Roofline of {data['name']} with {bandwidth} GB/s of memory bandwidth: {'; '.join(roofs)}.",
    )

"""Draws charts in tests, as a figure's process does: in both languages, laid out for one."""

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.style import use_style
from diglot.figures.preview import draw_script
from diglot.figures.records import Size
from diglot.figures.scripts.columns import read_columns
from diglot.figures.scripts.words import Words
from diglot.languages import Language

COLUMNS = {
    "batch": {"zh": "批量", "en": "Batch"},
    "rate": {"zh": "可达算力", "en": "Attainable rate", "unit": "FLOP/s"},
    "share": {"zh": "占峰值的比例", "en": "Share of the peak", "unit": "share"},
    "fill": {"zh": "填充率", "en": "Fill", "unit": "share"},
    "intensity": {"zh": "算术强度", "en": "Arithmetic intensity", "unit": "FLOP/B"},
    "ms": {"zh": "时间", "en": "Time", "unit": "ms"},
    "price": {
        "zh": "每百万词元的价格",
        "en": "Cost of a million tokens",
        "unit": {"zh": "美元", "en": "USD"},
        "digits": 2,
    },
    "part": {
        "zh": "资源",
        "en": "Resource",
        "names": {"mem": {"zh": "访存", "en": "memory"}, "cmp": {"zh": "计算", "en": "compute"}},
    },
    "model": {"zh": "模型", "en": "Model", "names": {"new": {"zh": "新的", "en": "the new one"}}},
}


def drawn(
    draw: Callable[[Canvas, Words], Any],
    *,
    size: Size = "column",
    language: Language = "en",
    room: tuple[float, float] | tuple[None, None] = (None, None),
) -> Canvas:
    """A finished canvas, for a room of this width and height if one is given."""
    use_style(language, "variables")
    columns, mistakes = read_columns(COLUMNS)
    assert mistakes == []
    width, height = room
    canvas = Canvas(size, language, width_px=width, height_px=height, words=Words(language, columns))
    draw_script(draw, canvas)
    canvas.draw_without_rendering()
    return canvas


def texts(canvas: Canvas) -> list[str]:
    """Texts on the canvas that are not tick labels."""
    return [text.get_text() for text in canvas.texts]


def ticks(axes: Axes, which: str) -> list[str]:
    """Tick labels of an axis."""
    return [text.get_text() for text in getattr(axes, f"{which}axis").get_ticklabels()]


def frames(canvas: Canvas) -> list[tuple[float, ...]]:
    """Left, bottom, width and height of every frame, in px."""
    found = []
    for axes in canvas.axes:
        box = axes.get_window_extent()
        found.append(tuple(round(float(side), 3) for side in (box.x0, box.y0, box.width, box.height)))
    return found

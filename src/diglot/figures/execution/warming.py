"""Draws a sample chart before workers are forked, so that they inherit what drawing loads and caches."""

import io
from pathlib import Path
from typing import Any

from diglot.figures.drawing.axes import axis_titles, bar, bar_rows, direct_labels, line, linear_axis, log_axis
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.figure_drawing import Drawing
from diglot.figures.drawing.style import forget_other_faces
from diglot.figures.jobs import Job
from diglot.figures.records import Script
from diglot.figures.scripts.contract import FigureScript
from diglot.figures.scripts.words import Words
from diglot.languages import LANGUAGES


def warm_up() -> None:
    """Draw the chart for a page in both languages, and an empty canvas as PNG."""
    forget_other_faces()
    script = FigureScript(
        title=dict.fromkeys(LANGUAGES, "warm"),
        message={},
        compute=dict,
        draw=_draw,
        describe=_describe,
        table=None,
        parameters=(),
        sizes=("narrow", "column"),
    )
    for language in LANGUAGES:
        job = Job(
            script=Script(figure_id="warm", path=__file__),
            figure_id="warm",
            parameters=(),
            data=b"{}",
            language=language,
        )
        Drawing(job, script, Path()).drawn_figure()
    Canvas("narrow", "en").savefig(io.BytesIO(), format="png")


def _draw(figure: Canvas, _data: Any, t: Words) -> None:
    figure.set_height_px(300)
    axes = figure.axes_px(44, 48, figure.width_px - 130, 120)
    log_axis(axes, "x", 1, 1000)
    linear_axis(axes, "y", 0, 100, ticks=(0, 50, 100))
    axis_titles(figure, x=t(zh="中文", en="English"), unit="TB/s", y="$x^2$")
    line(axes, [1, 1000], [0, 90], color="gpu3", dashes="8bit")
    direct_labels(axes, 1000, [(90, t(zh="中", en="upper"), "gpu3"), (10, "0.5", "tpu2")])
    rows = figure.axes_px(44, 220, figure.width_px - 130, 40)
    bar_rows(rows, 1, 10)
    bar(rows, 0, 5, color="tpu2", text="5")


def _describe(_data: Any, t: Words) -> str:
    return t(zh="暖", en="warm")

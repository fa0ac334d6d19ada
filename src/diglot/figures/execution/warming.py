"""Draws a sample chart before workers are forked, so that they inherit what drawing loads and caches."""

import io
from pathlib import Path
from typing import Any

from diglot.figures import charts
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.drawings import Drawings
from diglot.figures.drawing.style import forget_other_faces
from diglot.figures.jobs import Job
from diglot.figures.records import Script
from diglot.figures.scripts.columns import DeclaredColumn
from diglot.figures.scripts.contract import FigureScript
from diglot.figures.scripts.words import Words
from diglot.languages import LANGUAGES, Bilingual


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
        columns={
            "x": DeclaredColumn(label=Bilingual("中文", "English"), unit=Bilingual("TB/s", "TB/s")),
            "y": DeclaredColumn(label=Bilingual("$x^2$", "$x^2$")),
        },
    )
    job = Job(
        script=Script(figure_id="warm", path=__file__),
        figure_id="warm",
        parameters=(),
        data=b"{}",
        languages=LANGUAGES,
    )
    Drawings(job, script, Path()).figures()
    Canvas("narrow", "en").savefig(io.BytesIO(), format="png")


def _draw(figure: Canvas, _data: Any, t: Words) -> None:
    rows = {"x": [1, 1000], "y": [1, 90], "chip": "h200"}
    charts.lines(figure, rows, x="x", y="y", series="chip", dash="8bit", x_scale="log10")
    charts.bars(figure, [{"part": "cmp", "y": 5}], y="part", x="y")


def _describe(_data: Any, t: Words) -> str:
    return t(zh="暖", en="warm")

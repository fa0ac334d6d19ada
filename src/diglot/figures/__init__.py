"""Figures: the contract of scripts, the workers that run them, the style, and the files that result.

This package exports the names that scripts use: `from diglot.figures import Range, chip, log_axis, …`.
Names that need matplotlib are loaded on first access, because the build process itself never draws.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from diglot.figures.chip_marks import ChipMark
from diglot.figures.chips import chip
from diglot.figures.palette import color, difference_token, sequence_token
from diglot.figures.records import Table
from diglot.figures.scripts.environment import env
from diglot.figures.scripts.forms import Answer, Field, Form, LogRange
from diglot.figures.scripts.parameters import Range
from diglot.figures.scripts.sweeping import sweep
from diglot.figures.scripts.tables import Column, make_table
from diglot.figures.scripts.words import Words

if TYPE_CHECKING:
    from diglot.figures import charts
    from diglot.figures.drawing.axes import (
        axis_titles,
        bar,
        bar_rows,
        bare,
        cell_ticks,
        direct_label,
        direct_labels,
        drop_line,
        heat_map,
        key_strip,
        label,
        line,
        linear_axis,
        log_axis,
        lollipop,
        mark,
        plain_number,
        region_word,
        roof,
        stacked_bar,
        zero_line,
    )
    from diglot.figures.drawing.canvas import Canvas

__all__ = [
    "Answer",
    "Canvas",
    "ChipMark",
    "Column",
    "Field",
    "Form",
    "LogRange",
    "Range",
    "Table",
    "Words",
    "axis_titles",
    "bar",
    "bar_rows",
    "bare",
    "cell_ticks",
    "charts",
    "chip",
    "color",
    "difference_token",
    "direct_label",
    "direct_labels",
    "drop_line",
    "env",
    "heat_map",
    "key_strip",
    "label",
    "line",
    "linear_axis",
    "log_axis",
    "lollipop",
    "make_table",
    "mark",
    "plain_number",
    "region_word",
    "roof",
    "sequence_token",
    "stacked_bar",
    "sweep",
    "zero_line",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "charts":
        return import_module("diglot.figures.charts")
    return getattr(
        import_module("diglot.figures.drawing.canvas" if name == "Canvas" else "diglot.figures.drawing.axes"),
        name,
    )

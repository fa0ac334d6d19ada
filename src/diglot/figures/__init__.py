"""Figures: the contract of scripts, the workers that run them, the style, and the files that result.

This package exports the names that scripts use: `from diglot.figures import charts, make_table, …`.
Names that need matplotlib are loaded on first access, because the build process itself never draws.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from diglot.figures.chip_marks import ChipMark
from diglot.figures.chips import chip
from diglot.figures.palette import color, difference_token, sequence_token
from diglot.figures.records import Table
from diglot.figures.scripts.csv_files import read_csv
from diglot.figures.scripts.declared_reads import reads
from diglot.figures.scripts.environment import env
from diglot.figures.scripts.forms import Answer, Field, Form, LogRange
from diglot.figures.scripts.parameters import Range
from diglot.figures.scripts.sweeping import sweep
from diglot.figures.scripts.tables import Column, make_table
from diglot.figures.scripts.words import Words

if TYPE_CHECKING:
    from diglot.figures import charts
    from diglot.figures.charts.rows import rows_of
    from diglot.figures.drawing.canvas import Canvas
    from diglot.figures.drawing.labels import label, plain_number

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
    "charts",
    "chip",
    "color",
    "difference_token",
    "env",
    "label",
    "make_table",
    "plain_number",
    "read_csv",
    "reads",
    "rows_of",
    "sequence_token",
    "sweep",
]


_WITH_MATPLOTLIB = {
    "Canvas": "drawing.canvas",
    "label": "drawing.labels",
    "plain_number": "drawing.labels",
    "rows_of": "charts.rows",
}


def __getattr__(name: str) -> Any:
    if name == "charts":
        return import_module("diglot.figures.charts")
    if name not in _WITH_MATPLOTLIB:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"diglot.figures.{_WITH_MATPLOTLIB[name]}"), name)

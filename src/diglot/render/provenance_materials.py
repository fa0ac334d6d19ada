"""The material of the files that say what values and figures depend on."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from diglot.expressions.numbers import ValuePath
from diglot.figure_request import FigureRequest
from diglot.figures.chip_sheets import ChipSheet
from diglot.figures.records import ComputedFigure
from diglot.figures.scripts.origins import Origins
from diglot.languages import Language
from diglot.render.facts_read import Fields, ReadChips, Rest


class QuotedValue(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a half quotes, once for all its places."""

    expression: str
    text: str
    """As readers see it."""
    value: float | None
    """Without its format; None for a text."""
    unit: str
    """The base unit in which `value` is; empty where its format names none."""
    figures: tuple[str, ...]
    """The figures that it reads, each as the text of a `FigureRequest`."""
    paths: tuple[ValuePath, ...]
    """Where in their data it reads."""
    blocks: tuple[str, ...]
    """The ids of the rows in which it is."""


class QuotingSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence that quotes at least one value."""

    block: str
    """The id of its row."""
    text: str
    values: tuple[str, ...]
    """The expressions."""


class Quotes(msgspec.Struct, frozen=True, kw_only=True):
    """What a half quotes, in the order of its text."""

    values: tuple[QuotedValue, ...] = ()
    sentences: tuple[QuotingSentence, ...] = ()


class ScriptLine(NamedTuple):
    """A line of a figure's script that gives a value, or a mapping around it."""

    figure: str
    """The text of a `FigureRequest`."""
    line: int
    code: str


def lines_of(paths: Iterable[ValuePath], origins: Mapping[str, Origins]) -> tuple[ScriptLine, ...]:
    """The lines that give what is at the end of some paths. `origins` are those of the figures' scripts."""
    found = {one: origins[one.figure].find(one.keys) for one in paths}
    lines = (ScriptLine(one.figure, at.line, at.code) for one, at in found.items() if at is not None)
    return tuple(dict.fromkeys(lines))


class ValueSource(NamedTuple):
    """Where a value comes from."""

    rest: Rest
    lines: tuple[ScriptLine, ...]


class ListedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that values are read from."""

    request: FigureRequest
    script: str
    script_url: str
    """A whole address; empty without `source_url` in site.yaml."""
    computed: ComputedFigure
    chips: ReadChips
    """All chips that it has read."""
    said: Mapping[str, str] = {}
    """What a list of figures says of it besides: its title, and the sentence that it shows."""


class Rests(msgspec.Struct, frozen=True, kw_only=True):
    """What such a file lists below its values: figures, and the chips that they have read."""

    language: Language
    folder: str
    """The folder of the file from the site's root. Addresses in it are relative to that."""
    figures: tuple[ListedFigure, ...]
    chips: tuple[tuple[ChipSheet, Fields], ...]
    """With the fields that something listed depends on."""
    has_figure_pages: bool
    has_chip_pages: bool

"""The material of the files that say what values and figures rest on."""

from collections.abc import Mapping

import msgspec

from diglot.expressions.numbers import NamedChip
from diglot.figure_request import FigureRequest
from diglot.figures.chip_sheets import ChipSheet
from diglot.figures.records import ComputedFigure
from diglot.languages import Language
from diglot.render.facts_read import Fields, ReadChips


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
    named: tuple[NamedChip, ...]
    """The chips that its paths lead through; empty if it names none."""
    blocks: tuple[str, ...]
    """The ids of the rows in which it stands."""


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
    """With the fields that something listed rests on."""
    has_figure_pages: bool
    has_chip_pages: bool

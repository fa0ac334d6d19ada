"""The material of the pages of chips."""

from collections.abc import Mapping

import msgspec

from diglot.figures.chip_marks import ChipMark
from diglot.figures.chip_sheets import ChipName, ChipSheet
from diglot.figures.records import DrawnFigure
from diglot.languages import Language


class ChipEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What lists show of a chip."""

    slug: str
    name: str
    """Its short name."""
    vendor: str
    kind: str
    year: int
    mark: ChipMark
    numbers: Mapping[str, str]
    """The facts of the list as texts, by field; those that no source gives are left out."""


class ChipPage(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the page of a chip is rendered from."""

    sheet: ChipSheet
    drawn: DrawnFigure | None
    """Its roofline; None for a chip without peaks."""
    figures: tuple[tuple[str, str], ...]
    """Ids and titles of the figures that it stands in."""
    chips: tuple[ChipName, ...]
    """All chips."""
    language: Language
    languages: tuple[Language, ...]

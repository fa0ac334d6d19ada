"""The material of the pages of chips."""

from collections.abc import Mapping

import msgspec

from diglot.figures.chip_marks import ChipMark
from diglot.figures.chip_sheets import ChipName, ChipSheet
from diglot.figures.records import DrawnFigure
from diglot.languages import Language
from diglot.render.facts_read import Fields


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
    approximate: tuple[str, ...]
    """Names of those that are approximate, or follow from such."""


class QuotedFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence that quotes values which depend on facts of a chip."""

    block: str
    """The id of its row."""
    text: str
    fields: Fields
    is_certain: bool
    """Whether one of the values names the chip; else it depends on what its figure has read of several."""


class QuotingArticle(msgspec.Struct, frozen=True, kw_only=True):
    """An article or talk with sentences that quote values which depend on a chip."""

    title: str
    path: str
    sentences: tuple[QuotedFacts, ...]


class ChipPage(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the page of a chip is rendered from."""

    sheet: ChipSheet
    drawn: DrawnFigure | None
    """Its roofline; None for a chip without peaks."""
    figures: tuple[tuple[str, str], ...]
    """Ids and titles of the figures that show it."""
    quotes: tuple[QuotingArticle, ...]
    """Where texts in the page's language quote values that depend on it."""
    chips: tuple[ChipName, ...]
    """All chips."""
    language: Language
    languages: tuple[Language, ...]

"""Sheets of facts about chips: what their pages show, with a source for every fact.

Facts are in the units in which they are read (TFLOP/s, GB/s, GiB), the same for all chips, so that two chips
can be compared. `catalogue_sheets` makes them.
"""

import msgspec

from diglot.figures.chip_marks import ChipMark
from diglot.languages import NO_TEXT, Bilingual


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One quantity of a chip."""

    field: str
    """Dotted path, as in the catalogue: `peak_dense.bf16`; `ridge.bf16` for what follows from others."""
    value: float
    """In `unit`."""
    unit: str
    """TFLOP/s, GB/s, GiB …; empty for a plain count."""
    printed: str = ""
    """As the source prints it, where that is another number: `192 GiB`."""
    source: str = ""
    """Id of a source; empty where it follows from other facts."""
    approximate: bool = False
    note: Bilingual = NO_TEXT
    """Empty in a language in which nobody wrote one."""
    disagreements: tuple["Disagreement", ...] = ()


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """Sources that disagree about a fact."""

    claims: tuple[tuple[str, str], ...]
    """What each source says, in the unit of the first, with the source's id."""
    used: str
    """The value that is used; empty where none is."""
    note: Bilingual


class ChipPrice(msgspec.Struct, frozen=True, kw_only=True):
    """A price on a date."""

    usd_per_hour: float
    kind: str
    sku: str
    region: str
    date: str
    source: str
    approximate: bool
    """Whether it is known from second hand."""


class ChipSource(msgspec.Struct, frozen=True, kw_only=True):
    """A publication that facts come from."""

    id: str
    title: str
    url: str
    as_of: str
    official: bool
    note: Bilingual


class ChipSheet(msgspec.Struct, frozen=True, kw_only=True):
    """All that the catalogue knows of a chip."""

    id: str
    slug: str
    """Its name in addresses."""
    name: str
    short_name: str
    vendor: str
    kind: str
    """`gpu` or `tpu`."""
    architecture: str
    """Empty where it has no name."""
    year: int
    is_year_sourced: bool
    """Whether any source says so."""
    memory_type: str
    interconnect: str
    """`none` where there is none."""
    topology: Bilingual
    """How links connect chips; empty where there are none."""
    mark: ChipMark
    facts: tuple[Fact, ...]
    prices: tuple[ChipPrice, ...]
    other_disagreements: tuple[tuple[str, Disagreement], ...]
    """Those about what is no fact of the sheet, because no source is believed, with the name of the field."""
    sources: tuple[ChipSource, ...]
    """In the order in which the sheet names them first."""

    def fact(self, field: str) -> Fact | None:
        """The fact at a dotted path; None if no source gives one."""
        return next((fact for fact in self.facts if fact.field == field), None)


class ChipName(msgspec.Struct, frozen=True, kw_only=True):
    """A chip by name."""

    id: str
    slug: str
    name: str
    """Its short name."""
    vendor: str

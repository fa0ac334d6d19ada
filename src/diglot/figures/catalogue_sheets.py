"""Makes sheets of facts from the catalogue of chips and from a project's own chips."""

import re
from collections.abc import Iterable, Iterator

from diglot.figures.chip_marks import ChipMark, fold_chip_id
from diglot.figures.chip_sheets import ChipPrice, ChipSheet, ChipSource, Disagreement, Fact
from diglot.figures.chips import CHIP_IDS, chip
from diglot.figures.custom_chips import find_marks
from diglot.hardware.chips.chip import Chip, Conflict, Quantity
from diglot.hardware.chips.loading import CatalogueError, read_catalogue_texts
from diglot.hardware.chips.notes import Note
from diglot.languages import NO_TEXT, Bilingual


def read_chip_sheets(texts: Iterable[tuple[str, str]]) -> tuple[ChipSheet, ...]:
    """The sheets of the catalogue's chips and of those in a project's own files, given as path and text.

    Empty if a file has mistakes, which `check_chip_files` reports.
    """
    own = tuple(texts)
    try:
        catalogue = read_catalogue_texts(own)
    except CatalogueError:
        return ()
    marks = find_marks(tuple(text for _, text in own))
    sources = {
        one.id: ChipSource(
            id=one.id,
            title=one.title,
            url=one.url,
            as_of=one.as_of,
            official=one.tier == "official",
            note=_both(one.note),
        )
        for one in catalogue.sources.values()
    }
    return tuple(
        _sheet(one, chip(one.id) if one.id in CHIP_IDS else marks[fold_chip_id(one.id)], sources)
        for one in catalogue.chips
    )


def _sheet(found: Chip, mark: ChipMark, sources: dict[str, ChipSource]) -> ChipSheet:
    facts = tuple(_facts(found))
    fields = {fact.field for fact in facts}
    others = tuple(
        (one.field, _disagreement(one, ""))
        for one in found.conflicts
        if one.field.removesuffix("_ghz") not in fields
    )
    prices = tuple(
        ChipPrice(
            usd_per_hour=float(one.printed.partition(" ")[0]),
            kind=one.kind,
            sku=one.sku,
            region=one.region,
            date=one.date,
            source=one.source,
            approximate=one.approximate,
        )
        for one in found.prices
    )
    disagreements = [*(d for fact in facts for d in fact.disagreements), *(d for _, d in others)]
    named = [
        *(fact.source for fact in facts),
        *(source for one in disagreements for _, source in one.claims),
        *(price.source for price in prices),
    ]
    return ChipSheet(
        id=found.id,
        slug=re.sub(r"[^\w.-]+", "-", found.id).strip("-."),
        name=found.name,
        short_name=found.short_name,
        vendor=found.vendor,
        kind=found.kind,
        architecture=found.architecture or "",
        year=found.year,
        is_year_sourced=bool(found.year_sources),
        memory_type=found.memory_type,
        interconnect=found.interconnect,
        topology=NO_TEXT if found.topology == "none" else Bilingual(zh=found.topology_zh, en=found.topology),
        mark=mark,
        facts=facts,
        prices=prices,
        other_disagreements=others,
        sources=tuple(sources[one] for one in dict.fromkeys(named) if one),
    )


def _facts(found: Chip) -> Iterator[Fact]:
    """The facts in the order of the catalogue, with the ridge points after the main memory."""
    for quantity in found.quantities:
        yield _fact(quantity, found)
        if quantity.field == "memory.bandwidth":
            for dtype in found.dtypes:
                unit = "OP/B" if dtype.startswith("int") else "FLOP/B"
                yield Fact(
                    field=f"ridge.{dtype}",
                    value=_short(found.ridge_flops_per_byte(dtype)),
                    unit=unit,
                    approximate=quantity.approximate or found.quantity(f"peak_dense.{dtype}").approximate,
                )


def _fact(quantity: Quantity, found: Chip) -> Fact:
    unit, factor = _READ_AS.get(quantity.unit, ("", 1.0))
    if quantity.unit == "B" and quantity.field.startswith("on_chip."):
        unit, factor = _small_bytes(quantity.printed)
    if quantity.field == "memory.capacity":
        unit, factor = "GiB", 2.0**30  # as sold: 80, not 85.9
    if quantity.field.startswith("peak_dense.int"):
        unit = "TOP/s"
    printed, _, printed_unit = quantity.printed.partition(" ")
    value = _short(quantity.value / factor)
    return Fact(
        field=quantity.field,
        value=value,
        unit=unit,
        printed="" if float(printed) == value else quantity.printed,
        source=quantity.source or "",
        approximate=quantity.approximate,
        note=_both(quantity.note),
        disagreements=tuple(
            _disagreement(one, printed_unit) for one in found.conflicts if one.field == quantity.field
        ),
    )


_READ_AS = {
    "FLOP/s": ("TFLOP/s", 1e12),
    "B": ("GB", 1e9),
    "B/s": ("GB/s", 1e9),
    "Hz": ("MHz", 1e6),
    "W": ("W", 1.0),
    "s": ("µs", 1e-6),
    "cycles": ("cycles", 1.0),
    "FMA/cycle": ("FMA/cycle", 1.0),
}
"""Units in which base units are read, with their size; counts and ratios have none."""


def _small_bytes(printed: str) -> tuple[str, float]:
    """On-chip memories are read in powers of two, of the size that the source prints."""
    return ("MiB", 2.0**20) if printed.endswith(("MB", "MiB")) else ("KiB", 2.0**10)


def _both(note: Note | None) -> Bilingual:
    return NO_TEXT if note is None else Bilingual(note.zh, note.en)


def _short(value: float) -> float:
    """Without the noise of binary arithmetic."""
    return float(f"{value:.10g}")


def _disagreement(conflict: Conflict, unit: str) -> Disagreement:
    def text(value: float | str | None) -> str:
        if isinstance(value, int | float) and conflict.field != "year":
            return f"{value:,} {unit}".strip()
        return "" if value is None else str(value)

    return Disagreement(
        claims=tuple((text(claim.value), claim.source) for claim in conflict.claims),
        used=text(conflict.used),
        note=_both(conflict.note),
    )

"""Schema of the catalogue files, checked while records are built; all problems are collected."""

import difflib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import cast

from diglot.hardware.chips.chip import (
    KINDS,
    PRICE_KINDS,
    Chip,
    Claim,
    Conflict,
    Kind,
    Price,
    Quantities,
    Quantity,
    Source,
    Tier,
    WatchedChip,
)
from diglot.hardware.chips.notes import read_note, read_optional_note
from diglot.hardware.chips.reported import Reported
from diglot.hardware.chips.units import SI_UNITS, convert_to_si
from diglot.hardware.data.located_yaml import Located
from diglot.hardware.data.tables import Problems, Table, open_table
from diglot.hardware.dtypes import DTYPES

SCHEMA = "accelerators/1"

TOP_KEYS = ("schema", "conventions", "sources", "chips", "provisional", "watchlist")
CHIP_TEXTS = ("id", "vendor", "name", "short_name", "kind", "architecture")
QUANTITY_KEYS = ("value", "unit", "source", "as_of", "approximate", "via", "note")
PRICE_KEYS = ("usd_per_chip_hour", "source", "region", "sku", "date", "kind", "approximate", "note")
DERIVED_KEYS = ("value", "derived", "formula", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Schema of one mapping of figures of a chip."""

    units: Collection[str] = ()
    """Base units allowed for figures that `figures` does not list."""
    figures: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Allowed figures and the base units of each; any figure where empty."""
    texts: tuple[str, ...] = ()
    """Keys that hold text."""
    notes: tuple[str, ...] = ()
    """Keys that hold text in one or both languages."""
    required: tuple[str, ...] = ()
    """Figures that must not be missing."""


SECTIONS = {
    "peak_dense": Section(figures=dict.fromkeys(DTYPES, ("FLOP/s",))),
    "memory": Section(
        figures={"capacity": ("B",), "bandwidth": ("B/s",)},
        texts=("type",),
        required=("capacity", "bandwidth"),
    ),
    "sparsity": Section(figures=dict.fromkeys(("ratio", *DTYPES), ("ratio",))),
    "on_chip": Section(units=("B", "B/s", "ratio", "count")),
    "compute_units": Section(units=("count", "FMA/cycle")),
    "mxu": Section(units=("count", "cycles", "Hz"), texts=("source",), required=("total", "rows", "cols")),
    "clock": Section(units=("Hz",)),
    "power": Section(units=("W",)),
    "interconnect": Section(units=("count", "B/s", "s"), texts=("kind",), notes=("topology",)),
    "pod": Section(units=("count", "B/s", "FLOP/s"), texts=("shape",)),
    "dcn": Section(units=("B/s",)),
}
REQUIRED_SECTIONS = ("peak_dense", "memory")
LONE_FIGURES = {"tdp": ("W",), "tensor_cores": ("count",), "exponentials": ("exp/s",)}
CHIP_KEYS = (*CHIP_TEXTS, "year", *SECTIONS, *LONE_FIGURES, "prices", "conflicts", "aliases")
PROVISIONAL_KEY = "provisional"
"""Chips that are announced or reported; each says in its `note` where the figures come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueData:
    """Contents of the file, as records."""

    sources: tuple[Source, ...]
    chips: tuple[Chip, ...]
    """Provisional ones last."""
    watched: tuple[WatchedChip, ...] = ()
    source_lines: Mapping[str, int] = field(default_factory=dict)
    """Line of each source's description."""
    chip_lines: Mapping[str, int] = field(default_factory=dict)
    """Line on which each chip begins, provisional ones too."""


def read_catalogue_data(
    document: Located,
    problems: Problems,
    known_sources: Mapping[str, Source] = MappingProxyType({}),
    kinds: Collection[Kind] = KINDS,
) -> CatalogueData:
    """The records of a whole file, complete only if `problems` stays empty.

    Figures may also name a source of `known_sources`; a file may omit its own sources where these suffice.
    """
    top = problems.attempt(open_table, document, "")
    if top is None:
        return CatalogueData(sources=(), chips=())
    problems.attempt(top.check_keys, TOP_KEYS)
    problems.attempt(top.text, "schema", among=(SCHEMA,))
    listed = None
    if "sources" in top.members or not known_sources:
        listed = problems.attempt(top.table, "sources")
    ids = tuple(listed.members) if listed else ()
    sources = problems.attempt_each(partial(_read_source, problems, listed), ids) if listed else []
    reader = _ChipReader(
        problems=problems,
        kinds=kinds,
        source_ids=(*ids, *known_sources),
        source_dates={source.id: source.as_of for source in (*known_sources.values(), *sources)},
    )
    chips, chip_lines = problems.attempt(reader.read_chips, top) or ([], {})
    return CatalogueData(
        sources=tuple(sources),
        chips=tuple(chips),
        watched=tuple(problems.attempt(_read_watchlist, top) or ()),
        source_lines={id_: listed.members[id_].line for id_ in ids} if listed else {},
        chip_lines=chip_lines,
    )


def _read_watchlist(top: Table) -> list[WatchedChip]:
    """Names and notes."""
    return [
        WatchedChip(id=table.text("id"), aliases=table.texts("aliases"), note=table.text("note"))
        for table in top.tables("watchlist")
    ]


def read_source(sources: Table, id_: str) -> Source:
    """One publication of the table `sources`. Raises TableError for its first problem."""
    problems = Problems()
    source = problems.attempt(_read_source, problems, sources, id_)
    if source is None or problems.found:
        raise problems.found[0]
    return source


def _read_source(problems: Problems, sources: Table, id_: str) -> Source:
    table = sources.table(id_)
    problems.check_keys(table, ("title", "url", "as_of", "tier", "note"))
    return Source(
        id=id_,
        **problems.gather(
            title=lambda: table.text("title"),
            url=lambda: table.address("url"),
            as_of=lambda: table.text("as_of"),
            tier=lambda: cast(Tier, table.text("tier", among=("official", "secondary"))),
            note=lambda: read_optional_note(table, "note"),
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChipReader:
    problems: Problems
    source_ids: Collection[str]
    """Ids of all listed sources, including invalid ones."""
    source_dates: dict[str, str]
    kinds: Collection[Kind]
    """Kinds that chips of the file may be of."""

    def read_chips(self, top: Table) -> tuple[list[Chip], dict[str, int]]:
        """The chips, provisional ones last, and the line of each by its id."""
        chips: list[Chip] = []
        lines: dict[str, int] = {}
        for key in ("chips", PROVISIONAL_KEY):
            for listed in top.tables(key):
                if (id_ := self.problems.attempt(listed.text, "id")) is None:
                    continue
                table = Table(path=id_, line=listed.line, members=listed.members)
                if (first := lines.setdefault(id_, table.line)) != table.line:
                    problem = table.error("id", f'"{id_}" is already defined on line {first}')
                    self.problems.found.append(problem)
                chip = self.problems.attempt(self.read_chip, table, key == PROVISIONAL_KEY)
                chips += [chip] if chip else []
        return chips, lines

    def read_chip(self, table: Table, is_provisional: bool) -> Chip:
        self.problems.check_keys(table, (*CHIP_KEYS, "note") if is_provisional else CHIP_KEYS)
        present = [key for key in SECTIONS if key in table.members or key in REQUIRED_SECTIONS]
        sections = {key: members for key in present if (members := self.problems.attempt(table.table, key))}
        quantities = [
            quantity for key, members in sections.items() for quantity in self.read_section(key, members)
        ]
        for key, units in LONE_FIGURES.items():
            if key in table.members:
                lone = self.problems.attempt(self.read_quantity, table, key, key, units)
                quantities += [lone] if lone is not None else []
        prices = self.problems.attempt_each(self.read_price, table.tables("prices"))
        # From the file, not from `quantities`: sources may disagree about a figure whose entry is invalid.
        fields = {f"{key}.{figure}" for key, section in sections.items() for figure in section.members}
        conflicts = self.problems.attempt_each(
            partial(self.read_conflict, fields | table.members.keys()), table.tables("conflicts")
        )
        links = sections.get("interconnect")
        topology = self.problems.attempt(read_note, links, "topology") if links else None
        return Chip(
            topology=str(topology or "none"),
            topology_zh=topology.zh if topology else "",
            quantities=Quantities(quantities),
            prices=Reported(prices),
            conflicts=Reported(conflicts),
            **self.problems.gather(
                id=lambda: table.text("id"),
                name=lambda: table.text("name"),
                short_name=lambda: table.text("short_name"),
                vendor=lambda: table.text("vendor"),
                kind=lambda: self.read_kind(table),
                architecture=lambda: table.optional_text("architecture"),
                aliases=lambda: table.texts("aliases"),
                provisional=lambda: read_note(table, "note") if is_provisional else None,
                year=lambda: table.year("year"),
                memory_type=lambda: table.table("memory").text("type"),
                interconnect=lambda: links.text("kind") if links else "none",
                pod_shape=lambda: sections["pod"].optional_text("shape") if "pod" in sections else None,
            ),
        )

    def read_kind(self, table: Table) -> Kind:
        """The kind of a chip: any word but a slip of a known one is an accelerator of another kind."""
        word = table.text("kind")
        known = [kind for kind in self.kinds if kind != "npu"]
        is_other = "npu" in self.kinds and not difflib.get_close_matches(
            word.casefold(), known, n=1, cutoff=0.75
        )
        return "npu" if is_other else cast(Kind, table.text("kind", among=self.kinds))

    def read_section(self, name: str, table: Table) -> Iterator[Quantity]:
        section = SECTIONS[name]
        if section.figures:
            self.problems.check_keys(table, (*section.texts, *section.notes, *section.figures))
        for key in section.required:
            if key not in table.members:
                self.problems.found.append(table.error(key, "is missing"))
        for key in table.members:
            units = section.figures.get(key, section.units)
            if key not in (*section.texts, *section.notes) and units:
                quantity = self.problems.attempt(self.read_quantity, table, key, f"{name}.{key}", units)
                if quantity is not None:
                    yield quantity

    def read_quantity(self, table: Table, key: str, field: str, units: Collection[str]) -> Quantity:
        """The figure at `key` in one of the base `units`; `field` is its dotted path in the record."""
        if not table.is_table(key):
            return self.read_bare_count(table, key, field)
        entry = table.table(key)
        if "derived" in entry.members:
            return _read_derived_clock(entry, field)
        self.problems.check_keys(entry, QUANTITY_KEYS)
        read = self.problems.gather(
            value=lambda: entry.number("value"),
            unit=lambda: _read_unit(entry, key, units),
            source=lambda: self.read_source_id(entry),
            as_of=lambda: entry.text("as_of"),
            approximate=lambda: entry.flag("approximate"),
            via=lambda: entry.optional_text("via"),
            note=lambda: read_optional_note(entry, "note"),
        )
        value, unit = convert_to_si(read["value"], read["unit"])
        return Quantity(
            **{**read, "value": value, "unit": unit}, field=field, printed=f"{read['value']} {read['unit']}"
        )

    def read_bare_count(self, table: Table, key: str, field: str) -> Quantity:
        """A plain number, such as a side of a systolic array, whose source is a key of the same mapping."""
        value = table.number(key)
        source = self.read_source_id(table)
        return Quantity(
            field=field,
            value=float(value),
            unit="count",
            printed=str(value),
            source=source,
            as_of=self.source_dates.get(source),
        )

    def read_source_id(self, table: Table) -> str:
        return table.text("source", among=self.source_ids)

    def read_price(self, row: Table) -> Price:
        self.problems.check_keys(row, PRICE_KEYS)
        read = self.problems.gather(
            usd_per_chip_hour=lambda: row.number("usd_per_chip_hour"),
            source=lambda: self.read_source_id(row),
            region=lambda: row.text("region"),
            sku=lambda: row.text("sku"),
            date=lambda: row.text("date"),
            kind=lambda: row.text("kind", among=PRICE_KINDS) if "kind" in row.members else "list",
            approximate=lambda: row.flag("approximate"),
            note=lambda: read_optional_note(row, "note"),
        )
        usd_per_hour = read.pop("usd_per_chip_hour")
        return Price(usd_per_chip_s=usd_per_hour / 3600, printed=f"{usd_per_hour} USD/h", **read)

    def read_conflict(self, fields: Collection[str], row: Table) -> Conflict:
        conflict = read_conflict(row, self.source_ids)
        # A figure omitted because of the disagreement (used: null), or not a number, has no quantity.
        if isinstance(conflict.used, int | float) and conflict.field not in fields:
            raise row.error("field", f'this chip has no "{conflict.field}"')
        return conflict


def read_conflict(row: Table, source_ids: Collection[str]) -> Conflict:
    """A disagreement between sources, and the value used. Raises TableError."""
    row.check_keys(("field", "values", "used", "note"))
    claims = []
    for entry in row.tables("values"):
        entry.check_keys(("value", "source"))
        claims.append(Claim(value=_read_claim(entry, "value"), source=entry.text("source", among=source_ids)))
    used = _read_claim(row, "used")
    if len(claims) < 2:
        raise row.error("values", "a conflict needs two values")
    if used is not None and used not in {claim.value for claim in claims}:
        raise row.error("used", f"{used} is not one of the values")
    return Conflict(
        field=row.text("field"), claims=tuple(claims), used=used, note=read_optional_note(row, "note")
    )


def _read_unit(entry: Table, key: str, units: Collection[str]) -> str:
    """The printed unit of a figure. Raises TableError unless its base unit is one of `units`."""
    printed = entry.text("unit", among=SI_UNITS)
    if convert_to_si(1, printed)[1] not in units:
        raise entry.error("unit", f'"{printed}" cannot be the unit of {key}')
    return printed


def _read_derived_clock(entry: Table, field: str) -> Quantity:
    entry.check_keys(DERIVED_KEYS)
    if not field.endswith("_ghz"):
        raise entry.error("derived", "only a clock in GHz may be derived")
    printed = entry.number("value")
    value, unit = convert_to_si(printed, "GHz")
    return Quantity(
        field=field.removesuffix("_ghz"),
        value=value,
        unit=unit,
        printed=f"{printed} GHz",
        source=None,
        as_of=None,
        approximate=True,
        note=read_note(entry, "formula").followed_by(read_optional_note(entry, "note")),
    )


def _read_claim(table: Table, key: str) -> float | str | None:
    if key not in table.members:
        raise table.error(key, "is missing")
    value = table.members[key].value
    if isinstance(value, bool | list | dict):
        raise table.error(key, "must be a number, text or null")
    return value

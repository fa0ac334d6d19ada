"""What the catalogue file may say, checked while it is turned into records; every problem is collected."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import cast

from diglot.hardware.chips import KINDS, Chip, Claim, Conflict, Kind, Price, Quantity, Source, Tier
from diglot.hardware.dtypes import DTYPES
from diglot.hardware.located_yaml import Located
from diglot.hardware.tables import Problems, Table, open_table
from diglot.hardware.units import SI_UNITS, convert_to_si

SCHEMA = "accelerators/1"

_TOP_KEYS = ("schema", "conventions", "sources", "chips", "watchlist")
_CHIP_TEXTS = ("id", "vendor", "name", "short_name", "kind", "architecture")
_QUANTITY_KEYS = ("value", "unit", "source", "as_of", "approximate", "via", "note")
_DERIVED_KEYS = ("value", "derived", "formula", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    """One mapping of figures of a chip."""

    units: Collection[str]
    """Base units that its figures may have."""
    texts: tuple[str, ...] = ()
    """Keys that hold text."""
    figures: tuple[str, ...] = ()
    """Keys that may hold figures; any where empty."""
    required: tuple[str, ...] = ()
    """Figures that must be there."""


_SECTIONS = {
    "peak_dense": _Section(units=("FLOP/s",), figures=DTYPES),
    "memory": _Section(
        units=("B", "B/s"),
        texts=("type",),
        figures=("capacity", "bandwidth"),
        required=("capacity", "bandwidth"),
    ),
    "on_chip": _Section(units=("B", "B/s", "ratio", "count")),
    "compute_units": _Section(units=("count", "FMA/cycle")),
    "mxu": _Section(units=("count", "cycles", "Hz"), texts=("source",), required=("total", "rows", "cols")),
    "clock": _Section(units=("Hz",)),
    "power": _Section(units=("W",), figures=("busy", "idle", "min", "mean", "max")),
    "interconnect": _Section(units=("count", "B/s", "s"), texts=("kind", "topology")),
    "pod": _Section(units=("count", "B/s", "FLOP/s"), texts=("shape",)),
    "dcn": _Section(units=("B/s",)),
}
_REQUIRED_SECTIONS = ("peak_dense", "memory", "interconnect")
_LONE_FIGURES = {"tdp": ("W",), "tensor_cores": ("count",)}
_CHIP_KEYS = (*_CHIP_TEXTS, "year", *_SECTIONS, *_LONE_FIGURES, "prices", "conflicts")


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueData:
    """What the file holds, as records."""

    sources: tuple[Source, ...]
    chips: tuple[Chip, ...]


def read_catalogue_data(document: Located, problems: Problems) -> CatalogueData:
    """The records of a whole file. Complete only where `problems` stays empty."""
    sources: list[Source] = []
    chips: list[Chip] = []
    top = problems.attempt(lambda: open_table(document, ""))
    if top is not None:
        problems.attempt(lambda: top.check_keys(_TOP_KEYS))
        problems.attempt(lambda: top.text("schema", among=(SCHEMA,)))
        listed = problems.attempt(lambda: top.table("sources"))
        if listed is not None:
            sources += _read_sources(listed, problems)
        reader = _ChipReader(
            problems=problems,
            source_ids=tuple(listed.members) if listed else (),
            source_dates={source.id: source.as_of for source in sources},
        )
        chips += problems.attempt(lambda: list(reader.read_chips(top))) or ()
    return CatalogueData(sources=tuple(sources), chips=tuple(chips))


def _read_sources(table: Table, problems: Problems) -> list[Source]:
    read = (problems.attempt(lambda key=key: _read_source(key, table.table(key))) for key in table.members)  # type: ignore[misc]
    return [source for source in read if source is not None]


def _read_source(id_: str, table: Table) -> Source:
    table.check_keys(("title", "url", "as_of", "tier", "note"))
    return Source(
        id=id_,
        title=table.text("title"),
        url=table.text("url"),
        as_of=table.text("as_of"),
        tier=cast(Tier, table.text("tier", among=("official", "secondary"))),
        note=table.optional_text("note"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChipReader:
    problems: Problems
    source_ids: Collection[str]
    """All that are listed, also those of which something is wrong."""
    source_dates: dict[str, str]

    def read_chips(self, top: Table) -> Iterator[Chip]:
        lines: dict[str, int] = {}
        for table in top.tables("chips"):
            id_ = self.problems.attempt(lambda table=table: table.text("id"))  # type: ignore[misc]
            if id_ is None:
                continue
            if id_ in lines:
                self.problems.found.append(table.error("id", f'"{id_}" stands already in line {lines[id_]}'))
            lines[id_] = table.line
            named = Table(path=id_, line=table.line, members=table.members)
            chip = self.problems.attempt(lambda: self.read_chip(named))  # noqa: B023  # called at once
            if chip is not None:
                yield chip

    def read_chip(self, table: Table) -> Chip:
        self.problems.attempt(lambda: table.check_keys(_CHIP_KEYS))
        quantities: list[Quantity] = []
        for key, section in _SECTIONS.items():
            if key in table.members or key in _REQUIRED_SECTIONS:
                quantities += self.read_section(table.table(key), key, section)
        for key, units in _LONE_FIGURES.items():
            if key in table.members:
                quantities += self.attempt_quantity(table, key, key, units)
        sections = {key: table.table(key) for key in _SECTIONS if key in table.members}
        # Of the file and not of `quantities`: a figure that is wrong is still there to disagree about.
        fields = {f"{key}.{figure}" for key, section in sections.items() for figure in section.members}
        return Chip(
            id=table.text("id"),
            name=table.text("name"),
            short_name=table.text("short_name"),
            vendor=table.text("vendor"),
            kind=cast(Kind, table.text("kind", among=KINDS)),
            architecture=table.optional_text("architecture"),
            year=table.year("year"),
            memory_type=sections["memory"].text("type"),
            interconnect=sections["interconnect"].text("kind"),
            topology=sections["interconnect"].text("topology"),
            pod_shape=sections["pod"].optional_text("shape") if "pod" in sections else None,
            quantities=tuple(quantities),
            prices=tuple(self.read_prices(table)),
            conflicts=tuple(self.read_conflicts(table, fields | set(table.members))),
        )

    def read_section(self, table: Table, name: str, section: _Section) -> list[Quantity]:
        if section.figures:
            self.problems.attempt(lambda: table.check_keys((*section.texts, *section.figures)))
        for key in section.required:
            if key not in table.members:
                self.problems.found.append(table.error(key, "is missing"))
        quantities: list[Quantity] = []
        for key in table.members:
            if key not in section.texts:
                quantities += self.attempt_quantity(table, key, f"{name}.{key}", section.units)
        return quantities

    def attempt_quantity(
        self, table: Table, key: str, field: str, units: Collection[str]
    ) -> tuple[Quantity, ...]:
        quantity = self.problems.attempt(lambda: self.read_quantity(table, key, field, units))
        return () if quantity is None else (quantity,)

    def read_quantity(self, table: Table, key: str, field: str, units: Collection[str]) -> Quantity:
        if not table.is_table(key):
            return self.read_bare_count(table, key, field)
        entry = table.table(key)
        if "derived" in entry.members:
            return _read_derived_clock(entry, field)
        entry.check_keys(_QUANTITY_KEYS)
        printed_value = entry.number("value")
        printed_unit = entry.text("unit", among=SI_UNITS)
        value, unit = convert_to_si(printed_value, printed_unit)
        if unit not in units:
            raise entry.error("unit", f'"{printed_unit}" cannot be the unit of {key}')
        return Quantity(
            field=field,
            value=value,
            unit=unit,
            printed=f"{printed_value} {printed_unit}",
            source=self.read_source_id(entry),
            as_of=entry.text("as_of"),
            approximate=entry.flag("approximate"),
            via=entry.optional_text("via"),
            note=entry.optional_text("note"),
        )

    def read_bare_count(self, table: Table, key: str, field: str) -> Quantity:
        """A plain number, as the shape of a systolic array is written: its source stands beside it."""
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

    def read_prices(self, table: Table) -> Iterator[Price]:
        for row in table.tables("prices"):
            price = self.problems.attempt(lambda row=row: self.read_price(row))  # type: ignore[misc]
            if price is not None:
                yield price

    def read_price(self, row: Table) -> Price:
        row.check_keys(("usd_per_chip_hour", "source", "region", "sku", "date", "approximate", "note"))
        usd_per_hour = row.number("usd_per_chip_hour")
        return Price(
            usd_per_chip_s=usd_per_hour / 3600,
            printed=f"{usd_per_hour} USD/h",
            source=self.read_source_id(row),
            region=row.text("region"),
            sku=row.text("sku"),
            date=row.text("date"),
            approximate=row.flag("approximate"),
            note=row.optional_text("note"),
        )

    def read_conflicts(self, table: Table, fields: Collection[str]) -> Iterator[Conflict]:
        for row in table.tables("conflicts"):
            conflict = self.problems.attempt(lambda row=row: self.read_conflict(row, fields))  # type: ignore[misc]
            if conflict is not None:
                yield conflict

    def read_conflict(self, row: Table, fields: Collection[str]) -> Conflict:
        row.check_keys(("field", "values", "used", "note"))
        field = row.text("field")
        claims = []
        for entry in row.tables("values"):
            entry.check_keys(("value", "source"))
            claims.append(Claim(value=_read_claim(entry, "value"), source=self.read_source_id(entry)))
        used = _read_claim(row, "used")
        if len(claims) < 2:
            raise row.error("values", "a conflict needs two values")
        if used is not None and used not in {claim.value for claim in claims}:
            raise row.error("used", f"{used} is none of the values")
        # A figure left out for the disagreement (used: null), or one that is not a number, has no quantity.
        if isinstance(used, int | float) and field not in fields:
            raise row.error("field", f'this chip has no "{field}"')
        return Conflict(field=field, claims=tuple(claims), used=used, note=row.optional_text("note"))


def _read_derived_clock(entry: Table, field: str) -> Quantity:
    entry.check_keys(_DERIVED_KEYS)
    if not field.endswith("_ghz"):
        raise entry.error("derived", "only a clock in GHz may be derived")
    printed = entry.number("value")
    value, unit = convert_to_si(printed, "GHz")
    note = entry.optional_text("note")
    return Quantity(
        field=field.removesuffix("_ghz"),
        value=value,
        unit=unit,
        printed=f"{printed} GHz",
        source=None,
        as_of=None,
        approximate=True,
        note=entry.text("formula") + (f". {note}" if note else ""),
    )


def _read_claim(table: Table, key: str) -> float | str | None:
    if key not in table.members:
        raise table.error(key, "is missing")
    value = table.members[key].value
    if isinstance(value, bool | list | dict):
        raise table.error(key, "must be a number, text or null")
    return value

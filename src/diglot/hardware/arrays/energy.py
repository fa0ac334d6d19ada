"""Energy of a product on a systolic array, from operation and access counts and a published energy table.

Control, clock, leakage and everything outside the array are not counted. The results are lower bounds, good
for comparing dataflows and shapes but not for predicting the power of a chip.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from diglot.hardware.arrays.memory import SystolicTraffic
from diglot.hardware.chips.chip import Conflict, Source
from diglot.hardware.chips.schema import read_conflict, read_source
from diglot.hardware.data import FOLDER, read_text
from diglot.hardware.data.located_yaml import read_located_yaml
from diglot.hardware.data.tables import Table, open_table
from diglot.hardware.sizes import Real, check_rate, to_float

ENERGY_PATH = FOLDER / "access_energy.yaml"

_JOULES_PER_PJ = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyTable:
    """Energies from one publication, in joules."""

    id: str
    title: str
    url: str
    as_of: str
    process: str
    macs_j: Mapping[str, float]
    """Energy of one multiply-accumulate, by number format."""
    sram_points: tuple[tuple[float, float], ...]
    """(capacity in bytes, joules per byte), smallest first."""
    dram_byte_low_j: float
    dram_byte_high_j: float
    register_byte_j: float | None
    """Energy of accessing one byte of a processing element's register; None where the source has none."""
    hop_byte_j: float | None
    """Energy of moving one byte to the next processing element; None where the source has none."""
    checked_against: tuple[Source, ...]
    """Copies of the publication's figures with which these were compared."""
    conflicts: tuple[Conflict, ...] = ()
    """Disagreements with copies, in the table's own unit, and the value used."""
    note: str | None = None

    @property
    def dram_byte_j(self) -> float:
        """Energy per byte: the middle of the source's range, in joules."""
        return (self.dram_byte_low_j + self.dram_byte_high_j) / 2

    def sram_byte_j(self, capacity_bytes: float) -> float:
        """Joules per byte of a scratchpad of that capacity, by a power law between the source's points.

        Outside their range the nearest point is used, which underestimates larger memories.
        """
        check_rate("capacity_bytes", capacity_bytes)
        points = self.sram_points
        for (small, small_j), (large, large_j) in pairwise(points):
            if small <= capacity_bytes <= large:
                share = math.log(capacity_bytes / small) / math.log(large / small)
                return min(small_j * math.pow(large_j / small_j, share), large_j)
        return points[0][1] if capacity_bytes < points[0][0] else points[-1][1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EnergyEstimate:
    """Energy of one product, or of an array of them, by component."""

    mac_j: Real
    register_j: "Real | None"
    """Registers and hops between processing elements; None where the table has no figure for them."""
    sram_j: Real
    dram_j: Real
    """Uses the middle of the table's range."""

    @property
    def total_j(self) -> Real:
        """Total of the components for which the table has figures."""
        registers = 0.0 if self.register_j is None else self.register_j
        return self.mac_j + registers + self.sram_j + self.dram_j


def load_energy_table(id_: str, *, mac_j: float | None = None) -> EnergyTable:
    """A table of `data/access_energy.yaml`: `horowitz-45nm` or `eyeriss-65nm`.

    `eyeriss-65nm` has multiples of the energy of one multiply-accumulate, so it requires `mac_j`.
    Raises ValueError for an unknown table, and where `mac_j` is missing or not allowed.
    """
    tables, sources = _read_tables_once(read_text(ENERGY_PATH))
    if id_ not in tables:
        raise ValueError(f"there is no energy table {id_!r}; known: {', '.join(tables)}")
    table = tables[id_]
    relative = table.text("unit", among=("pJ", "MAC")) == "MAC"
    if relative and mac_j is None:
        raise ValueError(
            f"{id_} gives multiples of the energy of a multiply-accumulate, so mac_j is required"
        )
    if mac_j is None:
        return _read_table(table, sources, _JOULES_PER_PJ)
    if not relative:
        raise ValueError(f"{id_} is in joules, so mac_j is not allowed")
    return _read_table(table, sources, float(check_rate("mac_j", mac_j)))


def estimate_systolic_energy(traffic: SystolicTraffic, *, table: EnergyTable, dtype: str) -> EnergyEstimate:
    """Energy of a product from the traffic that `count_systolic_traffic` returns.

    Per multiply-accumulate, `ws` and `is` read the stationary operand from its register and move a streamed
    operand and a partial sum to the next element; `os` moves both operands and reads and writes the sum in
    place. Raises ValueError for a format without a figure in the table, or with another element width than
    the traffic.
    """
    if dtype not in table.macs_j:
        raise ValueError(f"{table.id} has no energy for {dtype}; known: {', '.join(table.macs_j)}")
    width_bytes = int(dtype.lstrip("abcdefghijklmnopqrstuvwxyz")) / 8
    if np.any(np.not_equal(traffic.element_bytes, width_bytes)):
        raise ValueError(
            f"{dtype} has {width_bytes:g} bytes per element, but the traffic has {traffic.element_bytes}"
        )
    register_j = None
    if table.register_byte_j is not None and table.hop_byte_j is not None:
        element, accumulator = to_float(traffic.element_bytes), to_float(traffic.accumulator_bytes)
        held, moved = element, element + accumulator
        if traffic.run.dataflow == "os":
            held, moved = 2 * accumulator, 2 * element
        register_j = traffic.mac_count * (held * table.register_byte_j + moved * table.hop_byte_j)
    pads = traffic.scratchpads
    sums_bytes = traffic.ofmap_sram_write_bytes + traffic.partial_sum_sram_read_bytes
    sram_j = (
        to_float(traffic.ifmap_sram_read_bytes) * table.sram_byte_j(pads.ifmap_bytes)
        + to_float(traffic.filter_sram_read_bytes) * table.sram_byte_j(pads.filter_bytes)
        + to_float(sums_bytes) * table.sram_byte_j(pads.ofmap_bytes)
    )
    return EnergyEstimate(
        mac_j=traffic.mac_count * table.macs_j[dtype],
        register_j=register_j,
        sram_j=sram_j,
        dram_j=to_float(traffic.dram_bytes) * table.dram_byte_j,
    )


@lru_cache(maxsize=1)
def _read_tables_once(text: str) -> tuple[dict[str, Table], dict[str, Source]]:
    top = open_table(read_located_yaml(text), "")
    top.text("schema", among=("access-energy/1",))
    listed = top.table("sources")
    sources = {id_: read_source(listed, id_) for id_ in listed.members}
    return {table.text("id"): table for table in top.tables("tables")}, sources


def _read_table(table: Table, sources: Mapping[str, Source], unit_j: float) -> EnergyTable:
    macs = table.table("mac")
    parts = {dtype: macs.table(dtype) for dtype in macs.members}
    dram = table.table("dram")
    points = ((entry.number("capacity_kib") * 1024, _byte_j(entry, unit_j)) for entry in table.tables("sram"))
    return EnergyTable(
        id=table.text("id"),
        title=table.text("title"),
        url=table.text("url"),
        as_of=table.text("as_of"),
        process=table.text("process"),
        macs_j={
            dtype: sum(part.number(key) for key in part.members) * unit_j for dtype, part in parts.items()
        },
        sram_points=tuple(sorted(points)),
        dram_byte_low_j=_byte_j(dram, unit_j, "low"),
        dram_byte_high_j=_byte_j(dram, unit_j, "high"),
        register_byte_j=_optional_byte_j(table, "register", unit_j),
        hop_byte_j=_optional_byte_j(table, "hop", unit_j),
        checked_against=tuple(sources[str(item.value)] for item in table.items("checked")),
        conflicts=tuple(read_conflict(row, sources) for row in table.tables("conflicts")),
        note=table.optional_text("note"),
    )


def _byte_j(entry: Table, unit_j: float, key: str = "value") -> float:
    return entry.number(key) * unit_j / (entry.number("bits") / 8)


def _optional_byte_j(table: Table, key: str, unit_j: float) -> float | None:
    return _byte_j(table.table(key), unit_j) if table.is_table(key) else None

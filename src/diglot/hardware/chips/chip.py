"""Records of the catalogue: a chip, its figures, and the source of each figure."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, cast, get_args

from diglot.hardware.chips.notes import Note
from diglot.hardware.chips.reported import Reported
from diglot.hardware.chips.row import Row, Use
from diglot.hardware.dtypes import DTYPES, DType
from diglot.hardware.rooflines.roofline import Roofline

Kind = Literal["gpu", "tpu", "npu", "cpu", "edge"]
KINDS: tuple[Kind, ...] = ("gpu", "tpu", "npu")
"""Kinds of accelerators, which the catalogue and custom chips are of; `npu` is any but the first two."""
PROCESSOR_KINDS: tuple[Kind, ...] = ("cpu", "edge")
"""Kinds of processors besides them."""
Tier = Literal["official", "secondary"]


class MissingFigureError(LookupError):
    """The chip has no figure of that name; the message lists those it has, or suggests one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A publication from which figures are taken."""

    id: str
    title: str
    url: str
    as_of: str
    """Date of the text used, as precisely as it is known: `2026`, `2026-01`, `2026-01-10`, `2025-2026`."""
    tier: Tier
    """`official`: the vendor, or the authors of the measurement."""
    note: Note | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedChip:
    """A chip that is known, but of which too little is published to model it."""

    id: str
    aliases: tuple[str, ...]
    note: str
    """Why it is not modelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One figure of one chip, in a base unit, with its source."""

    field: str
    """Dotted path, as in the catalogue: `peak_dense.bf16`."""
    value: float
    """In `unit`."""
    unit: str
    """FLOP/s, B, B/s, Hz, W, s, cycles, ratio, FMA/cycle or count. Integer operations count as FLOPs."""
    printed: str
    """As the source prints it: `989.4 TFLOP/s`."""
    source: str | None
    """Id of a `Source`; None where the figure is derived from others (`note` has the formula)."""
    as_of: str | None
    approximate: bool = False
    """Whether it is rounded, half of a sparse figure, or known from secondary material only."""
    via: str | None = None
    """The vendor's page that the source itself cites."""
    note: Note | None = None


PriceKind = Literal["list", "reserved", "market", "spot"]
PRICE_KINDS: tuple[PriceKind, ...] = get_args(PriceKind)
"""On demand, as a large cloud lists it; with a commitment to a term; on demand at smaller clouds, often half
of that; for capacity that can be taken back at any time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A price on a date; prices become outdated, and those of different kinds are not comparable."""

    usd_per_chip_s: float
    """Dollars per chip and second."""
    printed: str
    """As the source prints it: `7.912 USD/h`."""
    sku: str
    region: str
    date: str
    source: str
    kind: PriceKind = "list"
    approximate: bool = False
    note: Note | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The value that one of several disagreeing sources prints, in the unit used in the file."""

    value: float | str | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Sources that disagree about one figure of a chip, and the value that the catalogue uses."""

    field: str
    claims: tuple[Claim, ...]
    used: float | str | None
    note: Note | None = None


class Quantities(Reported[Quantity]):
    """The figures of a chip. Who asks for one of them by its field reads that one alone."""

    __slots__ = ("_by_field", "_chip_id", "_use")

    def __init__(
        self, items: Iterable[Quantity] = (), chip_id: str = "", use: Use = lambda _row: None
    ) -> None:
        """`use` is called with the rows of that chip that are read."""
        super().__init__(items, lambda: use(Row("quantities", chip_id)))
        self._by_field: dict[str, Quantity] = {}
        for one in self._items:
            self._by_field.setdefault(one.field, one)
        self._chip_id, self._use = chip_id, use

    def reported_as(self, chip_id: str, use: Use) -> "Quantities":
        """The same figures, which report their reads as rows of that chip."""
        return Quantities(self._items, chip_id, use)

    def find(self, field: str) -> Quantity | None:
        """The figure at a dotted path; None where there is none."""
        self._use(Row("quantity", self._chip_id, field))
        return self._by_field.get(field)

    @property
    def fields(self) -> tuple[str, ...]:
        """Which figures there are."""
        self._use(Row("fields", self._chip_id))
        return tuple(self._by_field)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One accelerator package as its sources describe it, with dense peaks, in base units.

    `quantities` holds the figures with their sources; the properties give the same numbers for use in
    formulas and raise MissingFigureError where the sources give no figure.
    """

    id: str
    name: str
    short_name: str
    """For labels: `H200`, `TPU v5p`."""
    vendor: str
    kind: Kind
    architecture: str | None
    year: int
    """Year of introduction."""
    memory_type: str
    interconnect: str
    """Kind of its links to other chips; `none` where there are none."""
    topology: str
    """How they connect chips; `none` where there are none."""
    topology_zh: str = ""
    """The same in Chinese, for readers; empty where nobody wrote it."""
    pod_shape: str | None
    """Chips along each axis of the largest pod, such as `16x20x28`; None where not known."""
    quantities: Quantities
    prices: Reported[Price]
    conflicts: Reported[Conflict]
    aliases: tuple[str, ...] = ()
    """Other names that people look it up by: `Trillium`."""
    provisional: Note | None = None
    """Where its figures come from if no data sheet of a part on sale has them; None for other chips."""

    def reporting(self, use: Use) -> "Chip":
        """The same chip, which calls `use` with each row of its figures that is read."""
        return replace(
            self,
            quantities=self.quantities.reported_as(self.id, use),
            prices=self.prices.reporting(partial(use, Row("prices", self.id))),
            conflicts=self.conflicts.reporting(partial(use, Row("conflicts", self.id))),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is found by."""
        return (self.id, self.short_name, *self.aliases)

    @property
    def family(self) -> Kind:
        """`gpu`, `tpu` or `npu`; decides a chip's hue in figures."""
        return self.kind

    def quantity(self, field: str) -> Quantity:
        """The figure at a dotted path such as `memory.bandwidth`, with its source.

        Raises MissingFigureError where the chip has none.
        """
        found = self.quantities.find(field)
        if found is not None:
            return found
        known = ", ".join(self.quantities.fields)
        raise MissingFigureError(f"{self.short_name} has no value {field!r}; known: {known}")

    def has(self, field: str) -> bool:
        """Whether the sources give a figure at this dotted path."""
        return self.quantities.find(field) is not None

    def conflicts_about(self, field: str) -> tuple[Conflict, ...]:
        """The recorded disagreements about one figure; empty for most."""
        return tuple(conflict for conflict in self.conflicts if conflict.field == field)

    @property
    def year_sources(self) -> tuple[str, ...]:
        """Ids of the sources that say when it came; empty where nobody who was read does."""
        return tuple(claim.source for conflict in self.conflicts_about("year") for claim in conflict.claims)

    @property
    def dtypes(self) -> tuple[DType, ...]:
        """Formats with a known dense peak, in the catalogue's order."""
        return tuple(
            cast(DType, field.removeprefix("peak_dense."))  # the schema allows only dtypes here
            for field in self.quantities.fields
            if field.startswith("peak_dense.")
        )

    def peak_flops_per_s(self, dtype: DType) -> float:
        """Dense peak in one format, in FLOP/s (operations per second for integers).

        Raises MissingFigureError where the chip has none: peaks are never converted between formats.
        """
        peak = self.quantities.find(f"peak_dense.{dtype}")
        if peak is None:
            near = () if dtype in DTYPES else difflib.get_close_matches(dtype, self.dtypes, n=1)
            hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(self.dtypes)}"
            raise MissingFigureError(f"{self.short_name} has no {dtype} peak; {hint}")
        return peak.value

    @property
    def memory_bytes(self) -> int:
        """Capacity of main memory."""
        return int(self.quantity("memory.capacity").value)

    @property
    def memory_bandwidth_bytes_per_s(self) -> float:
        """Peak bandwidth of main memory."""
        return self.quantity("memory.bandwidth").value

    def roofline(self, dtype: DType) -> Roofline:
        """Roofline of the dense peak in `dtype` and main memory."""
        return Roofline(
            peak_flops_per_s=self.peak_flops_per_s(dtype),
            memory_bandwidth_bytes_per_s=self.memory_bandwidth_bytes_per_s,
        )

    def ridge_flops_per_byte(self, dtype: DType) -> float:
        """Ridge point: the arithmetic intensity at which the two roofs meet."""
        return self.roofline(dtype).ridge_flops_per_byte

    @property
    def processor_count(self) -> int:
        """Number of SMs of a GPU (of compute units for AMD), the units to which thread blocks are assigned.

        In a package with two dies (MI250X) both are counted, although a kernel runs on one.
        """
        field = "compute_units.cus" if self.has("compute_units.cus") else "compute_units.sms"
        return int(self.quantity(field).value)

    @property
    def mxu_count(self) -> int:
        """Number of systolic arrays of a TPU, all TensorCores together."""
        return int(self.quantity("mxu.total").value)

    @property
    def mxu_rows_count(self) -> int:
        """Rows of one systolic array: the extent of a weight tile along k."""
        return int(self.quantity("mxu.rows").value)

    @property
    def mxu_columns_count(self) -> int:
        """Columns of one systolic array: the extent of a weight tile along n."""
        return int(self.quantity("mxu.cols").value)

    @property
    def clock_hz(self) -> float:
        """Clock that the peak figures imply, otherwise the highest printed. For rooflines use the peaks.

        Sources print different clocks for different chips. The order of preference is tensor boost, boost,
        nominal, peak, maximum, and last the clock derived from a TPU's bf16 peak and its arrays. Raises
        MissingFigureError for TPU v6e and v7: no clock of theirs is published, and that of their published
        arrays would be implausible.
        """
        for field in ("tensor_boost", "boost", "nominal", "peak", "max"):
            if self.has(f"clock.{field}"):
                return self.quantity(f"clock.{field}").value
        if self.has("mxu.derived_clock"):
            return self.quantity("mxu.derived_clock").value
        side = f"{self.mxu_rows_count} x {self.mxu_columns_count}" if self.has("mxu.total") else ""
        hint = f"; its {self.mxu_count} arrays are {side}" if side else ""
        raise MissingFigureError(f"{self.short_name} has no clock: none is published{hint}")

    @property
    def tdp_w(self) -> float:
        """Thermal design power of the package or board."""
        return self.quantity("tdp").value

    @property
    def last_level_on_chip_bytes(self) -> int:
        """On-chip memory shared by all cores or managed by software: L2, or VMEM of all TensorCores."""
        if self.has("on_chip.vmem_per_core"):
            cores = self.quantity("tensor_cores").value
            return int(self.quantity("on_chip.vmem_per_core").value * cores)
        for field in ("on_chip.vmem", "on_chip.unified_buffer"):
            if self.has(field):
                return int(self.quantity(field).value)
        return int(self.quantity("on_chip.l2").value)

    @property
    def interconnect_bytes_per_s(self) -> float:
        """Rate to other chips in one direction, all links together.

        The printed rate; otherwise links times the rate of one; otherwise half of the bidirectional rate.
        """
        if self.has("interconnect.per_direction"):
            return self.quantity("interconnect.per_direction").value
        if self.has("interconnect.links") and self.has("interconnect.per_link_per_direction"):
            link = self.quantity("interconnect.per_link_per_direction").value
            return link * self.quantity("interconnect.links").value
        return self.quantity("interconnect.both_directions").value / 2

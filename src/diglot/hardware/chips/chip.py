"""Records of the catalogue: a chip, its figures, and where each figure comes from."""

from dataclasses import dataclass
from typing import Literal, cast, get_args

from diglot.hardware.dtypes import DType
from diglot.hardware.rooflines.roofline import Roofline

Kind = Literal["gpu", "tpu"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Tier = Literal["official", "secondary"]


class MissingFigureError(LookupError):
    """No figure of that name is known for that chip; the message names those that are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A publication that figures are taken from."""

    id: str
    title: str
    url: str
    as_of: str
    """Date of the text used, as exact as it is known: `2026`, `2026-01`, `2026-01-10`, `2025-2026`."""
    tier: Tier
    """`official`: the vendor, or the authors of the measurement."""
    note: str | None = None


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
    """Id of a `Source`; None where the figure is derived from others, as `note` then says."""
    as_of: str | None
    approximate: bool = False
    """Rounded, halved from a sparse figure, or known from secondary material only."""
    via: str | None = None
    """The vendor's page that the source itself cites."""
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A list price on a date; it goes stale."""

    usd_per_chip_s: float
    """Dollars for one chip and one second."""
    printed: str
    """As the source prints it: `7.912 USD/h`."""
    sku: str
    region: str
    date: str
    source: str
    approximate: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What one source says where sources disagree, as printed (in the unit of the figure in the file)."""

    value: float | str | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Sources that disagree about one figure of a chip, and the value that the catalogue uses."""

    field: str
    claims: tuple[Claim, ...]
    used: float | str | None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One accelerator package as its sources describe it. Dense peaks; base units.

    Figures are in `quantities`, each with its source; the properties are the same numbers for use in
    formulas. A property raises MissingFigureError where the sources give no figure.
    """

    id: str
    name: str
    short_name: str
    """For labels: `H200`, `TPU v5p`."""
    vendor: str
    kind: Kind
    architecture: str | None
    year: int
    """Of introduction."""
    memory_type: str
    interconnect: str
    topology: str
    pod_shape: str | None
    """`16x20x28`: chips along each axis of the largest pod; None where not known."""
    quantities: tuple[Quantity, ...]
    prices: tuple[Price, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def family(self) -> Kind:
        """`gpu` or `tpu`: what decides a chip's hue in figures."""
        return self.kind

    def quantity(self, field: str) -> Quantity:
        """The figure at a dotted path such as `memory.bandwidth`, with its source.

        Raises MissingFigureError.
        """
        for quantity in self.quantities:
            if quantity.field == field:
                return quantity
        known = ", ".join(quantity.field for quantity in self.quantities)
        raise MissingFigureError(f"{self.short_name} has no value {field!r}; known: {known}")

    def has(self, field: str) -> bool:
        """Whether the sources give a figure at this dotted path."""
        return any(quantity.field == field for quantity in self.quantities)

    def conflicts_about(self, field: str) -> tuple[Conflict, ...]:
        """The disagreements recorded about one figure, often none."""
        return tuple(conflict for conflict in self.conflicts if conflict.field == field)

    @property
    def dtypes(self) -> tuple[DType, ...]:
        """Formats with a known dense peak, in the catalogue's order."""
        return tuple(
            cast(DType, quantity.field.removeprefix("peak_dense."))  # the schema lets only dtypes stand here
            for quantity in self.quantities
            if quantity.field.startswith("peak_dense.")
        )

    def peak_flops_per_s(self, dtype: DType) -> float:
        """Dense peak in one format, FLOP/s (operations per second for integers).

        Raises MissingFigureError where the chip has none: nothing is converted from another format.
        """
        if dtype not in self.dtypes:
            known = ", ".join(self.dtypes)
            raise MissingFigureError(f"{self.short_name} has no {dtype} peak; known: {known}")
        return self.quantity(f"peak_dense.{dtype}").value

    @property
    def memory_bytes(self) -> int:
        """Capacity of the main memory."""
        return int(self.quantity("memory.capacity").value)

    @property
    def memory_bandwidth_bytes_per_s(self) -> float:
        """Peak rate of the main memory."""
        return self.quantity("memory.bandwidth").value

    def roofline(self, dtype: DType) -> Roofline:
        """The two roofs: dense peak in `dtype`, and main memory."""
        return Roofline(
            peak_flops_per_s=self.peak_flops_per_s(dtype),
            memory_bandwidth_bytes_per_s=self.memory_bandwidth_bytes_per_s,
        )

    def ridge_flops_per_byte(self, dtype: DType) -> float:
        """Intensity at which the two roofs meet."""
        return self.roofline(dtype).ridge_flops_per_byte

    @property
    def processor_count(self) -> int:
        """SMs of a GPU (compute units where the vendor is AMD): what a thread block is scheduled onto.

        Of a package with two dies (MI250X) both are counted, although one kernel runs on one.
        """
        field = "compute_units.cus" if self.has("compute_units.cus") else "compute_units.sms"
        return int(self.quantity(field).value)

    @property
    def mxu_count(self) -> int:
        """Systolic arrays of a TPU, all TensorCores together."""
        return int(self.quantity("mxu.total").value)

    @property
    def mxu_rows_count(self) -> int:
        """Rows of one systolic array: the depth of the product that one tile takes."""
        return int(self.quantity("mxu.rows").value)

    @property
    def mxu_columns_count(self) -> int:
        """Columns of one systolic array: the outputs that one tile makes."""
        return int(self.quantity("mxu.cols").value)

    @property
    def clock_hz(self) -> float:
        """Clock that the peak figures imply, else the highest printed. For rooflines use the peaks.

        Sources print different clocks for different chips; the order is tensor boost, boost, nominal, peak,
        maximum, and last the clock derived from a TPU's bf16 peak and its arrays.
        """
        for field in ("tensor_boost", "boost", "nominal", "peak", "max"):
            if self.has(f"clock.{field}"):
                return self.quantity(f"clock.{field}").value
        return self.quantity("mxu.derived_clock").value

    @property
    def tdp_w(self) -> float:
        """Design power of the package or board."""
        return self.quantity("tdp").value

    @property
    def last_level_on_chip_bytes(self) -> int:
        """On-chip memory that all cores share or that software manages: L2, or VMEM of all TensorCores."""
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

        Taken as printed; else links times the rate of one; else half of both directions.
        """
        if self.has("interconnect.per_direction"):
            return self.quantity("interconnect.per_direction").value
        if self.has("interconnect.links") and self.has("interconnect.per_link_per_direction"):
            link = self.quantity("interconnect.per_link_per_direction").value
            return link * self.quantity("interconnect.links").value
        return self.quantity("interconnect.both_directions").value / 2

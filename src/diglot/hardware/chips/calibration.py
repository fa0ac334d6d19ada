"""Calibration: the measured share of its roofs that a family of chips reaches, by kind of operator.

factors = load_calibration().find(load_catalogue()["h100-sxm"], "gemm")
factors.time_s(compute_time_s=…, memory_time_s=…)     # the ideal times of a roofline, made slower

There are four numbers per family and operator. `benchmarks/fit_calibration.py` fits them to published
measurements; `data/calibration.yaml` holds them with sources, counts and errors of the fit. They describe
ordinary library kernels as their authors timed them. A chip without measurements gets those of its kind.
"""

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import load_catalogue
from diglot.hardware.data import FOLDER, read_text
from diglot.hardware.data.located_yaml import Located, LocatedYamlError, read_located_yaml
from diglot.hardware.data.tables import Problems, Table, TableError, open_table
from diglot.hardware.sizes import Real, check_amount, check_rate, check_share, to_plain_float

CALIBRATION_PATH = FOLDER / "calibration.yaml"
SCHEMA = "calibration/1"

Operator = Literal["gemm", "elementwise", "softmax", "attention", "copy", "collective", "transfer"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)
KINDS = ("gpu", "tpu")
"""Families that are not listed, because they cover all chips of their kind."""


class CalibrationError(ValueError):
    """The calibration file breaks the schema; one line per problem."""


class MissingCalibrationError(LookupError):
    """There is no measurement of that operator on the chip's family or on any chip of its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """Efficiencies that turn the ideal compute and memory times of a kernel into an expected time.

    launch + sqrt(r^2 + d^2), with r = max(c, m) + (1 - overlap) min(c, m) of the ideal times c and m over
    their fractions, and for a product d = depth_s sqrt(k / 1024), and c as if each part of k had
    `tile_overhead_elements` more.

    Never shorter than the ideal max(compute, memory), which the default factors give.
    """

    compute_fraction: float = 1.0
    """Share of the peak rate that long-running arithmetic reaches."""
    bandwidth_fraction: float = 1.0
    """Share of the peak bandwidth that large transfers reach."""
    overlap_fraction: float = 1.0
    """Share of the shorter of the two times that is hidden behind the longer."""
    launch_s: float = 0.0
    """Launch overhead of a kernel, independent of its size."""
    depth_s: float = 0.0
    """What a product with few tiles takes for a depth of 1,024, whose k is split into the best number of
    parts: 2 sqrt(time of a step x time to add a part x k), so it grows with the root of k. Steps of many
    tiles hide behind each other's traffic and arithmetic: hence the sum of squares."""
    tile_overhead_elements: float = 0.0
    """Depth that every tile of a product costs beyond its own: until operands arrive, and while results are
    written."""

    def __post_init__(self) -> None:
        for name in ("compute_fraction", "bandwidth_fraction"):
            if check_rate(name, getattr(self, name)) > 1:
                raise ValueError(f"{name} must be at most 1, not {getattr(self, name)!r}")
        check_share("overlap_fraction", self.overlap_fraction)
        for name in ("launch_s", "depth_s", "tile_overhead_elements"):
            check_amount(name, getattr(self, name))

    def time_s(
        self,
        *,
        compute_time_s: Real,
        memory_time_s: Real,
        depth_elements: Real = 0.0,
        part_elements: "Real | None" = None,
    ) -> Real:
        """Time of a kernel, or of an array of kernels, from its ideal times.

        `depth_elements` is the k of a product, 0 for other kernels; `part_elements` is the depth of a part
        where k is split, by default all of k.
        Raises ValueError for a time that is negative or not finite.
        """
        depth = np.asarray(check_amount("depth_elements", depth_elements))
        part = depth if part_elements is None else np.asarray(check_amount("part_elements", part_elements))
        deeper = np.where(part > 0, 1 + self.tile_overhead_elements / np.maximum(part, 1), 1.0)
        compute = np.asarray(check_amount("compute_time_s", compute_time_s)) * deeper / self.compute_fraction
        memory = np.asarray(check_amount("memory_time_s", memory_time_s)) / self.bandwidth_fraction
        shown = (1 - self.overlap_fraction) * np.minimum(compute, memory)
        deep_s = self.depth_s * np.sqrt(depth / 1024)
        return to_plain_float(self.launch_s + np.hypot(np.maximum(compute, memory) + shown, deep_s))


IDEAL = Factors()
"""No losses: both roofs reached, perfect overlap, no launch overhead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Factors of one family and operator, and the measurements they were fitted to."""

    family: str
    operator: Operator
    factors: Factors
    case_counts: tuple[tuple[str, int], ...]
    """Ids of the sources with the number of measurements of each."""
    median_error_fraction: float
    """Error of the fit: median of |model / measurement - 1|."""
    leave_one_out_median_error_fraction: float | None
    """The same with each measurement predicted from the family's others; None where there are no others."""
    leave_one_out_within_quarter_fraction: float | None
    """Share of the measurements that such a prediction matches within 25%."""

    @property
    def case_count(self) -> int:
        """Number of measurements of all sources together."""
        return sum(count for _, count in self.case_counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurements:
    """A publication of measurements."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Chips that share one set of factors per operator."""

    id: str
    architectures: tuple[str, ...]
    """Architectures as named in the catalogue."""
    chips: tuple[str, ...]
    """Ids of chips that name no architecture or are not in the catalogue."""


def _find_measured_kind(chip: Chip) -> str:
    """The kind whose measurements stand in for those of a chip; of other accelerators there are none."""
    return chip.kind if chip.kind in KINDS else "gpu"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """All fits, with their families and sources."""

    sources: tuple[Measurements, ...]
    families: tuple[Family, ...]
    """Listed families. `gpu` and `tpu`, which cover all chips of their kind, are not listed."""
    fits: tuple[Fit, ...]

    def family_of(self, chip: Chip | str) -> str | None:
        """Family of a chip, or of the id of one; None where no family lists it."""
        if isinstance(chip, str):
            chip = load_catalogue().get(chip, chip)  # some that were measured are not in the catalogue
        id_, architecture = (chip, None) if isinstance(chip, str) else (chip.id, chip.architecture)
        for family in self.families:
            if id_ in family.chips or architecture in family.architectures:
                return family.id
        return None

    def find_fit(self, chip: Chip | str, operator: Operator) -> Fit:
        """The fit for an operator on a chip: that of its family, otherwise that of its kind.

        A text is an id of the catalogue or of a family, or the kind itself, `gpu` or `tpu`.
        Raises UnknownChipError for any other text, and MissingCalibrationError where there is no fit.
        """
        family = self.family_of(chip)
        if isinstance(chip, Chip):
            kind = _find_measured_kind(chip)
        elif chip in KINDS:
            kind = chip
        elif family is not None and chip not in load_catalogue():
            kind = "tpu" if chip.startswith("tpu") else "gpu"
        else:
            kind = _find_measured_kind(load_catalogue()[chip])
        for name in (family, kind):
            for fit in self.fits:
                if (fit.family, fit.operator) == (name, operator):
                    return fit
        shown = chip if isinstance(chip, str) else chip.short_name
        raise MissingCalibrationError(f"there is no measurement of {operator} on a {kind} such as {shown}")

    def find(self, chip: Chip | str, operator: Operator) -> Factors:
        """The factors of `find_fit`."""
        return self.find_fit(chip, operator).factors


def load_calibration() -> Calibration:
    """The calibration of `data/calibration.yaml`, read at every call; the same text is parsed once."""
    return _parse_calibration_once(read_text(CALIBRATION_PATH))


def parse_calibration(text: str, *, path: str = "calibration.yaml") -> Calibration:
    """The calibration that `text` describes; `path` names the file in error messages.

    Raises CalibrationError with every problem found: file, line, key and problem.
    """
    problems = Problems()
    try:
        calibration = _read_calibration(read_located_yaml(text), problems)
    except LocatedYamlError as error:
        raise CalibrationError(f"{path}:{error.line}: {error.problem}") from error
    except TableError as error:
        problems.found.append(error)
    if problems.found:
        found = sorted(problems.found, key=lambda problem: problem.line)
        raise CalibrationError("\n".join(f"{path}:{problem}" for problem in found))
    return calibration


@lru_cache(maxsize=1)
def _parse_calibration_once(text: str) -> Calibration:
    return parse_calibration(text, path=CALIBRATION_PATH.name)


def _read_calibration(document: Located, problems: Problems) -> Calibration:
    top = open_table(document, "")
    top.check_keys(("schema", "sources", "families", "fits"))
    top.text("schema", among=(SCHEMA,))
    sources = problems.attempt_each(_read_source, list(top.tables("sources")))
    families = problems.attempt_each(_read_family, list(top.tables("families")))
    known_sources = [source.id for source in sources]
    known_families = [*(family.id for family in families), "gpu", "tpu"]

    def read_fit(table: Table) -> Fit:
        return _read_fit(table, known_families, known_sources)

    fits = problems.attempt_each(read_fit, list(top.tables("fits")))
    return Calibration(sources=tuple(sources), families=tuple(families), fits=tuple(fits))


def _read_source(table: Table) -> Measurements:
    table.check_keys(("id", "title", "url"))
    return Measurements(id=table.text("id"), title=table.text("title"), url=table.address("url"))


def _read_family(table: Table) -> Family:
    table.check_keys(("id", "architectures", "chips"))
    return Family(
        id=table.text("id"),
        architectures=_read_texts(table, "architectures"),
        chips=_read_texts(table, "chips"),
    )


def _read_texts(table: Table, key: str) -> tuple[str, ...]:
    values = [item.value for item in table.items(key)]
    if not all(isinstance(value, str) for value in values):
        raise table.error(key, "must be a list of texts")
    return tuple(str(value) for value in values)


def _read_fit(table: Table, families: list[str], sources: list[str]) -> Fit:
    numbers = ("compute_fraction", "bandwidth_fraction", "overlap_fraction", "launch_s")
    errors = [field.name for field in fields(Fit) if field.name.endswith("_fraction")]
    table.check_keys(("family", "operator", *numbers, "cases", *errors))
    operator: Any = table.text("operator", among=OPERATORS)
    counts = table.table("cases")
    counts.check_keys(sources)
    values = {name: table.amount(name) for name in numbers}
    try:
        factors = Factors(**values)
    except ValueError as error:
        raise table.error(str(error).split()[0], str(error)) from error
    left_out = {name: table.amount(name) for name in errors[1:] if name in table.members}
    return Fit(
        family=table.text("family", among=families),
        operator=operator,
        factors=factors,
        case_counts=tuple((id_, int(counts.number(id_))) for id_ in counts.members),
        median_error_fraction=table.amount(errors[0]),
        leave_one_out_median_error_fraction=left_out.get("leave_one_out_median_error_fraction"),
        leave_one_out_within_quarter_fraction=left_out.get("leave_one_out_within_quarter_fraction"),
    )

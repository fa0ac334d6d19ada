"""What kernels of GPUs take when a CUDA graph replays them: fits per chip, operator and number format.

factors = load_replay().find(load_catalogue()["h100-sxm"], "gemm", "fp8")
factors.time_s(compute_time_s=…, memory_time_s=…)     # the ideal times of a product, made slower

`calibration` has factors that were fitted to what papers print, often timed through a framework, a kernel at
a time. The fits here are to tables of single kernels without any launch from the host, as a serving engine
runs them; so they come first wherever a calibrated time is asked for, and a launch is added where the host is
to start every kernel. `benchmarks/fit_calibration.py` fits them; `data/replay.yaml` holds them with their
errors on points that were left out.
"""

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np

from diglot.hardware.chips.calibration import CalibrationError, Factors, Measurements, load_calibration
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import load_catalogue
from diglot.hardware.data import FOLDER, read_text
from diglot.hardware.data.located_yaml import LocatedYamlError, read_located_yaml
from diglot.hardware.data.tables import Problems, Table, TableError, open_table
from diglot.hardware.dtypes import DTYPES, DType, bytes_per_element
from diglot.hardware.sizes import (
    Real,
    check_amount,
    check_choice,
    check_rate,
    check_size,
    to_float,
    to_plain_float,
)

REPLAY_PATH = FOLDER / "replay.yaml"
SCHEMA = "replay/1"

ReplayedOperator = Literal[
    "gemm", "experts", "context attention", "decode attention", "elementwise", "nccl", "one-shot all-reduce"
]
REPLAYED_OPERATORS: tuple[ReplayedOperator, ...] = get_args(ReplayedOperator)
Launches = Literal["graph", "host"]
"""Who starts the kernels: a graph that is replayed as a whole, or the host, one after another."""
LAUNCHES: tuple[Launches, ...] = get_args(Launches)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertFactors(Factors):
    """Factors of the feed-forward of experts: both grouped products, with all that is done to their rows.

    Rows are sorted by expert, quantised, activated, weighted and summed in kernels of their own, each of
    which passes them through memory.
    """

    row_passes_count: float = 0.0
    """How many times reading and writing all rows once, at full bandwidth, these kernels take."""

    def __post_init__(self) -> None:
        super(ExpertFactors, self).__post_init__()
        check_amount("row_passes_count", self.row_passes_count)

    def layer_time_s(
        self, *, compute_time_s: Real, memory_time_s: Real, rows_time_s: Real, depth_step_s: Real = 0.0
    ) -> Real:
        """Time of the layer from the ideal times of its products and of one pass of its rows.

        `depth_step_s` is the arithmetic if all tiles were deeper by one element.
        """
        arithmetic_s = compute_time_s + self.tile_overhead_elements * depth_step_s
        products_s = self.time_s(compute_time_s=arithmetic_s, memory_time_s=memory_time_s)
        return to_plain_float(products_s + self.row_passes_count * rows_time_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionFactors:
    """Factors of fused attention: launch + arithmetic / share + traffic / share + 2 sqrt(ramp x traffic).

    Arithmetic is the products and exponentials of the scores, one after the other, and a part of what the
    last block of queries takes alone. Every query costs as much as if it saw some keys more: blocks at the
    diagonal are computed whole, and each has a beginning and an end.
    """

    compute_fraction: float = 1.0
    bandwidth_fraction: float = 1.0
    launch_s: float = 0.0
    query_overhead_tokens: float = 0.0
    """Keys that each query costs beyond those that it sees."""
    tail_fraction: float = 0.0
    """Share of the longest block's time that no other block hides."""
    ungrouped_fraction: float = 1.0
    """Share of that bandwidth left where every head has keys of its own, so that single queries cannot use
    the matrix units."""
    ramp_s: float = 0.0
    """Time until traffic flows. Split into the best number of parts, it costs 2 sqrt(ramp x traffic)."""

    def __post_init__(self) -> None:
        _check_fractions(self)
        for name in ("launch_s", "query_overhead_tokens", "tail_fraction", "ramp_s"):
            check_amount(name, getattr(self, name))

    def time_s(
        self,
        *,
        score_time_s: Real,
        scores_per_query: Real,
        block_time_s: Real,
        memory_time_s: Real,
        ungrouped: Any = False,
    ) -> Real:
        """Time of a kernel from the ideal times of all scores, of the longest block, and of the traffic.

        `scores_per_query` is the mean number of keys that a query sees, `ungrouped` whether every head has
        keys of its own.
        """
        scores_s = score_time_s * (1 + self.query_overhead_tokens / np.asarray(scores_per_query))
        arithmetic_s = (scores_s + self.tail_fraction * block_time_s) / self.compute_fraction
        share = self.bandwidth_fraction * np.where(ungrouped, self.ungrouped_fraction, 1.0)
        traffic_s = memory_time_s / share + 2 * np.sqrt(self.ramp_s * memory_time_s)
        return to_plain_float(self.launch_s + arithmetic_s + traffic_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveFactors:
    """Factors of a library's collectives: steps that grow with the chips, and data that flows through them.

    The root of the sum of squares of a + b n and data / share + 2 sqrt(ramp x data): the protocols for small
    arrays hide the data behind the steps, those for large ones the steps behind the data. The ramp is what
    chunks of the best size cost (as in the pipelined ring of `algorithms`' source).
    """

    launch_s: float = 0.0
    per_chip_s: float = 0.0
    bandwidth_fraction: float = 1.0
    ramp_s: float = 0.0

    def __post_init__(self) -> None:
        _check_fractions(self)
        for name in ("launch_s", "per_chip_s", "ramp_s"):
            check_amount(name, getattr(self, name))

    def time_s(
        self, *, chips_count: Any, data_time_s: Real, phases_count: int = 2, hops_s: Real = 0.0
    ) -> Real:
        """Time from the ideal time of the data. An all-reduce has two phases, other collectives one.

        One phase is taken to have half the steps, which nobody measured. `hops_s` are steps to chips beyond
        those that were measured.
        """
        chips = to_float(check_size("chips_count", chips_count))
        steps_s = (self.launch_s + self.per_chip_s * chips) * phases_count / 2 + hops_s
        data_s = data_time_s / self.bandwidth_fraction + 2 * np.sqrt(self.ramp_s * np.asarray(data_time_s))
        return to_plain_float(np.hypot(steps_s, data_s))


@dataclass(frozen=True, slots=True, kw_only=True)
class OneShotFactors:
    """Factors of an all-reduce in one step: every chip reads the whole arrays of all others and adds them."""

    launch_s: float = 0.0
    per_chip_s: float = 0.0
    bandwidth_fraction: float = 1.0

    def __post_init__(self) -> None:
        _check_fractions(self)
        for name in ("launch_s", "per_chip_s"):
            check_amount(name, getattr(self, name))

    def time_s(self, *, chips_count: Any, exchange_time_s: Real) -> Real:
        """Time from the ideal time in which a chip reads the arrays of all others."""
        steps_s = self.launch_s + self.per_chip_s * to_float(check_size("chips_count", chips_count))
        return to_plain_float(steps_s + exchange_time_s / self.bandwidth_fraction)


AnyFactors: TypeAlias = Factors | AttentionFactors | CollectiveFactors | OneShotFactors
FACTORS_OF: dict[ReplayedOperator, type[AnyFactors]] = {
    "gemm": Factors,
    "experts": ExpertFactors,
    "context attention": AttentionFactors,
    "decode attention": AttentionFactors,
    "elementwise": Factors,
    "nccl": CollectiveFactors,
    "one-shot all-reduce": OneShotFactors,
}
"""Operator → the record of its factors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayFit:
    """Factors of one chip, operator and format, with the points that they were fitted to."""

    chip: str
    operator: ReplayedOperator
    dtype: DType
    """Of the operands; of the cached keys and values for attention of single tokens."""
    factors: AnyFactors
    points_count: int
    median_error_fraction: float
    """Median of |fit / measurement - 1|."""
    left_out_median_error_fraction: float
    """The same for points whose shapes were left out of the fit."""
    left_out_within_quarter_fraction: float
    """Share of such predictions within 25 % of the measurement."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Replay:
    """All fits, and what the host's own launch of a kernel costs."""

    sources: tuple[Measurements, ...]
    host_launch_s: float
    """From one kernel to the next where a framework starts each, less what a replay takes."""
    host_collective_s: float
    """The same of a collective that is called again and again."""
    fits: tuple[ReplayFit, ...]

    def find_fit(
        self, chip: Chip, operator: ReplayedOperator, dtype: DType = "bf16", *, any_gpu: bool = False
    ) -> ReplayFit | None:
        """The fit of the chip, else of one of its family; None where none was measured.

        `any_gpu` lets other GPUs take the first fit there is. A format without a fit takes that of the
        measured format with as many bits, else of bf16.
        """
        check_choice("operator", operator, REPLAYED_OPERATORS)
        known = [fit for fit in self.fits if fit.operator == operator]
        own = [fit for fit in known if fit.chip == chip.id]
        for fit in own:
            if fit.dtype == dtype:
                return fit
        like, size = self._find_like(known, chip, any_gpu), bytes_per_element(dtype)
        for suits in (
            lambda fit: fit.dtype == dtype,
            lambda fit: bytes_per_element(fit.dtype) == size,
            lambda fit: fit.dtype == "bf16",
        ):
            for fit in (*own, *like):
                if suits(fit):
                    return fit
        return None

    def find(
        self, chip: Chip, operator: ReplayedOperator, dtype: DType = "bf16", *, any_gpu: bool = False
    ) -> AnyFactors | None:
        """The factors of `find_fit`."""
        fit = self.find_fit(chip, operator, dtype, any_gpu=any_gpu)
        return None if fit is None else fit.factors

    def _find_like(self, known: list[ReplayFit], chip: Chip, any_gpu: bool) -> list[ReplayFit]:
        """The fits of the family, those of the architecture first, or of the first chip for any GPU."""
        chips, calibration = load_catalogue(), load_calibration()  # once, because each reads its files
        family = calibration.family_of(chip)
        like = [
            fit
            for fit in known
            if family is not None and calibration.family_of(chips.get(fit.chip, fit.chip)) == family
        ]
        if like:
            return sorted(like, key=lambda fit: chips[fit.chip].architecture != chip.architecture)
        return [fit for fit in known if fit.chip == known[0].chip] if any_gpu and chip.kind == "gpu" else []


def load_replay() -> Replay:
    """The fits of `data/replay.yaml`, read at every call; the same text is parsed once."""
    return _parse_once(read_text(REPLAY_PATH))


def parse_replay(text: str, *, path: str = "replay.yaml") -> Replay:
    """The fits that `text` describes. Raises CalibrationError with every problem found."""
    problems = Problems()
    try:
        top = open_table(read_located_yaml(text), "")
        top.check_keys(("schema", "sources", "host_launch_s", "host_collective_s", "fits"))
        top.text("schema", among=(SCHEMA,))
        sources = problems.attempt_each(_read_source, list(top.tables("sources")))
        fits = problems.attempt_each(_read_fit, list(top.tables("fits")))
        launches_s = {name: top.number(name) for name in ("host_launch_s", "host_collective_s")}
    except LocatedYamlError as error:
        raise CalibrationError(f"{path}:{error.line}: {error.problem}") from error
    except TableError as error:
        raise CalibrationError(f"{path}:{error}") from error
    if problems.found:
        raise CalibrationError("\n".join(f"{path}:{problem}" for problem in problems.found))
    return Replay(sources=tuple(sources), fits=tuple(fits), **launches_s)


@lru_cache(maxsize=1)
def _parse_once(text: str) -> Replay:
    return parse_replay(text, path=REPLAY_PATH.name)


def _read_source(table: Table) -> Measurements:
    table.check_keys(("id", "title", "url"))
    return Measurements(id=table.text("id"), title=table.text("title"), url=table.address("url"))


def _read_fit(table: Table) -> ReplayFit:
    operator = cast(ReplayedOperator, table.text("operator", among=REPLAYED_OPERATORS))
    record = FACTORS_OF[operator]
    numbers = [field.name for field in fields(record)]
    errors = [field.name for field in fields(ReplayFit) if field.name.endswith("_fraction")]
    table.check_keys(("chip", "operator", "dtype", *numbers, "points", *errors))
    values = {name: table.amount(name) for name in numbers if name in table.members}
    try:
        factors = record(**values)
    except ValueError as error:
        raise table.error(str(error).split()[0], str(error)) from error
    return ReplayFit(
        chip=table.text("chip"),
        operator=operator,
        dtype=cast(DType, table.text("dtype", among=DTYPES)),
        factors=factors,
        points_count=int(table.number("points")),
        **{name: table.amount(name) for name in errors},
    )


def _check_fractions(record: Any) -> None:
    for field in fields(record):
        if field.name in ("compute_fraction", "bandwidth_fraction", "ungrouped_fraction"):
            value = check_rate(field.name, getattr(record, field.name))
            if np.any(np.asarray(value) > 1):
                raise ValueError(f"{field.name} must be at most 1, not {value!r}")

"""Fit the factors of replayed kernels to points of peer_operators.csv; see `fit_calibration.py`."""

import csv
import io
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
# `tests` is not an installed package, and this script runs in a checkout. Hence imports after a statement.
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

import numpy as np  # noqa: E402  (needs the path above)

from diglot.hardware import (  # noqa: E402  (needs the path above)
    ExpertLayer,
    estimate_collective,
    estimate_gpu_gemm,
    find_network,
    load_calibration,
    load_catalogue,
    time_attention,
)
from diglot.hardware.chips.calibration_fit import fit_numbers  # noqa: E402  (needs the path above)
from diglot.hardware.chips.replay import (  # noqa: E402  (needs the path above)
    FACTORS_OF,
    AnyFactors,
    ReplayedOperator,
    ReplayFit,
)
from diglot.hardware.gpus.attention_time import count_exponentials_per_s  # noqa: E402  (needs the path above)
from diglot.hardware.networks.collectives import count_bus_factor  # noqa: E402  (needs the path above)
from diglot.hardware.networks.libraries import Library  # noqa: E402  (needs the path above)
from diglot.hardware.networks.topologies import Island  # noqa: E402  (needs the path above)
from diglot.hardware.operators.layer_time import (  # noqa: E402  (needs the path above)
    find_block_time_s,
    time_expert_products,
)
from diglot.hardware.operators.operator_time import find_processors  # noqa: E402  (needs the path above)
from diglot.hardware.validation.case_files import read_case_file  # noqa: E402  (needs the path above)
from diglot.hardware.validation.judging import DATA as MEASURED  # noqa: E402  (needs the path above)
from tests.reference.peer_points import Point, read_attention, read_expert_formats  # noqa: E402  (needs the path above)
from tests.reference.peer_steps import Step, list_elementwise  # noqa: E402  (needs the path above)

FOLDS_COUNT = 8
SMALL_BYTES = 4 * 2**20
"""Largest arrays of which nccl-tests tell what a call adds."""
NEAR_FRACTION = 0.25

Inputs = Mapping[str, Any]
"""Ideal times and sizes from which the factors of an operator make a time, an entry for each point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """How one factor is fitted: on a logarithmic scale unless `plain`."""

    start: float
    least: float
    most: float
    plain: bool = False

    def scale(self, value: float) -> float:
        """The value on the scale of the fit."""
        return value if self.plain else float(np.log(value))

    def unscale(self, value: float) -> float:
        """The reverse of `scale`."""
        return float(value if self.plain else np.exp(value))


_SHARE = Number(start=0.8, least=0.1, most=1.0)
_OVERLAP = Number(start=0.9, least=0.0, most=1.0, plain=True)


def _time(start: float) -> Number:
    return Number(start=start, least=start / 100, most=start * 30)


NUMBERS: Mapping[ReplayedOperator, Mapping[str, Number]] = {
    "gemm": {
        "compute_fraction": _SHARE,
        "bandwidth_fraction": _SHARE,
        "overlap_fraction": _OVERLAP,
        "launch_s": _time(3e-6),
        "depth_s": _time(5e-7),
        "tile_overhead_elements": Number(start=100.0, least=1.0, most=1000.0),
    },
    "experts": {
        "compute_fraction": _SHARE,
        "bandwidth_fraction": _SHARE,
        "overlap_fraction": Number(start=0.5, least=0.0, most=1.0, plain=True),
        "launch_s": _time(2e-5),
        "row_passes_count": Number(start=2.0, least=0.01, most=30.0),
    },
    "context attention": {
        "compute_fraction": _SHARE,
        "bandwidth_fraction": _SHARE,
        "launch_s": _time(1e-5),
        "query_overhead_tokens": Number(start=200.0, least=1.0, most=2000.0),
        "tail_fraction": Number(start=0.6, least=0.01, most=3.0),
    },
    "decode attention": {
        "bandwidth_fraction": _SHARE,
        "launch_s": _time(1e-5),
        "ramp_s": Number(start=3e-7, least=3e-9, most=1e-6),
        "ungrouped_fraction": Number(start=0.7, least=0.1, most=1.0),
    },
    "elementwise": {"bandwidth_fraction": _SHARE, "launch_s": _time(3e-6)},
    "nccl": {
        "launch_s": _time(3e-6),
        "per_chip_s": _time(2e-6),
        "bandwidth_fraction": _SHARE,
        "ramp_s": _time(5e-6),
    },
    "one-shot all-reduce": {
        "launch_s": _time(3e-6),
        "per_chip_s": _time(3e-7),
        "bandwidth_fraction": Number(start=0.6, least=0.1, most=1.0),
    },
}
"""Operator → its factors, with typical values as starts, towards which undetermined ones are pulled."""
PUBLISHED: Mapping[tuple[ReplayedOperator, str], Mapping[str, float]] = {
    # Few points have shallow products, so that they hardly tell it: from the rates of DeepGEMM (test_replay).
    ("experts", "fp8"): {"tile_overhead_elements": 710.0},
    ("experts", "fp4"): {"tile_overhead_elements": 710.0},
}
"""Operator and format → factors that others measured, which are not fitted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerFit:
    """Factors of one chip, operator and format, with the relative errors of its points."""

    chip: str
    operator: ReplayedOperator
    dtype: str
    factors: AnyFactors
    points: tuple[Point, ...]
    """Those that it was fitted to; none for sums of kernels."""
    errors: tuple[float, ...]
    left_out_errors: tuple[float, ...]
    """Under fits to the points of other shapes."""

    def write(self) -> list[str]:
        """The entry of data/replay.yaml."""
        left_out = np.abs(self.left_out_errors)
        names = (*NUMBERS[self.operator], *PUBLISHED.get((self.operator, self.dtype), ()))
        numbers = ", ".join(f"{name}: {getattr(self.factors, name):.4g}" for name in names)
        return [
            f"  - {{chip: {self.chip}, operator: {self.operator}, dtype: {self.dtype}, {numbers},",
            f"     points: {len(self.errors)}, median_error_fraction: {np.median(np.abs(self.errors)):.3f},",
            f"     left_out_median_error_fraction: {np.median(left_out):.3f},",
            f"     left_out_within_quarter_fraction: {np.mean(left_out <= NEAR_FRACTION):.3f}}}",
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What is fitted: one chip, operator and format."""

    operator: ReplayedOperator
    dtype: str
    inputs: Inputs
    measured_s: Any
    shapes: Sequence[object]
    predict: Callable[[AnyFactors, Inputs], Any]
    points: tuple[Point, ...] = ()

    def fit(self, some: Any) -> AnyFactors:
        """Factors from the points that `some` selects."""
        numbers = NUMBERS[self.operator]
        inputs = {name: _select(values, some) for name, values in self.inputs.items()}

        def make(scaled: Any) -> AnyFactors:
            pairs = zip(numbers.items(), scaled, strict=True)
            found = {name: number.unscale(value) for (name, number), value in pairs}
            return FACTORS_OF[self.operator](**found, **PUBLISHED.get((self.operator, self.dtype), {}))

        scaled = fit_numbers(
            lambda each: self.predict(make(each), inputs),
            self.measured_s[some],
            start=[number.scale(number.start) for number in numbers.values()],
            least=[number.scale(number.least) for number in numbers.values()],
            most=[number.scale(number.most) for number in numbers.values()],
        )
        return make(scaled)

    def find_errors(self, factors: AnyFactors) -> Any:
        """Predicted over measured times, less 1."""
        return self.predict(factors, self.inputs) / self.measured_s - 1

    def summarise(self, chip: str) -> PeerFit:
        """The fit to all points, and the errors of each left out with those of its shape."""
        known = list(dict.fromkeys(self.shapes))
        folds = np.array([known.index(shape) % min(FOLDS_COUNT, len(known)) for shape in self.shapes])
        left_out = np.empty(len(folds))
        for fold in np.unique(folds):
            mine = folds == fold
            if not mine.all():
                left_out[mine] = self.find_errors(self.fit(~mine))[mine]
        factors = self.fit(np.ones(len(folds), dtype=bool))
        return PeerFit(
            chip=chip,
            operator=self.operator,
            dtype=self.dtype,
            factors=factors,
            points=self.points,
            errors=tuple(self.find_errors(factors)),
            left_out_errors=tuple(left_out),
        )


def _select(values: Any, some: Any) -> Any:
    return values[some] if isinstance(values, np.ndarray) else values


def _gather(rows: Iterable[Mapping[str, float]]) -> Inputs:
    listed = list(rows)
    return {name: np.array([row[name] for row in listed]) for name in listed[0]}


def _predict_plainly(factors: Any, inputs: Inputs) -> Any:
    return factors.time_s(**inputs)


def _predict_experts(factors: Any, inputs: Inputs) -> Any:
    return factors.layer_time_s(**inputs)


def _read_gemm(point: Point) -> Mapping[str, float]:
    size = point.sizes
    gpu = find_processors(load_catalogue()[point.chip], point.dtype)
    if gpu is None:
        raise ValueError(f"the number of processors of {point.chip} is not known")
    run = estimate_gpu_gemm(
        *(size["m"], size["k"], size["n"]),
        gpu=gpu,
        split_count=None,
        dtype=point.dtype,
        result_dtype="bf16",
    )
    return {
        "compute_time_s": run.compute_time_s,
        "memory_time_s": run.memory_time_s,
        "depth_elements": size["k"],
        "part_elements": -(-size["k"] // run.split_count),
    }


def _read_experts(point: Point) -> Mapping[str, float]:
    chip, size = load_catalogue()[point.chip], point.sizes
    mine = ExpertLayer(
        width_elements=size["hidden"],
        inner_elements=size["inter"] // size["moe_tp"],
        experts_count=size["experts"] // size["moe_ep"],
        active_count=1,
    )
    rows = -(-size["tokens"] * size["topk"] // size["moe_ep"])
    run = time_expert_products(chip, mine, rows, **read_expert_formats(point))
    return {
        "compute_time_s": run.compute_time_s,
        "memory_time_s": run.memory_time_s,
        "rows_time_s": 4.0 * rows * size["hidden"] / chip.memory_bandwidth_bytes_per_s,
        "depth_step_s": run.depth_step_s,
    }


def _read_attention(point: Point) -> Mapping[str, float]:
    chip, (shape, formats) = load_catalogue()[point.chip], read_attention(point)
    products_s = 4 * shape.scores_elements * shape.head_elements / chip.peak_flops_per_s(formats["dtype"])
    return {
        "score_time_s": products_s + shape.scores_elements / count_exponentials_per_s(chip),
        "scores_per_query": shape.scores_elements
        / (shape.batch_count * shape.heads_count * shape.queries_tokens),
        "block_time_s": find_block_time_s(chip, shape, dtype=formats["dtype"]),
        "memory_time_s": time_attention(chip, shape, **formats).memory_time_s,
        "ungrouped": shape.queries_tokens == 1 and shape.heads_count == shape.kv_heads_count,
    }


def _read_collective(point: Point) -> Mapping[str, float]:
    network = find_network(load_catalogue()[point.chip], point.sizes["gpus"], reduces_in_network=False)
    run = estimate_collective("all-reduce", point.sizes["bytes"], network)
    return {"chips_count": point.sizes["gpus"], "data_time_s": run.bandwidth_time_s}


def _predict_elementwise(factors: Any, inputs: Inputs) -> Any:
    """All element-wise kernels of a step, one after the other."""
    traffic_s = inputs["memory_time_s"] / factors.bandwidth_fraction
    return factors.launch_s * inputs["kernels_count"] + traffic_s


READERS: Mapping[ReplayedOperator, tuple[str, Callable[[Point], Mapping[str, float]], Any]] = {
    "gemm": ("gemm", _read_gemm, _predict_plainly),
    "experts": ("moe", _read_experts, _predict_experts),
    "context attention": ("context-attention", _read_attention, _predict_plainly),
    "decode attention": ("decode-attention", _read_attention, _predict_plainly),
    "nccl": ("all-reduce-nccl", _read_collective, _predict_plainly),
}
"""Operator → that of the points, how their inputs are read, and how factors make a time of them."""


def fit_points(points: Sequence[Point], steps: Sequence[Step]) -> list[PeerFit]:
    """A fit for each chip, operator and format of the points, and for the element-wise parts of the steps."""
    fits = []
    chips = list(dict.fromkeys(point.chip for point in points))
    for operator, (name, read, predict) in READERS.items():
        for chip in chips:
            for dtype in ("bf16", "fp8", "fp4"):
                mine = [
                    each for each in points if (each.operator, each.chip, each.dtype) == (name, chip, dtype)
                ]
                if mine:
                    sample = _make_sample(operator, dtype, mine, _gather(map(read, mine)), predict)
                    fits.append(sample.summarise(chip))
    for chip in chips:
        fits += _fit_one_shot(chip, points, fits)
        fits += _fit_elementwise(chip, steps)
    return fits


def _make_sample(
    operator: ReplayedOperator, dtype: str, points: Sequence[Point], inputs: Inputs, predict: Any
) -> Sample:
    return Sample(
        operator=operator,
        dtype=dtype,
        inputs=inputs,
        measured_s=np.array([point.measured_s for point in points]),
        shapes=[point.shape for point in points],
        predict=predict,
        points=tuple(points),
    )


def _fit_one_shot(chip: str, points: Sequence[Point], fits: Sequence[PeerFit]) -> list[PeerFit]:
    """The steps of the custom kernel, which is quicker than NCCL or calls it."""
    mine = [each for each in points if (each.operator, each.chip) == ("all-reduce-custom", chip)]
    nccl = next((fit.factors for fit in fits if (fit.operator, fit.chip) == ("nccl", chip)), None)
    if not mine or nccl is None:
        return []
    inputs = {
        **_gather(map(_read_collective, mine)),
        "array_bytes": np.array([float(each.sizes["bytes"]) for each in mine]),
    }

    def predict(factors: AnyFactors, inputs: Inputs) -> Any:
        library = Library(nccl=nccl, one_shot=factors)
        # Only the number of chips matters: the time of the data is given.
        island = Island(chips_count=inputs["chips_count"].astype(np.int64), egress_bytes_per_s=1.0)
        times = {name: inputs[name] for name in ("data_time_s", "array_bytes")}
        return library.find_time_s("all-reduce", network=island, **times)

    return [_make_sample("one-shot all-reduce", "bf16", mine, inputs, predict).summarise(chip)]


def _fit_elementwise(chip: str, steps: Sequence[Step]) -> list[PeerFit]:
    rows = [row for step in steps if step.chip == chip for row in list_elementwise(step)]
    if not rows:
        return []
    sample = Sample(
        operator="elementwise",
        dtype="bf16",
        inputs=_gather([row.inputs for row in rows]),
        measured_s=np.array([row.measured_s for row in rows]),
        shapes=[row.model for row in rows],
        predict=_predict_elementwise,
    )
    return [sample.summarise(chip)]


def write_replay(fits: Sequence[PeerFit], points_path: Path) -> str:
    """The text of data/replay.yaml."""
    lines = [
        "# Factors of replayed kernels: read by diglot.hardware.chips.replay, written by",
        f"# benchmarks/fit_calibration.py from {points_path.name}.",
        "schema: replay/1",
        "sources:",
        "  - id: aiconfigurator",
        '    title: "aiconfigurator 0.12.0: times of kernels in CUDA graphs (TensorRT-LLM, NCCL, vLLM)"',
        "    url: https://pypi.org/project/aiconfigurator/0.12.0/",
        f"host_launch_s: {find_host_launch_s(fits):.2g}",
        f"host_collective_s: {find_host_collective_s(fits):.2g}",
        "fits:",
        *(line for fit in fits for line in fit.write()),
    ]
    return "\n".join(lines) + "\n"


def write_points(fits: Sequence[PeerFit]) -> str:
    """CSV with a row per point: measured, as fitted, and as predicted by fits to other shapes, in seconds."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("id", "operator", "chip", "measured_s", "calibrated_s", "left_out_s"))
    for fit in fits:
        errors = zip(fit.points, fit.errors, fit.left_out_errors, strict=bool(fit.points))
        for point, error, left_out in errors:
            times_s = (point.measured_s * (1 + each) for each in (0.0, error, left_out))
            row = (point.id, point.operator, point.chip, *(f"{time_s:.4g}" for time_s in times_s))
            writer.writerow(row)
    return text.getvalue()


def write_errors(fits: Sequence[ReplayFit]) -> list[str]:
    """The table of docs/measurements.md: a row for each fit, held-out errors first."""
    return [
        "| operator | chip | format | points | left out: median | within 25% | fitted: median |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: |",
        *(
            f"| {fit.operator} | {fit.chip} | {fit.dtype} | {fit.points_count}"
            f" | {fit.left_out_median_error_fraction:.1%} | {fit.left_out_within_quarter_fraction:.0%}"
            f" | {fit.median_error_fraction:.1%} |"
            for fit in fits
        ),
    ]


def find_host_launch_s(fits: Sequence[PeerFit]) -> float:
    """What a launch by the host adds to a product on an A100.

    LLMCompass and others timed its products through a framework (`calibration`), aiconfigurator in replays.
    """
    published = load_calibration().find(load_catalogue()["a100-80"], "gemm").launch_s
    replayed = next(fit.factors for fit in fits if (fit.chip, fit.operator) == ("a100-80", "gemm"))
    return published - replayed.launch_s


def find_host_collective_s(fits: Sequence[PeerFit]) -> float:
    """What a call adds to an all-reduce of at most 4 MB on eight GPUs: nccl-tests against replays."""
    added = []
    for row in read_case_file(MEASURED).cases:
        inputs = row["inputs"]
        if "nccl-tests" in row["source"].get("where", "") and inputs["bytes"] <= SMALL_BYTES:
            network = find_network(inputs["chip"], inputs["chips"], reduces_in_network=False)
            run = estimate_collective("all-reduce", inputs["bytes"], network)
            (nccl,) = [fit.factors for fit in fits if (fit.chip, fit.operator) == (inputs["chip"], "nccl")]
            replayed_s = nccl.time_s(chips_count=inputs["chips"], data_time_s=run.bandwidth_time_s)
            moved_bytes = inputs["bytes"] * count_bus_factor("all-reduce", inputs["chips"])
            added.append(moved_bytes / row["expected"][0]["value"] - replayed_s)
    return float(np.median(added))

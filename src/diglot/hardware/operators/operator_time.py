"""Time of one operator on one chip of the catalogue, ideal or calibrated by measurements.

time_gemm(load_catalogue()["h100-sxm"], 4096, 8192, 8192, mode="calibrated").time_s
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, cast, get_args

import numpy as np

from diglot.hardware.chips.calibration import (
    IDEAL,
    Factors,
    MissingCalibrationError,
    Operator,
    load_calibration,
)
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip, load_catalogue
from diglot.hardware.chips.replay import LAUNCHES, AnyFactors, Launches, load_replay
from diglot.hardware.chips.spreads import Estimate, Subject, bound_time, find_spread
from diglot.hardware.dtypes import DTYPES, DType
from diglot.hardware.gpus.gemm import GpuGemmRun, estimate_gpu_gemm
from diglot.hardware.gpus.grouped_gemm import estimate_grouped_gemm
from diglot.hardware.gpus.processors import GpuProcessors
from diglot.hardware.gpus.thread_blocks import find_thread_blocks
from diglot.hardware.gpus.traffic import L2Cache
from diglot.hardware.kernels.kernel import Kernel, count_batched_gemm, count_grouped_gemm
from diglot.hardware.sizes import Real, SizeLike, check_choice

Mode = Literal["ideal", "calibrated"]
MODES: tuple[Mode, ...] = get_args(Mode)

INSTEAD: Mapping[Operator, Operator] = MappingProxyType(
    {"attention": "gemm", "softmax": "elementwise", "elementwise": "copy"}
)
"""Operator without measurements on such chips → the most similar operator, whose factors it takes."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OperatorTime:
    """Time of one operator, or of an array of them, with its components."""

    compute_time_s: Real
    """Ideal compute time: at the peak, in whole tiles and waves where the number of processors is known."""
    memory_time_s: Real
    """Ideal memory time: at the peak bandwidth."""
    launch_time_s: Real
    """Launch overhead; 0 with ideal factors."""
    time_s: Real
    """Total time with the factors of the mode."""
    factors: AnyFactors
    chip: Chip | None = None
    subject: Subject | None = None
    """What says how sure a calibrated time is; None of an ideal one."""
    dtype: DType | None = None
    """Format of the operands."""

    @property
    def estimate(self) -> Estimate:
        """The total time with its 90% interval, never below the ideal; of an ideal time the bound."""
        if self.chip is None or self.subject is None:
            return bound_time(self.time_s)
        least = np.maximum(self.compute_time_s, self.memory_time_s)
        spread = find_spread(self.subject, self.chip, self.dtype, time_s=self.time_s)
        return spread.bracket(self.time_s, least=least)


SUBJECTS_OF: Mapping[Operator, Subject] = MappingProxyType(
    {
        "gemm": "product",
        "attention": "attention",
        "collective": "collective",
        "transfer": "collective",
        "copy": "copy",
        "elementwise": "copy",
        "softmax": "copy",
    }
)
"""Operator → what says how sure its calibrated times are."""


def time_gemm(
    chip: Chip | str,
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    batch_count: SizeLike = 1,
    dtype: DType = "bf16",
    result_dtype: DType | None = None,
    mode: Mode = "ideal",
    launches: Launches = "graph",
) -> OperatorTime:
    """Time of C[m, n] = A[m, k] @ B[k, n] on one chip, or of a batch of such products in one launch.

    On a GPU, with the fastest tiles, parts of k and order, and the catalogue's L2. On a TPU, and on a GPU
    without a known number of processors, the roofline of the product. The products of a batch share no
    operand. `dtype` is the format of A and B, and of C unless `result_dtype` is given (libraries write 16
    bits from products of 8). `launches` is that of `find_factors`.
    Raises ValueError for a size below 1 or not whole; LookupError where the chip has no peak in `dtype` or
    (in `calibrated` mode) no chip of its kind was measured.
    """
    chip = find_chip(chip)
    factors = find_factors(chip, "gemm", mode, dtype=dtype, launches=launches)
    gpu = find_processors(chip, dtype)
    if gpu is None:
        kernel = count_batched_gemm(batch_count, m, k, n, dtype=dtype, output_dtype=result_dtype)
        return _time(chip, kernel, dtype, factors, _find_subject(mode, "gemm"))
    run = estimate_gpu_gemm(
        m,
        k,
        n,
        gpu=gpu,
        split_count=None,
        batch_count=batch_count,
        factors=factors,
        dtype=dtype,
        result_dtype=result_dtype,
    )
    return _keep_times(run, factors, chip, dtype, _find_subject(mode, "gemm"))


def time_grouped_gemm(
    chip: Chip | str,
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    alike_count: SizeLike = 1,
    dtype: DType = "bf16",
    mode: Mode = "ideal",
    launches: Launches = "graph",
) -> OperatorTime:
    """Time of one launch of all products along the last axis of the sizes (`estimate_grouped_gemm`).

    m is the number of rows of each product and may be 0. On a TPU, and on a GPU without a known number of
    processors, the roofline of all products together. Calibration uses the factors of single products; for
    the two products of a layer of experts see `time_experts`.
    Raises as `time_gemm`, and ValueError for a launch without any rows.
    """
    chip = find_chip(chip)
    factors = find_factors(chip, "gemm", mode, dtype=dtype, launches=launches)
    gpu = find_processors(chip, dtype)
    if gpu is None:
        kernel = count_grouped_gemm(m, k, n, alike_count=alike_count, dtype=dtype)
        return _time(chip, kernel, dtype, factors, _find_subject(mode, "gemm"))
    run = estimate_grouped_gemm(
        m,
        k,
        n,
        gpu=gpu,
        alike_count=alike_count,
        factors=factors,
        dtype=dtype,
    )
    return _keep_times(run, factors, chip, dtype, _find_subject(mode, "gemm"))


def time_kernel(
    chip: Chip | str,
    kernel: Kernel,
    operator: Operator,
    *,
    dtype: DType = "bf16",
    mode: Mode = "ideal",
    launches: Launches = "graph",
) -> OperatorTime:
    """Time of a kernel on one chip, with the factors of `operator` and the peak of `dtype`.

    The peak is that of the matrix units even for kernels that cannot use them. It is only a bound, but all
    such kernels are memory-bound anyway.
    Raises LookupError where the chip has no such peak, or (in `calibrated` mode) nothing was measured.
    """
    chip = find_chip(chip)
    factors = find_factors(chip, operator, mode, dtype=dtype, launches=launches)
    return _time(chip, kernel, dtype, factors, _find_subject(mode, operator))


def find_factors(
    chip: Chip, operator: Operator, mode: Mode, *, dtype: DType = "bf16", launches: Launches = "graph"
) -> Factors:
    """Factors of an operator in a mode: of replayed kernels if such were measured, else of published ones.

    A chip takes those measured on itself, then on its family, then on its kind; then those of the most
    similar operator (`INSTEAD`). Products on a TPU get the bandwidth that its copies reach, since no measured
    product of a TPU was bound by memory. With `launches="host"` every kernel waits for the host to start it;
    factors of papers that timed kernels through a framework contain that already.
    Raises ValueError for an unknown mode, operator or way to launch, and MissingCalibrationError where
    nothing similar was measured.
    """
    check_choice("operator", operator, get_args(Operator))
    check_choice("mode", mode, MODES)
    check_choice("launches", launches, LAUNCHES)
    check_choice("dtype", dtype, DTYPES)
    if mode == "ideal":
        return IDEAL
    replayed = _find_replayed(chip, operator, dtype)
    if replayed is not None:
        replayed = add_launch(replayed, launches)
        if operator in ("gemm", "elementwise"):
            return cast(Factors, replayed)
    calibration = load_calibration()
    try:
        factors = calibration.find(chip, operator)
    except MissingCalibrationError:
        if operator not in INSTEAD:
            raise
        return find_factors(chip, INSTEAD[operator], mode, dtype=dtype, launches=launches)
    if operator == "gemm" and chip.kind == "tpu":
        copies = calibration.find(chip, "copy")
        factors = replace(factors, bandwidth_fraction=copies.bandwidth_fraction)
    if replayed is not None and operator in ("softmax", "copy"):
        # A softmax reaches another bandwidth than an element-wise kernel; both start alike.
        factors = replace(factors, launch_s=replayed.launch_s)
    return factors


def _find_replayed(chip: Chip, operator: Operator, dtype: DType) -> AnyFactors | None:
    """Factors of replayed products, or of element-wise kernels, which tell how any other kernel starts."""
    replay = load_replay()
    if operator != "gemm":
        return replay.find(chip, "elementwise", dtype, any_gpu=True)
    found = replay.find(chip, "gemm", dtype)
    if found is not None:
        return found
    calibration = load_calibration()
    family = calibration.family_of(chip)
    published = any((fit.family, fit.operator) == (family, operator) for fit in calibration.fits)
    return None if published else replay.find(chip, "gemm", dtype, any_gpu=True)


def add_launch(factors: AnyFactors, launches: Launches) -> AnyFactors:
    """The factors of a replayed kernel with what the host's launch adds, if the host is to start it."""
    check_choice("launches", launches, LAUNCHES)
    if launches == "graph":
        return factors
    return replace(factors, launch_s=factors.launch_s + load_replay().host_launch_s)


def find_processor_count(chip: Chip) -> int | None:
    """Number of SMs or compute units of a GPU; None where nothing tells it, and for a TPU.

    Where its sources give none, it is that of a chip of the same architecture with nearly the same peak: the
    same silicon at another clock. Without it a product would have no tiles, and be quicker than on its twin.
    """
    if _has_processors(chip):
        return chip.processor_count
    if chip.kind != "gpu" or chip.architecture is None:
        return None
    for like in load_catalogue().of_kind("gpu"):
        if like.architecture == chip.architecture and _has_processors(like):
            ratio = chip.peak_flops_per_s("bf16") / like.peak_flops_per_s("bf16")
            if 1 / TWIN_RATIO <= ratio <= TWIN_RATIO:
                return like.processor_count
    return None


TWIN_RATIO = 1.15
"""Peaks of twins differ by their clocks at most so much: those of GB200 and B200 by 1.11."""


def _has_processors(chip: Chip) -> bool:
    return chip.has("compute_units.sms") or chip.has("compute_units.cus")


def find_processors(chip: Chip, dtype: DType) -> GpuProcessors | None:
    """What products on a chip see of it; None where the number of its processors is not known."""
    processors = find_processor_count(chip)
    if processors is None:
        return None
    return GpuProcessors(
        roofline=chip.roofline(dtype),
        processor_count=processors,
        blocks=find_thread_blocks(chip),
        l2=find_l2(chip),
    )


def find_l2(chip: Chip) -> L2Cache | None:
    """The last-level cache; None where the sources give none.

    Its bandwidth is omitted even where the catalogue has one (Hopper's, 5.5 TB/s): with clusters of 16 no
    measured product contradicts it, but predictions do not improve (docs/measurements.md, "L2 and clusters").
    """
    for field in ("on_chip.infinity_cache", "on_chip.l2"):
        if chip.has(field):
            return L2Cache(capacity_bytes=chip.quantity(field).value)
    return None


def _find_subject(mode: Mode, operator: Operator) -> Subject | None:
    return None if mode == "ideal" else SUBJECTS_OF[operator]


def _keep_times(
    run: GpuGemmRun, factors: Factors, chip: Chip, dtype: DType, subject: Subject | None
) -> OperatorTime:
    return OperatorTime(
        compute_time_s=run.compute_time_s,
        memory_time_s=run.memory_time_s,
        launch_time_s=run.launch_time_s,
        time_s=run.time_s,
        factors=factors,
        chip=chip,
        subject=subject,
        dtype=dtype,
    )


def _time(
    chip: Chip, kernel: Kernel, dtype: DType, factors: Factors, subject: Subject | None
) -> OperatorTime:
    roofline = chip.roofline(dtype)
    compute_time_s, memory_time_s = roofline.compute_time_s(kernel), roofline.memory_time_s(kernel)
    return OperatorTime(
        compute_time_s=compute_time_s,
        memory_time_s=memory_time_s,
        launch_time_s=factors.launch_s,
        time_s=factors.time_s(compute_time_s=compute_time_s, memory_time_s=memory_time_s),
        factors=factors,
        chip=chip,
        subject=subject,
        dtype=dtype,
    )

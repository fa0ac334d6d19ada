"""Time of one operator on one chip of the catalogue, ideal or calibrated by measurements.

time_gemm(load_catalogue()["h100-sxm"], 4096, 8192, 8192, mode="calibrated").time_s
"""

from dataclasses import dataclass
from typing import Literal, get_args

from diglot.hardware.chips.calibration import IDEAL, Factors, Operator, load_calibration
from diglot.hardware.chips.chip import Chip
from diglot.hardware.dtypes import DType
from diglot.hardware.gpus.gemm import GpuGemmRun, estimate_gpu_gemm
from diglot.hardware.gpus.grouped_gemm import estimate_grouped_gemm
from diglot.hardware.gpus.thread_blocks import find_thread_blocks
from diglot.hardware.gpus.traffic import L2Cache
from diglot.hardware.kernels.kernel import Kernel, count_batched_gemm, count_grouped_gemm
from diglot.hardware.sizes import Real, SizeLike, check_choice

Mode = Literal["ideal", "calibrated"]


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
    factors: Factors


def time_gemm(
    chip: Chip,
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    batch_count: SizeLike = 1,
    dtype: DType = "bf16",
    mode: Mode = "ideal",
) -> OperatorTime:
    """Time of C[m, n] = A[m, k] @ B[k, n] on one chip, or of a batch of such products in one launch.

    On a GPU, with the fastest tiles, parts of k and order, and the catalogue's L2. On a TPU, and on a GPU
    without a known number of processors, the roofline of the product. The products of a batch share no
    operand.
    Raises ValueError for a size below 1 or not whole; LookupError where the chip has no peak in `dtype` or
    (in `calibrated` mode) no chip of its kind was measured.
    """
    factors = find_factors(chip, "gemm", mode)
    processors = find_processor_count(chip)
    if processors is None:
        return _time(chip, count_batched_gemm(batch_count, m, k, n, dtype=dtype), dtype, factors)
    run = estimate_gpu_gemm(
        m,
        k,
        n,
        roofline=chip.roofline(dtype),
        processor_count=processors,
        split_count=None,
        batch_count=batch_count,
        blocks=find_thread_blocks(chip),
        l2=find_l2(chip),
        factors=factors,
        dtype=dtype,
    )
    return _keep_times(run, factors)


def time_grouped_gemm(
    chip: Chip,
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    dtype: DType = "bf16",
    mode: Mode = "ideal",
) -> OperatorTime:
    """Time of one launch of all products along the last axis of the sizes (`estimate_grouped_gemm`).

    m is the number of rows of each product and may be 0. On a TPU, and on a GPU without a known number of
    processors, the roofline of all products together. Calibration uses the factors of single products, since
    none were fitted to groups. Raises as `time_gemm`, and ValueError for a launch without any rows.
    """
    factors = find_factors(chip, "gemm", mode)
    processors = find_processor_count(chip)
    if processors is None:
        return _time(chip, count_grouped_gemm(m, k, n, dtype=dtype), dtype, factors)
    run = estimate_grouped_gemm(
        m,
        k,
        n,
        roofline=chip.roofline(dtype),
        processor_count=processors,
        blocks=find_thread_blocks(chip),
        l2=find_l2(chip),
        factors=factors,
        dtype=dtype,
    )
    return _keep_times(run, factors)


def time_kernel(
    chip: Chip, kernel: Kernel, operator: Operator, *, dtype: DType = "bf16", mode: Mode = "ideal"
) -> OperatorTime:
    """Time of a kernel on one chip, with the factors of `operator` and the peak of `dtype`.

    The peak is that of the matrix units even for kernels that cannot use them. It is only a bound, but all
    such kernels are memory-bound anyway.
    Raises LookupError where the chip has no such peak, or (in `calibrated` mode) nothing was measured.
    """
    return _time(chip, kernel, dtype, find_factors(chip, operator, mode))


def find_factors(chip: Chip, operator: Operator, mode: Mode) -> Factors:
    """Factors of an operator in a mode. Raises ValueError for an unknown mode or operator."""
    check_choice("operator", operator, get_args(Operator))
    if mode == "ideal":
        return IDEAL
    if mode != "calibrated":
        raise ValueError(f"mode must be ideal or calibrated, not {mode!r}")
    return load_calibration().find(chip, operator)


def find_processor_count(chip: Chip) -> int | None:
    """Number of SMs or compute units of a GPU; None where the sources give none, and for a TPU."""
    known = chip.has("compute_units.sms") or chip.has("compute_units.cus")
    return chip.processor_count if known else None


def find_l2(chip: Chip) -> L2Cache | None:
    """The last-level cache; None where the sources give none.

    Its bandwidth is omitted even where the catalogue has one (Hopper's, 5.5 TB/s): with clusters of 16 no
    measured product contradicts it, but predictions do not improve (docs/validation.md, "L2 and clusters").
    """
    for field in ("on_chip.infinity_cache", "on_chip.l2"):
        if chip.has(field):
            return L2Cache(capacity_bytes=chip.quantity(field).value)
    return None


def _keep_times(run: GpuGemmRun, factors: Factors) -> OperatorTime:
    return OperatorTime(
        compute_time_s=run.compute_time_s,
        memory_time_s=run.memory_time_s,
        launch_time_s=run.launch_time_s,
        time_s=run.time_s,
        factors=factors,
    )


def _time(chip: Chip, kernel: Kernel, dtype: DType, factors: Factors) -> OperatorTime:
    roofline = chip.roofline(dtype)
    compute_time_s, memory_time_s = roofline.compute_time_s(kernel), roofline.memory_time_s(kernel)
    return OperatorTime(
        compute_time_s=compute_time_s,
        memory_time_s=memory_time_s,
        launch_time_s=factors.launch_s,
        time_s=factors.time_s(compute_time_s=compute_time_s, memory_time_s=memory_time_s),
        factors=factors,
    )

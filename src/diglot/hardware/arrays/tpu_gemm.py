"""Time of a matrix product on a TPU of the catalogue: that of its arrays (`mxu`) or memory, if longer."""

import math
from dataclasses import dataclass

import numpy as np

from diglot.hardware.arrays.mxu import MxuRun, run_mxu
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.kernels.kernel import count_gemm
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import Real, SizeLike, check_size, to_float, to_plain_float

SUBLANES_OF_32_BITS_COUNT = 8
"""Rows of a vector register of TPU v2 and later. Narrower elements are packed, two or four per row."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TpuGemm:
    """Time of one product, or of an array of them, on one chip."""

    run: MxuRun
    """Cycles and utilisation of the arrays."""
    pass_rate_hz: float
    """Rows of A per second and array: the peak over the FLOPs of one row in all arrays."""
    array_time_s: Real
    memory_time_s: Real
    """Least time to move every operand once."""
    time_s: Real
    """The longer of array and memory time."""
    utilisation_fraction: Real
    """Achieved share of the dense peak of the TensorCores in use."""


def estimate_tpu_gemm(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    chip: Chip | str,
    dtype: DType = "bf16",
    tensor_core_count: int | None = None,
) -> TpuGemm:
    """Time of C[m, n] = A[m, k] @ B[k, n] on all or some TensorCores of a TPU.

    An ideal: operands cross the memory interface once, at its peak rate, while the arrays work. Rows are
    padded to the sublanes of their format, weights to the array. Cycles are converted to seconds with the
    published peak for `dtype`, not with a clock, to be right for arrays that take two narrow rows at once.
    `tensor_core_count` TensorCores (default: all) have their share of arrays, peak and bandwidth.

    Raises ValueError for a chip without matrix units, for more TensorCores than the chip has, and for sizes
    as `run_mxu`; MissingFigureError where the chip has no peak in `dtype`.
    Source: as `run_mxu`; tiles of (8, 128) elements of 32 bits, (16, 128) of 16, (32, 128) of 8: JAX
    documentation, "Pallas: writing TPU kernels".
    """
    chip = find_chip(chip)
    if not chip.has("mxu.total"):
        raise ValueError(f"{chip.short_name} has no matrix units in the catalogue")
    cores = int(chip.quantity("tensor_cores").value) if chip.has("tensor_cores") else 1
    used = cores if tensor_core_count is None else int(check_size("tensor_core_count", tensor_core_count))
    if used > cores:
        raise ValueError(f"{chip.short_name} has {cores} TensorCores, not {used}")
    rows, cols, mxus = chip.mxu_rows_count, chip.mxu_columns_count, chip.mxu_count * used // cores
    # TPU v1 reads rows of bytes from its unified buffer; it has no vector registers that need padding.
    packed = math.ceil(SUBLANES_OF_32_BITS_COUNT * 4 / bytes_per_element(dtype))
    run = run_mxu(
        m, k, n, rows=rows, cols=cols, mxu_count=mxus, sublane_count=1 if chip.year < 2017 else packed
    )
    whole = chip.roofline(dtype)
    roofline = Roofline(
        peak_flops_per_s=whole.peak_flops_per_s * used / cores,
        memory_bandwidth_bytes_per_s=whole.memory_bandwidth_bytes_per_s * used / cores,
    )
    kernel = count_gemm(m, k, n, dtype=dtype)
    pass_rate_hz = roofline.peak_flops_per_s / (2 * mxus * rows * cols)
    array_time_s = to_float(run.total_cycles) / pass_rate_hz
    memory_time_s = roofline.memory_time_s(kernel)
    time_s = to_plain_float(np.maximum(array_time_s, memory_time_s))
    return TpuGemm(
        run=run,
        pass_rate_hz=pass_rate_hz,
        array_time_s=array_time_s,
        memory_time_s=memory_time_s,
        time_s=time_s,
        utilisation_fraction=kernel.flops / time_s / roofline.peak_flops_per_s,
    )

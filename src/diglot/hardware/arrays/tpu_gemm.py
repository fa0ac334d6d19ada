"""A matrix product on a TPU of the catalogue: its arrays (`mxu`), or its memory, whichever is slower."""

import math
from dataclasses import dataclass

import numpy as np

from diglot.hardware.arrays.mxu import MxuRun, run_mxu
from diglot.hardware.chips.chip import Chip
from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.kernels.kernel import count_gemm
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import Real, SizeLike, check_size, to_float, to_plain_float

SUBLANES_OF_32_BITS_COUNT = 8
"""Rows of a vector register of TPU v2 and later; narrower elements are packed, two or four to a row."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TpuGemm:
    """What one product, or an array of them, takes on one chip."""

    run: MxuRun
    """Cycles on the arrays."""
    pass_rate_hz: float
    """Rows of A that each array takes in a second: the peak over what one row of all arrays computes."""
    array_time_s: Real
    memory_time_s: Real
    """Least time to move every operand once."""
    time_s: Real
    """The longer of the two."""
    utilisation_fraction: Real
    """Of the dense peak of the TensorCores in use."""


def estimate_tpu_gemm(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    chip: Chip,
    dtype: DType = "bf16",
    tensor_core_count: int | None = None,
) -> TpuGemm:
    """Time of C[m, n] = A[m, k] @ B[k, n] on a TPU, all of it or some of its TensorCores.

    Ideal: operands cross the memory interface once, at its peak rate, while the arrays work; rows are padded
    to the sublanes of their format, weights to the array. Cycles become seconds through the peak that is
    published for `dtype`, not through a clock, so that arrays that take two narrow rows at once are right.
    `tensor_core_count` TensorCores (default: all) have their share of arrays, peak and bandwidth.

    Raises ValueError for a chip without matrix units, for more TensorCores than it has and for sizes as
    `run_mxu` does, MissingFigureError where the chip has no peak in `dtype`.
    Source: as `run_mxu`; tiles of (8, 128) elements of 32 bits, (16, 128) of 16, (32, 128) of 8: JAX
    documentation, "Pallas: writing TPU kernels".
    """
    if not chip.has("mxu.total"):
        raise ValueError(f"{chip.short_name} has no matrix units in the catalogue")
    cores = int(chip.quantity("tensor_cores").value) if chip.has("tensor_cores") else 1
    used = cores if tensor_core_count is None else int(check_size("tensor_core_count", tensor_core_count))
    if used > cores:
        raise ValueError(f"{chip.short_name} has {cores} TensorCores, not {used}")
    rows, cols, mxus = chip.mxu_rows_count, chip.mxu_columns_count, chip.mxu_count * used // cores
    # TPU v1 reads rows of bytes from its unified buffer; it has no vector registers to pad to.
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

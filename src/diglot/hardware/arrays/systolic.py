"""Cycles and accesses of a matrix product on a systolic array, exactly as SCALE-Sim 3.0.0 counts them.

C[m, n] = A[m, k] @ B[k, n] runs on `rows` x `cols` processing elements (PEs) in one of three dataflows:

    dataflow                    along rows   along columns   over time   cycles of one fold
    os  output-stationary           m             n              k        rows + cols + k - 2
    ws  weight-stationary (B)       k             n              m        2 rows + cols + m - 2
    is  input-stationary (A)        k             m              n        2 rows + cols + n - 2

The product is split into folds of array size. Every fold costs the full array, even at the edges, and folds
run sequentially: fill, drain and the load of the stationary operand are never hidden behind the previous
fold. `mxu` models an array that hides them. In SCALE-Sim's terms, `ifmap` is A, `filter` is B, `ofmap` is C.

Source: formulas in the code of SCALE-Sim 3.0.0 (R. Raj et al., "SCALE-Sim v3: A modular cycle-accurate
systolic accelerator simulator for end-to-end system analysis", ISPASS 2025, arXiv:2504.15377), compared with
its output.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_products_fit,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
)

Dataflow = Literal["os", "ws", "is"]
DATAFLOWS: tuple[Dataflow, ...] = get_args(Dataflow)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystolicRun:
    """Cycles and accesses of one product, or of an array of them, on one array and dataflow."""

    dataflow: Dataflow
    fold_count: Size
    """Tiles of array size, which run sequentially."""
    fold_cycles: Size
    """Cycles of each fold, full or partial."""
    total_cycles: Size
    """Cycles of the whole product: folds times cycles per fold."""
    compute_cycles: Size
    """SCALE-Sim's "Compute cycles": the index from 0 of the last cycle, so one less than `total_cycles`."""
    ifmap_read_elements: Size
    """Reads of A from SRAM into the array."""
    filter_read_elements: Size
    """Reads of B from SRAM into the array."""
    ofmap_write_elements: Size
    """Writes of C to SRAM as SCALE-Sim counts them; for `os` it counts (rows + cols) per fold too many."""
    mapping_efficiency_fraction: Real
    """Share of processing elements in use, over all folds."""
    utilisation_fraction: Real
    """Multiply-accumulates done, as a share of those possible in `total_cycles`. At most 1."""
    overall_utilisation_fraction: Real
    """SCALE-Sim's "Overall utilization": the same over `compute_cycles`. It can exceed 1 on tiny arrays, and
    is infinite where that index is 0."""
    compute_utilisation_fraction: Real
    """SCALE-Sim's "Compute utilization". For `ws` and `is` it counts the skew of the outputs twice and so is
    lower than the overall utilisation, although its name suggests otherwise."""


def run_systolic_array(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    rows: SizeLike,
    cols: SizeLike,
    dataflow: Dataflow,
) -> SystolicRun:
    """Cycles, accesses and utilisation of C[m, n] = A[m, k] @ B[k, n].

    Sizes are integers or arrays of integers that broadcast. Assumes memory that never stalls the array.
    Raises ValueError for a size below 1 or not whole, and for an unknown dataflow.
    """
    m_, k_, n_ = check_size("m", m), check_size("k", k), check_size("n", n)
    rows_, cols_ = check_size("rows", rows), check_size("cols", cols)
    along_rows, along_cols, over_time = _lay_out(m_, k_, n_, dataflow)
    # `os` has no stationary operand to load first, and its outputs are not shifted out.
    fold_cycles = (rows_ if dataflow == "os" else 2 * rows_) + cols_ + over_time - 2
    check_products_fit(m_, k_, n_)
    row_folds, col_folds = divide_up(along_rows, rows_), divide_up(along_cols, cols_)
    check_products_fit(row_folds, col_folds, fold_cycles, rows_, cols_)

    fold_count = row_folds * col_folds
    total_cycles = fold_count * fold_cycles
    compute_cycles = total_cycles - 1
    if dataflow == "os":
        ifmap_reads, filter_reads = m_ * k_ * col_folds, k_ * n_ * row_folds
        ofmap_writes = m_ * n_ + fold_count * (rows_ + cols_)
        utilised_cycles = fold_cycles
    elif dataflow == "ws":
        ifmap_reads, filter_reads, ofmap_writes = m_ * k_ * col_folds, k_ * n_, m_ * n_ * row_folds
        utilised_cycles = fold_cycles + cols_ - 1
    else:
        ifmap_reads, filter_reads, ofmap_writes = m_ * k_, k_ * n_ * col_folds, m_ * n_ * row_folds
        utilised_cycles = fold_cycles + cols_ - 1

    element_count = rows_ * cols_
    macs = m_ * k_ * n_
    mapping = _divide(along_rows * along_cols, fold_count * element_count)
    return SystolicRun(
        dataflow=dataflow,
        fold_count=fold_count,
        fold_cycles=fold_cycles,
        total_cycles=total_cycles,
        compute_cycles=compute_cycles,
        ifmap_read_elements=ifmap_reads,
        filter_read_elements=filter_reads,
        ofmap_write_elements=ofmap_writes,
        mapping_efficiency_fraction=mapping,
        utilisation_fraction=_divide(macs, total_cycles * element_count),
        overall_utilisation_fraction=_divide(macs, compute_cycles * element_count),
        compute_utilisation_fraction=mapping * _divide(over_time, utilised_cycles),
    )


def count_published_cycles(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    rows: SizeLike,
    cols: SizeLike,
    dataflow: Dataflow,
) -> Size:
    """Cycles by the published analytical model: folds x (2 rows + cols + time - 2) for every dataflow.

    It differs from SCALE-Sim's code only for `os`, where it adds `rows` per fold to shift the outputs out.
    Source: A. Samajdar et al., "A systematic methodology for characterizing scalability of DNN accelerators
    using SCALE-Sim", ISPASS 2020.
    """
    m_, k_, n_ = check_size("m", m), check_size("k", k), check_size("n", n)
    rows_, cols_ = check_size("rows", rows), check_size("cols", cols)
    along_rows, along_cols, over_time = _lay_out(m_, k_, n_, dataflow)
    row_folds, col_folds = divide_up(along_rows, rows_), divide_up(along_cols, cols_)
    fold_cycles = 2 * rows_ + cols_ + over_time - 2
    check_products_fit(row_folds, col_folds, fold_cycles)
    return row_folds * col_folds * fold_cycles


def lower_convolution(
    *,
    ifmap_height: SizeLike,
    ifmap_width: SizeLike,
    filter_height: SizeLike,
    filter_width: SizeLike,
    channels: SizeLike,
    filters: SizeLike,
    stride: SizeLike,
    batch: SizeLike = 1,
) -> tuple[Size, Size, Size]:
    """(m, k, n) of the equivalent matrix product of a convolution: output pixels, filter volume, filters.

    Add padding to the input's height and width; one stride applies to both axes. As in SCALE-Sim 3.0.0, the
    outputs along an axis are the *ceiling* of (input - filter + stride) / stride: where the stride does not
    divide, one more than other frameworks give. `unfold_convolution` builds the matrices.
    Raises ValueError for a filter larger than its input, and as `check_size` does.
    """
    height, width = check_size("ifmap_height", ifmap_height), check_size("ifmap_width", ifmap_width)
    tall, wide = check_size("filter_height", filter_height), check_size("filter_width", filter_width)
    depth, n = check_size("channels", channels), check_size("filters", filters)
    step, images = check_size("stride", stride), check_size("batch", batch)
    if np.any(np.greater(tall, height)) or np.any(np.greater(wide, width)):
        raise ValueError(f"a filter of {tall} x {wide} does not fit an input of {height} x {width}")
    check_products_fit(images, height, width, n)
    check_products_fit(tall, wide, depth)
    m = images * divide_up(height - tall + step, step) * divide_up(width - wide + step, step)
    return m, tall * wide * depth, n


def unfold_convolution(
    ifmap: npt.ArrayLike, filters: npt.ArrayLike, *, stride: int = 1
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The matrices A[m, k] and B[k, n] whose product is a convolution, with output pixels in row-major order.

    `ifmap` is height x width x channels, `filters` is height x width x channels x filters; neither is padded.
    Raises ValueError for arrays that do not fit each other, and for a stride that does not divide: the extra
    row that SCALE-Sim counts there (see `lower_convolution`) has no data.
    """
    image, kernels = np.asarray(ifmap), np.asarray(filters)
    if image.ndim != 3 or kernels.ndim != 4 or image.shape[2] != kernels.shape[2] or 0 in kernels.shape:
        raise ValueError(f"cannot convolve {image.shape} with {kernels.shape}")
    step = int(check_size("stride", stride))
    tall, wide, depth, n = kernels.shape
    if tall > image.shape[0] or wide > image.shape[1]:
        raise ValueError(f"a filter of {tall} x {wide} does not fit an input of {image.shape[:2]}")
    if (image.shape[0] - tall) % step or (image.shape[1] - wide) % step:
        raise ValueError(f"a stride of {step} does not divide what a filter of {tall} x {wide} leaves")
    windows = np.lib.stride_tricks.sliding_window_view(image, (tall, wide), axis=(0, 1))[::step, ::step]
    a = np.moveaxis(windows, 2, -1).reshape(-1, tall * wide * depth)
    return a, kernels.reshape(-1, n)


def _lay_out(m: Size, k: Size, n: Size, dataflow: Dataflow) -> tuple[Size, Size, Size]:
    """Extents along rows, along columns and over time. Raises ValueError for an unknown dataflow."""
    if dataflow == "os":
        return m, n, k
    if dataflow == "ws":
        return k, n, m
    if dataflow == "is":
        return k, m, n
    raise ValueError(f"unknown data flow {dataflow!r}; known: {', '.join(DATAFLOWS)}")


def _divide(numerator: Size, denominator: Size) -> Real:
    """Quotient as a float; infinite, without a warning, where the denominator is 0."""
    with np.errstate(divide="ignore"):
        return to_plain_float(np.true_divide(to_float(numerator), to_float(denominator)))

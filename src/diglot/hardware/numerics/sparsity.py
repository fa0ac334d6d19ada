"""Structured sparsity: two of four weights are kept, which halves products where the chip supports it."""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.chips.chip import Chip, MissingFigureError
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.dtypes import DType
from diglot.hardware.numerics.block_formats import find_bits_per_element
from diglot.hardware.sizes import Real, SizeLike, check_size, to_float, to_plain_float

_INDEX_BITS = {32: 2.0, 16: 1.0, 8: 1.0, 4: 0.5}
"""Bits that say which weights are kept, per weight before pruning, by width: 4 bits for two of four weights;
of 32 bits for one of two, of 4 bits for four of eight in pairs. Source: NVIDIA, "PTX ISA" 8.7, section on
sparse matrix storage."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SparseGain:
    """What 2:4 sparsity gives one product of matrices, or an array of them, at the roofline."""

    dense_s: Real
    sparse_s: Real

    @property
    def speedup(self) -> Real:
        """At most the ratio of the peaks, and where memory binds that of the bytes."""
        return self.dense_s / self.sparse_s


def find_sparse_bits_per_weight(dtype: DType) -> float:
    """Bits in memory per weight before pruning: half of the values, and what says which they are.

    Raises ValueError for a format that has no sparse products.
    """
    width = int(find_bits_per_element(dtype))
    if width not in _INDEX_BITS or dtype == "fp32":
        raise ValueError(f"dtype {dtype!r} has no products with 2:4 sparsity")
    return width / 2 + _INDEX_BITS[width]


def find_sparse_peak_flops_per_s(chip: Chip | str, dtype: DType) -> float:
    """Peak with 2:4 sparsity, counting the operations that are left out: dense peak x the catalogue's ratio.

    Raises MissingFigureError where the chip has no such products, or none in this format.
    """
    chip = find_chip(chip)
    field = f"sparsity.{dtype}"
    ratio = chip.quantity(field if chip.has(field) else "sparsity.ratio").value
    if find_bits_per_element(dtype) > 32 or dtype == "fp32":
        raise MissingFigureError(f"{chip.short_name} has no {dtype} products with 2:4 sparsity")
    return chip.peak_flops_per_s(dtype) * ratio


def estimate_sparse_gemm(
    m: SizeLike, k: SizeLike, n: SizeLike, *, chip: Chip | str, dtype: DType
) -> SparseGain:
    """C[m, n] = A[m, k] @ B[k, n] with the weights B dense, and with two of each four along k kept.

    Activations and results are as wide as the weights; one pass over memory, perfect overlap. Sizes
    broadcast. Raises ValueError unless k is a multiple of 4, MissingFigureError as
    `find_sparse_peak_flops_per_s`.
    """
    chip = find_chip(chip)
    rows, depth, columns = check_size("m", m), check_size("k", k), check_size("n", n)
    if np.any(np.asarray(depth) % 4):
        raise ValueError(f"k must be a multiple of 4, not {k!r}")
    bits = find_bits_per_element(dtype)
    weights = to_float(depth) * columns
    others_bytes = to_float(rows) * (depth + columns) * bits / 8
    dense, sparse = (
        np.maximum(
            2.0 * rows * weights / peak,
            (others_bytes + weights * weight_bits / 8) / chip.memory_bandwidth_bytes_per_s,
        )
        for peak, weight_bits in (
            (chip.peak_flops_per_s(dtype), bits),
            (find_sparse_peak_flops_per_s(chip, dtype), find_sparse_bits_per_weight(dtype)),
        )
    )
    return SparseGain(dense_s=to_plain_float(dense), sparse_s=to_plain_float(sparse))

"""Weights in a narrow format, products in a wide one: what fewer bytes give and what widening costs."""

from dataclasses import dataclass
from math import inf

import numpy as np

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.dtypes import DType
from diglot.hardware.numerics.block_formats import find_bits_per_element
from diglot.hardware.sizes import Real, SizeLike, check_rate, check_size, divide_up, to_float, to_plain_float


@dataclass(frozen=True, slots=True, kw_only=True)
class Dequantisation:
    """How weights are widened. The defaults are assumptions, for a kernel in the manner of MARLIN."""

    vector_operations_per_weight_count: float = 2.0
    """Vector operations per weight each time that it is widened: a conversion and a scale."""
    tile_rows_count: int = 128
    """Rows of the result for which a weight is widened once; the next rows widen it again."""
    overlapped: bool = True
    """Whether vector units widen the next weights while matrix units multiply."""
    operations_per_s: float | None = None
    """Rate of the vector units; None takes half of the chip's fp32 peak, in which a multiply-add is two."""

    def __post_init__(self) -> None:
        check_rate("vector_operations_per_weight_count", self.vector_operations_per_weight_count)
        check_size("tile_rows_count", self.tile_rows_count)
        if self.operations_per_s is not None:
            check_rate("operations_per_s", self.operations_per_s)

    def find_operations_per_s(self, chip: Chip) -> float:
        """Rate of the vector units. Raises MissingFigureError for a chip without an fp32 peak, as TPUs."""
        return self.operations_per_s or chip.peak_flops_per_s("fp32") / 2


DEQUANTISATION = Dequantisation()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightOnlyGain:
    """One product of matrices, or an array of them, with wide weights and with narrow ones."""

    wide_s: Real
    """With weights in the format of the product."""
    narrow_s: Real
    """With narrow weights, widened on the way to the matrix units."""
    dequantisation_s: Real
    """What widening takes of the vector units, hidden or not."""

    @property
    def speedup(self) -> Real:
        """Below 1 where widening takes longer than what fewer bytes save."""
        return self.wide_s / self.narrow_s


def estimate_weight_only_gemm(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    chip: Chip | str,
    weights: str = "int4_g128",
    dtype: DType = "bf16",
    dequantisation: Dequantisation = DEQUANTISATION,
) -> WeightOnlyGain:
    """C[m, n] = A[m, k] @ B[k, n] with B in `weights`, a block or number format, and the product in `dtype`.

    At the roofline: every operand is moved once; vector units widen each weight once per tile of rows,
    besides the product or after it. Raises ValueError for an unknown format, and for weights that are not
    narrower than `dtype`.
    Source: E. Frantar et al., "MARLIN: Mixed-Precision Auto-Regressive Parallel Inference on Large Language
    Models", arXiv:2408.11743, section 3.
    """
    chip = find_chip(chip)
    rows, depth, columns = check_size("m", m), check_size("k", k), check_size("n", n)
    wide, narrow = _check_bits(weights, dtype)
    weights_count = to_float(depth) * columns
    others_bytes = to_float(rows) * (depth + columns) * wide / 8
    compute_s = 2.0 * rows * weights_count / chip.peak_flops_per_s(dtype)
    wide_s, moved_s = (
        (others_bytes + weights_count * bits / 8) / chip.memory_bandwidth_bytes_per_s
        for bits in (wide, narrow)
    )
    widened_s = (
        weights_count
        * divide_up(rows, dequantisation.tile_rows_count)
        * dequantisation.vector_operations_per_weight_count
        / dequantisation.find_operations_per_s(chip)
    )
    if dequantisation.overlapped:
        narrow_s = np.maximum(np.maximum(compute_s, moved_s), widened_s)
    else:
        narrow_s = np.maximum(compute_s + widened_s, moved_s)
    return WeightOnlyGain(
        wide_s=to_plain_float(np.maximum(compute_s, wide_s)),
        narrow_s=to_plain_float(narrow_s),
        dequantisation_s=widened_s,
    )


def find_weight_only_limit_rows(
    chip: Chip | str, *, weights: str = "int4_g128", dtype: DType = "bf16"
) -> float:
    """Rows up to which narrow weights give their whole gain: arithmetic then takes as long as reading them.

    Below the chip's ridge point by the ratio of the bits: 25 to 50 rows for 4 of 16 bits at ridges of 100 to
    200 FLOP/byte. Activations and widening are left out. Source: README of MARLIN, section "Techniques".
    """
    chip = find_chip(chip)
    _, narrow = _check_bits(weights, dtype)
    return chip.ridge_flops_per_byte(dtype) * (narrow / 8) / 2


def find_weight_only_break_even_rows(
    k: int,
    n: int,
    *,
    chip: Chip | str,
    weights: str = "int4_g128",
    dtype: DType = "bf16",
    dequantisation: Dequantisation = DEQUANTISATION,
) -> float:
    """The least m from which narrow weights are slower than wide ones; infinite if none is found.

    Looked for up to 16 tiles of rows and up to four times the ridge point; beyond, the ratio of the times no
    longer changes. Overlapped widening can bind just behind a full tile of rows.
    """
    chip = find_chip(chip)
    ridge = 4 * chip.ridge_flops_per_byte(dtype)
    rows = np.arange(1, int(max(16 * dequantisation.tile_rows_count, ridge)) + 1)
    gain = estimate_weight_only_gemm(
        rows, k, n, chip=chip, weights=weights, dtype=dtype, dequantisation=dequantisation
    )
    slower = np.flatnonzero(np.asarray(gain.speedup) < 1 - 1e-9)
    return float(rows[slower[0]]) if slower.size else inf


def _check_bits(weights: str, dtype: DType) -> tuple[float, float]:
    """Bits per weight of the product's format and of the stored one."""
    wide, narrow = find_bits_per_element(dtype), find_bits_per_element(weights)
    if narrow >= wide:
        raise ValueError(f"weights must be narrower than {dtype}, not {weights!r} of {narrow:g} bits")
    return wide, narrow

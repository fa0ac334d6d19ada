"""Kernels with their traffic at several memory levels."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.kernels.kernel import Kernel, count_gemm
from diglot.hardware.sizes import Real, SizeLike, check_size, divide_up, to_float

MEMORY, NETWORK, L2, VMEM, SHARED_MEMORY = "memory", "network", "L2", "VMEM", "shared memory"
"""Names of the levels that can be derived from the catalogue's figures."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LayeredKernel:
    """FLOPs of a kernel and its traffic at each level."""

    name: str
    flops: Real
    level_bytes: Mapping[str, Real]
    """Traffic by level name; levels not named carry none."""

    def intensity_flops_per_byte(self, level: str) -> Real:
        """Arithmetic intensity at a level. Raises KeyError for a level without traffic."""
        return self.flops / self.level_bytes[level]


def layer_kernel(kernel: Kernel, level: str = MEMORY) -> LayeredKernel:
    """A kernel with all its traffic at one level."""
    return LayeredKernel(name=kernel.name, flops=kernel.flops, level_bytes={level: kernel.memory_bytes})


def count_layered_gemm(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    tiles: Mapping[str, tuple[SizeLike, SizeLike] | None],
    dtype: DType = "bf16",
) -> LayeredKernel:
    """C[m, n] = A[m, k] @ B[k, n] with the traffic of each level, which follows from its tiles of C.

    `tiles` maps a level to the (m, n) sides of the output tile whose operands it supplies: the thread block's
    tile for L2, the warp's tile for shared memory, and None for all of C, as for memory behind a last-level
    cache that holds all reused data. A is read once per column of tiles, B once per row of tiles, and C is
    written once at each level.
    Raises ValueError for a size below 1 or not whole.
    """
    m_, k_, n_ = check_size("m", m), check_size("k", k), check_size("n", n)
    size = bytes_per_element(dtype)
    level_bytes: dict[str, Real] = {}
    for level, sides in tiles.items():
        tile_m, tile_n = (m_, n_) if sides is None else sides
        rows = to_float(divide_up(m_, check_size(f"m of tiles[{level!r}]", tile_m)))
        columns = to_float(divide_up(n_, check_size(f"n of tiles[{level!r}]", tile_n)))
        a, b, c = to_float(m_) * to_float(k_), to_float(k_) * to_float(n_), to_float(m_) * to_float(n_)
        level_bytes[level] = (a * columns + b * rows + c) * size
    return LayeredKernel(
        name="GEMM", flops=2 * to_float(m_) * to_float(k_) * to_float(n_), level_bytes=level_bytes
    )


def count_split_depth_gemm(
    m: SizeLike, k: SizeLike, n: SizeLike, *, chips_count: SizeLike, dtype: DType = "bf16"
) -> LayeredKernel:
    """Work of one of `chips_count` chips for C[m, n] = A[m, k] @ B[k, n] with k split over the chips.

    Each chip multiplies its part of A's columns by its part of B's rows. An all-reduce of C then adds the
    partial results: each chip sends 2 (c - 1) / c of C's bytes.
    Raises ValueError for a size below 1 or not whole, and for a number of chips that does not divide k.
    Source: J. Austin et al., "How to Scale Your Model", part 1 (two chips) and part 3 (the contracting
    dimension sharded on both sides).
    """
    m_, k_, n_ = check_size("m", m), check_size("k", k), check_size("n", n)
    chips = check_size("chips_count", chips_count)
    if np.any(np.asarray(k_) % chips != 0):
        raise ValueError(f"{chips} chips do not divide a depth of {k_}")
    part = count_gemm(m_, k_ // chips, n_, dtype=dtype)
    sum_bytes = to_float(m_) * to_float(n_) * bytes_per_element(dtype)
    sent = 2 * to_float(chips - 1) / to_float(chips)
    return LayeredKernel(
        name="GEMM, depth split",
        flops=part.flops,
        level_bytes={MEMORY: part.memory_bytes, NETWORK: sum_bytes * sent},
    )

"""A matrix product on a GPU: output tiles, dealt to the SMs in waves.

C[m, n] is cut into tiles, one thread block each. A tile costs the same whether it is full or hangs over the
edge (tile quantisation), and a wave takes as long as one tile, whether every SM got one or a single SM did
(wave quantisation). Time over n is therefore a staircase, and the rate a saw-tooth.

Source: NVIDIA, "Matrix Multiplication Background User's Guide", sections "Tile Quantization" and "Wave
Quantization", which also lists the tile sizes.
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.dtypes import DType
from diglot.hardware.kernels import count_gemm
from diglot.hardware.roofline import Roofline
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_products_fit,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
    to_plain_int,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """The part of C that one thread block computes."""

    m_elements: int
    n_elements: int

    def __post_init__(self) -> None:
        check_size("m_elements", self.m_elements)
        check_size("n_elements", self.n_elements)


TILES = tuple(
    Tile(m_elements=m, n_elements=n)
    for m, n in ((256, 128), (128, 256), (128, 128), (256, 64), (64, 256), (128, 64), (64, 128), (64, 64))
)
"""The sizes that NVIDIA's guide lists for its libraries, the most efficient first."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GpuGemmRun:
    """What one product, or an array of them, costs at least."""

    tile_m_elements: Size
    tile_n_elements: Size
    tile_count: Size
    wave_count: Size
    """Tiles over SMs, rounded up."""
    tile_efficiency_fraction: Real
    """Share of the tiles' area that lies inside C."""
    wave_efficiency_fraction: Real
    """Share of the waves' places that hold a tile: low where the last wave is a short tail."""
    compute_time_s: Real
    """Waves times the time of one tile on one SM at its share of the peak."""
    memory_time_s: Real
    """A, B and C moved once at full bandwidth."""
    time_s: Real
    """The longer of the two. No launch, prologue or epilogue: a lower bound."""
    useful_flops_per_s: Real
    """2mkn over that time."""
    peak_fraction: Real
    """The same as a share of the peak."""


def estimate_gpu_gemm(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    roofline: Roofline,
    processor_count: SizeLike,
    tile: Tile | None = None,
    dtype: DType = "bf16",
) -> GpuGemmRun:
    """Least time of C[m, n] = A[m, k] @ B[k, n] with one thread block per SM and output tile.

    Without `tile`, each product takes of `TILES` the one with the least time, and of equals the first. Every
    tile size is granted the full rate of its SM, which favours small ones: real ones reuse less from shared
    memory and run slower. No split along k, no persistent or overlapping waves.
    `roofline` is the chip's in `dtype`; `processor_count` its SMs (`Chip.processor_count`).
    Raises ValueError for a size below 1 or not whole.
    """
    m_, k_, n_ = check_size("m", m), check_size("k", k), check_size("n", n)
    processors = check_size("processor_count", processor_count)
    check_products_fit(m_, n_, k_)
    if tile is None:
        tile_m, tile_n = _choose_tiles(m_, n_, processors)
    else:
        tile_m, tile_n = tile.m_elements, tile.n_elements

    tiles = divide_up(m_, tile_m) * divide_up(n_, tile_n)
    waves = divide_up(tiles, processors)
    tile_area = to_float(tile_m) * to_float(tile_n)
    tile_time_s = 2 * tile_area * to_float(k_) * to_float(processors) / roofline.peak_flops_per_s
    compute_time_s = to_float(waves) * tile_time_s
    kernel = count_gemm(m_, k_, n_, dtype=dtype)
    memory_time_s = roofline.memory_time_s(kernel)
    time_s = to_plain_float(np.maximum(compute_time_s, memory_time_s))
    return GpuGemmRun(
        tile_m_elements=tile_m,
        tile_n_elements=tile_n,
        tile_count=tiles,
        wave_count=waves,
        tile_efficiency_fraction=to_float(m_) * to_float(n_) / (to_float(tiles) * tile_area),
        wave_efficiency_fraction=to_float(tiles) / (to_float(waves) * to_float(processors)),
        compute_time_s=compute_time_s,
        memory_time_s=memory_time_s,
        time_s=time_s,
        useful_flops_per_s=kernel.flops / time_s,
        peak_fraction=kernel.flops / time_s / roofline.peak_flops_per_s,
    )


def _choose_tiles(m: Size, n: Size, processors: Size) -> tuple[Size, Size]:
    """Sides of the tile of least compute time, on which k and the peak have no influence."""
    largest = max(tile.m_elements for tile in TILES)
    check_products_fit(np.asarray(m + largest), n + largest)  # counted in 64 bits below
    shape = np.broadcast_shapes(np.shape(m), np.shape(n), np.shape(processors))
    places = (len(TILES), *(1 for _ in shape))
    tile_m = np.array([tile.m_elements for tile in TILES]).reshape(places)
    tile_n = np.array([tile.n_elements for tile in TILES]).reshape(places)
    waves = divide_up(divide_up(m, tile_m) * divide_up(n, tile_n), processors)
    best = np.argmin(waves * (tile_m * tile_n), axis=0)  # the first of equals
    return to_plain_int(tile_m.ravel()[best]), to_plain_int(tile_n.ravel()[best])

"""A matrix product on a GPU: output tiles, dealt to the SMs in waves, and k in parts where tiles are few.

C[m, n] is cut into tiles, one thread block each. A tile costs the same whether it is full or hangs over the
edge (tile quantisation), and a wave takes as long as one tile, whether every SM got one or a single SM did
(wave quantisation). Time over n is therefore a staircase, and the rate a saw-tooth.

Where C has fewer tiles than there are SMs, k is cut into parts that run side by side ("split-K"); their sums
are added in a second pass through memory.

Sources: NVIDIA, "Matrix Multiplication Background User's Guide", sections "Tile Quantization" and "Wave
Quantization", which also lists the tile sizes; NVIDIA, "CUTLASS: Efficient GEMM in CUDA", section
"Parallelized Reductions".
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from diglot.hardware.calibration import IDEAL, Factors
from diglot.hardware.dtypes import DType
from diglot.hardware.gemm_traffic import L2Cache, count_tiled_traffic
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
SPLITS = (1, 2, 4, 8, 16)
"""Numbers of parts of k that are tried where none is given: more than one only while all fit one wave.

Beyond that parts would even out the last wave, for partial sums that take longer than they save.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GpuGemmRun:
    """What one product, or an array of them, costs."""

    tile_m_elements: Size
    tile_n_elements: Size
    tile_count: Size
    split_count: Size
    """Parts of k; each tile is as many thread blocks."""
    wave_count: Size
    """Thread blocks over SMs, rounded up."""
    tile_efficiency_fraction: Real
    """Share of the tiles' area that lies inside C."""
    wave_efficiency_fraction: Real
    """Share of the waves' places that hold a thread block: low where the last wave is a short tail."""
    dram_bytes: Real
    """Traffic of main memory, reuse in L2 and partial sums considered."""
    l2_read_bytes: Real
    """What the SMs read of A and B through L2."""
    compute_time_s: Real
    """Waves times the time of one thread block on one SM at its share of the peak."""
    memory_time_s: Real
    """Traffic at full bandwidth: that of main memory, or that of L2 where it takes longer."""
    launch_time_s: Real
    """What the kernel takes however small it is: 0 in the ideal."""
    time_s: Real
    """Ideal: the longer of compute and memory time. Calibrated: what the factors make of the two."""
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
    split_count: SizeLike | None = 1,
    l2: L2Cache | None = None,
    factors: Factors = IDEAL,
    dtype: DType = "bf16",
) -> GpuGemmRun:
    """Time of C[m, n] = A[m, k] @ B[k, n] with one thread block per SM, output tile and part of k.

    Without `tile`, each product takes of `TILES` the one with the least time, of equals that with the least
    arithmetic, and of those the first; with `split_count=None` likewise of `SPLITS`. Every tile size is
    granted the full rate of its SM, which favours small ones, unless `l2` has a bandwidth: they read more
    through it. Without `l2` operands cross the memory interface once. No persistent or overlapping waves.
    `roofline` is the chip's in `dtype`; `processor_count` its SMs (`Chip.processor_count`). `factors` come
    from `load_calibration().find(chip, "gemm")`, which were fitted to the times of `operator_time.time_gemm`:
    splits chosen, `l2` as the catalogue has it.
    Raises ValueError for a size below 1 or not whole.
    """
    m_, k_, n_ = check_size("m", m), check_size("k", k), check_size("n", n)
    processors = check_size("processor_count", processor_count)
    splits = None if split_count is None else check_size("split_count", split_count)
    check_products_fit(m_, n_, k_)
    product = _Product(
        m_elements=m_,
        k_elements=k_,
        n_elements=n_,
        roofline=roofline,
        processor_count=processors,
        l2=l2,
        factors=factors,
        dtype=dtype,
    )
    if tile is not None and splits is not None:
        return product.run(tile.m_elements, tile.n_elements, splits)
    return product.run(*product.choose(tile, splits))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Product:
    m_elements: Size
    k_elements: Size
    n_elements: Size
    roofline: Roofline
    processor_count: Size
    l2: L2Cache | None
    factors: Factors
    dtype: DType

    def run(self, tile_m: Size, tile_n: Size, splits: Size) -> GpuGemmRun:
        tiles = divide_up(self.m_elements, tile_m) * divide_up(self.n_elements, tile_n)
        blocks = tiles * splits
        waves = divide_up(blocks, self.processor_count)
        tile_area = to_float(tile_m) * to_float(tile_n)
        depth = to_float(divide_up(self.k_elements, splits))
        block_time_s = 2 * tile_area * depth * to_float(self.processor_count) / self.roofline.peak_flops_per_s
        compute_time_s = to_float(waves) * block_time_s
        traffic = count_tiled_traffic(
            self.m_elements,
            self.k_elements,
            self.n_elements,
            tile_m_elements=tile_m,
            tile_n_elements=tile_n,
            split_count=splits,
            processor_count=self.processor_count,
            l2=self.l2,
            dtype=self.dtype,
        )
        memory_time_s: Real = traffic.dram_bytes / self.roofline.memory_bandwidth_bytes_per_s
        if self.l2 is not None and self.l2.bandwidth_bytes_per_s is not None:
            memory_time_s = to_plain_float(
                np.maximum(memory_time_s, traffic.l2_read_bytes / self.l2.bandwidth_bytes_per_s)
            )
        time_s = self.factors.time_s(compute_time_s=compute_time_s, memory_time_s=memory_time_s)
        flops = 2 * to_float(self.m_elements) * to_float(self.k_elements) * to_float(self.n_elements)
        return GpuGemmRun(
            tile_m_elements=tile_m,
            tile_n_elements=tile_n,
            tile_count=tiles,
            split_count=splits,
            wave_count=waves,
            tile_efficiency_fraction=to_float(self.m_elements)
            * to_float(self.n_elements)
            / (to_float(tiles) * tile_area),
            wave_efficiency_fraction=to_float(blocks) / (to_float(waves) * to_float(self.processor_count)),
            dram_bytes=traffic.dram_bytes,
            l2_read_bytes=traffic.l2_read_bytes,
            compute_time_s=compute_time_s,
            memory_time_s=memory_time_s,
            launch_time_s=self.factors.launch_s,
            time_s=time_s,
            useful_flops_per_s=flops / time_s,
            peak_fraction=flops / time_s / self.roofline.peak_flops_per_s,
        )

    def choose(self, tile: Tile | None, splits: "Size | None") -> tuple[Size, Size, Size]:
        """Sides of the tile and parts of k of least time, of equals of least arithmetic, else the first."""
        candidates = [
            (tile_m, tile_n, parts)
            for tile_m, tile_n in (
                [(each.m_elements, each.n_elements) for each in TILES]
                if tile is None
                else [(tile.m_elements, tile.n_elements)]
            )
            for parts in (SPLITS if splits is None else (splits,))
        ]
        largest = max(tile_m for tile_m, _, _ in candidates)
        check_products_fit(
            np.asarray(self.m_elements + largest), self.n_elements + largest, self.k_elements + max(SPLITS)
        )
        runs = [self.run(*candidate) for candidate in candidates]
        times = np.stack(
            np.broadcast_arrays(
                *(
                    np.where(self._is_sensible(run) if splits is None else True, run.time_s, np.inf)
                    for run in runs
                )
            )
        )
        arithmetic = np.stack(np.broadcast_arrays(*(np.asarray(run.compute_time_s) for run in runs)))
        best = np.argmin(np.where(times == times.min(axis=0), arithmetic, np.inf), axis=0)
        tile_m, tile_n = (np.array([candidate[side] for candidate in candidates])[best] for side in (0, 1))
        if splits is None:
            splits = to_plain_int(np.array([parts for _, _, parts in candidates])[best])
        return to_plain_int(tile_m), to_plain_int(tile_n), splits

    def _is_sensible(self, run: GpuGemmRun) -> npt.NDArray[np.bool_]:
        blocks = run.tile_count * run.split_count
        return np.asarray((np.asarray(run.split_count) == 1) | (np.asarray(blocks <= self.processor_count)))

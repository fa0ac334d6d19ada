"""Matrix products of different sizes in one launch, such as the experts of a mixture, each with its own rows.

One kernel distributes the tiles of all products over the SMs, so that they share waves: a product with few
tiles does not leave the chip idle, as a separate launch would. All products use the same tile. An expert
without rows costs nothing; its weights are not read.

Sources: NVIDIA, CUTLASS documentation, "Grouped Kernel Schedulers" (a persistent kernel that visits the tiles
of all problems); T. Gale et al., "MegaBlocks: Efficient Sparse Training with Mixture-of-Experts",
arXiv:2211.15841.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from diglot.hardware.chips.calibration import IDEAL, Factors
from diglot.hardware.dtypes import DType
from diglot.hardware.gpus.gemm import LARGEST_TABLE, GpuGemmRun
from diglot.hardware.gpus.processors import GpuProcessors
from diglot.hardware.gpus.thread_blocks import Tile
from diglot.hardware.gpus.traffic import count_tiled_traffic
from diglot.hardware.sizes import (
    SizeLike,
    check_products_fit,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
    to_plain_int,
)


def estimate_grouped_gemm(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    gpu: GpuProcessors,
    alike_count: SizeLike = 1,
    tile: Tile | None = None,
    factors: Factors = IDEAL,
    dtype: DType = "bf16",
) -> GpuGemmRun:
    """Time of all products C[m, n] = A[m, k] @ B[k, n] along the last axis of the sizes, in one launch.

    Axes before the last are a sweep: m of shape (100, 64) is 100 launches of 64 products. Sizes broadcast; m
    may be 0. `alike_count` is how many products there are of each size, and may be 0. Without `tile`, each
    launch gets the tile of the blocks with the least time, then the least arithmetic, then the first. Narrow
    tiles are always candidates, since such kernels are chosen by their expected rows. Products are not split
    along k. Where values of k differ, the time is a lower bound for any order of tiles: the mean work per SM,
    or if longer, for any depth the tiles of at least that depth that one SM must take. Each product has the
    whole L2. Otherwise as `gemm.estimate_gpu_gemm`, with the same record; `wave_count` is tiles over SMs,
    rounded up.
    Raises ValueError for sizes below 1 (m: below 0) or not whole, and for a launch without any rows.
    """
    m_, k_, n_ = (
        np.atleast_1d(np.asarray(check_size(name, size, least=least)))
        for name, size, least in (("m", m, 0), ("k", k, 1), ("n", n, 1))
    )
    m_, k_, n_ = np.broadcast_arrays(m_, k_, n_)
    alike = np.broadcast_to(np.asarray(check_size("alike_count", alike_count, least=0)), m_.shape)
    if np.any(np.sum(m_ * alike, axis=-1) == 0):
        raise ValueError("m must have rows in at least one product of each launch")
    tiles = gpu.blocks.tiles if tile is None else (tile,)
    largest = max(max(each.m_elements, each.n_elements) for each in tiles)
    check_products_fit(m_ + largest, n_ + largest, k_, alike.sum(axis=-1, keepdims=True))
    group = _Group(
        m_elements=m_,
        k_elements=k_,
        n_elements=n_,
        alike_count=alike,
        gpu=gpu,
        factors=factors,
        dtype=dtype,
    )
    launches = m_.shape[:-1]
    best: Any = np.zeros(launches, dtype=np.int64)
    least_time_s, least_compute_s = np.full(launches, np.inf), np.full(launches, np.inf)
    # Many tiles at once for a few products, one at a time in a large sweep, to save memory.
    at_once = max(1, LARGEST_TABLE // max(1, m_.size))
    for start in range(0, len(tiles), at_once):
        sides = np.array([[each.m_elements, each.n_elements] for each in tiles[start : start + at_once]]).T
        run = group.run(*(side.reshape(-1, *[1] * len(launches)) for side in sides))
        time_s, compute_s = np.broadcast_arrays(run.time_s, run.compute_time_s)
        first = np.argmin(np.where(time_s == time_s.min(axis=0), compute_s, np.inf), axis=0)
        time_s, compute_s = (np.take_along_axis(each, first[None], axis=0)[0] for each in (time_s, compute_s))
        better = (time_s < least_time_s) | ((time_s == least_time_s) & (compute_s < least_compute_s))
        best = np.where(better, start + first, best)
        least_time_s = np.where(better, time_s, least_time_s)
        least_compute_s = np.where(better, compute_s, least_compute_s)
    return group.run(
        np.array([each.m_elements for each in tiles])[best],
        np.array([each.n_elements for each in tiles])[best],
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Group:
    """The products of one launch, or of an array of launches, before tiles are chosen."""

    m_elements: npt.NDArray[np.int64]
    k_elements: npt.NDArray[np.int64]
    n_elements: npt.NDArray[np.int64]
    alike_count: npt.NDArray[np.int64]
    gpu: GpuProcessors
    factors: Factors
    dtype: DType

    def run(self, tile_m: Any, tile_n: Any) -> GpuGemmRun:
        """Cost of all products with these tile sides, common to all launches or one per launch."""
        sides = np.asarray(tile_m)[..., None], np.asarray(tile_n)[..., None]
        tiles = np.asarray(divide_up(self.m_elements, sides[0]) * divide_up(self.n_elements, sides[1]))
        tiles = tiles * self.alike_count
        tile_count = tiles.sum(axis=-1)
        steps, work_steps = self._count_steps(tiles)
        tile_area: Any = to_float(np.asarray(tile_m)) * to_float(np.asarray(tile_n))
        paid_area = np.maximum(tile_area, self.gpu.blocks.feed_macs(np.asarray(tile_m), np.asarray(tile_n)))
        sm_macs_per_s = self.gpu.roofline.peak_flops_per_s / 2 / self.gpu.processor_count
        compute_time_s = steps * paid_area / sm_macs_per_s
        traffic = count_tiled_traffic(
            self.m_elements,
            self.k_elements,
            self.n_elements,
            tile_m_elements=sides[0],
            tile_n_elements=sides[1],
            split_count=1,
            processor_count=self.gpu.processor_count,
            cluster_tile_count=self.gpu.blocks.cluster_tile_count,
            l2=self.gpu.l2,
            dtype=self.dtype,
        )
        has_rows = self.m_elements > 0
        dram_bytes, l2_read_bytes = (
            (np.where(has_rows, part, 0.0) * self.alike_count).sum(axis=-1)
            for part in (traffic.dram_bytes, traffic.l2_read_bytes)
        )
        memory_time_s = dram_bytes / self.gpu.roofline.memory_bandwidth_bytes_per_s
        if self.gpu.l2 is not None and self.gpu.l2.bandwidth_bytes_per_s is not None:
            memory_time_s = np.maximum(memory_time_s, l2_read_bytes / self.gpu.l2.bandwidth_bytes_per_s)
        time_s = self.factors.time_s(compute_time_s=compute_time_s, memory_time_s=memory_time_s)
        c_elements = np.asarray(to_float(self.m_elements) * to_float(self.n_elements)) * self.alike_count
        flops = 2 * (c_elements * to_float(self.k_elements)).sum(axis=-1)
        return GpuGemmRun(
            tile_m_elements=to_plain_int(np.broadcast_to(tile_m, tile_count.shape)),
            tile_n_elements=to_plain_int(np.broadcast_to(tile_n, tile_count.shape)),
            tile_count=to_plain_int(tile_count),
            split_count=1,
            wave_count=to_plain_int(divide_up(tile_count, self.gpu.processor_count)),
            tile_efficiency_fraction=to_plain_float(flops / 2 / (work_steps * tile_area)),
            wave_efficiency_fraction=to_plain_float(work_steps / (steps * self.gpu.processor_count)),
            feed_efficiency_fraction=to_plain_float(np.broadcast_to(tile_area / paid_area, tile_count.shape)),
            dram_bytes=to_plain_float(dram_bytes),
            l2_read_bytes=to_plain_float(l2_read_bytes),
            compute_time_s=to_plain_float(compute_time_s),
            memory_time_s=to_plain_float(memory_time_s),
            launch_time_s=self.factors.launch_s,
            time_s=time_s,
            useful_flops_per_s=to_plain_float(flops / time_s),
            peak_fraction=to_plain_float(flops / time_s / self.gpu.roofline.peak_flops_per_s),
        )

    def _count_steps(self, tiles: npt.NDArray[np.int64]) -> tuple[Any, Any]:
        """Steps along k: a lower bound for the busiest SM, and the sum over all SMs."""
        depth = to_float(self.k_elements)
        work = np.asarray(to_float(tiles) * depth).sum(axis=-1)
        if self.k_elements.strides[-1] == 0 or np.all(self.k_elements == self.k_elements[..., :1]):
            waves = divide_up(tiles.sum(axis=-1), self.gpu.processor_count)
            return to_float(waves) * np.asarray(depth)[..., 0], work
        deepest_first = np.argsort(-self.k_elements, axis=-1, kind="stable")
        depths = np.take_along_axis(np.asarray(depth), deepest_first, axis=-1)
        sorted_tiles = np.take_along_axis(tiles, np.broadcast_to(deepest_first, tiles.shape), axis=-1)
        taken = to_float(divide_up(np.cumsum(sorted_tiles, axis=-1), self.gpu.processor_count))
        return np.maximum(work / self.gpu.processor_count, (taken * depths).max(axis=-1)), work

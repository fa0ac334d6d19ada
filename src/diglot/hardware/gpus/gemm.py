"""Time of a matrix product on a GPU: output tiles in waves over the SMs, and split-K where tiles are few.

C[m, n] is split into tiles, one thread block each. A tile at the edge costs as much as a full one (tile
quantisation), and a wave takes as long as one tile, whether every SM or only one has work (wave
quantisation). So time over n is a staircase, and the rate a saw-tooth.

Where C has fewer tiles than the GPU has SMs, k is split into parts that run in parallel (split-K); their
partial sums are added in a second pass through memory.

The tiles of equal products in one launch (a batched product, such as the heads of attention) share waves.
For products of different sizes see `grouped_gemm`.

Sources: NVIDIA, "Matrix Multiplication Background User's Guide", sections "Tile Quantization" and "Wave
Quantization"; NVIDIA, "CUTLASS: Efficient GEMM in CUDA", section "Parallelized Reductions".
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from diglot.hardware.chips.calibration import IDEAL, Factors
from diglot.hardware.dtypes import DType
from diglot.hardware.gpus.processors import GpuProcessors
from diglot.hardware.gpus.thread_blocks import LIBRARY_SIDE_ELEMENTS, Tile
from diglot.hardware.gpus.traffic import count_tiled_traffic
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

SPLITS = (1, 2, 3, 4, 5, 6, 8, 12, 16)
"""Numbers of parts of k that are tried by default, more than one only while all thread blocks fit one wave.

With more waves, splitting would balance the last one, but the partial sums cost more than that saves. With
powers of two alone, some measured A100 products beat the ideal by 1 % (docs/measurements.md, "Held out").
"""

LARGEST_TABLE = 2**14
"""Products x candidates that are tried at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GpuGemmRun:
    """Cost of one product, or of an array of them, each with its whole batch."""

    tile_m_elements: Size
    tile_n_elements: Size
    tile_count: Size
    split_count: Size
    """Parts of k; each tile has one thread block per part."""
    wave_count: Size
    """Waves: thread blocks over SMs, rounded up."""
    tile_efficiency_fraction: Real
    """Share of the tiles' area inside C."""
    wave_efficiency_fraction: Real
    """Share of the waves' slots with a thread block; low where the last wave is a short tail."""
    feed_efficiency_fraction: Real
    """Share of a thread block's time that its arithmetic needs; below 1 where shared memory starves it."""
    dram_bytes: Real
    """Main memory traffic, considering reuse in L2 and partial sums."""
    l2_read_bytes: Real
    """Operands that the SMs read through L2."""
    compute_time_s: Real
    """Waves x time of one thread block on one SM at the SM's share of the peak."""
    memory_time_s: Real
    """Time of the traffic at full bandwidth, of main memory or of L2, whichever is longer."""
    launch_time_s: Real
    """Launch overhead of the kernel; 0 with ideal factors."""
    time_s: Real
    """Ideal: the longer of compute and memory time. Calibrated: `factors.time_s` of the two."""
    useful_flops_per_s: Real
    """2mkn FLOPs, times the batch, over `time_s`."""
    peak_fraction: Real
    """`useful_flops_per_s` as a share of the peak."""


def estimate_gpu_gemm(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    gpu: GpuProcessors,
    tile: Tile | None = None,
    split_count: SizeLike | None = 1,
    batch_count: SizeLike = 1,
    factors: Factors = IDEAL,
    dtype: DType = "bf16",
    result_dtype: DType | None = None,
) -> GpuGemmRun:
    """Time of C[m, n] = A[m, k] @ B[k, n]: a thread block per tile and part of k, one per SM at a time.

    Without `tile`, each product gets the tile of `gpu.blocks` with the least time, then the least arithmetic,
    then the first; narrow tiles only where that side of C is below 64. `split_count=None` chooses from
    `SPLITS` in the same way. Waves are not persistent and do not overlap. `batch_count` equal products that
    share no operand run in one launch. `factors` are those of `load_calibration().find(chip, "gemm")`, which
    were fitted to the times of `operator_time.time_gemm`, with chosen splits and the chip's blocks and L2.
    Raises ValueError for a size below 1 or not whole.
    """
    m_, k_, n_ = check_size("m", m), check_size("k", k), check_size("n", n)
    splits = None if split_count is None else check_size("split_count", split_count)
    batch = check_size("batch_count", batch_count)
    check_products_fit(m_, n_, k_, batch)
    product = _Product(
        m_elements=m_,
        k_elements=k_,
        n_elements=n_,
        gpu=gpu,
        batch_count=batch,
        factors=factors,
        dtype=dtype,
        result_dtype=result_dtype,
    )
    if tile is not None and splits is not None:
        return product.run(tile.m_elements, tile.n_elements, splits)
    return product.run(*product.choose(tile, splits))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Product:
    """One product, or an array of them, on one GPU, before tiles are chosen."""

    m_elements: Size
    k_elements: Size
    n_elements: Size
    gpu: GpuProcessors
    batch_count: Size
    factors: Factors
    dtype: DType
    result_dtype: DType | None

    def run(self, tile_m: Size, tile_n: Size, splits: Size) -> GpuGemmRun:
        """Cost of the product with these tile sides and `splits` parts of k."""
        tiles = divide_up(self.m_elements, tile_m) * divide_up(self.n_elements, tile_n) * self.batch_count
        blocks = tiles * splits
        waves = divide_up(blocks, self.gpu.processor_count)
        tile_area = to_float(tile_m) * to_float(tile_n)
        paid_area: Real = to_plain_float(np.maximum(tile_area, self.gpu.blocks.feed_macs(tile_m, tile_n)))
        depth = to_float(divide_up(self.k_elements, splits))
        block_time_s = (
            2 * paid_area * depth * to_float(self.gpu.processor_count) / self.gpu.roofline.peak_flops_per_s
        )
        compute_time_s = to_float(waves) * block_time_s
        traffic = count_tiled_traffic(
            self.m_elements,
            self.k_elements,
            self.n_elements,
            tile_m_elements=tile_m,
            tile_n_elements=tile_n,
            split_count=splits,
            processor_count=self.gpu.processor_count,
            batch_count=self.batch_count,
            cluster_tile_count=self.gpu.blocks.cluster_tile_count,
            l2=self.gpu.l2,
            dtype=self.dtype,
            result_dtype=self.result_dtype,
        )
        memory_time_s: Real = traffic.dram_bytes / self.gpu.roofline.memory_bandwidth_bytes_per_s
        if self.gpu.l2 is not None and self.gpu.l2.bandwidth_bytes_per_s is not None:
            memory_time_s = to_plain_float(
                np.maximum(memory_time_s, traffic.l2_read_bytes / self.gpu.l2.bandwidth_bytes_per_s)
            )
        time_s = self.factors.time_s(
            compute_time_s=compute_time_s,
            memory_time_s=memory_time_s,
            depth_elements=to_float(self.k_elements),
            part_elements=depth,
        )
        c_elements = to_float(self.batch_count) * to_float(self.m_elements) * to_float(self.n_elements)
        flops = 2 * c_elements * to_float(self.k_elements)
        return GpuGemmRun(
            tile_m_elements=tile_m,
            tile_n_elements=tile_n,
            tile_count=tiles,
            split_count=splits,
            wave_count=waves,
            tile_efficiency_fraction=c_elements / (to_float(tiles) * tile_area),
            wave_efficiency_fraction=to_float(blocks)
            / (to_float(waves) * to_float(self.gpu.processor_count)),
            feed_efficiency_fraction=tile_area / paid_area,
            dram_bytes=traffic.dram_bytes,
            l2_read_bytes=traffic.l2_read_bytes,
            compute_time_s=compute_time_s,
            memory_time_s=memory_time_s,
            launch_time_s=self.factors.launch_s,
            time_s=time_s,
            useful_flops_per_s=flops / time_s,
            peak_fraction=flops / time_s / self.gpu.roofline.peak_flops_per_s,
        )

    def choose(self, tile: Tile | None, splits: "Size | None") -> tuple[Size, Size, Size]:
        """Tile sides and parts of k with the least time; on a tie the least arithmetic, then the first."""
        tiles = self.gpu.blocks.tiles if tile is None else (tile,)
        tried = SPLITS if splits is None else (1,)
        tile_m, tile_n, parts = (
            np.array(column)
            for column in zip(
                *((each.m_elements, each.n_elements, part) for each in tiles for part in tried), strict=True
            )
        )
        check_products_fit(
            np.asarray(self.m_elements + int(tile_m.max())),
            self.n_elements + int(tile_n.max()),
            self.k_elements + max(SPLITS),
            self.batch_count,
        )
        sizes = (
            self.m_elements,
            self.k_elements,
            self.n_elements,
            self.gpu.processor_count,
            self.batch_count,
        )
        shape = np.broadcast_shapes(*map(np.shape, (*sizes, 1 if splits is None else splits)))
        best: Any = np.zeros(shape, dtype=np.int64)
        least_time_s, least_compute_s = np.full(shape, np.inf), np.full(shape, np.inf)
        # Many candidates at once for a few products, one at a time in a large sweep, to save memory.
        at_once = max(1, LARGEST_TABLE // max(1, int(np.prod(shape))))
        for start in range(0, tile_m.size, at_once):
            some = np.arange(start, min(start + at_once, tile_m.size))
            columns = [column[some].reshape(-1, *[1] * len(shape)) for column in (tile_m, tile_n, parts)]
            if splits is not None:
                columns[2] = np.broadcast_to(splits, (1, *shape))
            sensible = np.broadcast_to(
                self._find_sensible(*columns, free_tile=tile is None, free_splits=splits is None),
                (some.size, *shape),
            )
            kept = sensible.reshape(some.size, -1).any(axis=1)
            if not kept.any():
                continue
            columns = [column[kept] if column.shape[0] == kept.size else column for column in columns]
            run = self.run(*columns)
            time_s = np.where(sensible[kept], run.time_s, np.inf)
            compute_s = np.broadcast_to(run.compute_time_s, time_s.shape)
            first = np.argmin(np.where(time_s == time_s.min(axis=0), compute_s, np.inf), axis=0)[None]
            time_s, compute_s = (np.take_along_axis(each, first, axis=0)[0] for each in (time_s, compute_s))
            better = (time_s < least_time_s) | ((time_s == least_time_s) & (compute_s < least_compute_s))
            best = np.where(better, some[kept][first[0]], best)
            least_time_s = np.where(better, time_s, least_time_s)
            least_compute_s = np.where(better, compute_s, least_compute_s)
        chosen = parts[best] if splits is None else splits
        return to_plain_int(tile_m[best]), to_plain_int(tile_n[best]), to_plain_int(chosen)

    def _find_sensible(
        self, tile_m: Any, tile_n: Any, parts: Any, *, free_tile: bool, free_splits: bool
    ) -> npt.NDArray[np.bool_]:
        """Where libraries would try them: narrow tiles for narrow products, split-K within one wave."""
        sensible = np.asarray(True)
        if free_tile:
            for side, elements in ((tile_m, self.m_elements), (tile_n, self.n_elements)):
                sensible = sensible & (
                    (side >= LIBRARY_SIDE_ELEMENTS) | (np.asarray(elements) < LIBRARY_SIDE_ELEMENTS)
                )
        if free_splits:
            tiles = divide_up(self.m_elements, tile_m) * divide_up(self.n_elements, tile_n) * self.batch_count
            sensible = sensible & ((parts == 1) | (tiles * parts <= self.gpu.processor_count))
        return sensible

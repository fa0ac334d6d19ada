"""Traffic of a tiled matrix product, between memory and L2 and between L2 and the processors.

Tiles of C are scheduled in groups of g rows of tiles (or g columns), column by column within a group, so that
the P tiles of a wave cover about g by P/g tiles and share operands. A panel of A that fits L2 is read from
memory once; B is read once per group. Data that does not fit is read again in each wave. g is the best power
of two.

From Hopper on, the thread blocks of a cluster may share one fetch (TMA multicast): in a cluster of i by j
tiles, i tiles share each panel of B and j tiles each panel of A. i and j are the best powers of two.

Sources: NVIDIA, "CUTLASS: Efficient GEMM in CUDA" (threadblock rasterization); the grouped order of
P. Tillet, "Matrix Multiplication", Triton tutorials; NVIDIA, "CUDA C++ Programming Guide", sections "Thread
Block Clusters" and "Tensor Memory Access" (multicast); cuBLAS, `cublasLtClusterShape_t` (the shapes it has).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.sizes import Real, Size, check_rate, check_size, divide_up, to_float, to_plain_float

PARTIAL_BYTES_PER_ELEMENT = 4
"""Partial sums over parts of k are fp32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class L2Cache:
    """The L2 cache, which all processors share."""

    capacity_bytes: float
    bandwidth_bytes_per_s: float | None = None
    """Bandwidth to all processors together; None where unknown, so that it never binds."""

    def __post_init__(self) -> None:
        check_rate("capacity_bytes", self.capacity_bytes)
        if self.bandwidth_bytes_per_s is not None:
            check_rate("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GemmTraffic:
    """Traffic of one product, or of an array of them."""

    dram_bytes: Real
    """Operands read, partial sums that do not fit L2, and the result written."""
    l2_read_bytes: Real
    """Operands fetched by the processors: every cluster of tiles reads its rows of A and columns of B."""


def count_tiled_traffic(
    m: Size,
    k: Size,
    n: Size,
    *,
    tile_m_elements: Size,
    tile_n_elements: Size,
    split_count: Size,
    processor_count: Size,
    batch_count: Size = 1,
    cluster_tile_count: int = 1,
    l2: L2Cache | None,
    dtype: DType,
    result_dtype: DType | None = None,
) -> GemmTraffic:
    """Traffic of C[m, n] = A[m, k] @ B[k, n] in tiles, with k split into `split_count` parts.

    Products of a batch have separate operands and are scheduled one after another; the partial sums of the
    whole batch exist at the same time. Clusters have up to `cluster_tile_count` tiles.
    Without `l2`, operands are read once, as if a cache held all reused data, and partial sums go to memory.
    With more than one part, each partial sum is written and read once in fp32. `dtype` is the format of A and
    B, and of C unless `result_dtype` is given.
    Raises ValueError for a size or count below 1 (m: below 0, as an expert may have no rows) or not whole.
    """
    width = bytes_per_element(dtype)
    m, k, n = check_size("m", m, least=0), check_size("k", k), check_size("n", n)
    tile_m_elements = check_size("tile_m_elements", tile_m_elements)
    tile_n_elements = check_size("tile_n_elements", tile_n_elements)
    split_count, processor_count = (
        check_size("split_count", split_count),
        check_size("processor_count", processor_count),
    )
    cluster_tiles = int(check_size("cluster_tile_count", cluster_tile_count))
    m_, k_, n_ = to_float(m), to_float(k), to_float(n)
    batch = to_float(check_size("batch_count", batch_count))
    a_bytes, b_bytes = m_ * k_ * width, k_ * n_ * width
    c_bytes = m_ * n_ * bytes_per_element(result_dtype or dtype)
    parts = np.where(np.asarray(split_count) > 1, to_float(split_count), 0.0)
    partial_bytes = batch * parts * m_ * n_ * PARTIAL_BYTES_PER_ELEMENT
    rows, columns = divide_up(m, tile_m_elements), divide_up(n, tile_n_elements)
    tile_m, tile_n = to_float(tile_m_elements), to_float(tile_n_elements)
    panels = _count_fetched_elements(rows, columns, tile_m, tile_n, cluster_tiles)
    l2_read_bytes = batch * panels * k_ * width
    read_bytes: Any = a_bytes + b_bytes
    if l2 is not None:
        partial_bytes = np.where(partial_bytes <= l2.capacity_bytes, 0.0, partial_bytes)
        # Parts of k are scheduled one after another, each with its own share of A and B.
        part_bytes = k_ / to_float(split_count) * width
        by_rows = _read_in_groups(
            rows=rows,
            columns=columns,
            panel_bytes=tile_m * part_bytes,
            kept_bytes=a_bytes,
            streamed_bytes=b_bytes,
            capacity_bytes=l2.capacity_bytes,
            processor_count=processor_count,
        )
        by_columns = _read_in_groups(
            rows=columns,
            columns=rows,
            panel_bytes=tile_n * part_bytes,
            kept_bytes=b_bytes,
            streamed_bytes=a_bytes,
            capacity_bytes=l2.capacity_bytes,
            processor_count=processor_count,
        )
        read_bytes = np.minimum(by_rows, by_columns)
    return GemmTraffic(
        dram_bytes=to_plain_float(batch * (read_bytes + c_bytes) + 2 * partial_bytes),
        l2_read_bytes=to_plain_float(l2_read_bytes),
    )


def _count_fetched_elements(
    rows: Size, columns: Size, tile_m: Real, tile_n: Real, cluster_tile_count: int
) -> Any:
    """Elements fetched from L2 per step along k, with the best cluster shape."""
    best: Any = np.inf
    height = 1
    while height <= cluster_tile_count:
        width = 1 << ((cluster_tile_count // height).bit_length() - 1)
        a_elements = to_float(rows) * to_float(divide_up(columns, width)) * tile_m
        b_elements = to_float(columns) * to_float(divide_up(rows, height)) * tile_n
        best = np.minimum(best, a_elements + b_elements)
        height *= 2
    return best


def _read_in_groups(
    *,
    rows: Size,
    columns: Size,
    panel_bytes: Real,
    kept_bytes: Real,
    streamed_bytes: Real,
    capacity_bytes: float,
    processor_count: Size,
) -> Any:
    """Bytes read of both operands with the best group height.

    `kept_bytes` is the size of the operand whose panels (one per row of tiles) a group keeps,
    `streamed_bytes` that of the operand that streams past.
    """
    best: Any = np.inf
    group, most = 1, 2 * int(np.max(processor_count))
    while group < most:
        height = np.minimum(group, processor_count)
        width = divide_up(processor_count, height)
        fits = height * panel_bytes <= capacity_bytes
        kept_times = np.where(fits, 1, divide_up(columns, width))
        streamed_times = np.where(streamed_bytes <= capacity_bytes, 1, divide_up(rows, height))
        best = np.minimum(best, kept_times * kept_bytes + streamed_times * streamed_bytes)
        if np.all(best <= kept_bytes + streamed_bytes):  # both are read once: no order reads less
            break
        group *= 2
    return best

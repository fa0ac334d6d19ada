"""Matrix products on the matrix units (MXUs) of a TPU: systolic arrays that hide the load of weights.

The array of `systolic` loads, fills and drains for each tile in turn. An MXU instead shifts the next tile's
weights into a second set of registers while rows of activations stream past the current weights and memory
fetches the tile after next. A tile then costs the longest of the three; fill and drain are paid once.

One call can compare generations, since sizes broadcast: four arrays of 128 against one of 256 are
`rows=cols=np.array([128, 256])`, `mxu_count=np.array([4, 1])`. For a chip of the catalogue see `tpu_gemm`.
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_products_fit,
    check_rate,
    check_size,
    divide_up,
    to_float,
    to_plain_int,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MxuRun:
    """Cycles and utilisation of one product, or of an array of them, on a chip's MXUs."""

    tile_count: Size
    """Weight tiles of array size that cover B[k, n]; the last tile in each direction is padded."""
    split_count: Size
    """Parts into which the rows of A are split, so that MXUs without a tile of their own have work."""
    block_count: Size
    """Sequential blocks into which each part is split to fit the rows of the accumulators."""
    round_count: Size
    """(tile, part, block) triples that the busiest MXU runs sequentially."""
    streamed_row_count: Size
    """Rows of A that stream in each round, including padding."""
    round_cycles: Size
    """Cycles per round in a steady stream: the longest of streaming, weight shift and weight fetch."""
    stream_cycles: Size
    """Cycles per round in which rows stream and the array is active."""
    shift_wait_cycles: Size
    """Cycles per round in which the array waits for weights to be shifted in."""
    fetch_wait_cycles: Size
    """Cycles per round in which the array waits for weights from memory."""
    total_cycles: Size
    """Cycles of this product alone: first fetch and shift, rounds (the last hides nothing), fill, drain."""
    partial_sum_elements: Size
    """Partial sums that leave the arrays, without padding: m n for each tile along k."""
    accumulation_elements: Size
    """Partial sums added to an earlier one of the same output: all but the first along k."""
    utilisation_fraction: Real
    """Useful multiply-accumulates, as a share of what all MXUs could do in `total_cycles`."""
    steady_utilisation_fraction: Real
    """The same in a gapless stream of products, where each round costs only `round_cycles`."""
    padding_efficiency_fraction: Real
    """Share of the weight tiles that is not padding."""
    row_padding_efficiency_fraction: Real
    """Share of the streamed rows that is not padding."""


def count_peak_flops_per_s(
    *, rows: SizeLike, cols: SizeLike, mxu_count: SizeLike = 1, clock_hz: float
) -> Real:
    """Peak rate in FLOP/s: one multiply-accumulate, or two FLOPs, per element and cycle."""
    rows_, cols_ = check_size("rows", rows), check_size("cols", cols)
    macs_per_cycle = rows_ * cols_ * check_size("mxu_count", mxu_count)
    return 2 * to_float(macs_per_cycle) * check_rate("clock_hz", clock_hz)


def run_mxu(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    rows: SizeLike = 128,
    cols: SizeLike = 128,
    mxu_count: SizeLike = 1,
    weight_load_cycles: SizeLike | None = None,
    weight_fetch_cycles: SizeLike = 0,
    row_cycles: SizeLike = 1,
    sublane_count: SizeLike = 1,
    accumulator_row_count: SizeLike | None = None,
) -> MxuRun:
    """Cycles and utilisation of C[m, n] = A[m, k] @ B[k, n], weight-stationary with B's tiles in turn.

    B is split into tiles of `rows` x `cols`, padded to the tile. A tile is fetched in `weight_fetch_cycles`
    (per MXU while all fetch; 0: memory keeps up) and shifted in within `weight_load_cycles` (default: `rows`,
    one weight row per cycle); rows of A then stream past it in `row_cycles` each (2 where operands are wider
    than the multipliers). The three steps overlap for different tiles. Rows of A are padded to a multiple of
    `sublane_count`. Tiles are dealt to the MXUs in turn; where it is faster, A's rows are also split into up
    to `mxu_count` parts. Each MXU has accumulators for `accumulator_row_count` rows (None: enough); each
    block of rows beyond that needs another pass of all weights. Partial sums over k are added outside the
    array at no cost, but counted.

    Raises ValueError for a size below 1 or not whole.
    Source: N. Jouppi et al., "In-Datacenter Performance Analysis of a Tensor Processing Unit", ISCA 2017
    (double-buffered tile, 256 cycles to shift one in, B rows in B cycles, half speed where one operand has
    16 bits, 4,096 rows of accumulators used in two halves); J. Austin et al., "How to Scale Your Model",
    part 2 (bf16[8, 128] x bf16[128, 128] every 8 cycles; weights smaller than the array are padded).
    """
    m_, k_, n_ = check_size("m", m), check_size("k", k), check_size("n", n)
    rows_, cols_ = check_size("rows", rows), check_size("cols", cols)
    mxus = check_size("mxu_count", mxu_count)
    load = rows_
    if weight_load_cycles is not None:
        load = check_size("weight_load_cycles", weight_load_cycles, least=0)
    fetch = check_size("weight_fetch_cycles", weight_fetch_cycles, least=0)
    per_row = check_size("row_cycles", row_cycles)
    sublanes = check_size("sublane_count", sublane_count)
    held_rows = m_
    if accumulator_row_count is not None:
        held_rows = check_size("accumulator_row_count", accumulator_row_count)
    row_tiles = divide_up(k_, rows_)
    tiles = row_tiles * divide_up(n_, cols_)
    # The arrays below are int64 even where all sizes are Python integers.
    check_products_fit(np.asarray(tiles + mxus), (m_ + sublanes) * per_row + load + fetch, rows_, cols_, mxus)
    check_products_fit(np.asarray(m_), k_, n_)

    shape = np.broadcast_shapes(
        *(np.shape(size) for size in (m_, tiles, mxus, load, fetch, per_row, sublanes, held_rows))
    )
    best_cycles = np.full(shape, np.iinfo(np.int64).max, dtype=np.int64)
    split, block, streamed = (np.ones(shape, dtype=np.int64) for _ in range(3))
    for parts in range(1, int(np.max(mxus)) + 1):
        part_rows = divide_up(m_, parts)
        blocks = divide_up(part_rows, held_rows)
        padded = divide_up(divide_up(part_rows, blocks), sublanes) * sublanes
        slowest = np.maximum(padded * per_row, np.maximum(load, fetch))
        cycles = divide_up(tiles * blocks * parts, mxus) * slowest
        better = (cycles < best_cycles) & (parts <= np.minimum(mxus, m_))
        best_cycles = np.where(better, cycles, best_cycles)
        split, block = np.where(better, parts, split), np.where(better, blocks, block)
        streamed = np.where(better, padded, streamed)
    splits, block_count, streamed_rows = to_plain_int(split), to_plain_int(block), to_plain_int(streamed)
    round_count = divide_up(tiles * block_count * splits, mxus)
    stream_cycles: Size = streamed_rows * per_row
    round_cycles: Size = to_plain_int(np.maximum(stream_cycles, np.maximum(load, fetch)))
    idle_cycles: Size = round_cycles - stream_cycles
    # A tile is shifted in once it has arrived, so the remaining idle cycles are the wait for its fetch.
    shift_wait_cycles: Size = to_plain_int(np.minimum(load, idle_cycles))
    busy_cycles = round_count * round_cycles
    overhead_cycles: Size = fetch + load + rows_ + cols_ - 2
    total_cycles: Size = to_plain_int(busy_cycles - round_cycles + stream_cycles + overhead_cycles)
    macs = to_float(m_) * to_float(k_) * to_float(n_)
    macs_per_cycle = mxus * rows_ * cols_
    return MxuRun(
        tile_count=tiles,
        split_count=splits,
        block_count=block_count,
        round_count=round_count,
        streamed_row_count=streamed_rows,
        round_cycles=round_cycles,
        stream_cycles=stream_cycles,
        shift_wait_cycles=shift_wait_cycles,
        fetch_wait_cycles=idle_cycles - shift_wait_cycles,
        total_cycles=total_cycles,
        partial_sum_elements=m_ * n_ * row_tiles,
        accumulation_elements=m_ * n_ * (row_tiles - 1),
        utilisation_fraction=macs / (to_float(total_cycles) * macs_per_cycle),
        steady_utilisation_fraction=macs / (to_float(busy_cycles) * macs_per_cycle),
        padding_efficiency_fraction=to_float(k_) * to_float(n_) / (to_float(tiles) * (rows_ * cols_)),
        row_padding_efficiency_fraction=to_float(m_) / to_float(splits * block_count * streamed_rows),
    )

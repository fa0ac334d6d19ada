"""A matrix product on the matrix units (MXUs) of a TPU: systolic arrays that hide the load of weights.

Where `systolic` counts an array that loads, fills and drains for each tile in turn, an MXU shifts the next
tile's weights into a second set of registers while rows of activations stream past the first. A tile then
costs the longer of the two, and fill and drain are paid once.
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_products_fit,
    check_size,
    divide_up,
    to_float,
    to_plain_int,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MxuRun:
    """What one product, or an array of them, costs on a chip's MXUs."""

    tile_count: Size
    """Weight tiles of array size that cover B[k, n]; the last in each direction are padded."""
    split_count: Size
    """Parts that the rows of A are cut into, so that MXUs without a tile of their own take part."""
    round_count: Size
    """(tile, part) pairs that the busiest MXU runs, one after another."""
    round_cycles: Size
    """Cycles of each in a steady stream: rows of A, or the weight load where that is longer."""
    total_cycles: Size
    """Of this product alone: first weight load, rounds, fill and drain. The last round hides no load."""
    utilisation_fraction: Real
    """Useful multiply-accumulates, of those that all MXUs could do in `total_cycles`."""
    steady_utilisation_fraction: Real
    """The same in a stream of products without a gap, where each round costs `round_cycles` and no more."""
    padding_efficiency_fraction: Real
    """Share of the weight tiles that is not padding."""


def run_mxu(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    rows: SizeLike = 128,
    cols: SizeLike = 128,
    mxu_count: SizeLike = 1,
    weight_load_cycles: SizeLike | None = None,
) -> MxuRun:
    """Cycles and utilisation of C[m, n] = A[m, k] @ B[k, n] with B's tiles resident in turn.

    B is cut into tiles of `rows` x `cols`, padded to the tile; one row of A streams per cycle; loading a tile
    takes `weight_load_cycles` (default: `rows`, one weight row per cycle) and is hidden behind the tile
    before. Tiles go round the MXUs; where it is quicker, A's rows are cut into up to `mxu_count` parts too.
    Partial sums over k are added outside the array at no cost, and memory keeps up.
    Raises ValueError for a size below 1 or not whole.
    Source: N. Jouppi et al., "In-Datacenter Performance Analysis of a Tensor Processing Unit", ISCA 2017
    (double-buffered tile, 256 cycles to shift one in, B rows in B cycles); J. Austin et al., "How to Scale
    Your Model", part 2 (bf16[8, 128] x bf16[128, 128] every 8 cycles; weights smaller than the array are
    padded).
    """
    m_, k_, n_ = check_size("m", m), check_size("k", k), check_size("n", n)
    rows_, cols_ = check_size("rows", rows), check_size("cols", cols)
    mxus = check_size("mxu_count", mxu_count)
    load = rows_
    if weight_load_cycles is not None:
        load = check_size("weight_load_cycles", weight_load_cycles, least=0)
    tiles = divide_up(k_, rows_) * divide_up(n_, cols_)
    # Counted in 64 bits below, whatever came in.
    check_products_fit(np.asarray(tiles + mxus), m_ + load, rows_, cols_, mxus)

    shape = np.broadcast_shapes(*(np.shape(size) for size in (m_, tiles, mxus, load)))
    best_cycles = np.full(shape, np.iinfo(np.int64).max, dtype=np.int64)
    split = np.ones(shape, dtype=np.int64)
    for parts in range(1, int(np.max(mxus)) + 1):
        rounds = divide_up(tiles * parts, mxus)
        cycles = rounds * np.maximum(divide_up(m_, parts), load)
        better = (cycles < best_cycles) & (parts <= np.minimum(mxus, m_))
        best_cycles = np.where(better, cycles, best_cycles)
        split = np.where(better, parts, split)
    splits: Size = to_plain_int(split)
    round_count = divide_up(tiles * splits, mxus)
    streamed_rows: Size = divide_up(m_, splits)
    round_cycles: Size = to_plain_int(np.maximum(streamed_rows, load))
    busy_cycles = round_count * round_cycles
    overhead_cycles: Size = load + rows_ + cols_ - 2
    total_cycles: Size = to_plain_int(busy_cycles - round_cycles + streamed_rows + overhead_cycles)
    macs = to_float(m_) * to_float(k_) * to_float(n_)
    macs_per_cycle = mxus * rows_ * cols_
    return MxuRun(
        tile_count=tiles,
        split_count=splits,
        round_count=round_count,
        round_cycles=round_cycles,
        total_cycles=total_cycles,
        utilisation_fraction=macs / (to_float(total_cycles) * macs_per_cycle),
        steady_utilisation_fraction=macs / (to_float(busy_cycles) * macs_per_cycle),
        padding_efficiency_fraction=to_float(k_) * to_float(n_) / (to_float(tiles) * (rows_ * cols_)),
    )

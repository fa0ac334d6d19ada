"""Memory behind a systolic array: traffic of each operand, and stalls at a finite bandwidth.

Cycles and folds are those of `systolic`; the traffic model is not SCALE-Sim's. Three scratchpads (SRAM), one
each for A, B and C, are between array and memory (DRAM). Each is double-buffered, with one half in use while
the other is filled. An operand is kept only where it fits one half, and then completely.

    os  Outer loop over m, inner over n. The part of A for `rows` rows is kept, or A is read for each fold
        along n. B is kept, or read for each fold along m. No partial sums leave the array.
    ws  Outer loop over n, inner over k. A is kept, or read for each fold along n. B is read once. Partial
        sums of m x cols outputs are kept, or written and read back for each fold along k.
    is  Outer loop over m, inner over k: as `ws` with the operands exchanged, and sums of n x cols outputs.
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.arrays.systolic import Dataflow, SystolicRun, run_systolic_array
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_products_fit,
    check_rate,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
    to_plain_int,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratchpads:
    """Capacities of the scratchpads, both halves together."""

    ifmap_bytes: int
    filter_bytes: int
    ofmap_bytes: int

    def __post_init__(self) -> None:
        for name in ("ifmap_bytes", "filter_bytes", "ofmap_bytes"):
            object.__setattr__(self, name, int(check_size(name, getattr(self, name), least=2)))


GOOGLE_SCRATCHPADS = Scratchpads(ifmap_bytes=6144 * 1024, filter_bytes=6144 * 1024, ofmap_bytes=2048 * 1024)
"""Scratchpads of SCALE-Sim's `google.cfg`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystolicTraffic:
    """Traffic and cycles of one product, or of an array of them."""

    run: SystolicRun
    """Cycles of the array without memory stalls."""
    scratchpads: Scratchpads
    mac_count: Real
    element_bytes: Size
    accumulator_bytes: Size
    ifmap_sram_read_bytes: Size
    filter_sram_read_bytes: Size
    ofmap_sram_write_bytes: Size
    """Finished outputs and partial sums."""
    partial_sum_sram_read_bytes: Size
    """Partial sums read back for the next fold along k."""
    ifmap_dram_read_bytes: Size
    filter_dram_read_bytes: Size
    partial_sum_dram_bytes: Size
    """Partial sums that did not fit: bytes written plus bytes read back."""
    ofmap_dram_write_bytes: Size
    """Finished outputs, written once."""
    stall_cycles: Real
    """Cycles in which the array waits for memory; 0 with infinite bandwidth."""
    total_cycles: Real
    """Cycles of the array plus stalls."""

    @property
    def dram_bytes(self) -> Size:
        """Memory traffic in both directions."""
        reads = self.ifmap_dram_read_bytes + self.filter_dram_read_bytes
        return reads + self.partial_sum_dram_bytes + self.ofmap_dram_write_bytes

    @property
    def sram_bytes(self) -> Size:
        """Traffic between scratchpads and array in both directions."""
        reads = self.ifmap_sram_read_bytes + self.filter_sram_read_bytes + self.partial_sum_sram_read_bytes
        return reads + self.ofmap_sram_write_bytes


def count_systolic_traffic(
    m: SizeLike,
    k: SizeLike,
    n: SizeLike,
    *,
    rows: SizeLike,
    cols: SizeLike,
    dataflow: Dataflow,
    scratchpads: Scratchpads = GOOGLE_SCRATCHPADS,
    element_bytes: SizeLike = 1,
    accumulator_bytes: SizeLike = 4,
    output_bytes: SizeLike = 1,
    ifmap_elements: SizeLike | None = None,
    dram_bytes_per_cycle: "Real | None" = None,
) -> SystolicTraffic:
    """Traffic and stalls of C[m, n] = A[m, k] @ B[k, n].

    `ifmap_elements` is the number of distinct elements of A in memory, for lowered convolutions, which repeat
    them on the way into the array (default: m k). `dram_bytes_per_cycle` is one rate for both directions
    (None: memory never stalls). Traffic is spread evenly over the folds and hidden behind the previous fold,
    so the reads of the first fold and the writes of the last are always exposed.

    Raises ValueError for a size below 1 or not whole, a rate that is not above zero, and an unknown dataflow.
    """
    run = run_systolic_array(m, k, n, rows=rows, cols=cols, dataflow=dataflow)
    m_, k_, n_ = check_size("m", m), check_size("k", k), check_size("n", n)
    rows_, cols_ = check_size("rows", rows), check_size("cols", cols)
    element, output = check_size("element_bytes", element_bytes), check_size("output_bytes", output_bytes)
    accumulator = check_size("accumulator_bytes", accumulator_bytes)
    a_elements = m_ * k_
    if ifmap_elements is not None:
        a_elements = check_size("ifmap_elements", ifmap_elements)
    folds = [divide_up(size, side) for size, side in ((m_, rows_), (n_, cols_), (m_, cols_), (k_, rows_))]
    m_folds = folds[2] if dataflow == "is" else folds[0]
    n_folds, k_folds = folds[1], 1 if dataflow == "os" else folds[3]
    check_products_fit(m_, n_, k_folds, element + accumulator + output, np.asarray(2))
    check_products_fit(a_elements, n_folds, element)
    check_products_fit(k_, n_, m_folds, element)

    a_bytes, b_bytes = a_elements * element, k_ * n_ * element
    a_half, b_half = scratchpads.ifmap_bytes // 2, scratchpads.filter_bytes // 2
    if dataflow == "os":
        slab_bytes = divide_up(a_bytes, m_folds)  # the part of A for one row of folds
        a_passes, b_passes = (
            _count_passes(slab_bytes, a_half, n_folds),
            _count_passes(b_bytes, b_half, m_folds),
        )
        open_sums: Size = 0
    elif dataflow == "ws":
        a_passes, b_passes = _count_passes(a_bytes, a_half, n_folds), 1
        open_sums = m_ * _least(cols_, n_)
    else:
        a_passes, b_passes = 1, _count_passes(b_bytes, b_half, m_folds)
        open_sums = n_ * _least(cols_, m_)
    spilled = to_plain_int(np.where(open_sums * accumulator > scratchpads.ofmap_bytes // 2, k_folds - 1, 0))

    ifmap_dram, filter_dram = a_bytes * a_passes, b_bytes * b_passes
    sums_dram, ofmap_dram = 2 * m_ * n_ * spilled * accumulator, m_ * n_ * output
    back_bytes = m_ * n_ * (k_folds - 1) * accumulator
    stall_cycles: Real = 0.0
    if dram_bytes_per_cycle is not None:
        rate = check_rate("dram_bytes_per_cycle", dram_bytes_per_cycle)
        transfer_cycles = to_float(ifmap_dram + filter_dram + sums_dram + ofmap_dram) / rate
        exposed_cycles = to_float(ifmap_dram + filter_dram + ofmap_dram) / rate / to_float(run.fold_count)
        late_cycles = np.maximum(transfer_cycles - exposed_cycles - to_float(run.total_cycles), 0.0)
        stall_cycles = to_plain_float(exposed_cycles + late_cycles)
    return SystolicTraffic(
        run=run,
        scratchpads=scratchpads,
        mac_count=to_float(m_) * to_float(k_) * to_float(n_),
        element_bytes=element,
        accumulator_bytes=accumulator,
        ifmap_sram_read_bytes=run.ifmap_read_elements * element,
        filter_sram_read_bytes=run.filter_read_elements * element,
        ofmap_sram_write_bytes=ofmap_dram + back_bytes,
        partial_sum_sram_read_bytes=back_bytes,
        ifmap_dram_read_bytes=ifmap_dram,
        filter_dram_read_bytes=filter_dram,
        partial_sum_dram_bytes=sums_dram,
        ofmap_dram_write_bytes=ofmap_dram,
        stall_cycles=stall_cycles,
        total_cycles=to_plain_float(to_float(run.total_cycles) + stall_cycles),
    )


def _count_passes(needed_bytes: Size, half_bytes: int, folds: Size) -> Size:
    """Number of times that an operand of `folds` folds is read: once where it can be kept."""
    return to_plain_int(np.where(np.asarray(needed_bytes) <= half_bytes, 1, folds))


def _least(one: Size, other: Size) -> Size:
    return to_plain_int(np.minimum(one, other))

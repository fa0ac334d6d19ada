"""A systolic array simulated register by register: what every processing element holds in every cycle.

Operands enter at the edges, one row or column later than their neighbour (the skew), and move one element per
cycle: to the right, and down. Each processing element multiplies what meets in it.

    os  A moves right, B moves down, each element sums one output in place, where it is read at the end
    ws  B is shifted in from the top (rows cycles) and stays; A moves right, partial sums move down and out
    is  the same with the operands' parts exchanged: A stays, B moves right

Folds run one after another, partial ones for as long as whole ones, so the number of cycles is
`SystolicRun.total_cycles`, and the index of the last is `compute_cycles`, which SCALE-Sim prints.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from diglot.hardware.sizes import check_size
from diglot.hardware.systolic import DATAFLOWS, Dataflow

Array: TypeAlias = npt.NDArray[Any]
Phase = Literal["load", "run"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshot:
    """The array at the end of one cycle.

    Arrays are rows x cols; an index has a last axis more, (row, column) of the matrix that it points into,
    and is -1 where there is nothing.
    """

    cycle_index: int
    """From 0, over all folds."""
    fold_index: int
    """From 0."""
    phase: Phase
    """`load` while the stationary operand is shifted in, else `run`."""
    ifmap_index: Array
    """(m, k) of the element of A in each processing element."""
    filter_index: Array
    """(k, n) of the element of B."""
    output_index: Array
    """(m, n) of the output whose partial sum is there."""
    partial_sums: Array
    active: Array
    """Where a multiply-accumulate was done in this cycle."""
    ifmap_read_elements: int
    """Elements of A that entered in this cycle."""
    filter_read_elements: int
    """Elements of B that entered in this cycle."""
    written_index: Array
    """(m, n) of each sum that left in this cycle, as rows."""
    written_values: Array
    """The sums: final for `os`, of one fold along k for `ws` and `is`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Simulation:
    """What came out, and what it took."""

    product: Array
    """A @ B, added up from what left the array."""
    total_cycles: int
    active_count: Array
    """Processing elements that multiplied, for each cycle; they sum to mkn."""
    ifmap_read_elements: int
    filter_read_elements: int
    ofmap_write_elements: int
    """Sums that left: m n for `os`, m n for each fold along k otherwise."""


def simulate_systolic_array(
    a: npt.ArrayLike, b: npt.ArrayLike, *, rows: int, cols: int, dataflow: Dataflow
) -> Simulation:
    """C = A @ B on `rows` x `cols` processing elements.

    Integers are computed in 64 bits, everything else in double precision (in the order of the array, so the
    last bits may differ from `numpy.matmul`). Raises as `simulate_cycles`.
    """
    a_, b_ = _check_operands(a, b)
    product = np.zeros((a_.shape[0], b_.shape[1]), dtype=a_.dtype)
    active, ifmap_reads, filter_reads, writes = [], 0, 0, 0
    for snapshot in simulate_cycles(a_, b_, rows=rows, cols=cols, dataflow=dataflow):
        index = snapshot.written_index
        product[index[:, 0], index[:, 1]] += snapshot.written_values  # no output leaves twice in a cycle
        active.append(int(np.count_nonzero(snapshot.active)))
        ifmap_reads += snapshot.ifmap_read_elements
        filter_reads += snapshot.filter_read_elements
        writes += len(index)
    return Simulation(
        product=product,
        total_cycles=len(active),
        active_count=np.array(active),
        ifmap_read_elements=ifmap_reads,
        filter_read_elements=filter_reads,
        ofmap_write_elements=writes,
    )


def simulate_cycles(
    a: npt.ArrayLike, b: npt.ArrayLike, *, rows: int, cols: int, dataflow: Dataflow
) -> Iterator[Snapshot]:
    """The array after each cycle, first to last.

    `a` is m x k, `b` is k x n. Raises ValueError for operands that are not two matrices of numbers that fit
    each other, for a size below 1, and for an unknown data flow.
    """
    a_, b_ = _check_operands(a, b)
    height, width = int(check_size("rows", rows)), int(check_size("cols", cols))
    if dataflow not in DATAFLOWS:
        raise ValueError(f"unknown data flow {dataflow!r}; known: {', '.join(DATAFLOWS)}")
    if dataflow == "os":
        frames = _run_output_stationary(a_, b_, height, width)
    elif dataflow == "ws":
        frames = _run_stationary(a_, b_, height, width)
    else:
        frames = _run_stationary(b_.T, a_.T, height, width)
    return _describe_cycles(frames, transposed=dataflow == "is")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Registers:
    """One register in each processing element: its value, and which element of the operand that is."""

    values: Array
    index: Array

    @classmethod
    def empty(cls, rows: int, cols: int, dtype: np.dtype[Any]) -> "_Registers":
        return cls(values=np.zeros((rows, cols), dtype=dtype), index=np.full((rows, cols, 2), -1))

    @property
    def filled(self) -> Array:
        return self.index[..., 0] >= 0

    def shift_right(self, edge: "_Edge") -> "_Registers":
        """Everything one column on; the edge enters on the left."""
        values, index = np.empty_like(self.values), np.empty_like(self.index)
        values[:, 1:], index[:, 1:] = self.values[:, :-1], self.index[:, :-1]
        values[:, 0], index[:, 0] = edge.values, edge.index
        return _Registers(values=values, index=index)

    def shift_down(self, edge: "_Edge") -> "_Registers":
        """Everything one row down; the edge enters at the top."""
        values, index = np.empty_like(self.values), np.empty_like(self.index)
        values[1:], index[1:] = self.values[:-1], self.index[:-1]
        values[0], index[0] = edge.values, edge.index
        return _Registers(values=values, index=index)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Edge:
    """What enters along one edge in one cycle."""

    values: Array
    index: Array
    read_elements: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Frame:
    """A cycle in the words of the array: what moves right, what comes from above, what is summed."""

    fold_index: int
    phase: Phase
    moving: _Registers
    from_above: _Registers
    sums: _Registers
    active: Array
    moving_read_elements: int
    above_read_elements: int
    written_index: Array
    written_values: Array


def _run_output_stationary(a: Array, b: Array, rows: int, cols: int) -> Iterator[_Frame]:
    (m, k), n = a.shape, b.shape[1]
    lanes, columns = np.arange(rows), np.arange(cols)
    fold = 0
    for top in range(0, m, rows):
        for left in range(0, n, cols):
            moving = falling = _Registers.empty(rows, cols, a.dtype)
            outputs = _point_at_outputs(top + lanes, left + columns, (m, n))
            sums = _Registers(values=moving.values, index=outputs)
            for cycle in range(rows + cols + k - 2):
                from_left = _enter(a, top + lanes, cycle - lanes)
                from_top = _enter(b, cycle - columns, left + columns)
                moving, falling = moving.shift_right(from_left), falling.shift_down(from_top)
                active = moving.filled & falling.filled
                sums = _Registers(
                    values=sums.values + np.where(active, moving.values * falling.values, 0), index=outputs
                )
                done = active & (moving.index[..., 1] == k - 1)
                yield _Frame(
                    fold_index=fold,
                    phase="run",
                    moving=moving,
                    from_above=falling,
                    sums=sums,
                    active=active,
                    moving_read_elements=from_left.read_elements,
                    above_read_elements=from_top.read_elements,
                    written_index=sums.index[done],
                    written_values=sums.values[done],
                )
            fold += 1


def _run_stationary(streamed: Array, resident: Array, rows: int, cols: int) -> Iterator[_Frame]:
    """`streamed` (t x k) @ `resident` (k x w), with tiles of `resident` staying in the array in turn."""
    (steps, k), width = streamed.shape, resident.shape[1]
    lanes, columns = np.arange(rows), np.arange(cols)
    nothing = np.zeros((rows, cols), dtype=bool)
    empty = _Registers.empty(rows, cols, streamed.dtype)
    no_sums = _Edge(values=empty.values[0], index=empty.index[0], read_elements=0)
    fold = 0
    for left in range(0, width, cols):
        for top in range(0, k, rows):
            staying = moving = sums = empty
            for cycle in range(rows):
                from_top = _enter(resident, np.full(cols, top + rows - 1 - cycle), left + columns)
                staying = staying.shift_down(from_top)
                yield _Frame(
                    fold_index=fold,
                    phase="load",
                    moving=moving,
                    from_above=staying,
                    sums=sums,
                    active=nothing,
                    moving_read_elements=0,
                    above_read_elements=from_top.read_elements,
                    written_index=empty.index[nothing],
                    written_values=empty.values[nothing],
                )
            for cycle in range(rows + cols + steps - 2):
                from_left = _enter(streamed, cycle - lanes, top + lanes)
                moving = moving.shift_right(from_left)
                active = moving.filled & staying.filled
                passed = sums.shift_down(no_sums)
                index = passed.index
                # Sums begin in the top row, where an element of a streamed row meets a column that is in use.
                begun = np.stack([moving.index[0, :, 0], staying.index[0, :, 1]], axis=-1)
                index[0] = np.where(active[0, :, None], begun, -1)
                sums = _Registers(
                    values=passed.values + np.where(active, moving.values * staying.values, 0), index=index
                )
                leaving = sums.filled[-1]
                yield _Frame(
                    fold_index=fold,
                    phase="run",
                    moving=moving,
                    from_above=staying,
                    sums=sums,
                    active=active,
                    moving_read_elements=from_left.read_elements,
                    above_read_elements=0,
                    written_index=sums.index[-1][leaving],
                    written_values=sums.values[-1][leaving],
                )
            fold += 1


def _enter(matrix: Array, rows: Array, columns: Array) -> _Edge:
    """The elements at (rows[i], columns[i]), empty where that lies outside the matrix."""
    inside = (rows >= 0) & (rows < matrix.shape[0]) & (columns >= 0) & (columns < matrix.shape[1])
    index = np.where(inside[:, None], np.stack([rows, columns], axis=-1), -1)
    values = np.where(inside, matrix[index[:, 0], index[:, 1]], 0)
    return _Edge(values=values, index=index, read_elements=int(np.count_nonzero(inside)))


def _point_at_outputs(rows: Array, columns: Array, shape: tuple[int, int]) -> Array:
    """(m, n) of the output that each processing element sums, -1 beyond the edge of C."""
    index = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1)
    return np.where(np.all(index < shape, axis=-1, keepdims=True), index, -1)


def _describe_cycles(frames: Iterator[_Frame], *, transposed: bool) -> Iterator[Snapshot]:
    """Snapshots of the frames of A @ B, or of its transpose B^T @ A^T, in the words of A @ B."""
    for cycle, frame in enumerate(frames):
        moving, from_above, sums = frame.moving.index, frame.from_above.index, frame.sums.index
        moving_reads, above_reads = frame.moving_read_elements, frame.above_read_elements
        for array in (moving, from_above, sums, frame.sums.values):
            array.setflags(write=False)  # the next cycle is computed from them
        yield Snapshot(
            cycle_index=cycle,
            fold_index=frame.fold_index,
            phase=frame.phase,
            ifmap_index=from_above[..., ::-1] if transposed else moving,
            filter_index=moving[..., ::-1] if transposed else from_above,
            output_index=sums[..., ::-1] if transposed else sums,
            partial_sums=frame.sums.values,
            active=frame.active,
            ifmap_read_elements=above_reads if transposed else moving_reads,
            filter_read_elements=moving_reads if transposed else above_reads,
            written_index=frame.written_index[..., ::-1] if transposed else frame.written_index,
            written_values=frame.written_values,
        )


def _check_operands(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Array, Array]:
    """Both as matrices of one type, int64 or float64."""
    a_, b_ = np.asarray(a), np.asarray(b)
    if a_.ndim != 2 or b_.ndim != 2 or a_.shape[1] != b_.shape[0] or 0 in (*a_.shape, *b_.shape):
        raise ValueError(f"cannot multiply arrays of shape {a_.shape} and {b_.shape}")
    for array in (a_, b_):
        if array.dtype.kind not in "iuf":
            raise ValueError(f"operands must be real numbers, not {array.dtype}")
    dtype = np.int64 if a_.dtype.kind in "iu" and b_.dtype.kind in "iu" else np.float64
    return a_.astype(dtype), b_.astype(dtype)

"""Register-level simulation of a systolic array: the contents of every processing element in every cycle.

Operands enter at the edges, each row or column one cycle after its neighbour (the skew), and move by one
element per cycle, right or down. Each processing element multiplies the operands that meet in it.

    os  A moves right, B moves down; each element accumulates one output in place, which is read at the end
    ws  B is shifted in from the top (rows cycles) and stays; A moves right, partial sums move down and out
    is  the same with the operands exchanged: A stays, B moves right

Folds run sequentially, and partial folds take as long as full ones. So the number of cycles is
`SystolicRun.total_cycles`, and the index of the last cycle is `compute_cycles`, which SCALE-Sim prints.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from diglot.hardware.arrays.systolic import DATAFLOWS, Dataflow
from diglot.hardware.sizes import check_size

Array: TypeAlias = npt.NDArray[Any]
Phase = Literal["load", "run"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshot:
    """State of the array at the end of one cycle.

    Arrays are rows x cols. Fields ending in `_index` have one more axis, (row, column) in the operand's
    matrix, and are -1 where a processing element is empty.
    """

    cycle_index: int
    """Counted from 0 over all folds."""
    fold_index: int
    """Counted from 0."""
    phase: Phase
    """`load` while the stationary operand is shifted in, otherwise `run`."""
    ifmap_index: Array
    """(m, k) of the element of A in each processing element."""
    filter_index: Array
    """(k, n) of the element of B."""
    output_index: Array
    """(m, n) of the output whose partial sum is in each processing element."""
    partial_sums: Array
    active: Array
    """Whether each processing element did a multiply-accumulate in this cycle."""
    ifmap_read_elements: int
    """Elements of A that entered in this cycle."""
    filter_read_elements: int
    """Elements of B that entered in this cycle."""
    written_index: Array
    """(m, n) of each sum that left in this cycle, as rows."""
    written_values: Array
    """The sums that left: final for `os`, of one fold along k for `ws` and `is`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Simulation:
    """The product, and the cycles and accesses it took."""

    product: Array
    """A @ B, accumulated from the sums that left the array."""
    total_cycles: int
    active_count: Array
    """Number of active processing elements per cycle; the sum is mkn."""
    ifmap_read_elements: int
    filter_read_elements: int
    ofmap_write_elements: int
    """Sums that left the array: m n for `os`, otherwise m n for each fold along k."""


def simulate_systolic_array(
    a: npt.ArrayLike, b: npt.ArrayLike, *, rows: int, cols: int, dataflow: Dataflow
) -> Simulation:
    """Simulate C = A @ B on `rows` x `cols` processing elements.

    Integers are computed in 64 bits, everything else in double precision (in the order of the array, so the
    last bits may differ from `numpy.matmul`). Raises ValueError as `simulate_cycles`.
    """
    a_, b_ = _check_operands(a, b)
    frames = _run_array(a_, b_, rows, cols, dataflow)
    transposed = dataflow == "is"
    sums = np.zeros((b_.shape[1], a_.shape[0]) if transposed else (a_.shape[0], b_.shape[1]), dtype=a_.dtype)
    active, moving_reads, above_reads, writes = [], 0, 0, 0
    for frame in frames:
        sums[frame.written_rows, frame.written_cols] += frame.written_values  # outputs leave once
        active.append(int(np.count_nonzero(frame.active)))
        moving_reads += frame.moving_read_elements
        above_reads += frame.above_read_elements
        writes += len(frame.written_values)
    return Simulation(
        product=sums.T if transposed else sums,
        total_cycles=len(active),
        active_count=np.array(active),
        ifmap_read_elements=above_reads if transposed else moving_reads,
        filter_read_elements=moving_reads if transposed else above_reads,
        ofmap_write_elements=writes,
    )


def simulate_cycles(
    a: npt.ArrayLike, b: npt.ArrayLike, *, rows: int, cols: int, dataflow: Dataflow
) -> Iterator[Snapshot]:
    """The state of the array after each cycle, from first to last.

    `a` is m x k, `b` is k x n. Raises ValueError for operands that are not two numeric matrices of matching
    shapes, for a size below 1, and for an unknown dataflow.
    """
    a_, b_ = _check_operands(a, b)
    return _describe_cycles(_run_array(a_, b_, rows, cols, dataflow), transposed=dataflow == "is")


class _Registers:
    """One register per processing element: a value, and a tag that identifies the matrix element.

    A tag is one index of the matrix element; the other index follows from the lane that the element moves in.
    Empty registers have tag -1 and value 0.

    Shifting does not copy memory: the registers are a window of a longer strip, and a step of the array
    slides the window by one against the motion, onto the entering edge. So a cycle writes only one edge.
    """

    def __init__(self, rows: int, cols: int, dtype: np.dtype[Any], *, down: bool = False) -> None:
        self._down = down
        self._length = rows if down else cols
        spare = max(3 * self._length, 64)
        shape = (rows + spare, cols) if down else (rows, cols + spare)
        self._values, self._tags = np.zeros(shape, dtype=dtype), np.full(shape, -1, dtype=np.int64)
        self._first = self._start = spare

    @property
    def values(self) -> Array:
        return self._window(self._values)

    @property
    def tags(self) -> Array:
        return self._window(self._tags)

    def clear(self) -> None:
        self._values.fill(0)
        self._tags.fill(-1)
        self._start = self._first

    def shift(self, values: Array | int, tags: Array | int) -> None:
        """Move everything by one place, right or down; an edge enters on the left or at the top."""
        if self._start == 0:
            for strip in (self._values, self._tags):
                held = self._window(strip).copy()
                (strip[self._first :] if self._down else strip[:, self._first :])[...] = held
            self._start = self._first
        self._start -= 1
        edge = self._start if self._down else (slice(None), self._start)
        self._values[edge], self._tags[edge] = values, tags

    def _window(self, strip: Array) -> Array:
        window = slice(self._start, self._start + self._length)
        return strip[window] if self._down else strip[:, window]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Frame:
    """A cycle in terms of the array: the operand moving right, the operand from above, and the sums.

    The tags and sums are views of the registers, which the next cycle overwrites.
    """

    fold_index: int
    phase: Phase
    moving_tags: Array
    moving_lanes: Array
    """The index that the tags omit, for each row of the array."""
    moving_tag_is_row: bool
    """Whether the tag is the row of the element's (row, column), as for all other tags, or the column."""
    above_tags: Array
    sum_tags: Array
    sums: Array
    lanes: Array
    """Column of the operand from above and of the product, for each column of the array."""
    active: Array
    moving_read_elements: int
    above_read_elements: int
    written_rows: Array
    written_cols: Array
    written_values: Array


_NO_INDEX = np.zeros(0, dtype=np.int64)


def _run_array(a: Array, b: Array, rows: int, cols: int, dataflow: Dataflow) -> Iterator[_Frame]:
    height, width = int(check_size("rows", rows)), int(check_size("cols", cols))
    if dataflow not in DATAFLOWS:
        raise ValueError(f"unknown data flow {dataflow!r}; known: {', '.join(DATAFLOWS)}")
    if dataflow == "os":
        return _run_output_stationary(a, b, height, width)
    if dataflow == "ws":
        return _run_stationary(a, b, height, width)
    return _run_stationary(b.T, a.T, height, width)


def _run_output_stationary(a: Array, b: Array, rows: int, cols: int) -> Iterator[_Frame]:
    (m, k), n = a.shape, b.shape[1]
    from_left, from_top = _Feed(a.T), _Feed(b)
    moving, falling = _Registers(rows, cols, a.dtype), _Registers(rows, cols, a.dtype, down=True)
    sums, products = np.zeros((rows, cols), dtype=a.dtype), np.zeros((rows, cols), dtype=a.dtype)
    folds = [(top, left) for top in range(0, m, rows) for left in range(0, n, cols)]
    for fold, (top, left) in enumerate(folds):
        moving.clear()
        falling.clear()
        sums.fill(0)
        lines, lanes = top + np.arange(rows), left + np.arange(cols)
        inside = (lines < m)[:, np.newaxis] & (lanes < n)
        sum_tags = np.where(inside, lines[:, np.newaxis], -1)
        from_left.point_at(lines)
        from_top.point_at(lanes)
        for cycle in range(rows + cols + k - 2):
            moving_reads = from_left.enter(moving, cycle)
            above_reads = from_top.enter(falling, cycle)
            _accumulate(sums, moving.values, falling.values, products)
            active = (moving.tags >= 0) & (falling.tags >= 0)
            # Outputs that receive their last product in this cycle lie on one diagonal of the array.
            diagonal = cycle - (k - 1)
            line = np.arange(max(0, diagonal - cols + 1), min(rows, diagonal + 1))
            column = diagonal - line
            done = active[line, column]
            line, column = line[done], column[done]
            yield _Frame(
                fold_index=fold,
                phase="run",
                moving_tags=moving.tags,
                moving_lanes=lines,
                moving_tag_is_row=False,
                above_tags=falling.tags,
                sum_tags=sum_tags,
                sums=sums,
                lanes=lanes,
                active=active,
                moving_read_elements=moving_reads,
                above_read_elements=above_reads,
                written_rows=lines[line],
                written_cols=lanes[column],
                written_values=sums[line, column],
            )


def _run_stationary(streamed: Array, resident: Array, rows: int, cols: int) -> Iterator[_Frame]:
    """`streamed` (t x k) @ `resident` (k x w), with the tiles of `resident` stationary in turn."""
    (steps, k), width = streamed.shape, resident.shape[1]
    from_left, from_top = _Feed(streamed), _Feed(resident, skewed=False)
    moving = _Registers(rows, cols, streamed.dtype)
    staying = _Registers(rows, cols, streamed.dtype, down=True)
    sums = _Registers(rows, cols, streamed.dtype, down=True)
    products = np.zeros((rows, cols), dtype=streamed.dtype)
    nothing = np.zeros((rows, cols), dtype=bool)
    folds = [(top, left) for left in range(0, width, cols) for top in range(0, k, rows)]
    for fold, (top, left) in enumerate(folds):
        for registers in (moving, staying, sums):
            registers.clear()
        lines, lanes = top + np.arange(rows), left + np.arange(cols)
        from_left.point_at(lines)
        from_top.point_at(lanes)
        for cycle in range(rows):
            above_reads = from_top.enter(staying, top + rows - 1 - cycle)
            yield _Frame(
                fold_index=fold,
                phase="load",
                moving_tags=moving.tags,
                moving_lanes=lines,
                moving_tag_is_row=True,
                above_tags=staying.tags,
                sum_tags=sums.tags,
                sums=sums.values,
                lanes=lanes,
                active=nothing,
                moving_read_elements=0,
                above_read_elements=above_reads,
                written_rows=_NO_INDEX,
                written_cols=_NO_INDEX,
                written_values=products[nothing],
            )
        held, weights = staying.tags >= 0, staying.values
        for cycle in range(rows + cols + steps - 2):
            moving_reads = from_left.enter(moving, cycle)
            active = (moving.tags >= 0) & held
            # Sums start in the top row, where an element of a streamed row meets a column in use.
            sums.shift(0, np.where(active[0], moving.tags[0], -1))
            _accumulate(sums.values, moving.values, weights, products)
            leaving = np.flatnonzero(sums.tags[-1] >= 0)
            yield _Frame(
                fold_index=fold,
                phase="run",
                moving_tags=moving.tags,
                moving_lanes=lines,
                moving_tag_is_row=True,
                above_tags=staying.tags,
                sum_tags=sums.tags,
                sums=sums.values,
                lanes=lanes,
                active=active,
                moving_read_elements=moving_reads,
                above_read_elements=0,
                written_rows=sums.tags[-1][leaving],
                written_cols=lanes[leaving],
                written_values=sums.values[-1][leaving],
            )


class _Feed:
    """Feeds a matrix into an edge of the array: a row per cycle, each lane one cycle after its neighbour."""

    def __init__(self, matrix: Array, *, skewed: bool = True) -> None:
        # Lanes without an element to read get the padded zeros at index -1.
        self._matrix = np.pad(matrix, ((0, 1), (0, 1)))
        self._shape = matrix.shape
        self._skewed = skewed
        self.point_at(np.zeros(0, dtype=np.int64))

    def point_at(self, lanes: Array) -> None:
        """Make lane i read column `lanes[i]` from now on."""
        self._used = lanes < self._shape[1]
        self._lanes = np.where(self._used, lanes, -1)
        self._delay = np.arange(len(lanes)) if self._skewed else np.zeros(len(lanes), dtype=np.int64)

    def enter(self, registers: _Registers, row: int) -> int:
        """Shift the registers by one, with `row` entering. Returns the number of elements read."""
        tags = row - self._delay
        reads = (tags >= 0) & (tags < self._shape[0]) & self._used
        tags = np.where(reads, tags, -1)
        registers.shift(self._matrix[tags, self._lanes], tags)
        return int(np.count_nonzero(reads))


def _accumulate(sums: Array, left: Array, right: Array, products: Array) -> None:
    """Multiply and accumulate in every processing element; empty ones hold zeros."""
    with np.errstate(invalid="ignore"):  # infinity x empty, in an element whose sum is not used
        np.multiply(left, right, out=products)
        np.add(sums, products, out=sums)


def _describe_cycles(frames: Iterator[_Frame], *, transposed: bool) -> Iterator[Snapshot]:
    """Snapshots in terms of A @ B, from frames of A @ B or of its transpose B^T @ A^T."""
    for cycle, frame in enumerate(frames):
        moving = _pair(frame.moving_tags, frame.moving_lanes[:, np.newaxis])
        if not frame.moving_tag_is_row:
            moving = moving[..., ::-1]
        from_above, outputs = (_pair(tags, frame.lanes) for tags in (frame.above_tags, frame.sum_tags))
        written = np.stack([frame.written_rows, frame.written_cols], axis=-1)
        sums = np.where(frame.sum_tags >= 0, frame.sums, 0)
        moving_reads, above_reads = frame.moving_read_elements, frame.above_read_elements
        for array in (moving, from_above, outputs, sums):
            array.setflags(write=False)
        yield Snapshot(
            cycle_index=cycle,
            fold_index=frame.fold_index,
            phase=frame.phase,
            ifmap_index=from_above[..., ::-1] if transposed else moving,
            filter_index=moving[..., ::-1] if transposed else from_above,
            output_index=outputs[..., ::-1] if transposed else outputs,
            partial_sums=sums,
            active=frame.active,
            ifmap_read_elements=above_reads if transposed else moving_reads,
            filter_read_elements=moving_reads if transposed else above_reads,
            written_index=written[..., ::-1] if transposed else written,
            written_values=frame.written_values,
        )


def _pair(tags: Array, lanes: Array) -> Array:
    """(tag, lane) of each register; (-1, -1) where it is empty."""
    return np.stack([tags, np.where(tags >= 0, lanes, -1)], axis=-1)


def _check_operands(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Array, Array]:
    """Both operands as matrices of one type, int64 or float64. Raises ValueError."""
    a_, b_ = np.asarray(a), np.asarray(b)
    if a_.ndim != 2 or b_.ndim != 2 or a_.shape[1] != b_.shape[0] or 0 in (*a_.shape, *b_.shape):
        raise ValueError(f"cannot multiply arrays of shape {a_.shape} and {b_.shape}")
    for array in (a_, b_):
        if array.dtype.kind not in "iuf":
            raise ValueError(f"operands must be real numbers, not {array.dtype}")
    dtype = np.int64 if a_.dtype.kind in "iu" and b_.dtype.kind in "iu" else np.float64
    return a_.astype(dtype), b_.astype(dtype)

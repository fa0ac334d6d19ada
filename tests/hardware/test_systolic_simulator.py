"""The simulated array: correct products, the cycles of the closed form, and correct snapshots."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import DATAFLOWS, run_systolic_array, simulate_cycles, simulate_systolic_array

sizes = st.integers(1, 9)
A = np.array([[1, 2], [3, 4]])
B = np.array([[5, 6], [7, 8]])


def operands(m, k, n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(-128, 128, (m, k)), rng.integers(-128, 128, (k, n))


@settings(deadline=None)
@given(sizes, sizes, sizes, sizes, sizes, st.sampled_from(DATAFLOWS), st.integers(0, 2**32))
def test_product_cycles_and_accesses_are_those_of_the_closed_form(m, k, n, rows, cols, dataflow, seed):
    a, b = operands(m, k, n, seed)
    simulation = simulate_systolic_array(a, b, rows=rows, cols=cols, dataflow=dataflow)
    run = run_systolic_array(m, k, n, rows=rows, cols=cols, dataflow=dataflow)
    assert np.array_equal(simulation.product, a @ b)
    assert simulation.total_cycles == run.total_cycles == run.compute_cycles + 1
    assert simulation.ifmap_read_elements == run.ifmap_read_elements
    assert simulation.filter_read_elements == run.filter_read_elements
    assert simulation.active_count.sum() == m * k * n


@pytest.mark.parametrize("dataflow", ["ws", "is"])
def test_partial_sums_are_written_once_per_fold_along_k(dataflow):
    simulation = simulate_systolic_array(*operands(5, 9, 6), rows=4, cols=4, dataflow=dataflow)
    run = run_systolic_array(5, 9, 6, rows=4, cols=4, dataflow=dataflow)
    assert simulation.ofmap_write_elements == run.ofmap_write_elements == 5 * 6 * 3


def test_output_stationary_writes_each_output_once_where_scale_sim_counts_more():
    simulation = simulate_systolic_array(*operands(5, 9, 6), rows=4, cols=4, dataflow="os")
    run = run_systolic_array(5, 9, 6, rows=4, cols=4, dataflow="os")
    assert simulation.ofmap_write_elements == 5 * 6
    assert run.ofmap_write_elements - 5 * 6 == run.fold_count * (4 + 4)


def test_cycles_are_numbered_from_0_to_the_count_that_scale_sim_prints():
    snapshots = list(simulate_cycles(*operands(5, 9, 6), rows=4, cols=4, dataflow="ws"))
    run = run_systolic_array(5, 9, 6, rows=4, cols=4, dataflow="ws")
    assert [snapshot.cycle_index for snapshot in snapshots] == list(range(run.total_cycles))
    assert snapshots[-1].cycle_index == run.compute_cycles
    assert {snapshot.fold_index for snapshot in snapshots} == set(range(run.fold_count))


def test_output_stationary_operands_meet_on_a_wavefront():
    """In cycle t, the elements A[i, t-i-j] and B[t-i-j, j] are in processing element (i, j)."""
    for snapshot in simulate_cycles(*operands(3, 4, 3), rows=3, cols=3, dataflow="os"):
        for i, j in np.ndindex(3, 3):
            depth = snapshot.cycle_index - i - j
            meets = 0 <= depth < 4
            assert snapshot.active[i, j] == meets
            assert snapshot.ifmap_index[i, j].tolist() == ([i, depth] if meets else [-1, -1])
            assert snapshot.filter_index[i, j].tolist() == ([depth, j] if meets else [-1, -1])
            assert snapshot.output_index[i, j].tolist() == [i, j]


def test_output_stationary_sums_grow_in_place():
    sums = [s.partial_sums.tolist() for s in simulate_cycles(A, B, rows=2, cols=2, dataflow="os")]
    assert sums == [[[5, 0], [0, 0]], [[19, 6], [15, 0]], [[19, 22], [43, 18]], [[19, 22], [43, 50]]]


def test_weights_are_shifted_in_from_the_top_and_stay():
    snapshots = list(simulate_cycles(A, B, rows=2, cols=2, dataflow="ws"))
    assert [snapshot.phase for snapshot in snapshots] == ["load"] * 2 + ["run"] * 4
    assert snapshots[0].filter_index.tolist() == [[[1, 0], [1, 1]], [[-1, -1], [-1, -1]]]
    for snapshot in snapshots[1:]:
        assert snapshot.filter_index.tolist() == [[[0, 0], [0, 1]], [[1, 0], [1, 1]]]


def test_weight_stationary_sums_move_down_and_out():
    snapshots = list(simulate_cycles(A, B, rows=2, cols=2, dataflow="ws"))
    left = [(s.cycle_index, s.written_index.tolist(), s.written_values.tolist()) for s in snapshots]
    assert left == [
        (0, [], []),
        (1, [], []),
        (2, [], []),
        (3, [[0, 0]], [1 * 5 + 2 * 7]),
        (4, [[1, 0], [0, 1]], [3 * 5 + 4 * 7, 1 * 6 + 2 * 8]),
        (5, [[1, 1]], [3 * 6 + 4 * 8]),
    ]


def test_input_stationary_keeps_the_transposed_inputs():
    snapshots = list(simulate_cycles(A, B, rows=2, cols=2, dataflow="is"))
    assert snapshots[1].ifmap_index.tolist() == [[[0, 0], [1, 0]], [[0, 1], [1, 1]]]
    assert snapshots[3].filter_index.tolist() == [[[0, 1], [0, 0]], [[1, 0], [-1, -1]]]


@pytest.mark.parametrize("dataflow", DATAFLOWS)
def test_what_meets_belongs_to_the_output_that_is_summed(dataflow):
    for snapshot in simulate_cycles(*operands(5, 7, 6), rows=3, cols=4, dataflow=dataflow):
        (m, k), (k_, n) = snapshot.ifmap_index[snapshot.active].T, snapshot.filter_index[snapshot.active].T
        outputs = snapshot.output_index[snapshot.active]
        assert np.array_equal(k, k_)
        assert np.array_equal(outputs, np.stack([m, n], axis=-1))


def test_a_snapshot_cannot_be_written_to():
    """The simulator computes the next cycle from it."""
    snapshot = next(simulate_cycles(A, B, rows=2, cols=2, dataflow="ws"))
    for array in (snapshot.filter_index, snapshot.partial_sums):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_small_integers_do_not_overflow():
    a = np.full((1, 4), 127, dtype=np.int8)
    simulation = simulate_systolic_array(a, a.T, rows=2, cols=2, dataflow="ws")
    assert simulation.product.tolist() == [[4 * 127 * 127]]


def test_reals_are_multiplied_in_double_precision():
    rng = np.random.default_rng(1)
    a, b = rng.random((6, 7)), rng.random((7, 5))
    simulation = simulate_systolic_array(a, b, rows=4, cols=4, dataflow="is")
    # The order of summation differs from numpy's, by a few units in the last place of sums near 2.
    np.testing.assert_allclose(simulation.product, a @ b, rtol=1e-14)


def test_an_array_of_128_by_128_fills_up_once_as_many_rows_stream_as_the_skew_is_long():
    a, b = operands(255, 128, 128)
    simulation = simulate_systolic_array(a, b, rows=128, cols=128, dataflow="ws")
    assert np.array_equal(simulation.product, a @ b)
    assert simulation.active_count.max() == 128 * 128


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (A, [[1, 2, 3]]),
        ([1, 2], B),
        (np.zeros((0, 2)), B),
        ([["x", "y"]], B),
        (A * 1j, B),
        (A, B > 5),
    ],
)
def test_operands_that_make_no_product_are_refused(a, b):
    with pytest.raises(ValueError, match=r"cannot multiply|must be real numbers"):
        simulate_systolic_array(a, b, rows=2, cols=2, dataflow="os")


def test_an_impossible_array_is_refused_before_the_first_cycle():
    with pytest.raises(ValueError, match="rows must be at least 1"):
        simulate_cycles(A, B, rows=0, cols=2, dataflow="os")
    with pytest.raises(ValueError, match="known: os, ws, is"):
        simulate_cycles(A, B, rows=2, cols=2, dataflow="rs")


@pytest.mark.parametrize("dataflow", DATAFLOWS)
def test_a_long_stream_through_a_small_array_comes_out_whole(dataflow):
    """The stream is longer than the strip of memory along which the register window slides."""
    a, b = operands(300, 120, 5)
    simulation = simulate_systolic_array(a, b, rows=4, cols=3, dataflow=dataflow)
    assert np.array_equal(simulation.product, a @ b)
    assert (
        simulation.total_cycles
        == run_systolic_array(300, 120, 5, rows=4, cols=3, dataflow=dataflow).total_cycles
    )


@pytest.mark.parametrize("dataflow", DATAFLOWS)
def test_an_infinite_operand_stays_in_its_own_row(dataflow):
    a, b = np.array([[np.inf, 1.0], [1.0, 2.0]]), np.array([[1.0], [3.0]])
    simulation = simulate_systolic_array(a, b, rows=3, cols=3, dataflow=dataflow)
    assert simulation.product.tolist() == [[np.inf], [7.0]]
    for snapshot in simulate_cycles(a, b, rows=3, cols=3, dataflow=dataflow):
        assert not np.isnan(snapshot.partial_sums).any()


@pytest.mark.parametrize("dataflow", DATAFLOWS)
def test_snapshots_kept_until_the_end_are_those_seen_on_the_way(dataflow):
    def sums(snapshots):
        return [(s.partial_sums.tolist(), s.ifmap_index.tolist(), s.active.tolist()) for s in snapshots]

    def run():
        return simulate_cycles(*operands(5, 6, 4), rows=3, cols=2, dataflow=dataflow)

    assert sums(list(run())) == [sums([snapshot])[0] for snapshot in run()]

"""Closed forms of the systolic array (the rows that SCALE-Sim printed are in tests/reference)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import DATAFLOWS, lower_convolution, run_systolic_array
from diglot.hardware.arrays.systolic import count_published_cycles

sizes = st.integers(1, 10**5)
sides = st.integers(1, 512)
dataflows = st.sampled_from(DATAFLOWS)


def test_an_output_stationary_fold_by_hand():
    """2 x 2 outputs of depth 3: the last operands meet 1 + 1 cycles after the third enter, in 5 cycles."""
    run = run_systolic_array(2, 3, 2, rows=2, cols=2, dataflow="os")
    assert (run.fold_count, run.fold_cycles, run.total_cycles, run.compute_cycles) == (1, 5, 5, 4)
    assert run.utilisation_fraction == 12 / (5 * 4)
    assert run.overall_utilisation_fraction == 12 / (4 * 4)


def test_a_weight_stationary_fold_by_hand():
    """2 cycles to load, 3 rows to stream, 1 + 1 of skew: 7 cycles."""
    run = run_systolic_array(3, 2, 2, rows=2, cols=2, dataflow="ws")
    assert (run.fold_count, run.fold_cycles, run.total_cycles) == (1, 7, 7)
    assert run.compute_utilisation_fraction == 3 / (7 + 1)


def test_input_stationary_is_weight_stationary_of_the_transposed_product():
    inputs = run_systolic_array(30, 20, 50, rows=8, cols=16, dataflow="is")
    weights = run_systolic_array(50, 20, 30, rows=8, cols=16, dataflow="ws")
    assert inputs.total_cycles == weights.total_cycles
    assert inputs.ifmap_read_elements == weights.filter_read_elements
    assert inputs.filter_read_elements == weights.ifmap_read_elements
    assert inputs.ofmap_write_elements == weights.ofmap_write_elements


def test_a_partial_fold_costs_as_much_as_a_whole_one():
    whole = run_systolic_array(16, 100, 16, rows=8, cols=8, dataflow="os")
    partial = run_systolic_array(9, 100, 9, rows=8, cols=8, dataflow="os")
    assert whole.total_cycles == partial.total_cycles
    assert partial.mapping_efficiency_fraction == 81 / 256


def test_utilisation_tends_to_the_mapping_efficiency_of_a_long_product():
    run = run_systolic_array(96, 10**9, 128, rows=128, cols=128, dataflow="os")
    assert run.mapping_efficiency_fraction == 0.75
    assert run.utilisation_fraction == pytest.approx(0.75, rel=1e-6)


def test_scale_sims_utilisation_may_exceed_one_and_ours_does_not():
    """One element for two cycles: SCALE-Sim divides by the index of the last cycle, which is 1."""
    run = run_systolic_array(1, 2, 1, rows=1, cols=1, dataflow="os")
    assert run.overall_utilisation_fraction == 2.0
    assert run.utilisation_fraction == 1.0


def test_a_product_that_ends_in_the_cycle_it_begins_has_an_infinite_utilisation_there():
    assert run_systolic_array(1, 1, 1, rows=1, cols=1, dataflow="os").overall_utilisation_fraction == math.inf


def test_the_published_model_adds_rows_to_every_output_stationary_fold_and_nothing_else():
    shape = {"m": 300, "k": 70, "n": 90}
    for dataflow, more in (("os", 32), ("ws", 0), ("is", 0)):
        run = run_systolic_array(**shape, rows=32, cols=16, dataflow=dataflow)
        published = count_published_cycles(**shape, rows=32, cols=16, dataflow=dataflow)
        assert published - run.total_cycles == more * run.fold_count


def test_a_convolution_becomes_a_product():
    """The first layer of AlexNet, padded: 55 x 55 outputs, 96 filters of 11 x 11 x 3."""
    assert lower_convolution(
        ifmap_height=227,
        ifmap_width=227,
        filter_height=11,
        filter_width=11,
        channels=3,
        filters=96,
        stride=4,
    ) == (55 * 55, 363, 96)


def test_a_stride_that_does_not_divide_gives_one_row_more():
    column = {"ifmap_width": 1, "filter_width": 1, "channels": 1, "filters": 1}
    shape = {**column, "filter_height": 3, "stride": 2}
    assert lower_convolution(ifmap_height=7, **shape)[0] == 3
    assert lower_convolution(ifmap_height=8, **shape)[0] == 4  # 3 in other frameworks


def test_a_filter_larger_than_its_input_is_refused():
    with pytest.raises(ValueError, match="does not fit"):
        lower_convolution(
            ifmap_height=2, ifmap_width=5, filter_height=3, filter_width=3, channels=1, filters=1, stride=1
        )


@pytest.mark.timeout(60)  # about a second; a call for each shape takes minutes
def test_a_million_shapes_are_answered_in_one_call_as_one_by_one():
    shapes = np.random.default_rng(0).integers(1, 5000, (3, 10**6))
    runs = run_systolic_array(*shapes, rows=128, cols=128, dataflow="ws")
    for index in range(0, 10**6, 99_991):
        one = run_systolic_array(*shapes[:, index], rows=128, cols=128, dataflow="ws")
        for field in one.__slots__:
            got = getattr(runs, field)
            assert getattr(one, field) == (got if np.ndim(got) == 0 else np.broadcast_to(got, 10**6)[index])


def test_sizes_broadcast():
    run = run_systolic_array(
        np.array([[1], [200]]), 64, np.array([8, 16, 32]), rows=16, cols=16, dataflow="is"
    )
    assert np.shape(run.total_cycles) == (2, 3)


@given(sizes, sizes, sizes, sides, sides, dataflows)
def test_shares_are_shares_and_counts_are_whole(m, k, n, rows, cols, dataflow):
    run = run_systolic_array(m, k, n, rows=rows, cols=cols, dataflow=dataflow)
    assert 0 < run.utilisation_fraction <= run.mapping_efficiency_fraction <= 1
    assert 0 < run.compute_utilisation_fraction <= 1
    assert run.overall_utilisation_fraction >= run.utilisation_fraction
    for field in run.__slots__:
        if field.endswith(("_cycles", "_count", "_elements")):
            assert type(getattr(run, field)) is int


@given(sizes, sizes, sizes, sides, sides, dataflows)
def test_work_takes_at_least_its_share_of_the_array(m, k, n, rows, cols, dataflow):
    run = run_systolic_array(m, k, n, rows=rows, cols=cols, dataflow=dataflow)
    assert run.total_cycles * rows * cols >= m * k * n


@given(sizes, sizes, sizes, sides, sides, dataflows)
def test_a_larger_product_is_never_quicker(m, k, n, rows, cols, dataflow):
    def cycles(*shape):
        return run_systolic_array(*shape, rows=rows, cols=cols, dataflow=dataflow).total_cycles

    assert cycles(m, k, n) <= min(cycles(m + 1, k, n), cycles(m, k + 1, n), cycles(m, k, n + 1))


@given(sizes, sizes, sizes, sides, sides, dataflows)
def test_every_operand_is_read_and_every_output_written_at_least_once(m, k, n, rows, cols, dataflow):
    run = run_systolic_array(m, k, n, rows=rows, cols=cols, dataflow=dataflow)
    assert run.ifmap_read_elements >= m * k
    assert run.filter_read_elements >= k * n
    assert run.ofmap_write_elements >= m * n


@given(st.one_of(st.integers(max_value=0), st.floats().filter(lambda x: not (x >= 1 and x.is_integer()))))
def test_an_impossible_size_is_refused_wherever_it_stands(wrong):
    for name in ("m", "k", "n", "rows", "cols"):
        shape = {"m": 4, "k": 4, "n": 4, "rows": 2, "cols": 2, name: wrong}
        with pytest.raises(ValueError, match=f"{name} must be"):
            run_systolic_array(**shape, dataflow="os")


def test_an_unknown_data_flow_is_refused():
    with pytest.raises(ValueError, match="known: os, ws, is"):
        run_systolic_array(1, 1, 1, rows=1, cols=1, dataflow="rs")


def test_a_product_that_does_not_fit_64_bits_is_refused_and_not_wrapped():
    with pytest.raises(ValueError, match="does not fit"):
        run_systolic_array(np.array([10**7]), 10**7, 10**7, rows=1, cols=1, dataflow="os")
    assert run_systolic_array(10**7, 10**7, 10**7, rows=1, cols=1, dataflow="os").total_cycles > 10**20

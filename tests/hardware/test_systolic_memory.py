"""Traffic of each operand behind a systolic array, and stalls."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    DATAFLOWS,
    Scratchpads,
    count_systolic_traffic,
    lower_convolution,
    run_systolic_array,
    simulate_systolic_array,
    unfold_convolution,
)
from diglot.hardware.arrays.memory import GOOGLE_SCRATCHPADS

TINY = Scratchpads(ifmap_bytes=2, filter_bytes=2, ofmap_bytes=2)
"""Scratchpads in which no operand fits."""
sizes = st.integers(1, 3000)
sides = st.integers(1, 256)
dataflows = st.sampled_from(DATAFLOWS)
pads = st.builds(
    Scratchpads, **dict.fromkeys(("ifmap_bytes", "filter_bytes", "ofmap_bytes"), st.integers(2, 10**7))
)


def count(m, k, n, dataflow, **how):
    return count_systolic_traffic(m, k, n, **{"rows": 8, "cols": 8, "dataflow": dataflow, **how})


@pytest.mark.parametrize("dataflow", DATAFLOWS)
def test_what_fits_is_moved_once(dataflow):
    traffic = count(100, 60, 40, dataflow)
    assert traffic.ifmap_dram_read_bytes == 100 * 60
    assert traffic.filter_dram_read_bytes == 60 * 40
    assert traffic.ofmap_dram_write_bytes == 100 * 40
    assert traffic.partial_sum_dram_bytes == 0


def test_what_does_not_fit_is_read_for_each_fold_that_needs_it():
    """13 folds along m, 5 along n; the stationary operand is read only once nevertheless."""
    passes = {"os": (5, 13), "ws": (5, 1), "is": (1, 13)}
    for dataflow, (a_passes, b_passes) in passes.items():
        traffic = count(100, 60, 40, dataflow, scratchpads=TINY)
        assert traffic.ifmap_dram_read_bytes == 100 * 60 * a_passes
        assert traffic.filter_dram_read_bytes == 60 * 40 * b_passes


def test_output_stationary_keeps_the_rows_of_a_that_it_works_on():
    """8 rows of 60 elements fit one half of the scratchpad."""
    held = Scratchpads(ifmap_bytes=2 * 8 * 60, filter_bytes=2, ofmap_bytes=2)
    assert count(104, 60, 40, "os", scratchpads=held).ifmap_dram_read_bytes == 104 * 60
    less = Scratchpads(ifmap_bytes=2 * 8 * 60 - 2, filter_bytes=2, ofmap_bytes=2)
    assert count(104, 60, 40, "os", scratchpads=less).ifmap_dram_read_bytes == 104 * 60 * 5


def test_partial_sums_that_do_not_fit_go_out_and_come_back_between_folds_along_k():
    """8 folds along k: sums are written and read back 7 times, in 4 bytes, and then written as outputs."""
    for dataflow, expected in (("ws", 2 * 7 * 100 * 40 * 4), ("is", 2 * 7 * 100 * 40 * 4), ("os", 0)):
        assert count(100, 60, 40, dataflow, scratchpads=TINY).partial_sum_dram_bytes == expected


def test_the_sums_of_one_column_of_folds_are_what_has_to_fit():
    held = Scratchpads(ifmap_bytes=2, filter_bytes=2, ofmap_bytes=2 * 100 * 8 * 4)
    assert count(100, 60, 40, "ws", scratchpads=held).partial_sum_dram_bytes == 0
    assert count(101, 60, 40, "ws", scratchpads=held).partial_sum_dram_bytes > 0


@pytest.mark.parametrize("dataflow", DATAFLOWS)
def test_accesses_of_scratchpads_are_those_of_the_simulated_array(dataflow):
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (13, 21)), rng.integers(-9, 9, (21, 10))
    simulation = simulate_systolic_array(a, b, rows=8, cols=8, dataflow=dataflow)
    traffic = count(13, 21, 10, dataflow, accumulator_bytes=1)
    assert traffic.ifmap_sram_read_bytes == simulation.ifmap_read_elements
    assert traffic.filter_sram_read_bytes == simulation.filter_read_elements
    assert traffic.ofmap_sram_write_bytes == simulation.ofmap_write_elements
    assert traffic.partial_sum_sram_read_bytes == simulation.ofmap_write_elements - 13 * 10


def test_lowering_a_convolution_reads_each_input_once_from_memory_and_many_times_from_the_scratchpad():
    """A 3 x 3 filter reads every input nine times, less at the edges."""
    m, k, n = lower_convolution(
        ifmap_height=58, ifmap_width=58, filter_height=3, filter_width=3, channels=64, filters=64, stride=1
    )
    traffic = count(m, k, n, "ws", rows=64, cols=64, ifmap_elements=58 * 58 * 64)
    assert traffic.ifmap_dram_read_bytes == 58 * 58 * 64
    assert traffic.ifmap_sram_read_bytes == 9 * 56 * 56 * 64


@given(
    st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.data()
)
def test_an_unfolded_convolution_times_its_filters_is_the_convolution(tall, wide, depth, n, stride, data):
    height = tall + stride * data.draw(st.integers(0, 4))
    width = wide + stride * data.draw(st.integers(0, 4))
    rng = np.random.default_rng(0)
    image, filters = rng.integers(-9, 9, (height, width, depth)), rng.integers(-9, 9, (tall, wide, depth, n))
    a, b = unfold_convolution(image, filters, stride=stride)
    direct = [
        np.tensordot(image[y : y + tall, x : x + wide], filters, axes=3)
        for y in range(0, height - tall + 1, stride)
        for x in range(0, width - wide + 1, stride)
    ]
    assert np.array_equal(a @ b, direct)
    assert (*a.shape, n) == lower_convolution(
        ifmap_height=height, ifmap_width=width, filter_height=tall, filter_width=wide,
        channels=depth, filters=n, stride=stride,
    )  # fmt: skip


def test_a_convolution_runs_on_the_simulated_array():
    rng = np.random.default_rng(1)
    image, filters = rng.integers(-9, 9, (6, 6, 2)), rng.integers(-9, 9, (3, 3, 2, 5))
    a, b = unfold_convolution(image, filters)
    simulation = simulate_systolic_array(a, b, rows=4, cols=4, dataflow="ws")
    assert np.array_equal(simulation.product, a @ b)


def test_a_convolution_that_cannot_be_unfolded_is_refused():
    image = np.zeros((5, 5, 2))
    for filters, stride, problem in (
        (np.zeros((3, 3, 1, 4)), 1, "cannot convolve"),
        (np.zeros((3, 3, 2)), 1, "cannot convolve"),
        (np.zeros((6, 3, 2, 4)), 1, "does not fit"),
        (np.zeros((2, 2, 2, 4)), 2, "does not divide"),
    ):
        with pytest.raises(ValueError, match=problem):
            unfold_convolution(image, filters, stride=stride)


def test_shapes_of_convolutions_broadcast():
    m, k, n = lower_convolution(
        ifmap_height=np.array([8, 16]), ifmap_width=8, filter_height=3, filter_width=3,
        channels=4, filters=np.array([[1], [2]]), stride=1, batch=5,
    )  # fmt: skip
    assert m.tolist() == [5 * 36, 5 * 84]
    assert (k, n.tolist()) == (36, [[1], [2]])


# Stalls


@given(sizes, sizes, sizes, sides, sides, dataflows, pads, st.floats(0.01, 1e4))
def test_a_run_is_no_shorter_than_its_cycles_nor_than_its_traffic(m, k, n, rows, cols, dataflow, pad, rate):
    how = {"rows": rows, "cols": cols, "dataflow": dataflow, "scratchpads": pad}
    traffic = count_systolic_traffic(m, k, n, **how, dram_bytes_per_cycle=rate)
    assert traffic.total_cycles >= traffic.run.total_cycles
    assert traffic.total_cycles >= traffic.dram_bytes / rate * (1 - 1e-12)
    assert traffic.total_cycles == pytest.approx(traffic.run.total_cycles + traffic.stall_cycles)
    # No wait is counted twice.
    assert traffic.total_cycles <= traffic.run.total_cycles + traffic.dram_bytes / rate * (1 + 1e-12)


@given(sizes, sizes, sizes, dataflows, pads)
def test_more_bandwidth_is_never_slower_and_enough_of_it_stalls_nothing(m, k, n, dataflow, pad):
    rates = np.array([0.1, 1.0, 10.0, 100.0, 1e15])
    traffic = count(m, k, n, dataflow, scratchpads=pad, dram_bytes_per_cycle=rates)
    assert np.all(np.diff(traffic.stall_cycles) <= 0)
    assert traffic.stall_cycles[-1] < 1e-3
    assert count(m, k, n, dataflow, scratchpads=pad).stall_cycles == 0


@given(sizes, sizes, sizes, dataflows, pads, st.sampled_from(("ifmap_bytes", "filter_bytes", "ofmap_bytes")))
def test_a_larger_scratchpad_never_moves_more(m, k, n, dataflow, pad, which):
    fields = {name: getattr(pad, name) for name in ("ifmap_bytes", "filter_bytes", "ofmap_bytes")}
    larger = Scratchpads(**{**fields, which: 4 * fields[which]})
    small, large = (count(m, k, n, dataflow, scratchpads=each).dram_bytes for each in (pad, larger))
    assert large <= small


@given(sizes, sizes, sizes, dataflows, pads)
def test_every_operand_moves_at_least_once(m, k, n, dataflow, pad):
    traffic = count(m, k, n, dataflow, scratchpads=pad)
    assert traffic.dram_bytes >= m * k + k * n + m * n
    assert traffic.sram_bytes >= m * k + k * n + m * n


@given(sizes, sizes, sizes, pads)
def test_input_stationary_is_weight_stationary_of_the_transposed_product(m, k, n, pad):
    turned = Scratchpads(
        ifmap_bytes=pad.filter_bytes, filter_bytes=pad.ifmap_bytes, ofmap_bytes=pad.ofmap_bytes
    )
    one = count(m, k, n, "is", scratchpads=pad, dram_bytes_per_cycle=3.0)
    other = count(n, k, m, "ws", scratchpads=turned, dram_bytes_per_cycle=3.0)
    assert one.dram_bytes == other.dram_bytes
    assert one.sram_bytes == other.sram_bytes
    assert one.total_cycles == other.total_cycles


def test_arrays_are_answered_as_one_by_one():
    shapes = np.random.default_rng(0).integers(1, 3000, (3, 50))
    for dataflow in DATAFLOWS:
        how = {"rows": 32, "cols": 16, "dataflow": dataflow, "dram_bytes_per_cycle": 7.0}
        runs = count_systolic_traffic(*shapes, **how)
        for index in range(50):
            one = count_systolic_traffic(*shapes[:, index], **how)
            assert runs.dram_bytes[index] == one.dram_bytes
            assert runs.sram_bytes[index] == one.sram_bytes
            assert runs.total_cycles[index] == pytest.approx(one.total_cycles)


def test_the_cycles_of_the_array_stay_scale_sims():
    traffic = count(100, 60, 40, "ws", dram_bytes_per_cycle=1.0)
    assert (
        traffic.run.compute_cycles
        == run_systolic_array(100, 60, 40, rows=8, cols=8, dataflow="ws").compute_cycles
    )


@pytest.mark.parametrize("wrong", [0, -1.0, float("nan"), float("inf")])
def test_an_impossible_rate_is_refused(wrong):
    with pytest.raises(ValueError, match="dram_bytes_per_cycle must be"):
        count(1, 1, 1, "os", dram_bytes_per_cycle=wrong)


def test_an_impossible_scratchpad_is_refused():
    with pytest.raises(ValueError, match="ofmap_bytes must be at least 2"):
        Scratchpads(ifmap_bytes=2, filter_bytes=2, ofmap_bytes=1)
    assert GOOGLE_SCRATCHPADS.ifmap_bytes == 6 * 2**20

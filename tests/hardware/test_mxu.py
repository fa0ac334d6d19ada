"""Matrix units that hide the load of weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import load_catalogue, run_mxu, run_systolic_array

sizes = st.integers(1, 10**5)
sides = st.sampled_from([8, 128, 256])
counts = st.integers(1, 8)


def test_one_tile_by_hand():
    """128 cycles to load the weights, 200 rows, 127 + 127 cycles until the last sum has left."""
    run = run_mxu(200, 128, 128)
    assert (run.tile_count, run.round_count, run.round_cycles) == (1, 1, 200)
    assert run.total_cycles == 128 + 200 + 254
    assert run.utilisation_fraction == pytest.approx(200 / 582)
    assert run.steady_utilisation_fraction == 1.0


def test_tiles_follow_each_other_without_a_gap():
    assert run_mxu(200, 1280, 128).total_cycles == 128 + 10 * 200 + 254


def test_few_rows_wait_for_the_weights():
    """8 rows in 128 cycles: one sixteenth, as in decoding with a small batch."""
    run = run_mxu(8, 1280, 1280)
    assert run.round_cycles == 128
    assert run.steady_utilisation_fraction == pytest.approx(8 / 128)


def test_resident_weights_take_a_row_per_cycle():
    """bf16[8, 128] x bf16[128, 128] every 8 cycles: J. Austin et al., "How to Scale Your Model", part 2."""
    assert run_mxu(8, 128, 128, weight_load_cycles=0).round_cycles == 8


def test_a_600_by_600_matrix_takes_9_tiles_of_tpu_v1():
    """N. Jouppi et al., "In-Datacenter Performance Analysis of a Tensor Processing Unit", section 7."""
    assert run_mxu(1, 600, 600, rows=256, cols=256).tile_count == 9


def test_one_column_beyond_the_tile_halves_what_is_used():
    fits, beyond = run_mxu(4096, 256, 256, rows=256, cols=256), run_mxu(4096, 256, 257, rows=256, cols=256)
    assert fits.padding_efficiency_fraction == 1.0
    assert beyond.padding_efficiency_fraction == pytest.approx(257 / 512)
    assert beyond.steady_utilisation_fraction == pytest.approx(257 / 512)


def test_a_small_layer_suits_a_small_array_better():
    """128 x 128 weights fill one tile of 128, and a quarter of one of 256."""
    small, large = run_mxu(10**5, 128, 128), run_mxu(10**5, 128, 128, rows=256, cols=256)
    assert small.steady_utilisation_fraction == 4 * large.steady_utilisation_fraction


def test_mxus_share_the_tiles():
    assert run_mxu(512, 512, 512, mxu_count=4).round_count == 4


def test_one_tile_is_shared_by_cutting_the_rows():
    run = run_mxu(1024, 128, 128, mxu_count=4)
    assert (run.split_count, run.round_count, run.round_cycles) == (4, 1, 256)
    assert run.steady_utilisation_fraction == 1.0


def test_rows_are_not_cut_where_the_weight_load_would_bind():
    assert run_mxu(128, 128, 128, mxu_count=4).split_count == 1


def test_a_large_product_fills_every_tpu():
    for chip in load_catalogue().tpu_generations:
        run = run_mxu(
            2**16, 2**13, 2**13,
            rows=chip.mxu_rows_count, cols=chip.mxu_columns_count, mxu_count=chip.mxu_count,
        )  # fmt: skip
        assert run.utilisation_fraction > 0.99


def test_arrays_are_answered_as_one_by_one():
    m, k, n = np.array([1, 100, 5000]), np.array([128, 300, 129]), 257
    runs = run_mxu(m, k, n, mxu_count=3)
    for index in range(3):
        one = run_mxu(m[index], k[index], n, mxu_count=3)
        for field in one.__slots__:
            assert getattr(runs, field)[index] == getattr(one, field)


@given(sizes, sizes, sizes, sides, counts)
def test_shares_are_shares(m, k, n, side, mxus):
    run = run_mxu(m, k, n, rows=side, cols=side, mxu_count=mxus)
    assert 0 < run.utilisation_fraction <= run.steady_utilisation_fraction <= 1 + 1e-12
    assert run.steady_utilisation_fraction <= run.padding_efficiency_fraction * (1 + 1e-12) <= 1 + 1e-12


@given(sizes, sizes, sizes, sides)
def test_hiding_the_load_is_never_slower_than_not_hiding_it(m, k, n, side):
    hidden = run_mxu(m, k, n, rows=side, cols=side)
    plain = run_systolic_array(m, k, n, rows=side, cols=side, dataflow="ws")
    assert hidden.total_cycles <= plain.total_cycles


@given(sizes, sizes, sizes)
def test_one_tile_costs_what_a_weight_stationary_fold_does(m, k, n):
    k, n = min(k, 128), min(n, 128)
    plain = run_systolic_array(m, k, n, rows=128, cols=128, dataflow="ws")
    assert run_mxu(m, k, n).total_cycles == plain.total_cycles


@given(sizes, sizes, sizes, counts)
def test_more_mxus_are_never_slower(m, k, n, mxus):
    few, many = (run_mxu(m, k, n, mxu_count=count) for count in (mxus, mxus + 1))
    assert many.round_count * many.round_cycles <= few.round_count * few.round_cycles


@pytest.mark.parametrize("wrong", [0, -1, 2.5])
def test_an_impossible_size_is_refused(wrong):
    for name in ("m", "k", "n", "rows", "cols", "mxu_count"):
        with pytest.raises(ValueError, match=f"{name} must be"):
            run_mxu(**{"m": 1, "k": 1, "n": 1, name: wrong})


def test_a_tile_costs_the_longest_of_streaming_shifting_and_fetching():
    rounds = [run_mxu(200, 1280, 128, weight_fetch_cycles=fetch).round_cycles for fetch in (0, 150, 1349)]
    assert rounds == [200, 200, 1349]


@given(sizes, sides, st.integers(0, 5000), st.integers(1, 4))
def test_a_round_is_streaming_and_two_kinds_of_waiting(m, side, fetch, row_cycles):
    run = run_mxu(m, 1, 1, rows=side, cols=side, weight_fetch_cycles=fetch, row_cycles=row_cycles)
    assert run.stream_cycles == m * row_cycles
    assert run.stream_cycles + run.shift_wait_cycles + run.fetch_wait_cycles == run.round_cycles
    assert 0 <= run.shift_wait_cycles <= side
    assert run.fetch_wait_cycles == 0 or run.round_cycles == fetch


@given(sizes, sizes, sizes, counts, st.sampled_from([1, 8, 16, 32]))
def test_padding_rows_to_sublanes_never_helps(m, k, n, mxus, sublanes):
    plain, padded = (run_mxu(m, k, n, mxu_count=mxus, sublane_count=count) for count in (1, sublanes))
    assert padded.streamed_row_count % sublanes == 0
    assert padded.round_count * padded.round_cycles >= plain.round_count * plain.round_cycles
    assert 0 < padded.row_padding_efficiency_fraction <= 1


def test_one_row_costs_a_whole_register_of_them():
    run = run_mxu(1, 128, 128, weight_load_cycles=0, sublane_count=16)
    assert (run.streamed_row_count, run.round_cycles) == (16, 16)
    assert run.row_padding_efficiency_fraction == 1 / 16


def test_more_rows_than_the_accumulators_hold_pass_all_weights_again():
    """TPU v1 has 4,096 rows of accumulators and uses them in two halves."""
    held = run_mxu(2048, 512, 512, rows=256, cols=256, accumulator_row_count=2048)
    spilled = run_mxu(2049, 512, 512, rows=256, cols=256, accumulator_row_count=2048)
    assert (held.block_count, held.round_count) == (1, 4)
    assert (spilled.block_count, spilled.round_count, spilled.streamed_row_count) == (2, 8, 1025)


def test_tiles_along_k_leave_partial_sums_to_add():
    run = run_mxu(10, 300, 20)
    assert run.partial_sum_elements == 3 * 10 * 20
    assert run.accumulation_elements == 2 * 10 * 20


@given(sizes, sizes, sizes)
def test_four_arrays_of_128_are_never_slower_in_a_stream_than_one_of_256(m, k, n):
    """The multipliers are equally many; smaller tiles have less padding and shorter weight shifts."""
    sides = np.array([128, 256])
    runs = run_mxu(m, k, n, rows=sides, cols=sides, mxu_count=np.array([4, 1]))
    small, large = runs.round_count * runs.round_cycles
    assert small <= large


@given(st.integers(1, 40), sizes, sides, st.integers(0, 5000), st.integers(0, 600), st.integers(1, 2))
def test_the_cycles_are_those_of_tiles_scheduled_one_by_one(tiles, m, side, fetch, load, row_cycles):
    """Tiles are fetched in turn, shifted in when the spare registers are free, streamed when the array is."""
    fetched = shifted = started = ended = 0
    for _ in range(tiles):
        fetched += fetch
        shifted = max(fetched, shifted, started) + load
        started = max(shifted, ended)
        ended = started + m * row_cycles
    run = run_mxu(
        m, tiles * side, side, rows=side, cols=side,
        weight_fetch_cycles=fetch, weight_load_cycles=load, row_cycles=row_cycles,
    )  # fmt: skip
    assert run.total_cycles == ended + 2 * side - 2

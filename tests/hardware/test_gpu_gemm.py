"""Tiles and waves of a matrix product on a GPU."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware.calibration import Factors
from diglot.hardware.catalogue import load_catalogue
from diglot.hardware.gemm_traffic import L2Cache
from diglot.hardware.gpu_gemm import TILES, Tile, estimate_gpu_gemm
from diglot.hardware.kernels import count_gemm
from diglot.hardware.roofline import Roofline

A100 = load_catalogue()["a100-80"]
H200 = load_catalogue()["h200-sxm"]
TILE = Tile(m_elements=256, n_elements=128)

sizes = st.integers(1, 10**5)
few = settings(max_examples=30, deadline=None)
tiles = st.sampled_from([*TILES, None])


def on(chip, m, k, n, tile=TILE, **more):
    return estimate_gpu_gemm(
        m, k, n, roofline=chip.roofline("bf16"), processor_count=chip.processor_count, tile=tile, **more
    )


def test_98_tiles_fill_91_percent_of_one_wave_of_an_a100():
    """1792 x 1792 in tiles of 256 x 128: NVIDIA, "Matrix Multiplication Background User's Guide"."""
    run = on(A100, 1792, 4096, 1792)
    assert (run.tile_count, run.wave_count) == (98, 1)
    assert run.wave_efficiency_fraction == pytest.approx(98 / 108)


def test_one_size_more_takes_a_second_wave():
    """Wider by one: 105 tiles still fit. Higher by one, too: 120 do not, and the second wave holds 12."""
    run = on(A100, 1792, 4096, 1793)
    assert (run.tile_count, run.wave_count) == (7 * 15, 1)
    run = on(A100, 1793, 4096, 1793)
    assert (run.tile_count, run.wave_count) == (8 * 15, 2)
    assert run.wave_efficiency_fraction == pytest.approx(120 / 216)


def test_a_tile_that_hangs_over_the_edge_costs_a_whole_one():
    inside, beyond = on(A100, 256, 4096, 128), on(A100, 257, 4096, 128)
    assert beyond.tile_count == 2 * inside.tile_count
    assert beyond.tile_efficiency_fraction == pytest.approx(257 / 512)


def test_time_over_n_is_a_staircase_and_the_rate_a_saw_tooth():
    n = np.arange(64, 12_001, 64)
    run = on(H200, 4096, 4096, n)
    steps = np.diff(run.compute_time_s)
    assert np.all(steps >= 0)
    assert set(np.unique(run.wave_count)) == set(range(1, run.wave_count[-1] + 1))
    # 4096 rows are 16 tiles: a wave of 132 SMs takes 8 columns of tiles, then 16, 24, 33 …
    teeth = n[1:][np.diff(run.wave_count) > 0]
    assert teeth[:4].tolist() == [8 * 128 + 64, 16 * 128 + 64, 24 * 128 + 64, 33 * 128 + 64]
    rates = run.useful_flops_per_s
    assert all(rates[np.searchsorted(n, tooth)] < rates[np.searchsorted(n, tooth) - 1] for tooth in teeth)


def test_teeth_shrink_as_products_grow():
    small = on(H200, 4096, 4096, 8 * 128 + 1).peak_fraction
    large = on(H200, 4096, 4096, 800 * 128 + 1).peak_fraction
    assert small < 0.6
    assert large > 0.95


def test_a_product_of_whole_waves_reaches_the_peak():
    """12 x 11 tiles, one for each of 132 SMs."""
    assert on(H200, 12 * 256, 8192, 11 * 128).peak_fraction == pytest.approx(1.0)


def test_a_thin_product_is_bound_by_memory():
    run = on(H200, 16, 8192, 8192 * 4, tile=Tile(m_elements=64, n_elements=64))
    assert run.time_s == run.memory_time_s > run.compute_time_s


def test_without_a_tile_the_quickest_is_taken():
    for shape in ((4096, 4096, 1100), (100, 4096, 4096), (1793, 512, 1793)):
        times = [on(A100, *shape, tile=tile).compute_time_s for tile in TILES]
        assert on(A100, *shape, tile=None).compute_time_s == min(times)


def test_of_equally_quick_tiles_the_first_is_taken():
    run = on(H200, 256 * 132, 4096, 128, tile=None)
    assert (run.tile_m_elements, run.tile_n_elements) == (256, 128)


def test_arrays_choose_a_tile_each():
    n = np.array([1, 130, 1100, 9000])
    runs = on(H200, 4096, 4096, n, tile=None)
    for index, columns in enumerate(n):
        one = on(H200, 4096, 4096, int(columns), tile=None)
        assert runs.tile_m_elements[index] == one.tile_m_elements
        assert runs.time_s[index] == one.time_s


@given(sizes, sizes, sizes, tiles)
def test_quantised_time_is_never_below_the_roofline(m, k, n, tile):
    run = on(H200, m, k, n, tile=tile)
    assert run.time_s >= H200.roofline("bf16").time_s(count_gemm(m, k, n)) * (1 - 1e-12)
    assert 0 < run.peak_fraction <= 1 + 1e-12


@given(sizes, sizes, sizes, tiles)
def test_time_is_explained_by_the_two_efficiencies(m, k, n, tile):
    run = on(H200, m, k, n, tile=tile)
    ideal_s = 2.0 * m * k * n / H200.peak_flops_per_s("bf16")
    efficiency = run.tile_efficiency_fraction * run.wave_efficiency_fraction
    assert 0 < efficiency <= 1
    assert run.compute_time_s == pytest.approx(ideal_s / efficiency)


@given(sizes, sizes, sizes)
def test_a_larger_product_is_never_quicker(m, k, n):
    time_s = on(H200, m, k, n).time_s
    assert all(time_s <= on(H200, *more).time_s for more in ((m + 1, k, n), (m, k + 1, n), (m, k, n + 1)))


SQUARE = Tile(m_elements=128, n_elements=128)


def test_k_in_four_parts_fills_the_processors_that_few_tiles_leave_idle():
    """128 x 3456 in tiles of 128 x 128: 27 tiles on 108 SMs, a quarter of a wave.

    In four parts 108 thread blocks fill the wave, each a quarter as deep: a quarter of the time.
    """
    whole, parts = on(A100, 128, 8192, 3456, tile=SQUARE), on(A100, 128, 8192, 3456, SQUARE, split_count=4)
    assert (whole.wave_count, whole.wave_efficiency_fraction) == (1, 0.25)
    assert (parts.wave_count, parts.wave_efficiency_fraction) == (1, 1.0)
    assert parts.compute_time_s == pytest.approx(whole.compute_time_s / 4)
    assert parts.compute_time_s == pytest.approx(2 * 128 * 8192 * 3456 / 312e12)


def test_parts_of_k_are_written_and_read_again_in_fp32():
    whole, parts = on(A100, 128, 8192, 3456, tile=SQUARE), on(A100, 128, 8192, 3456, SQUARE, split_count=4)
    assert whole.dram_bytes == 2 * (128 * 8192 + 8192 * 3456 + 128 * 3456)
    assert parts.dram_bytes - whole.dram_bytes == 2 * 4 * 128 * 3456 * 4


def test_parts_of_k_that_fit_l2_cost_no_memory_traffic():
    l2 = L2Cache(capacity_bytes=4 * 128 * 3456 * 4)
    small = L2Cache(capacity_bytes=4 * 128 * 3456 * 4 - 1)
    within, beyond = (on(A100, 128, 8192, 3456, SQUARE, split_count=4, l2=size) for size in (l2, small))
    assert beyond.dram_bytes - within.dram_bytes == 2 * 4 * 128 * 3456 * 4


def test_parts_are_rounded_up():
    assert on(A100, 128, 5, 128, split_count=4).compute_time_s == pytest.approx(
        on(A100, 128, 2, 128).compute_time_s
    )


def test_reuse_in_l2_worked_by_hand():
    """8192 cubed in tiles of 128 x 128: 64 by 64 tiles, a row of tiles needs 2 MiB of A, A and B are 128 MiB.

    40 MiB hold 16 rows of tiles (of powers of two): A comes once, B for each of four groups, C goes out once.
    Without room for any panel a wave of 108 is best 8 rows high and 14 wide: A five times, B eight times.
    """
    operand = 2 * 8192**2
    with_l2 = on(A100, 8192, 8192, 8192, SQUARE, l2=L2Cache(capacity_bytes=40 * 2**20))
    assert with_l2.dram_bytes == (1 + 4 + 1) * operand
    without = on(A100, 8192, 8192, 8192, SQUARE, l2=L2Cache(capacity_bytes=1))
    assert without.dram_bytes == (5 + 8 + 1) * operand


def test_processors_read_whole_tiles_through_l2():
    """64 x 64 tiles, each 128 rows of A and 128 columns of B of 8192 elements."""
    assert on(A100, 8192, 8192, 8192, SQUARE).l2_read_bytes == 64 * 64 * 256 * 8192 * 2


def test_small_tiles_pay_for_a_slow_l2():
    slow = L2Cache(capacity_bytes=40e6, bandwidth_bytes_per_s=5e12)
    times = [
        on(A100, 8192, 8192, 8192, Tile(m_elements=side, n_elements=side), l2=slow).time_s
        for side in (32, 64, 128)
    ]
    assert times[0] > times[1] > times[2]
    chosen = on(A100, 8192, 8192, 8192, tile=None, l2=slow)
    assert (chosen.tile_m_elements, chosen.tile_n_elements) in ((256, 128), (128, 256))


@few
@given(sizes, sizes, sizes, st.floats(1, 1e9), st.floats(1, 100), tiles)
def test_a_larger_l2_never_means_more_traffic_nor_less_than_each_operand_once(m, k, n, size, more, tile):
    small, large = (
        on(H200, m, k, n, TILE if tile is None else tile, l2=L2Cache(capacity_bytes=capacity)).dram_bytes
        for capacity in (size, size * more)
    )
    assert count_gemm(m, k, n).memory_bytes * (1 - 1e-12) <= large <= small


@few
@given(sizes, sizes, sizes)
def test_free_to_choose_is_never_slower_than_k_in_one_part(m, k, n):
    l2 = L2Cache(capacity_bytes=H200.last_level_on_chip_bytes)
    free = on(H200, m, k, n, None, split_count=None, l2=l2)
    assert free.time_s <= min(on(H200, m, k, n, tile, l2=l2).time_s for tile in TILES)
    assert free.split_count == 1 or free.wave_count == 1


@few
@given(sizes, sizes, sizes, st.floats(1, 10))
def test_higher_rates_are_never_slower(m, k, n, more):
    def time_s(peak, bandwidth):
        roofline = Roofline(peak_flops_per_s=peak, memory_bandwidth_bytes_per_s=bandwidth)
        return estimate_gpu_gemm(
            m, k, n, roofline=roofline, processor_count=132, split_count=None, l2=L2Cache(capacity_bytes=5e7)
        ).time_s

    assert time_s(1e15 * more, 3e12) <= time_s(1e15, 3e12)
    assert time_s(1e15, 3e12 * more) <= time_s(1e15, 3e12)


def test_factors_make_the_time_and_nothing_else():
    factors = Factors(compute_fraction=0.8, bandwidth_fraction=0.9, overlap_fraction=0.5, launch_s=5e-6)
    ideal, real = on(H200, 4096, 4096, 4096), on(H200, 4096, 4096, 4096, factors=factors)
    assert (real.compute_time_s, real.memory_time_s) == (ideal.compute_time_s, ideal.memory_time_s)
    assert real.time_s == pytest.approx(5e-6 + ideal.compute_time_s / 0.8 + 0.5 * ideal.memory_time_s / 0.9)
    assert (ideal.launch_time_s, real.launch_time_s) == (0, 5e-6)


def test_arrays_choose_parts_of_k_each():
    m = np.array([64, 128, 512, 8192])
    l2 = L2Cache(capacity_bytes=50e6)
    runs = on(H200, m, 28672, 1024, None, split_count=None, l2=l2)
    assert runs.split_count[0] > 1
    assert runs.split_count[-1] == 1
    for index, rows in enumerate(m):
        one = on(H200, int(rows), 28672, 1024, None, split_count=None, l2=l2)
        assert runs.split_count[index] == one.split_count
        assert runs.dram_bytes[index] == one.dram_bytes
        assert runs.time_s[index] == one.time_s


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan"), float("inf")])
def test_an_impossible_l2_is_refused(wrong):
    with pytest.raises(ValueError, match="capacity_bytes must be"):
        L2Cache(capacity_bytes=wrong)
    with pytest.raises(ValueError, match="bandwidth_bytes_per_s must be"):
        L2Cache(capacity_bytes=1.0, bandwidth_bytes_per_s=wrong)


@pytest.mark.parametrize("wrong", [0, -1, 2.5])
def test_an_impossible_size_is_refused(wrong):
    roofline = Roofline(peak_flops_per_s=1.0, memory_bandwidth_bytes_per_s=1.0)
    for name in ("m", "k", "n", "processor_count", "split_count"):
        sizes_ = {"m": 1, "k": 1, "n": 1, "processor_count": 1, "split_count": 1, name: wrong}
        with pytest.raises(ValueError, match=f"{name} must be"):
            estimate_gpu_gemm(**sizes_, roofline=roofline)
    with pytest.raises(ValueError, match="m_elements must be"):
        Tile(m_elements=wrong, n_elements=1)

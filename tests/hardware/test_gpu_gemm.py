"""Tiles and waves of a matrix product on a GPU."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware.catalogue import load_catalogue
from diglot.hardware.gpu_gemm import TILES, Tile, estimate_gpu_gemm
from diglot.hardware.kernels import count_gemm
from diglot.hardware.roofline import Roofline

A100 = load_catalogue()["a100-80"]
H200 = load_catalogue()["h200-sxm"]
TILE = Tile(m_elements=256, n_elements=128)

sizes = st.integers(1, 10**5)
tiles = st.sampled_from([*TILES, None])


def on(chip, m, k, n, tile=TILE):
    return estimate_gpu_gemm(
        m, k, n, roofline=chip.roofline("bf16"), processor_count=chip.processor_count, tile=tile
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


@pytest.mark.parametrize("wrong", [0, -1, 2.5])
def test_an_impossible_size_is_refused(wrong):
    roofline = Roofline(peak_flops_per_s=1.0, memory_bandwidth_bytes_per_s=1.0)
    for name in ("m", "k", "n", "processor_count"):
        sizes_ = {"m": 1, "k": 1, "n": 1, "processor_count": 1, name: wrong}
        with pytest.raises(ValueError, match=f"{name} must be"):
            estimate_gpu_gemm(**sizes_, roofline=roofline)
    with pytest.raises(ValueError, match="m_elements must be"):
        Tile(m_elements=wrong, n_elements=1)

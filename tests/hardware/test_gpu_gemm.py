"""Tiles, waves and traffic of matrix products on a GPU."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    Factors,
    GpuProcessors,
    L2Cache,
    Roofline,
    Tile,
    count_batched_gemm,
    count_gemm,
    estimate_gpu_gemm,
    find_thread_blocks,
    load_catalogue,
)
from diglot.hardware.gpus.thread_blocks import LIBRARY_BLOCKS, TILES, ThreadBlocks

A100 = load_catalogue()["a100-80"]
H200 = load_catalogue()["h200-sxm"]
TILE = Tile(m_elements=256, n_elements=128)

sizes = st.integers(1, 10**5)
few = settings(max_examples=30, deadline=None)
tiles = st.sampled_from([*TILES, None])


def on(chip, m, k, n, tile=TILE, *, blocks=LIBRARY_BLOCKS, l2=None, **more):
    gpu = GpuProcessors.of_chip(chip, blocks=blocks, l2=l2)
    return estimate_gpu_gemm(m, k, n, gpu=gpu, tile=tile, **more)


def test_98_tiles_fill_91_percent_of_one_wave_of_an_a100():
    """1792 x 1792 in tiles of 256 x 128: NVIDIA, "Matrix Multiplication Background User's Guide"."""
    run = on(A100, 1792, 4096, 1792)
    assert (run.tile_count, run.wave_count) == (98, 1)
    assert run.wave_efficiency_fraction == pytest.approx(98 / 108)


def test_one_size_more_takes_a_second_wave():
    """One column more: 105 tiles still fit. One row more as well: of 120 tiles, 12 need a second wave."""
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
    # 4096 rows are 16 tiles, so waves of 132 SMs end after 8, 16, 24, 33 … columns of tiles.
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
    """12 x 11 tiles, one per SM of 132."""
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

    With k in four parts, 108 thread blocks of a quarter of the depth fill the wave: a quarter of the time.
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

    40 MiB hold 16 rows of tiles (a power of two): A is read once, B for each of four groups, C written once.
    If no panel fits, a wave of 108 is best 8 rows high and 14 wide: A is read five times, B eight times.
    """
    operand = 2 * 8192**2
    with_l2 = on(A100, 8192, 8192, 8192, SQUARE, l2=L2Cache(capacity_bytes=40 * 2**20))
    assert with_l2.dram_bytes == (1 + 4 + 1) * operand
    without = on(A100, 8192, 8192, 8192, SQUARE, l2=L2Cache(capacity_bytes=1))
    assert without.dram_bytes == (5 + 8 + 1) * operand


def test_processors_read_whole_tiles_through_l2():
    """64 x 64 tiles, each reading 128 rows of A and 128 columns of B of 8192 elements."""
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
        gpu = GpuProcessors(roofline=roofline, processor_count=132, l2=L2Cache(capacity_bytes=5e7))
        return estimate_gpu_gemm(m, k, n, gpu=gpu, split_count=None).time_s

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


def test_heads_of_attention_share_waves():
    """QK^T of 32 heads, 256 tokens: 2 tiles each, so 64 tiles on 108 SMs are one wave, not 32 of two."""
    heads = on(A100, 256, 128, 256, batch_count=32)
    one = on(A100, 256, 128, 256)
    assert (one.tile_count, one.wave_count) == (2, 1)
    assert (heads.tile_count, heads.wave_count) == (64, 1)
    assert heads.compute_time_s == one.compute_time_s
    assert heads.dram_bytes == 32 * one.dram_bytes == count_batched_gemm(32, 256, 128, 256).memory_bytes


@few
@given(sizes, sizes, sizes, st.integers(1, 500), tiles)
def test_a_batch_costs_no_less_than_its_work_and_no_more_than_one_launch_after_another(m, k, n, count, tile):
    one, batch = on(H200, m, k, n, tile), on(H200, m, k, n, tile, batch_count=count)
    assert on(H200, m, k, n, tile, batch_count=1).time_s == one.time_s
    assert batch.time_s <= count * one.time_s * (1 + 1e-12)
    floor_s = H200.roofline("bf16").time_s(count_batched_gemm(count, m, k, n))
    assert batch.time_s >= floor_s * (1 - 1e-12)
    assert batch.time_s <= on(H200, m, k, n, tile, batch_count=count + 1).time_s
    assert batch.peak_fraction <= 1 + 1e-12


def test_partial_sums_of_a_batch_wait_in_l2_together():
    one = 4 * 128 * 3456 * 4
    for count, fits in ((1, True), (2, False)):
        run = on(
            A100, 128, 8192, 3456, SQUARE, split_count=4, batch_count=count, l2=L2Cache(capacity_bytes=one)
        )
        least = count_batched_gemm(count, 128, 8192, 3456).memory_bytes
        assert run.dram_bytes == least + (0 if fits else 2 * count * one)


HOPPER = find_thread_blocks(H200)


def test_few_rows_take_a_narrow_tile_where_the_architecture_has_one():
    """One row needs 8 padded rows instead of 64; 33 rows do not fit 32, and 64 need no narrow tile."""
    for rows, side in ((1, 8), (9, 16), (17, 32), (33, 64), (64, 64)):
        run = on(H200, rows, 8192, 8192, None, blocks=HOPPER)
        assert run.tile_m_elements == side
        assert on(H200, 8192, 8192, rows, None, blocks=HOPPER).tile_n_elements == side
        assert run.compute_time_s <= on(H200, rows, 8192, 8192, None).compute_time_s
        assert on(H200, rows, 8192, 8192, None).tile_m_elements >= 64


def test_a_narrow_tile_waits_for_shared_memory():
    """8 x 128 on Hopper: 136 elements at 64 per cycle, 1,024 multiply-accumulates at 2,048 per cycle.

    So 2.125 cycles for half a cycle of arithmetic.
    """
    run = on(H200, 8, 8192, 128 * 132, Tile(m_elements=8, n_elements=128), blocks=HOPPER)
    assert run.feed_efficiency_fraction == pytest.approx(0.5 / 2.125)
    assert run.wave_efficiency_fraction == run.tile_efficiency_fraction == 1
    assert run.compute_time_s == pytest.approx(
        2.0 * 8 * 8192 * 128 * 132 / H200.peak_flops_per_s("bf16") / (0.5 / 2.125)
    )


def test_tiles_of_64_and_more_are_fed_in_time_until_blackwell():
    """Blackwell needs sides of 128: instructions of half the height run at half the rate."""
    for chip in load_catalogue().of_kind("gpu"):
        blocks = find_thread_blocks(chip)
        rates = {
            tile: min(
                1, tile.m_elements * tile.n_elements / blocks.feed_macs(tile.m_elements, tile.n_elements)
            )
            for tile in TILES
            if blocks.fed_side_elements
        }
        if chip.architecture in ("Blackwell", "Blackwell Ultra"):
            assert rates[Tile(m_elements=64, n_elements=64)] == 0.5
            assert rates[Tile(m_elements=128, n_elements=128)] == 1
        else:
            assert set(rates.values()) <= {1}


def test_swapped_operands_explain_what_an_h20_gained():
    """16 groups of 32 rows by 7168 x 4096 in 8 bits: 257 us, but 154 us with A and B swapped.

    An H20 has little arithmetic: 296 TFLOP/s on 78 SMs, with 4 TB/s. With tiles of 64 rows even the ideal is
    slower than the 154 us measured, so the kernel cannot use them. With tiles of 32, memory and compute take
    nearly as long.
    Source: DeepGEMM, pull request 192 (aligned rows).
    """
    h20 = Roofline(peak_flops_per_s=296e12, memory_bandwidth_bytes_per_s=4e12)

    def time_s(blocks):
        gpu = GpuProcessors(roofline=h20, processor_count=78, blocks=blocks)
        return estimate_gpu_gemm(32, 7168, 4096, gpu=gpu, batch_count=16, dtype="fp8").time_s

    assert time_s(HOPPER) < 154e-6 < time_s(ThreadBlocks()) < 257e-6
    assert time_s(HOPPER) > 0.75 * 154e-6


@few
@given(st.integers(1, 200), sizes, sizes)
def test_more_tiles_to_choose_from_are_never_slower_and_never_beat_the_roofline(m, k, n):
    narrow = on(A100, m, k, n, None, blocks=find_thread_blocks(A100))
    assert narrow.time_s <= on(A100, m, k, n, None).time_s
    assert narrow.time_s >= A100.roofline("bf16").time_s(count_gemm(m, k, n)) * (1 - 1e-12)


def test_clusters_share_what_they_fetch():
    """64 x 64 tiles of 128 x 128. Clusters of 2 halve one operand, 2 x 2 halve both, 4 x 2 quarter B."""
    whole = 64 * 64 * 128 * 8192 * 2
    for tiles, parts in ((1, 2), (2, 1.5), (3, 1.5), (4, 1), (8, 0.75)):
        blocks = ThreadBlocks(cluster_tile_count=tiles)
        assert on(A100, 8192, 8192, 8192, SQUARE, blocks=blocks).l2_read_bytes == parts * whole


def test_a_cluster_that_hangs_over_the_edge_shares_less():
    """Three rows of tiles, one column: clusters of two rows fetch B's panel twice."""
    run = on(A100, 384, 1000, 128, SQUARE, blocks=ThreadBlocks(cluster_tile_count=2))
    assert run.l2_read_bytes == (3 + 2) * 128 * 1000 * 2


@few
@given(sizes, sizes, sizes, tiles, st.integers(1, 16))
def test_larger_clusters_never_read_more(m, k, n, tile, count):
    small, large = (
        on(H200, m, k, n, tile or TILE, blocks=ThreadBlocks(cluster_tile_count=size)).l2_read_bytes
        for size in (count, count + 1)
    )
    assert large <= small


def test_impossible_thread_blocks_are_refused():
    with pytest.raises(ValueError, match="tiles must hold"):
        ThreadBlocks(tiles=())
    with pytest.raises(ValueError, match="cluster_tile_count must be"):
        ThreadBlocks(cluster_tile_count=0)
    for wrong in (-1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="fed_side_elements must be"):
            ThreadBlocks(fed_side_elements=wrong)


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan"), float("inf")])
def test_an_impossible_l2_is_refused(wrong):
    with pytest.raises(ValueError, match="capacity_bytes must be"):
        L2Cache(capacity_bytes=wrong)
    with pytest.raises(ValueError, match="bandwidth_bytes_per_s must be"):
        L2Cache(capacity_bytes=1.0, bandwidth_bytes_per_s=wrong)


@pytest.mark.parametrize("wrong", [0, -1, 2.5])
def test_an_impossible_size_is_refused(wrong):
    roofline = Roofline(peak_flops_per_s=1.0, memory_bandwidth_bytes_per_s=1.0)
    gpu = GpuProcessors(roofline=roofline, processor_count=1)
    names = ("m", "k", "n", "split_count", "batch_count")
    for name in names:
        with pytest.raises(ValueError, match=f"{name} must be"):
            estimate_gpu_gemm(**dict.fromkeys(names, 1) | {name: wrong}, gpu=gpu)
    with pytest.raises(ValueError, match="processor_count must be"):
        GpuProcessors(roofline=roofline, processor_count=wrong)
    with pytest.raises(ValueError, match="m_elements must be"):
        Tile(m_elements=wrong, n_elements=1)

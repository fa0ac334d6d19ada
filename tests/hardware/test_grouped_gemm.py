"""Products of different sizes in one launch, which share waves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    GpuProcessors,
    L2Cache,
    Tile,
    count_gemm,
    count_grouped_gemm,
    estimate_gpu_gemm,
    estimate_grouped_gemm,
    find_thread_blocks,
    load_catalogue,
    time_gemm,
    time_grouped_gemm,
)
from diglot.hardware.gpus.thread_blocks import TILES

CHIPS = load_catalogue()
A100, H100 = CHIPS["a100-80"], CHIPS["h100-sxm"]
SQUARE = Tile(m_elements=128, n_elements=128)
L2 = L2Cache(capacity_bytes=50e6, bandwidth_bytes_per_s=5.5e12)

sizes = st.integers(1, 20_000)
rows = st.lists(st.integers(0, 3000), min_size=1, max_size=12).filter(any)
tiles = st.sampled_from([*TILES, None])
few = settings(max_examples=30, deadline=None)


def see(chip, **more):
    return GpuProcessors.of_chip(chip, **more)


def on(chip, m, k, n, tile=SQUARE, **more):
    return estimate_grouped_gemm(m, k, n, gpu=see(chip, **more), tile=tile)


def plain(chip, m, k, n, tile=SQUARE, *, batch_count=1, **more):
    return estimate_gpu_gemm(m, k, n, gpu=see(chip, **more), tile=tile, batch_count=batch_count)


@few
@given(sizes, sizes, sizes, tiles)
def test_one_product_is_a_plain_product(m, k, n, tile):
    for l2 in (None, L2):
        group, one = on(A100, [m], k, n, tile, l2=l2), plain(A100, m, k, n, tile, l2=l2)
        for field in ("tile_count", "wave_count", "compute_time_s", "memory_time_s", "time_s", "dram_bytes"):
            assert getattr(group, field) == pytest.approx(getattr(one, field)), field
        for field in ("tile_efficiency_fraction", "wave_efficiency_fraction", "peak_fraction"):
            assert getattr(group, field) == pytest.approx(getattr(one, field)), field


def test_experts_share_waves():
    """Eight experts of 100 rows by 2,048 columns: 16 tiles each, 128 on 108 SMs: two waves, not eight."""
    run = on(A100, [100] * 8, 4096, 2048)
    assert (run.tile_count, run.wave_count) == (128, 2)
    assert run.wave_efficiency_fraction == pytest.approx(128 / 216)
    assert run.tile_efficiency_fraction == pytest.approx(100 / 128)
    assert run.compute_time_s == pytest.approx(2 * plain(A100, 100, 4096, 2048).compute_time_s)


@few
@given(st.integers(1, 3000), sizes, sizes, st.integers(1, 40), tiles)
def test_equal_products_are_a_batch(m, k, n, count, tile):
    group = on(H100, [m] * count, k, n, TILES[0] if tile is None else tile, l2=L2)
    batch = plain(H100, m, k, n, TILES[0] if tile is None else tile, l2=L2, batch_count=count)
    assert group.time_s == pytest.approx(batch.time_s)
    assert group.tile_count == batch.tile_count
    assert group.l2_read_bytes == pytest.approx(batch.l2_read_bytes)


@few
@given(rows, sizes, sizes, tiles)
def test_a_group_is_no_quicker_than_the_roofline_and_no_slower_than_launch_after_launch(m, k, n, tile):
    run = on(H100, m, k, n, tile)
    assert run.time_s >= H100.roofline("bf16").time_s(count_grouped_gemm(m, k, n)) * (1 - 1e-12)
    if tile is not None:
        apart_s = sum(plain(H100, one, k, n, tile).time_s for one in m if one)
        assert run.time_s <= apart_s * (1 + 1e-12)
    assert 0 < run.peak_fraction <= 1 + 1e-12
    assert 0 < run.tile_efficiency_fraction <= 1
    assert 0 < run.wave_efficiency_fraction <= 1 + 1e-12


@few
@given(rows, sizes, sizes, st.integers(0, 11), tiles)
def test_more_rows_for_any_expert_are_never_quicker(m, k, n, which, tile):
    more = list(m)
    more[which % len(m)] += 1
    blocks = find_thread_blocks(H100)
    assert on(H100, m, k, n, tile, blocks=blocks, l2=L2).time_s <= (
        on(H100, more, k, n, tile, blocks=blocks, l2=L2).time_s * (1 + 1e-12)
    )


def test_an_idle_expert_costs_nothing():
    """It has no tiles, and its weights are not read."""
    with_idle, without = (
        on(A100, [300, 0, 500, 0], 4096, 2048, l2=L2),
        on(A100, [300, 500], 4096, 2048, l2=L2),
    )
    assert with_idle.dram_bytes == without.dram_bytes
    assert with_idle.time_s == without.time_s
    assert count_grouped_gemm([300, 0, 500], 4096, 2048).memory_bytes == (
        count_gemm(300, 4096, 2048).memory_bytes + count_gemm(500, 4096, 2048).memory_bytes
    )


def test_uneven_experts_waste_more_of_their_tiles():
    even, uneven = on(A100, [128] * 8, 4096, 2048), on(A100, [129, 127] * 4, 4096, 2048)
    assert even.tile_efficiency_fraction == 1
    assert uneven.tile_efficiency_fraction == pytest.approx(1024 / (4 * 256 + 4 * 128))


def test_deep_products_bound_the_time_where_depths_differ():
    """On 108 SMs, 108 tiles of depth 4,096 and 108 of 1,024 take 5,120 steps; 109 deep ones take 8,192."""
    column = 128 * 108
    run = on(A100, [128, 128], [4096, 1024], column)
    steps_s = run.compute_time_s / (2 * 128 * 128 * 108 / A100.peak_flops_per_s("bf16"))
    assert steps_s == pytest.approx(5120)
    run = on(A100, [128, 128, 128], [4096, 1024, 4096], [column, 128, 128])
    steps_s = run.compute_time_s / (2 * 128 * 128 * 108 / A100.peak_flops_per_s("bf16"))
    assert steps_s == pytest.approx(8192)


@few
@given(rows, sizes, sizes)
def test_a_sweep_of_launches_is_one_call(m, k, n):
    loads = np.array([m, m[::-1], [max(m)] * len(m)])
    runs = on(H100, loads, k, n, None, l2=L2)
    for index, load in enumerate(loads):
        one = on(H100, load, k, n, None, l2=L2)
        for field in ("tile_m_elements", "tile_count", "time_s", "dram_bytes", "peak_fraction"):
            assert getattr(runs, field)[index] == getattr(one, field), field


GROUPS = [
    (32, 7168, 4096, 168e-6),
    (32, 2048, 7168, 94e-6),
    (96, 7168, 4096, 176e-6),
    (96, 2048, 7168, 100e-6),
    (160, 7168, 4096, 229e-6),
    (160, 2048, 7168, 116e-6),
]


@pytest.mark.parametrize(("m", "k", "n", "measured_s"), GROUPS)
def test_sixteen_experts_on_an_h100_as_measured(m, k, n, measured_s):
    """In 8 bits, with random rows around m. Not used in the fit; the measured kernel also scales blocks.

    Source: DeepGEMM, pull request 192, comment of 2025-10-06 (the kernel without swapped operands).
    """
    times = {
        mode: time_grouped_gemm(H100, [m] * 16, k, n, dtype="fp8", mode=mode).time_s
        for mode in ("ideal", "calibrated")
    }
    assert times["ideal"] < measured_s
    assert times["calibrated"] == pytest.approx(measured_s, rel=0.25)


def test_chips_without_known_processors_have_the_roofline_of_the_group():
    kernel = count_grouped_gemm([3, 0, 900], 4096, 2048)
    for id_ in ("tpu-v5p", "gb300"):
        time = time_grouped_gemm(CHIPS[id_], [3, 0, 900], 4096, 2048)
        assert time.time_s == CHIPS[id_].roofline("bf16").time_s(kernel)


def test_a_group_of_one_takes_as_long_as_the_product():
    """4,096 rows, so that neither split-K nor narrow tiles are used."""
    for chip in (A100, H100, CHIPS["mi300x"]):
        group, one = time_grouped_gemm(chip, [4096], 8192, 8192), time_gemm(chip, 4096, 8192, 8192)
        assert group.time_s == pytest.approx(one.time_s, rel=0.01)


@pytest.mark.parametrize("count", [estimate_grouped_gemm, count_grouped_gemm])
def test_impossible_groups_are_refused(count):
    more = {}
    if count is estimate_grouped_gemm:
        more = {"gpu": see(A100)}
    with pytest.raises(ValueError, match="m must have rows in at least one product"):
        count([[1, 2], [0, 0]], 8, 8, **more)
    for name, wrong in (("m", [-1, 2]), ("k", 0), ("n", [8, 0.5])):
        with pytest.raises(ValueError, match=f"{name} must be"):
            count(**{"m": [1, 2], "k": 8, "n": 8, name: wrong}, **more)


def test_products_alike_are_as_many_of_them():
    """Also of none of a size, on a GPU and on a TPU."""
    rows, alike = np.array([[5, 64, 9], [300, 1, 2]]), np.array([[3, 1, 0], [1, 2, 2]])
    for chip in ("h100-sxm", "tpu-v5e"):
        counted = time_grouped_gemm(chip, rows, 512, 1024, alike_count=alike).time_s
        listed = [
            time_grouped_gemm(chip, np.repeat(sizes, counts), 512, 1024).time_s
            for sizes, counts in zip(rows, alike, strict=True)
        ]
        assert counted == pytest.approx(listed, rel=1e-12)

"""Time of one operator on one chip, ideal and calibrated."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    count_elementwise,
    count_gemm,
    count_softmax,
    estimate_gpu_gemm,
    find_thread_blocks,
    load_catalogue,
    time_gemm,
    time_kernel,
)
from diglot.hardware.chips.chip import Quantities
from diglot.hardware.operators.operator_time import find_l2, find_processor_count, find_processors

CHIPS = load_catalogue()
MODERN = [chip for chip in CHIPS.values() if "bf16" in chip.dtypes]

sizes = st.integers(1, 30_000)


@pytest.mark.parametrize("chip", MODERN, ids=lambda chip: chip.id)
@settings(max_examples=10, deadline=None)
@given(m=sizes, k=sizes, n=sizes)
def test_practice_is_slower_than_the_ideal_and_the_ideal_than_the_roofline(chip, m, k, n):
    ideal = time_gemm(chip, m, k, n)
    assert time_gemm(chip, m, k, n, mode="calibrated").time_s >= ideal.time_s
    assert ideal.time_s >= chip.roofline("bf16").time_s(count_gemm(m, k, n)) * (1 - 1e-12)
    assert ideal.launch_time_s == 0


@pytest.mark.parametrize("mode", ["ideal", "calibrated"])
@settings(max_examples=15, deadline=None)
@given(m=sizes, k=sizes, n=sizes, more=st.floats(1, 10))
def test_a_chip_with_a_higher_peak_or_bandwidth_is_never_slower(mode, m, k, n, more):
    chip = CHIPS["h100-sxm"]
    for field in ("peak_dense.bf16", "memory.bandwidth"):
        better = dataclasses.replace(
            chip,
            quantities=Quantities(
                dataclasses.replace(quantity, value=quantity.value * more)
                if quantity.field == field
                else quantity
                for quantity in chip.quantities
            ),
        )
        # The tolerance is for ties: the best tile may change with the rates, and ideal times break ties.
        assert time_gemm(better, m, k, n, mode=mode).time_s <= time_gemm(chip, m, k, n, mode=mode).time_s * (
            1 + 1e-9
        )


def test_a_huge_product_comes_to_its_share_of_the_peak():
    time = time_gemm(CHIPS["h100-sxm"], 2**17, 2**17, 2**17, mode="calibrated")
    ideal_s = 2 * 2.0**51 / CHIPS["h100-sxm"].peak_flops_per_s("bf16")
    assert time.factors.compute_fraction == pytest.approx(ideal_s / time.time_s, rel=0.05)


def test_a_tiny_product_takes_a_launch():
    time = time_gemm(CHIPS["a100-80"], 1, 64, 64, mode="calibrated")
    assert time.launch_time_s < time.time_s < 1.2 * time.launch_time_s


def test_a_sweep_is_one_call():
    m = np.array([1, 64, 4096, 32768])
    times = time_gemm(CHIPS["h100-sxm"], m, 8192, 8192, mode="calibrated").time_s
    for index, rows in enumerate(m):
        assert times[index] == time_gemm(CHIPS["h100-sxm"], int(rows), 8192, 8192, mode="calibrated").time_s
    assert np.all(np.isfinite(times))
    assert np.all(np.diff(times) > 0)


def test_a_tpu_and_a_gpu_of_unknown_processors_have_the_roofline_of_the_product():
    for id_ in ("tpu-v5p", "gb300"):
        chip = CHIPS[id_]
        assert find_processor_count(chip) is None
        roofline = chip.roofline("bf16")
        assert time_gemm(chip, 4096, 8192, 1000).time_s == roofline.time_s(count_gemm(4096, 8192, 1000))


def test_the_last_cache_before_memory_is_taken():
    assert find_l2(CHIPS["mi300x"]).capacity_bytes == 256 * 2**20
    assert find_l2(CHIPS["a100-80"]).capacity_bytes == 40 * 2**20
    assert find_l2(CHIPS["tpu-v5p"]) is None
    assert find_l2(CHIPS["h100-sxm"]).bandwidth_bytes_per_s is None


def test_a_bandwidth_of_l2_holds_for_the_h100_measured_at_90_percent_once_clusters_share_it():
    """512 x 28672 x 8192 took 0.269 ms (Vidur): single tiles and pairs of tiles would read too much."""
    chip, shape = CHIPS["h100-sxm"], (512, 28672, 8192)
    blocks = find_thread_blocks(chip)
    l2 = dataclasses.replace(find_l2(chip), bandwidth_bytes_per_s=chip.quantity("on_chip.l2_bandwidth").value)

    def time_s(tiles):
        return estimate_gpu_gemm(
            *shape,
            gpu=dataclasses.replace(
                find_processors(chip, "bf16"),
                blocks=dataclasses.replace(blocks, cluster_tile_count=tiles),
                l2=l2,
            ),
            split_count=None,
        ).time_s

    assert time_s(1) > time_s(2) > 0.269e-3 > time_s(4) >= time_s(16)
    assert blocks.cluster_tile_count == 16


@pytest.mark.parametrize("id_", ["h100-sxm", "tpu-v5p"])
def test_a_batch_takes_less_than_its_products_one_by_one(id_):
    """Products of 32 heads: a single one leaves most processors idle."""
    chip, one = CHIPS[id_], (1024, 128, 1024)
    batch, single = (time_gemm(chip, *one, batch_count=count, mode="ideal").time_s for count in (32, 1))
    assert single < batch <= 32 * single * (1 + 1e-9)
    assert time_gemm(chip, *one, batch_count=np.array([1, 32])).time_s.tolist() == [single, batch]


def test_a_kernel_takes_the_factors_of_its_operator():
    chip = CHIPS["a100-80"]
    softmax = time_kernel(chip, count_softmax(4096, 16384), "softmax", mode="calibrated")
    gelu = time_kernel(chip, count_elementwise(4096 * 16384), "elementwise", mode="calibrated")
    assert softmax.memory_time_s == gelu.memory_time_s
    assert softmax.time_s > gelu.time_s > gelu.memory_time_s


@pytest.mark.parametrize("wrong", [0, -1, 2.5])
def test_an_impossible_size_is_refused(wrong):
    for id_ in ("h100-sxm", "tpu-v5p"):
        with pytest.raises(ValueError, match="k must be"):
            time_gemm(CHIPS[id_], 8, wrong, 8)


def test_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="mode must be one of ideal, calibrated"):
        time_gemm(CHIPS["h100-sxm"], 8, 8, 8, mode="magic")


def test_a_format_that_the_chip_lacks_is_missing():
    with pytest.raises(LookupError, match="no fp8 peak"):
        time_gemm(CHIPS["a100-80"], 8, 8, 8, dtype="fp8")

"""Matrix products on the TPUs of the catalogue."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import MissingFigureError, count_gemm, estimate_tpu_gemm, load_catalogue

CHIPS = load_catalogue()
TPUS = [chip for chip in CHIPS.tpu_generations if chip.id != "tpu-v1"]
sizes = st.integers(1, 2**15)


@pytest.mark.parametrize("chip", TPUS, ids=lambda chip: chip.id)
def test_a_large_product_comes_near_the_peak(chip):
    assert 0.97 < estimate_tpu_gemm(2**15, 2**14, 2**14, chip=chip).utilisation_fraction <= 1


@pytest.mark.parametrize("chip", TPUS, ids=lambda chip: chip.id)
@given(m=sizes, k=sizes, n=sizes)
def test_nothing_is_quicker_than_the_roofline(chip, m, k, n):
    run = estimate_tpu_gemm(m, k, n, chip=chip)
    assert run.time_s >= chip.roofline("bf16").time_s(count_gemm(m, k, n)) * (1 - 1e-12)
    assert 0 < run.utilisation_fraction <= 1 + 1e-12


def test_rows_are_padded_to_the_sublanes_of_their_format():
    run = {
        dtype: estimate_tpu_gemm(1, 4096, 4096, chip=CHIPS["tpu-v5e"], dtype=dtype).run
        for dtype in ("bf16", "int8")
    }
    assert run["bf16"].streamed_row_count == 16
    assert run["int8"].streamed_row_count == 32


def test_a_row_passes_an_array_in_a_cycle_of_the_clock_where_that_is_known():
    """197 TFLOP/s on four arrays of 128 x 128 is 1.5 GHz, the clock of TPU v5e."""
    assert estimate_tpu_gemm(1, 1, 1, chip=CHIPS["tpu-v5e"]).pass_rate_hz == pytest.approx(1.5e9, rel=0.01)


def test_a_single_row_waits_for_memory_on_every_generation():
    for chip in TPUS:
        run = estimate_tpu_gemm(1, 8192, 8192, chip=chip)
        assert run.memory_time_s == pytest.approx(2 * 8192**2 / chip.memory_bandwidth_bytes_per_s, rel=1e-3)


def test_narrow_heads_suit_the_arrays_of_128_better():
    """64 columns fill half of an array of 128 and a quarter of one of 256."""
    small, large = (estimate_tpu_gemm(2**15, 2**13, 64, chip=CHIPS[id_]) for id_ in ("tpu-v5p", "tpu-v6e"))
    assert small.run.steady_utilisation_fraction == pytest.approx(1 / 2)
    assert large.run.steady_utilisation_fraction == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("side", "measured_tflops_per_s"),
    [(128, 2.589961), (256, 18.286), (1024, 349.727), (4096, 892.945), (32768, 956.382)],
)
def test_no_product_measured_on_a_tensor_core_of_tpu_v7_beats_the_ideal(side, measured_tflops_per_s):
    """AI-Hypercomputer accelerator-microbenchmarks, Ironwood guide, December 2025."""
    run = estimate_tpu_gemm(side, side, side, chip=CHIPS["tpu-v7"], tensor_core_count=1)
    ideal_tflops_per_s = 2 * side**3 / run.time_s / 1e12
    assert measured_tflops_per_s <= ideal_tflops_per_s
    if side >= 4096:  # smaller products are mostly launch
        assert measured_tflops_per_s >= 0.75 * ideal_tflops_per_s


def test_a_tensor_core_has_its_share_of_arrays_and_rates():
    one, both = (
        estimate_tpu_gemm(8192, 8192, 8192, chip=CHIPS["tpu-v5p"], tensor_core_count=count)
        for count in (1, 2)
    )
    assert one.pass_rate_hz == both.pass_rate_hz
    assert one.time_s == pytest.approx(2 * both.time_s, rel=1e-3)
    with pytest.raises(ValueError, match="TPU v5p has 2 TensorCores, not 3"):
        estimate_tpu_gemm(1, 1, 1, chip=CHIPS["tpu-v5p"], tensor_core_count=3)


def test_sizes_broadcast():
    run = estimate_tpu_gemm(np.array([[1], [512]]), 4096, np.array([128, 256, 384]), chip=CHIPS["tpu-v4"])
    assert np.shape(run.time_s) == (2, 3)


def test_a_chip_without_matrix_units_and_a_format_without_a_peak_are_refused():
    with pytest.raises(ValueError, match="H200 has no matrix units"):
        estimate_tpu_gemm(1, 1, 1, chip=CHIPS["h200-sxm"])
    with pytest.raises(MissingFigureError, match="bf16"):
        estimate_tpu_gemm(1, 1, 1, chip=CHIPS["tpu-v1"])

"""The roofline, and the kernels under it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    Kernel,
    Roofline,
    count_batched_gemm,
    count_elementwise,
    count_gemm,
    count_gemv,
    count_softmax,
    load_catalogue,
)

ROOFS = Roofline(peak_flops_per_s=100.0, memory_bandwidth_bytes_per_s=10.0)

sizes = st.integers(1, 10**6)
rates = st.floats(1e-3, 1e18)


def test_below_the_ridge_memory_sets_the_rate():
    assert ROOFS.attainable_flops_per_s(3.0) == 30.0


def test_above_the_ridge_the_peak_does():
    assert ROOFS.attainable_flops_per_s(30.0) == 100.0


def test_the_roofs_meet_at_the_ridge():
    assert ROOFS.ridge_flops_per_byte == 10.0
    assert ROOFS.attainable_flops_per_s(10.0) == 100.0


def test_a_kernel_takes_the_longer_of_its_two_times():
    kernel = Kernel(name="", flops=1000, read_bytes=30, written_bytes=20)
    assert ROOFS.compute_time_s(kernel) == 10.0
    assert ROOFS.memory_time_s(kernel) == 5.0
    assert ROOFS.time_s(kernel) == 10.0
    assert ROOFS.bound_by(kernel) == "compute"


def test_a_kernel_runs_at_what_its_intensity_attains():
    kernel = count_gemm(100, 20, 30)
    roofs = Roofline(peak_flops_per_s=1e15, memory_bandwidth_bytes_per_s=1e12)
    assert roofs.kernel_flops_per_s(kernel) == pytest.approx(
        roofs.attainable_flops_per_s(kernel.intensity_flops_per_byte), rel=1e-12
    )


def test_the_share_of_the_peak_is_intensity_over_the_ridge_up_to_1():
    below, above = (Kernel(name="", flops=flops, read_bytes=50, written_bytes=50) for flops in (400, 4000))
    assert (ROOFS.peak_fraction(below), ROOFS.peak_fraction(above)) == (0.4, 1.0)


def test_arrays_of_kernels_are_answered_at_once():
    words = ROOFS.bound_by(count_gemm([1, 4096], 4096, 4096))
    assert words.tolist() == ["memory", "compute"]


def test_the_ridge_of_v100_is_the_one_nvidia_prints():
    """138.9 FLOP/B: NVIDIA, "Matrix Multiplication Background User's Guide", section 2."""
    assert load_catalogue()["v100-sxm2"].ridge_flops_per_byte("fp16") == pytest.approx(138.9, abs=0.05)


def test_the_product_of_nvidias_guide_has_the_intensity_it_prints():
    """8192 x 128 x 8192 in fp16: 124.1 FLOP/B, below V100's ridge. Same guide, section 2."""
    kernel = count_gemm(8192, 8192, 128, dtype="fp16")
    assert kernel.intensity_flops_per_byte == pytest.approx(124.1, abs=0.05)
    assert load_catalogue()["v100-sxm2"].roofline("fp16").bound_by(kernel) == "memory"


def test_a_matrix_vector_product_has_almost_one_flop_per_byte_of_16_bit_weights():
    """NVIDIA's guide: less than 1."""
    intensity = count_gemv(8192, 8192, dtype="fp16").intensity_flops_per_byte
    assert 0.999 < intensity < 1


def test_relu_has_the_intensity_nvidia_prints():
    """0.25 FLOP/B: NVIDIA, "GPU Performance Background User's Guide", table 1."""
    assert count_elementwise(1000, dtype="fp16").intensity_flops_per_byte == 0.25


def test_counts_of_a_small_product_by_hand():
    kernel = count_gemm(2, 3, 5, dtype="bf16", weight_dtype="int8", output_dtype="fp32")
    assert (kernel.flops, kernel.read_bytes, kernel.written_bytes) == (60, 2 * 3 * 2 + 3 * 5, 2 * 5 * 4)


def test_a_batch_of_products_keeps_the_intensity_of_one():
    batch, one = count_batched_gemm(64, 2, 3, 5), count_gemm(2, 3, 5)
    assert batch.flops == 64 * one.flops
    assert batch.intensity_flops_per_byte == one.intensity_flops_per_byte


def test_softmax_reads_and_writes_each_element_once():
    kernel = count_softmax(4, 10, dtype="fp32")
    assert (kernel.flops, kernel.read_bytes, kernel.written_bytes) == (200, 160, 160)


def test_a_huge_square_product_reaches_the_peak_of_every_chip():
    for chip in load_catalogue().chips:
        for dtype in chip.dtypes:
            roofs = chip.roofline(dtype)
            rate = roofs.kernel_flops_per_s(count_gemm(10**6, 10**6, 10**6, dtype=dtype))
            assert rate == pytest.approx(chip.peak_flops_per_s(dtype))


@given(sizes, sizes, sizes)
def test_intensity_of_a_product_lies_below_each_of_its_sizes(m, k, n):
    """2mkn / 2(mk + kn + mn) < min(m, k, n): the smallest side limits reuse."""
    assert 0 < count_gemm(m, k, n, dtype="bf16").intensity_flops_per_byte <= min(m, k, n)


@given(sizes, sizes, sizes)
def test_intensity_grows_with_every_size(m, k, n):
    before = count_gemm(m, k, n).intensity_flops_per_byte
    for larger in ((m + 1, k, n), (m, k + 1, n), (m, k, n + 1)):
        assert count_gemm(*larger).intensity_flops_per_byte >= before * (1 - 1e-12)


@given(rates, rates, st.floats(1e-6, 1e9))
def test_attainable_rate_is_finite_and_below_both_roofs(peak, bandwidth, intensity):
    roofs = Roofline(peak_flops_per_s=peak, memory_bandwidth_bytes_per_s=bandwidth)
    rate = roofs.attainable_flops_per_s(intensity)
    assert math.isfinite(rate)
    assert 0 < rate <= min(peak, intensity * bandwidth)


@pytest.mark.parametrize(
    "wrong", [0, -1, 2.5, float("nan"), float("inf"), True, "8", None, 3j, [1, 0], [2, 1.5]]
)
def test_a_size_that_is_no_positive_whole_number_is_refused(wrong):
    with pytest.raises(ValueError, match="m must be"):
        count_gemm(wrong, 8, 8)


@pytest.mark.parametrize("wrong", [0, -1.0, float("nan"), float("inf")])
def test_a_rate_that_is_not_above_zero_is_refused(wrong):
    with pytest.raises(ValueError, match="above zero"):
        Roofline(peak_flops_per_s=wrong, memory_bandwidth_bytes_per_s=1.0)
    with pytest.raises(ValueError, match="above zero"):
        ROOFS.attainable_flops_per_s(wrong)


def test_whole_floats_and_numpy_integers_are_sizes():
    assert count_gemm(2.0, np.int32(3), np.array([5])).flops.tolist() == [60]


def test_an_unknown_dtype_is_refused_with_those_known():
    with pytest.raises(ValueError, match="known: fp64, fp32"):
        count_gemm(1, 1, 1, dtype="bf8")

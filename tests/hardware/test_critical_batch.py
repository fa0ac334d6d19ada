"""The batch from which a layer is compute-bound."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import Roofline, count_gemm, find_critical_rows, load_catalogue

V5E = Roofline(peak_flops_per_s=394e12, memory_bandwidth_bytes_per_s=810e9)

sizes = st.integers(1, 10**6)


def test_a_wide_16_bit_layer_needs_as_many_rows_as_the_ridge():
    """J. Austin et al., "How to Scale Your Model", part 1: 240 tokens on TPU v5e in bf16."""
    chip = load_catalogue()["tpu-v5e"]
    rows = find_critical_rows(10**9, 10**9, roofline=chip.roofline("bf16"))
    assert rows == pytest.approx(chip.ridge_flops_per_byte("bf16"), rel=1e-6)
    assert rows == pytest.approx(240, rel=0.01)


def test_a_layer_of_finite_width_needs_more():
    """271 rows for int8[B, 4096] x int8[4096, 16384]: same book, part 2, which ignores the output."""
    assert find_critical_rows(4096, 16384, roofline=V5E, dtype="int8") == pytest.approx(271, rel=0.04)


def test_a_narrow_layer_is_never_bound_by_arithmetic():
    assert find_critical_rows(128, 10**6, roofline=V5E, dtype="bf16") == math.inf


def test_arrays_of_widths_are_answered_at_once():
    rows = find_critical_rows(np.array([128, 8192]), 8192, roofline=V5E)
    assert rows.tolist() == [math.inf, find_critical_rows(8192, 8192, roofline=V5E)]


@given(sizes, sizes)
def test_at_that_batch_the_product_has_the_ridges_intensity(k, n):
    rows = find_critical_rows(k, n, roofline=V5E)
    assert rows > 0
    if rows == math.inf:
        assert count_gemm(10**9, k, n).intensity_flops_per_byte <= V5E.ridge_flops_per_byte
    elif rows < 2**50:
        below, above = (count_gemm(size, k, n) for size in (max(1, math.floor(rows)), math.floor(rows) + 1))
        assert below.intensity_flops_per_byte <= V5E.ridge_flops_per_byte * (1 + 1e-12) or rows < 1
        assert above.intensity_flops_per_byte >= V5E.ridge_flops_per_byte * (1 - 1e-12)

"""The backward pass of attention, and the exponentials of the forward pass."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    AttentionShape,
    count_flash_attention,
    count_flash_attention_backward,
    count_materialised_attention,
    count_materialised_attention_backward,
    estimate_attention,
    load_calibration,
    load_catalogue,
)
from diglot.hardware.chips.calibration import IDEAL

CHIPS = load_catalogue()
H100 = CHIPS["h100-sxm"]


def shape_of(length=1024, batch=1, heads=8, kv_heads=8, head=64, causal=False):
    return AttentionShape(
        batch_count=batch,
        queries_tokens=length,
        keys_tokens=length,
        heads_count=heads,
        kv_heads_count=kv_heads,
        head_elements=head,
        causal=causal,
    )


@given(st.integers(1, 10**5), st.sampled_from([1, 2, 4, 8]), st.booleans())
def test_fused_it_has_two_and_a_half_times_the_work_of_the_forward_pass(length, kv_heads, causal):
    """T. Dao, FlashAttention-2: five products against two."""
    shape = shape_of(length, kv_heads=kv_heads, causal=causal)
    backward = count_flash_attention_backward(shape)
    assert backward.flops == 2.5 * count_flash_attention(shape).flops


def test_materialised_it_spares_the_product_that_was_kept():
    shape = shape_of()
    assert count_materialised_attention_backward(shape).flops == 2 * count_materialised_attention(shape).flops


def test_a_small_case_by_hand():
    """2 tokens, 1 head of 4, 16 bits: tensors of 8 elements, score matrices of 4, 4 bytes per row."""
    shape = shape_of(2, heads=1, kv_heads=1, head=4)
    fused, plain = count_flash_attention_backward(shape), count_materialised_attention_backward(shape)
    assert (fused.flops, fused.read_bytes, fused.written_bytes) == (5 * 2 * 4 * 4, 5 * 16 + 2 * 4, 3 * 16)
    assert (plain.flops, plain.read_bytes, plain.written_bytes) == (
        4 * 2 * 4 * 4,
        5 * 16 + 5 * 8,
        3 * 16 + 2 * 8,
    )


@given(st.integers(16, 10**5), st.booleans())
def test_a_long_square_costs_more_traffic_than_computing_it_again(length, causal):
    shape = shape_of(length, causal=causal)
    fused, plain = count_flash_attention_backward(shape), count_materialised_attention_backward(shape)
    assert fused.memory_bytes < plain.memory_bytes


def test_shared_keys_have_shared_gradients():
    alone, shared = (count_flash_attention_backward(shape_of(kv_heads=kv)) for kv in (8, 1))
    assert shared.flops == alone.flops
    assert shared.written_bytes == pytest.approx(alone.written_bytes * (8 + 2) / 24)


def test_both_passes_of_gpt_2_are_slower_than_their_ideal():
    """41.7 ms and 40.3 GB on an A100: T. Dao et al., FlashAttention, figure 2 (standard attention)."""
    shape = shape_of(1024, batch=64, heads=16, kv_heads=16)
    kernels = [
        count(shape, dtype="fp16")
        for count in (count_materialised_attention, count_materialised_attention_backward)
    ]
    roofline = CHIPS["a100-40"].roofline("fp16")
    assert sum(roofline.time_s(kernel) for kernel in kernels) < 41.7e-3
    assert 0.5 < sum(kernel.memory_bytes for kernel in kernels) / 40.3e9 < 1


class TestExponentials:
    def test_an_h100_has_almost_four_trillion_a_second(self):
        """3.9 T per second against 989 TFLOP/s: J. Shah et al., FlashAttention-3, section 3."""
        times = estimate_attention(shape_of(4096), H100)
        rate = shape_of(4096).scores_elements / times.exponential_time_s
        assert rate == pytest.approx(3.9e12, rel=0.02)

    def test_for_a_head_of_128_they_take_half_as_long_as_the_products(self):
        """Same section: 50% of the cycles."""
        times = estimate_attention(shape_of(4096, head=128), H100)
        assert times.exponential_time_s / times.product_time_s == pytest.approx(0.5, rel=0.03)

    @given(st.integers(1, 10**5), st.sampled_from([32, 64, 128, 256]), st.booleans())
    def test_they_never_make_the_bound_looser(self, length, head, causal):
        shape = shape_of(length, head=head, causal=causal)
        times = estimate_attention(shape, H100)
        assert times.time_s >= H100.roofline("bf16").time_s(count_flash_attention(shape))
        assert times.serial_compute_time_s >= times.product_time_s

    def test_practice_is_slower_and_near_what_was_measured(self):
        """756 TFLOP/s at 16k tokens, head dimension 256: J. Shah et al., FlashAttention-3, figure 5."""
        times = estimate_attention(shape_of(16384, head=256), H100, dtype="fp16")
        time_s = times.calibrated_time_s(load_calibration().find(H100, "attention"))
        assert times.kernel.flops / time_s == pytest.approx(756e12, rel=0.05)
        assert times.calibrated_time_s(IDEAL) >= times.time_s

    def test_a_chip_whose_rate_is_not_known_is_refused(self):
        with pytest.raises(ValueError, match="exponentials of TPU v5p"):
            estimate_attention(shape_of(), CHIPS["tpu-v5p"])

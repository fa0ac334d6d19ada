"""FLOPs and bytes of attention."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    AttentionShape,
    count_decode_attention,
    count_flash_attention,
    count_materialised_attention,
    load_catalogue,
)

H100 = load_catalogue()["h100-sxm"]

lengths = st.integers(1, 10**5)
groups = st.sampled_from([1, 2, 4, 8])


def shape_of(queries=1024, keys=1024, batch=1, heads=8, kv_heads=8, head=64, causal=False):
    return AttentionShape(
        batch_count=batch,
        queries_tokens=queries,
        keys_tokens=keys,
        heads_count=heads,
        kv_heads_count=kv_heads,
        head_elements=head,
        causal=causal,
    )


def test_a_small_case_by_hand():
    """2 queries, 3 keys, 1 head of 4: 6 scores of 4 + 4 MACs; Q and output have 8 elements, K and V 12."""
    kernel = count_flash_attention(shape_of(2, 3, heads=1, kv_heads=1, head=4))
    assert (kernel.flops, kernel.read_bytes, kernel.written_bytes) == (6 * 16, (8 + 2 * 12) * 2, 8 * 2)


def test_the_score_matrix_is_written_and_read_twice_where_it_is_materialised():
    shape = shape_of(2, 3, heads=1, kv_heads=1, head=4)
    fused, plain = count_flash_attention(shape), count_materialised_attention(shape)
    assert plain.flops == fused.flops
    assert plain.read_bytes - fused.read_bytes == plain.written_bytes - fused.written_bytes == 2 * 6 * 2


def test_prefill_intensity_is_length_times_group_over_group_plus_one():
    """J. Austin et al., "How to Scale Your Model", part 4: T G / (G + 1) in 16 bits, here T = 4096, G = 8."""
    kernel = count_flash_attention(shape_of(4096, 4096, heads=32, kv_heads=4, head=128))
    assert kernel.intensity_flops_per_byte == pytest.approx(4096 * 8 / 9)


def test_decode_intensity_tends_to_the_group_size():
    kernel = count_decode_attention(keys_tokens=10**6, heads_count=64, kv_heads_count=8, head_elements=128)
    assert kernel.intensity_flops_per_byte == pytest.approx(8, rel=1e-4)


def test_decode_stays_memory_bound_however_large_the_batch():
    for batch in (1, 64, 4096):
        kernel = count_decode_attention(
            batch_count=batch, keys_tokens=8192, heads_count=64, kv_heads_count=8, head_elements=128
        )
        assert H100.roofline("bf16").bound_by(kernel) == "memory"


def test_a_causal_mask_leaves_the_triangle_with_its_diagonal():
    assert shape_of(4, 4, heads=1, kv_heads=1, causal=True).scores_elements == 4 + 3 + 2 + 1


def test_a_causal_chunk_sees_all_that_came_before():
    assert shape_of(2, 5, heads=1, kv_heads=1, causal=True).scores_elements == 4 + 5


def test_one_query_sees_every_key_with_or_without_mask():
    assert shape_of(1, 77, causal=True).scores_elements == shape_of(1, 77).scores_elements


def test_a_causal_mask_halves_long_fused_attention_and_saves_plain_kernels_nothing():
    full, causal = shape_of(10**5, 10**5), shape_of(10**5, 10**5, causal=True)
    assert count_flash_attention(causal).flops == pytest.approx(
        count_flash_attention(full).flops / 2, rel=1e-4
    )
    assert count_materialised_attention(causal).flops == count_materialised_attention(full).flops


def test_a_cache_of_8_bits_is_half_the_traffic():
    wide = count_flash_attention(shape_of(1, 10**6))
    narrow = count_flash_attention(shape_of(1, 10**6), kv_dtype="fp8")
    assert narrow.memory_bytes == pytest.approx(wide.memory_bytes / 2, rel=1e-5)


def test_no_measured_rate_of_flash_attention_3_is_above_the_roof():
    """642 TFLOP/s forward in fp16, head dimension 256, 16k tokens, H100: J. Shah et al., arXiv:2407.08608."""
    kernel = count_flash_attention(shape_of(16384, 16384, heads=8, kv_heads=8, head=256), dtype="fp16")
    assert H100.roofline("fp16").kernel_flops_per_s(kernel) >= 642e12


def test_arrays_of_lengths_are_answered_at_once():
    lengths_ = np.array([128, 4096])
    kernel = count_flash_attention(shape_of(lengths_, lengths_, causal=True))
    for index, length in enumerate(lengths_):
        assert kernel.flops[index] == count_flash_attention(shape_of(length, length, causal=True)).flops


@given(lengths, lengths, groups, st.booleans())
def test_fusing_never_moves_or_computes_more(queries, more_keys, group, causal):
    shape = shape_of(queries, queries + more_keys, heads=8, kv_heads=8 // group, causal=causal)
    fused, plain = count_flash_attention(shape), count_materialised_attention(shape)
    assert fused.flops <= plain.flops
    assert fused.memory_bytes < plain.memory_bytes


@given(lengths, groups)
def test_sharing_keys_never_lowers_the_intensity(keys, group):
    alone, shared = (count_flash_attention(shape_of(1, keys, heads=8, kv_heads=kv)) for kv in (8, 8 // group))
    assert shared.flops == alone.flops
    assert shared.intensity_flops_per_byte >= alone.intensity_flops_per_byte


def test_kv_heads_must_divide_the_heads():
    with pytest.raises(ValueError, match="3 KV heads do not divide 8 heads"):
        shape_of(kv_heads=3)


def test_a_causal_sequence_cannot_have_more_queries_than_keys():
    with pytest.raises(ValueError, match="more queries than keys"):
        shape_of(5, 4, causal=True)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, float("nan")])
def test_an_impossible_size_is_refused(wrong):
    with pytest.raises(ValueError, match="queries_tokens must be"):
        shape_of(wrong, 4)
    with pytest.raises(ValueError, match="head_elements must be"):
        shape_of(head=wrong)

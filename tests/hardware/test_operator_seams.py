"""Times of operators over random shapes: none falls as a size grows; jumps are at full tiles and buffers.

And over chips: those of one architecture differ by their rates.
"""

from itertools import permutations

import numpy as np
import pytest

from diglot.hardware import (
    AttentionShape,
    ExpertLayer,
    load_catalogue,
    time_attention,
    time_collective,
    time_experts,
    time_gemm,
)
from diglot.hardware.networks.libraries import GROUP_BUFFER_BYTES, PAIR_BUFFER_BYTES

GPUS = ("a100", "h100", "h200", "b200", "mi300x")
MODES = ("ideal", "calibrated")
COUNT = 400
LARGEST_STEP = 1.3
"""By how much a time may grow from one size to the next, besides what the size itself grows by."""


def draw(seed, least, most, multiple=1):
    """Sizes between the two, spread over their logarithms."""
    found = np.exp(np.random.default_rng(seed).uniform(np.log(least), np.log(most), COUNT))
    return np.maximum(found.astype(np.int64) // multiple, 1) * multiple


def check_growth(now_s, next_s, *, edges=False, grown=1.0):
    """Times do not fall, and jump only where `edges` are."""
    ratio = np.asarray(next_s) / np.asarray(now_s)
    assert np.all(ratio >= 1 - 1e-9)
    jumps = ratio > LARGEST_STEP * grown
    assert not np.any(jumps & ~np.broadcast_to(edges, jumps.shape))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("gpu", "dtype"),
    [(gpu, dtype) for gpu in GPUS for dtype in ("bf16", "fp8") if (gpu, dtype) != ("a100", "fp8")],
)
def test_products_grow_with_each_side_and_jump_where_a_tile_is_full(gpu, dtype, mode):
    """Narrow tiles serve sides below 64, so that 64 is an edge too."""
    rows, depth, columns = draw(0, 1, 16_384), draw(1, 64, 32_768, 8), draw(2, 64, 32_768, 8)

    def measure(m, k, n):
        return time_gemm(gpu, m, k, n, dtype=dtype, result_dtype="bf16", mode=mode).time_s

    now_s = measure(rows, depth, columns)
    check_growth(now_s, measure(rows + 1, depth, columns), edges=(rows % 32 == 0) | (rows == 63))
    check_growth(now_s, measure(rows, depth, columns + 8), edges=columns % 32 == 0)
    check_growth(now_s, measure(rows, depth + 1, columns))
    check_growth(now_s, measure(rows, depth + 8, columns))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("gpu", GPUS)
@pytest.mark.parametrize("heads", [(8, 8), (32, 8), (128, 128), (16, 1)])
@pytest.mark.parametrize("prompts", [True, False])
def test_attention_grows_with_sequences_and_their_length(gpu, mode, heads, prompts):
    """From one sequence to two, all may double. A prompt of 64 tokens is the longest that one tile holds."""
    batch, tokens = draw(3, 1, 256), draw(4, 16, 65_536)
    tokens[0] = 64

    def measure(batch, tokens):
        shape = AttentionShape(
            batch_count=batch,
            queries_tokens=tokens if prompts else 1,
            keys_tokens=tokens,
            heads_count=heads[0],
            kv_heads_count=heads[1],
            head_elements=128,
            causal=True,
        )
        return time_attention(gpu, shape, mode=mode).time_s

    now_s = measure(batch, tokens)
    check_growth(now_s, measure(batch + 1, tokens), grown=(batch + 1) / batch)
    check_growth(now_s, measure(batch, tokens + 1))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("gpu", GPUS)
@pytest.mark.parametrize(("experts", "active"), [(8, 2), (128, 8), (256, 8)])
def test_layers_of_experts_grow_with_tokens(gpu, mode, experts, active):
    layer = ExpertLayer(width_elements=4096, inner_elements=1536, experts_count=experts, active_count=active)
    tokens = draw(5, 1, 16_384)
    now_s, next_s = (time_experts(gpu, layer, each, mode=mode).time_s for each in (tokens, tokens + 1))
    check_growth(now_s, next_s, grown=(tokens + 1) / tokens)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("gpu", GPUS)
@pytest.mark.parametrize("library", ["nccl", "custom"])
@pytest.mark.parametrize("chips", [2, 4, 8])
def test_collectives_grow_with_their_arrays_and_jump_where_buffers_end(gpu, mode, library, chips):
    sizes = draw(6, 256, 2**31)
    now_s, next_s = (
        time_collective(gpu, "all-reduce", each, chips, library=library, mode=mode)
        for each in (sizes, sizes + sizes // 16)
    )
    limit = PAIR_BUFFER_BYTES if chips == 2 else GROUP_BUFFER_BYTES
    check_growth(now_s, next_s, edges=(sizes <= limit) & (sizes + sizes // 16 > limit))


TWINS = {
    "product": lambda chip, dtype: time_gemm(chip, 4096, 4096, 4096, dtype=dtype, mode="calibrated"),
    "few rows": lambda chip, dtype: time_gemm(chip, 8, 8192, 8192, dtype=dtype, mode="calibrated"),
    "prompt": lambda chip, dtype: time_attention(
        chip, AttentionShape.of_sequence(8192, 64, 64), dtype=dtype, mode="calibrated"
    ),
    "tokens": lambda chip, dtype: time_attention(
        chip,
        AttentionShape(
            batch_count=32, queries_tokens=1, keys_tokens=8192, heads_count=64, kv_heads_count=8,
            head_elements=128,
        ),
        dtype=dtype,
        mode="calibrated",
    ),
    "experts": lambda chip, dtype: time_experts(
        chip,
        ExpertLayer(width_elements=4096, inner_elements=1536, experts_count=128, active_count=8),
        2048,
        dtype=dtype,
        mode="calibrated",
    ),
}  # fmt: skip


def test_chips_of_one_architecture_differ_by_their_rates():
    """What is not known of one of them makes it neither much quicker nor much slower than the others."""
    wrong = []
    for one, other in permutations(load_catalogue().of_kind("gpu"), 2):
        for dtype in {"bf16", "fp8", "fp4"} & {*one.dtypes} & {*other.dtypes}:
            if one.architecture != other.architecture:
                continue
            rates = (
                other.peak_flops_per_s(dtype) / one.peak_flops_per_s(dtype),
                other.memory_bandwidth_bytes_per_s / one.memory_bandwidth_bytes_per_s,
            )
            for name, find_time in TWINS.items():
                times = [float(find_time(chip, dtype).time_s) for chip in (one, other)]
                if times[0] / times[1] > 1.35 * max(1.0, *rates):
                    wrong.append((name, dtype, one.id, other.id, times))
    assert wrong == []

"""Context parallelism: ring attention for long prompts, split caches for decoding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    Layout,
    Ring,
    decode,
    deploy,
    estimate_decode,
    estimate_prefill,
    list_operators,
    load_catalogue,
    load_model,
    prefill,
)

CHIPS = load_catalogue()
H100, V5P = CHIPS["h100-sxm"], CHIPS["tpu-v5p"]
SMALL, LARGE = load_model("llama-3-8b"), load_model("llama-3-70b")
INSTANT = Ring(bandwidth_bytes_per_s=1e30)


def deploy_small(ways, chip=H100, **changes):
    return deploy(SMALL, chip, layout=Layout(context_count=ways), **changes)


def attention(group, ways=1):
    operators = list_operators(SMALL, group, layout=Layout(context_count=ways))
    return next(each for each in operators if each.name == "attention")


@pytest.mark.parametrize("group", [prefill(1000), decode(1000, sequences_count=8)])
def test_one_way_is_none(group):
    one = attention(group)
    assert one.passed_bytes == 0
    keys_bytes = 2 * 2 * group.sequences_count * (group.context_tokens + group.new_tokens) * 8 * 128
    queries_bytes = 2 * group.tokens * 4096
    assert one.kernel.memory_bytes == keys_bytes + 2 * queries_bytes
    assert estimate_prefill(deploy_small(1), 1000).context_communication_s == 0


def test_ways_share_the_work_and_the_keys_go_round():
    """Each of 8 chips has 1,024 of 8,192 queries and receives the keys and values of all tokens."""
    one, eight = attention(prefill(8192)), attention(prefill(8192), 8)
    keys_bytes, queries_bytes = 2 * 2 * 8192 * 8 * 128, 2 * 8192 * 4096
    assert eight.kernel.flops == one.kernel.flops / 8
    assert eight.passed_bytes == keys_bytes
    assert eight.kernel.read_bytes == keys_bytes + queries_bytes / 8
    assert eight.kernel.written_bytes == queries_bytes / 8 + keys_bytes * 7 / 8


def test_of_single_tokens_the_queries_go_round():
    """A cache of 100,000 tokens stays in place; a query and its result of 16 KB are passed on instead."""
    eight = attention(decode(99_999), 8)
    assert eight.passed_bytes == 2 * 2 * 4096
    assert eight.kernel.read_bytes == pytest.approx(2 * 2 * 100_000 * 8 * 128 / 8, rel=1e-3)


def test_a_long_prompt_takes_an_eighth_on_eight_times_the_chips():
    one, eight = (estimate_prefill(deploy_small(ways, interconnect=INSTANT), 2**17).time_s for ways in (1, 8))
    assert eight == pytest.approx(one / 8, rel=0.02)


def test_long_prompts_hide_what_travels_and_slow_links_show_it():
    """Transfers grow with the prompt, the attention that hides them with its square."""
    hidden = estimate_prefill(deploy_small(8), 2**17)
    assert hidden.context_communication_s == 0
    slow = Ring(bandwidth_bytes_per_s=1e9)
    shown = estimate_prefill(deploy_small(8, interconnect=slow), 2**13)
    passing_s = 32 * 7 / 8 * (2 * 2 * 2**13 * 8 * 128) / 1e9
    entry = next(each for each in shown.operators if each.operator.name == "attention")
    assert shown.context_communication_s == pytest.approx(passing_s - entry.time_s)
    assert shown.communication_s == shown.context_communication_s


def test_parts_of_the_cache_make_room_and_weights_do_not_shrink():
    layouts = [Layout(tensor_count=4, context_count=ways) for ways in (1, 4)]
    one, four = (deploy(LARGE, H100, layout=layout) for layout in layouts)
    assert (one.layout.chips_count, four.layout.chips_count) == (4, 16)
    assert four.weights_bytes_per_chip == one.weights_bytes_per_chip
    assert four.kv_bytes_per_chip(10**5) == one.kv_bytes_per_chip(10**5) / 4
    assert one.largest_batch_count(10**6) == 0 < four.largest_batch_count(10**6)
    with pytest.raises(ValueError, match="Llama 3 70B takes"):
        deploy(LARGE, H100, layout=Layout(context_count=8))


def test_decoding_a_long_context_is_quicker_with_its_cache_in_parts():
    one, four = (estimate_decode(deploy_small(ways, interconnect=INSTANT), 10**5).time_s for ways in (1, 4))
    weights_s = estimate_decode(deploy_small(1), 1).time_s
    assert four - weights_s == pytest.approx((one - weights_s) / 4, rel=0.01)


def test_context_ways_have_axes_of_their_own_on_a_torus_and_nodes_on_gpus():
    for chip in (H100, V5P):
        layout = Layout(tensor_count=8, context_count=4)
        step = estimate_prefill(deploy(LARGE, chip, layout=layout), 2**17)
        alone = estimate_prefill(deploy(LARGE, chip, layout=Layout(tensor_count=8)), 2**17)
        assert alone.time_s / 4 <= step.time_s < alone.time_s / 3


@given(
    ways=st.sampled_from([1, 2, 4, 8]),
    tokens=st.integers(1, 5000),
    context=st.integers(0, 10**5),
    sequences=st.integers(1, 8),
)
@settings(max_examples=40, deadline=None)
def test_ways_together_do_at_least_the_whole_work(ways, tokens, context, sequences):
    group = type(prefill(1))(new_tokens=tokens, context_tokens=context, sequences_count=sequences)
    one, many = attention(group), attention(group, ways)
    assert many.kernel.flops * ways == pytest.approx(one.kernel.flops)
    assert one.kernel.memory_bytes <= many.kernel.memory_bytes * ways * (1 + 1e-12)
    assert 0 <= many.passed_bytes < np.inf


def test_arrays_of_prompts_broadcast():
    prompts = np.array([1, 1000, 100_000])
    swept = estimate_prefill(deploy_small(4), prompts)
    alone = [estimate_prefill(deploy_small(4), int(prompt)).time_s for prompt in prompts]
    np.testing.assert_allclose(swept.time_s, alone)


@pytest.mark.parametrize("ways", [0, -1, 1.5])
def test_impossible_ways_are_refused(ways):
    with pytest.raises(ValueError, match="context_count"):
        Layout(context_count=ways)


def test_what_is_not_modelled_is_refused():
    with pytest.raises(ValueError, match="context_count must be 1 for latent attention"):
        deploy(load_model("deepseek-v3"), H100, layout=Layout(context_count=2, expert_count=32))
    with pytest.raises(ValueError, match="context_count must be 1 with materialised"):
        list_operators(SMALL, prefill(8), layout=Layout(context_count=2), attention="materialised")

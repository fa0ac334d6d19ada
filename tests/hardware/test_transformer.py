"""Operators of a forward pass, their FLOPs and bytes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    Formats,
    Layout,
    Ring,
    decode,
    list_kernels,
    list_operators,
    load_model,
    load_models,
    prefill,
    sum_flops,
)
from diglot.hardware.operators.transformer import RECURRENCE, count_touched_experts

MODELS = load_models()
LLAMA = load_model("llama-3-70b")
DECODERS = [id_ for id_ in MODELS if MODELS[id_].model.kind == "decoder"]


def operator(operators, name):
    return next(operator for operator in operators if operator.name == name)


def total_bytes(operators):
    return sum(operator.memory_bytes for operator in operators)


def test_the_qkv_projection_of_a_70b_layer_by_hand():
    """8192 x (64 + 2 x 8) x 128 weights, two FLOPs each per token."""
    kernel = operator(list_operators(LLAMA, prefill(1000)), "QKV projection").kernel
    assert kernel.flops == 2 * 1000 * 8192 * 10240
    assert kernel.memory_bytes == 2 * (1000 * 8192 + 8192 * 10240 + 1000 * 10240)


def test_kernels_of_several_steps_are_those_of_all_operators_as_often():
    operators = list_operators(LLAMA, decode(2047, sequences_count=8))
    kernels = list_kernels(LLAMA, decode(2047, sequences_count=8), steps_count=5)
    assert sum(kernel.flops for kernel in kernels) == 5 * sum_flops(operators)
    assert sum(kernel.memory_bytes for kernel in kernels) == 5 * total_bytes(operators)


@pytest.mark.parametrize("id_", MODELS)
def test_a_short_prompt_costs_two_flops_per_active_matrix_parameter(id_):
    """Except biases, norms and embeddings; an encoder's pooler processes one token.

    A recurrence costs the same for each token, but has no weights.
    """
    model = MODELS[id_].model
    decoder = model.kind == "decoder"
    head = 8 * model.vocabulary_count * model.width_elements if decoder else model.width_elements**2
    layers = model.active_parameters_count - model.embedding_parameters_count - model.head_parameters_count
    operators = list_operators(model, prefill(8), head_of_every_token=True)
    products = [each for each in operators if each.on_matrix_units and each.name != RECURRENCE]
    assert sum_flops(products) == pytest.approx(2 * (8 * layers + head), rel=2e-3)


@pytest.mark.parametrize("id_", DECODERS)
def test_a_decode_step_of_many_sequences_reads_all_weights_once_and_every_cache(id_):
    model = MODELS[id_].model
    one, two = (
        total_bytes(list_operators(model, decode(10_000, sequences_count=sequences)))
        for sequences in (10_000, 20_000)
    )
    looked_up = model.embedding_parameters_count if not model.tied_embeddings else 0
    weights = 2 * (model.parameters_count - looked_up)
    assert 2 * one - two == pytest.approx(weights, rel=0.01)
    cache = 10_000 * model.kv_bytes(10_001)
    assert one - weights > cache


def test_tensor_parallel_chips_share_weights_and_work():
    whole = list_operators(LLAMA, prefill(512))
    eighth = list_operators(LLAMA, prefill(512), layout=Layout(tensor_count=8))
    for name in ("QKV projection", "attention", "output projection", "up projection", "down projection"):
        assert operator(eighth, name).flops == operator(whole, name).flops / 8


NOT_CUT = ("norm", "router", "query and KV compression")


@pytest.mark.parametrize("id_", ["llama-3-70b", "deepseek-v3"])
def test_what_ways_repeat_is_whole_on_each_chip_or_shared_out(id_):
    """Engines repeat norms, routers and latent compression; sequence parallelism splits their rows."""
    model, group = load_model(id_), prefill(512)
    one, repeated, shared = (
        {each.name: each for each in list_operators(model, group, layout=layout)}
        for layout in (
            Layout(),
            Layout(tensor_count=8),
            Layout(tensor_count=8, sequence_parallel=True),
        )
    )
    found = [name for name in one if repeated[name].flops == one[name].flops]
    assert sorted(found) == sorted(name for name in NOT_CUT if name in one)
    for name in one:
        assert shared[name].flops == (one[name].flops / 8 if name in found else repeated[name].flops)


def test_sharing_out_is_nothing_for_one_chip():
    plain, shared = (
        list_operators(LLAMA, decode(100), layout=Layout(sequence_parallel=parallel))
        for parallel in (False, True)
    )
    assert sum_flops(plain) == sum_flops(shared)
    assert total_bytes(plain) == total_bytes(shared)


def test_more_ways_than_kv_heads_repeat_keys_and_values():
    eight, sixteen = (
        operator(
            list_operators(LLAMA, decode(8191, sequences_count=64), layout=Layout(tensor_count=ways)),
            "attention",
        )
        for ways in (8, 16)
    )
    assert sixteen.memory_bytes == pytest.approx(eight.memory_bytes, rel=1e-3)
    assert sixteen.flops == eight.flops / 2


def test_a_prompt_in_two_chunks_has_the_attention_of_the_whole():
    whole = operator(list_operators(LLAMA, prefill(1000)), "attention").flops
    groups = (prefill(400), prefill(600))
    first = operator(list_operators(LLAMA, groups[0]), "attention").flops
    second = list_operators(LLAMA, type(groups[0])(new_tokens=600, context_tokens=400))
    assert first + operator(second, "attention").flops == whole


def test_groups_share_the_weights_of_a_step():
    both = list_operators(LLAMA, (decode(1000, sequences_count=32), prefill(480)))
    together = operator(list_operators(LLAMA, prefill(512)), "up projection").kernel
    assert operator(both, "up projection").kernel.memory_bytes == together.memory_bytes
    assert sum(operator.name == "attention" for operator in both) == 2


def test_a_window_bounds_attention():
    """Gemma 2 has a window of 4,096 tokens in every second layer: a band of the triangle."""
    operators = list_operators(load_model("gemma-2-9b"), prefill(8192))
    full, windowed = operator(operators, "attention"), operator(operators, "windowed attention")
    triangle = 8192 * 8193 / 2
    band = 4096 * 4097 / 2 + 4096 * 4096
    assert windowed.flops / full.flops == pytest.approx(band / triangle)


def test_a_window_that_is_not_full_changes_nothing():
    operators = list_operators(load_model("gemma-2-9b"), prefill(4096))
    assert operator(operators, "attention").flops == operator(operators, "windowed attention").flops


def test_latent_attention_decodes_on_the_cached_vector():
    """128 heads x (576 + 512) x 2 FLOPs per cached token, which has 576 elements: intensity near 242."""
    model = load_model("deepseek-v3")
    kernel = operator(list_operators(model, decode(100_000)), "attention").kernel
    assert kernel.flops == 2 * 100_001 * 128 * (576 + 512)
    assert kernel.intensity_flops_per_byte == pytest.approx(128 * (576 + 512) / 576, rel=0.01)


def test_latent_attention_prefills_with_heads_of_192_and_128():
    model = load_model("deepseek-v3")
    kernel = operator(list_operators(model, prefill(4096)), "attention").kernel
    assert kernel.flops == 2 * 128 * (192 + 128) * (4096 * 4097 / 2)


def test_experts_that_tokens_touch_grow_from_the_active_to_all():
    touched = count_touched_experts(256, 8, np.array([1, 32, 10_000]))
    assert touched[0] == pytest.approx(8)
    assert touched[1] == pytest.approx(256 * (1 - (1 - 8 / 256) ** 32))
    assert touched[2] == pytest.approx(256)
    with pytest.raises(ValueError, match="active_count must be at most experts_count"):
        count_touched_experts(4, 5, 1)


def test_expert_ways_share_the_experts_and_split_the_sequences():
    model = load_model("deepseek-v3")
    group = decode(1000, sequences_count=1024)
    one, many = (list_operators(model, group, layout=Layout(expert_count=ways)) for ways in (1, 64))
    assert operator(many, "routed experts").flops == operator(one, "routed experts").flops / 64
    assert operator(many, "attention").flops == operator(one, "attention").flops / 64
    weights = 2 * 256 * model.expert_parameters_count * model.expert_layers_count
    assert operator(many, "routed experts").memory_bytes == pytest.approx(weights / 64, rel=0.02)


def test_narrow_weights_halve_their_traffic_only():
    wide = operator(list_operators(LLAMA, decode(10)), "down projection").kernel
    narrow = operator(
        list_operators(LLAMA, decode(10), formats=Formats(weights="int8")), "down projection"
    ).kernel
    assert narrow.flops == wide.flops
    assert wide.memory_bytes - narrow.memory_bytes == 8192 * 28672


def test_materialised_attention_has_its_three_kernels():
    operators = list_operators(LLAMA, prefill(2048), attention="materialised")
    names = [operator.name for operator in operators]
    assert names[2:5] == ["output projection", "scores", "softmax"]
    assert "attention" not in names


@pytest.mark.parametrize("id_", ["llama-3-70b", "gpt-3-175b"])
def test_materialised_decoding_reads_each_key_and_value_once_for_its_group(id_):
    """Queries, outputs, and the scores written and read come on top."""
    model = load_model(id_)
    operators = list_operators(model, decode(9999), attention="materialised")
    both = [operator(operators, name) for name in ("scores", "values")]
    scores_bytes = 2 * 2 * model.layers_count * model.heads_count * 10_000
    queries_bytes = 2 * 2 * model.layers_count * model.heads_count * model.head_elements
    assert total_bytes(both) == model.kv_bytes(10_000) + scores_bytes + queries_bytes


def test_arrays_of_batches_and_contexts_broadcast():
    batches, contexts = np.array([[1], [64]]), np.array([1000, 2000, 4000])
    swept = operator(list_operators(LLAMA, decode(contexts, sequences_count=batches)), "attention").flops
    assert swept.shape == (2, 3)
    assert swept[1, 2] == operator(list_operators(LLAMA, decode(4000, sequences_count=64)), "attention").flops


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(MODELS)),
    st.integers(1, 10**5),
    st.integers(1, 10**4),
    st.integers(0, 10**6),
)
def test_every_count_is_finite_and_grows_with_the_batch(id_, sequences, new, context):
    model = MODELS[id_].model
    context = 0 if model.kind == "encoder" else context
    group = type(prefill(1))
    less, more = (
        list_operators(model, group(sequences_count=count, new_tokens=new, context_tokens=context))
        for count in (sequences, sequences + 1)
    )
    assert 0 < sum_flops(less) < sum_flops(more) < np.inf
    assert 0 < total_bytes(less) < total_bytes(more) < np.inf


@pytest.mark.parametrize(
    ("id_", "layout", "message"),
    [
        ("llama-3-70b", {"tensor_count": 3}, "do not divide 64 heads"),
        ("gpt-oss-120b", {"tensor_count": 64, "expert_count": 3}, "do not divide 128 experts"),
        ("llama-3-70b", {"pipeline_count": 81}, "81 stages are more than 80 layers"),
        ("llama-3-70b", {"expert_count": 2}, "do not divide 1 experts"),
        ("llama-2-7b", {"tensor_count": 0}, "at least 1"),
    ],
)
def test_a_layout_that_does_not_divide_the_model_is_refused(id_, layout, message):
    with pytest.raises(ValueError, match=message):
        list_operators(load_model(id_), prefill(1), layout=Layout(**layout))


@pytest.mark.parametrize("sizes", [{"new_tokens": 0}, {"sequences_count": 0}, {"context_tokens": -1}])
def test_impossible_sequences_are_refused(sizes):
    with pytest.raises(ValueError, match="must be at least"):
        type(prefill(1))(**sizes)


def test_an_encoder_has_no_context_and_sees_both_sides():
    bert = load_model("bert-base")
    with pytest.raises(ValueError, match="no context"):
        list_operators(bert, decode(5))
    assert operator(list_operators(bert, prefill(512)), "attention").flops == 12 * 4 * 512**2 * 768


def test_a_step_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one group"):
        list_operators(LLAMA, ())


def test_a_ring_of_one_is_free_and_a_large_one_moves_the_message_twice():
    ring = Ring(bandwidth_bytes_per_s=1e9, latency_s=1e-6)
    assert ring.all_reduce_time_s(1e9, 1) == 0 == ring.token_exchange_time_s(1e9, 1, 8)
    assert ring.all_reduce_time_s(1e9, 4) == pytest.approx(1.5)
    assert ring.all_reduce_time_s(1e3, 4) == pytest.approx(6e-6)
    assert Ring(bandwidth_bytes_per_s=1e9).all_reduce_time_s(1e9, 10**6) == pytest.approx(2, rel=1e-5)
    with pytest.raises(ValueError, match="bandwidth"):
        Ring(bandwidth_bytes_per_s=0)
    with pytest.raises(ValueError, match="latency"):
        Ring(bandwidth_bytes_per_s=1, latency_s=-1)

"""Models with recurrent layers: sizes against published counts, states and caches, and times."""

import json

import numpy as np
import pytest

from diglot.hardware import (
    Layout,
    RecurrenceShape,
    RecurrentLayers,
    TrainingPlan,
    count_recurrence,
    deploy,
    draw_requests,
    estimate_decode,
    estimate_prefill,
    list_operators,
    load_model,
    load_models,
    prefill,
    simulate_serving,
    train_on_chip,
)
from diglot.hardware.kernels.recurrence import CHUNK_TOKENS
from diglot.hardware.models.hugging_face import parse_config
from diglot.hardware.operators.transformer import SequenceGroup
from diglot.hardware.serving.prefix_cache import count_sharing_sequences
from diglot.hardware.training.activations import count_activation_bytes_per_layer

QWEN = {
    "model_type": "qwen3_next", "vocab_size": 151936, "hidden_size": 2048, "intermediate_size": 5120,
    "num_hidden_layers": 48, "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256,
    "linear_num_key_heads": 16, "linear_num_value_heads": 32, "linear_key_head_dim": 128,
    "linear_value_head_dim": 128, "full_attention_interval": 4, "num_experts": 512, "num_experts_per_tok": 10,
    "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512, "tie_word_embeddings": False,
}  # fmt: skip
QWEN_3_5 = {
    **QWEN, "model_type": "qwen3_5_text", "vocab_size": 248320, "hidden_size": 4096, "num_hidden_layers": 32,
    "intermediate_size": 12288, "num_key_value_heads": 4, "num_experts": None, "attn_output_gate": True,
    "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 8,
}  # fmt: skip
KIMI = {
    "model_type": "kimi_linear", "vocab_size": 163840, "hidden_size": 2304, "intermediate_size": 9216,
    "num_hidden_layers": 27, "num_attention_heads": 32, "num_key_value_heads": 32, "head_dim": 72,
    "kv_lora_rank": 512, "q_lora_rank": None, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
    "v_head_dim": 128, "num_experts": 256, "num_experts_per_token": 8, "num_shared_experts": 1,
    "moe_intermediate_size": 1024, "first_k_dense_replace": 1, "tie_word_embeddings": False,
    "linear_attn_config": {
        "full_attn_layers": [4, 8, 12, 16, 20, 24, 27],
        "kda_layers": [each for each in range(1, 27) if each % 4],
        "head_dim": 128, "num_heads": 32, "short_conv_kernel_size": 4,
    },
}  # fmt: skip
NEMOTRON = {
    "model_type": "nemotron_h", "vocab_size": 131072, "hidden_size": 4096, "intermediate_size": 21504,
    "num_hidden_layers": 52, "num_attention_heads": 32, "num_key_value_heads": 8, "attention_head_dim": 128,
    "mamba_num_heads": 128, "mamba_head_dim": 64, "ssm_state_size": 128, "n_groups": 8,
    "hybrid_override_pattern": "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-",
    "tie_word_embeddings": False,
}  # fmt: skip
NEMOTRON_47B = {
    **NEMOTRON, "hidden_size": 8192, "intermediate_size": 30720, "num_hidden_layers": 98,
    "num_attention_heads": 64, "mamba_num_heads": 256, "ssm_state_size": 256,
    "hybrid_override_pattern": "M-M-M-M-M-M-M-M-M*-M-M-M-M-M-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-"
    "M-M-M-M-M-M-M---MM---M-M*-M-M-M-M-M-",
}  # fmt: skip
NEMOTRON_3_NANO = {
    **NEMOTRON, "hidden_size": 2688, "num_key_value_heads": 2, "mamba_num_heads": 64, "n_routed_experts": 128,
    "num_experts_per_tok": 6, "moe_intermediate_size": 1856, "moe_shared_expert_intermediate_size": 3712,
    "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
}  # fmt: skip
JAMBA = {
    "model_type": "jamba", "vocab_size": 65536, "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "attn_layer_offset": 4,
    "attn_layer_period": 8, "expert_layer_offset": 1, "expert_layer_period": 2, "mamba_d_conv": 4,
    "mamba_d_state": 16, "mamba_dt_rank": 256, "mamba_expand": 2, "num_experts": 16, "num_experts_per_tok": 2,
    "tie_word_embeddings": False,
}  # fmt: skip
GRANITE = {
    "model_type": "granitemoehybrid", "vocab_size": 100352, "hidden_size": 4096, "intermediate_size": 768,
    "shared_intermediate_size": 1536, "num_hidden_layers": 40, "num_attention_heads": 32,
    "num_key_value_heads": 8, "num_local_experts": 72, "num_experts_per_tok": 10, "mamba_n_heads": 128,
    "mamba_d_head": 64, "mamba_d_state": 128, "mamba_n_groups": 1, "mamba_d_conv": 4,
    "layer_types": (["mamba"] * 9 + ["attention"]) * 4, "tie_word_embeddings": True,
}  # fmt: skip
BAMBA = {
    **GRANITE, "model_type": "bamba", "vocab_size": 128256, "intermediate_size": 14336, "layer_types": None,
    "shared_intermediate_size": None, "num_local_experts": None, "num_hidden_layers": 32,
    "attn_layer_indices": [9, 18, 27], "tie_word_embeddings": False,
}  # fmt: skip
MAMBA_2 = {
    "model_type": "mamba2", "vocab_size": 32768, "hidden_size": 4096, "num_hidden_layers": 64,
    "num_heads": 128, "head_dim": 64, "state_size": 128, "n_groups": 8, "tie_word_embeddings": False,
}  # fmt: skip
FALCON = {
    "model_type": "falcon_mamba", "vocab_size": 65024, "hidden_size": 4096, "num_hidden_layers": 64,
    "intermediate_size": 8192, "state_size": 16, "time_step_rank": 256, "tie_word_embeddings": False,
}  # fmt: skip
PUBLISHED = {
    "Qwen3-Next-80B-A3B, without its second head": (QWEN, 79.674e9, 3.875e9, 12),
    "Qwen3.5-9B": (QWEN_3_5, 8.95e9, None, 8),
    "Kimi-Linear-48B-A3B, by its files": (KIMI, 49.12e9, 3.5e9, 7),
    "Nemotron-H-8B": (NEMOTRON, 8.1e9, None, 4),
    "Nemotron-H-47B": (NEMOTRON_47B, 46.8e9, None, 5),
    "Nemotron-3-Nano-30B-A3B": (NEMOTRON_3_NANO, 31.6e9, 3.6e9, 6),
    "Jamba-1.5-Mini": (JAMBA, 51.6e9, 12.1e9, 4),
    "Granite-4.0-H-Small": (GRANITE, 32.2e9, 9e9, 4),
    "Bamba-9B": (BAMBA, 9.78e9, None, 3),
    "Mamba-Codestral-7B": (MAMBA_2, 7.29e9, None, 0),
    "Falcon-Mamba-7B": (FALCON, 7.27e9, None, 0),
}
"""Name → configuration, parameters in all and of a token as published (by the cards and papers of the models,
or as others counted the files), and layers with attention."""
CONFIGS = {name: row[0] for name, row in PUBLISHED.items()}


MODELS = {name: parse_config(json.dumps(row[0])).model for name, row in PUBLISHED.items()}
PURE, HYBRID = MODELS["Mamba-Codestral-7B"], MODELS["Nemotron-H-8B"]


def test_configurations_give_as_many_parameters_as_are_published():
    wrong = []
    for name, (_, total, active, attention) in PUBLISHED.items():
        model = MODELS[name]
        found = (model.parameters_count, model.active_parameters_count, model.attention_layers_count)
        near = found[0] == pytest.approx(total, rel=0.02)
        near &= active is None or found[1] == pytest.approx(active, rel=0.03)
        if not near or found[2] != attention:
            wrong.append(f"{name}: {found}, not {total, active, attention}")
    assert not wrong, "\n".join(wrong)


def test_qwen3_next_has_exactly_what_others_count_but_small_norms_and_gates():
    """Source: a table of Qwen3-Coder-Next's files; norms of queries and keys, gates of shared experts."""
    apart = 12 * 2 * 256 + 48 * 2048
    assert MODELS["Qwen3-Next-80B-A3B, without its second head"].parameters_count + apart == 79_674_391_296


def test_the_catalogue_has_the_sizes_of_the_configurations():
    pairs = {
        "qwen-3-next-80b-a3b": "Qwen3-Next-80B-A3B, without its second head",
        "nemotron-h-8b": "Nemotron-H-8B",
        "kimi-linear-48b-a3b": "Kimi-Linear-48B-A3B, by its files",
        "jamba-1.5-mini": "Jamba-1.5-Mini",
    }
    assert {id_ for id_, each in load_models().items() if each.model.recurrent} == {*pairs}
    for id_, name in pairs.items():
        known, read = load_model(id_), MODELS[name]
        assert known.recurrent == read.recurrent, id_
        assert known.parameters_count == read.parameters_count, id_


def test_caches_grow_with_layers_of_attention_alone_and_states_not_at_all():
    for name, model in MODELS.items():
        elements = model.kv_elements_per_token_count
        assert model.kv_bytes(1000) == 1000 * PUBLISHED[name][3] * elements * 2, name
        if model.attention_layers_count:
            assert 0 < model.state_bytes < model.kv_bytes(200_000), name
    # A matrix of 64 x 128 in 32 bits for each head, and three inputs of the convolution in 16.
    assert HYBRID.state_bytes == 24 * (128 * 64 * 128 * 4 + (8192 + 2 * 1024) * 3 * 2)
    one, eight = (deploy(HYBRID, "h200", layout=Layout(tensor_count=ways)) for ways in (1, 8))
    assert one.kv_bytes_per_chip(0) == one.state_bytes_per_chip == HYBRID.state_bytes
    assert eight.kv_bytes_per_chip(4096) == one.kv_bytes_per_chip(4096) / 8
    assert deploy(PURE, "h200").largest_batch_count(10**6) == deploy(PURE, "h200").largest_batch_count(1)


def test_steps_without_attention_do_not_depend_on_the_context():
    contexts = np.array([1, 1000, 10**6])
    for name in ("Mamba-Codestral-7B", "Falcon-Mamba-7B"):
        for timing in ("ideal", "calibrated"):
            step = estimate_decode(deploy(MODELS[name], "h100", timing=timing), contexts, batch_count=8)
            assert np.ptp(step.time_s) == 0, name


def test_times_grow_with_work_and_are_never_below_their_bound():
    wrong = []
    prompts, batches = np.array([1, 63, 64, 65, 4096, 32768]), np.array([1, 2, 64, 65, 512])
    times = {
        "prefill": lambda which: estimate_prefill(which, prompts).time_s,
        "batch": lambda which: estimate_decode(which, 4096, batch_count=batches).time_s,
        "context": lambda which: estimate_decode(which, prompts, batch_count=8).time_s,
    }
    for name, model in MODELS.items():
        ideal, likely = (
            deploy(model, "b200", timing=timing, layout=Layout(tensor_count=4))
            for timing in ("ideal", "calibrated")
        )
        for words, time in times.items():
            bound_s, time_s = time(ideal), time(likely)
            if np.any(time_s < bound_s) or np.any(np.diff(bound_s) < 0) or np.any(np.diff(time_s) < 0):
                wrong.append(f"{name}, {words}: {bound_s}, {time_s}")
        if likely.spread.basis != "far":  # nobody measured one
            wrong.append(f"{name} is {likely.spread}")
    assert not wrong, "\n".join(wrong)


def test_a_step_moves_the_states_of_all_sequences_in_and_out():
    (kernel,) = (
        each.kernel
        for each in list_operators(PURE, SequenceGroup(sequences_count=8, context_tokens=100))
        if each.name == "recurrence"
    )
    matrices = 8 * 128 * 64 * 128 * 4
    assert kernel.read_bytes == matrices + 8 * (2 * 1024 + 8192 + 128) * 2
    assert kernel.written_bytes == matrices + 8 * 8192 * 2
    # One token: added to the state and read from it, and the product of its own key and query.
    assert kernel.flops == 8 * (128 * (4 * 64 * 128 + 2 * 64) + 2 * 8 * 128)


@pytest.mark.parametrize("kind", CHUNK_TOKENS)
def test_a_recurrence_is_linear_in_whole_chunks_and_cheaper_than_attention_in_the_long_run(kind):
    def count(tokens):
        sizes = {"key_heads_count": 8, "value_heads_count": 16, "key_elements": 128, "value_elements": 1}
        if kind != "mamba":
            sizes["value_elements"] = 64
        return count_recurrence(RecurrenceShape(kind=kind, new_tokens=tokens, **sizes))

    once, twice = count(4096), count(8192)
    assert twice.flops == pytest.approx(2 * once.flops)
    assert once.memory_bytes < twice.memory_bytes < 2 * once.memory_bytes  # the state is written once
    assert count(np.array([1, 7, 8192])).flops[2] == twice.flops


def test_layouts_split_recurrent_heads_and_repeat_keys():
    for ways, message in ((3, "do not divide 32 heads"), (256, "do not divide 32 heads")):
        with pytest.raises(ValueError, match=message):
            Layout(tensor_count=ways).check_divides(HYBRID)
    with pytest.raises(ValueError, match="do not divide 128 recurrent heads"):
        Layout(tensor_count=3).check_divides(PURE)
    with pytest.raises(ValueError, match="context_count must be 1 for recurrent layers, not 2"):
        Layout(context_count=2).check_divides(HYBRID)
    Layout(tensor_count=16).check_divides(PURE)  # more ways than 8 groups: each chip has a whole one


def test_services_reserve_the_states_of_all_sequences():
    requests = draw_requests(100.0, requests_count=64, prompt_tokens=512, output_tokens=16)
    for model in (PURE, HYBRID):
        assert simulate_serving(deploy(model, "l40s"), requests).output_tokens_per_s > 0
    deployment = deploy(HYBRID, "h100")
    # A common prefix spares keys and values, not states.
    shared = count_sharing_sequences(deployment, 1001, prefix_tokens=1000)
    free = deployment.free_bytes_per_chip - deployment.kv_bytes_per_chip(1000)
    assert shared == free // (HYBRID.state_bytes + HYBRID.kv_bytes(1))


def test_training_counts_recurrent_layers_as_what_they_are():
    plan = TrainingPlan(
        model=HYBRID,
        sequence_tokens=8192,
        batch_sequences_count=64,
        layout=Layout(tensor_count=8, data_count=4, sequence_parallel=True),
        recompute="full",
    )
    ideal, likely = (train_on_chip(plan, "h100", timing=timing) for timing in ("ideal", "calibrated"))
    assert ideal.time_s < likely.time_s
    assert likely.spread.basis == "far"
    assert 0.1 < likely.mfu_fraction < ideal.mfu_fraction <= 1
    products = 6 * HYBRID.parameters_count * plan.batch_tokens
    assert 0.9 * products < ideal.model_flops < 1.25 * products
    # Only four of 52 layers have scores to keep.
    kept, spared = (
        count_activation_bytes_per_layer(HYBRID, 8192, recompute=again) for again in ("none", "selective")
    )
    assert kept - spared == pytest.approx(4 / 52 * 5 * 32 * 8192**2)
    names = [each.name for each in list_operators(HYBRID, prefill(512))]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "mamba-3"}, "kind must be one of mamba, mamba-2, gated delta net, kimi delta attention"),
        ({"key_heads_count": 3}, "3 key heads do not divide 4 value heads"),
        ({"rank_elements": 8}, "rank_elements is 8, which mamba-2 cannot have"),
        ({"kind": "mamba", "rank_elements": 8}, "value_elements must be 1 for mamba, not 64"),
    ],
)
def test_impossible_recurrent_layers_are_refused(changes, message):
    sizes = {"layers_count": 1, "key_heads_count": 1, "value_heads_count": 4, "key_elements": 64}
    with pytest.raises(ValueError, match=message):
        RecurrentLayers(**{"kind": "mamba-2", "value_elements": 64, **sizes, **changes})

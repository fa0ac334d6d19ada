"""Models that are read from the `config.json` of their weights, against the catalogue's and nonsense."""

import json
from dataclasses import replace

import pytest

from diglot.hardware import load_model
from diglot.hardware.models.hugging_face import ConfigError, find_config, parse_config, read_config

LLAMA = {
    "model_type": "llama",
    "hidden_size": 8192,
    "intermediate_size": 28672,
    "num_attention_heads": 64,
    "num_hidden_layers": 80,
    "num_key_value_heads": 8,
    "tie_word_embeddings": False,
    "vocab_size": 128256,
}
PUBLISHED = {
    "llama-3-70b": LLAMA,
    "qwen-2.5-7b": {
        "model_type": "qwen2",
        "hidden_size": 3584,
        "intermediate_size": 18944,
        "num_attention_heads": 28,
        "num_hidden_layers": 28,
        "num_key_value_heads": 4,
        "sliding_window": 131072,
        "use_sliding_window": False,
        "tie_word_embeddings": False,
        "vocab_size": 152064,
    },
    "qwen-3-32b": {
        "model_type": "qwen3",
        "head_dim": 128,
        "hidden_size": 5120,
        "intermediate_size": 25600,
        "num_attention_heads": 64,
        "num_hidden_layers": 64,
        "num_key_value_heads": 8,
        "sliding_window": None,
        "tie_word_embeddings": False,
        "vocab_size": 151936,
    },
    "mixtral-8x7b": {
        "model_type": "mixtral",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_experts_per_tok": 2,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "num_local_experts": 8,
        "sliding_window": None,
        "tie_word_embeddings": False,
        "vocab_size": 32000,
    },
    "gemma-2-9b": {
        "model_type": "gemma2",
        "head_dim": 256,
        "hidden_size": 3584,
        "intermediate_size": 14336,
        "num_attention_heads": 16,
        "num_hidden_layers": 42,
        "num_key_value_heads": 8,
        "sliding_window": 4096,
        "vocab_size": 256000,
    },
    "deepseek-v3": {
        "model_type": "deepseek_v3",
        "first_k_dense_replace": 3,
        "hidden_size": 7168,
        "intermediate_size": 18432,
        "kv_lora_rank": 512,
        "moe_intermediate_size": 2048,
        "n_routed_experts": 256,
        "n_shared_experts": 1,
        "num_attention_heads": 128,
        "num_experts_per_tok": 8,
        "num_hidden_layers": 61,
        "num_key_value_heads": 128,
        "q_lora_rank": 1536,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "tie_word_embeddings": False,
        "v_head_dim": 128,
        "vocab_size": 129280,
        "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
    },
    "gpt-oss-120b": {
        "model_type": "gpt_oss",
        "attention_bias": True,
        "experts_per_token": 4,
        "head_dim": 64,
        "hidden_size": 2880,
        "intermediate_size": 2880,
        "layer_types": ["sliding_attention", "full_attention"] * 18,
        "num_attention_heads": 64,
        "num_hidden_layers": 36,
        "num_key_value_heads": 8,
        "num_local_experts": 128,
        "sliding_window": 128,
        "tie_word_embeddings": False,
        "vocab_size": 201088,
        "quantization_config": {"quant_method": "mxfp4"},
    },
    "bert-large": {
        "model_type": "bert",
        "hidden_size": 1024,
        "intermediate_size": 4096,
        "max_position_embeddings": 512,
        "num_attention_heads": 16,
        "num_hidden_layers": 24,
        "vocab_size": 30522,
    },
}
"""Sizes as the authors publish them with the weights, by the catalogue's id."""


def read(changes=None, **settings):
    return parse_config(json.dumps({**LLAMA, **(changes or {}), **settings}))


@pytest.mark.parametrize("id_", PUBLISHED)
def test_a_configuration_gives_the_sizes_of_the_catalogue(id_):
    model = parse_config(json.dumps(PUBLISHED[id_])).model
    known = load_model(id_)
    if known.latent is not None:
        assert model.latent == known.latent
        known = replace(known, head_elements=model.head_elements, kv_heads_count=model.kv_heads_count)
    if id_ == "gpt-oss-120b":  # its biases are counted apart in the catalogue
        model = replace(model, biases=known.biases)
    assert replace(model, name=known.name) == known


def test_published_precisions_are_told():
    assert parse_config(json.dumps(PUBLISHED["deepseek-v3"])).precisions == ("fp8",)
    assert parse_config(json.dumps(PUBLISHED["gpt-oss-120b"])).precisions == ("fp4", "w4a16")
    assert read().precisions == ("bf16",)
    assert read(quantization_config={"quant_method": "awq", "bits": 4}).precisions == ("w4a16",)
    assert read(quantization_config={"quant_method": "bitsandbytes", "load_in_4bit": True}).precisions == (
        "w4a16",
    )


FLOAT_4, FLOAT_8 = ({"num_bits": bits, "type": "float"} for bits in (4, 8))
INT_4, INT_8 = ({"num_bits": bits, "type": "int"} for bits in (4, 8))


@pytest.mark.parametrize("method", ["compressed-tensors", "modelopt"])
@pytest.mark.parametrize(
    ("groups", "precisions"),
    [
        ([(FLOAT_4, FLOAT_4)], ("fp4", "w4a16")),  # NVFP4
        ([(FLOAT_4, None)], ("fp4", "w4a16")),
        ([(FLOAT_8, FLOAT_8)], ("fp8",)),
        ([(FLOAT_8, None)], ("w8a16",)),
        ([(INT_8, INT_8)], ("int8",)),
        ([(INT_8, None)], ("w8a16",)),
        ([(INT_4, None)], ("w4a16",)),
        ([(INT_8, INT_8), (INT_8, INT_8)], ("int8",)),
    ],
)
def test_precisions_of_quantised_groups_are_told(method, groups, precisions):
    parts = {
        f"group_{number}": {"weights": weights, "input_activations": inputs, "targets": ["Linear"]}
        for number, (weights, inputs) in enumerate(groups)
    }
    config = read(quantization_config={"quant_method": method, "config_groups": parts})
    assert (config.precisions, config.notes) == (precisions, ())


@pytest.mark.parametrize(
    "quantised",
    [
        {"quant_method": "compressed-tensors"},
        {"quant_method": "modelopt", "config_groups": {}},
        {"quant_method": "modelopt", "config_groups": {"group_0": None}},
        {
            "quant_method": "modelopt",
            "config_groups": {"group_0": {"weights": {"num_bits": 3, "type": "int"}}},
        },
        {"quant_method": "modelopt", "config_groups": {"a": {"weights": INT_4}, "b": {"weights": INT_8}}},
        {
            "quant_method": "compressed-tensors",
            "config_groups": {"a": {"weights": INT_4, "input_activations": INT_8}},
        },
        {"quant_method": "gptq", "bits": 3},
        {"quant_method": "bitsandbytes"},
        {"quant_method": "quip"},
    ],
)
def test_a_quantisation_that_is_not_read_is_told(quantised):
    unread = read(quantization_config=quantised)
    assert unread.precisions == ("bf16",)
    assert f'"{quantised["quant_method"]}" is not read' in unread.notes[0]


MOE = {"num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": 768}


@pytest.mark.parametrize(
    ("settings", "field", "value"),
    [
        ({"model_type": "gemma3_text", "sliding_window": 1024}, "windowed_layers_count", 67),
        ({"model_type": "mistral", "sliding_window": 4096}, "windowed_layers_count", 80),
        ({"model_type": "mistral", "sliding_window": None}, "windowed_layers_count", 0),
        ({"attention_bias": True}, "biases", "qkv"),
        ({"model_type": "gemma", "tie_word_embeddings": None}, "tied_embeddings", True),
        ({"model_type": "gpt2", "n_embd": 1600, "n_head": 25, "intermediate_size": None, "hidden_size": None,
          "num_attention_heads": None, "num_key_value_heads": None, "n_positions": 1024},
         "feed_forward_elements", 6400),
    ],
)  # fmt: skip
def test_what_families_leave_out_is_known(settings, field, value):
    assert getattr(read(settings).model, field) == value


@pytest.mark.parametrize(
    ("settings", "field", "value"),
    [
        ({"model_type": "qwen3_moe", **MOE}, "dense_layers_count", 0),
        ({"model_type": "qwen2_moe", **MOE, "shared_expert_intermediate_size": 3072}, "shared_count", 4),
        ({"model_type": "qwen3_moe", **MOE, "mlp_only_layers": [0, 1]}, "dense_layers_count", 2),
        ({"model_type": "qwen3_moe", **MOE, "decoder_sparse_step": 2}, "dense_layers_count", 40),
        ({"model_type": "llama4_text", **MOE, "intermediate_size_mlp": 16384, "interleave_moe_layer_step": 2},
         "hidden_elements", 28672),
        ({"model_type": "glm_moe_dsa", **MOE, "mlp_layer_types": ["dense"] * 3 + ["sparse"] * 77},
         "dense_layers_count", 3),
    ],
)  # fmt: skip
def test_experts_are_read_as_each_family_writes_them(settings, field, value):
    assert getattr(read(settings).model.experts, field) == value


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"vocab_size": None}, 'no "vocab_size"'),
        ({"hidden_size": "8192"}, "\"hidden_size\" is '8192', not a whole number"),
        ({"num_attention_heads": 7}, "do not fit each other: 7 heads do not divide the width 8192"),
        ({"layer_types": ["full_attention", "linear_attention"]}, "not modelled (linear_attention)"),
        ({"model_type": "zamba2", "mamba_d_state": 16}, "not modelled (mamba_d_state)"),
        ({"model_type": "falcon_h1", "mamba_d_state": 16}, "recurrent layers are of bamba, falcon_mamba,"),
        ({"model_type": "jamba"}, 'no "mamba_dt_rank"'),
        (
            {"model_type": "nemotron_h", "hybrid_override_pattern": "M?"},
            "is 'M?', not a text of M, *, - and E",
        ),
        (
            {"model_type": "nemotron_h", "moe_latent_size": 1024},
            '"moe_latent_size" is 1024: experts in a narr',
        ),
        ({"model_type": "qwen3_next", "layer_types": ["mystery"]}, "not modelled (mystery)"),
        ({"is_encoder_decoder": True}, "an encoder and a decoder"),
        ({**MOE, "num_experts_per_tok": 200}, "experts do not fit each other: 200 active"),
        ({**MOE, "model_type": "qwen3_moe", "num_experts_per_tok": None}, 'no "num_experts_per_tok"'),
    ],
)
def test_what_is_not_modelled_or_makes_no_sense_is_an_error_that_names_the_key(settings, message):
    with pytest.raises(ConfigError) as caught:
        read(settings)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{", '"llama"', "[" * 100_000])
def test_files_that_are_no_configuration_are_refused(text):
    with pytest.raises(ConfigError):
        parse_config(text)


def test_an_unknown_family_is_read_as_a_llama_and_says_so():
    config = read(model_type="brand_new")
    assert config.model.parameters_count == load_model("llama-3-70b").parameters_count
    assert '"brand_new" is read as a llama' in config.notes[0]


def test_the_language_model_of_several_is_read_and_the_rest_is_told():
    config = parse_config(json.dumps({"model_type": "gemma3", "text_config": LLAMA}))
    assert config.model.layers_count == 80
    assert "Only its language model" in config.notes[0]


def test_a_model_is_found_by_its_path_its_folder_and_its_id_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    folder = tmp_path / "models--me--mine"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("abc")
    (folder / "snapshots" / "abc").mkdir(parents=True)
    (folder / "snapshots" / "abc" / "config.json").write_text(json.dumps(LLAMA))
    file = find_config("me/mine")
    assert read_config(file).model == replace(read_config(folder / "snapshots" / "abc").model)
    assert find_config(str(folder / "snapshots" / "abc")) is not None
    assert find_config("me/other") is None
    assert find_config("llama-3-70b") is None

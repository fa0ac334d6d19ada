"""Counts derived from the sizes of a model."""

import dataclasses
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import Experts, TransformerModel, load_model, load_models
from diglot.hardware.models.catalogue import MODELS_PATH, ModelsError, parse_models

MODELS = load_models()
LLAMA = load_model("llama-3-70b")
PINNED = re.compile(r"/[0-9a-f]{40}(/|$)")
"""An address that names a commit, so that its content never changes."""


@pytest.mark.parametrize("id_", MODELS)
def test_derived_parameters_are_those_that_the_authors_print(id_):
    """Within their rounding; BERT large has 335 M and is printed as 340 M."""
    sourced = MODELS[id_]
    assert sourced.model.parameters_count == pytest.approx(sourced.published_parameters_count, rel=0.015)


@pytest.mark.parametrize("id_", [id_ for id_ in MODELS if MODELS[id_].released])
def test_the_released_weights_have_exactly_as_many_numbers(id_):
    """As counted by others, in the files or after loading; what the sizes omit is stated separately."""
    released = MODELS[id_].released
    assert MODELS[id_].model.parameters_count + released.apart_parameters_count == released.parameters_count
    assert PINNED.search(released.source.url)


def test_what_gpt_oss_holds_apart_are_its_biases_and_attention_sinks():
    """Biases of both products of an expert, the router, queries, keys, values and output; a sink per head.

    Source: the parameters of `openai/gpt-oss`, gpt_oss/torch/model.py.
    """
    model = MODELS["gpt-oss-120b"].model
    experts, width = model.experts, model.width_elements
    inner = experts.routed_count * (2 * experts.hidden_elements + width) + experts.routed_count
    attention = (model.heads_count + 2 * model.kv_heads_count) * model.head_elements + width
    apart = model.layers_count * (inner + attention + model.heads_count)
    assert MODELS["gpt-oss-120b"].released.apart_parameters_count == apart


@pytest.mark.parametrize("id_", MODELS)
def test_every_model_names_its_publication_and_what_its_sizes_were_compared_with(id_):
    sourced = MODELS[id_]
    authors = ("https://arxiv.org/abs/", "https://ai.meta.com/", "https://huggingface.co/Qwen/")
    assert sourced.source.url.startswith(authors)
    assert sourced.checked_against
    for source in sourced.checked_against:
        assert source.url.startswith(("https://github.com/", "https://huggingface.co/"))
        assert PINNED.search(source.url)
        assert source.title
        assert source.as_of


@pytest.mark.parametrize("id_", [id_ for id_ in MODELS if MODELS[id_].published_active_parameters_count])
def test_a_token_uses_as_many_as_the_authors_print(id_):
    """With both embeddings, as DeepSeek counts, or without any, as GLM does."""
    sourced = MODELS[id_]
    model, expected = sourced.model, pytest.approx(sourced.published_active_parameters_count, rel=0.02)
    inner = model.active_parameters_count - model.embedding_parameters_count - model.head_parameters_count
    assert (inner if id_ == "glm-4.5" else model.active_parameters_count) == expected


def test_the_parts_of_a_dense_model_add_up():
    parts = (
        LLAMA.attention_parameters_count,
        LLAMA.feed_forward_parameters_count,
        LLAMA.embedding_parameters_count,
        LLAMA.head_parameters_count,
        LLAMA.norm_parameters_count,
    )
    assert sum(parts) == LLAMA.parameters_count == LLAMA.active_parameters_count


def test_llama_3_keeps_320_kib_for_each_token():
    """2 x 8 KV heads x 128 x 80 layers x 2 bytes."""
    assert LLAMA.kv_bytes_per_token() == 2 * 8 * 128 * 80 * 2 == 320 * 2**10
    assert LLAMA.kv_bytes(8192) == 8192 * LLAMA.kv_bytes_per_token()
    assert LLAMA.kv_bytes_per_token("int8") == LLAMA.kv_bytes_per_token() / 2


def test_latent_attention_keeps_70_kib_for_each_token():
    """512 + 64 elements in each of 61 layers: DeepSeek-AI, arXiv:2412.19437."""
    assert load_model("deepseek-v3").kv_bytes_per_token() == (512 + 64) * 61 * 2


def test_a_window_bounds_what_its_layers_keep():
    gemma = load_model("gemma-2-9b")
    short, full, longer = gemma.kv_bytes(np.array([4096, 8192, 8193]))
    assert short == 4096 * gemma.kv_bytes_per_token()
    assert full == pytest.approx(1.5 * short)
    assert longer - full == pytest.approx(gemma.kv_bytes_per_token() / 2)


def test_an_encoder_keeps_no_cache():
    with pytest.raises(ValueError, match="no KV cache"):
        load_model("bert-base").kv_bytes_per_token()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"heads_count": 48, "kv_heads_count": 8, "head_elements": 0}, "do not divide the width"),
        ({"kv_heads_count": 7}, "7 KV heads do not divide 64 heads"),
        ({"layers_count": 0}, "layers_count must be at least 1"),
        ({"width_elements": 1.5}, "must be a whole number"),
        ({"windowed_layers_count": 81, "window_tokens": 10}, "more layers with a window"),
        ({"window_tokens": 10}, "must be given together"),
        ({"kind": "diffuser"}, "kind must be one of"),
    ],
)
def test_what_cannot_be_a_model_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(LLAMA, **changes)


def test_more_experts_cannot_be_active_than_there_are():
    with pytest.raises(ValueError, match="9 active experts"):
        Experts(routed_count=8, active_count=9, hidden_elements=1)


@given(st.integers(1, 64), st.integers(1, 16), st.integers(1, 8), st.integers(1, 4096))
def test_one_more_layer_adds_a_layers_parameters(layers, heads, head, inner):
    def build(count):
        return TransformerModel(
            layers_count=count,
            width_elements=heads * head,
            heads_count=heads,
            feed_forward_elements=inner,
            vocabulary_count=100,
        )

    width = heads * head
    added = build(layers + 1).parameters_count - build(layers).parameters_count
    assert added == 4 * width**2 + 3 * width * inner + 2 * width


def test_a_model_is_found_by_the_name_of_one_with_the_same_sizes():
    assert load_model("llama-3.3-70b") is load_model("llama-3-70b")


def test_an_unknown_model_names_those_there_are():
    with pytest.raises(KeyError, match="llama-3-70b"):
        load_model("llama-9")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "kv_heads: 4, feed_forward: 18944",
            "kv_heads: 5, feed_forward: 18944",
            "qwen-2.5-7b.id: 5 KV heads do not divide 28 heads",
        ),
        ("kind: mamba-2", "kind: mamba-3", '"mamba-3" is not known'),
        (
            "layers: 28, width: 3584",
            "layers: many, width: 3584",
            'qwen-2.5-7b.layers: must be a number, not "many"',
        ),
        ("layers: 28, width: 3584", "layres: 28, width: 3584", 'unknown key; did you mean "layers"?'),
        (
            "source: qwen25, checked: [litgpt, maxtext]",
            "source: qwen, checked: [litgpt, maxtext]",
            '"qwen" is not known',
        ),
        (
            "source: qwen25, checked: [litgpt, maxtext]",
            "source: qwen25, checked: [litgtp]",
            '"litgtp" is not known; known: llama2',
        ),
        ("source: qwen25, checked: [litgpt, maxtext]", "source: qwen25", "does not name a configuration"),
        ("apart: 40108032, source: keras", "apart: 40108032, source: kears", '"kears" is not known'),
        ("id: qwen-2.5-72b", "id: qwen-2.5-7b", "is defined more than once"),
        ("schema: models/1", "schema: models/2", "not known"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_place(old, new, message):
    text = MODELS_PATH.read_text(encoding="utf-8")
    assert text.count(old) == 1
    with pytest.raises(ModelsError) as error:
        parse_models(text.replace(old, new))
    assert message in str(error.value)
    assert str(error.value).startswith("models.yaml:")

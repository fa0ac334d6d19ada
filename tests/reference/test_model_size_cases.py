"""Parameters, caches and memory that others worked out for models.

Sources: J. Austin et al., "How to Scale Your Model", parts 4 to 8 and 12; V. Korthikanti et al., "Reducing
Activation Recomputation in Large Transformer Models", figure 1 (values as Calculon's validation has them).
"""

import pytest

from diglot.hardware import (
    Layout,
    Pipeline,
    TrainingPlan,
    TransformerModel,
    count_activation_bytes_per_layer,
    count_checkpoint_bytes,
    count_chips_for,
    count_fitting_sequences,
    list_operators,
    prefill,
    sum_flops,
)
from tests.reference.published import expect, list_group, read_inputs

GIB = 2**30


def build(inputs, **changes):
    """The book's letters: L layers, D width, F inner width, N heads, K KV heads, H head, V vocabulary."""
    return TransformerModel(
        layers_count=inputs["L"],
        width_elements=inputs["D"],
        feed_forward_elements=inputs["F"],
        vocabulary_count=inputs["V"],
        **{"heads_count": inputs.get("N"), "kv_heads_count": inputs.get("K", 0)}
        | {"head_elements": inputs.get("H", 0)}
        | changes,
    )


def test_part_4_question_1_parameters_of_a_model():
    id_ = "sb-tr-params-q1"
    model = build(read_inputs(id_), heads_count=32)  # heads x head = D, as given; how many does not matter
    assert model.parameters_count == expect(id_, "params")
    layers = model.attention_parameters_count + model.feed_forward_parameters_count
    assert model.attention_parameters_count / layers == expect(id_, "attention_fraction")


def test_part_4_attention_scores_against_matrix_products():
    """Over a whole square: an encoder's, as the book does not halve it."""
    id_ = "sb-tr-attn-ratio"
    inputs = read_inputs(id_)
    width = inputs["D"]
    model = TransformerModel(
        kind="encoder",
        layers_count=1,
        width_elements=width,
        heads_count=64,
        feed_forward_elements=4 * width,
        vocabulary_count=1,
    )
    operators = [
        o for o in list_operators(model, prefill(inputs["T"])) if o.on_matrix_units and o.part != "head"
    ]
    (scores,) = [operator for operator in operators if operator.name == "attention"]
    assert scores.flops / (sum_flops(operators) - scores.flops) == expect(id_, "ratio")


def test_part_5_question_1_parameters_of_13b():
    id_ = "sb-train-13b-params"
    model = build(read_inputs(id_))
    assert model.feed_forward_parameters_count == expect(id_, "ffw")
    assert model.attention_parameters_count == expect(id_, "attention")
    assert model.parameters_count == expect(id_, "total")


def test_part_6_parameters_of_llama_3_70b():
    id_ = "sb-l3-params"
    model = build(read_inputs(id_))
    assert model.feed_forward_parameters_count == expect(id_, "ffw")
    assert model.embedding_parameters_count + model.head_parameters_count == expect(id_, "vocab")
    assert model.attention_parameters_count == expect(id_, "attention")
    assert model.parameters_count == expect(id_, "total")


def test_part_7_question_1_parameters_and_cache():
    id_ = "sb-inf-q1"
    model = build(read_inputs(id_), tied_embeddings=True)
    assert model.parameters_count == expect(id_, "params")
    assert model.kv_bytes_per_token("int8") == expect(id_, "kv_bytes_per_token")


def test_part_7_cache_of_llama_2_13b():
    id_ = "sb-inf-13b-kv"
    inputs = read_inputs(id_)
    model = build({**inputs, "D": 5120, "F": 13824, "V": 32000, "N": inputs["K"]})
    assert model.kv_bytes(inputs["T"], inputs["dtype"]) == expect(id_, "bytes", unit=1e9)


def test_part_8_cache_of_llama_3_70b():
    id_ = "sb-serve-kv"
    inputs = read_inputs(id_)
    model = build({**inputs, "D": 8192, "F": 28672, "V": 128256, "N": 64})
    sequence = model.kv_bytes(inputs["context"], inputs["dtype"])
    assert model.kv_bytes_per_token(inputs["dtype"]) == expect(id_, "bytes_per_token")
    assert sequence == expect(id_, "bytes_per_sequence", unit=1e9)
    assert sequence * inputs["batch"] == expect(id_, "batch_total", unit=1e12)


def find_training_bytes(inputs):
    """Weights in bf16, two moments in fp32, and four arrays of tokens x width kept per layer."""
    checkpoints = count_checkpoint_bytes(
        inputs["batch_tokens"], inputs["D"], inputs["L"], per_layer_count=inputs["checkpoints_per_layer"]
    )
    return 2 * inputs["params"], 8 * inputs["params"], checkpoints


def test_part_6_memory_of_training_llama_3_70b():
    id_ = "sb-l3-memory"
    inputs = read_inputs(id_)
    weights, optimizer, checkpoints = find_training_bytes(inputs)
    total = weights + optimizer + checkpoints
    assert weights == expect(id_, "params", unit=1e9)
    assert optimizer == expect(id_, "optimizer", unit=1e9)
    assert checkpoints == expect(id_, "checkpoints", unit=1e12)
    assert total == expect(id_, "total", unit=1e12)
    assert count_chips_for(total, memory_bytes=inputs["hbm_gb"] * 1e9) == expect(id_, "chips")


def test_part_6_memory_of_one_chip_of_8960():
    id_ = "sb-l3-hbm-per-chip"
    total = sum(find_training_bytes(read_inputs("sb-l3-memory")))
    assert total / read_inputs(id_)["chips"] == expect(id_, "per_chip", unit=1e9)


def test_part_12_quiz_5_gpus_that_hold_llama_3_70b():
    id_ = "sb-gpu-l3-gpus"
    inputs = read_inputs(id_)
    needed = inputs["params"] * inputs["bytes_per_param"]
    assert needed == expect(id_, "bytes", unit=1e9)
    assert count_chips_for(needed, memory_bytes=inputs["hbm_gb"] * 1e9) == expect(id_, "gpus")


def test_part_8_what_fits_on_a_slice_in_bf16():
    """The book prints chips unrounded."""
    id_ = "sb-serve-fit-bf16"
    inputs = read_inputs(id_)
    weights, memory = 2 * inputs["params"], inputs["hbm_gb"] * 1e9
    assert weights == expect(id_, "params", unit=1e9)
    assert weights / memory == expect(id_, "min_chips")
    assert count_chips_for(weights, memory_bytes=memory) == 9
    total = memory * inputs["slice_chips"]
    assert total - weights == expect(id_, "free_hbm", unit=1e9)
    sequences = count_fitting_sequences(
        total, weights_bytes=weights, kv_bytes_per_sequence=inputs["kv_bytes_per_token"] * inputs["context"]
    )
    assert sequences == expect(id_, "sequences")


@pytest.mark.parametrize("id_", list_group("seqpar-mem"))
def test_activations_and_state_of_megatrons_models(id_):
    """The paper counts 12 L h^2 parameters: neither embeddings nor norms and biases."""
    inputs = read_inputs(id_)
    model = TransformerModel(
        layers_count=inputs["layers"],
        width_elements=inputs["hidden"],
        heads_count=inputs["heads"],
        feed_forward_elements=4 * inputs["hidden"],
        gated=False,
        vocabulary_count=1,
    )
    stages, ways = inputs["pipeline_parallel"], inputs["tensor_parallel"]

    def plan(sequence_parallel=False, **changes):
        return TrainingPlan(
            model=model,
            sequence_tokens=inputs["sequence"],
            batch_sequences_count=inputs["microbatch"] * stages,
            microbatch_sequences_count=inputs["microbatch"],
            layout=Layout(tensor_count=ways, pipeline_count=stages, sequence_parallel=sequence_parallel),
            pipeline=Pipeline(interleave_count=inputs["interleave"]),
            attention="materialised",
            **changes,
        ).estimate_memory()

    baseline = plan()
    selective = plan(sequence_parallel=True, recompute="selective")
    assert baseline.activation_bytes == expect(id_, "activations_baseline", unit=GIB)
    assert selective.activation_bytes == expect(id_, "activations_sequence_parallel_selective", unit=GIB)
    assert baseline.state_bytes == expect(id_, "parameters_and_optimizer", unit=GIB)
    layer = count_activation_bytes_per_layer(
        model, inputs["sequence"], sequences_count=inputs["microbatch"], tensor_count=ways
    )
    assert layer * inputs["layers"] == pytest.approx(baseline.activation_bytes)

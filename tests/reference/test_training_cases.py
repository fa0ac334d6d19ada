"""Utilisation, training time and limits of parallel layouts that others worked out or measured.

Sources: J. Austin et al., "How to Scale Your Model", parts 4, 5, 6, 8 and 12; Llama 3 and its model cards;
H. Touvron et al., "LLaMA"; V. Korthikanti et al., "Reducing Activation Recomputation in Large Transformer
Models".

`llama3-405b-131k` names no layout. The paper's has context parallelism, for which the library has no axis;
held here is only that an ideal step on as many chips, without it, is used better than measured.
"""

import pytest

from diglot.hardware import (
    Layout,
    Ring,
    TrainingPlan,
    TransformerModel,
    count_training_step_flops,
    estimate_training_flops,
    estimate_training_step,
    estimate_training_time_s,
    find_best_data_parallel_ways,
    find_data_parallel_limit_tokens,
    find_decode_tensor_limit_ways,
    find_least_batch_tokens,
    find_mfu_fraction,
    find_mixed_limit_tokens,
    find_moe_critical_tokens,
    find_network_ridge_flops_per_byte,
    find_tokens_per_chip,
    load_catalogue,
    load_model,
)
from tests.reference.published import expect, find_value, list_group, read_inputs

YEAR_S = 365.25 * 24 * 3600


@pytest.mark.parametrize(
    ("id_", "name", "parameters", "peak"),
    [
        ("sb-tr-dsv3-mfu", "mfu", "active_params", "peak_flops_per_s"),
        ("llama3-70b-hours", "implied_mfu", "params", "peak"),
        ("llama1-7B", "implied_mfu", "params", "peak"),
        ("llama1-33B", "implied_mfu", "params", "peak"),
    ],
)
def test_utilisation_from_the_hours_that_a_training_took(id_, name, parameters, peak):
    inputs = read_inputs(id_)
    flops = estimate_training_flops(inputs[parameters], inputs["tokens"])
    mfu = find_mfu_fraction(flops, chip_s=inputs["gpu_hours"] * 3600, peak_flops_per_s=inputs[peak])
    assert mfu == expect(id_, name)


def test_utilisation_of_llama_1_from_its_rate():
    id_ = "llama1-65b-rate"
    inputs = read_inputs(id_)
    flops = estimate_training_flops(inputs["params"], inputs["tokens_per_s_per_gpu"])
    assert find_mfu_fraction(flops, chip_s=1, peak_flops_per_s=inputs["peak"]) == expect(id_, "mfu")


def test_utilisation_of_llama_3_from_its_rate():
    id_ = "llama3-405b-8192"
    inputs = read_inputs(id_)
    rate, peak = inputs["tflops_per_gpu"] * 1e12, load_catalogue()[inputs["chip"]].peak_flops_per_s("bf16")
    assert find_mfu_fraction(rate, chip_s=1, peak_flops_per_s=peak) == expect(id_, "mfu")


def test_the_ideal_utilisation_of_llama_3_at_long_context_is_no_lower_than_measured():
    id_ = "llama3-405b-131k"
    inputs = read_inputs(id_)
    chip = load_catalogue()[inputs["chip"]]
    plan = TrainingPlan(
        model=load_model("llama-3-405b"),
        sequence_tokens=inputs["sequence"],
        batch_sequences_count=128 * 128,
        layout=Layout(tensor_count=8, pipeline_count=16, data_count=128),
    )
    step = estimate_training_step(
        plan,
        roofline=chip.roofline("bf16"),
        tensor_interconnect=Ring(bandwidth_bytes_per_s=chip.interconnect_bytes_per_s),
        data_interconnect=Ring(bandwidth_bytes_per_s=50e9),
    )
    assert plan.layout.chips_count == inputs["gpus"]
    assert find_value(id_, "mfu") < step.mfu_fraction < 1


@pytest.mark.parametrize("id_", list_group("seqpar"))
def test_utilisation_of_megatrons_models(id_):
    inputs = read_inputs(id_)
    model = TransformerModel(
        layers_count=inputs["layers"],
        width_elements=inputs["hidden"],
        heads_count=inputs["heads"],
        feed_forward_elements=4 * inputs["hidden"],
        gated=False,
        vocabulary_count=inputs["vocabulary"],
    )
    flops = count_training_step_flops(
        model, inputs["sequence"], sequences_count=inputs["batch"], causal=False
    )
    for recompute in ("full", "selective"):
        chip_s = inputs["gpus"] * inputs[f"step_{recompute}{'_recompute' if recompute == 'full' else ''}_s"]
        mfu = find_mfu_fraction(flops, chip_s=chip_s, peak_flops_per_s=inputs["peak"])
        assert mfu == expect(id_, f"implied_mfu_{recompute}")


def test_what_selective_recomputation_gains():
    """The same model FLOPs at two utilisations: the ratio of the step times."""
    id_ = "seqpar-530b-abstract"
    inputs = read_inputs(id_)
    full_s, selective_s = (
        estimate_training_time_s(
            estimate_training_flops(inputs["params"], 2048),
            chips_count=inputs["gpus"],
            peak_flops_per_s=load_catalogue()[inputs["chip"]].peak_flops_per_s("bf16"),
            mfu_fraction=find_value(id_, f"mfu_{recompute}"),
        )
        for recompute in ("full", "selective")
    )
    assert full_s / selective_s == expect(id_, "speedup")


def test_part_5_question_3_3_time_of_a_step():
    id_ = "sb-train-13b-step"
    inputs = read_inputs(id_)
    step_s = estimate_training_time_s(
        estimate_training_flops(inputs["params"], inputs["tokens"]),
        chips_count=inputs["chips"],
        peak_flops_per_s=inputs["peak_flops_per_s"],
        mfu_fraction=inputs["mfu"],
    )
    assert step_s == expect(id_, "step")


def test_part_6_training_llama_3_70b_on_one_chip():
    id_ = "sb-l3-total"
    inputs = read_inputs(id_)
    flops = estimate_training_flops(inputs["params"], inputs["tokens"])
    time_s = estimate_training_time_s(flops, chips_count=1, peak_flops_per_s=inputs["peak_flops_per_s"])
    assert flops == expect(id_, "flops")
    assert time_s / YEAR_S == expect(id_, "one_chip")


def test_part_4_question_8_tokens_that_fill_experts():
    id_ = "sb-tr-moe-crit"
    inputs = read_inputs(id_)
    tokens = find_moe_critical_tokens(
        inputs["ridge"], experts_count=inputs["E"], active_count=inputs["k"], weight_dtype=inputs["weights"]
    )
    assert tokens == expect(id_, "critical_batch")


def test_part_5_tokens_per_chip_for_sharded_weights_on_three_axes():
    id_ = "sb-train-fsdp-3axes"
    inputs = read_inputs(id_)
    tokens = find_data_parallel_limit_tokens(inputs["ridge_ici"], axes_count=inputs["axes"])
    assert tokens == expect(id_, "tokens_per_chip")


def test_part_5_question_3_2_least_batch_of_a_slice():
    id_ = "sb-train-fsdp-min-batch"
    inputs = read_inputs(id_)
    assert find_least_batch_tokens(inputs["tokens_per_chip"], inputs["chips"]) == expect(id_, "min_batch")


def test_part_5_question_3_3_best_split_of_a_slice():
    id_ = "sb-train-13b-xopt"
    inputs = read_inputs(id_)
    ways = find_best_data_parallel_ways(
        inputs["B"],
        inputs["F"],
        inputs["N"],
        data_axes_count=inputs["axes_fsdp"],
        tensor_axes_count=inputs["axes_tp"],
    )
    assert ways == expect(id_, "x_opt")


def test_part_6_tokens_per_chip_for_mixed_parallelism():
    id_ = "sb-l3-mixed-limit"
    inputs = read_inputs(id_)
    assert find_mixed_limit_tokens(inputs["F"], inputs["ridge_ici"]) == expect(id_, "tokens_per_chip")


def test_part_8_tensor_parallel_ways_of_a_small_batch():
    id_ = "sb-serve-tp-small-batch"
    inputs = read_inputs(id_)
    ways = find_decode_tensor_limit_ways(inputs["F"], inputs["batch"], memory_to_network_ratio=inputs["beta"])
    assert ways == expect(id_, "ways")


@pytest.mark.parametrize(("name", "egress"), [("inside_node", "egress"), ("beyond_node", "node_egress")])
def test_part_12_quiz_5_tokens_per_b200(name, egress):
    id_ = "sb-gpu-tp-b200"
    inputs = read_inputs(id_)
    ridge = find_network_ridge_flops_per_byte(
        peak_flops_per_s=inputs["peak"], bandwidth_bytes_per_s=inputs[egress]
    )
    assert find_data_parallel_limit_tokens(ridge) == expect(id_, name)


def test_part_12_quiz_5_tokens_per_gpu_of_llama_3():
    id_ = "sb-gpu-l3-zero3"
    inputs = read_inputs(id_)
    assert find_tokens_per_chip(inputs["batch"], inputs["gpus"]) == expect(id_, "tokens_per_gpu")


@pytest.mark.parametrize("id_", ["sb-gpu-megatron-16B", "sb-gpu-megatron-70B"])
def test_part_12_quiz_5_tokens_per_gpu_of_megatron(id_):
    inputs = read_inputs(id_)
    batch_tokens = inputs["batch_sequences"] * inputs["sequence"]
    assert find_tokens_per_chip(batch_tokens, inputs["gpus"]) == expect(id_, "tokens_per_gpu")

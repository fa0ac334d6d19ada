"""FLOPs, utilisation, memory and time of training, and the batches that layouts need."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    Formats,
    Layout,
    Pipeline,
    Ring,
    TrainingPlan,
    TrainingState,
    count_activation_bytes_per_layer,
    count_checkpoint_bytes,
    count_chips_for,
    count_recomputed_flops,
    count_training_step_flops,
    estimate_training_flops,
    estimate_training_step,
    estimate_training_time_s,
    find_best_data_parallel_ways,
    find_data_parallel_limit_tokens,
    find_decode_tensor_limit_ways,
    find_mfu_fraction,
    find_mixed_limit_tokens,
    find_moe_critical_tokens,
    find_network_ridge_flops_per_byte,
    find_tensor_parallel_limit_ways,
    load_catalogue,
    load_model,
    load_models,
    train_on_chip,
)
from diglot.hardware.serving.deployment import derate
from diglot.hardware.training.flops import count_forward_flops
from diglot.hardware.validation.answers import find_roomy_chip

CHIPS = load_catalogue()
H100 = CHIPS["h100-sxm"]
SMALL, LARGE = load_model("llama-3-8b"), load_model("llama-3-70b")
INSTANT = Ring(bandwidth_bytes_per_s=1e30)


def plan_large(**changes):
    fields = {
        "model": LARGE,
        "sequence_tokens": 4096,
        "batch_sequences_count": 512,
        "layout": Layout(tensor_count=8, pipeline_count=4, data_count=16),
        "recompute": "selective",
        "state": TrainingState(sharded="parameters"),
        **changes,
    }
    fields["layout"] = dataclasses.replace(fields["layout"], sequence_parallel=True)
    return TrainingPlan(**fields)


def estimate(plan, links=INSTANT, roofline=None):
    return estimate_training_step(plan, roofline=roofline or H100.roofline("bf16"), tensor_interconnect=links)


def test_six_flops_for_each_parameter_and_token():
    assert estimate_training_flops(70e9, 15e12) == 6.3e24


KNOWN = {id_: each.model for id_, each in load_models().items() if id_.startswith(("llama", "qwen"))}


@pytest.mark.parametrize("id_", [id_ for id_, model in KNOWN.items() if model.recurrent is None])
def test_a_short_sequence_costs_about_six_per_parameter_and_token(id_):
    model = load_model(id_)
    looked_up = model.embedding_parameters_count
    exact = count_training_step_flops(model, 16)
    used = model.active_parameters_count - looked_up
    assert exact == pytest.approx(estimate_training_flops(used, 16), rel=2e-3)


def test_a_causal_square_is_half_of_the_whole():
    tokens = 4096
    whole, half = (count_forward_flops(SMALL, tokens, causal=causal) for causal in (False, True))
    assert whole - half == 32 * 32 * 4 * 128 * tokens * (tokens - 1) / 2


def test_an_encoder_has_no_mask_to_ignore():
    bert = load_model("bert-large")
    assert count_forward_flops(bert, 512) == count_forward_flops(bert, 512, causal=False)


def test_utilisation_and_time_are_inverse():
    flops = estimate_training_flops(8e9, 1e12)
    time_s = estimate_training_time_s(flops, chips_count=64, peak_flops_per_s=1e15, mfu_fraction=0.4)
    assert find_mfu_fraction(flops, chip_s=64 * time_s, peak_flops_per_s=1e15) == pytest.approx(0.4)


def test_more_than_the_peak_is_refused():
    with pytest.raises(ValueError, match=r"would be 2 of the peak"):
        find_mfu_fraction(2e15, chip_s=1, peak_flops_per_s=1e15)


@pytest.mark.parametrize("mfu", [0, 1.1, -1, math.nan])
def test_an_impossible_utilisation_is_refused(mfu):
    with pytest.raises(ValueError, match="mfu_fraction"):
        estimate_training_time_s(1e20, chips_count=1, peak_flops_per_s=1e15, mfu_fraction=mfu)


def test_adam_keeps_18_bytes_for_each_parameter_of_one_chip():
    plan = TrainingPlan(model=SMALL, sequence_tokens=1, batch_sequences_count=1, layout=Layout())
    assert plan.estimate_memory().state_bytes == 18 * SMALL.parameters_count


def test_sharded_state_is_spread_over_all_chips():
    plan = plan_large()
    assert plan.estimate_memory().state_bytes == pytest.approx(18 * LARGE.parameters_count / 512)
    whole = dataclasses.replace(plan, state=TrainingState()).estimate_memory()
    assert whole.state_bytes == pytest.approx(16 * plan.estimate_memory().state_bytes)


def test_activations_fall_with_what_is_computed_again():
    none, selective, full = (
        plan_large(recompute=recompute, attention="materialised").estimate_memory().activation_bytes
        for recompute in ("none", "selective", "full")
    )
    assert none > selective > full
    assert full / selective == pytest.approx(2 / 34)


def test_flash_attention_keeps_no_scores():
    flash, selective = (
        plan_large(recompute=recompute).estimate_memory() for recompute in ("none", "selective")
    )
    assert flash.activation_bytes == selective.activation_bytes


def test_the_first_stage_keeps_no_more_than_all_layers_once():
    """As many microbatches as stages are in flight, so pipelining saves no activation memory."""
    one = plan_large(layout=Layout(tensor_count=8, data_count=16)).estimate_memory()
    four = plan_large().estimate_memory()
    assert four.activation_bytes == pytest.approx(one.activation_bytes)


def test_interleaving_keeps_more_and_idles_less():
    plain, woven = plan_large(), plan_large(pipeline=Pipeline(interleave_count=4))
    assert estimate(woven).pipeline_bubble_s == pytest.approx(estimate(plain).pipeline_bubble_s / 4)
    ratio = woven.estimate_memory().activation_bytes / plain.estimate_memory().activation_bytes
    assert ratio == pytest.approx(1 + 3 / 16)


def test_one_array_for_each_layer_by_hand():
    assert count_checkpoint_bytes(1000, 4096, 32) == 2 * 1000 * 4096 * 32


def test_a_layer_without_parallelism_keeps_34_bytes_and_the_scores():
    """V. Korthikanti et al., arXiv:2205.05198, equation 1."""
    kept = count_activation_bytes_per_layer(SMALL, 2048, sequences_count=2)
    assert kept == 2048 * 2 * 4096 * (34 + 5 * 32 * 2048 / 4096)


def test_chips_are_counted_up():
    assert [count_chips_for(size, memory_bytes=80e9) for size in (1, 80e9, 80.1e9)] == [1, 1, 2]


def test_the_parts_of_a_step_add_up_to_its_utilisation():
    links = Ring(bandwidth_bytes_per_s=450e9)
    plan = plan_large()
    step = estimate(plan, links)
    assert step.mfu_fraction == pytest.approx(step.model_flops / (step.time_s * 512 * 989.4e12))
    assert 0.3 < step.mfu_fraction < 1
    assert step.pipeline_bubble_s == pytest.approx(3 / 32 * (step.compute_s + step.tensor_communication_s))


def test_utilisation_is_of_the_chips_own_peak_where_its_roofs_are_lowered():
    own = H100.roofline("bf16")
    plan = TrainingPlan(model=SMALL, sequence_tokens=8192, batch_sequences_count=8, layout=Layout())
    whole, tenth = (
        estimate_training_step(plan, roofline=roofline, tensor_interconnect=INSTANT)
        for roofline in (own, derate(derate(own, compute_fraction=0.2), compute_fraction=0.5))
    )
    assert tenth.mfu_fraction == pytest.approx(whole.mfu_fraction * whole.time_s / tenth.time_s)
    assert tenth.mfu_fraction < 0.1


def test_an_ideal_step_of_long_rows_is_nearly_all_arithmetic():
    plan = plan_large(layout=Layout(data_count=512), recompute="none", batch_sequences_count=512)
    assert estimate(plan).mfu_fraction == pytest.approx(1, abs=0.08)


def test_full_recomputation_takes_a_fourth_pass_through_all_layers():
    none, full = (
        estimate(plan_large(recompute=recompute, layout=Layout(data_count=512))).compute_s
        for recompute in ("none", "full")
    )
    head = LARGE.head_parameters_count / LARGE.parameters_count
    assert 4 / 3 - head < full / none < 4 / 3


def test_gradients_are_hidden_until_the_network_is_slow():
    plan = plan_large(layout=Layout(data_count=512))
    times = [
        estimate_training_step(
            plan,
            roofline=H100.roofline("bf16"),
            tensor_interconnect=INSTANT,
            data_interconnect=Ring(bandwidth_bytes_per_s=rate),
        ).data_communication_s
        for rate in (1e12, 1e9)
    ]
    assert times[0] == 0 < times[1]


def test_gradients_by_hand():
    """All-reduce of 16-bit gradients of all parameters; if sharded, one pass of gradients, two of weights."""
    rate = 1e6  # slow enough that hardly anything is hidden
    for sharded, passes in (("nothing", 2), ("optimiser", 2), ("gradients", 2), ("parameters", 3)):
        plan = plan_large(layout=Layout(data_count=512), state=TrainingState(sharded=sharded))
        step = estimate(plan, Ring(bandwidth_bytes_per_s=rate))
        expected = passes * 511 / 512 * 2 * LARGE.parameters_count / rate
        assert step.data_communication_s == pytest.approx(expected, rel=1e-3)


def test_a_layer_adds_up_its_halves_four_times_and_again_where_it_is_computed_again():
    rate = 450e9
    message = 4096 * 8192 * 2 * 2 * 7 / 8 / rate
    for recompute, all_reduces in (("selective", 4), ("full", 6)):
        plan = plan_large(layout=Layout(tensor_count=8, data_count=64), recompute=recompute)
        step = estimate(plan, Ring(bandwidth_bytes_per_s=rate))
        assert step.tensor_communication_s == pytest.approx(all_reduces * 80 * 8 * message)


def test_expert_ways_hold_their_share_of_the_experts():
    model = load_model("mixtral-8x7b")
    experts = model.expert_layers_count * 8 * model.expert_parameters_count
    one, eight = (
        plan_large(model=model, layout=Layout(expert_count=ways)).parameters_per_chip_count for ways in (1, 8)
    )
    assert one == model.parameters_count
    assert one - eight == pytest.approx(experts * 7 / 8)


def test_experts_exchange_tokens_and_share_only_what_is_no_expert():
    model, rate = load_model("mixtral-8x7b"), 1e6
    plan = plan_large(model=model, layout=Layout(expert_count=8), state=TrainingState(), recompute="none")
    step = estimate(plan, Ring(bandwidth_bytes_per_s=rate))
    # Each token once to the chips of its two experts, which are the same one in eight times.
    message = 4096 * 4096 * 2 * (2 - 1 / 8)
    assert step.expert_communication_s == pytest.approx(4 * 32 * 64 * message * 7 / 8 / rate)
    shared = plan.parameters_per_chip_count - plan.routed_parameters_per_chip_count
    # The backward pass is a little more than twice the forward one, whose attention it computes again.
    expected = 2 * 7 / 8 * 2 * shared / rate - 2 / 3 * step.compute_s
    assert step.data_communication_s == pytest.approx(expected, rel=1e-4)
    assert estimate(plan_large(), Ring(bandwidth_bytes_per_s=rate)).expert_communication_s == 0


def test_attention_goes_backward_in_two_and_a_half_times_its_arithmetic():
    """Of the compute, 3 x the products with weights, and 3.5 x attention, which computes its scores again."""
    plan = plan_large(recompute="none", sequence_tokens=65536, layout=Layout(data_count=8))
    roofline = dataclasses.replace(H100.roofline("bf16"), memory_bandwidth_bytes_per_s=1e18)
    flops = count_training_step_flops(LARGE, 65536, sequences_count=512)
    scores = count_recomputed_flops(LARGE, 65536, sequences_count=512, recompute="selective")
    expected = (flops + 0.5 * scores) / 8 / roofline.peak_flops_per_s
    assert estimate(plan, roofline=roofline).compute_s == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("chip", ["h100-sxm", "b200-sxm"])
def test_in_narrow_training_attention_stays_wide(chip):
    """Its share of a long step is no quicker in 8 bits, and that of a short one less than twice as quick."""

    def ratio(tokens):
        plans = [
            plan_large(recompute="full", sequence_tokens=tokens, formats=Formats(arithmetic=arithmetic))
            for arithmetic in ("bf16", "fp8")
        ]
        wide, narrow = (
            train_on_chip(each, find_roomy_chip(chip), timing="calibrated").time_s for each in plans
        )
        return wide / narrow

    assert 1 < ratio(2**17) < 1.2 < ratio(2**12) < 2


def test_kernels_for_older_instructions_are_slower_on_new_chips_alone():
    for chip, slower in (("a100-80", False), ("h100-sxm", True), ("b200-sxm", True), ("tpu-v5p", False)):
        layout = Layout(data_count=8)
        own, older = (
            train_on_chip(
                plan_large(attention=form, sequence_tokens=2**15, layout=layout, recompute="full"),
                find_roomy_chip(chip),
                timing="calibrated",
            ).time_s
            for form in ("flash", "flash-2")
        )
        assert (older > 1.1 * own) == slower, chip


def test_a_share_of_the_layers_may_be_recomputed():
    layout = Layout(data_count=8)
    whole, half, none = (
        plan_large(recompute="full", recomputed_fraction=fraction, layout=layout) for fraction in (1, 0.5, 0)
    )
    times = [estimate(each).compute_s for each in (whole, half, none)]
    memory = [each.estimate_memory().activation_bytes for each in (whole, half, none)]
    assert times[1] == pytest.approx((times[0] + times[2]) / 2)
    assert memory[1] == pytest.approx((memory[0] + memory[2]) / 2)
    plain = plan_large(recompute="none", layout=layout)
    assert (times[2], memory[2]) == (estimate(plain).compute_s, plain.estimate_memory().activation_bytes)


def test_inputs_on_the_host_leave_two_layers_on_the_chip_and_hide_behind_them():
    kept, quick, slow = (plan_large(recompute="full", offload_bytes_per_s=rate) for rate in (None, 50e9, 1e9))
    in_flight = 4 * 20  # stages, and layers of one
    memory = [each.estimate_memory().activation_bytes for each in (kept, quick)]
    assert memory[1] == pytest.approx(2 / in_flight * memory[0])
    assert estimate(quick).host_communication_s == 0 == estimate(kept).host_communication_s
    moved_s = 20 * quick.microbatches_count * quick.find_layer_bytes() / 1e9
    assert 0 < estimate(slow).host_communication_s < 2 * moved_s


def test_gpus_lose_with_each_doubling_and_tpus_run_in_step():
    """MosaicML's 70B model on 64 and 512 H100s: 3% less for each."""
    for chip, loses in (("h100-sxm", True), ("tpu-v5p", False)):
        mfu = [
            train_on_chip(
                plan_large(layout=Layout(data_count=count), batch_sequences_count=4 * count),
                find_roomy_chip(chip),
                timing="calibrated",
            ).mfu_fraction
            for count in (64, 512)
        ]
        assert mfu[1] / mfu[0] == pytest.approx(0.97 if loses else 1, abs=0.01), chip


def test_a_plan_that_does_not_fit_is_refused():
    plan = plan_large(state=TrainingState(), layout=Layout(data_count=512))
    with pytest.raises(ValueError, match=r"bytes on a chip of 8\.59e"):
        train_on_chip(plan, H100)
    assert train_on_chip(plan_large(), H100).time_s > 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"batch_sequences_count": 500}, "do not divide 500"),
        ({"pipeline": Pipeline(interleave_count=22)}, "there are more parts of the pipeline than layers"),
        ({"layout": Layout(tensor_count=7)}, "do not divide 64 heads"),
        ({"pipeline": Pipeline(schedule="zb-h2"), "batch_sequences_count": 64}, "at least 7 microbatches"),
        ({"state": TrainingState(replicas_count=3)}, "replicas_count 3 does not divide 16"),
        ({"microbatch_sequences_count": 0}, "at least 1"),
    ],
)
def test_an_impossible_plan_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        plan_large(**changes)


@settings(max_examples=25, deadline=None)
@given(
    tensor=st.sampled_from([1, 2, 4, 8]),
    pipeline=st.sampled_from([1, 2, 5, 80]),
    data=st.sampled_from([1, 4, 16]),
    factor=st.floats(1, 100),
    recompute=st.sampled_from(["none", "selective", "full"]),
)
def test_faster_links_never_make_a_step_longer(tensor, pipeline, data, factor, recompute):
    layout = Layout(tensor_count=tensor, pipeline_count=pipeline, data_count=data)
    plan = plan_large(layout=layout, recompute=recompute)
    slow, fast = (
        estimate(plan, Ring(bandwidth_bytes_per_s=1e10 * scale, latency_s=1e-6)) for scale in (1, factor)
    )
    assert 0 < fast.time_s <= slow.time_s < np.inf
    assert 0 < slow.mfu_fraction <= fast.mfu_fraction <= 1


def test_the_network_ridge_of_tpu_v5p_by_hand():
    """459e12 / 180e9 (one axis, both ways): 2,550. J. Austin et al., "How to Scale Your Model", part 5."""
    ridge = find_network_ridge_flops_per_byte(peak_flops_per_s=459e12, bandwidth_bytes_per_s=180e9)
    assert ridge == 2550
    assert find_data_parallel_limit_tokens(ridge, axes_count=np.array([1, 3])).tolist() == [2550, 850]
    assert find_data_parallel_limit_tokens(ridge, weight_dtype="int8") == 1275
    assert find_tensor_parallel_limit_ways(28672, ridge) == pytest.approx(11.24, abs=0.01)


def test_a_network_ridge_takes_arrays_of_chips():
    ridges = find_network_ridge_flops_per_byte(
        peak_flops_per_s=np.array([459e12, 197e12]), bandwidth_bytes_per_s=np.array([180e9, 90e9])
    )
    assert find_data_parallel_limit_tokens(ridges).tolist() == pytest.approx([2550, 2188.9], rel=1e-4)


def test_mixing_both_kinds_of_parallelism_allows_smaller_batches():
    assert find_mixed_limit_tokens(28672, 2550) < find_data_parallel_limit_tokens(2550, axes_count=3)


def test_the_best_split_talks_least():
    """Minimum of the communication time of activations and weights, found by brute force."""
    batch, inner, chips = 3_000_000, 13824, 4096
    ways = np.arange(1, chips)
    talk = batch / (ways * 1) + inner * ways / (chips * 2)
    found = find_best_data_parallel_ways(batch, inner, chips)
    assert found == pytest.approx(ways[np.argmin(talk)], rel=1e-3)


def test_larger_batches_allow_fewer_tensor_ways_in_decoding():
    ways = find_decode_tensor_limit_ways(28672, np.array([64, 128]), memory_to_network_ratio=8)
    assert ways.tolist() == [56, 28]


def test_experts_want_as_many_tokens_as_a_dense_layer_each():
    dense = find_moe_critical_tokens(240, experts_count=1, active_count=1)
    assert dense == 240
    assert find_moe_critical_tokens(240, experts_count=8, active_count=2) == 4 * dense
    with pytest.raises(ValueError, match="active_count must be at most experts_count"):
        find_moe_critical_tokens(240, experts_count=2, active_count=3)


@pytest.mark.parametrize(
    "function", [find_data_parallel_limit_tokens, lambda ridge: find_mixed_limit_tokens(8, ridge)]
)
@pytest.mark.parametrize("ridge", [0, -1, math.nan, math.inf])
def test_an_impossible_ridge_is_refused(function, ridge):
    with pytest.raises(ValueError, match="network_ridge"):
        function(ridge)


def test_copies_in_many_nodes_talk_over_the_adapters_and_not_over_nvlink():
    plan = plan_large(layout=Layout(tensor_count=8, data_count=64), batch_sequences_count=64)
    adapters_bytes_per_s = 400e9 / 8  # eight tensor-parallel ways share a node's adapters
    expected = estimate_training_step(
        plan,
        roofline=H100.roofline("bf16"),
        # The switches reduce: every array passes once, where a ring of eight passes it 2 x 7/8 times.
        tensor_interconnect=Ring(bandwidth_bytes_per_s=1.75 * H100.interconnect_bytes_per_s),
        data_interconnect=Ring(bandwidth_bytes_per_s=adapters_bytes_per_s),
    )
    assert train_on_chip(plan, H100).time_s == pytest.approx(expected.time_s)
    assert train_on_chip(plan, H100).data_communication_s > 0


def test_ways_of_a_slice_talk_along_axes_of_their_own():
    """16 x 16 v5e: tensor ways along one axis, data ways along the other, each a ring of two links."""
    plan = plan_large(model=SMALL, layout=Layout(tensor_count=16, data_count=16))
    along_an_axis = Ring(bandwidth_bytes_per_s=2 * 45e9)
    v5e = CHIPS["tpu-v5e"]
    expected = estimate_training_step(plan, roofline=v5e.roofline("bf16"), tensor_interconnect=along_an_axis)
    found = train_on_chip(plan, v5e)
    assert found.tensor_communication_s == pytest.approx(expected.tensor_communication_s)
    assert found.time_s == pytest.approx(expected.time_s)


def test_experts_are_copied_less_often_than_the_rest():
    """Eight expert ways in a node and two copies: other parameters have 16 replicas, also across nodes."""
    model = load_model("mixtral-8x7b")
    plan = plan_large(model=model, layout=Layout(expert_count=8, data_count=2), recompute="full")
    adapters, switch = Ring(bandwidth_bytes_per_s=50e9), Ring(bandwidth_bytes_per_s=450e9)
    found = train_on_chip(plan, CHIPS["h200-sxm"])
    slow = estimate_training_step(
        plan,
        roofline=CHIPS["h200-sxm"].roofline("bf16"),
        tensor_interconnect=switch,
        data_interconnect=adapters,
    )
    assert found.expert_communication_s == pytest.approx(slow.expert_communication_s)
    assert found.time_s <= slow.time_s


def test_more_copies_than_a_pod_holds_are_refused():
    with pytest.raises(ValueError, match="no slice of 512 chips"):
        train_on_chip(plan_large(layout=Layout(data_count=512)), CHIPS["tpu-v5e"])


def test_copies_in_one_node_talk_over_nvlink():
    plan = plan_large(model=SMALL, layout=Layout(data_count=8))
    own = Ring(bandwidth_bytes_per_s=H100.interconnect_bytes_per_s)
    expected = estimate_training_step(plan, roofline=H100.roofline("bf16"), tensor_interconnect=own)
    assert train_on_chip(plan, H100).time_s == expected.time_s


def test_a_sweep_of_lengths_and_batches_is_one_call():
    lengths, batches = np.array([[512], [2048]]), np.array([64, 256])
    layout = Layout(tensor_count=2, pipeline_count=2, data_count=2, sequence_parallel=True)

    def plan(length, batch):
        return TrainingPlan(
            model=load_model("llama-2-7b"), sequence_tokens=length, batch_sequences_count=batch, layout=layout
        )

    swept = train_on_chip(plan(lengths, batches), H100)
    for row, length in enumerate(lengths[:, 0]):
        for column, batch in enumerate(batches):
            alone = train_on_chip(plan(int(length), int(batch)), H100)
            assert isinstance(alone.time_s, float)
            assert swept.time_s[row, column] == pytest.approx(alone.time_s)
            assert swept.mfu_fraction[row, column] == pytest.approx(alone.mfu_fraction)


def test_one_plan_of_an_array_that_does_not_fit_is_enough_to_refuse_it():
    plan = TrainingPlan(
        model=load_model("llama-2-7b"),
        sequence_tokens=np.array([128, 2**17]),
        batch_sequences_count=8,
        layout=Layout(tensor_count=8),
    )
    with pytest.raises(ValueError, match="the plan needs"):
        train_on_chip(plan, H100)

"""Training steps over context ways, uneven stages, shards and slices; recomputation; overlap."""

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    Layout,
    MissingFigureError,
    Pipeline,
    Ring,
    Switches,
    TrainingPlan,
    TrainingState,
    TransformerModel,
    count_activation_bytes_per_layer,
    count_recomputed_flops,
    count_training_step_flops,
    estimate_training_step,
    load_catalogue,
    load_model,
    train_on_chip,
)
from diglot.hardware.training.activations import RECOMPUTES
from diglot.hardware.training.flops import count_forward_flops
from diglot.hardware.training.pipelines import SCHEDULES
from diglot.hardware.training.sharded_state import SHARDED
from diglot.hardware.training.step import OVERLAPS

CHIPS = load_catalogue()
H100, V5P = CHIPS["h100-sxm"], CHIPS["tpu-v5p"]
SMALL, LARGE = load_model("llama-3-8b"), load_model("llama-3-70b")
INSTANT = Ring(bandwidth_bytes_per_s=1e30)
FSDP = TrainingState(sharded="parameters")


def make_plan(layout, **changes):
    fields = {
        "model": LARGE,
        "sequence_tokens": 4096,
        "batch_sequences_count": 512,
        "layout": layout,
        "state": FSDP,
        **changes,
    }
    return TrainingPlan(**fields)


def estimate(plan, links=INSTANT, **options):
    return estimate_training_step(plan, roofline=H100.roofline("bf16"), tensor_interconnect=links, **options)


class TestContextWays:
    def test_they_share_a_sequence_and_its_work(self):
        one, eight = (
            estimate(
                make_plan(
                    Layout(context_count=ways), model=SMALL, sequence_tokens=2**17, batch_sequences_count=1
                )
            )
            for ways in (1, 8)
        )
        assert eight.compute_s == pytest.approx(one.compute_s / 8, rel=0.02)
        assert eight.mfu_fraction == pytest.approx(one.mfu_fraction, rel=0.05)

    def test_they_keep_their_part_of_the_activations_and_shards(self):
        one, eight = (
            make_plan(Layout(context_count=ways), recompute="selective").estimate_memory() for ways in (1, 8)
        )
        assert eight.activation_bytes == pytest.approx(one.activation_bytes / 8)
        assert eight.state_bytes == pytest.approx(one.state_bytes / 8)

    def test_keys_pass_three_times_where_nothing_hides_them(self):
        plan = make_plan(Layout(context_count=4), model=SMALL, batch_sequences_count=1)
        step = estimate(plan, Ring(bandwidth_bytes_per_s=1e9), overlap="nothing")
        keys_bytes = 2 * 2 * 4096 * 8 * 128
        assert step.context_communication_s == pytest.approx(3 * 32 * 3 / 4 * keys_bytes / 1e9)

    def test_long_parts_hide_what_passes(self):
        """Attention grows with the square: H. Liu et al., arXiv:2310.01889, section 3."""
        links = Ring(bandwidth_bytes_per_s=50e9)
        shown = [
            estimate(
                make_plan(Layout(context_count=4), sequence_tokens=tokens, batch_sequences_count=1), links
            ).context_communication_s
            for tokens in (2**11, 2**17)
        ]
        assert shown[0] > 0 == shown[1]


class TestStages:
    def test_the_fullest_stage_sets_the_pace(self):
        """126 layers on 16 stages: 8 on most, as Llama 3 405B was trained, with fewer beside the head."""
        model = load_model("llama-3-405b")
        layout = Layout(tensor_count=8, pipeline_count=16, sequence_parallel=True)
        assert layout.count_stage_layers(model) == 8
        sixteen = estimate(make_plan(layout, model=model, batch_sequences_count=64))
        one = estimate(
            make_plan(Layout(tensor_count=8, sequence_parallel=True), model=model, batch_sequences_count=64)
        )
        assert sixteen.compute_s / one.compute_s == pytest.approx(8 / 126, rel=0.01)
        more = make_plan(layout, model=model, batch_sequences_count=64).estimate_memory().state_bytes
        assert more == pytest.approx(18 * model.parameters_count * 8 / 126 / 8)

    def test_an_output_head_as_long_as_many_layers_has_a_stage_of_its_own(self):
        model = dataclasses.replace(SMALL, vocabulary_count=2**21)
        step = estimate(make_plan(Layout(pipeline_count=2), model=model, batch_sequences_count=8))
        head_s = 3 * 8 * 2 * 4096 * 4096 * 2**21 / H100.peak_flops_per_s("bf16")
        assert step.compute_s == pytest.approx(head_s)

    @pytest.mark.parametrize("schedule", SCHEDULES)
    def test_better_schedules_idle_less(self, schedule):
        layout = Layout(tensor_count=8, pipeline_count=8, data_count=8)
        step = estimate(make_plan(layout, pipeline=Pipeline(schedule=schedule)))
        plain = estimate(make_plan(layout))
        assert step.pipeline_bubble_s <= plain.pipeline_bubble_s * (1 + 1e-9)
        assert step.compute_s == plain.compute_s
        if schedule == "zb-h2":
            assert step.pipeline_bubble_s < plain.pipeline_bubble_s / 4

    def test_filling_and_draining_pass_every_stage(self):
        links = Ring(bandwidth_bytes_per_s=10e9)
        step = estimate(make_plan(Layout(pipeline_count=8, data_count=8)), links)
        once_s = 4096 * 8192 * 2 / 10e9
        assert step.pipeline_communication_s == pytest.approx(2 * 7 * once_s)


class TestRecomputation:
    @pytest.mark.parametrize(
        ("width", "heads", "layers", "saved", "added"),
        [(12288, 96, 96, 0.70, 0.027), (20480, 128, 105, 0.65, 0.016)],
    )
    def test_what_selective_recomputation_saves_and_costs(self, width, heads, layers, saved, added):
        """GPT-3: 70% of activations for 2.7% of a forward pass; MT-NLG: 65%, 1.6%. arXiv:2205.05198."""
        model = TransformerModel(
            layers_count=layers, width_elements=width, heads_count=heads, feed_forward_elements=4 * width,
            gated=False, vocabulary_count=51200, kind="encoder",
        )  # fmt: skip
        kept = [
            count_activation_bytes_per_layer(model, 2048, recompute=each) for each in ("none", "selective")
        ]
        assert 1 - kept[1] / kept[0] == pytest.approx(saved, abs=0.006)
        again = count_recomputed_flops(model, 2048, recompute="selective")
        assert again / count_forward_flops(model, 2048) == pytest.approx(added, abs=0.001)

    def test_more_recomputation_takes_more_flops_and_less_memory(self):
        flops = [count_recomputed_flops(SMALL, 4096, recompute=each) for each in RECOMPUTES]
        kept = [count_activation_bytes_per_layer(SMALL, 4096, recompute=each) for each in RECOMPUTES]
        assert flops == sorted(flops)
        assert flops[0] == 0
        assert kept == sorted(kept, reverse=True)
        assert flops[2] < count_training_step_flops(SMALL, 4096) / 3


class TestShards:
    def test_each_stage_of_zero_takes_less_memory_and_the_last_more_time(self):
        plans = [make_plan(Layout(data_count=64), state=TrainingState(sharded=each)) for each in SHARDED]
        held = [plan.estimate_memory().state_bytes for plan in plans]
        assert held == sorted(held, reverse=True)
        times = [estimate(plan, Ring(bandwidth_bytes_per_s=1e8)).data_communication_s for plan in plans]
        assert times[2] <= times[0] < times[3]

    def test_the_optimiser_updates_what_its_chip_holds(self):
        whole, shared = (
            estimate(make_plan(Layout(data_count=64), state=TrainingState(sharded=each))).optimiser_s
            for each in ("nothing", "optimiser")
        )
        bytes_moved = (4 + 2 * 12 + 2) * LARGE.parameters_count
        assert whole == pytest.approx(bytes_moved / H100.memory_bandwidth_bytes_per_s)
        assert shared == pytest.approx(whole / 64)

    def test_replicas_hold_the_whole_state_each(self):
        one, four = (
            make_plan(
                Layout(data_count=64), state=TrainingState(sharded="parameters", replicas_count=replicas)
            )
            for replicas in (1, 4)
        )
        assert four.estimate_memory().state_bytes == pytest.approx(4 * one.estimate_memory().state_bytes)


class TestSlices:
    @pytest.mark.parametrize("tensor", [1, 4, 8])
    def test_a_whole_pod_trains_with_any_of_these_layouts(self, tensor):
        layout = Layout(tensor_count=tensor, data_count=8960 // tensor, sequence_parallel=True)
        step = train_on_chip(make_plan(layout, batch_sequences_count=8960, recompute="full"), V5P)
        assert 0.5 < step.mfu_fraction < 1

    def test_slices_are_joined_over_the_data_centres_network(self):
        """Scaling book, part 5: of v5p, pods of 76,000 tokens and more hide the sum of their gradients."""
        shown = []
        for sequences in (8, 64):
            layout = Layout(tensor_count=16, data_count=4 * 256, sequence_parallel=True)
            state = TrainingState(sharded="parameters", replicas_count=4)
            plan = make_plan(
                layout, sequence_tokens=2048, batch_sequences_count=1024 * sequences // 8, state=state
            )
            shown.append(train_on_chip(plan, V5P).data_communication_s)
        assert shown[0] >= shown[1] == 0

    def test_pods_scale_nearly_linearly_to_tens_of_thousands_of_chips(self):
        """As many tokens per chip everywhere: utilisation hardly falls from one pod to eight."""
        shares = []
        for pods in (1, 2, 4, 8):
            layout = Layout(tensor_count=8, data_count=768 * pods, sequence_parallel=True)
            state = TrainingState(sharded="parameters", replicas_count=pods)
            plan = make_plan(layout, batch_sequences_count=768 * 4 * pods, state=state)
            shares.append(train_on_chip(plan, V5P).mfu_fraction)
        assert all(after <= before for before, after in pairwise(shares))
        assert shares[-1] / shares[0] > 0.95

    def test_more_copies_than_a_pod_holds_need_replicas(self):
        layout = Layout(tensor_count=8, data_count=2048)
        with pytest.raises(ValueError, match="no slice of 16384 chips"):
            train_on_chip(make_plan(layout, batch_sequences_count=2048), V5P)

    def test_without_a_rate_between_slices_they_are_refused(self):
        plan = make_plan(Layout(data_count=512), state=TrainingState(sharded="parameters", replicas_count=2))
        with pytest.raises(MissingFigureError, match=r"dcn\.per_chip"):
            train_on_chip(plan, CHIPS["tpu-v4"])


def test_oversubscribed_switches_never_speed_a_step_up():
    plan = make_plan(Layout(tensor_count=8, data_count=512), model=load_model("mixtral-8x7b"))
    thin = train_on_chip(plan, H100, switches=Switches(oversubscription_ratios=(7.0,)))
    assert thin.time_s >= train_on_chip(plan, H100).time_s


@settings(max_examples=25)
@given(
    ways=st.tuples(*[st.sampled_from([1, 2, 4])] * 4),
    rate=st.floats(1e9, 1e12),
    recompute=st.sampled_from(RECOMPUTES),
    sharded=st.sampled_from(SHARDED),
)
def test_what_overlaps_never_takes_longer_and_never_beats_the_peak(ways, rate, recompute, sharded):
    tensor, context, data, pipeline = ways
    layout = Layout(
        tensor_count=tensor, context_count=context, data_count=data, pipeline_count=pipeline,
        sequence_parallel=True,
    )  # fmt: skip
    plan = make_plan(
        layout,
        model=SMALL,
        batch_sequences_count=32,
        recompute=recompute,
        state=TrainingState(sharded=sharded),
    )
    steps = [estimate(plan, Ring(bandwidth_bytes_per_s=rate), overlap=each) for each in OVERLAPS]
    times = [step.time_s for step in steps]
    assert times == sorted(times, reverse=True)
    assert all(0 < step.mfu_fraction <= 1 for step in steps)
    assert all(np.isfinite(time_s) for time_s in times)
    slowest = max(steps[0].tensor_communication_s, steps[0].compute_s)
    assert times[2] >= slowest * (1 - 1e-9)


def test_calibrated_steps_are_slower_than_ideal_ones():
    plan = make_plan(Layout(tensor_count=8, data_count=64, sequence_parallel=True))
    ideal, expected = (train_on_chip(plan, H100, timing=timing) for timing in ("ideal", "calibrated"))
    assert expected.time_s > ideal.time_s
    assert expected.mfu_fraction < ideal.mfu_fraction

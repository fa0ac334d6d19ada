"""Experts over many chips: the busiest way, copies of popular experts, and the step that waits for it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    Formats,
    Layout,
    Routing,
    StepOptions,
    balance_experts,
    decode,
    deploy,
    estimate_step,
    load_catalogue,
    load_model,
    overlap_two_batches_s,
    replicate_experts,
)

MODEL = load_model("deepseek-v3")
FP8 = Formats(weights="fp8", arithmetic="fp8")
CHIPS = load_catalogue()


def route(skew=0.0):
    return Routing(experts_count=256, active_count=8, skew=skew)


def deploy_wide(ways=32, redundant=32, skew=0.0, placement="balanced", **more):
    options = StepOptions(routing_skew=skew, redundant_experts_count=redundant, expert_placement=placement)
    layout = Layout(expert_count=ways)
    return deploy(MODEL, CHIPS["h100-sxm"], layout=layout, formats=FP8, options=options, **more)


def expert_of(step):
    return next(entry for entry in step.operators if entry.operator.name == "routed experts")


@pytest.mark.parametrize(("skew", "tokens", "ways"), [(0.0, 512, 32), (0.5, 512, 32), (0.0, 4096, 64)])
def test_the_busiest_way_is_that_of_a_simulation(skew, tokens, ways):
    """Independent binomials, as `Routing` takes them; 2 % for normal variables in their place."""
    shares = np.random.default_rng(0).permutation(route(skew).chosen_fractions)
    drawn = np.random.default_rng(1).binomial(tokens, shares, size=(4000, 256))
    expected = drawn.reshape(4000, ways, -1).sum(axis=2).max(axis=1).mean()
    balance = balance_experts(route(skew), tokens, ways_count=ways, placement="blind")
    assert balance.busiest_rows_count == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(("skew", "tokens"), [(0.0, 4), (0.0, 8), (0.8, 8), (0.8, 32)])
def test_a_step_of_few_tokens_waits_for_the_way_with_the_most_visited_experts(skew, tokens):
    """Tokens that choose eight different experts each, as routers do; 4 % for normal variables."""
    shares = np.random.default_rng(0).permutation(route(skew).chosen_fractions)
    random = np.random.default_rng(1)
    found = []
    for _ in range(400):
        visited = np.zeros(256, dtype=bool)
        for _ in range(tokens):
            # Systematic sampling: each expert with its share as probability, none twice.
            order = random.permutation(256)
            marks = random.random() + np.arange(8)
            visited[order[np.searchsorted(np.cumsum(shares[order]), marks).clip(max=255)]] = True
        found.append(visited.reshape(8, -1).sum(axis=1).max())
    balance = balance_experts(route(skew), tokens, ways_count=8, placement="blind")
    assert balance.busiest_touched_count == pytest.approx(np.mean(found), rel=0.04)


def test_where_deepseek_runs_its_copies():
    """DeepSeek-V3 and R1, overview of the inference system (2025): 9 routed experts on each of 32 GPUs for
    prefill, 2 on each of 144 for decoding, with 32 redundant ones."""
    experts = replicate_experts(MODEL, redundant_count=32).experts
    assert experts.routed_count / 32 == 9
    assert experts.routed_count / 144 == 2
    deploy_wide(144)


def test_the_bound_is_below_what_deepseek_measured():
    """The same overview: 14,800 tokens per second and node of eight H800, 20 to 22 for each user.

    So 88 sequences per GPU and 48 ms per token. Contexts of 5,000 tokens are an assumption. An H800 computes
    as an H100 does and has its memory; ideal kernels with transfers hidden behind two batches take half of
    the time, and without hiding seven tenths. Calibrated ones take about as long, hidden.
    """
    batch, step_s = 14_800 / 8 / 21, 1 / 21
    group = decode(5000, sequences_count=144 * round(batch))
    plain = estimate_step(deploy_wide(144), group)
    assert overlap_two_batches_s(deploy_wide(144), group) < plain.time_s < step_s
    assert plain.time_s > 0.7 * step_s
    calibrated = deploy_wide(144, timing="calibrated")
    assert overlap_two_batches_s(calibrated, group) == pytest.approx(step_s, rel=0.1)


def test_an_even_router_and_many_tokens_are_the_plain_step():
    group = decode(1000, sequences_count=32 * 100_000)
    even = deploy(MODEL, CHIPS["h100-sxm"], layout=Layout(expert_count=32), formats=FP8)
    plain, routed = (estimate_step(each, group) for each in (even, deploy_wide(redundant=0)))
    assert routed.time_s == pytest.approx(plain.time_s, rel=0.005)
    assert routed.time_s >= plain.time_s


def test_skew_slows_wide_layouts_and_copies_help():
    group = decode(1000, sequences_count=32 * 64)
    steps = [
        estimate_step(deploy_wide(redundant=0, skew=skew), group).time_s for skew in (0.0, 0.3, 0.6, 1.0)
    ]
    assert np.all(np.diff(steps) > 0)
    assert estimate_step(deploy_wide(skew=1.0), group).time_s < 0.6 * steps[-1]
    blind = deploy_wide(redundant=0, skew=0.6, placement="blind")
    assert estimate_step(blind, group).time_s > steps[2]


def test_on_one_way_a_skew_only_leaves_experts_unvisited():
    group = decode(1000, sequences_count=32)
    plain, even, skewed = (
        estimate_step(
            deploy(
                MODEL,
                CHIPS["h200-sxm"],
                layout=Layout(tensor_count=8),
                formats=FP8,
                options=StepOptions(routing_skew=skew),
            ),
            group,
        )
        for skew in (None, 0.0, 1.0)
    )
    assert skewed.time_s < even.time_s
    assert expert_of(skewed).operator.flops == pytest.approx(expert_of(even).operator.flops)
    assert even.time_s == pytest.approx(plain.time_s)


def test_the_parts_still_add_up():
    step = estimate_step(deploy_wide(skew=0.5), decode(1000, sequences_count=512))
    operators = sum(entry.time_s for entry in step.operators)
    assert step.time_s == pytest.approx(operators + step.communication_s)


@given(
    st.floats(0, 1.5), st.integers(1, 10**6), st.sampled_from([1, 8, 32, 72, 144]), st.sampled_from([0, 32])
)
@settings(max_examples=40, deadline=None)
def test_the_busiest_has_at_least_the_mean_and_at_most_every_token(skew, tokens, ways, redundant):
    if (256 + redundant) % ways:
        redundant = 32
    balance = balance_experts(route(skew), tokens, ways_count=ways, redundant_count=redundant)
    assert balance.imbalance_ratio >= 1
    assert balance.busiest_rows_count <= 8.5 * tokens + 40
    assert 0 < balance.busiest_touched_count <= (256 + redundant) / ways + 1e-9
    blind = balance_experts(
        route(skew), tokens, ways_count=ways, redundant_count=redundant, placement="blind"
    )
    assert balance.imbalance_ratio <= blind.imbalance_ratio * 1.05


def test_arrays_of_tokens_are_single_calls():
    tokens = np.array([[10, 1000], [50, 20_000]])
    swept = balance_experts(route(0.4), tokens, ways_count=32)
    for place in np.ndindex(tokens.shape):
        single = balance_experts(route(0.4), int(tokens[place]), ways_count=32)
        assert swept.busiest_rows_count[place] == pytest.approx(single.busiest_rows_count)
        assert swept.busiest_touched_count[place] == pytest.approx(single.busiest_touched_count)


def test_impossible_copies_are_refused():
    with pytest.raises(ValueError, match="ways_count must divide 256 experts"):
        balance_experts(route(), 100, ways_count=144)
    with pytest.raises(ValueError, match="has no experts"):
        replicate_experts(load_model("llama-3-8b"), redundant_count=2)
    held = deploy(MODEL, CHIPS["h100-sxm"], layout=Layout(expert_count=32), formats=FP8)
    with pytest.raises(ValueError, match="redundant_experts_count must leave 8 of 256 experts"):
        replace(held, options=StepOptions(routing_skew=0.0, redundant_experts_count=250))
    with pytest.raises(ValueError, match="placement must be one of balanced, blind"):
        balance_experts(route(), 100, ways_count=32, placement="random")

"""Times of a step's operators: ideal, tiled and calibrated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    RUNTIMES,
    Formats,
    Layout,
    choose_timer,
    decode,
    deploy,
    estimate_decode,
    estimate_prefill,
    estimate_tpu_gemm,
    list_operators,
    load_calibration,
    load_catalogue,
    load_model,
    load_replay,
    prefill,
    time_experts,
    time_gemm,
)
from diglot.hardware.operators.operator_time import find_factors
from diglot.hardware.operators.timers import ChipTimer, RooflineTimer

CHIPS = load_catalogue()
SMALL, LARGE = load_model("llama-3-8b"), load_model("llama-3-70b")
H100, V5P, V7 = (CHIPS[id_] for id_ in ("h100-sxm", "tpu-v5p", "tpu-v7"))
TIMINGS = ("ideal", "tiled", "calibrated")


def operator(group, name="down projection"):
    return next(each for each in list_operators(SMALL, group) if each.name == name)


def deploy_small(chip, timing, **changes):
    return deploy(SMALL, chip, timing=timing, **changes)


def test_ideal_timing_is_the_roofline():
    timer = choose_timer(H100, "bf16", "ideal")
    assert timer == RooflineTimer(roofline=H100.roofline("bf16"))
    one = operator(prefill(1000))
    assert timer.time_operator(one).time_s == H100.roofline("bf16").time_s(one.kernel)


def test_tiles_of_a_gpu_are_those_of_its_products():
    """129 rows need a second tile of 128 for one row."""
    one = operator(prefill(129))
    timed = ChipTimer(chip=H100, dtype="bf16").time_operator(one)
    assert timed.compute_time_s == time_gemm(H100, 129, 14336, 4096).compute_time_s
    assert timed.compute_time_s > 1.2 * H100.roofline("bf16").compute_time_s(one.kernel)


def test_tiles_of_a_tpu_are_its_arrays():
    timed = ChipTimer(chip=V5P, dtype="bf16").time_operator(operator(prefill(100)))
    assert timed.compute_time_s == estimate_tpu_gemm(100, 14336, 4096, chip=V5P).array_time_s


@pytest.mark.parametrize(
    ("name", "group", "replayed"),
    [
        ("down projection", prefill(512), "gemm"),
        ("attention", prefill(512), "context attention"),
        ("attention", decode(512), "decode attention"),
        ("norm", decode(512), "elementwise"),
    ],
)
def test_each_operator_takes_the_factors_of_its_replayed_kernels(name, group, replayed):
    timed = ChipTimer(chip=H100, dtype="bf16", calibrated=True).time_operator(operator(group, name))
    assert timed.factors == load_replay().find(H100, replayed)
    assert timed.launch_time_s == timed.factors.launch_s < timed.time_s


def test_experts_take_the_factors_of_whole_layers_of_experts():
    (one,) = [each for each in list_operators(load_model("mixtral-8x7b"), prefill(64)) if each.experts]
    timed = ChipTimer(chip=H100, dtype="bf16", calibrated=True).time_operator(one)
    assert timed.factors == load_replay().find(H100, "experts")
    alone = time_experts(H100, one.experts.layer, 2 * 64, mode="calibrated")
    assert timed.compute_time_s == pytest.approx(alone.compute_time_s)


def test_a_cache_of_fewer_bits_takes_factors_of_its_own():
    eight = Formats(kv_cache="fp8")
    one = next(each for each in list_operators(SMALL, decode(512), formats=eight) if each.attention)
    timed = ChipTimer(chip=H100, dtype="bf16", calibrated=True).time_operator(one)
    assert timed.factors == load_replay().find(H100, "decode attention", "fp8")


def test_a_tpu_takes_the_nearest_factors_that_were_measured():
    found = {name: find_factors(V7, name, "calibrated") for name in ("attention", "softmax", "elementwise")}
    of = load_calibration().find
    assert found == {
        "attention": find_factors(V7, "gemm", "calibrated"),
        "softmax": of(V7, "copy"),
        "elementwise": of(V7, "copy"),
    }


def test_weights_reach_a_tpu_at_the_bandwidth_of_its_copies():
    """The largest measured product that the fit treats as memory-bound reads only 4 MB."""
    of = load_calibration().find
    factors = find_factors(V7, "gemm", "calibrated")
    assert factors.bandwidth_fraction == of(V7, "copy").bandwidth_fraction
    assert factors.compute_fraction == of(V7, "gemm").compute_fraction
    one = operator(decode(1000))
    timed = ChipTimer(chip=V7, dtype="bf16", calibrated=True).time_operator(one)
    weights_s = 2 * 14336 * 4096 / V7.memory_bandwidth_bytes_per_s
    assert timed.time_s == pytest.approx(weights_s / factors.bandwidth_fraction + factors.launch_s, rel=0.02)


def test_the_host_sets_the_pace_of_a_step_with_short_kernels():
    """32 layers of two norms, five products and activations, and attention, and two all-reduces; one head."""
    deployed = {
        name: deploy(SMALL, H100, layout=Layout(tensor_count=2), timing="calibrated", runtime=RUNTIMES[name])
        for name in ("static", "overlapped")
    }
    small, small_in_graph = (estimate_decode(each, 1000) for each in deployed.values())
    assert small_in_graph.host_time_s == 0
    kernels = sum(entry.operator.layers_count for entry in small.operators) + 2 * 32
    assert small.time_s == small.host_time_s == pytest.approx(kernels * load_replay().host_launch_s)
    assert small.time_s > small_in_graph.time_s
    large, large_in_graph = (estimate_prefill(each, 20_000) for each in deployed.values())
    assert large.host_time_s == small.host_time_s
    assert large.time_s == large_in_graph.time_s


def test_a_tpu_runs_a_whole_program():
    tpu = deploy(SMALL, V7, timing="calibrated", runtime=RUNTIMES["static"])
    assert estimate_decode(tpu, 1000).host_time_s == 0


@settings(max_examples=30, deadline=None)
@given(
    chip=st.sampled_from([H100, V5P, V7]),
    tokens=st.integers(1, 3000),
    context=st.integers(0, 10_000),
    sequences=st.integers(1, 64),
)
def test_nothing_is_quicker_than_the_ideal(chip, tokens, context, sequences):
    group = type(prefill(1))(sequences_count=sequences, new_tokens=tokens, context_tokens=context)
    timers = [choose_timer(chip, "bf16", timing) for timing in TIMINGS]
    for one in list_operators(SMALL, group):
        ideal, tiled, calibrated = (timer.time_operator(one).time_s for timer in timers)
        assert 0 < ideal <= tiled * (1 + 1e-12)
        assert ideal < calibrated < np.inf


@pytest.mark.parametrize("chip", [H100, V5P, V7])
def test_a_step_is_slower_in_tiles_and_slower_still_as_measured(chip):
    prefills, decodes = (
        [estimate(deploy_small(chip, timing), 1000, **{name: 8}).time_s for timing in TIMINGS]
        for estimate, name in ((estimate_prefill, "sequences_count"), (estimate_decode, "batch_count"))
    )
    assert prefills[0] < prefills[1] < prefills[2] < 3 * prefills[0]
    assert decodes[0] <= decodes[1] < decodes[2] < 3 * decodes[0]


def test_a_huge_prompt_wastes_no_tiles():
    ideal, tiled = (estimate_prefill(deploy_small(H100, timing), 2**15).time_s for timing in TIMINGS[:2])
    assert tiled == pytest.approx(ideal, rel=0.03)


def test_measured_collectives_slow_the_layout_too():
    layout = Layout(tensor_count=8)
    ideal, calibrated = (
        estimate_decode(deploy(LARGE, H100, layout=layout, timing=timing), 1000) for timing in TIMINGS[::2]
    )
    steps_s = load_replay().find(H100, "one-shot all-reduce").launch_s
    assert calibrated.tensor_communication_s > ideal.tensor_communication_s
    assert calibrated.tensor_communication_s >= 2 * 80 * steps_s


@pytest.mark.parametrize("timing", TIMINGS)
def test_arrays_of_batches_are_timed_one_by_one(timing):
    batches = np.array([1, 7, 64])
    deployment = deploy_small(H100, timing)
    swept = estimate_decode(deployment, 1000, batch_count=batches).time_s
    alone = [estimate_decode(deployment, 1000, batch_count=int(batch)).time_s for batch in batches]
    np.testing.assert_allclose(swept, alone, rtol=1e-12)


@pytest.mark.parametrize("timing", ["tiled", "calibrated"])
def test_experts_and_latent_attention_are_timed(timing):
    model = load_model("deepseek-v3")
    timer = choose_timer(H100, "bf16", timing)
    for group in (prefill(100), decode(1000, sequences_count=8)):
        for one in list_operators(model, group):
            assert 0 < timer.time_operator(one).time_s < np.inf


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"timing": "fast"}, "timing must be one of ideal, tiled, calibrated, not 'fast'"),
        ({"timing": "tiled", "memory_fraction": 0.7}, "memory_fraction must be 1 with tiled timing"),
        ({"runtime": RUNTIMES["static"]}, 'launches="host" needs calibrated timing'),
    ],
)
def test_what_contradicts_the_timing_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        deploy(SMALL, H100, **changes)

"""Simulated serving against closed forms, a simulation token by token, and a published experiment."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    CacheLink,
    Layout,
    Requests,
    ServiceLevel,
    TransformerModel,
    Workload,
    deploy,
    draw_arrivals_s,
    draw_lengths_tokens,
    draw_requests,
    estimate_decode,
    estimate_prefill,
    find_goodput,
    find_mean_wait_s,
    load_catalogue,
    load_model,
    serve_arrivals,
    simulate_disaggregated,
    simulate_serving,
    simulate_users,
)
from diglot.hardware.serving.engine import count_steps

CHIPS = load_catalogue()
SMALL = deploy(load_model("llama-3-8b"), CHIPS["h100-sxm"])
LARGE = deploy(load_model("llama-3-70b"), CHIPS["h100-sxm"], layout=Layout(tensor_count=8))
INSTANT = CacheLink(bandwidth_bytes_per_s=1e30)
SHARES = (0.5, 0.95, 0.99)
WORKLOAD = Workload(prompt_tokens=1000, output_tokens=200)


def draw(rate, count=2000, **changes):
    return draw_requests(
        rate, **{"requests_count": count, "prompt_tokens": 1000, "output_tokens": 200, "seed": 1, **changes}
    )


def step_by_step(deployment, requests, slots):
    """Every decode step on its own: the time of first tokens, of finishes, and between all tokens."""
    low, high = 1, 4000
    prefill_s = [estimate_prefill(deployment, int(each)).time_s for each in requests.prompt_tokens]
    waiting = list(zip(requests.arrival_s.tolist(), range(requests.count), strict=True))
    now, running, gaps = 0.0, {}, []
    first, finish = np.zeros(requests.count), np.zeros(requests.count)
    while waiting or running:
        if waiting and not running:
            now = max(now, waiting[0][0])
        while waiting and waiting[0][0] <= now and len(running) < slots:
            _, job = waiting.pop(0)
            now += prefill_s[job]
            first[job] = now
            running[job] = [int(requests.prompt_tokens[job]), int(requests.output_tokens[job]) - 1, now]
        mean = np.mean([context for context, _, _ in running.values()])
        ends = [estimate_decode(deployment, each, batch_count=len(running)).time_s for each in (low, high)]
        now += ends[0] + (ends[1] - ends[0]) * (mean - low) / (high - low)
        for job, state in list(running.items()):
            gaps.append(now - state[2])
            state[0], state[1], state[2] = state[0] + 1, state[1] - 1, now
            if state[1] == 0:
                finish[job] = now
                del running[job]
    return first, finish, np.sort(gaps)


@pytest.mark.parametrize(("rate", "slots"), [(5.0, 64), (40.0, 64), (40.0, 4)])
def test_runs_of_steps_are_what_single_steps_add_up_to(rate, slots):
    requests = draw(rate, 40, prompt_tokens=300, output_tokens=30, length_variation_ratio=0.7)
    first, finish, gaps = step_by_step(SMALL, requests, slots)
    run = simulate_serving(SMALL, requests, batch_limit_count=slots)
    np.testing.assert_allclose(run.ttft_s, first - requests.arrival_s, rtol=1e-9)
    np.testing.assert_allclose(run.finish_s, finish, rtol=1e-9)
    assert run.gap_tokens.sum() == gaps.size
    assert run.gap_s @ run.gap_tokens == pytest.approx(gaps.sum())
    for share in SHARES:
        assert run.find_gap_s(share) == pytest.approx(np.quantile(gaps, share), rel=0.02)


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_prompts_alone_are_an_m_d_1_queue(load):
    """The Pollaczek-Khinchine mean of constant service; 30,000 arrivals leave a few percent of noise."""
    service_s = estimate_prefill(SMALL, 1000).time_s
    requests = draw(load / service_s, 30_000, output_tokens=2)
    run = simulate_disaggregated(SMALL, SMALL, requests, INSTANT)
    wait_s = np.mean(run.ttft_s) - service_s
    assert wait_s == pytest.approx(find_mean_wait_s(load / service_s, service_s), rel=0.06)


@pytest.mark.parametrize("rate", [4.0, 16.0, 22.0])
def test_means_are_those_of_the_closed_form(rate):
    run = simulate_serving(LARGE, draw(rate, 5000))
    form = serve_arrivals(LARGE, Workload(prompt_tokens=1000, output_tokens=200), rate)
    assert np.mean(run.ttft_s) == pytest.approx(form.ttft_s, rel=0.06)
    assert np.mean(run.tpot_s) == pytest.approx(form.tpot_s, rel=0.1)


OPT_13B = TransformerModel(
    name="OPT 13B",
    layers_count=40,
    width_elements=5120,
    heads_count=40,
    feed_forward_elements=20_480,
    gated=False,
    vocabulary_count=50_272,
    positions_count=2050,
    norm="layer",
    biases="all",
)


def test_disaggregation_doubles_goodput_as_published():
    """DistServe, figure 1: a 13B model, one A100-80, 512 tokens in and 64 out, 0.4 s and 0.04 s at P90.

    A prefill worker alone carries 5.6 requests per second and a decode worker alone 10; those two set the
    shares of the roofs that their kernels reach. Then follow the measured 1.6 of both phases on one chip and
    3.3 per chip with two prefill workers and one decoder.
    """
    deployment = deploy(
        OPT_13B,
        CHIPS["a100-80"],
        compute_fraction=0.375,
        memory_fraction=0.49,
        reserved_fraction=0.1,
    )
    level = ServiceLevel(ttft_s=0.4, tpot_s=0.04)

    def find(prefillers, decoders):
        return find_goodput(
            lambda requests: simulate_disaggregated(
                *(deployment, deployment, requests, CacheLink(bandwidth_bytes_per_s=300e9)),
                prefillers_count=prefillers,
                decoders_count=decoders,
            ),
            lambda rate: draw(rate, prompt_tokens=512, output_tokens=64),
            level,
            start_requests_per_s=8.0,
        )

    together = find_goodput(
        lambda requests: simulate_serving(deployment, requests),
        lambda rate: draw(rate, prompt_tokens=512, output_tokens=64),
        level,
    )
    assert find(1, 8).requests_per_s == pytest.approx(5.6, rel=0.03)
    assert find(8, 1).requests_per_s == pytest.approx(10, rel=0.03)
    assert together.requests_per_s == pytest.approx(1.6, rel=0.15)
    assert find(2, 1).requests_per_chip_s == pytest.approx(3.3, rel=0.05)


def test_chunks_spare_the_tail_of_the_gaps():
    requests = draw(16.0)
    whole, chunks = simulate_serving(LARGE, requests), simulate_serving(LARGE, requests, chunk_tokens=256)
    assert chunks.find_gap_s(0.99) < 0.6 * whole.find_gap_s(0.99)
    assert chunks.find_tpot_s(0.5) < whole.find_tpot_s(0.5)
    assert chunks.find_ttft_s(0.5) > whole.find_ttft_s(0.5)


def test_one_request_takes_its_chunks_and_its_steps():
    run = simulate_serving(LARGE, draw(1.0, 1), chunk_tokens=10_000)
    assert run.ttft_s[0] == pytest.approx(estimate_prefill(LARGE, 1000).time_s)
    assert run.tpot_s[0] == pytest.approx(estimate_decode(LARGE, 1099).time_s, rel=1e-3)
    quarters = simulate_serving(LARGE, draw(1.0, 1), chunk_tokens=250)
    assert quarters.ttft_s[0] > run.ttft_s[0]


def test_a_cached_prefix_shortens_the_queue():
    requests = draw(20.0)
    hits = Requests(arrival_s=requests.arrival_s, prompt_tokens=1000, output_tokens=200, cached_tokens=750)
    for chunk in (None, 256):
        slow, fast = (simulate_serving(LARGE, each, chunk_tokens=chunk) for each in (requests, hits))
        assert fast.find_ttft_s(0.95) < slow.find_ttft_s(0.95)
        assert fast.find_tpot_s(0.95) < slow.find_tpot_s(0.95)


@given(st.floats(1, 25), st.floats(1.05, 2), st.integers(0, 99))
@settings(max_examples=15, deadline=None)
def test_the_same_requests_closer_together_never_leave_sooner(rate, more, seed):
    """First tokens of a queue with one server come no sooner; what the batch does to them is left out."""
    runs = [
        simulate_disaggregated(SMALL, SMALL, draw(each, 200, seed=seed), INSTANT)
        for each in (rate, rate * more)
    ]
    assert np.all(runs[1].ttft_s >= runs[0].ttft_s - 1e-9)
    for run in runs:
        assert np.all(run.ttft_s > 0)
        assert np.all(run.tpot_s >= estimate_decode(SMALL, 1000).time_s * (1 - 1e-9))


def test_bursts_lengthen_the_tail():
    steady, random, bursty = (
        simulate_serving(LARGE, draw(16.0, interval_variation_ratio=ratio)).find_ttft_s(0.99)
        for ratio in (0.0, 1.0, 3.0)
    )
    assert steady < random < bursty


def test_every_token_comes_once_and_nothing_before_its_time():
    requests = draw(16.0, length_variation_ratio=1.0)
    for run in (
        simulate_serving(LARGE, requests),
        simulate_serving(LARGE, requests, chunk_tokens=200),
        simulate_disaggregated(LARGE, LARGE, requests, INSTANT, decoders_count=2),
    ):
        assert run.gap_tokens.sum() == np.sum(requests.output_tokens - 1)
        assert np.all(run.finish_s > requests.arrival_s + run.ttft_s)
        assert not np.any(np.isnan(run.gap_s))
        assert run.find_gap_s(0.0) == run.gap_s.min()
        assert run.find_gap_s(1.0) == run.gap_s.max()


def test_a_small_memory_makes_requests_wait():
    """Two GPUs hold weights of 70B in bf16 and few sequences; a limit of as many is the same."""
    tight = deploy(load_model("llama-3-70b"), CHIPS["h200-sxm"], layout=Layout(tensor_count=2))
    assert tight.largest_batch_count(120_000) == 4
    requests = draw(1.0, 30, prompt_tokens=119_000, output_tokens=1000)
    run = simulate_serving(tight, requests)
    order = np.sort(run.finish_s)
    begun = run.requests.arrival_s + run.ttft_s
    assert np.all(begun[4:] > order[:-4])
    limited = simulate_serving(tight, requests, batch_limit_count=4)
    np.testing.assert_allclose(limited.finish_s, run.finish_s)


def test_copies_take_turns():
    """Twice the copies at twice the rate, with requests in pairs, are two separate systems."""
    single = deploy(load_model("llama-3-8b"), CHIPS["h100-sxm"])
    double = deploy(load_model("llama-3-8b"), CHIPS["h100-sxm"], layout=Layout(data_count=2))
    requests = draw(10.0, 300)
    pairs = Requests(arrival_s=np.repeat(requests.arrival_s, 2), prompt_tokens=1000, output_tokens=200)
    one, two = simulate_serving(single, requests), simulate_serving(double, pairs)
    np.testing.assert_allclose(two.ttft_s[::2], one.ttft_s)
    np.testing.assert_allclose(two.ttft_s[1::2], one.ttft_s)
    assert two.output_tokens_per_chip_s == pytest.approx(one.output_tokens_per_chip_s)


def test_unlike_chips_prefill_and_decode():
    """Prefill on a TPU v6e slice, decode on H200s: first tokens are those of the TPU, the rest the GPU's."""
    model = load_model("llama-3-70b")
    tpu = deploy(model, CHIPS["tpu-v6e"], layout=Layout(tensor_count=8))
    gpu = deploy(model, CHIPS["h200-sxm"], layout=Layout(tensor_count=4))
    link = CacheLink(bandwidth_bytes_per_s=50e9)
    run = simulate_disaggregated(tpu, gpu, draw(0.01, 20), link)
    np.testing.assert_allclose(run.ttft_s, estimate_prefill(tpu, 1000).time_s)
    moved_s = link.find_transfer_s(gpu, 1000)
    assert moved_s == pytest.approx(327_680 * 1000 / 50e9)
    alone_s = estimate_decode(gpu, 1099).time_s
    np.testing.assert_allclose(run.tpot_s, alone_s + moved_s / 199, rtol=1e-3)
    assert run.chips_count == 12


def test_goodput_falls_with_stricter_limits_and_grows_with_chips():
    def find(level, prefillers=1):
        return find_goodput(
            lambda requests: simulate_disaggregated(
                LARGE, LARGE, requests, INSTANT, prefillers_count=prefillers
            ),
            lambda rate: draw(rate, 300),
            level,
            tolerance_fraction=0.05,
        ).requests_per_s

    loose, strict = (find(ServiceLevel(ttft_s=limit, tpot_s=0.02)) for limit in (0.5, 0.1))
    assert 0 < strict < loose
    assert find(ServiceLevel(ttft_s=0.1, tpot_s=0.02), prefillers=2) > 1.5 * strict
    assert find(ServiceLevel(ttft_s=1e-6, tpot_s=0.02)) == 0


def test_goodput_is_the_rate_that_holds():
    level = ServiceLevel(ttft_s=0.2, tpot_s=0.02)
    found = find_goodput(
        lambda requests: simulate_serving(LARGE, requests), lambda rate: draw(rate, 500), level
    )
    assert found.run.find_share_within_fraction(level) >= 0.9
    beyond = simulate_serving(LARGE, draw(found.requests_per_s * 1.05, 500))
    assert beyond.find_share_within_fraction(level) < 0.9


@given(st.floats(1e-9, 1e3), st.floats(1e-6, 1.0), st.floats(0, 0.1))
def test_the_number_of_steps_is_the_least_that_lasts(duration, first, growth):
    steps = count_steps(duration, first, growth)

    def last(count):
        return count * first + growth * count * (count - 1) / 2

    assert last(steps) >= duration * (1 - 1e-6)
    assert steps == 1 or last(steps - 1) < duration * (1 + 1e-6)


def test_random_requests_come_from_their_seed():
    first, again, other = (draw(5.0, seed=seed, length_variation_ratio=0.5) for seed in (7, 7, 8))
    for name in ("arrival_s", "prompt_tokens", "output_tokens"):
        np.testing.assert_array_equal(getattr(first, name), getattr(again, name))
        assert np.any(getattr(first, name) != getattr(other, name))
    faster = draw(10.0, seed=7, length_variation_ratio=0.5)
    np.testing.assert_allclose(faster.arrival_s, first.arrival_s / 2)


@pytest.mark.parametrize("ratio", [0.0, 0.5, 1.0, 3.0])
def test_intervals_have_the_mean_and_the_spread_asked_for(ratio):
    intervals = np.diff(draw_arrivals_s(4.0, requests_count=100_000, interval_variation_ratio=ratio))
    assert np.mean(intervals) == pytest.approx(0.25, rel=0.05)
    assert np.std(intervals) / np.mean(intervals) == pytest.approx(ratio, rel=0.05, abs=1e-6)


def test_lengths_have_the_mean_and_the_spread_asked_for():
    lengths = draw_lengths_tokens(1000, requests_count=100_000, variation_ratio=0.8)
    assert np.mean(lengths) == pytest.approx(1000, rel=0.01)
    assert np.std(lengths) / 1000 == pytest.approx(0.8, rel=0.03)


def test_traces_that_cannot_be_are_refused():
    times = np.array([0.0, 1.0])
    with pytest.raises(ValueError, match="arrival_s must be a list of times in order"):
        Requests(arrival_s=times[::-1], prompt_tokens=10, output_tokens=10)
    with pytest.raises(ValueError, match="prompt_tokens must have one entry for each of 2 arrivals, not 3"):
        Requests(arrival_s=times, prompt_tokens=np.array([1, 2, 3]), output_tokens=10)
    with pytest.raises(ValueError, match="cached_tokens must be below prompt_tokens"):
        Requests(arrival_s=times, prompt_tokens=10, output_tokens=10, cached_tokens=10)
    with pytest.raises(ValueError, match="do not fit"):
        simulate_serving(SMALL, draw(1.0, 2, prompt_tokens=10**7))
    staged = deploy(load_model("llama-3-8b"), CHIPS["h100-sxm"], layout=Layout(pipeline_count=2))
    with pytest.raises(ValueError, match="chunk_tokens needs a layout without pipeline stages"):
        simulate_serving(staged, draw(1.0, 2), chunk_tokens=100)
    with pytest.raises(ValueError, match="the same model"):
        simulate_disaggregated(SMALL, LARGE, draw(1.0, 2), INSTANT)


@pytest.mark.parametrize(("users", "chunk"), [(1, None), (7, None), (7, 1000), (40, 4000), (300, 1000)])
def test_users_who_ask_again_keep_as_many_requests_as_they_are(users, chunk):
    """Little's law: users = rate x (time to first token + decoding + pause), in the middle of the run."""
    run = simulate_users(SMALL, WORKLOAD, users, pause_s=0.05, rounds_count=12, chunk_tokens=chunk)
    assert run.requests.count == 12 * users
    steady = slice(2 * users, -2 * users)
    cycle_s = 0.05 + run.ttft_s[steady].mean() + 199 * run.tpot_s[steady].mean()
    asked_s = run.requests.arrival_s[::users]
    rate = 8 * users / (asked_s[10] - asked_s[2])
    assert users == pytest.approx(rate * cycle_s, rel=0.02)


def test_a_lone_user_waits_for_nobody():
    run = simulate_users(SMALL, WORKLOAD, 1, pause_s=1.0, rounds_count=3)
    assert run.ttft_s == pytest.approx(estimate_prefill(SMALL, 1000).time_s)
    assert np.diff(run.requests.arrival_s) == pytest.approx(1.0 + run.ttft_s[0] + 199 * run.tpot_s[0])


def test_a_prompt_that_misses_a_step_waits_for_the_prompt_on_it():
    """Users finish one step after the other. Without a pause the next step takes each prompt at once."""

    def measure(pause_s):
        run = simulate_users(SMALL, WORKLOAD, 20, pause_s=pause_s, chunk_tokens=1000)
        return run.ttft_s[20:-20].mean()

    prompt_s = measure(0.0)
    assert prompt_s == pytest.approx(estimate_prefill(SMALL, 1000).time_s, rel=0.1)
    assert measure(1e-4) == pytest.approx(2 * prompt_s, rel=0.05)


def test_users_share_copies():
    two = deploy(load_model("llama-3-8b"), CHIPS["h100-sxm"], layout=Layout(data_count=2))
    one, both = (
        simulate_users(each, WORKLOAD, users, pause_s=0.01, chunk_tokens=1000)
        for each, users in ((SMALL, 8), (two, 16))
    )
    assert np.sort(both.ttft_s)[::2] == pytest.approx(np.sort(one.ttft_s))
    with pytest.raises(ValueError, match="users_count must be at least 1 for each of 2 copies, not 1"):
        simulate_users(two, WORKLOAD, 1, pause_s=0.01)

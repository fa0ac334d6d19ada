"""Waiting times and serving at an arrival rate."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    Layout,
    Workload,
    deploy,
    estimate_prefill,
    find_mean_wait_s,
    load_catalogue,
    load_model,
    serve_arrivals,
    serve_continuously,
)

H100 = load_catalogue()["h100-sxm"]
SMALL, LARGE = load_model("llama-3-8b"), load_model("llama-3-70b")
CHAT = Workload(prompt_tokens=1000, output_tokens=200)


def serve(rates, *, layout=None, model=LARGE, **limits):
    deployment = deploy(model, H100, layout=layout or Layout(tensor_count=4))
    return deployment, serve_arrivals(deployment, CHAT, rates, **limits)


def simulate_wait_s(rate, service, servers, count=200_000):
    """Simulated mean wait, first come, first served."""
    random = np.random.default_rng(1)
    arrivals = np.cumsum(random.exponential(1 / rate, count))
    free = np.zeros(servers)
    waited = 0.0
    for arrival in arrivals:
        index = np.argmin(free)
        start = max(arrival, free[index])
        waited += start - arrival
        free[index] = start + service
    return waited / count


def test_one_server_by_hand():
    """At half load half a service. DistServe, equation 1: rate x service^2 / (2 (1 - rate x service))."""
    assert find_mean_wait_s(0.5, 1.0) == 0.5
    assert find_mean_wait_s(3.0, 0.25) == pytest.approx(3 * 0.25**2 / (2 * 0.25))


def test_two_servers_by_hand():
    """Erlang C: with one of two servers busy, a third wait, 1 / (2 - 1) services each; M/D/2 halves that."""
    assert find_mean_wait_s(1.0, 1.0, servers_count=2) == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("load", "servers", "tolerance"),
    [(0.5, 1, 0.02), (0.9, 1, 0.05), (0.5, 4, 0.15), (0.8, 4, 0.1), (0.95, 16, 0.1)],
)
def test_the_wait_is_what_a_simulation_finds(load, servers, tolerance):
    """The formula for several servers is an approximation, and the simulation has noise."""
    waited_s = simulate_wait_s(load * servers, 1.0, servers)
    assert find_mean_wait_s(load * servers, 1.0, servers_count=servers) == pytest.approx(
        waited_s, rel=tolerance
    )


@given(
    st.floats(0, 0.999), st.floats(1e-4, 1e3), st.integers(1, 300), st.floats(1.0001, 1.5), st.floats(1.01, 5)
)
@settings(max_examples=60, deadline=None)
def test_more_load_never_waits_less_and_more_servers_never_longer(load, service, servers, more, slower):
    rate = load * servers / service
    wait_s = find_mean_wait_s(rate, service, servers_count=servers)
    assert 0 <= wait_s < math.inf
    assert find_mean_wait_s(rate * more, service, servers_count=servers) >= wait_s
    assert find_mean_wait_s(rate, service * slower, servers_count=servers) >= wait_s
    assert find_mean_wait_s(rate, service, servers_count=servers + 1) <= wait_s


@pytest.mark.parametrize("servers", [1, 8, 1000])
def test_the_wait_starts_at_nothing_and_ends_beyond_measure(servers):
    waits_s = find_mean_wait_s(np.array([0, 0.999, 0.999999, 1, 2]) * servers, 1.0, servers_count=servers)
    assert waits_s[0] == 0
    assert waits_s[2] > 100 * waits_s[1] > 0
    assert waits_s[3] == waits_s[4] == math.inf


def test_arrays_broadcast():
    assert find_mean_wait_s(np.array([[0.1], [0.2]]), np.array([1.0, 2.0, 3.0])).shape == (2, 3)
    assert find_mean_wait_s(0.5, 1.0, servers_count=np.array([1, 2])).tolist() == [
        find_mean_wait_s(0.5, 1.0, servers_count=count) for count in (1, 2)
    ]


@pytest.mark.parametrize("rate", [-1, math.nan, math.inf])
def test_impossible_arrivals_are_refused(rate):
    with pytest.raises(ValueError, match="requests_per_s"):
        find_mean_wait_s(rate, 1.0)
    with pytest.raises(ValueError, match="requests_per_s"):
        serve(rate)


def test_impossible_servers_are_refused():
    with pytest.raises(ValueError, match="service_s"):
        find_mean_wait_s(1.0, 0.0)
    with pytest.raises(ValueError, match="servers_count"):
        find_mean_wait_s(1.0, 1.0, servers_count=0)


def test_a_lone_request_takes_its_prefill_and_its_steps():
    deployment, run = serve(0.0)
    assert run.ttft_s == estimate_prefill(deployment, 1000).time_s
    assert run.tpot_s == serve_continuously(deployment, CHAT, 1).tpot_s
    assert run.decoding_count == run.output_tokens_per_chip_s == 0


def test_arrivals_are_served_while_there_is_capacity_and_pile_up_beyond():
    _, run = serve(np.array([0.0, 1.0, 5.0, 1e6]))
    assert run.output_tokens_per_chip_s[:3].tolist() == [0, 50, 250]
    assert run.output_tokens_per_chip_s[3] == pytest.approx(run.capacity_requests_per_s * 50)
    assert run.ttft_s[3] == math.inf > run.tpot_s[3]


def test_near_capacity_a_request_waits_without_end():
    _, idle = serve(0.0, batch_limit_count=16)
    capacity = idle.capacity_requests_per_s
    _, near = serve(capacity * np.array([0.5, 0.99, 0.9999, 1.0]), batch_limit_count=16)
    assert idle.ttft_s < near.ttft_s[0] < near.ttft_s[1] < near.ttft_s[2] / 10
    assert near.ttft_s[3] == math.inf


def test_the_batch_is_as_large_as_arrivals_keep_it():
    """Little's law: arrival rate x time that each request holds a slot."""
    rates = np.array([2.0, 8.0, 15.0])
    deployment, run = serve(rates)
    held_s = estimate_prefill(deployment, 1000).interval_s + 199 * run.tpot_s
    np.testing.assert_allclose(rates * held_s, run.decoding_count, rtol=0.02)  # between whole batches


def test_at_a_whole_batch_the_run_is_that_of_continuous_batching():
    deployment, _ = serve(0.0)
    full = serve_continuously(deployment, CHAT, 24)
    run = serve_arrivals(deployment, CHAT, full.requests_per_s)
    assert run.decoding_count == pytest.approx(24)
    assert run.tpot_s == pytest.approx(full.tpot_s)


@given(st.floats(0, 60), st.floats(1.001, 2))
@settings(max_examples=25, deadline=None)
def test_more_arrivals_are_never_better_for_anyone(rate, more):
    _, run = serve(np.array([rate, rate * more]))
    assert run.ttft_s[1] >= run.ttft_s[0] > 0
    assert run.tpot_s[1] >= run.tpot_s[0] > 0
    assert not np.any(np.isnan([run.ttft_s, run.tpot_s, run.decoding_count]))


def test_copies_take_turns():
    """Two copies at twice the rate behave like two separate systems."""
    one = Layout(tensor_count=4)
    two = Layout(tensor_count=4, data_count=2)
    _, single = serve(3.0, layout=one, batch_limit_count=32)
    _, double = serve(6.0, layout=two, batch_limit_count=64)
    assert double.ttft_s == pytest.approx(single.ttft_s)
    assert double.tpot_s == pytest.approx(single.tpot_s)


def test_stages_that_round_up_never_serve_fewer_for_a_larger_batch():
    _, run = serve(np.linspace(0, 40, 50), model=SMALL, layout=Layout(pipeline_count=4))
    assert np.all(np.diff(run.tpot_s) >= 0)
    assert np.all(np.diff(run.decoding_count) >= 0)


def test_a_limit_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="batch_limit_count"):
        serve(1.0, layout=Layout(tensor_count=4, data_count=2), batch_limit_count=1)
    with pytest.raises(ValueError, match="sequences do not fit"):
        serve(1.0, batch_limit_count=10**6)

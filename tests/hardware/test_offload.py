"""Caches and weights beyond a link to the host."""

import numpy as np
import pytest

from diglot.hardware import (
    HostMemory,
    Layout,
    compare_fetching,
    deploy,
    deploy_with_host,
    estimate_decode,
    estimate_offloaded_decode,
    load_catalogue,
    load_model,
)

CHIPS = load_catalogue()
LARGE = load_model("llama-3-70b")
HOST = HostMemory(capacity_bytes=256e9, bandwidth_bytes_per_s=50e9, latency_s=1e-5)


def test_caches_of_a_175b_model_as_published():
    """Sheng et al. (FlexGen), section 3: 512 sequences of 512 + 32 tokens take 1.2 TB, 3.8 times the weights.

    OPT-175B has the layers of GPT-3; the paper's TB and GB are binary.
    """
    model = load_model("gpt-3-175b")
    caches = 512 * model.kv_bytes(512 + 32)
    assert caches / 2**40 == pytest.approx(1.2, rel=0.01)
    assert caches / (2 * model.parameters_count) == pytest.approx(3.8, rel=0.02)


def test_fetching_by_hand():
    """2,000 tokens of 327,680 bytes over eight links."""
    deployment = deploy(LARGE, CHIPS["h100-sxm"], layout=Layout(tensor_count=8))
    run = compare_fetching(deployment, 2000, HOST)
    assert run.fetch_s == pytest.approx(1e-5 + 327_680 * 2000 / 8 / 50e9)
    least = run.break_even_bandwidth_bytes_per_s
    slow = HostMemory(capacity_bytes=1e12, bandwidth_bytes_per_s=least, latency_s=1e-5)
    assert compare_fetching(deployment, 2000, slow).speed_up == pytest.approx(1)


def test_longer_caches_are_worth_fetching_more():
    """Fetching is linear in the context, computing has attention that is not."""
    deployment = deploy(LARGE, CHIPS["h100-sxm"], layout=Layout(tensor_count=8))
    run = compare_fetching(deployment, np.array([4000, 16_000, 64_000, 256_000]), HOST)
    assert np.all(np.diff(run.speed_up) > 0)
    assert np.all(np.diff(run.break_even_bandwidth_bytes_per_s) < 0)


def test_a_latency_longer_than_the_prefill_is_never_worth_it():
    slow = HostMemory(capacity_bytes=1e12, bandwidth_bytes_per_s=50e9, latency_s=100.0)
    run = compare_fetching(deploy(LARGE, CHIPS["h100-sxm"], layout=Layout(tensor_count=8)), 2000, slow)
    assert run.break_even_bandwidth_bytes_per_s == np.inf
    assert run.speed_up < 1


def test_weights_that_do_not_fit_are_read_over_the_link_in_every_step():
    """70B in bf16 takes 141.1 GB: 55.2 GB more than an H100 has, 1.1 s over 50 GB/s."""
    deployment = deploy_with_host(LARGE, CHIPS["h100-sxm"], HOST)
    step = estimate_offloaded_decode(deployment, HOST, 1000)
    over = 2 * LARGE.parameters_count + LARGE.kv_bytes(1000) - 80 * 2**30
    assert step.offloaded_bytes == pytest.approx(over)
    assert step.time_s == step.link_s == pytest.approx(1e-5 + over / 50e9)
    assert step.device_s == estimate_decode(deployment, 1000).time_s < step.link_s / 20


def test_what_fits_costs_nothing_more():
    host = HostMemory(capacity_bytes=64e9, bandwidth_bytes_per_s=1.0)
    small = load_model("llama-3-8b")
    step = estimate_offloaded_decode(deploy_with_host(small, CHIPS["h100-sxm"], host), host, 1000)
    assert step.offloaded_bytes == step.link_s == 0
    assert step.time_s == estimate_decode(deploy(small, CHIPS["h100-sxm"]), 1000).time_s


def test_a_faster_link_and_a_smaller_batch_are_never_slower():
    batches = np.array([1, 16, 64, 128])
    times = []
    for rate in (10e9, 50e9, 450e9):
        host = HostMemory(capacity_bytes=1e12, bandwidth_bytes_per_s=rate)
        deployment = deploy_with_host(LARGE, CHIPS["h200-sxm"], host)
        times.append(estimate_offloaded_decode(deployment, host, 4000, batch_count=batches).time_s)
    assert np.all(np.diff(times, axis=0) <= 0)
    assert np.all(np.diff(times, axis=1) >= 0)


def test_what_does_not_fit_even_so_is_refused():
    with pytest.raises(ValueError, match="takes"):
        deploy_with_host(load_model("llama-3-405b"), CHIPS["h100-sxm"], HOST)
    with pytest.raises(ValueError, match="do not fit"):
        estimate_offloaded_decode(
            deploy_with_host(LARGE, CHIPS["h100-sxm"], HOST), HOST, 100_000, batch_count=10
        )
    with pytest.raises(ValueError, match="capacity_bytes"):
        estimate_offloaded_decode(deploy(load_model("llama-3-8b"), CHIPS["h100-sxm"]), HOST, 1000)

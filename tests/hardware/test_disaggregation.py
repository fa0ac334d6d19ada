"""Prefill and decode on separate deployments: the cache's journey, and chips of two kinds."""

import numpy as np
import pytest

from diglot.hardware import (
    CacheLink,
    Layout,
    Workload,
    deploy,
    estimate_decode,
    estimate_prefill,
    load_catalogue,
    load_model,
    serve_disaggregated,
)

CHIPS, MODEL = load_catalogue(), load_model("llama-3-70b")
TPU = deploy(MODEL, CHIPS["tpu-v6e"], layout=Layout(tensor_count=8))
GPU = deploy(MODEL, CHIPS["h200-sxm"], layout=Layout(tensor_count=4))
CHAT = Workload(prompt_tokens=1000, output_tokens=200)
CACHE_BYTES = 327_680 * 1000


def test_unlike_chips_by_hand():
    """Prefills of a TPU slice keep a decoding GPU node busy: 64 requests in 199 of its steps."""
    result = serve_disaggregated(TPU, GPU, CHAT, 64, CacheLink(bandwidth_bytes_per_s=50e9, latency_s=1e-4))
    prefill_s, step_s = estimate_prefill(TPU, 1000).time_s, estimate_decode(GPU, 1100, batch_count=64).time_s
    requests_per_s = 64 / (199 * step_s)
    assert result.run.requests_per_s == pytest.approx(requests_per_s)
    assert result.run.ttft_s == prefill_s
    assert result.prefill_deployments_count == pytest.approx(requests_per_s * prefill_s)
    assert result.prefill_chips_count == pytest.approx(8 * requests_per_s * prefill_s)
    assert result.run.chips_count == pytest.approx(4 + result.prefill_chips_count)
    assert result.transfer_s == pytest.approx(1e-4 + CACHE_BYTES / 50e9)
    assert result.run.tpot_s == pytest.approx(step_s + result.transfer_s / 199)
    assert result.link_busy_fraction == pytest.approx(requests_per_s * CACHE_BYTES / 50e9)


def test_a_slow_link_is_the_limit():
    """A gigabyte per second carries three caches of 328 MB."""
    fast, slow = (
        serve_disaggregated(TPU, GPU, CHAT, 256, CacheLink(bandwidth_bytes_per_s=rate))
        for rate in (1e11, 1e9)
    )
    assert slow.link_busy_fraction == pytest.approx(1)
    assert slow.run.requests_per_s == pytest.approx(1e9 / CACHE_BYTES)
    assert slow.run.requests_per_s < fast.run.requests_per_s
    assert slow.prefill_deployments_count < fast.prefill_deployments_count


def test_faster_links_are_never_worse():
    rates = np.geomspace(1e9, 1e12, 20)
    runs = [serve_disaggregated(TPU, GPU, CHAT, 64, CacheLink(bandwidth_bytes_per_s=rate)) for rate in rates]
    assert np.all(np.diff([run.run.requests_per_s for run in runs]) >= 0)
    assert np.all(np.diff([run.run.tpot_s for run in runs]) < 0)


def test_layer_by_layer_only_the_last_layer_shows():
    link = CacheLink(bandwidth_bytes_per_s=50e9, latency_s=1e-5, layer_by_layer=True)
    whole_s = CACHE_BYTES / 50e9
    assert link.find_exposed_s(GPU, 1000, prefill_s=1.0) == pytest.approx(1e-5 + whole_s / 80)
    short_s = whole_s / 2
    exposed_s = link.find_exposed_s(GPU, 1000, prefill_s=short_s)
    assert exposed_s == pytest.approx(1e-5 + whole_s - short_s * 79 / 80)
    plain = CacheLink(bandwidth_bytes_per_s=50e9, latency_s=1e-5)
    assert plain.find_exposed_s(GPU, 1000, prefill_s=1.0) == pytest.approx(1e-5 + whole_s)


def test_what_is_cached_is_not_computed_again():
    hit = Workload(prompt_tokens=1000, output_tokens=200, cached_tokens=800)
    link = CacheLink(bandwidth_bytes_per_s=50e9)
    full, short = (serve_disaggregated(TPU, GPU, each, 64, link) for each in (CHAT, hit))
    assert short.prefill_deployments_count < full.prefill_deployments_count
    assert short.transfer_s == full.transfer_s

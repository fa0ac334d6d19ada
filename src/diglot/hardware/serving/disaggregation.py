"""Disaggregation: prefill and decode on separate deployments, of the same chips or of different ones.

Prefill chips compute the caches, and decode chips are never interrupted. In between, the cache of every
prompt travels over a link, whose rate can be the limit.
Sources: Y. Zhong et al., "DistServe", arXiv:2401.09670; P. Patel et al., "Splitwise", arXiv:2311.18677
(unlike chips; caches sent layer by layer).
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.serving.batching import ServingRun, Workload, build_run, check_batch, prefill_workload
from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.steps import estimate_decode
from diglot.hardware.sizes import (
    Real,
    SizeLike,
    check_amount,
    check_rate,
    check_size,
    to_float,
    to_plain_float,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheLink:
    """What carries caches to one decode deployment. Raises ValueError for impossible figures."""

    bandwidth_bytes_per_s: float
    """Rate into all chips of the deployment together."""
    latency_s: float = 0.0
    layer_by_layer: bool = False
    """Whether the cache of a layer travels while the next layers are computed."""

    def __post_init__(self) -> None:
        check_rate("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s)
        check_amount("latency_s", self.latency_s)

    def find_transfer_s(self, decoder: Deployment, prompt_tokens: SizeLike) -> Real:
        """Time that the cache of a prompt takes on the link."""
        prompt = check_size("prompt_tokens", prompt_tokens)
        cache_bytes = decoder.model.kv_bytes(prompt, decoder.formats.kv_cache) + decoder.model.state_bytes
        return to_plain_float(self.latency_s + cache_bytes / self.bandwidth_bytes_per_s)

    def find_exposed_s(self, decoder: Deployment, prompt_tokens: SizeLike, *, prefill_s: Real) -> Real:
        """Time from the end of a prefill to the end of the transfer.

        Layer by layer, at least that of the last layer, which has no other to hide behind.
        """
        transfer_s = self.find_transfer_s(decoder, prompt_tokens)
        computing_s = np.asarray(check_rate("prefill_s", prefill_s))
        if not self.layer_by_layer:
            return transfer_s
        layers = decoder.model.layers_count
        hidden_s = computing_s * (layers - 1) / layers
        last_s = self.latency_s + (transfer_s - self.latency_s) / layers
        return to_plain_float(np.maximum(transfer_s - hidden_s, last_s))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DisaggregatedRun:
    """Steady state of prefill and decode on separate chips, in balance."""

    run: ServingRun
    """Steady state; its chips are those of one decode deployment and its share of prefill deployments."""
    prefill_deployments_count: Real
    """Prefill deployments that keep one decode deployment busy; need not be whole."""
    prefill_chips_count: Real
    """Their chips, which may be of another kind, at another price."""
    transfer_s: Real
    """Time to transfer a prompt's cache."""
    link_busy_fraction: Real
    """Share of the time for which the link carries caches; 1 where it is the limit."""


def check_sides(prefiller: Deployment, decoder: Deployment) -> None:
    """Raise ValueError where the caches of one side are of no use to the other."""
    if prefiller.model != decoder.model or prefiller.formats.kv_cache != decoder.formats.kv_cache:
        raise ValueError("both sides must serve the same model and use the same cache format")


def serve_disaggregated(
    prefiller: Deployment, decoder: Deployment, workload: Workload, batch_count: SizeLike, link: CacheLink
) -> DisaggregatedRun:
    """Steady state with as many prefill deployments as one decode deployment needs.

    The two sides may have different chips and layouts. A request's second token waits for its cache; a
    transfer takes no time from either side. Where the link carries fewer caches than the batch finishes, it
    sets the rate, and slots stay empty.
    Raises ValueError for different models or cache formats, and where the caches of the batch do not fit.
    """
    check_sides(prefiller, decoder)
    batch = check_batch(decoder, workload, batch_count)
    prefiller.check_fits(1, workload.prompt_tokens)
    copies = prefiller.layout.groups_count
    prefill = prefill_workload(prefiller, workload)
    step_s = estimate_decode(decoder, workload.mean_context_tokens, batch_count=batch).time_s
    wanted_per_s = to_float(batch) / ((workload.output_tokens - 1) * step_s)
    transfer_s = link.find_transfer_s(decoder, workload.prompt_tokens)
    carried_s = transfer_s - link.latency_s  # transfers follow each other without waiting for the latency
    requests_per_s = np.minimum(wanted_per_s, 1 / np.asarray(carried_s))
    prefillers = requests_per_s * prefill.interval_s / copies
    shown_s = link.find_exposed_s(decoder, workload.prompt_tokens, prefill_s=prefill.time_s)
    run = build_run(
        workload,
        batch,
        chips=decoder.layout.chips_count + prefillers * prefiller.layout.chips_count,
        ttft_s=prefill.time_s + 0 * step_s,
        # The first decoded token waits for the transfer of the cache.
        tpot_s=step_s + shown_s / (workload.output_tokens - 1),
        requests_per_s=requests_per_s,
    )
    return DisaggregatedRun(
        run=run,
        prefill_deployments_count=to_plain_float(prefillers),
        prefill_chips_count=to_plain_float(prefillers * prefiller.layout.chips_count),
        transfer_s=transfer_s,
        link_busy_fraction=to_plain_float(requests_per_s * carried_s),
    )

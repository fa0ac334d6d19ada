"""Serving at an arrival rate: waiting times of requests that arrive at random (a Poisson process).

Requests are identical, so service times are constant: the M/D/1 and M/D/c queues. Without load a request
takes only its service time; at capacity the wait is infinite. All functions accept arrays of rates.
`simulation` serves requests one by one, where percentiles or requests of different lengths are wanted.
Sources: L. Kleinrock, "Queueing Systems", volume 1, 1975, sections 3.5 (M/M/c) and 5.6 (M/D/1); Y. Zhong et
al., "DistServe", arXiv:2401.09670, equation 1 (prefills as an M/D/1 queue).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from diglot.hardware.serving.batching import Workload, check_batch, combine_interrupted, prefill_workload
from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.steps import estimate_decode
from diglot.hardware.sizes import Real, SizeLike, check_amount, check_rate, check_size, to_plain_float


def find_mean_wait_s(requests_per_s: Real, service_s: Real, *, servers_count: SizeLike = 1) -> Real:
    """Mean time in the queue before service begins; infinite at and above capacity.

    One server: load x service / (2 (1 - load)), exact. Several: half of the wait with exponential service
    times, by the formula of Allen and Cunneen. It is accurate near capacity; for four servers at half load,
    where the wait is a twentieth of the service time, it is a seventh too short.
    Raises ValueError for a rate that is negative or not finite, and for a service time not above zero.
    Source: Kleinrock, sections 3.5 and 5.6; A. Allen, "Probability, Statistics, and Queueing Theory", 1990.
    """
    rate, service, servers = np.broadcast_arrays(
        np.asarray(check_amount("requests_per_s", requests_per_s)),
        np.asarray(check_rate("service_s", service_s)),
        np.asarray(check_size("servers_count", servers_count)),
    )
    busy = rate * service  # mean number of busy servers
    waits = _find_waiting_share(busy, servers)
    spare = np.where(busy < servers, servers - busy, np.nan)
    return to_plain_float(np.where(busy < servers, waits * service / (2 * spare), np.inf))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArrivalRun:
    """Waiting and response times at one arrival rate, or at an array of rates."""

    requests_per_s: Real
    capacity_requests_per_s: float
    """Capacity with the largest batch; above it the queue grows without limit."""
    utilisation_fraction: Real
    """Arrivals over capacity; may exceed 1."""
    decoding_count: Real
    """Mean number of sequences that hold a slot, over all copies."""
    prefill_wait_s: Real
    """Mean wait behind other prompts."""
    slot_wait_s: Real
    """Mean wait for a slot in the batch, which is full near capacity."""
    ttft_s: Real
    """Mean time to first token (TTFT): both waits, the rest of the running step, and its own prefill."""
    tpot_s: Real
    """Mean time per output token (TPOT) after the first, with interruptions; constant above capacity."""
    output_tokens_per_chip_s: Real
    """Output tokens per chip and second, for arrivals up to the capacity."""


def serve_arrivals(
    deployment: Deployment,
    workload: Workload,
    requests_per_s: Real,
    *,
    batch_limit_count: int | None = None,
) -> ArrivalRun:
    """Continuous batching of requests that arrive at random; prompts go before decode steps.

    The batch has the size at which `serve_continuously` gives the arrival rate. Prompts of one copy queue for
    its chips as M/D/1, with decode steps, which are not interrupted, in the idle time. The slots of a batch
    of `batch_limit_count` (default: as many as fit) are an M/D/c queue. The waits add up, and arrivals are
    spread evenly over copies.
    Raises ValueError for a rate that is negative or not finite, a batch that does not fit, and an array of
    kinds of requests.
    Source: S. Fuhrmann, R. Cooper, "Stochastic Decompositions in the M/G/1 Queue with Generalized Vacations",
    Operations Research 33(5), 1985 (half a step on top of the queue's own wait).
    """
    arrivals: npt.NDArray[np.float64] = np.asarray(check_amount("requests_per_s", requests_per_s))
    workload.check_single()
    copies = deployment.layout.groups_count
    limit = batch_limit_count
    if limit is None:
        limit = int(np.asarray(deployment.largest_batch_count(workload.longest_context_tokens)))
    slots = int(check_size("batch_limit_count", limit)) // copies
    if slots < 1:
        raise ValueError(f"batch_limit_count must be at least 1 for each of {copies} copies, not {limit}")
    batches = copies * np.arange(1, slots + 1)
    check_batch(deployment, workload, batches)
    prefill = prefill_workload(deployment, workload)
    steps_s = estimate_decode(deployment, workload.mean_context_tokens, batch_count=batches).time_s
    run = combine_interrupted(deployment, workload, batches, prefill=prefill, decode_s=steps_s)
    rates, decode_s = np.asarray(run.requests_per_s), np.asarray(steps_s)
    # A larger batch without a higher rate (stages process whole sequences) is never needed.
    needed = rates > np.maximum.accumulate(np.concatenate(([0.0], rates)))[:-1]

    def follow(values: npt.NDArray[np.float64], empty: float) -> npt.NDArray[np.float64]:
        return np.interp(
            arrivals, np.concatenate(([0.0], rates[needed])), np.concatenate(([empty], values[needed]))
        )

    capacity = float(rates.max())
    decoding = follow(batches.astype(np.float64), 0.0)
    tpots_s = np.asarray(run.tpot_s)
    prefill_wait_s = find_mean_wait_s(arrivals / copies, prefill.interval_s)
    slot_wait_s = find_mean_wait_s(arrivals / copies, copies * slots / capacity, servers_count=slots)
    # With many slots, the number of decoding sequences is Poisson; this is the probability that it is not 0.
    step_runs = 1 - np.exp(-decoding / copies)
    rest_s = step_runs * follow(decode_s, float(decode_s[0])) / 2
    served = np.minimum(arrivals, capacity)
    return ArrivalRun(
        requests_per_s=to_plain_float(arrivals),
        capacity_requests_per_s=capacity,
        utilisation_fraction=to_plain_float(arrivals / capacity),
        decoding_count=to_plain_float(decoding),
        prefill_wait_s=prefill_wait_s,
        slot_wait_s=slot_wait_s,
        ttft_s=to_plain_float(prefill.time_s + rest_s + prefill_wait_s + slot_wait_s),
        tpot_s=to_plain_float(follow(tpots_s, float(tpots_s[0]))),
        output_tokens_per_chip_s=to_plain_float(
            served * workload.output_tokens / deployment.layout.chips_count
        ),
    )


def _find_waiting_share(
    busy: npt.NDArray[np.float64], servers: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Share of requests that find all servers busy (Erlang's C), from his B.

    1 / B = 1 + c / a + c (c - 1) / a^2 + …, for c servers of which a are busy in the mean; in logarithms,
    since the terms of many servers are beyond the range of numbers.
    """
    left = servers[..., None] - np.arange(int(servers.max(initial=0)))
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.cumsum(np.log(np.maximum(left, 0)) - np.log(busy)[..., None], axis=-1)
    terms = np.where(left > 0, terms, -np.inf)
    largest = np.maximum(terms.max(axis=-1, initial=0.0), 0.0)
    with np.errstate(invalid="ignore"):
        total = np.exp(-largest) + np.exp(terms - largest[..., None]).sum(axis=-1)
        blocked = np.where(busy > 0, np.exp(-largest) / total, 0.0)
    load = np.minimum(busy / servers, 1.0)
    return np.asarray(blocked / (1 - load * (1 - blocked)))

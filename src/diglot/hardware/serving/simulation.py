"""Continuous batching simulated request by request: distributions of latencies, and goodput under a limit.

`queueing.serve_arrivals` gives means of equal requests in closed form; this gives percentiles, for requests
of any lengths at any times. Nothing is random here: the randomness is in the requests (`requests`), from a
seed. Steps take the times of the deployment, as everywhere; scheduling itself takes none.
Sources: G.-I. Yu et al., "Orca", OSDI 2022; A. Agrawal et al., "Sarathi-Serve", arXiv:2403.02310; Y. Zhong et
al., "DistServe", arXiv:2401.09670 (goodput: the highest rate at which a share of requests is within limits).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heapify, heapreplace

import numpy as np
import numpy.typing as npt

from diglot.hardware.operators.transformer import SequenceGroup, decode
from diglot.hardware.serving.batching import Workload
from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.disaggregation import CacheLink, check_sides
from diglot.hardware.serving.engine import ChunkTimes, Engine, Jobs, Log, StepTimes
from diglot.hardware.serving.prefix_cache import estimate_prefill_after_hit
from diglot.hardware.serving.requests import Requests
from diglot.hardware.serving.service_level import ServiceLevel
from diglot.hardware.serving.steps import estimate_decode, estimate_step
from diglot.hardware.sizes import check_amount, check_rate, check_share, check_size

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SimulatedRun:
    """What became of each request, and of the time between tokens."""

    requests: Requests
    chips_count: int
    ttft_s: _Floats
    """Time to first token of each request, from its arrival."""
    tpot_s: _Floats
    """Mean time per output token after the first, of each request."""
    finish_s: _Floats
    """Time at which each request is finished, on the clock of arrivals."""
    gap_s: _Floats
    """Times between tokens, each the mean of a run of steps."""
    gap_tokens: npt.NDArray[np.int64]
    """Tokens that came with each of these gaps."""

    @property
    def span_s(self) -> float:
        """Time from the first arrival to the last finish."""
        return float(self.finish_s.max() - self.requests.arrival_s[0])

    @property
    def output_tokens_per_s(self) -> float:
        """Output tokens over the whole time; at the end the system empties."""
        return float(self.requests.output_tokens.sum()) / self.span_s

    @property
    def output_tokens_per_chip_s(self) -> float:
        """The same for each chip."""
        return self.output_tokens_per_s / self.chips_count

    def find_ttft_s(self, share_fraction: float) -> float:
        """Time to first token that this share of the requests does not exceed: 0.5 is the median."""
        return float(np.quantile(self.ttft_s, check_share("share_fraction", share_fraction)))

    def find_tpot_s(self, share_fraction: float) -> float:
        """The same for the mean time per output token of a request."""
        return float(np.quantile(self.tpot_s, check_share("share_fraction", share_fraction)))

    def find_gap_s(self, share_fraction: float) -> float:
        """Time between tokens that this share of all tokens does not exceed, interruptions included."""
        share = float(check_share("share_fraction", share_fraction))
        order = np.argsort(self.gap_s)
        counted = np.cumsum(self.gap_tokens[order])
        place = int(np.searchsorted(counted, share * counted[-1]))
        return float(self.gap_s[order][min(place, counted.size - 1)])

    def find_share_within_fraction(self, level: ServiceLevel) -> float:
        """Share of the requests within both limits."""
        return float(np.mean((self.ttft_s <= level.ttft_s) & (self.tpot_s <= level.tpot_s)))


def simulate_serving(
    deployment: Deployment,
    requests: Requests,
    *,
    chunk_tokens: int | None = None,
    batch_limit_count: int | None = None,
) -> SimulatedRun:
    """Continuous batching of requests on one deployment, whose copies take them in turns.

    A prompt goes before the next decode step, and interrupts the batch; with `chunk_tokens`, its chunks ride
    on decode steps instead. A request is admitted, first come, first served, where it will fit into memory to
    its last token; `batch_limit_count` limits the batch of all copies further. An arrival is noticed at the
    end of a step. Contexts in a batch count by their mean, which is exact where attention is linear in them.
    Raises ValueError where a request does not fit, for chunks with pipeline stages, and a limit below one
    sequence per copy.
    """
    _check_serves(deployment, requests, chunk_tokens)
    slots = _count_slots(deployment, requests, batch_limit_count)
    logs = _run_copies(
        deployment,
        requests,
        slots,
        prefill_s=_find_prefill_s(deployment, requests),
        chunk_tokens=chunk_tokens,
    )
    _, *times_s = _read_times(logs, requests.count)
    return _build_run(requests, times_s, logs, deployment.layout.chips_count)


def simulate_users(
    deployment: Deployment,
    workload: Workload,
    users_count: int,
    *,
    pause_s: float,
    rounds_count: int = 10,
    chunk_tokens: int | None = None,
    batch_limit_count: int | None = None,
) -> SimulatedRun:
    """Continuous batching for users who ask again a pause after the last token of their answer.

    All begin at once, and get `rounds_count` answers in the mean. Means are best without the first
    `users_count` requests and the last, in which the engine fills and empties. The pause is that of network
    and host: a prompt that comes just after a step has begun waits for it, as long as for a whole prompt
    where another's rides on it. Otherwise as `simulate_serving`.
    Raises ValueError as that, for fewer users than copies, a pause that is negative or not finite, and an
    array of kinds of requests.
    """
    workload.check_single()
    users, rounds = (
        int(check_size(name, count))
        for name, count in (("users_count", users_count), ("rounds_count", rounds_count))
    )
    if users < deployment.layout.groups_count:
        raise ValueError(
            f"users_count must be at least 1 for each of {deployment.layout.groups_count} copies, not {users}"
        )
    pause = float(check_amount("pause_s", pause_s))
    ready_s = np.where(np.arange(users * rounds) < users, 0.0, np.inf)
    requests = Requests(
        arrival_s=np.zeros(users * rounds),
        prompt_tokens=np.asarray(workload.prompt_tokens),
        output_tokens=np.asarray(workload.output_tokens),
        cached_tokens=np.asarray(workload.cached_tokens),
    )
    _check_serves(deployment, requests, chunk_tokens)
    logs = _run_copies(
        deployment,
        requests,
        _count_slots(deployment, requests, batch_limit_count),
        prefill_s=_find_prefill_s(deployment, requests),
        chunk_tokens=chunk_tokens,
        ready_s=ready_s,
        pause_s=pause,
    )
    asked_s, first_s, finish_s = _read_times(logs, requests.count)
    order = np.argsort(asked_s, kind="stable")
    asked = replace(requests, arrival_s=asked_s[order])
    return _build_run(asked, (first_s[order], finish_s[order]), logs, deployment.layout.chips_count)


def simulate_disaggregated(
    prefiller: Deployment,
    decoder: Deployment,
    requests: Requests,
    link: CacheLink,
    *,
    prefillers_count: int = 1,
    decoders_count: int = 1,
    batch_limit_count: int | None = None,
) -> SimulatedRun:
    """Prefill and decode on separate deployments, of the same chips or not.

    Prompts queue for the first free prefill deployment; caches travel over `link`, as many at a time as there
    are prefill deployments; decoders take requests in turns. Limits as in `simulate_serving`, for each
    decoder.
    Raises ValueError as `serve_disaggregated`, and where a request does not fit.
    """
    check_sides(prefiller, decoder)
    longest = int((requests.prompt_tokens + requests.output_tokens).max())
    prefiller.check_fits(prefiller.layout.groups_count, int(requests.prompt_tokens.max()))
    decoder.check_fits(decoder.layout.groups_count, longest)
    servers = int(check_size("prefillers_count", prefillers_count)) * prefiller.layout.groups_count
    decoders = int(check_size("decoders_count", decoders_count))
    busy_s, latency_s = _find_prefill_s(prefiller, requests)
    first_s = _queue_for_servers(requests.arrival_s, busy_s, servers) + latency_s
    ready_s = first_s + np.asarray(link.find_exposed_s(decoder, requests.prompt_tokens, prefill_s=latency_s))
    order = np.argsort(ready_s, kind="stable")
    ready = Requests(
        arrival_s=ready_s[order],
        prompt_tokens=requests.prompt_tokens[order],
        output_tokens=requests.output_tokens[order],
    )
    slots = _count_slots(decoder, requests, batch_limit_count)
    nothing = np.zeros(requests.count)
    logs = _run_copies(decoder, ready, slots, prefill_s=(nothing, nothing), decoders_count=decoders)
    finish_s = np.empty(requests.count)
    finish_s[order] = _read_times(logs, requests.count)[2]
    chips = prefillers_count * prefiller.layout.chips_count + decoders * decoder.layout.chips_count
    return _build_run(requests, (first_s, finish_s), logs, chips)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Goodput:
    """The highest rate of arrivals within a service level."""

    requests_per_s: float
    """0 where not even the lowest rate tried is within it."""
    run: SimulatedRun
    """The run at that rate, or at the lowest tried."""

    @property
    def requests_per_chip_s(self) -> float:
        """The rate over the chips."""
        return self.requests_per_s / self.run.chips_count


def find_goodput(
    serve: Callable[[Requests], SimulatedRun],
    draw: Callable[[float], Requests],
    level: ServiceLevel,
    *,
    start_requests_per_s: float = 1.0,
    tolerance_fraction: float = 0.01,
) -> Goodput:
    """The highest rate at which the share of requests that the level asks for is within its limits.

    `serve` simulates requests, `draw` draws them at a rate; with a fixed seed, rates differ in nothing else.
    From the starting rate the rate is halved or doubled until the level holds on one side only, at most
    twenty times, and then bisected until both sides are within the tolerance.
    Raises ValueError for a starting rate or tolerance that is not above zero.
    Source: Zhong et al., "DistServe".
    """
    rate = float(check_rate("start_requests_per_s", start_requests_per_s))
    tolerance = float(check_rate("tolerance_fraction", tolerance_fraction))
    run = serve(draw(rate))
    holds = run.find_share_within_fraction(level) >= level.least_fraction
    good, bad = (rate, None) if holds else (None, rate)
    best = run
    for _ in range(20):
        if good is not None and bad is not None:
            break
        rate = rate * 2 if bad is None else rate / 2
        run = serve(draw(rate))
        if run.find_share_within_fraction(level) >= level.least_fraction:
            good, best = rate, run
        else:
            bad = rate
    if good is None:
        return Goodput(requests_per_s=0.0, run=run)
    while bad is not None and bad - good > tolerance * good:
        rate = (good + bad) / 2
        run = serve(draw(rate))
        if run.find_share_within_fraction(level) >= level.least_fraction:
            good, best = rate, run
        else:
            bad = rate
    return Goodput(requests_per_s=good, run=best)


def _check_serves(deployment: Deployment, requests: Requests, chunk_tokens: int | None) -> None:
    """Raise ValueError where a request does not fit, and for chunks with pipeline stages."""
    longest = int((requests.prompt_tokens + requests.output_tokens).max())
    deployment.check_fits(deployment.layout.groups_count, longest)
    if chunk_tokens is not None and deployment.layout.pipeline_count > 1:
        raise ValueError(
            f"chunk_tokens needs a layout without pipeline stages, not {deployment.layout.pipeline_count}"
        )


def _find_prefill_s(deployment: Deployment, requests: Requests) -> tuple[_Floats, _Floats]:
    """Time for which each request's prefill occupies a copy, and its latency; each kind is timed once."""
    kinds, places = np.unique(
        np.stack((requests.prompt_tokens, requests.cached_tokens)), axis=1, return_inverse=True
    )
    prefill = estimate_prefill_after_hit(
        deployment, kinds[0], cached_tokens=kinds[1], sequences_count=deployment.layout.groups_count
    )
    each = places.reshape(-1)
    return np.asarray(prefill.interval_s)[each], np.asarray(prefill.time_s)[each]


def _count_slots(deployment: Deployment, requests: Requests, limit: int | None) -> int:
    """Most sequences that a copy decodes at a time."""
    copies = deployment.layout.groups_count
    shortest = int((requests.prompt_tokens + requests.output_tokens).min())
    fitting = int(np.asarray(deployment.largest_batch_count(shortest))) // copies
    most = min(fitting, -(-requests.count // copies))
    if limit is None:
        return most
    slots = int(check_size("batch_limit_count", limit)) // copies
    if slots < 1:
        raise ValueError(f"batch_limit_count must be at least 1 for each of {copies} copies, not {limit}")
    return min(slots, most)


def _run_copies(
    deployment: Deployment,
    requests: Requests,
    slots: int,
    *,
    prefill_s: tuple[_Floats, _Floats],
    chunk_tokens: int | None = None,
    decoders_count: int = 1,
    ready_s: _Floats | None = None,
    pause_s: float = 0.0,
) -> list[tuple[slice, Log]]:
    """The logs of all copies, each with the requests that it took. `ready_s` stands for their arrivals."""
    shortest, longest = int(requests.prompt_tokens.min()), int(requests.prompt_tokens.max())
    ends = requests.prompt_tokens + requests.output_tokens
    times = _tabulate_decode(deployment, slots, shortest, max(int(ends.max()), shortest + 1))
    chunks = None
    if chunk_tokens is not None:
        chunks = _tabulate_chunks(
            deployment,
            slots,
            min(int(check_size("chunk_tokens", chunk_tokens)), longest),
            longest_prompt=longest,
            mean_context=int(np.mean(requests.prompt_tokens + requests.output_tokens // 2)),
        )
    # A cache that does not grow with the context any more (windows) would allow more; this is the stricter.
    state_bytes = deployment.state_bytes_per_chip
    token_bytes = float(np.asarray(deployment.kv_bytes_per_chip(1))) - state_bytes
    free_bytes = deployment.free_bytes_per_chip - slots * state_bytes
    capacity = free_bytes / token_bytes if token_bytes else np.inf
    copies = deployment.layout.groups_count * decoders_count
    busy_s, latency_s = prefill_s
    ready_s = requests.arrival_s if ready_s is None else ready_s
    logs = []
    for copy in range(min(copies, requests.count)):
        taken = slice(copy, None, copies)
        engine = Engine(
            Jobs(
                ready_s=ready_s[taken].tolist(),
                prompt_tokens=requests.prompt_tokens[taken].tolist(),
                cached_tokens=np.asarray(requests.cached_tokens)[taken].tolist(),
                output_tokens=requests.output_tokens[taken].tolist(),
                busy_s=busy_s[taken].tolist(),
                latency_s=latency_s[taken].tolist(),
            ),
            times,
            chunks=chunks,
            slots_count=slots,
            capacity_tokens=capacity,
            pause_s=pause_s,
        )
        logs.append((taken, engine.run()))
    return logs


def _list_slots(slots: int) -> npt.NDArray[np.int64]:
    """Batches of one copy to be timed: all up to 64, then every 4 %; between them times are interpolated."""
    spaced = np.geomspace(64, max(slots, 64), 1 + int(np.ceil(18 * np.log2(max(slots / 64, 1)))))
    return np.unique(np.minimum(np.concatenate((np.arange(1, 65), np.round(spaced))), slots).astype(np.int64))


def _spread(counts: npt.NDArray[np.int64], times_s: _Floats) -> list[float]:
    """Times of all batches from none on; `times_s` begins with that of none."""
    return [float(each) for each in np.interp(np.arange(counts[-1] + 1), [0, *counts], times_s)]


@lru_cache(maxsize=32)
def _tabulate_decode(deployment: Deployment, slots: int, low: int, high: int) -> StepTimes:
    """Times of decode steps at two contexts, between which they are linear.

    Kept, since a search for the highest rate asks for the same times again and again.
    """
    counts = _list_slots(slots)
    low_s, high_s = (
        np.asarray(
            estimate_decode(deployment, context, batch_count=deployment.layout.groups_count * counts).time_s
        )
        for context in (low, high)
    )
    slopes = (high_s - low_s) / (high - low)
    return StepTimes(
        base_s=_spread(counts, np.concatenate(([0.0], low_s - slopes * low))),
        per_token_s=_spread(counts, np.concatenate(([0.0], slopes))),
    )


@lru_cache(maxsize=32)
def _tabulate_chunks(
    deployment: Deployment, slots: int, chunk: int, *, longest_prompt: int, mean_context: int
) -> ChunkTimes:
    """What chunks add to decode steps; with no decoding sequence, the step itself."""
    copies, counts = deployment.layout.groups_count, _list_slots(slots)
    decoding = decode(mean_context, sequences_count=copies * counts)
    longest = max(longest_prompt - chunk, 1)
    alone_s = np.concatenate(([0.0], np.asarray(estimate_step(deployment, decoding).time_s)))

    def add(new_tokens: int, before_tokens: int) -> _Floats:
        riding = SequenceGroup(sequences_count=copies, new_tokens=new_tokens, context_tokens=before_tokens)
        empty_s = np.asarray(estimate_step(deployment, riding).time_s)
        mixed_s = np.asarray(estimate_step(deployment, decoding, riding).time_s)
        return np.concatenate((np.atleast_1d(empty_s), mixed_s)) - alone_s

    least_s, whole_s, late_s = add(1, 0), add(chunk, 0), add(chunk, longest)
    return ChunkTimes(
        chunk_tokens=chunk,
        least_s=_spread(counts, least_s),
        whole_s=_spread(counts, whole_s),
        per_token_s=_spread(counts, (late_s - whole_s) / longest),
    )


def _queue_for_servers(arrival_s: _Floats, busy_s: _Floats, servers: int) -> _Floats:
    """When each of the requests, in order, begins on the first free server."""
    free_s = [0.0] * servers
    heapify(free_s)
    starts = []
    for arrival, busy in zip(arrival_s.tolist(), busy_s.tolist(), strict=True):
        start = max(arrival, free_s[0])
        heapreplace(free_s, start + busy)
        starts.append(start)
    return np.asarray(starts)


def _read_times(logs: list[tuple[slice, Log]], count: int) -> tuple[_Floats, _Floats, _Floats]:
    """When all jobs were ready, had first tokens and were finished, in the order in which they were given."""
    ready_s, first_s, finish_s = np.empty(count), np.empty(count), np.empty(count)
    for taken, log in logs:
        ready_s[taken], first_s[taken], finish_s[taken] = log.ready_s, log.first_s, log.finish_s
    return ready_s, first_s, finish_s


def _build_run(
    requests: Requests, times_s: Sequence[_Floats], logs: list[tuple[slice, Log]], chips: int
) -> SimulatedRun:
    first_s, finish_s = times_s
    return SimulatedRun(
        requests=requests,
        chips_count=chips,
        ttft_s=first_s - requests.arrival_s,
        tpot_s=(finish_s - first_s) / (requests.output_tokens - 1),
        finish_s=finish_s,
        gap_s=np.concatenate([log.gap_s for _, log in logs]),
        gap_tokens=np.concatenate([np.asarray(log.gap_tokens, dtype=np.int64) for _, log in logs]),
    )

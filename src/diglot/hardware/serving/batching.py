"""Serving under load: the steady state of a deployment in which every finished request is replaced at once.

There are three ways to combine prefill with decode: whole prompts that interrupt the batch, chunks that share
decode steps, and separate chips (`disaggregation`). Requests are identical and never queue. Batches may be
arrays.
Sources: G.-I. Yu et al., "Orca", OSDI 2022 (continuous batching); A. Agrawal et al., "Sarathi-Serve",
arXiv:2403.02310 (chunked prefill).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from diglot.hardware.operators.transformer import SequenceGroup, decode
from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.prefix_cache import estimate_prefill_after_hit
from diglot.hardware.serving.steps import StepTime, estimate_decode, estimate_step
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_rate,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
    to_plain_int,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Workload:
    """Requests of one kind, or of an array of kinds, which broadcasts with batches.

    Raises ValueError for fewer than two output tokens, since then nothing is decoded, and for prompts that
    are cached as a whole.
    """

    prompt_tokens: Size
    output_tokens: Size
    cached_tokens: Size = 0
    """Tokens at the beginning of each prompt whose cache exists already, each sequence with its own copy."""

    def __post_init__(self) -> None:
        for name, least in (("prompt_tokens", 1), ("output_tokens", 2), ("cached_tokens", 0)):
            object.__setattr__(self, name, check_size(name, getattr(self, name), least=least))
        if np.any(np.asarray(self.cached_tokens) >= np.asarray(self.prompt_tokens)):
            raise ValueError(
                f"cached_tokens must be below prompt_tokens, {self.prompt_tokens!r}, "
                f"not {self.cached_tokens!r}"
            )

    @property
    def computed_tokens(self) -> Size:
        """Tokens of a prompt that its prefill computes."""
        return self.prompt_tokens - self.cached_tokens

    @property
    def mean_context_tokens(self) -> Size:
        """Tokens in the cache half-way through decoding; gives the mean step time, as its cost is linear."""
        return self.prompt_tokens + self.output_tokens // 2

    @property
    def longest_context_tokens(self) -> Size:
        """Tokens in the cache at the end, for which memory must suffice."""
        return self.prompt_tokens + self.output_tokens

    def check_single(self) -> None:
        """Raise ValueError for an array of kinds of requests."""
        if np.ndim(self.longest_context_tokens):
            raise ValueError("workload must be a single kind here, not an array of kinds")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ServingRun:
    """Steady state of one batch size, or of an array of batch sizes."""

    batch_count: Size
    """Sequences that decode at the same time, over all copies."""
    chips_count: Real
    ttft_s: Real
    """Time to first token (TTFT) of a request that does not queue."""
    tpot_s: Real
    """Mean time per output token (TPOT) after the first, including interruptions."""
    requests_per_s: Real
    output_tokens_per_s: Real
    output_tokens_per_chip_s: Real
    """Output tokens per chip and second."""

    @property
    def interactivity_tokens_per_s(self) -> Real:
        """Tokens per second that one user sees."""
        return 1 / self.tpot_s


def serve_continuously(deployment: Deployment, workload: Workload, batch_count: SizeLike) -> ServingRun:
    """Continuous batching: the next request takes a finished sequence's slot; its prefill interrupts others.

    During the output - 1 decode steps of a sequence, every slot is refilled once. A request waits for its own
    prefill, and on average for half a decode step where others are decoding.
    Raises ValueError where the caches of the batch do not fit.
    """
    batch = check_batch(deployment, workload, batch_count)
    return combine_interrupted(
        deployment,
        workload,
        batch,
        prefill=prefill_workload(deployment, workload),
        decode_s=estimate_decode(deployment, workload.mean_context_tokens, batch_count=batch).time_s,
    )


def combine_interrupted(
    deployment: Deployment, workload: Workload, batch: Size, *, prefill: StepTime, decode_s: Real
) -> ServingRun:
    """The steady state of `serve_continuously` from the times of a prompt and of a decode step."""
    slots = _count_slots(deployment, batch)
    decoding_s = (workload.output_tokens - 1) * decode_s
    period_s = decoding_s + to_float(slots) * prefill.interval_s
    others_s = to_float(slots - 1) * prefill.interval_s
    waiting_s = np.where(np.asarray(slots) > 1, decode_s / 2, 0.0)
    return build_run(
        workload,
        batch,
        chips=float(deployment.layout.chips_count),
        ttft_s=prefill.time_s + waiting_s,
        tpot_s=(decoding_s + others_s) / (workload.output_tokens - 1),
        requests_per_s=to_float(batch) / period_s,
    )


def serve_in_chunks(
    deployment: Deployment, workload: Workload, batch_count: SizeLike, *, chunk_tokens: SizeLike
) -> ServingRun:
    """Chunked prefill: a step takes every decoding sequence and up to `chunk_tokens` of prompts per copy.

    They are a part of one prompt or, where prompts are shorter, as many whole ones as come in a step. They
    share the weights that the decoding batch reads anyway. Where prompts need more steps than decoding,
    prefill binds and slots stay empty; where they need fewer, some steps have no prompt.
    Raises ValueError where the caches of the batch do not fit.
    """
    batch = check_batch(deployment, workload, batch_count)
    slots = _count_slots(deployment, batch)
    budget, steps = check_size("chunk_tokens", chunk_tokens), workload.output_tokens - 1
    chunk = to_plain_int(np.minimum(budget, workload.computed_tokens))
    chunks = to_float(divide_up(workload.computed_tokens, chunk))
    fitting = np.maximum(np.asarray(budget) // workload.computed_tokens, 1)
    prompts = to_plain_int(np.minimum(divide_up(slots, steps), fitting))
    alone_s, mixed_s = _time_mixed_steps(deployment, workload, batch, chunk, prompts_count=prompts)
    # Each pipeline stage holds one chunk at a time, so that a chunk finishes every time_s / stages.
    steps_with = to_float(slots) * chunks / to_float(prompts) / deployment.layout.pipeline_count
    period_s = np.maximum(steps_with, 0) * mixed_s + np.maximum(steps - steps_with, 0) * alone_s
    share_with = np.minimum(steps_with / steps, 1)
    return build_run(
        workload,
        batch,
        chips=float(deployment.layout.chips_count),
        ttft_s=(chunks - 1) / deployment.layout.pipeline_count * mixed_s + mixed_s,
        tpot_s=share_with * mixed_s + (1 - share_with) * alone_s,
        requests_per_s=to_float(batch) / period_s,
    )


def choose_chunk_tokens(
    deployment: Deployment, workload: Workload, batch_count: int, *, limit_s: float, step_tokens: int = 64
) -> int:
    """The largest chunk in multiples of `step_tokens`, or a whole prompt, that keeps a step within a limit.

    A limit on the time per output token thus sets the chunk, and the chunk how long a prompt takes.
    Raises ValueError where even the smallest chunk makes a step too long, where the caches of the batch do
    not fit, and for an array of kinds of requests.
    Source: A. Agrawal et al., "Sarathi-Serve", section 4.3 (token budget).
    """
    workload.check_single()
    limit = check_rate("limit_s", limit_s)
    batch = check_batch(deployment, workload, int(check_size("batch_count", batch_count)))
    whole, step = int(workload.computed_tokens), int(check_size("step_tokens", step_tokens))
    chunks = np.append(np.arange(step, whole, step), whole)
    mixed_s = np.asarray(_time_mixed_steps(deployment, workload, batch, chunks)[1])
    within = np.flatnonzero(mixed_s <= limit)
    if not within.size:
        raise ValueError(
            f"limit_s must be at least {mixed_s.min():.4g}, the time of a step with a chunk of "
            f"{chunks[np.argmin(mixed_s)]} tokens, not {limit_s!r}"
        )
    return int(chunks[within[-1]])


def list_batches(
    deployment: Deployment, workload: Workload, *, per_doubling_count: int = 2
) -> npt.NDArray[np.int64]:
    """Batches from one per copy to the largest that fits, evenly spaced on a logarithmic scale.

    Raises ValueError where not even one request fits, and for an array of kinds of requests.
    """
    workload.check_single()
    copies = deployment.layout.groups_count
    largest = int(np.asarray(deployment.largest_batch_count(workload.longest_context_tokens)))
    if largest < 1:
        raise ValueError(
            f"a request of {workload.longest_context_tokens} tokens does not fit into memory with the weights"
        )
    doublings = np.log2(largest / copies)
    steps = max(1, int(np.ceil(doublings * check_size("per_doubling_count", per_doubling_count))))
    spaced = copies * 2 ** np.linspace(0, doublings, steps + 1)
    return np.unique(np.clip(np.round(spaced), 1, largest).astype(np.int64))


def find_pareto_front(latency_s: npt.ArrayLike, throughput: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Indices of the Pareto-optimal points (latency against throughput), by increasing latency.

    A point is left out if another has at least its throughput at no more latency; of equal points one stays.
    Raises ValueError for lists of unequal length and for values that are not finite.
    """
    latency, rate = np.asarray(latency_s, dtype=np.float64), np.asarray(throughput, dtype=np.float64)
    if latency.ndim != 1 or latency.shape != rate.shape:
        raise ValueError("latency and throughput must be two lists of the same length")
    if not (np.all(np.isfinite(latency)) and np.all(np.isfinite(rate))):
        raise ValueError("latency and throughput must be finite")
    order = np.lexsort((-rate, latency))
    best = np.maximum.accumulate(np.concatenate(([-np.inf], rate[order])))[:-1]
    return order[rate[order] > best].astype(np.int64)


def find_best_within(latency_s: npt.ArrayLike, throughput: npt.ArrayLike, *, limit_s: float) -> int:
    """Index of the point with the most throughput within the latency limit; on a tie the faster one.

    Raises ValueError where no point does, and as `find_pareto_front`.
    """
    latency = np.asarray(latency_s, dtype=np.float64)
    # Along the front throughput rises with latency, so the last point within the limit is the best.
    within = [int(index) for index in find_pareto_front(latency, throughput) if latency[index] <= limit_s]
    if not within:
        raise ValueError(f"no latency is within {limit_s} s; the lowest is {latency.min():.4g} s")
    return within[-1]


def check_batch(deployment: Deployment, workload: Workload, batch_count: SizeLike) -> Size:
    """Number of sequences in the batch, as a size. Raises ValueError where its caches do not fit."""
    batch = check_size("batch_count", batch_count)
    deployment.check_fits(batch, workload.longest_context_tokens)
    return batch


def _time_mixed_steps(
    deployment: Deployment, workload: Workload, batch: Size, chunk: Size, *, prompts_count: Size = 1
) -> tuple[Real, Real]:
    """Time of a decode step alone, and of one that takes a chunk in the middle of each of these prompts."""
    decoding = decode(
        workload.mean_context_tokens, sequences_count=divide_up(batch, deployment.layout.pipeline_count)
    )
    # Attention is linear in the context before the chunk, so that the mean chunk stands for all.
    riding = SequenceGroup(
        sequences_count=deployment.layout.groups_count * prompts_count,
        new_tokens=chunk,
        context_tokens=workload.cached_tokens + (workload.computed_tokens - chunk) // 2,
    )
    alone_s = estimate_step(deployment, decoding).time_s
    return alone_s, estimate_step(deployment, decoding, riding).time_s


def prefill_workload(deployment: Deployment, workload: Workload) -> StepTime:
    """Prefill of one prompt for each copy, without the part that is cached."""
    return estimate_prefill_after_hit(
        deployment,
        workload.prompt_tokens,
        cached_tokens=workload.cached_tokens,
        sequences_count=deployment.layout.groups_count,
    )


def _count_slots(deployment: Deployment, batch: Size) -> Size:
    """Slots in each group with different sequences."""
    return divide_up(batch, deployment.layout.groups_count)


def build_run(
    workload: Workload, batch: Size, *, chips: Real, ttft_s: Real, tpot_s: Real, requests_per_s: Real
) -> ServingRun:
    """A run with the rates that follow."""
    tokens_per_s = requests_per_s * workload.output_tokens
    return ServingRun(
        batch_count=batch,
        chips_count=to_plain_float(chips),
        ttft_s=to_plain_float(ttft_s),
        tpot_s=to_plain_float(tpot_s),
        requests_per_s=to_plain_float(requests_per_s),
        output_tokens_per_s=to_plain_float(tokens_per_s),
        output_tokens_per_chip_s=to_plain_float(tokens_per_s / chips),
    )

"""Prefix caching: prompts that begin like earlier ones reuse the cache of the common part.

A hit saves the arithmetic of the cached tokens, not the attention of new tokens to them. A prefix that all
sequences share lies in memory once.
Sources: L. Zheng et al., "SGLang: Efficient Execution of Structured Language Model Programs",
arXiv:2312.07104 (RadixAttention); H. Che, Y. Tung, Z. Wang, "Hierarchical Web Caching Systems: Modeling,
Design and Experimental Results", IEEE JSAC 20(7), 2002 (hit share of a least-recently-used cache).
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.operators.transformer import SequenceGroup
from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.steps import StepTime, estimate_prefill, estimate_step
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_amount,
    check_share,
    check_size,
    to_plain_float,
    to_plain_int,
)

_MOST_REQUESTS = 1e300
"""Below the largest float, so that its product with a share is a number."""


def estimate_prefill_after_hit(
    deployment: Deployment, prompt_tokens: SizeLike, *, cached_tokens: SizeLike, sequences_count: SizeLike = 1
) -> StepTime:
    """Prefill of prompts whose first `cached_tokens` tokens are in the cache; the least time to first token.

    The last token of a prompt is always computed, since the next one follows from it.
    Raises ValueError for sizes below 1 and where nothing of the prompt is left.
    """
    prompt = check_size("prompt_tokens", prompt_tokens)
    cached = check_size("cached_tokens", cached_tokens, least=0)
    if np.any(np.asarray(cached) >= np.asarray(prompt)):
        raise ValueError(
            f"cached_tokens must be below prompt_tokens, {prompt_tokens!r}, not {cached_tokens!r}"
        )
    return estimate_step(
        deployment,
        SequenceGroup(
            sequences_count=check_size("sequences_count", sequences_count),
            new_tokens=prompt - cached,
            context_tokens=cached,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrefixRun:
    """Prefill with a prefix that is cached for a share of the requests."""

    hit_s: Real
    """Time to first token of a request that finds its prefix."""
    miss_s: Real
    """Time to first token of one that does not."""
    hit_fraction: Real
    """Share of the requests that find it."""

    @property
    def mean_s(self) -> Real:
        """Mean time to first token, without queueing."""
        return to_plain_float(self.hit_fraction * self.hit_s + (1 - self.hit_fraction) * self.miss_s)

    @property
    def speed_up(self) -> Real:
        """Prompts per second over those without a cache."""
        return to_plain_float(self.miss_s / self.mean_s)


def cache_prefix(
    deployment: Deployment, prompt_tokens: SizeLike, *, prefix_tokens: SizeLike, hit_fraction: Real
) -> PrefixRun:
    """Prompts of which a share finds its first `prefix_tokens` tokens in the cache.

    Raises ValueError as `estimate_prefill_after_hit`, and for a share outside [0, 1].
    """
    prefix = check_size("prefix_tokens", prefix_tokens)
    prompt = check_size("prompt_tokens", prompt_tokens)
    if np.any(np.asarray(prefix) >= np.asarray(prompt)):
        raise ValueError(
            f"prefix_tokens must be below prompt_tokens, {prompt_tokens!r}, not {prefix_tokens!r}"
        )
    return PrefixRun(
        hit_s=estimate_prefill_after_hit(deployment, prompt, cached_tokens=prefix).time_s,
        miss_s=estimate_prefill(deployment, prompt).time_s,
        hit_fraction=check_share("hit_fraction", hit_fraction),
    )


def count_sharing_sequences(
    deployment: Deployment, context_tokens: SizeLike, *, prefix_tokens: SizeLike
) -> Size:
    """Sequences that fit where all share their first `prefix_tokens` tokens, over all copies; may be 0.

    Each copy holds the prefix once. Raises ValueError for a prefix that is not shorter than the sequences.
    """
    context, prefix = check_size("context_tokens", context_tokens), check_size("prefix_tokens", prefix_tokens)
    if np.any(np.asarray(prefix) >= np.asarray(context)):
        raise ValueError(
            f"prefix_tokens must be below context_tokens, {context_tokens!r}, not {prefix_tokens!r}"
        )
    shared_bytes = deployment.kv_bytes_per_chip(prefix)
    own_bytes = deployment.kv_bytes_per_chip(context) - shared_bytes + deployment.state_bytes_per_chip
    # A cache whose windows are all full does not grow with the sequence.
    free_bytes = np.maximum(deployment.free_bytes_per_chip - shared_bytes, 0.0)
    fits = np.floor(free_bytes / np.maximum(own_bytes, 1.0))
    return to_plain_int(np.asarray(fits).astype(np.int64) * deployment.layout.groups_count)


def find_hit_fraction(prefixes_count: SizeLike, *, kept_count: SizeLike, skew: float = 0.0) -> Real:
    """Share of requests whose prefix is among the `kept_count` most recently used of `prefixes_count`.

    Requests choose independently, the i-th prefix in proportion to 1 / i**`skew` (Zipf's law, an assumption).
    Che's approximation: a prefix is there if it was asked for within the time in which as many others are as
    fit.
    Raises ValueError for counts below 1, and a skew that is negative or not finite.
    """
    prefixes = np.asarray(check_size("prefixes_count", prefixes_count))
    kept = np.asarray(check_size("kept_count", kept_count))
    exponent = float(check_amount("skew", skew))
    several = np.broadcast(prefixes, kept)
    found = [_find_hit_fraction(int(count), int(most), exponent) for count, most in several]
    return to_plain_float(np.reshape(found, several.shape))


def _find_hit_fraction(prefixes: int, kept: int, skew: float) -> float:
    if kept >= prefixes:
        return 1.0
    shares = np.arange(1, prefixes + 1, dtype=np.float64) ** -skew
    shares /= shares.sum()
    # The number of requests in which `kept` different prefixes are asked for, by bisection.
    low, high = 0.0, float(kept)
    # Where a steep skew makes shares vanish, so many prefixes are never asked for.
    while high < _MOST_REQUESTS and np.sum(-np.expm1(-high * shares)) < kept:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if np.sum(-np.expm1(-middle * shares)) < kept:
            low = middle
        else:
            high = middle
    return float(np.sum(shares * -np.expm1(-high * shares)))

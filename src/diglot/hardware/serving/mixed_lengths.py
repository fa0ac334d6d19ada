"""Sequences of different lengths in one step: padded to one length, to buckets, or packed side by side.

A compiler that fixes shapes ahead of time, as XLA does on TPUs, needs one program per shape, and hence
padding or a few buckets. Kernels that take lengths as data (ragged or paged attention, on TPUs, too) pack.
Sources: M. Krell et al., "Efficient Sequence Packing without Cross-contamination", arXiv:2107.02027; G.-I. Yu
et al., "Orca", OSDI 2022 (selective batching: products over all tokens, attention sequence by sequence).
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.steps import StepTime, estimate_decode, estimate_prefill
from diglot.hardware.sizes import SizeLike, check_choice, check_size, to_plain_float

Shaping = Literal["padded", "bucketed", "packed"]
SHAPINGS: tuple[Shaping, ...] = get_args(Shaping)

_Sizes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LengthRun:
    """Steps over sequences of different lengths."""

    useful_tokens: float
    """Tokens of the sequences."""
    processed_tokens: float
    """Tokens of the shapes that hold them."""
    time_s: float

    @property
    def token_efficiency_fraction(self) -> float:
        """Share of the processed tokens that are not padding."""
        return self.useful_tokens / self.processed_tokens

    @property
    def tokens_per_s(self) -> float:
        """Useful tokens per second."""
        return self.useful_tokens / self.time_s


def list_buckets(most_tokens: int, *, least_tokens: int = 16) -> _Sizes:
    """Powers of two from `least_tokens`, which is rounded up to one, to the first that holds `most_tokens`.

    Lengths that are evenly spread on a logarithmic scale fill them to 1 / (2 ln 2), 72 %.
    """
    most, least = check_size("most_tokens", most_tokens), check_size("least_tokens", least_tokens)
    first, last = (int(np.ceil(np.log2(each))) for each in (least, max(int(most), int(least))))
    return np.asarray(2 ** np.arange(first, last + 1, dtype=np.int64))


def prefill_lengths(
    deployment: Deployment,
    prompt_tokens: SizeLike,
    *,
    shaping: Shaping = "packed",
    batch_count: int = 8,
    buckets_tokens: SizeLike | None = None,
    row_tokens: int = 8192,
) -> LengthRun:
    """Prefill of prompts of these lengths, in order of arrival.

    `padded`: batches of `batch_count` prompts, each padded to its longest. `bucketed`: batches of prompts of
    one bucket, padded to its length (default: powers of two); the last batch of a bucket may be smaller.
    `packed`: rows of `row_tokens` tokens that prompts fill without gaps, cut at the end of a row, and
    attention of each prompt to itself alone; only the last rows are not full. Pieces of a cut prompt read its
    cache again, which is left out.
    Raises ValueError for impossible sizes, an unknown shaping, and prompts that are longer than all buckets.
    """
    check_choice("shaping", shaping, SHAPINGS)
    prompts = np.atleast_1d(np.asarray(check_size("prompt_tokens", prompt_tokens)))
    batch = int(check_size("batch_count", batch_count))
    row = int(check_size("row_tokens", row_tokens))
    useful = float(prompts.sum())
    given = list_buckets(int(prompts.max())) if buckets_tokens is None else buckets_tokens
    buckets = np.sort(np.atleast_1d(check_size("buckets_tokens", given)))
    if shaping == "packed":
        return _prefill_packed(deployment, prompts, row)
    if shaping == "padded":
        starts = np.arange(0, prompts.size, batch)
        lengths = np.maximum.reduceat(prompts, starts)
        sizes = np.minimum(batch, prompts.size - starts)
    else:
        lengths, sizes = _fill_buckets(prompts, buckets, batch)
    # One call per distinct shape: a long list of prompts has few.
    shapes, repeats = np.unique(np.stack((lengths, sizes)), axis=1, return_counts=True)
    times_s = np.asarray(estimate_prefill(deployment, shapes[0], sequences_count=shapes[1]).interval_s)
    return LengthRun(
        useful_tokens=useful,
        processed_tokens=float(np.sum(lengths.astype(np.float64) * sizes)),
        time_s=float(np.sum(times_s * repeats)),
    )


def decode_lengths(
    deployment: Deployment, context_tokens: SizeLike, *, shaping: Literal["padded", "packed"] = "packed"
) -> LengthRun:
    """One decode step of a batch whose sequences have these contexts.

    `padded` reads every cache to the length of the longest, `packed` each to its own. Tokens are those whose
    caches are read. Raises ValueError for impossible sizes and an unknown shaping.
    """
    check_choice("shaping", shaping, ("padded", "packed"))
    contexts = np.atleast_1d(np.asarray(check_size("context_tokens", context_tokens)))
    useful = float(contexts.sum())
    processed = float(contexts.max()) * contexts.size if shaping == "padded" else useful
    # The time of a step is linear in the context, so that its mean stands for all.
    mean = processed / contexts.size
    ends = np.array([int(np.floor(mean)), int(np.floor(mean)) + 1])
    steps_s = np.asarray(estimate_decode(deployment, ends, batch_count=contexts.size).time_s)
    time_s = float(np.interp(mean, ends, steps_s))
    return LengthRun(useful_tokens=useful, processed_tokens=processed, time_s=time_s)


def _fill_buckets(prompts: _Sizes, buckets: _Sizes, batch: int) -> tuple[_Sizes, _Sizes]:
    """Length and number of sequences of every batch."""
    if prompts.max() > buckets[-1]:
        raise ValueError(f"buckets_tokens must reach {prompts.max()}, the longest prompt, not {buckets[-1]}")
    counts = np.bincount(np.searchsorted(buckets, prompts), minlength=buckets.size)
    whole, rest = counts // batch, counts % batch
    lengths = np.concatenate((np.repeat(buckets, whole), buckets[rest > 0]))
    return lengths, np.concatenate((np.full(int(whole.sum()), batch), rest[rest > 0]))


def _prefill_packed(deployment: Deployment, prompts: _Sizes, row: int) -> LengthRun:
    copies = deployment.layout.groups_count
    useful = float(prompts.sum())
    rows = max(1.0, np.ceil(useful / row / copies))
    filled = int(np.ceil(useful / rows / copies))
    whole = estimate_prefill(deployment, filled, sequences_count=copies)
    lengths, repeats = np.unique(prompts, return_counts=True)
    own_s = np.asarray(_find_attention_s(estimate_prefill(deployment, lengths, sequences_count=copies)))
    shared_s = rows * (whole.time_s - to_plain_float(_find_attention_s(whole)))
    time_s = shared_s + float(np.sum(own_s * repeats)) / copies
    return LengthRun(
        useful_tokens=useful,
        processed_tokens=float(rows * filled * copies),
        time_s=float(time_s / deployment.layout.pipeline_count),
    )


def _find_attention_s(step: StepTime) -> float | npt.NDArray[np.floating]:
    """Time of attention itself, without its projections."""
    chosen = [entry.time_s for entry in step.operators if entry.operator.name.endswith("attention")]
    return sum(chosen[1:], chosen[0])

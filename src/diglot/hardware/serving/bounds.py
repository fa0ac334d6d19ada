"""Back-of-the-envelope bounds for serving a model of which only parameter count and cache size are known.

Formulas of J. Austin et al., "How to Scale Your Model", parts 7 and 8. For a model with known sizes,
`deployment` does the same operator by operator.
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_amount,
    check_rate,
    check_share,
    check_size,
    to_float,
    to_plain_float,
    to_plain_int,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecodeBound:
    """Least times of one decode step on all chips together."""

    kv_time_s: Real
    """All caches read once. Attention is never compute-bound, so arithmetic does not hide this."""
    weights_time_s: Real
    """All (active) weights read once."""
    compute_time_s: Real
    """Two FLOPs per parameter and sequence."""
    time_s: Real
    """Cache time plus the longer of weights and compute time."""
    tokens_per_s: Real
    """Batch over `time_s`."""


def bound_decode_step(
    parameters_count: Real,
    batch_count: SizeLike = 1,
    *,
    roofline: Roofline,
    chips_count: SizeLike = 1,
    weight_dtype: DType = "bf16",
    kv_bytes_per_sequence: Real = 0.0,
) -> DecodeBound:
    """Least time of a decode step: caches + max(weights, arithmetic), perfectly split over the chips.

    `roofline` is that of one chip. Ignores communication. Raises ValueError for sizes below 1 and negative
    bytes.
    Source: "How to Scale Your Model", part 7.
    """
    parameters = check_rate("parameters_count", parameters_count)
    batch, chips = (
        to_float(check_size("batch_count", batch_count)),
        to_float(check_size("chips_count", chips_count)),
    )
    kv_bytes = check_amount("kv_bytes_per_sequence", kv_bytes_per_sequence)
    bandwidth = chips * roofline.memory_bandwidth_bytes_per_s
    kv_s = to_plain_float(batch * kv_bytes / bandwidth)
    weights_s = parameters * bytes_per_element(weight_dtype) / bandwidth
    compute_s = 2 * batch * parameters / (chips * roofline.peak_flops_per_s)
    time_s = kv_s + np.maximum(weights_s, compute_s)
    return DecodeBound(
        kv_time_s=kv_s,
        weights_time_s=weights_s,
        compute_time_s=compute_s,
        time_s=to_plain_float(time_s),
        tokens_per_s=to_plain_float(batch / time_s),
    )


def bound_read_time_s(
    total_bytes: Real, *, memory_bandwidth_bytes_per_s: Real, chips_count: SizeLike = 1
) -> Real:
    """Least time to read `total_bytes`, spread evenly over the chips, as a decode step reads all data."""
    rate = to_float(check_size("chips_count", chips_count)) * check_rate(
        "memory_bandwidth_bytes_per_s", memory_bandwidth_bytes_per_s
    )
    return check_rate("total_bytes", total_bytes) / rate


def bound_prefill_time_s(
    parameters_count: Real,
    tokens: SizeLike,
    *,
    peak_flops_per_s: Real,
    chips_count: SizeLike = 1,
    mfu_fraction: Real = 1.0,
) -> Real:
    """Time of a prefill at a utilisation: 2 FLOPs per parameter and token, without attention scores.

    Source: "How to Scale Your Model", part 8.
    """
    check_share("mfu_fraction", mfu_fraction, zero=False)
    flops = 2 * check_rate("parameters_count", parameters_count) * to_float(check_size("tokens", tokens))
    peak = check_rate("peak_flops_per_s", peak_flops_per_s) * mfu_fraction
    return flops / (to_float(check_size("chips_count", chips_count)) * peak)


def count_fitting_sequences(memory_bytes: Real, *, weights_bytes: Real, kv_bytes_per_sequence: Real) -> Size:
    """Number of sequences whose caches fit in the memory of all chips next to the weights.

    Raises ValueError where the weights alone do not fit.
    """
    free = check_rate("memory_bytes", memory_bytes) - check_rate("weights_bytes", weights_bytes)
    if np.any(free < 0):
        raise ValueError(f"weights of {weights_bytes!r} bytes do not fit in {memory_bytes!r}")
    sequences = np.floor(free / check_rate("kv_bytes_per_sequence", kv_bytes_per_sequence))
    return to_plain_int(np.asarray(sequences).astype(np.int64))


def find_requests_per_s(batch_count: SizeLike, *, step_s: Real, output_tokens: SizeLike) -> Real:
    """Requests that a decoding batch finishes per second: batch / (step x output tokens)."""
    seconds = check_rate("step_s", step_s) * to_float(check_size("output_tokens", output_tokens))
    return to_float(check_size("batch_count", batch_count)) / seconds


def balance_prefill_pools(
    *, prefill_s: Real, batch_count: SizeLike, step_s: Real, output_tokens: SizeLike
) -> Real:
    """Prefill servers that keep one decode server busy: its requests per second x time of a prefill.

    Source: "How to Scale Your Model", part 8 (disaggregation).
    """
    requests_per_s = find_requests_per_s(batch_count, step_s=step_s, output_tokens=output_tokens)
    return check_rate("prefill_s", prefill_s) * requests_per_s

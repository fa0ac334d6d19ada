"""Batch sizes and ways at which layouts change from communication-bound to compute-bound.

Formulas of J. Austin et al., "How to Scale Your Model", parts 5, 8 and 12. The network's ridge point is the
peak over the send rate of a chip: the FLOPs needed per byte sent. The rate of a torus axis counts both
directions; several axes share the load. For matrix products of 16-bit numbers, unless `weight_dtype` says
otherwise.
"""

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.sizes import Real, SizeLike, check_rate, check_size, to_float, to_plain_float


def find_network_ridge_flops_per_byte(*, peak_flops_per_s: Real, bandwidth_bytes_per_s: Real) -> Real:
    """Ridge point of the network: FLOPs that a chip can do while it sends one byte."""
    peak = check_rate("peak_flops_per_s", peak_flops_per_s)
    return peak / check_rate("bandwidth_bytes_per_s", bandwidth_bytes_per_s)


def find_data_parallel_limit_tokens(
    network_ridge_flops_per_byte: Real, *, axes_count: SizeLike = 1, weight_dtype: DType = "bf16"
) -> Real:
    """Least tokens per chip for which the arithmetic hides the all-gather of sharded weights (FSDP).

    Ridge x bytes of a weight / (2 x axes): each gathered weight is used for two FLOPs per token. Plain data
    parallelism, with a copy per chip, has the same limit. Source: parts 3 (question 4) and 5.
    """
    ridge = check_rate("network_ridge_flops_per_byte", network_ridge_flops_per_byte)
    return ridge * bytes_per_element(weight_dtype) / (2 * to_float(check_size("axes_count", axes_count)))


def find_tensor_parallel_limit_ways(
    feed_forward_elements: SizeLike, network_ridge_flops_per_byte: Real, *, axes_count: SizeLike = 1
) -> Real:
    """Most tensor-parallel ways whose transfers the arithmetic hides: inner width x axes / ridge.

    Independent of the batch. Source: part 5.
    """
    ridge = check_rate("network_ridge_flops_per_byte", network_ridge_flops_per_byte)
    width = to_float(check_size("feed_forward_elements", feed_forward_elements))
    return width * to_float(check_size("axes_count", axes_count)) / ridge


def find_mixed_limit_tokens(
    feed_forward_elements: SizeLike,
    network_ridge_flops_per_byte: Real,
    *,
    data_axes_count: int = 2,
    tensor_axes_count: int = 1,
) -> Real:
    """Least tokens per chip with the best mix of FSDP and tensor parallelism.

    Ridge^2 / (axes x inner width), where axes is the product of both kinds. Source: part 5.
    """
    ridge = check_rate("network_ridge_flops_per_byte", network_ridge_flops_per_byte)
    axes = check_size("data_axes_count", data_axes_count) * check_size("tensor_axes_count", tensor_axes_count)
    return ridge**2 / (to_float(axes) * to_float(check_size("feed_forward_elements", feed_forward_elements)))


def find_best_data_parallel_ways(
    batch_tokens: SizeLike,
    feed_forward_elements: SizeLike,
    chips_count: SizeLike,
    *,
    data_axes_count: int = 2,
    tensor_axes_count: int = 1,
) -> Real:
    """FSDP ways with the least communication: sqrt(batch / inner width x data axes / tensor axes x chips).

    The other ways are tensor-parallel. Not whole: round to a divisor of the chips. Source: part 5.
    """
    ratio = to_float(check_size("batch_tokens", batch_tokens)) / to_float(
        check_size("feed_forward_elements", feed_forward_elements)
    )
    axes = to_float(check_size("data_axes_count", data_axes_count)) / to_float(
        check_size("tensor_axes_count", tensor_axes_count)
    )
    return to_plain_float(np.sqrt(ratio * axes * to_float(check_size("chips_count", chips_count))))


def find_decode_tensor_limit_ways(
    feed_forward_elements: SizeLike, batch_count: SizeLike, *, memory_to_network_ratio: float
) -> Real:
    """Most tensor-parallel ways for which decoding is bound by memory and not by links.

    Inner width / (ratio x batch): with more ways weights are read faster, but activations are sent no faster.
    `memory_to_network_ratio` is memory bandwidth over the send rate of a chip. Source: part 8.
    """
    ratio = check_rate("memory_to_network_ratio", memory_to_network_ratio)
    batch = to_float(check_size("batch_count", batch_count))
    return to_float(check_size("feed_forward_elements", feed_forward_elements)) / (ratio * batch)


def find_tokens_per_chip(batch_tokens: SizeLike, chips_count: SizeLike) -> Real:
    """Tokens of a batch per chip, however they are split, for comparison with the limits above."""
    batch = to_float(check_size("batch_tokens", batch_tokens))
    return batch / to_float(check_size("chips_count", chips_count))


def find_least_batch_tokens(tokens_per_chip: Real, chips_count: SizeLike) -> Real:
    """Batch of the whole cluster that gives each chip `tokens_per_chip` tokens."""
    return check_rate("tokens_per_chip", tokens_per_chip) * to_float(check_size("chips_count", chips_count))

"""From which batch a layout is bound by arithmetic and no longer by its links.

The formulas of J. Austin et al., "How to Scale Your Model", parts 5, 8 and 12. The network's ridge is the
peak over what a chip can send: FLOPs that must be done for each byte. A network axis of a torus counts with
both directions; several axes share the load. For matrix products of 16-bit numbers, unless `weight_dtype`
says otherwise.
"""

import numpy as np

from diglot.hardware.dtypes import DType, bytes_per_element
from diglot.hardware.sizes import Real, SizeLike, check_rate, check_size, to_float, to_plain_float


def find_network_ridge_flops_per_byte(*, peak_flops_per_s: Real, bandwidth_bytes_per_s: Real) -> Real:
    """FLOPs that a chip can do while it sends one byte."""
    peak = check_rate("peak_flops_per_s", peak_flops_per_s)
    return peak / check_rate("bandwidth_bytes_per_s", bandwidth_bytes_per_s)


def find_data_parallel_limit_tokens(
    network_ridge_flops_per_byte: Real, *, axes_count: SizeLike = 1, weight_dtype: DType = "bf16"
) -> Real:
    """Least tokens on each chip for which sharded weights (FSDP) are gathered behind the arithmetic.

    Ridge x bytes of a weight / (2 x axes): each weight that arrives is used for two FLOPs per token. A plain
    copy per chip (data parallel) has the same limit. Source: parts 3 (question 4) and 5.
    """
    ridge = check_rate("network_ridge_flops_per_byte", network_ridge_flops_per_byte)
    return ridge * bytes_per_element(weight_dtype) / (2 * to_float(check_size("axes_count", axes_count)))


def find_tensor_parallel_limit_ways(
    feed_forward_elements: SizeLike, network_ridge_flops_per_byte: Real, *, axes_count: SizeLike = 1
) -> Real:
    """Most tensor-parallel ways whose activations travel behind the arithmetic: inner width x axes / ridge.

    The batch does not matter. Source: part 5.
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
    """Least tokens on each chip where FSDP and tensor parallelism are mixed best.

    Ridge^2 / (axes x inner width).
    The axes of both kinds multiply. Source: part 5.
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
    """FSDP ways that make mixed parallelism talk least: sqrt(batch / inner width x axes' ratio x chips).

    The rest of the chips is tensor parallel. Not whole: round to what divides. Source: part 5.
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
    """Most tensor-parallel ways for which decoding waits for memory and not for links.

    Inner width / (ratio x batch): weights are read faster, activations are sent as slowly as before.
    `memory_to_network_ratio` is memory bandwidth over what a chip can send. Source: part 8.
    """
    ratio = check_rate("memory_to_network_ratio", memory_to_network_ratio)
    batch = to_float(check_size("batch_count", batch_count))
    return to_float(check_size("feed_forward_elements", feed_forward_elements)) / (ratio * batch)


def find_tokens_per_chip(batch_tokens: SizeLike, chips_count: SizeLike) -> Real:
    """Tokens of a batch for each chip, however they are split: what the limits above are held against."""
    batch = to_float(check_size("batch_tokens", batch_tokens))
    return batch / to_float(check_size("chips_count", chips_count))


def find_least_batch_tokens(tokens_per_chip: Real, chips_count: SizeLike) -> Real:
    """Batch of the whole cluster that gives each chip so many tokens."""
    return check_rate("tokens_per_chip", tokens_per_chip) * to_float(check_size("chips_count", chips_count))

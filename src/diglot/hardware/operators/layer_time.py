"""Time of fused attention and of a layer of experts on one chip, ideal or as replayed kernels take it.

time_attention(chip, AttentionShape.of_sequence(4096, 32, 128), mode="calibrated").time_s
time_experts(chip, ExpertLayer(width_elements=4096, …), 512, expert_ways=8, mode="calibrated").time_s
"""

from dataclasses import dataclass, replace
from typing import Any, cast, get_args

import numpy as np

from diglot.hardware.chips.calibration import IDEAL
from diglot.hardware.chips.calibration import Operator as MeasuredOperator
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.chips.replay import (
    LAUNCHES,
    AttentionFactors,
    ExpertFactors,
    Launches,
    ReplayedOperator,
    load_replay,
)
from diglot.hardware.chips.spreads import Subject
from diglot.hardware.dtypes import DTYPES, DType, bytes_per_element
from diglot.hardware.gpus.attention_time import count_exponentials_per_s
from diglot.hardware.kernels.attention import AttentionForm, AttentionShape, count_flash_attention
from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.kernels.layers import ExpertLayer
from diglot.hardware.operators.operator_time import (
    MODES,
    Mode,
    OperatorTime,
    add_launch,
    find_factors,
    find_processor_count,
    time_grouped_gemm,
)
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_choice,
    check_rate,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
    to_plain_int,
)

BLOCK_TOKENS = 128
"""Queries of one thread block of fused attention, as FlashAttention-2 and -3 and TensorRT-LLM have it."""
BACKWARD_RATE_FRACTION = 0.86
"""Rate of the backward pass over that of the forward pass, each with its own arithmetic: 63 and 73% of the
peak. Source: T. Dao, "FlashAttention-2", arXiv:2307.08691."""
TPU_ROW_PASSES_COUNT = 20
"""How many times the rows of experts pass memory on a TPU besides both products: sorted, gathered, padded and
summed by XLA. Fitted to five training steps (MaxText: Mixtral, DeepSeek-V3 and Qwen3 on v5p, v6e and v7)."""
FLASH_2_RATE_FRACTION = 35 / 75
"""Rate of FlashAttention-2 on chips whose instructions it does not use, over that of kernels that do: 35 and
75% of an H100's peak. Source: J. Shah et al., "FlashAttention-3", arXiv:2407.08608."""
FLASH_2_ARCHITECTURES = ("Ampere", "Ada Lovelace")
"""Architectures of NVIDIA's whose instructions FlashAttention-2 uses."""
PACKED_ROWS = 64
"""Rows of a tile in which queries that share keys and values are packed: m of Hopper's instruction."""


def time_attention(
    chip: Chip | str,
    shape: AttentionShape,
    *,
    dtype: DType = "bf16",
    kv_dtype: DType | None = None,
    mode: Mode = "ideal",
    launches: Launches = "graph",
) -> OperatorTime:
    """Time of fused attention: of a whole prompt, of a part of one, or of one new token for each sequence.

    `dtype` is the format of queries and products, `kv_dtype` that of keys and values where it differs.
    The ideal is the longest of products, exponentials (where their rate is known) and traffic. Calibrated,
    products and exponentials add up, as in `estimate_attention`, with the factors of replayed kernels, those
    of single tokens for few queries (`is_decoding`); chips without such factors take those of the operator
    `attention`, or of products for few queries.
    Raises LookupError where the chip has no peak in `dtype` or nothing similar was measured.
    """
    chip = find_chip(chip)
    kernel = count_flash_attention(shape, dtype=dtype, kv_dtype=kv_dtype)
    return time_attention_kernel(
        chip, kernel, shape, dtype=dtype, kv_dtype=kv_dtype, mode=mode, launches=launches
    )


def time_attention_kernel(
    chip: Chip,
    kernel: Kernel,
    shape: AttentionShape,
    *,
    dtype: DType = "bf16",
    kv_dtype: DType | None = None,
    mode: Mode = "ideal",
    launches: Launches = "graph",
    form: AttentionForm = "flash",
    is_backward: bool = False,
) -> OperatorTime:
    """The same for a kernel that counts less than its shape, as with a window or over context ways.

    The kernel of a backward pass counts all its products. Calibrated, it and older forms are slower by what
    the rates of published ones differ.
    """
    check_choice("mode", mode, MODES)
    check_choice("launches", launches, LAUNCHES)
    check_choice("kv_dtype", kv_dtype or dtype, DTYPES)
    check_choice("form", form, get_args(AttentionForm))
    roofline = chip.roofline(dtype)
    products_s, memory_s = roofline.compute_time_s(kernel), roofline.memory_time_s(kernel)
    scores = kernel.flops / (4 * to_float(shape.head_elements))
    rate = count_exponentials_per_s(chip)
    exponentials_s: Real = 0.0 if rate is None else to_plain_float(scores / rate)
    if mode == "ideal":
        compute_s: Real = to_plain_float(np.maximum(products_s, exponentials_s))
        return _keep(compute_s, memory_s, IDEAL, np.maximum(compute_s, memory_s))
    slower = BACKWARD_RATE_FRACTION if is_backward else 1.0
    if form == "flash-2" and chip.vendor == "NVIDIA" and chip.architecture not in FLASH_2_ARCHITECTURES:
        slower *= FLASH_2_RATE_FRACTION
    compute_s = (products_s + exponentials_s) / slower
    decoding = is_decoding(shape) & (not is_backward)
    found = []
    for operator, kind in (("decode attention", kv_dtype or dtype), ("context attention", dtype)):
        replayed = load_replay().find(chip, cast(ReplayedOperator, operator), kind, any_gpu=True)
        if replayed is not None:
            found.append(cast(AttentionFactors, add_launch(replayed, launches)))
    if not found:
        instead: MeasuredOperator = "gemm" if np.all(decoding) else "attention"
        factors = find_factors(chip, instead, mode, dtype=dtype, launches=launches)
        time_s = factors.time_s(compute_time_s=compute_s, memory_time_s=memory_s)
        return _judge(_keep(compute_s, memory_s, factors, time_s), chip, "attention", dtype)
    times = [
        each.time_s(
            score_time_s=compute_s,
            scores_per_query=scores / _count_queries(shape),
            block_time_s=find_block_time_s(chip, shape, dtype=dtype),
            memory_time_s=memory_s,
            ungrouped=decoding & (np.asarray(shape.heads_count) == shape.kv_heads_count),
        )
        for each in found
    ]
    kept = _keep(compute_s, memory_s, found[0 if np.all(decoding) else 1], np.where(decoding, *times))
    return _judge(kept, chip, "attention", dtype)


def is_decoding(shape: AttentionShape) -> Any:
    """Whether a kernel for single tokens takes these queries: one per head, or several, as of drafts.

    Several run as one where all that share keys and values fit one tile of a matrix unit, which engines pack
    so. An assumption: only single ones were measured. A whole prompt, without any cached keys, takes the
    kernel for prompts, however short it is.
    """
    queries = np.asarray(shape.queries_tokens)
    sharing = np.asarray(shape.heads_count) // shape.kv_heads_count
    cached = queries < np.asarray(shape.keys_tokens)
    return (queries == 1) | (cached & (queries * sharing <= PACKED_ROWS))


def find_block_time_s(chip: Chip, shape: AttentionShape, *, dtype: DType = "bf16") -> Real:
    """Least time of the last block of queries, which sees all keys, at one processor's share of the peak.

    Zero where the number of processors is not known.
    """
    processors = find_processor_count(chip)
    if processors is None:
        return 0.0
    rows = np.minimum(np.asarray(shape.queries_tokens), BLOCK_TOKENS)
    flops = 4.0 * rows * to_float(shape.keys_tokens) * to_float(shape.head_elements)
    return to_plain_float(flops * processors / chip.peak_flops_per_s(dtype))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpertProducts:
    """Least times of both grouped products of a layer of experts, one after the other."""

    compute_time_s: Real
    """In whole tiles."""
    memory_time_s: Real
    time_s: Real
    depth_step_s: Real
    """Arithmetic if every tile of both were deeper by one element."""


def time_experts(
    chip: Chip | str,
    layer: ExpertLayer,
    tokens: SizeLike,
    *,
    expert_ways: SizeLike = 1,
    tensor_ways: SizeLike = 1,
    dtype: DType = "bf16",
    weights_dtype: DType | None = None,
    mode: Mode = "ideal",
    launches: Launches = "graph",
) -> OperatorTime:
    """Time of one chip's experts for its share of the visits of `tokens` tokens, without the router.

    `dtype` is the format of arithmetic and rows, `weights_dtype` that of weights where it differs.

    Experts are split over `expert_ways`, the inner width of each over `tensor_ways`; visits are spread evenly
    (`balanced_rows`). The ideal is both grouped products, one after the other, in whole tiles. Calibrated,
    it includes all that is done to the rows around the products.
    Raises ValueError for sizes that are impossible or not divisible.
    """
    chip = find_chip(chip)
    check_choice("mode", mode, MODES)
    check_choice("launches", launches, LAUNCHES)
    experts, inner = (
        _divide(name, size, ways_name, ways)
        for name, size, ways_name, ways in (
            ("experts_count", layer.experts_count, "expert_ways", expert_ways),
            ("inner_elements", layer.inner_elements, "tensor_ways", tensor_ways),
        )
    )
    count = check_size("tokens", tokens)
    visits = divide_up(count * layer.active_count, check_size("expert_ways", expert_ways))
    mine = replace(layer, experts_count=experts, inner_elements=inner, active_count=1)
    products = time_expert_products(chip, mine, visits, dtype=dtype, weights_dtype=weights_dtype)
    if mode == "ideal":
        return _keep(products.compute_time_s, products.memory_time_s, IDEAL, products.time_s)
    rows_bytes = 2 * to_float(visits) * to_float(layer.width_elements) * bytes_per_element("bf16")
    kernels = choose_kernels_dtype(chip, dtype, weights_dtype)
    return _calibrate_experts(chip, products, rows_bytes=rows_bytes, dtype=kernels, launches=launches)


def time_expert_rows(
    chip: Chip,
    layer: ExpertLayer,
    rows_count: Real,
    *,
    kernel: Kernel,
    dtype: DType = "bf16",
    weights_dtype: DType | None = None,
) -> OperatorTime:
    """Calibrated time of one chip's experts for so many rows in all, with the traffic of `kernel`.

    The tiles are those of rows spread evenly over as many experts as have any; on a TPU, and on a GPU without
    a known number of processors, the arithmetic is that of `kernel`.
    """
    check_rate("rows_count", rows_count)
    roofline = chip.roofline(dtype)
    compute_s, memory_s = roofline.compute_time_s(kernel), roofline.memory_time_s(kernel)
    depth_step_s: Real = 0.0
    if find_processor_count(chip) is not None:
        visits = np.maximum(np.ceil(np.asarray(rows_count)), 1).astype(np.int64)
        tiled = time_expert_products(chip, layer, to_plain_int(visits), dtype=dtype)
        compute_s = to_plain_float(np.maximum(compute_s, tiled.compute_time_s))
        depth_step_s = tiled.depth_step_s
    products = ExpertProducts(
        compute_time_s=compute_s,
        memory_time_s=memory_s,
        time_s=to_plain_float(np.maximum(compute_s, memory_s)),
        depth_step_s=depth_step_s,
    )
    rows_bytes = 2 * rows_count * to_float(layer.width_elements) * bytes_per_element("bf16")
    kernels = choose_kernels_dtype(chip, dtype, weights_dtype)
    return _calibrate_experts(chip, products, rows_bytes=rows_bytes, dtype=kernels)


def choose_kernels_dtype(chip: Chip, dtype: DType, weights_dtype: DType | None) -> DType:
    """The format by which kernels of experts were measured.

    That of the weights where they are widened for arithmetic that the chip does not have in their format.
    """
    check_choice("dtype", dtype, DTYPES)
    check_choice("weights_dtype", weights_dtype or dtype, DTYPES)
    return dtype if weights_dtype is None or weights_dtype in chip.dtypes else weights_dtype


def time_expert_products(
    chip: Chip,
    layer: ExpertLayer,
    visits_count: Size,
    *,
    dtype: DType = "bf16",
    weights_dtype: DType | None = None,
) -> ExpertProducts:
    """Ideal times of both products of a chip's own experts for so many visits, spread evenly."""
    (rows, alike), width = balanced_rows(visits_count, int(layer.experts_count)), layer.width_elements
    matrices = 2 if layer.gated else 1
    # Both in one sweep, along a first axis: half of the calls.
    inputs, outputs = (
        np.asarray(sizes).reshape(2, *[1] * rows.ndim)
        for sizes in ((width, layer.inner_elements), (matrices * layer.inner_elements, width))
    )
    both = time_grouped_gemm(chip, rows, inputs, outputs, alike_count=alike, dtype=dtype)
    step_s = both.compute_time_s / inputs[..., 0]
    compute_s, memory_s, time_s, depth_step_s = (
        to_plain_float(np.sum(each, axis=0))
        for each in (both.compute_time_s, both.memory_time_s, both.time_s, step_s)
    )
    if weights_dtype is not None:
        saved = bytes_per_element(dtype) - bytes_per_element(weights_dtype)
        visited = np.minimum(np.asarray(visits_count), layer.experts_count)
        saved_s = saved * visited * layer.expert_elements / chip.memory_bandwidth_bytes_per_s
        memory_s = to_plain_float(memory_s - saved_s)
        time_s = to_plain_float(np.maximum(compute_s, memory_s))
    return ExpertProducts(
        compute_time_s=compute_s, memory_time_s=memory_s, time_s=time_s, depth_step_s=depth_step_s
    )


def _calibrate_experts(
    chip: Chip,
    products: ExpertProducts,
    *,
    rows_bytes: Real,
    dtype: DType,
    launches: Launches = "graph",
) -> OperatorTime:
    compute_s, memory_s = products.compute_time_s, products.memory_time_s
    replayed = load_replay().find(chip, "experts", dtype, any_gpu=True)
    rows_s = rows_bytes / chip.memory_bandwidth_bytes_per_s
    if replayed is None:  # a TPU: two products one after the other, between passes of their rows
        factors = find_factors(chip, "gemm", "calibrated", dtype=dtype, launches=launches)
        time_s = factors.time_s(compute_time_s=compute_s, memory_time_s=memory_s) + factors.launch_s
        time_s = time_s + TPU_ROW_PASSES_COUNT * rows_s
        return _judge(_keep(compute_s, memory_s, factors, time_s), chip, "experts", dtype)
    found = cast(ExpertFactors, add_launch(replayed, launches))
    time_s = found.layer_time_s(
        compute_time_s=compute_s,
        memory_time_s=memory_s,
        rows_time_s=rows_s,
        depth_step_s=products.depth_step_s,
    )
    return _judge(_keep(compute_s, memory_s, found, time_s), chip, "experts", dtype)


def balanced_rows(visits_count: SizeLike, experts_count: int) -> tuple[Any, Any]:
    """Rows per expert with visits spread as evenly as whole numbers allow, and how many experts have them.

    Two kinds of experts, along a last axis: those with a row more than the others, and the others.
    """
    experts = check_size("experts_count", experts_count)
    each, left = np.divmod(np.asarray(check_size("visits_count", visits_count)), experts)
    return np.stack([each + 1, each], axis=-1), np.stack([left, experts - left], axis=-1)


def _divide(name: str, size: Size, ways_name: str, ways: SizeLike) -> Size:
    count = check_size(ways_name, ways)
    if np.any(np.asarray(size) % count):
        raise ValueError(f"{ways_name} must divide {name}: {ways!r} does not divide {size!r}")
    return size // count


def _count_queries(shape: AttentionShape) -> Real:
    heads = to_float(shape.batch_count) * to_float(shape.heads_count)
    return heads * to_float(shape.queries_tokens)


def _keep(compute_s: Real, memory_s: Real, factors: Any, time_s: Real) -> OperatorTime:
    return OperatorTime(
        compute_time_s=compute_s,
        memory_time_s=memory_s,
        launch_time_s=factors.launch_s,
        time_s=to_plain_float(time_s),
        factors=factors,
    )


def _judge(time: OperatorTime, chip: Chip, subject: Subject, dtype: DType) -> OperatorTime:
    """The same calibrated time with what says how sure it is."""
    return replace(time, chip=chip, subject=subject, dtype=dtype)

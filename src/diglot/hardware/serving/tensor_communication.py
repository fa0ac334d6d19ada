"""Communication of tensor parallelism behind arithmetic, and products split along two dimensions.

`estimate_step` adds every transfer to the arithmetic, as an engine that does neither takes. Here are the two
ways to hide transfers, and the split that has fewer bytes to hide.
Sources: S. Wang et al., "Overlap Communication with Dependent Computation via Decomposition in Large Deep
Learning Models", ASPLOS 2023 (chunks); DeepSeek-AI, "DeepSeek-V3 Technical Report", arXiv:2412.19437, section
3.4 (two micro-batches); R. Pope et al., "Efficiently Scaling Transformer Inference", arXiv:2211.05102,
sections 3.2 and A.2 (splits of the feed-forward network).
"""

from dataclasses import dataclass, replace

import numpy as np

from diglot.hardware.operators.transformer import SequenceGroup
from diglot.hardware.serving.deployment import Deployment, StepTime, estimate_step
from diglot.hardware.sizes import (
    Real,
    SizeLike,
    add_up,
    check_amount,
    check_rate,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
)


def overlap_chunks_s(compute_s: Real, communication_s: Real, *, chunks_count: SizeLike) -> Real:
    """Time of a product and its collective in so many chunks, each of which waits for one before it.

    The first chunk of one and the last of the other have nothing to hide behind: the longer of the two, and
    the shorter over the chunks. With one chunk, the sum. Smaller products are assumed to run as well.
    Raises ValueError for times that are negative or not finite, and fewer than one chunk.
    """
    compute, sent = (
        np.asarray(check_amount("compute_s", compute_s)),
        np.asarray(check_amount("communication_s", communication_s)),
    )
    chunks = to_float(check_size("chunks_count", chunks_count))
    return to_plain_float(np.maximum(compute, sent) + np.minimum(compute, sent) / chunks)


def overlap_step(step: StepTime, *, chunks_count: SizeLike | None = None) -> StepTime:
    """The same step with its tensor communication behind its matrix products.

    Products of all layers and their collectives are cut into chunks (default: as many as there are; the limit
    of perfect overlap). `tensor_communication_s` of the result is what still shows.
    """
    layers_s = add_up(
        entry.time_s
        for entry in step.operators
        if entry.operator.product is not None and entry.operator.part != "head"
    )
    sent_s = step.tensor_communication_s
    together_s = np.maximum(np.asarray(layers_s), sent_s)
    if chunks_count is not None:
        together_s = np.asarray(overlap_chunks_s(layers_s, sent_s, chunks_count=chunks_count))
    shown_s = to_plain_float(together_s - layers_s)
    hidden_s = sent_s - shown_s
    stages = step.time_s / step.interval_s
    time_s = step.time_s - hidden_s
    return replace(
        step, tensor_communication_s=shown_s, time_s=time_s, interval_s=to_plain_float(time_s / stages)
    )


def overlap_two_batches_s(deployment: Deployment, *groups: SequenceGroup) -> Real:
    """Time of a step whose sequences run as two halves: one communicates while the other computes.

    Twice the longer of a half's arithmetic and its transfers. Weights are read by both halves, so that a
    small batch is slower than in one piece: take it where this is less than the time of `estimate_step`.
    Raises ValueError for groups of a single sequence, which have no halves.
    """
    if any(np.any(np.asarray(group.sequences_count) < 2) for group in groups):
        raise ValueError("sequences_count must be at least 2 in every group: one sequence has no halves")
    halves = [replace(group, sequences_count=divide_up(group.sequences_count, 2)) for group in groups]
    half = estimate_step(deployment, *halves)
    return to_plain_float(
        2 * np.maximum(half.time_s - half.communication_s, np.asarray(half.communication_s))
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightStationarySplit:
    """A feed-forward network whose weights stay on their chips, split over one or two dimensions."""

    width_ways_count: int
    """Ways over the model's width; 1 is the usual split, over the inner width alone."""
    inner_ways_count: int
    """Ways over the inner width."""
    sent_bytes: Real
    """Bytes that each chip sends for one layer."""
    time_s: Real
    """Time of them at the rate of a chip."""


def split_feed_forward(
    tokens: SizeLike,
    *,
    width_elements: int,
    inner_elements: int,
    chips_count: int,
    width_ways_count: int | None = None,
    bandwidth_bytes_per_s: float,
    element_bytes: float = 2.0,
) -> WeightStationarySplit:
    """Communication of one feed-forward layer, in the split with the fewest bytes or the given one.

    An all-gather and a reduce-scatter of the tokens over each dimension: 2 x tokens x (width / width ways +
    inner width / inner ways) elements, for chips that send over all links at once. Over one dimension (width
    ways of 1) the inner activations stay where they are: 2 x tokens x width, however many chips. Two
    dimensions are better from about (inner / width)^2 chips: 16 for an inner width of four times the width.
    Raises ValueError for sizes below 1 and ways that do not divide the chips.
    Source: R. Pope et al., section 3.2.2.
    """
    rows = to_float(check_size("tokens", tokens))
    width = int(check_size("width_elements", width_elements))
    inner = int(check_size("inner_elements", inner_elements))
    chips = int(check_size("chips_count", chips_count))
    rate = float(check_rate("bandwidth_bytes_per_s", bandwidth_bytes_per_s))
    size = float(check_rate("element_bytes", element_bytes))

    def count_elements(ways: int) -> float:
        return width / ways + inner / (chips // ways) if ways > 1 else float(width)

    if width_ways_count is None:
        ways = min((each for each in range(1, chips + 1) if chips % each == 0), key=count_elements)
    else:
        ways = int(check_size("width_ways_count", width_ways_count))
        if chips % ways:
            raise ValueError(f"width_ways_count must divide {chips} chips, not {width_ways_count!r}")
    sent = 0.0 if chips == 1 else 2 * count_elements(ways) * size
    return WeightStationarySplit(
        width_ways_count=ways,
        inner_ways_count=chips // ways,
        sent_bytes=to_plain_float(rows * sent),
        time_s=to_plain_float(rows * sent / rate),
    )

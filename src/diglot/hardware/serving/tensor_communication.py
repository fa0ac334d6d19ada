"""Communication of tensor parallelism behind arithmetic, and products split along two dimensions.

Sources: S. Wang et al., "Overlap Communication with Dependent Computation via Decomposition in Large Deep
Learning Models", ASPLOS 2023 (chunks); R. Pope et al., "Efficiently Scaling Transformer Inference",
arXiv:2211.05102, sections 3.2 and A.2 (splits of the feed-forward network).
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.sizes import (
    Real,
    SizeLike,
    check_amount,
    check_rate,
    check_size,
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
    For a mixture, the inner width is that of all experts that a token visits, whose results are summed before
    they are sent.
    Raises ValueError for sizes below 1 and ways that do not divide the chips.
    Source: R. Pope et al., section 3.2.2.
    """
    rows = to_float(check_size("tokens", tokens))
    width = int(check_size("width_elements", width_elements))
    inner = int(check_size("inner_elements", inner_elements))
    chips = int(check_size("chips_count", chips_count))
    rate = float(check_rate("bandwidth_bytes_per_s", bandwidth_bytes_per_s))
    size = float(check_rate("element_bytes", element_bytes))

    def count(ways: int) -> float:
        return count_sent_elements(width, inner, chips, width_ways=ways)

    if width_ways_count is None:
        ways = min((each for each in range(1, chips + 1) if chips % each == 0), key=count)
    else:
        ways = int(check_size("width_ways_count", width_ways_count))
        if chips % ways:
            raise ValueError(f"width_ways_count must divide {chips} chips, not {width_ways_count!r}")
    sent = 0.0 if chips == 1 else 2 * count(ways) * size
    return WeightStationarySplit(
        width_ways_count=ways,
        inner_ways_count=chips // ways,
        sent_bytes=to_plain_float(rows * sent),
        time_s=to_plain_float(rows * sent / rate),
    )


def count_sent_elements(
    width_elements: float, inner_elements: float, chips_count: int, *, width_ways: int
) -> float:
    """Elements of one token that a chip sends in each half of a layer's transfers."""
    if width_ways == 1:
        return width_elements
    return width_elements / width_ways + inner_elements / (chips_count // width_ways)

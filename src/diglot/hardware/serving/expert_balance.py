"""Mixtures over many chips: how busy the busiest is where some experts are more popular than others.

Real routers do not spread tokens evenly over expert ways; a step then waits for the busiest way
(`StepOptions.routing_skew`). Copies of popular experts and a placement by popularity even it out again.
Sources: DeepSeek-AI, "DeepSeek-V3 Technical Report", arXiv:2412.19437, section 3.4 (redundant experts);
deepseek-ai/EPLB on GitHub (the two greedy steps that are taken here).
"""

from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush, heapreplace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from diglot.hardware.kernels.expert_routing import Routing
from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.models.catalogue import find_model
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.operators.transformer import Operator
from diglot.hardware.sizes import Real, SizeLike, check_choice, check_size, to_float, to_plain_float

Placement = Literal["balanced", "blind"]
PLACEMENTS: tuple[Placement, ...] = get_args(Placement)

_Floats = npt.NDArray[np.float64]

_GRID = np.linspace(-8.0, 8.0, 97)
"""Standard deviations around the mean over which the busiest way is integrated."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpertBalance:
    """The busiest of several expert ways in one layer."""

    busiest_rows_count: Real
    """Expected rows of the busiest way."""
    mean_rows_count: Real
    """Rows of a way in the mean: tokens x active experts / ways."""
    busiest_touched_count: Real
    """Expected experts that any token visits, on the way that has the most of them in that step."""

    @property
    def imbalance_ratio(self) -> Real:
        """Rows of the busiest way over the mean; at least 1."""
        return to_plain_float(self.busiest_rows_count / self.mean_rows_count)


def balance_experts(
    routing: Routing,
    tokens: SizeLike,
    *,
    ways_count: int,
    redundant_count: int = 0,
    placement: Placement = "balanced",
) -> ExpertBalance:
    """Rows of the busiest of `ways_count` ways, for the tokens of all ways together in one layer.

    `balanced` gives each redundant copy to the expert with the most rows per copy, and then each copy, the
    most popular first, to the way with the fewest rows that has a place left. `blind` places experts by
    number, which says nothing of popularity: a fixed shuffle; copies go to experts in this order. Rows
    vary from step to step: those of a way as a normal variable with the variance of its experts' binomials,
    independent of other ways. So do visited experts, whose weights a way has to read: with few tokens, a way
    has several more of them than in the mean.
    Raises ValueError for tokens below 1, copies that ways cannot share equally, and an unknown placement.
    """
    check_choice("placement", placement, PLACEMENTS)
    count = np.asarray(to_float(check_size("tokens", tokens)))
    ways = int(check_size("ways_count", ways_count))
    redundant = int(check_size("redundant_count", redundant_count, least=0))
    slots = routing.experts_count + redundant
    if slots % ways:
        raise ValueError(
            f"ways_count must divide {slots} experts, {redundant} redundant ones included, not {ways_count!r}"
        )
    shares = routing.chosen_fractions
    if placement == "blind":
        shares = np.random.default_rng(0).permutation(shares)
    copies = _choose_copies(shares, redundant, by_popularity=placement == "balanced")
    each = np.repeat(shares / copies, copies)
    groups = _deal(each, ways) if placement == "balanced" else each.reshape(ways, -1)
    means = count[..., None] * groups.sum(axis=1)
    deviations = np.sqrt(count[..., None] * np.sum(groups * (1 - groups), axis=1))
    with np.errstate(divide="ignore"):
        missed = np.exp(count[..., None, None] * np.log1p(-groups))
    touched = _find_largest((1 - missed).sum(axis=-1), np.sqrt(np.sum(missed * (1 - missed), axis=-1)))
    busiest = _find_largest(means, deviations)
    mean = count * routing.active_count / ways
    return ExpertBalance(
        busiest_rows_count=to_plain_float(np.maximum(busiest, mean)),
        mean_rows_count=to_plain_float(mean),
        busiest_touched_count=to_plain_float(np.minimum(touched, slots / ways)),
    )


def replicate_experts(model: TransformerModel | str, *, redundant_count: int) -> TransformerModel:
    """The model with this many more experts, copies of its own, for layouts and memory.

    With 32, 256 experts become 288: nine on each of 32 ways, or two on each of 144, as DeepSeek runs them.
    Raises ValueError for a model without experts.
    """
    model = find_model(model)
    redundant = int(check_size("redundant_count", redundant_count))
    if model.experts is None:
        raise ValueError(f"{model.name} has no experts")
    return replace(model, experts=replace(model.experts, routed_count=model.experts.routed_count + redundant))


def scale_experts(operator: Operator, *, rows_ratio: Real, weights_ratio: Real) -> Operator:
    """Routed experts with so many times the rows and weights. They write as many activations as they read."""
    kernel = operator.kernel
    weights_bytes = kernel.read_bytes - kernel.written_bytes
    scaled = Kernel(
        name=kernel.name,
        flops=to_plain_float(kernel.flops * rows_ratio),
        read_bytes=to_plain_float(weights_bytes * weights_ratio + kernel.written_bytes * rows_ratio),
        written_bytes=to_plain_float(kernel.written_bytes * rows_ratio),
    )
    experts = operator.experts
    if experts is not None:
        experts = replace(experts, rows_count=experts.rows_count * rows_ratio)
    return replace(operator, kernel=scaled, experts=experts)


def _choose_copies(shares: _Floats, redundant: int, *, by_popularity: bool) -> npt.NDArray[np.int64]:
    """How many copies each expert has."""
    copies = np.full(shares.size, 1 + redundant // shares.size, dtype=np.int64)
    if not by_popularity:
        copies[: redundant % shares.size] += 1
        return copies
    copies[:] = 1
    heap = [(-share, expert) for expert, share in enumerate(shares.tolist())]
    heapify(heap)
    for _ in range(redundant):
        expert = heap[0][1]
        copies[expert] += 1
        heapreplace(heap, (-float(shares[expert]) / int(copies[expert]), expert))
    return copies


def _deal(each: _Floats, ways: int) -> _Floats:
    """The copies of each way, dealt from the most popular on to the way with the least so far."""
    places = each.size // ways
    dealt: list[list[float]] = [[] for _ in range(ways)]
    heap = [(0.0, way) for way in range(ways)]
    for share in np.sort(each)[::-1].tolist():
        load, way = heappop(heap)
        dealt[way].append(share)
        if len(dealt[way]) < places:
            heappush(heap, (load + share, way))
    return np.asarray(dealt)


def _find_largest(means: _Floats, deviations: _Floats) -> _Floats:
    """Expected maximum of independent normal variables along the last axis."""
    if means.shape[-1] == 1:
        return np.asarray(means[..., 0])
    low, high = means.max(axis=-1), deviations.max(axis=-1)
    at = low[..., None] + high[..., None] * _GRID
    scale = np.maximum(deviations, 1e-12 * np.maximum(means, 1.0))
    below = _normal_cdf((at[..., None] - means[..., None, :]) / scale[..., None, :]).prod(axis=-1)
    # E[max] = a + the integral of P(max > x) from a on, where a is certain to be exceeded.
    return np.asarray(at[..., 0] + np.trapezoid(1 - below, at, axis=-1))


def _normal_cdf(values: _Floats) -> _Floats:
    """Share of a normal distribution below, to 1e-7 (Abramowitz and Stegun, 26.2.17)."""
    size = np.abs(values)
    t = 1 / (1 + 0.2316419 * size)
    series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail = np.exp(-(size**2) / 2) / np.sqrt(2 * np.pi) * series
    return np.asarray(np.where(values >= 0, 1 - tail, tail))

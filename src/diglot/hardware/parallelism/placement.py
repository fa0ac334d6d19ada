"""Placement of pipeline stages on pools of different chips.

An item (an image, a request) passes the stages in order. Each stage runs on one pool. A pool's chips are
replicas: they take turns with items, divide their time among the pool's stages, and each hold the weights of
all of them. So a stage's latency is that of one chip, and a pool's rate is that of all its chips together.
Between stages on different pools, the output crosses the links of both. There is no queueing: rates are those
of a full pipeline, latencies those of an empty one.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from diglot.hardware.chips.chip import Chip
from diglot.hardware.dtypes import DTYPES, DType
from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import check_amount, check_choice, check_rate, check_share, check_size

Objective = Literal["latency", "throughput", "cost"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

_ROUNDING = 1 + 1e-12
"""Tolerance of bounds, so that rounding in sums prunes no placement."""


class NoPlacementError(ValueError):
    """No placement fits the pools and meets the limits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage of a pipeline."""

    name: str
    kernels: tuple[Kernel, ...]
    """Kernels that one run of the stage executes sequentially."""
    efficiency_fractions: Mapping[str, float]
    """Pool name → share of its roofline that the stage reaches. Pools not named cannot run the stage."""
    dtype: DType = "bf16"
    batch_count: int = 1
    """Items per run."""
    output_bytes: float = 0.0
    """Output per item for the next stage."""
    weights_bytes: float = 0.0
    """Memory that the stage takes on each chip of its pool."""

    def __post_init__(self) -> None:
        if not self.kernels:
            raise ValueError(f"stage {self.name} does nothing: it has no kernels")
        check_choice("dtype", self.dtype, DTYPES)
        check_size("batch_count", self.batch_count)
        for field in ("output_bytes", "weights_bytes"):
            check_amount(f"{field} of stage {self.name}", getattr(self, field))
        for pool, fraction in self.efficiency_fractions.items():
            check_share(f"efficiency of {self.name} on {pool}", fraction, zero=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Chips of one kind, all of them rented if any stage is placed on them."""

    name: str
    chip_count: int
    rooflines: Mapping[DType, Roofline]
    """Roofline of one chip by number format; stages in other formats cannot run here."""
    memory_bytes: float
    """Memory of one chip."""
    usd_per_chip_s: float
    link_bytes_per_s: float
    """Rate to other pools of all chips together, in each direction."""
    link_latency_s: float = 0.0

    def __post_init__(self) -> None:
        check_size("chip_count", self.chip_count)
        for field in ("memory_bytes", "link_bytes_per_s"):
            check_rate(field, getattr(self, field))
        for field in ("usd_per_chip_s", "link_latency_s"):
            check_amount(f"{field} of pool {self.name}", getattr(self, field))

    @classmethod
    def of_chip(
        cls, name: str, chip: Chip, count: int, *, link_bytes_per_s: float, link_latency_s: float = 0.0
    ) -> "Pool":
        """Chips of the catalogue, in every format they have, at the first price that it lists."""
        return cls(
            name=name,
            chip_count=count,
            rooflines={dtype: chip.roofline(dtype) for dtype in chip.dtypes},
            memory_bytes=chip.memory_bytes,
            usd_per_chip_s=chip.prices[0].usd_per_chip_s,
            link_bytes_per_s=link_bytes_per_s,
            link_latency_s=link_latency_s,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A pool for each stage, and the resulting times and cost."""

    pool_names: tuple[str, ...]
    """Pool of each stage."""
    stage_times_s: tuple[float, ...]
    """Time of one run of each stage on one chip."""
    transfer_times_s: tuple[float, ...]
    """Time of one item from each stage to the next; 0 where both are on one pool."""
    latency_s: float
    """Latency of one item through the empty pipeline."""
    items_per_s: float
    """Rate of the full pipeline."""
    bottleneck: str
    """The pool that limits the rate, or `link of` a pool."""
    item_cost_usd: float
    """Rent of all pools in use divided by the rate."""


def evaluate_placement(
    stages: Sequence[Stage], pools: Sequence[Pool], pool_names: Sequence[str]
) -> Placement:
    """Times and cost of a given placement; `pool_names` has a pool for each stage.

    Raises ValueError for an unknown pool, a pool that cannot run its stage, and weights that do not fit the
    memory of its chips.
    """
    problem = _Problem(stages, pools)
    if len(pool_names) != len(stages):
        raise ValueError(f"{len(stages)} stages, but {len(pool_names)} pools for them")
    indices: list[int] = []
    for stage, name in zip(problem.stages, pool_names, strict=True):
        index = next((n for n, pool in enumerate(problem.pools) if pool.name == name), None)
        if index is None:
            raise ValueError(f"no pool {name!r}; known: {', '.join(pool.name for pool in pools)}")
        if problem.times_s[len(indices)][index] == math.inf:
            raise ValueError(f"stage {stage.name} cannot run on {name}")
        indices.append(index)
    load = _Load.empty(len(pools))
    for index in indices:
        load = problem.extend(load, index)
    for pool, used_bytes in zip(pools, load.weights_bytes, strict=True):
        if used_bytes > pool.memory_bytes:
            raise ValueError(f"weights of {used_bytes:g} bytes do not fit the memory of {pool.name}")
    return problem.describe(load)


def find_best_placement(
    stages: Sequence[Stage],
    pools: Sequence[Pool],
    *,
    objective: Objective,
    most_latency_s: float = math.inf,
    least_items_per_s: float = 0.0,
) -> Placement:
    """The best of all placements: least latency, most throughput, or least cost per item.

    Exact, by branch and bound; the run time grows as pools ** stages where bounds do not prune. On a tie the
    cheaper placement wins, then the one with less latency. Raises NoPlacementError where none meets the
    limits; ValueError for an unknown objective and as `evaluate_placement`.
    """
    if objective not in OBJECTIVES:
        raise ValueError(f"unknown objective {objective!r}; known: {', '.join(OBJECTIVES)}")
    if most_latency_s != math.inf:
        check_rate("most_latency_s", most_latency_s)
    check_amount("least_items_per_s", least_items_per_s)
    problem = _Problem(stages, pools)
    best: _Load | None = None
    best_rank: tuple[float, ...] = (math.inf,)
    open_loads = [_Load.empty(len(pools))]
    while open_loads:
        load = open_loads.pop()
        bounds = problem.bound(load)
        if (
            not problem.fits(load)
            or bounds["latency"] > most_latency_s * _ROUNDING
            or bounds["throughput"] * least_items_per_s > _ROUNDING
            or bounds[objective] > best_rank[0] * _ROUNDING
        ):
            continue
        if len(load.indices) < len(stages):
            grown = [problem.extend(load, index) for index in problem.choices(len(load.indices))]
            # The most promising candidate is popped first, so that more of the others are pruned.
            open_loads += sorted(grown, key=lambda each: problem.bound(each)[objective], reverse=True)
            continue
        rank = (bounds[objective], bounds["cost"], bounds["latency"])
        if rank < best_rank:
            best, best_rank = load, rank
    if best is None:
        raise NoPlacementError("no placement of these stages fits the pools and meets the limits")
    return problem.describe(best)


def find_robust_fraction(
    stages: Sequence[Stage],
    pools: Sequence[Pool],
    *,
    objective: Objective,
    factors: Sequence[float] = (0.8, 1.25),
    certain: Sequence[str] = (),
) -> float:
    """How often the best placement stays the best, from 0 to 1, while the stages' efficiencies move.

    Each efficiency is multiplied by one of the factors (up to 1), in all combinations; those on the pools
    that are `certain` stay. Raises as `find_best_placement`.
    """
    best = find_best_placement(stages, pools, objective=objective).pool_names
    doubtful = [(n, pool) for n, stage in enumerate(stages) for pool in stage.efficiency_fractions]
    doubtful = [(n, pool) for n, pool in doubtful if pool not in certain]
    kept, combinations = 0, list(itertools.product(factors, repeat=len(doubtful)))
    for combination in combinations:
        moved = [dict(stage.efficiency_fractions) for stage in stages]
        for (n, pool), factor in zip(doubtful, combination, strict=True):
            moved[n][pool] = min(1.0, moved[n][pool] * factor)
        tried = [replace(stage, efficiency_fractions=own) for stage, own in zip(stages, moved, strict=True)]
        kept += find_best_placement(tried, pools, objective=objective).pool_names == best
    return kept / len(combinations)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Load:
    """Load of the first stages on the pools, per item: seconds on all chips, bytes sent and received."""

    indices: tuple[int, ...]
    latency_s: float
    busy_times_s: tuple[float, ...]
    sent_bytes: tuple[float, ...]
    received_bytes: tuple[float, ...]
    weights_bytes: tuple[float, ...]

    @classmethod
    def empty(cls, pool_count: int) -> "_Load":
        zeros = (0.0,) * pool_count
        return cls(
            indices=(),
            latency_s=0.0,
            busy_times_s=zeros,
            sent_bytes=zeros,
            received_bytes=zeros,
            weights_bytes=zeros,
        )


class _Problem:
    """Valid stages and pools, with the times that do not depend on the placement."""

    def __init__(self, stages: Sequence[Stage], pools: Sequence[Pool]) -> None:
        self.stages, self.pools = tuple(stages), tuple(pools)
        names = [pool.name for pool in pools]
        if not stages or not pools:
            raise ValueError("a placement needs stages and pools")
        if len(set(names)) < len(names):
            raise ValueError(f"two pools have the same name: {', '.join(names)}")
        for stage in stages:
            if unknown := stage.efficiency_fractions.keys() - set(names):
                raise ValueError(f"stage {stage.name} names unknown pools: {', '.join(sorted(unknown))}")
        self.times_s = [[_time_s(stage, pool) for pool in pools] for stage in stages]
        for stage, times in zip(stages, self.times_s, strict=True):
            if min(times) == math.inf:
                raise ValueError(f"no pool can run stage {stage.name}")
        shares = [
            [time / stage.batch_count / pool.chip_count for time, pool in zip(times, pools, strict=True)]
            for stage, times in zip(stages, self.times_s, strict=True)
        ]
        self.busy_times_s = shares
        """Time that one item of a stage takes of each pool, all chips of the pool together."""
        # Lower bounds for all stages from each stage on, whichever pools they run on.
        self.rest_latency_s = [sum(map(min, self.times_s[start:])) for start in range(len(stages) + 1)]
        self.rest_period_s = [
            max((min(row) for row in shares[start:]), default=0.0) for start in range(len(stages) + 1)
        ]

    def choices(self, stage: int) -> Iterator[int]:
        """Indices of the pools that can run a stage."""
        return (index for index, time in enumerate(self.times_s[stage]) if time < math.inf)

    def extend(self, load: _Load, index: int) -> _Load:
        """The load with the next stage placed on that pool."""
        place = len(load.indices)
        moved_s, sent, received = 0.0, load.sent_bytes, load.received_bytes
        if place and (before := load.indices[-1]) != index:
            output_bytes = self.stages[place - 1].output_bytes
            moved_s = self.transfer_time_s(place - 1, before, index)
            sent, received = _add(sent, before, output_bytes), _add(received, index, output_bytes)
        return _Load(
            indices=(*load.indices, index),
            latency_s=load.latency_s + moved_s + self.times_s[place][index],
            busy_times_s=_add(load.busy_times_s, index, self.busy_times_s[place][index]),
            sent_bytes=sent,
            received_bytes=received,
            weights_bytes=_add(load.weights_bytes, index, self.stages[place].weights_bytes),
        )

    def transfer_time_s(self, stage: int, one: int, other: int) -> float:
        """Time of a stage's output from one pool to another, through the slower of their links."""
        if one == other:
            return 0.0
        ends = self.pools[one], self.pools[other]
        rate_bytes_per_s = min(pool.link_bytes_per_s for pool in ends)
        return self.stages[stage].output_bytes / rate_bytes_per_s + max(pool.link_latency_s for pool in ends)

    def fits(self, load: _Load) -> bool:
        used = zip(load.weights_bytes, self.pools, strict=True)
        return all(used_bytes <= pool.memory_bytes for used_bytes, pool in used)

    def periods_s(self, load: _Load) -> Iterator[tuple[float, str]]:
        """Seconds per item of every pool and link, with its name."""
        columns = (self.pools, load.busy_times_s, load.sent_bytes, load.received_bytes)
        for pool, busy_s, sent_bytes, received_bytes in zip(*columns, strict=True):
            yield busy_s, pool.name
            yield max(sent_bytes, received_bytes) / pool.link_bytes_per_s, f"link of {pool.name}"

    def bound(self, load: _Load) -> dict[Objective, float]:
        """Lower bounds of all placements that begin with this load; exact once all stages are placed."""
        place = len(load.indices)
        period_s = max(self.rest_period_s[place], *(period_s for period_s, _ in self.periods_s(load)))
        rents = (
            self.pools[index].chip_count * self.pools[index].usd_per_chip_s for index in set(load.indices)
        )
        return {
            "latency": load.latency_s + self.rest_latency_s[place],
            "throughput": period_s,
            "cost": math.fsum(rents) * period_s,
        }

    def describe(self, load: _Load) -> Placement:
        indices, bounds = load.indices, self.bound(load)
        period_s, bottleneck = max(self.periods_s(load), key=lambda each: each[0])
        steps = range(len(indices) - 1)
        return Placement(
            pool_names=tuple(self.pools[index].name for index in indices),
            stage_times_s=tuple(self.times_s[place][index] for place, index in enumerate(indices)),
            transfer_times_s=tuple(self.transfer_time_s(n, indices[n], indices[n + 1]) for n in steps),
            latency_s=bounds["latency"],
            items_per_s=1 / period_s,
            bottleneck=bottleneck,
            item_cost_usd=bounds["cost"],
        )


def _time_s(stage: Stage, pool: Pool) -> float:
    """Time of one run on one chip; infinite where the pool cannot run the stage."""
    fraction, roofline = stage.efficiency_fractions.get(pool.name), pool.rooflines.get(stage.dtype)
    if fraction is None or roofline is None:
        return math.inf
    return math.fsum(float(roofline.time_s(kernel)) for kernel in stage.kernels) / fraction


def _add(values: tuple[float, ...], index: int, more: float) -> tuple[float, ...]:
    return (*values[:index], values[index] + more, *values[index + 1 :])

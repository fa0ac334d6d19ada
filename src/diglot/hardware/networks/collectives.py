"""Least times of collective operations over a network of chips, and the bandwidths that benchmarks print.

`array_bytes` is what NCCL's tests call the size: the larger of what one chip holds before and after. That is
the gathered array of an all-gather, the array before a reduce-scatter, and the array that every chip has in
an all-reduce or an all-to-all. The arithmetic of reductions is not counted.

Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication Operations in MPICH",
International Journal of High Performance Computing Applications 19(1), 2005 (latency and bandwidth terms);
J. Austin et al., "How to Scale Your Model", parts 3 and 12 (tori and islands of GPUs; the longer term
decides); NVIDIA, "Performance reported by NCCL tests" (algorithm and bus bandwidth).
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from diglot.hardware.chips.calibration import Factors
from diglot.hardware.networks.network import LinearCost, Network
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_rate,
    check_size,
    to_float,
    to_plain_float,
)

Collective = Literal["all-gather", "reduce-scatter", "all-reduce", "all-to-all"]
COLLECTIVES: tuple[Collective, ...] = get_args(Collective)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CollectiveRun:
    """Least cost of one collective, or of an array of them."""

    collective: Collective
    chips_count: Size
    array_bytes: Size
    latency_time_s: Real
    """Latency of sequential steps or hops, without data."""
    bandwidth_time_s: Real
    """Time of the data through the busiest link or port, without latency."""

    @property
    def time_s(self) -> Real:
        """The longer of the two, since data in flight hides the latency of what follows.

        A lower bound except for all-reduces of a few bytes: these are modelled in two phases, although
        exchanging whole arrays needs only one (`algorithms`).
        """
        return to_plain_float(np.maximum(self.latency_time_s, self.bandwidth_time_s))

    @property
    def serial_time_s(self) -> Real:
        """The sum of the two, without overlap, as in Thakur et al."""
        return self.latency_time_s + self.bandwidth_time_s

    def calibrated_time_s(self, factors: Factors) -> Real:
        """Time that libraries take: launch, latency, and the data at the bandwidth that they reach.

        `factors` are those of the operator `collective` (`calibration`), fitted without in-network reduction.
        Their launch is the measured latency beyond the catalogue's, or all of it where the catalogue has none
        (TPU v7).
        """
        calibrated_s = factors.time_s(compute_time_s=0.0, memory_time_s=self.bandwidth_time_s)
        several = np.asarray(self.chips_count) > 1
        return to_plain_float(np.where(several, calibrated_s + self.latency_time_s, 0.0))

    @property
    def algorithm_bandwidth_bytes_per_s(self) -> Real:
        """Array bytes over least time, as a caller sees it. Infinite for a single chip: it sends nothing."""
        return _divide(to_float(self.array_bytes), self.time_s)

    @property
    def bus_bandwidth_bytes_per_s(self) -> Real:
        """Rate that each chip's port carries at least, for comparison with the hardware's rate.

        With in-network reduction it may exceed the hardware's rate, because the factor is that of an
        all-reduce without it. Zero for a single chip, which sends nothing.
        """
        factor = count_bus_factor(self.collective, self.chips_count)
        return self.algorithm_bandwidth_bytes_per_s * factor if self.chips_count > 1 else 0.0 * self.time_s


def estimate_collective(
    collective: Collective, array_bytes: SizeLike, network: Network, *, whole_shards: bool = False
) -> CollectiveRun:
    """Least time of a collective over all chips of a network, for one size or an array of sizes.

    `array_bytes` is the larger of what one chip holds before and after. `whole_shards` forbids tori to split
    a shard over links (see `Torus.all_gather_cost`).
    Raises ValueError for a size below 1 or not whole, and for an unknown collective.
    """
    size = check_size("array_bytes", array_bytes)
    cost = _find_cost(collective, network, whole_shards)
    bandwidth_time_s = to_plain_float(to_float(size) * cost.per_byte_s)
    return CollectiveRun(
        collective=collective,
        chips_count=network.chips_count,
        array_bytes=size,
        latency_time_s=to_plain_float(cost.latency_s + 0 * bandwidth_time_s),
        bandwidth_time_s=bandwidth_time_s,
    )


def count_bus_factor(collective: Collective, chips_count: SizeLike) -> Real:
    """Bus bandwidth over algorithm bandwidth: 2 (n - 1) / n for an all-reduce, (n - 1) / n for the others.

    Raises ValueError for an unknown collective.
    Source: NVIDIA, "Performance reported by NCCL tests".
    """
    _check_collective(collective)
    chips = to_float(check_size("chips_count", chips_count))
    return (2 if collective == "all-reduce" else 1) * (chips - 1) / chips


def measure_bus_bandwidth(
    collective: Collective, array_bytes: SizeLike, chips_count: SizeLike, time_s: Real
) -> Real:
    """Bus bandwidth in bytes per second for a measured time, as NCCL's tests print it."""
    size = to_float(check_size("array_bytes", array_bytes))
    return size / check_rate("time_s", time_s) * count_bus_factor(collective, chips_count)


def find_half_bandwidth_bytes(
    collective: Collective, network: Network, *, whole_shards: bool = False
) -> Real:
    """Array size in bytes at which latency time equals bandwidth time; a real number, not rounded.

    Below it the time hardly depends on the size; at it, without overlap, half of the bandwidth is reached.
    Infinite where data takes no time. Source: R. Hockney's n-half, for a linear cost.
    """
    cost = _find_cost(collective, network, whole_shards)
    return _divide(cost.latency_s, cost.per_byte_s)


def _find_cost(collective: Collective, network: Network, whole_shards: bool) -> LinearCost:
    _check_collective(collective)
    if collective == "all-to-all":
        return network.all_to_all_cost()
    if collective == "all-reduce":
        return network.all_reduce_cost(whole_shards=whole_shards)
    # A reduce-scatter is an all-gather with every message reversed.
    return network.all_gather_cost(whole_shards=whole_shards)


def _check_collective(collective: str) -> None:
    if collective not in COLLECTIVES:
        raise ValueError(f"unknown collective {collective!r}; known: {', '.join(COLLECTIVES)}")


def _divide(numerator: Real, denominator: Real) -> Real:
    """Quotient; infinite where the denominator is zero."""
    above, below = np.broadcast_arrays(np.asarray(numerator, dtype=np.float64), denominator)
    quotient = np.full(above.shape, np.inf)
    np.divide(above, below, out=quotient, where=below > 0)
    return to_plain_float(quotient)

"""Twisted tori of k x k x 2k or k x 2k x 2k chips: their short axes close with a shift along the long ones.

The shift shortens the paths between chips that are far apart along a long axis, and spreads all-to-all
traffic evenly over the links. Optical circuit switches wire a slice either way (`optical_switches`).

Sources: J. Camara et al., "Twisted Torus Topologies for Enhanced Interconnection Networks", IEEE Transactions
on Parallel and Distributed Systems 21(12), 2010; N. Jouppi et al., "TPU v4", arXiv:2304.01433, section 2
(slices of TPU v4).
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from diglot.hardware.networks.network import LinearCost
from diglot.hardware.networks.topologies import Torus
from diglot.hardware.sizes import Real, check_amount, check_rate, check_size, to_plain_float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwistedTorus:
    """Chips on a twisted torus of three axes, each linked to six neighbours.

    Raises ValueError for sides other than k, k, 2k or k, 2k, 2k in any order, with k of at least 2, and for
    impossible rates and latencies.
    """

    sides_count: tuple[int, int, int]
    """Chips along each axis."""
    link_bytes_per_s: Real
    """Rate of one link in one direction."""
    hop_latency_s: Real = 0.0
    """Latency from one chip to the next."""

    def __post_init__(self) -> None:
        sides = tuple(int(check_size("sides_count", side)) for side in self.sides_count)
        short = min(sides, default=0)
        if len(sides) != 3 or short < 2 or set(sides) != {short, 2 * short}:
            raise ValueError(f"sides_count must be k, k, 2k or k, 2k, 2k with k from 2, not {sides}")
        object.__setattr__(self, "sides_count", sides)
        object.__setattr__(self, "link_bytes_per_s", check_rate("link_bytes_per_s", self.link_bytes_per_s))
        object.__setattr__(self, "hop_latency_s", check_amount("hop_latency_s", self.hop_latency_s))

    @property
    def chips_count(self) -> int:
        """Chips on the grid."""
        return int(np.prod(self.sides_count))

    @property
    def diameter_count(self) -> int:
        """Number of hops between the two chips farthest apart."""
        return _measure_distances(self.sides_count)[1]

    @property
    def mean_distance_count(self) -> float:
        """Mean number of hops from a chip to all chips, itself included."""
        return _measure_distances(self.sides_count)[0]

    def untwisted(self) -> Torus:
        """The torus of the same chips without the shift."""
        return Torus(
            sides_count=self.sides_count,
            link_bytes_per_s=self.link_bytes_per_s,
            hop_latency_s=self.hop_latency_s,
        )

    def all_gather_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-gather: as on a torus, chips receive through six links."""
        plain = self.untwisted().all_gather_cost(whole_shards=whole_shards)
        return LinearCost(latency_s=self.diameter_count * self.hop_latency_s, per_byte_s=plain.per_byte_s)

    def all_reduce_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-reduce: a reduce-scatter, then an all-gather."""
        return self.all_gather_cost(whole_shards=whole_shards).doubled()

    def all_to_all_cost(self) -> LinearCost:
        """Cost of an all-to-all on shortest paths, which load all links alike: mean distance / 6 links."""
        return LinearCost(
            latency_s=self.diameter_count * self.hop_latency_s,
            per_byte_s=to_plain_float(self.mean_distance_count / 6 / self.link_bytes_per_s),
        )


@lru_cache(maxsize=64)
def _measure_distances(sides: tuple[int, int, int]) -> tuple[float, int]:
    """Mean and largest number of hops from one chip, whichever it is, to all.

    Chips are points of a grid of integers, the same where they differ by a closed way round the torus: along
    a long axis, or along a short one with a shift by its length along every long axis.
    """
    short = min(sides)
    rounds = []
    for axis, side in enumerate(sides):
        way = np.where(np.arange(3) == axis, side, 0)
        if side == short:
            way = np.where(np.array(sides) > short, short, way)
        rounds.append(way)
    points = np.stack(np.meshgrid(*map(np.arange, sides), indexing="ij"), axis=-1)
    # At most one round along each axis: a second one never shortens a way.
    closed = [np.array(turns) @ np.array(rounds) for turns in product((-1, 0, 1), repeat=3)]
    least = np.min([np.abs(points + way).sum(axis=-1) for way in closed], axis=0)
    return float(least.mean()), int(least.max())

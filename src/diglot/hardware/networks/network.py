"""What all networks of chips have in common: the costs of collectives over all their chips."""

from dataclasses import dataclass
from typing import Protocol

from diglot.hardware.sizes import Real, Size


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinearCost:
    """Cost of a collective as a linear function of its array size."""

    latency_s: Real
    """Time until the farthest chip has the first byte."""
    per_byte_s: Real
    """Time per byte of the array, set by the busiest link or port."""

    def doubled(self) -> "LinearCost":
        """Cost of two such collectives, as an all-reduce is a reduce-scatter and an all-gather."""
        return LinearCost(latency_s=2 * self.latency_s, per_byte_s=2 * self.per_byte_s)


class Network(Protocol):
    """Chips that take part in one collective: a slice of a torus, an island, a cluster.

    The array is the larger of what one chip holds before and after: of an all-gather what it has received in
    the end, of a reduce-scatter and an all-reduce what it began with, of an all-to-all either.
    """

    @property
    def chips_count(self) -> Size:
        """Number of chips in the network."""

    def all_gather_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-gather over all its chips; `whole_shards` forbids to split a shard over links."""

    def all_reduce_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-reduce over all its chips."""

    def all_to_all_cost(self) -> LinearCost:
        """Cost of an all-to-all over all its chips."""

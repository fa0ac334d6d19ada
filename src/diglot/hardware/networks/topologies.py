"""How chips are joined: tori, islands behind switches, and islands over a slower network.

Each network says what a collective over all its chips costs at least: a latency, and a time for each byte of
the array. Rates are those of one direction; every link carries its rate both ways at once.
"""

from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np

from diglot.hardware.sizes import (
    Real,
    Size,
    check_amount,
    check_rate,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
    to_plain_int,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinearCost:
    """What a collective costs, apart from the size of its array."""

    latency_s: Real
    """Until the farthest chip has the first byte."""
    per_byte_s: Real
    """For each byte of the array, once data flows; the busiest link or port decides."""


def _count_shard_times(chips: Size, ports: Size, whole_shards: bool) -> Real:
    """Times that one shard takes through one link, until a chip with `ports` links has all others."""
    if whole_shards:
        return to_float(divide_up(chips - 1, ports))
    return to_float(chips - 1) / to_float(ports)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Torus:
    """Chips on a grid of one to three axes or more, each joined to its neighbours; one axis is a ring.

    An axis without wrap-around is a line: the chips at its ends have one link along it, and they bind. So do
    axes of two, where both ways round would be the same pair. Sides may be arrays, for a sweep over shapes.
    For a collective over some axes only, describe those; the others run their own at the same time on links
    of their own.
    Raises ValueError for impossible sizes, rates and latencies.
    """

    sides_count: tuple[Size, ...]
    """Chips along each axis."""
    wraps: bool | tuple[bool, ...] = True
    """Whether the ends of an axis are joined: of each axis, or of all alike."""
    link_bytes_per_s: Real
    """Of one link in one direction."""
    hop_latency_s: Real = 0.0
    """From one chip to the next."""

    def __post_init__(self) -> None:
        if not self.sides_count:
            raise ValueError("a torus needs at least one axis")
        sides = tuple(check_size("sides_count", side) for side in self.sides_count)
        wraps = (self.wraps,) * len(sides) if isinstance(self.wraps, bool) else tuple(self.wraps)
        if len(wraps) != len(sides):
            raise ValueError(f"wraps is given for {len(wraps)} axes of {len(sides)}")
        object.__setattr__(self, "sides_count", sides)
        object.__setattr__(self, "wraps", wraps)
        object.__setattr__(self, "link_bytes_per_s", check_rate("link_bytes_per_s", self.link_bytes_per_s))
        object.__setattr__(self, "hop_latency_s", check_amount("hop_latency_s", self.hop_latency_s))

    @property
    def chips_count(self) -> Size:
        """Chips on the grid."""
        product: Size = 1
        for side in self.sides_count:
            product = product * side
        return product

    @property
    def axes(self) -> tuple[tuple[Size, bool], ...]:
        """Side and wrap-around of each axis."""
        return tuple(zip(self.sides_count, cast("tuple[bool, ...]", self.wraps), strict=True))

    @property
    def ports_count(self) -> Size:
        """Links of the chip that has fewest: 2 along an axis that wraps, 1 along a line or a pair."""
        return sum((_count_ports(side, wraps) for side, wraps in self.axes), 0)

    @property
    def diameter_count(self) -> Size:
        """Hops between the two chips that are farthest apart."""
        return sum((side // 2 if wraps else side - 1 for side, wraps in self.axes), 0)

    @property
    def bisection_bytes_per_s(self) -> Real:
        """Rate in one direction across the cut through the middle of the longest axis."""
        cuts = []
        for side, wraps in self.axes:
            links = to_float(self.chips_count) / to_float(side) * to_float(_count_ports(side, wraps))
            cuts.append(np.where(np.asarray(side) > 1, links, np.inf))
        narrowest = cuts[0]
        for cut in cuts[1:]:
            narrowest = np.minimum(narrowest, cut)
        return to_plain_float(narrowest * self.link_bytes_per_s)

    def all_gather_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Every chip receives the other chips' shards through all its links.

        A bound that spanning trees reach (L. Zhao et al., "ForestColl", arXiv:2402.06787). With
        `whole_shards` each link carries whole shards only, as in the textbook ring: on an even ring the last
        step then leaves one way idle, which makes array / (2 x link) of (n - 1) / n of it.
        """
        times = _count_shard_times(self.chips_count, np.maximum(self.ports_count, 1), whole_shards)
        return LinearCost(
            latency_s=to_float(self.diameter_count) * self.hop_latency_s,
            per_byte_s=to_plain_float(times / to_float(self.chips_count) / self.link_bytes_per_s),
        )

    def all_reduce_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """A reduce-scatter, then an all-gather."""
        return _double(self.all_gather_cost(whole_shards=whole_shards))

    def all_to_all_cost(self) -> LinearCost:
        """Each chip's array in equal parts to all chips, axis after axis by the shortest way.

        Along an axis of s, chunks travel floor(s^2 / 4) / s hops on average, over 2 links of each chip where
        it wraps; the middle link of a line carries twice as much. Axes work at the same time.
        """
        hops: Real = 0.0
        for side, wraps in self.axes:
            loads = to_float(side * side // 4) / to_float(side) / (2 if wraps else 1)
            # Both ways round a pair are one link.
            loads = np.where(np.asarray(side) == 2, 0.5, loads)
            hops = np.maximum(hops, loads)
        return LinearCost(
            latency_s=to_float(self.diameter_count) * self.hop_latency_s,
            per_byte_s=to_plain_float(hops / self.link_bytes_per_s),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Island:
    """Chips of which each reaches every other in one step: behind switches, or by direct links.

    Raises ValueError for impossible sizes, rates and latencies.
    """

    chips_count: Size
    egress_bytes_per_s: Real
    """Of all links of one chip, in one direction."""
    pair_bytes_per_s: "Real | None" = None
    """Between two chips in one direction, where links are direct; None behind switches."""
    switch_bytes_per_s: "Real | None" = None
    """What all switches together forward; None where they keep up with the chips."""
    step_latency_s: Real = 0.0
    """From any chip to any other."""
    reduces_in_network: bool = False
    """Switches add what passes them and copy to many (NVLink SHARP)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "chips_count", check_size("chips_count", self.chips_count))
        object.__setattr__(self, "step_latency_s", check_amount("step_latency_s", self.step_latency_s))
        for name in ("egress_bytes_per_s", "pair_bytes_per_s", "switch_bytes_per_s"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, check_rate(name, getattr(self, name)))
        if self.reduces_in_network and self.pair_bytes_per_s is not None:
            raise ValueError("direct links have no switch that could reduce")

    @property
    def port_bytes_per_s(self) -> Real:
        """What one chip can send while all do: over its links to its peers, and its share of switches."""
        rate: Real = self.egress_bytes_per_s
        if self.pair_bytes_per_s is not None:
            rate = np.minimum(rate, np.maximum(to_float(self.chips_count - 1), 1.0) * self.pair_bytes_per_s)
        if self.switch_bytes_per_s is not None:
            rate = np.minimum(rate, self.switch_bytes_per_s / to_float(self.chips_count))
        return to_plain_float(rate)

    @property
    def total_bytes_per_s(self) -> Real:
        """What all chips together send."""
        return to_float(self.chips_count) * self.port_bytes_per_s

    def all_gather_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Every chip receives (n - 1) / n of the array; copying in the switch does not spare the receiver.

        Shards are whole anyway: `whole_shards` changes nothing.
        """
        others = to_float(self.chips_count - 1) / to_float(self.chips_count)
        return LinearCost(
            latency_s=to_plain_float(np.minimum(to_float(self.chips_count - 1), 1.0) * self.step_latency_s),
            per_byte_s=others / self.port_bytes_per_s,
        )

    def all_reduce_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """A reduce-scatter, then an all-gather; or one pass of the whole array where switches reduce.

        Source for the latter: J. Austin et al., "How to Scale Your Model", part 12 (NVLink SHARP).
        """
        gather = self.all_gather_cost()
        if not self.reduces_in_network:
            return _double(gather)
        once_s = np.where(np.asarray(self.chips_count) > 1, 1 / self.port_bytes_per_s, 0.0)
        return LinearCost(latency_s=gather.latency_s, per_byte_s=to_plain_float(once_s))

    def all_to_all_cost(self) -> LinearCost:
        """Each chip sends (n - 1) / n of its array, every part straight to its owner."""
        return self.all_gather_cost()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cluster:
    """Equal islands (nodes of GPUs, slices of a TPU pod) over a network that every chip has a share of.

    Collectives go in levels: inside the islands and between chips of the same place in each. The levels
    overlap, so the slower one decides; latencies add up.
    Raises ValueError for impossible sizes, rates and latencies.
    """

    island: Torus | Island
    islands_count: Size
    network_bytes_per_s: Real
    """Of one chip into the network, in one direction; of a node with one card, the share of a chip."""
    network_latency_s: Real = 0.0
    """From any island to any other."""
    reduces_in_network: bool = False
    """Switches of the network add what passes them (InfiniBand SHARP)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "islands_count", check_size("islands_count", self.islands_count))
        rate = check_rate("network_bytes_per_s", self.network_bytes_per_s)
        object.__setattr__(self, "network_bytes_per_s", rate)
        latency = check_amount("network_latency_s", self.network_latency_s)
        object.__setattr__(self, "network_latency_s", latency)

    @property
    def chips_count(self) -> Size:
        """Chips of all islands."""
        return self.islands_count * self.island.chips_count

    @property
    def _plane(self) -> Island:
        """The chips of the same place in each island: all that the network joins directly."""
        return Island(
            chips_count=self.islands_count,
            egress_bytes_per_s=self.network_bytes_per_s,
            step_latency_s=self.network_latency_s,
            reduces_in_network=self.reduces_in_network,
        )

    def all_gather_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Between islands each chip fetches its share of what they have; inside, all shares are spread."""
        share = 1 / to_float(self.island.chips_count)
        inside = self.island.all_gather_cost(whole_shards=whole_shards)
        return _overlap(inside, 1.0, self._plane.all_gather_cost(), share)

    def all_reduce_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Reduce-scatter inside, all-reduce of each share between islands, all-gather inside.

        Source: J. Austin et al., "How to Scale Your Model", part 12 (the slowest level of the tree decides).
        """
        share = 1 / to_float(self.island.chips_count)
        inside = self.island.all_reduce_cost(whole_shards=whole_shards)
        return _overlap(inside, 1.0, self._plane.all_reduce_cost(), share)

    def all_to_all_cost(self) -> LinearCost:
        """What is for other islands leaves through the sender's share of the network, the rest inside."""
        share = 1 / to_float(self.islands_count)
        return _overlap(self.island.all_to_all_cost(), share, self._plane.all_to_all_cost(), 1.0)


Network: TypeAlias = Torus | Island | Cluster


def _count_ports(side: Size, wraps: bool) -> Size:
    """Links along one axis of the chip with fewest."""
    return to_plain_int(np.minimum(side - 1, 2 if wraps else 1))


def _double(cost: LinearCost) -> LinearCost:
    return LinearCost(latency_s=2 * cost.latency_s, per_byte_s=2 * cost.per_byte_s)


def _overlap(inside: LinearCost, inside_share: Real, between: LinearCost, between_share: Real) -> LinearCost:
    """Two levels at the same time, each with its share of the array's bytes."""
    return LinearCost(
        latency_s=inside.latency_s + between.latency_s,
        per_byte_s=to_plain_float(
            np.maximum(inside.per_byte_s * inside_share, between.per_byte_s * between_share)
        ),
    )

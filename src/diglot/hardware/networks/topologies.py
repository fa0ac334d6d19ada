"""Network topologies: tori, islands of fully connected chips, and clusters of islands on a slower network.

Each network gives a lower bound on the cost of a collective over all its chips: a latency, and a time per
byte of the array. Rates are per direction; links are full duplex.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from diglot.hardware.networks.fat_trees import DEFAULT_SWITCHES, FatTree, Switches
from diglot.hardware.networks.network import LinearCost
from diglot.hardware.sizes import (
    Real,
    Size,
    add_up,
    check_amount,
    check_rate,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
    to_plain_int,
)


def _count_shard_times(chips: Size, ports: Size, whole_shards: bool) -> Real:
    """Shard transfers per link until a chip with `ports` links has received all other shards."""
    if whole_shards:
        return to_float(divide_up(chips - 1, ports))
    return to_float(chips - 1) / to_float(ports)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Torus:
    """Chips on a grid with any number of axes, each linked to its neighbours; a single axis is a ring.

    An axis without wrap-around is a line: the chips at its ends have one link along it, which binds. The same
    holds for axes of two, where both directions lead to the same neighbour. Sides may be arrays, for a sweep
    over shapes. For a collective over some axes, describe only those: collectives along the other axes run at
    the same time on separate links.

    A group of chips may have only a part of an axis: neighbours (describe a line of so many chips), or every
    n-th chip (`strides_count`), whose messages pass the chips between and share the links with their groups.
    Raises ValueError for impossible sizes, rates and latencies.
    """

    sides_count: tuple[Size, ...]
    """Chips along each axis."""
    wraps: bool | tuple[bool, ...] = True
    """Whether the ends of an axis are linked: one value per axis, or one for all."""
    link_bytes_per_s: Real
    """Rate of one link in one direction."""
    hop_latency_s: Real = 0.0
    """Latency from one chip to the next."""
    strides_count: int | tuple[int, ...] = 1
    """Hops from one chip of the group to the next, along each axis, or one value for all."""

    def __post_init__(self) -> None:
        if not self.sides_count:
            raise ValueError("sides_count must have at least one axis")
        sides = tuple(check_size("sides_count", side) for side in self.sides_count)
        wraps = (self.wraps,) * len(sides) if isinstance(self.wraps, bool) else tuple(self.wraps)
        given = self.strides_count
        strides = tuple(given) if isinstance(given, tuple) else (given,) * len(sides)
        for name, values in (("wraps", wraps), ("strides_count", strides)):
            if len(values) != len(sides):
                raise ValueError(f"{name} is given for {len(values)} axes of {len(sides)}")
        checked = tuple(int(check_size("strides_count", stride)) for stride in strides)
        object.__setattr__(self, "sides_count", sides)
        object.__setattr__(self, "wraps", wraps)
        object.__setattr__(self, "strides_count", checked)
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
    def axes(self) -> tuple[tuple[Size, bool, int], ...]:
        """Side, wrap-around and stride of each axis."""
        wraps, strides = cast("tuple[bool, ...]", self.wraps), cast("tuple[int, ...]", self.strides_count)
        return tuple(zip(self.sides_count, wraps, strides, strict=True))

    @property
    def ports_count(self) -> Size:
        """Links of the chip with the fewest: 2 per axis that wraps, 1 per line or pair."""
        return sum((_count_ports(*axis) for axis in self.axes), 0)

    @property
    def port_bytes_per_s(self) -> Real:
        """Rate of the chip with the fewest links, over all its links, of which it may have a share."""
        shares = (to_float(_count_ports(*axis)) / axis[2] for axis in self.axes)
        return add_up(shares) * self.link_bytes_per_s

    @property
    def diameter_count(self) -> Size:
        """Number of hops between the two chips farthest apart."""
        return sum((stride * (side // 2 if wraps else side - 1) for side, wraps, stride in self.axes), 0)

    @property
    def bisection_bytes_per_s(self) -> Real:
        """Bisection bandwidth in one direction, across the narrowest cut through the middle of an axis."""
        cuts = []
        for side, wraps, stride in self.axes:
            links = to_float(self.chips_count) / to_float(side) * to_float(_count_ports(side, wraps, stride))
            cuts.append(np.where(np.asarray(side) > 1, links / stride, np.inf))
        narrowest = cuts[0]
        for cut in cuts[1:]:
            narrowest = np.minimum(narrowest, cut)
        return to_plain_float(narrowest * self.link_bytes_per_s)

    def all_gather_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-gather: every chip receives the other chips' shards through all its links.

        Spanning trees reach this bound (L. Zhao et al., "ForestColl", arXiv:2402.06787). With `whole_shards`
        each link carries whole shards only, as in the textbook ring: on an even ring the last step leaves one
        direction idle, so the time is array / (2 x link) instead of (n - 1) / n of that.
        """
        ports = np.maximum(self.ports_count, 1)
        times = _count_shard_times(self.chips_count, ports, whole_shards)
        # One chip alone has no ports, and nothing to receive.
        link_bytes_per_s = np.where(self.ports_count, self.port_bytes_per_s / ports, self.link_bytes_per_s)
        return LinearCost(
            latency_s=to_float(self.diameter_count) * self.hop_latency_s,
            per_byte_s=to_plain_float(times / to_float(self.chips_count) / link_bytes_per_s),
        )

    def all_reduce_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-reduce: a reduce-scatter, then an all-gather."""
        return self.all_gather_cost(whole_shards=whole_shards).doubled()

    def all_to_all_cost(self) -> LinearCost:
        """Cost of an all-to-all: each chip sends equal parts to all chips, axis by axis on the shortest path.

        Along an axis of s chips, chunks travel floor(s^2 / 4) / s hops on average, over 2 links per chip
        where the axis wraps; the middle link of a line carries twice as much. Axes work concurrently.
        """
        hops: Real = 0.0
        for side, wraps, stride in self.axes:
            loads = to_float(side * side // 4) / to_float(side) / (2 if wraps else 1)
            if stride == 1:
                # In a pair both directions use the same link.
                loads = np.where(np.asarray(side) == 2, 0.5, loads)
            hops = np.maximum(hops, stride * loads)
        return LinearCost(
            latency_s=to_float(self.diameter_count) * self.hop_latency_s,
            per_byte_s=to_plain_float(hops / self.link_bytes_per_s),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Island:
    """Chips that reach each other in one step, through switches or direct links.

    Raises ValueError for impossible sizes, rates and latencies.
    """

    chips_count: Size
    egress_bytes_per_s: Real
    """Rate of all links of one chip together, in one direction."""
    pair_bytes_per_s: "Real | None" = None
    """Rate between two chips in one direction, with direct links; None behind switches."""
    switch_bytes_per_s: "Real | None" = None
    """Rate that all switches together forward; None where they never bind."""
    step_latency_s: Real = 0.0
    """Latency from any chip to any other."""
    reduces_in_network: bool = False
    """Whether switches reduce and multicast data (NVLink SHARP)."""

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
        """Rate of one chip while all send, limited by its links to peers and its share of the switches."""
        rate: Real = self.egress_bytes_per_s
        if self.pair_bytes_per_s is not None:
            rate = np.minimum(rate, np.maximum(to_float(self.chips_count - 1), 1.0) * self.pair_bytes_per_s)
        if self.switch_bytes_per_s is not None:
            rate = np.minimum(rate, self.switch_bytes_per_s / to_float(self.chips_count))
        return to_plain_float(rate)

    @property
    def total_bytes_per_s(self) -> Real:
        """Rate of all chips together."""
        return to_float(self.chips_count) * self.port_bytes_per_s

    def all_gather_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-gather: every chip receives (n - 1) / n of the array, even with multicast switches.

        Shards are never split here, so `whole_shards` has no effect.
        """
        others = to_float(self.chips_count - 1) / to_float(self.chips_count)
        return LinearCost(
            latency_s=to_plain_float(np.minimum(to_float(self.chips_count - 1), 1.0) * self.step_latency_s),
            per_byte_s=others / self.port_bytes_per_s,
        )

    def all_reduce_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-reduce: a reduce-scatter and an all-gather, or one pass where switches reduce.

        Source for the one pass: J. Austin et al., "How to Scale Your Model", part 12 (NVLink SHARP).
        """
        gather = self.all_gather_cost()
        if not self.reduces_in_network:
            return gather.doubled()
        once_s = np.where(np.asarray(self.chips_count) > 1, 1 / self.port_bytes_per_s, 0.0)
        return LinearCost(latency_s=gather.latency_s, per_byte_s=to_plain_float(once_s))

    def all_to_all_cost(self) -> LinearCost:
        """Cost of an all-to-all: each chip sends (n - 1) / n of its array directly to the receivers."""
        return self.all_gather_cost()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cluster:
    """Equal islands (nodes of GPUs, slices of a TPU pod) on a network of which every chip has a share.

    Collectives are hierarchical: inside the islands, and between the chips of the same rank in each island.
    The levels overlap, so the slower one decides; latencies add up.
    Raises ValueError for impossible sizes, rates and latencies.
    """

    island: Torus | Island
    islands_count: Size
    network_bytes_per_s: Real
    """Rate of one chip into the network, in one direction: its share where a node has one adapter."""
    network_latency_s: Real = 0.0
    """Latency between islands below one switch; more tiers of switches add to it."""
    reduces_in_network: bool = False
    """Whether the network's switches reduce data (InfiniBand SHARP)."""
    switches: Switches = DEFAULT_SWITCHES
    """The switches of the network, which is a fat tree."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "islands_count", check_size("islands_count", self.islands_count))
        rate = check_rate("network_bytes_per_s", self.network_bytes_per_s)
        object.__setattr__(self, "network_bytes_per_s", rate)
        latency = check_amount("network_latency_s", self.network_latency_s)
        object.__setattr__(self, "network_latency_s", latency)

    @property
    def chips_count(self) -> Size:
        """Number of chips of all islands."""
        return self.islands_count * self.island.chips_count

    @property
    def plane(self) -> FatTree:
        """The chips of the same rank in each island, and the network between them."""
        return FatTree(
            chips_count=self.islands_count,
            port_bytes_per_s=self.network_bytes_per_s,
            step_latency_s=self.network_latency_s,
            switches=self.switches,
            rails_count=self.island.chips_count,
            reduces_in_network=self.reduces_in_network,
        )

    def all_gather_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-gather: chips fetch their shares from other islands, then spread them inside."""
        share = 1 / to_float(self.island.chips_count)
        inside = self.island.all_gather_cost(whole_shards=whole_shards)
        return _overlap(inside, 1.0, self.plane.all_gather_cost(), share)

    def all_reduce_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-reduce: reduce-scatter inside, all-reduce between islands, all-gather inside.

        Source: J. Austin et al., "How to Scale Your Model", part 12 (the slowest level of the tree decides).
        """
        share = 1 / to_float(self.island.chips_count)
        inside = self.island.all_reduce_cost(whole_shards=whole_shards)
        return _overlap(inside, 1.0, self.plane.all_reduce_cost(), share)

    def all_to_all_cost(self) -> LinearCost:
        """Cost of an all-to-all: parts for other islands use the sender's share of the network."""
        share = 1 / to_float(self.islands_count)
        return _overlap(self.island.all_to_all_cost(), share, self.plane.all_to_all_cost(), 1.0)


def _count_ports(side: Size, wraps: bool, stride: int) -> Size:
    """Links along one axis of the chip with the fewest. Neighbours that are a pair have one link."""
    apart = np.minimum(side - 1, 1) * 2 if stride > 1 else np.minimum(side - 1, 2)
    return to_plain_int(apart if wraps else np.minimum(side - 1, 1))


def _overlap(inside: LinearCost, inside_share: Real, between: LinearCost, between_share: Real) -> LinearCost:
    """Cost of two overlapping levels, each with its share of the array's bytes."""
    return LinearCost(
        latency_s=inside.latency_s + between.latency_s,
        per_byte_s=to_plain_float(
            np.maximum(inside.per_byte_s * inside_share, between.per_byte_s * between_share)
        ),
    )

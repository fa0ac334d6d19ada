"""Fat trees: leaf, spine and core switches between nodes, with oversubscription, with or without rails.

A switch gives as many of its ports to the tier below as to the tier above (1:1), or more (oversubscription).
The top tier has no tier above, so all its ports lead down. With enough switches in every tier, all nodes send
at full rate to any others, however many tiers there are; each tier adds two switches to the longest path.

Sources: C. Leiserson, "Fat-trees", IEEE Transactions on Computers C-34(10), 1985; M. Al-Fares et al., "A
Scalable, Commodity Data Center Network Architecture", SIGCOMM 2008 (fat trees of equal switches); J. Austin
et al., "How to Scale Your Model", part 12 (rails and tiers of a DGX SuperPOD).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from diglot.hardware.networks.network import LinearCost
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

MOST_TIERS = 64
"""More than any fat tree of at most 2**61 ports has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """The switches of a fat tree, all alike. Raises ValueError for impossible numbers."""

    radix_count: int = 64
    """Ports of a switch. 64 of 400 Gb/s: NVIDIA Quantum-2, as in a DGX SuperPOD of H100."""
    latency_s: float = 0.2e-6
    """Latency that one more switch and its cable add to a path.

    An assumption: switch chips forward within 100 to 300 ns, and a cable of 20 m takes 100 ns.
    Source of the range: WWT, "The Basics of High-Performance Networking" (one switch between two adapters).
    """
    oversubscription_ratios: tuple[float, ...] = ()
    """Ports down per port up, from the leaf tier up; 1 for tiers that are not given."""
    rail_optimised: bool = True
    """Whether the adapters of equal rank in many nodes share a leaf switch, instead of those of one node."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "radix_count", int(check_size("radix_count", self.radix_count, least=4)))
        check_amount("latency_s", self.latency_s)
        object.__setattr__(self, "oversubscription_ratios", tuple(self.oversubscription_ratios))
        for ratio in self.oversubscription_ratios:
            if not 1 <= check_rate("oversubscription_ratios", ratio) <= self.radix_count - 1:
                raise ValueError(
                    f"oversubscription_ratios must be from 1 to {self.radix_count - 1}, not {ratio!r}"
                )

    def count_ports_down(self, tier_index: int) -> int:
        """Ports of a switch that lead down, in a tier that is not the top one; tiers count from 1."""
        ratio = self._find_ratio(tier_index)
        return int(self.radix_count * ratio / (1 + ratio))

    def find_uplink_ratio(self, tier_index: int) -> float:
        """Oversubscription of all links from the nodes to above a tier: rate of the nodes over theirs."""
        ratio = 1.0
        for tier in range(1, int(check_size("tier_index", tier_index)) + 1):
            ratio *= self._find_ratio(tier)
        return ratio

    def count_nodes_below(self, tier_index: int, *, rails_count: Size) -> Size:
        """Nodes below one switch of a tier: of one rail, where a leaf has the adapters of one rank only."""
        tier = int(check_size("tier_index", tier_index))
        adapters = prod(self.count_ports_down(each) for each in range(1, tier + 1))
        return self._count_nodes(adapters, tier, check_size("rails_count", rails_count))

    def count_tiers(self, nodes_count: Size, *, rails_count: Size = 1) -> Size:
        """Tiers that join so many nodes, each of which has `rails_count` adapters."""
        nodes = check_size("nodes_count", nodes_count)
        tiers: Size = np.ones_like(nodes) if isinstance(nodes, np.ndarray) else 1
        for most in self._list_capacities(check_size("rails_count", rails_count)):
            if np.all(np.asarray(nodes) <= most):
                break
            tiers = tiers + (np.asarray(nodes) > most)
        return to_plain_int(tiers)

    def count_switches(self, nodes_count: int, *, rails_count: int = 1) -> tuple[int, ...]:
        """Switches of each tier, leaf first, that join so many nodes."""
        tiers = int(self.count_tiers(nodes_count, rails_count=rails_count))
        links, counts = nodes_count * rails_count, []
        for tier in range(1, tiers):
            counts.append(divide_up(links, self.count_ports_down(tier)))
            links = int(np.ceil(links / self._find_ratio(tier)))
        return tuple(int(count) for count in (*counts, divide_up(links, self.radix_count)))

    def _find_ratio(self, tier: int) -> float:
        return self.oversubscription_ratios[tier - 1] if tier <= len(self.oversubscription_ratios) else 1.0

    def _count_nodes(self, adapters: int, tier: int, rails_count: Size) -> Size:
        """Nodes of so many adapters below one switch of a tier."""
        shared = 1 if tier == 1 and self.rail_optimised else rails_count
        return to_plain_int(np.maximum(adapters // shared, 1))

    def _list_capacities(self, rails_count: Size) -> Iterator[Size]:
        """Most nodes that one tier joins, two tiers, and so on."""
        most: Size = 0
        adapters = self.radix_count
        for tier in range(1, MOST_TIERS):
            most = np.maximum(most, self._count_nodes(adapters, tier, rails_count))
            yield most
            adapters *= self.count_ports_down(tier)


DEFAULT_SWITCHES = Switches()
"""64 ports, 1:1, rails."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FatTree:
    """One chip of each node, all of the same rank, on a fat tree. The other ranks do the same at once.

    Collectives reduce or copy data below a switch before it goes up, so that oversubscription slows only what
    has to reach every other chip: an all-to-all.
    Raises ValueError for impossible sizes, rates and latencies.
    """

    chips_count: Size
    """Chips that take part: one per node."""
    port_bytes_per_s: Real
    """Rate of one chip into the network, in one direction."""
    step_latency_s: Real = 0.0
    """Latency between chips below one switch."""
    switches: Switches = DEFAULT_SWITCHES
    rails_count: Size = 1
    """Chips per node, which have equal shares of the network."""
    reduces_in_network: bool = False
    """Whether the switches reduce data (InfiniBand SHARP)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "chips_count", check_size("chips_count", self.chips_count))
        object.__setattr__(self, "port_bytes_per_s", check_rate("port_bytes_per_s", self.port_bytes_per_s))
        object.__setattr__(self, "step_latency_s", check_amount("step_latency_s", self.step_latency_s))
        object.__setattr__(self, "rails_count", check_size("rails_count", self.rails_count))

    @property
    def tiers_count(self) -> Size:
        """Tiers of switches."""
        return self.switches.count_tiers(self.chips_count, rails_count=self.rails_count)

    @property
    def latency_s(self) -> Real:
        """Latency between the chips farthest apart: 2 x tiers - 1 switches. Zero for one chip."""
        added_s = 2 * (to_float(self.tiers_count) - 1) * self.switches.latency_s
        return to_plain_float(np.where(np.asarray(self.chips_count) > 1, self.step_latency_s + added_s, 0.0))

    @property
    def bisection_bytes_per_s(self) -> Real:
        """Rate in one direction between two halves of the chips, where each fills whole subtrees."""
        half = to_float(self.chips_count) / 2
        ratio = np.maximum(self._find_worst(lambda nodes, ratio: np.where(nodes <= half, ratio, 1.0)), 1.0)
        return to_plain_float(half * self.port_bytes_per_s / ratio)

    def all_gather_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-gather: chips receive (n - 1) / n of the array, subtrees what they lack, once.

        Shards are never split here, so `whole_shards` has no effect.
        """
        chips = to_float(self.chips_count)
        up = self._find_worst(lambda nodes, ratio: (chips - nodes) / chips * ratio / nodes)
        return self._find_cost(np.maximum((chips - 1) / chips, up))

    def all_reduce_cost(self, *, whole_shards: bool = False) -> LinearCost:
        """Cost of an all-reduce: a reduce-scatter and an all-gather, or one pass where switches reduce."""
        gather = self.all_gather_cost()
        if not self.reduces_in_network:
            return gather.doubled()
        once_s = np.where(np.asarray(self.chips_count) > 1, 1 / self.port_bytes_per_s, 0.0)
        return LinearCost(latency_s=gather.latency_s, per_byte_s=to_plain_float(once_s))

    def all_to_all_cost(self) -> LinearCost:
        """Cost of an all-to-all: all that leaves a subtree passes its links up."""
        chips = to_float(self.chips_count)
        up = self._find_worst(lambda nodes, ratio: (chips - nodes) / chips * ratio)
        return self._find_cost(np.maximum((chips - 1) / chips, up))

    def _find_worst(self, load: Callable[[Real, float], Real]) -> Real:
        """The largest `load` of the links above a subtree, from its nodes and their oversubscription."""
        worst: Real = 0.0
        for tier in range(1, int(np.max(self.tiers_count))):
            nodes = self.switches.count_nodes_below(tier, rails_count=self.rails_count)
            leaves = (tier < np.asarray(self.tiers_count)) & (np.asarray(nodes) < self.chips_count)
            ratio = self.switches.find_uplink_ratio(tier)
            worst = np.maximum(worst, np.where(leaves, load(to_float(nodes), ratio), 0.0))
        return worst

    def _find_cost(self, share: Real) -> LinearCost:
        return LinearCost(latency_s=self.latency_s, per_byte_s=to_plain_float(share / self.port_bytes_per_s))

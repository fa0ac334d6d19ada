"""Maps the ways of a layout to the networks of chips of the catalogue.

links = find_links(load_catalogue()["tpu-v5e"], Layout(tensor_count=8))  # 2 x 4 chips, no wrap-around
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from operator import mul

from diglot.hardware.chips.calibration import IDEAL, Factors
from diglot.hardware.chips.chip import Chip, MissingFigureError
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.networks.chip_networks import (
    count_filled_domain,
    count_torus_axes,
    find_domain_count,
    find_network,
    find_wraps,
    fits_pod,
    join_islands,
)
from diglot.hardware.networks.fat_trees import DEFAULT_SWITCHES, Switches
from diglot.hardware.networks.libraries import Library
from diglot.hardware.networks.network import Network
from diglot.hardware.networks.topologies import Cluster, Island, Torus
from diglot.hardware.parallelism.layouts import Layout, NetworkLinks
from diglot.hardware.parallelism.torus_axes import (
    AxisPart,
    Parts,
    list_slices,
    merge_parts,
    own_axes,
    share_axes,
)
from diglot.hardware.sizes import check_amount, check_size


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlacedWays:
    """Mapping of each kind of ways to chips. Raises ValueError for impossible ways and latencies."""

    chip: Chip
    ways: Mapping[str, int]
    """Number of ways by kind, the innermost first; inner ways are closest on the fast links."""
    slice_sides: tuple[int, ...] = ()
    """For TPUs, the sides of the slice; empty for GPUs."""
    parts: Parts
    """For TPUs, the axes of the torus, or parts of them, that each kind of several ways has."""
    latency_s: float | None = None
    """Latency of a hop or step, as in `find_network`; None for the catalogue's."""
    reduces_in_network: bool | None = None
    """Whether switches inside a node reduce data."""
    switches: Switches = DEFAULT_SWITCHES
    """The switches between nodes."""

    def __post_init__(self) -> None:
        for name, count in self.ways.items():
            check_size(f"{name} ways", count)
        if self.latency_s is not None:
            check_amount("latency_s", self.latency_s)

    @property
    def sides(self) -> Mapping[str, tuple[int, ...]]:
        """For TPUs, the chips of each kind along its axes."""
        return {name: tuple(part.side_count for part in parts) for name, parts in self.parts.items()}

    @property
    def chips_count(self) -> int:
        """Chips of all ways."""
        return prod(self.ways.values())

    def network(self, *names: str) -> Network | None:
        """The network of one group of chips along these adjacent kinds; None for a single chip.

        Kinds that share an axis of a torus share its links, and take turns. On GPUs all groups communicate at
        the same time, each chip with its share of the node's adapters.
        Raises ValueError and MissingFigureError as `find_network`, and ValueError for groups that do not fill
        domains.
        """
        count = prod(self.ways[name] for name in names)
        if count == 1:
            return None
        if self.slice_sides:
            return self._find_torus(names)
        return self._find_strided(count, self._count_inner(names[0]))

    def neighbour_rate(self, name: str) -> tuple[float, float]:
        """Rate in bytes per second and latency in seconds from a chip to its counterpart in the next way."""
        if self.slice_sides:
            torus = self._find_torus((name,))
            # Messages to the next chip of a group pass those between, and share the links with their groups.
            stride = min(part.stride_count for part in self.parts[name])
            return float(torus.link_bytes_per_s) / stride, float(torus.hop_latency_s) * stride
        network = self._find_strided(self.ways[name], self._count_inner(name))
        if isinstance(network, Cluster):
            return float(network.network_bytes_per_s), float(network.network_latency_s)
        rate = network.egress_bytes_per_s if network.pair_bytes_per_s is None else network.pair_bytes_per_s
        return float(rate), float(network.step_latency_s)

    @property
    def filled_domain_count(self) -> int:
        """Chips of each domain of fast links that the ways occupy (`count_filled_domain`).

        Raises ValueError for ways that fill no number of domains alike.
        """
        domain = find_domain_count(self.chip)
        return count_filled_domain(
            domain, self.chips_count, groups=tuple(accumulate(self.ways.values(), mul))
        )

    def _count_inner(self, name: str) -> int:
        names = list(self.ways)
        return prod(self.ways[each] for each in names[: names.index(name)])

    def _find_torus(self, names: tuple[str, ...]) -> Torus:
        whole = find_network(self.chip, self.slice_sides, latency_s=self.latency_s)
        if not isinstance(whole, Torus):
            raise TypeError(f"{self.chip.short_name} has a slice, but its network is not a torus")
        parts = merge_parts(tuple(part for name in names for part in self.parts.get(name, ())))
        axis_wraps = tuple(wraps for _, wraps, _ in whole.axes)
        return Torus(
            sides_count=tuple(part.side_count for part in parts),
            wraps=tuple(part.wraps_around(self.slice_sides, axis_wraps) for part in parts),
            strides_count=tuple(part.stride_count for part in parts),
            link_bytes_per_s=whole.link_bytes_per_s,
            hop_latency_s=whole.hop_latency_s,
        )

    def _find_strided(self, count: int, inner: int) -> Island | Cluster:
        domain = self.filled_domain_count
        inside = min(max(domain // inner, 1), count)
        if inner * count > domain and (count % inside or (domain % inner and inner % domain)):
            name = self.chip.short_name
            raise ValueError(f"groups of {count} in {inner * count} {name} do not fill domains of {domain}")
        island = find_network(
            self.chip, inside, latency_s=self.latency_s, reduces_in_network=self.reduces_in_network
        )
        if not isinstance(island, Island):
            raise TypeError(f"{self.chip.short_name} has no sides, but its network is not an island")
        if inside == count:
            return island
        return join_islands(
            self.chip, island, count // inside, latency_s=self.latency_s, switches=self.switches
        )


def place_ways(
    chip: Chip,
    ways: Mapping[str, int],
    *,
    slice_sides: tuple[int, ...] | None = None,
    latency_s: float | None = None,
    reduces_in_network: bool | None = None,
    switches: Switches = DEFAULT_SWITCHES,
) -> PlacedWays:
    """Map ways of several kinds, the innermost first, to chips of the catalogue.

    GPUs: the innermost ways fill a domain of fast links first, or as much of a rack as fills all racks alike
    (64 of 72); the others use the nodes' adapters. TPUs: each
    kind has whole axes of the torus to itself where there is such a slice, so that collectives of different
    kinds do not share links; otherwise kinds share axes (`torus_axes`), the innermost as chips side by side.
    The slice wraps around if it can, and has the shape nearest to a cube (2 x 4, 4 x 8; 2 x 2 x 2, 2 x 2 x 4:
    those that Cloud TPU offers), unless `slice_sides` gives its sides; those that are whole axes of a kind,
    in the order of the kinds. An axis wraps as in `find_network`.
    Raises ValueError where the chips have no such slice.
    Source: J. Austin et al., "How to Scale Your Model", parts 3 and 5 (ways on axes of their own); Google
    Cloud, "TPU configurations" (shapes of slices).
    """
    several = {name: count for name, count in ways.items() if count > 1}
    sides: tuple[int, ...] = ()
    parts: Parts = {}
    if chip.kind == "tpu" and several:
        sides, parts = _choose_slice(chip, several, slice_sides)
    elif slice_sides is not None and prod(slice_sides) != prod(several.values()):
        raise ValueError(f"slice_sides has {prod(slice_sides)} chips, not {prod(several.values())}")
    return PlacedWays(
        chip=chip,
        ways=ways,
        slice_sides=sides,
        parts=parts,
        latency_s=latency_s,
        reduces_in_network=reduces_in_network,
        switches=switches,
    )


def count_idle_per_domain(chip: Chip, layout: Layout) -> int:
    """Chips that one copy of a model leaves idle in each domain of fast links, if it is on several."""
    if chip.kind == "tpu" or layout.chips_per_copy_count == 1:
        return 0
    domain = find_domain_count(chip)
    if layout.chips_per_copy_count <= domain:
        return 0
    return domain - place_ways(chip, _list_ways(layout)).filled_domain_count


def _list_ways(layout: Layout) -> dict[str, int]:
    return {
        "tensor": layout.tensor_count,
        "context": layout.context_count,
        "expert": layout.expert_count,
        "pipeline": layout.pipeline_count,
    }


def find_links(
    chip: Chip | str,
    layout: Layout,
    *,
    slice_sides: tuple[int, ...] | None = None,
    latency_s: float | None = None,
    reduces_in_network: bool | None = None,
    switches: Switches = DEFAULT_SWITCHES,
    factors: Factors = IDEAL,
    library: Library | None = None,
) -> NetworkLinks:
    """The links of one copy of a model; its tensor, context, expert and pipeline ways as in `place_ways`.

    `latency_s` is the latency of a hop or step, as in `find_network`. `factors` of the operator `collective`
    calibrate collectives, or else the measured times of a `library`. One chip needs no links.
    Raises ValueError where the catalogue does not say how that many chips are connected.
    """
    chip = find_chip(chip)
    try:
        placed = place_ways(
            chip,
            _list_ways(layout),
            slice_sides=slice_sides,
            latency_s=latency_s,
            reduces_in_network=reduces_in_network if library is None else False,
            switches=switches,
        )
        rate, neighbour_s = placed.neighbour_rate("pipeline") if layout.pipeline_count > 1 else (None, 0.0)
        return NetworkLinks(
            reducing=placed.network("tensor"),
            gathering=placed.network("context"),
            exchanging=placed.network("expert"),
            neighbour_bandwidth_bytes_per_s=rate,
            neighbour_latency_s=neighbour_s,
            factors=factors,
            library=library,
        )
    except MissingFigureError as error:
        raise ValueError(
            f"the catalogue does not say how that many chips are connected: {error.args[0]}"
        ) from error


def _choose_slice(
    chip: Chip, ways: Mapping[str, int], slice_sides: tuple[int, ...] | None
) -> tuple[tuple[int, ...], Parts]:
    """Sides of the slice, and the parts of each kind."""
    if slice_sides is not None:
        wraps = find_wraps(chip, slice_sides)
        whole = _share_out_sides(ways, slice_sides)
        return slice_sides, share_axes(ways, slice_sides, wraps) if whole is None else whole
    axes_count = count_torus_axes(chip)
    apart = [found for found in own_axes(ways, axes_count) if fits_pod(chip, found[0])]
    if apart:
        return min(apart, key=lambda found: _rank_slice(chip, found[0]))
    slices = [sides for sides in list_slices(prod(ways.values()), axes_count) if fits_pod(chip, sides)]
    for sides in sorted(slices, key=lambda sides: _rank_slice(chip, sides)):
        return sides, share_axes(ways, sides, find_wraps(chip, sides))
    raise ValueError(f"{chip.short_name} has no slice of {prod(ways.values())} chips for such ways")


def _rank_slice(chip: Chip, sides: tuple[int, ...]) -> tuple[bool, int, int]:
    """Slices that wrap around before others, then those nearest to a cube."""
    return not all(find_wraps(chip, sides)), max(sides), sum(sides)


def _share_out_sides(ways: Mapping[str, int], sides: tuple[int, ...]) -> Parts | None:
    """Whole axes for each kind, in order, or None where these are not its chips."""
    left, shares = list(enumerate(sides)), {}
    for name, count in ways.items():
        mine: list[AxisPart] = []
        while left and (prod(part.side_count for part in mine) < count or not mine):
            axis, side = left.pop(0)
            mine.append(AxisPart(axis_index=axis, side_count=side))
        shares[name] = tuple(mine)
        if prod(part.side_count for part in mine) != count:
            return None
    return shares if prod(side for _, side in left) == 1 else None

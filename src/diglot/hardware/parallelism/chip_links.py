"""Maps the ways of a layout to the networks of chips of the catalogue.

links = find_links(load_catalogue()["tpu-v5e"], Layout(tensor_count=8))  # 2 x 4 chips, no wrap-around
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

from diglot.hardware.chips.calibration import IDEAL, Factors
from diglot.hardware.chips.chip import Chip, MissingFigureError
from diglot.hardware.networks.chip_networks import (
    find_domain_count,
    find_network,
    fits_pod,
    join_islands,
)
from diglot.hardware.networks.topologies import Cluster, Island, Network, Torus
from diglot.hardware.parallelism.layouts import Layout, NetworkLinks
from diglot.hardware.sizes import check_amount, check_size


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlacedWays:
    """Mapping of each kind of ways to chips. Raises ValueError for impossible ways and latencies."""

    chip: Chip
    ways: Mapping[str, int]
    """Number of ways by kind, the innermost first; inner ways are closest on the fast links."""
    sides: Mapping[str, tuple[int, ...]]
    """For TPUs, the sides of the torus axes that each kind has to itself; empty for GPUs."""
    latency_s: float | None = None
    """Latency of a hop or step, as in `find_network`; None for the catalogue's."""
    reduces_in_network: bool = False
    """Whether switches inside a node reduce data."""

    def __post_init__(self) -> None:
        for name, count in self.ways.items():
            check_size(f"{name} ways", count)
        if self.latency_s is not None:
            check_amount("latency_s", self.latency_s)

    def network(self, *names: str) -> Network | None:
        """The network of one group of chips along these adjacent kinds; None for a single chip.

        On GPUs all groups communicate at the same time, each chip with its share of the node's adapters.
        Raises ValueError and MissingFigureError as `find_network`, and ValueError for groups that do not fill
        domains.
        """
        count = prod(self.ways[name] for name in names)
        if count == 1:
            return None
        if self.sides:
            return self._find_torus(names)
        return self._find_strided(count, self._count_inner(names[0]))

    def neighbour_rate(self, name: str) -> tuple[float, float]:
        """Rate in bytes per second and latency in seconds from a chip to its counterpart in the next way."""
        if self.sides:
            torus = self._find_torus([name])
            return float(torus.link_bytes_per_s), float(torus.hop_latency_s)
        network = self._find_strided(self.ways[name], self._count_inner(name))
        if isinstance(network, Cluster):
            return float(network.network_bytes_per_s), float(network.network_latency_s)
        rate = network.egress_bytes_per_s if network.pair_bytes_per_s is None else network.pair_bytes_per_s
        return float(rate), float(network.step_latency_s)

    def _count_inner(self, name: str) -> int:
        names = list(self.ways)
        return prod(self.ways[each] for each in names[: names.index(name)])

    def _find_torus(self, names: "tuple[str, ...] | list[str]") -> Torus:
        order = list(self.sides)
        whole = find_network(
            self.chip, tuple(side for name in order for side in self.sides[name]), latency_s=self.latency_s
        )
        if not isinstance(whole, Torus):
            raise TypeError(f"{self.chip.short_name} has sides, but its network is not a torus")
        axes = iter(whole.axes)
        mine = {name: [next(axes) for _ in self.sides[name]] for name in order}
        chosen = [axis for name in names if name in mine for axis in mine[name]]
        return Torus(
            sides_count=tuple(side for side, _ in chosen),
            wraps=tuple(wraps for _, wraps in chosen),
            link_bytes_per_s=whole.link_bytes_per_s,
            hop_latency_s=whole.hop_latency_s,
        )

    def _find_strided(self, count: int, inner: int) -> Island | Cluster:
        domain = find_domain_count(self.chip)
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
        return join_islands(self.chip, island, count // inside, latency_s=self.latency_s)


def place_ways(
    chip: Chip,
    ways: Mapping[str, int],
    *,
    slice_sides: tuple[int, ...] | None = None,
    latency_s: float | None = None,
    reduces_in_network: bool = False,
) -> PlacedWays:
    """Map ways of several kinds, the innermost first, to chips of the catalogue.

    GPUs: the innermost ways fill a domain of fast links first; the others use the nodes' adapters. TPUs: each
    kind has whole axes of the torus to itself, so that collectives of different kinds do not share links. The
    slice has the shape nearest to a cube (2 x 4, 4 x 8; 2 x 2 x 2, 2 x 2 x 4: those that Cloud TPU offers),
    unless `slice_sides` gives its sides in the order of the kinds. An axis wraps as in `find_network`.
    Raises ValueError where the chips have too few axes or no such slice.
    Source: J. Austin et al., "How to Scale Your Model", parts 3 and 5 (ways on axes of their own); Google
    Cloud, "TPU configurations" (shapes of slices).
    """
    several = {name: count for name, count in ways.items() if count > 1}
    sides: dict[str, tuple[int, ...]] = {}
    if chip.kind == "tpu" and several:
        sides = _choose_sides(chip, several, slice_sides)
    elif slice_sides is not None and prod(slice_sides) != prod(several.values()):
        raise ValueError(f"slice_sides has {prod(slice_sides)} chips, not {prod(several.values())}")
    return PlacedWays(
        chip=chip, ways=ways, sides=sides, latency_s=latency_s, reduces_in_network=reduces_in_network
    )


def find_links(
    chip: Chip,
    layout: Layout,
    *,
    slice_sides: tuple[int, ...] | None = None,
    latency_s: float | None = None,
    reduces_in_network: bool = False,
    factors: Factors = IDEAL,
) -> NetworkLinks:
    """The links of one copy of a model; its tensor, context, expert and pipeline ways as in `place_ways`.

    `latency_s` is the latency of a hop or step, as in `find_network`. `factors` of the operator `collective`
    calibrate collectives. One chip needs no links.
    Raises ValueError where the catalogue does not say how that many chips are connected.
    """
    ways = {
        "tensor": layout.tensor_count,
        "context": layout.context_count,
        "expert": layout.expert_count,
        "pipeline": layout.pipeline_count,
    }
    try:
        placed = place_ways(
            chip,
            ways,
            slice_sides=slice_sides,
            latency_s=latency_s,
            reduces_in_network=reduces_in_network,
        )
        rate, neighbour_s = placed.neighbour_rate("pipeline") if layout.pipeline_count > 1 else (None, 0.0)
        return NetworkLinks(
            reducing=placed.network("tensor"),
            gathering=placed.network("context"),
            exchanging=placed.network("expert"),
            neighbour_bandwidth_bytes_per_s=rate,
            neighbour_latency_s=neighbour_s,
            factors=factors,
        )
    except MissingFigureError as error:
        raise ValueError(
            f"the catalogue does not say how that many chips are connected: {error.args[0]}"
        ) from error


def _choose_sides(
    chip: Chip, ways: Mapping[str, int], slice_sides: tuple[int, ...] | None
) -> dict[str, tuple[int, ...]]:
    axes_count = _count_axes(chip)
    if slice_sides is not None:
        return _share_out_sides(ways, slice_sides)
    if len(ways) > axes_count:
        kinds = ", ".join(ways)
        raise ValueError(f"{chip.short_name} has {axes_count} axes of links, too few for {kinds} ways apart")
    shapes = [
        shape
        for shape in _list_shapes(tuple(ways.values()), axes_count)
        if fits_pod(chip, tuple(side for part in shape for side in part))
    ]
    if not shapes:
        raise ValueError(f"{chip.short_name} has no slice of {prod(ways.values())} chips for such ways")
    best = min(shapes, key=lambda shape: (max(map(max, shape)), sum(map(sum, shape))))
    return dict(zip(ways, best, strict=True))


def _count_axes(chip: Chip) -> int:
    first = chip.topology[:1]
    if "D torus" not in chip.topology or not first.isdigit():
        raise ValueError(f"{chip.short_name} has no torus: {chip.topology}")
    return int(first)


def _share_out_sides(ways: Mapping[str, int], sides: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Assign whole axes to each kind, in order; any remaining sides must be 1. Raises ValueError."""
    left, shares = list(sides), {}
    for name, count in ways.items():
        mine: list[int] = []
        while left and (prod(mine) < count or not mine):
            mine.append(left.pop(0))
        shares[name] = tuple(mine)
        if prod(mine) != count:
            raise ValueError(f"slice_sides {sides} has no whole axes for {count} {name} ways")
    if prod(left) != 1:
        raise ValueError(f"slice_sides {sides} has more chips than the ways, {prod(ways.values())}")
    last = list(shares)[-1]
    shares[last] += tuple(left)
    return shares


def _list_shapes(counts: tuple[int, ...], axes_count: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Sides for each count, `axes_count` in total; first those with the most axes for the first count."""
    first, *others = counts
    for mine in range(axes_count - len(others), 0, -1):
        for sides in _list_factors(first, mine):
            if not others:
                if mine == axes_count:
                    yield (sides,)
                continue
            for rest in _list_shapes(tuple(others), axes_count - mine):
                yield (sides, *rest)


def _list_factors(count: int, parts: int, least: int = 1) -> Iterator[tuple[int, ...]]:
    """Non-decreasing factors, at least `least`, whose product is `count`."""
    if parts == 1:
        if count >= least:
            yield (count,)
        return
    for side in range(least, count + 1):
        if side**parts > count:
            return
        if count % side == 0:
            for rest in _list_factors(count // side, parts - 1, side):
                yield (side, *rest)

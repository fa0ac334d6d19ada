"""Networks of the catalogue's chips, derived from their interconnect figures and topology text."""

import re
from collections.abc import Collection
from math import prod

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.networks.fat_trees import DEFAULT_SWITCHES, Switches
from diglot.hardware.networks.topologies import Cluster, Island, Torus
from diglot.hardware.networks.twisted_tori import TwistedTorus
from diglot.hardware.sizes import check_amount, check_size

NODE_CHIPS_COUNT = 8
"""GPUs of a server; a domain of more is a rack."""
DATA_CENTRE_LATENCY_S = 10e-6
"""Latency between TPU slices below one switch of the data-centre network.

An assumption, since no figure is published: a message passes two hosts, two adapters and a switch.
"""
DATA_CENTRE_SWITCHES = Switches(rail_optimised=False)
"""Chips of a slice share hosts, whose adapters are cabled by place and not by rank."""


def find_network(
    chip: Chip | str,
    chips: int | tuple[int, ...],
    *,
    latency_s: float | None = None,
    reduces_in_network: bool | None = None,
    switches: Switches = DEFAULT_SWITCHES,
) -> Torus | Island | Cluster:
    """The network of `chips` of one kind: a number of GPUs, or the sides of a slice of TPUs.

    GPUs up to the size of a domain are an island; more are islands on the scale-out network, a fat tree of
    `switches`: whole domains, or as much of each as fills all alike (`count_filled_domain`). TPUs are a
    torus. An axis wraps where the catalogue's topology says so; on three-axis tori where every side is a
    multiple of 4 (slices are built from cubes of 4 x 4 x 4); otherwise where it spans a whole side of the
    pod.
    Sides that are not given are 1, so that (4, 4) of a chip with three axes is (4, 4, 1).
    `latency_s` is the latency of a hop or step, also between islands below one switch. By default it is the
    catalogue's figure for each, or 0 where there is none, which leaves lower bounds without a latency term.
    `reduces_in_network` applies to islands behind switches; by default they reduce where the fabric can
    (`has_reducing_switches`).
    Raises ValueError for impossible sizes, slices beyond a pod, and where the catalogue does not say how that
    many chips are connected; MissingFigureError where a rate is not known.
    """
    chip = find_chip(chip)
    given = chips if isinstance(chips, tuple | list) else (chips,)
    sides = tuple(int(check_size("chips", side)) for side in given)
    if chip.kind == "tpu":
        return _find_torus(chip, sides, latency_s)
    reduces = has_reducing_switches(chip) if reduces_in_network is None else reduces_in_network
    return _find_islands(chip, prod(sides), latency_s, reduces, switches)


def find_scale_out_bytes_per_s(chip: Chip | str) -> float:
    """Rate of one chip, in one direction, to chips that its own links do not reach.

    A GPU's share of its node's adapters, or a TPU's share of its host's. Raises MissingFigureError where the
    catalogue has no rate.
    """
    chip = find_chip(chip)
    if chip.kind == "tpu":
        return chip.quantity("dcn.per_chip").value
    return chip.quantity("interconnect.scale_out_per_node").value / find_domain_count(chip)


def count_torus_axes(chip: Chip) -> int:
    """Axes of the torus of a TPU. Raises ValueError for a chip without one."""
    axes = re.match(r"(\d)D torus", chip.topology)
    if axes is None:
        raise ValueError(f"{chip.short_name} has no torus: {chip.topology}")
    return int(axes[1])


def find_domain_count(chip: Chip) -> int:
    """Number of GPUs connected by the fast links: 8 for an H200, 72 for a GB200.

    Raises ValueError where the catalogue names no domain.
    """
    if chip.has("interconnect.domain_size"):
        return int(chip.quantity("interconnect.domain_size").value)
    match = re.search(r"domain of (\d+)", chip.topology)
    if match is None:
        if chip.topology == "none":
            raise ValueError(f"no figure of links between {chip.short_name} is known")
        raise ValueError(f"{chip.short_name} has no domain of fast links: {chip.topology}")
    return int(match[1])


def count_filled_domain(domain_count: int, chips_count: int, *, groups: Collection[int] = ()) -> int:
    """Chips that a job has in each domain of fast links: all of one, or as many as fill several alike.

    The rest of each is left idle: 8 of the 72 of a rack by jobs of 128 (NVIDIA, Megatron-Bridge, "Performance
    summary"), 2 of the 8 of a server by one of 12. `groups` are sizes of groups of ways, inner ones
    included, which lie within a domain or have whole ones. At least half of a server is filled, and as much
    as a server of a rack.
    Raises ValueError where no number does, with the nearest that do.
    """
    domain, chips = int(check_size("domain_count", domain_count)), int(check_size("chips_count", chips_count))
    sizes = [int(check_size("groups", group)) for group in groups]
    if chips <= domain:
        return domain
    found = _find_filled(domain, chips, sizes)
    if found is None:
        fits = [each for each in range(1, 2 * chips) if each <= domain or _find_filled(domain, each, [])]
        nearest = (max(each for each in fits if each <= chips), min(each for each in fits if each >= chips))
        hint = f"{nearest[0]} and {nearest[1]} do" if chips not in nearest else "other ways may"
        raise ValueError(f"{chips} chips in such groups do not fill domains of {domain} alike; {hint}")
    return found


def _find_filled(domain: int, chips: int, groups: list[int]) -> int | None:
    least = NODE_CHIPS_COUNT if domain > NODE_CHIPS_COUNT else max(domain // 2, 1)
    for count in range(domain, least - 1, -1):
        if chips % count == 0 and all(count % group == 0 or group % count == 0 for group in groups):
            return count
    return None


def has_reducing_switches(chip: Chip) -> bool:
    """Whether the switches between a domain's chips reduce data (NVLink SHARP).

    Source: NVIDIA, "NVSwitch": from the third generation, of Hopper, on.
    """
    return "all to all" in chip.topology and chip.architecture in ("Hopper", "Blackwell", "Blackwell Ultra")


def join_slices(
    chip: Chip | str,
    slice_: Torus,
    slices_count: int,
    *,
    latency_s: float = DATA_CENTRE_LATENCY_S,
    switches: Switches = DATA_CENTRE_SWITCHES,
) -> Cluster:
    """Cluster of equal TPU slices on the data-centre network, which their chips share equally (multi-slice).

    Raises MissingFigureError where the rate of a chip is not known.
    """
    chip = find_chip(chip)
    return Cluster(
        island=slice_,
        islands_count=int(check_size("slices_count", slices_count)),
        network_bytes_per_s=find_scale_out_bytes_per_s(chip),
        network_latency_s=float(check_amount("latency_s", latency_s)),
        switches=switches,
    )


def join_islands(
    chip: Chip,
    island: Island,
    islands_count: int,
    *,
    latency_s: float | None = None,
    switches: Switches = DEFAULT_SWITCHES,
) -> Cluster:
    """Cluster of equal GPU islands on the network adapters of their nodes, shared equally by the GPUs.

    `latency_s` as in `find_network`. Raises MissingFigureError where the rate of a node is not known.
    """
    return Cluster(
        island=island,
        islands_count=int(check_size("islands_count", islands_count)),
        network_bytes_per_s=find_scale_out_bytes_per_s(chip),
        network_latency_s=_choose_latency_s(chip, "scale_out_latency", latency_s),
        switches=switches,
    )


def find_twisted_torus(
    chip: Chip | str, sides: tuple[int, int, int], *, latency_s: float | None = None
) -> TwistedTorus:
    """A slice of TPUs whose optical switches close its short axes with a shift.

    Raises ValueError for sides that cannot be twisted, for sides that are not multiples of 4, and as
    `find_network`. Source: Google Cloud, "TPU v4" (twisted slices).
    """
    chip = find_chip(chip)
    plain = find_network(chip, sides, latency_s=latency_s)
    if not isinstance(plain, Torus) or not all(wraps for _, wraps, _ in plain.axes):
        raise ValueError(f"{chip.short_name} has no optical switches at the ends of {sides}")
    return TwistedTorus(
        sides_count=sides, link_bytes_per_s=plain.link_bytes_per_s, hop_latency_s=plain.hop_latency_s
    )


def find_wraps(chip: Chip, sides: tuple[int, ...]) -> tuple[bool, ...]:
    """Whether each axis of a slice of TPUs wraps around, as in `find_network`. Raises ValueError for GPUs."""
    axes_count = count_torus_axes(chip)
    only = re.search(r"wrap-around only on a side of (\d+)", chip.topology)
    if only is not None:
        return tuple(side == int(only[1]) for side in sides)
    if axes_count == 3:
        return (len(sides) == axes_count and all(side % 4 == 0 for side in sides),) * len(sides)
    pod_sides = {int(side) for side in (chip.pod_shape or "").split("x") if side}
    return tuple(side in pod_sides for side in sides)


def fits_pod(chip: Chip, sides: tuple[int, ...]) -> bool:
    """Whether a slice with these sides is within a pod, however turned; True where its size is unknown."""
    if chip.pod_shape is not None:
        limits = sorted((int(side) for side in chip.pod_shape.split("x")), reverse=True)
        return all(side <= limit for side, limit in zip(sorted(sides, reverse=True), limits, strict=False))
    return not chip.has("pod.max_chips") or prod(sides) <= chip.quantity("pod.max_chips").value


def _name_pod(chip: Chip) -> str:
    return chip.pod_shape or f"{chip.quantity('pod.max_chips').value:g} chips"


def _find_torus(chip: Chip, sides: tuple[int, ...], latency_s: float | None) -> Torus:
    axes_count = count_torus_axes(chip)
    if len(sides) > axes_count:
        raise ValueError(f"{chip.short_name} has a {axes_count}D torus, not one with {len(sides)} axes")
    if not fits_pod(chip, sides):
        shape = " x ".join(map(str, sides))
        raise ValueError(f"a slice of {shape} is larger than a pod of {chip.short_name}, {_name_pod(chip)}")
    if chip.has("interconnect.per_link_per_direction"):
        link_bytes_per_s = chip.quantity("interconnect.per_link_per_direction").value
    else:
        link_bytes_per_s = chip.interconnect_bytes_per_s / chip.quantity("interconnect.links").value
    return Torus(
        sides_count=sides,
        wraps=find_wraps(chip, sides),
        link_bytes_per_s=link_bytes_per_s,
        hop_latency_s=_choose_latency_s(chip, "hop_latency", latency_s),
    )


def _choose_latency_s(chip: Chip, figure: str, latency_s: float | None) -> float:
    """`latency_s` if given, otherwise the catalogue's figure, otherwise 0."""
    if latency_s is not None:
        return float(check_amount("latency_s", latency_s))
    field = f"interconnect.{figure}"
    return chip.quantity(field).value if chip.has(field) else 0.0


def _find_islands(
    chip: Chip, chips: int, latency_s: float | None, reduces_in_network: bool, switches: Switches
) -> Island | Cluster:
    domain = find_domain_count(chip)
    direct = "direct links" in chip.topology
    filled = count_filled_domain(domain, chips)
    island = Island(
        chips_count=min(chips, filled),
        egress_bytes_per_s=chip.interconnect_bytes_per_s,
        pair_bytes_per_s=chip.quantity("interconnect.per_link_per_direction").value if direct else None,
        step_latency_s=_choose_latency_s(chip, "hop_latency", latency_s),
        reduces_in_network=reduces_in_network,
    )
    if chips <= domain:
        return island
    return join_islands(chip, island, chips // filled, latency_s=latency_s, switches=switches)

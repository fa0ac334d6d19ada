"""Which axes of a torus, or parts of them, belong to which ways of a layout.

A part is so many neighbours along an axis, or every n-th chip of it. A ring over a whole axis that wraps has
two links per chip. Neighbours that do not fill the axis are a line, with one at its ends, and groups of every
n-th chip share the links between: either has at most half.
Source: J. Austin et al., "How to Scale Your Model", parts 2 and 5 (no wrap-around on less than a whole axis;
ways on axes of their own).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod

from diglot.hardware.sizes import check_size


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisPart:
    """Chips along one axis that are in the same group. Raises ValueError for impossible numbers."""

    axis_index: int
    side_count: int
    """Chips of the group along the axis."""
    stride_count: int = 1
    """Hops from one of them to the next."""

    def __post_init__(self) -> None:
        check_size("axis_index", self.axis_index, least=0)
        check_size("side_count", self.side_count)
        check_size("stride_count", self.stride_count)

    def wraps_around(self, slice_sides: tuple[int, ...], axis_wraps: tuple[bool, ...]) -> bool:
        """Whether the last chip is linked to the first: only where the part spans an axis that wraps."""
        spans = self.stride_count * self.side_count == slice_sides[self.axis_index]
        return axis_wraps[self.axis_index] and spans


Parts = Mapping[str, tuple[AxisPart, ...]]
"""Kind of ways → its parts of axes."""


def own_axes(ways: Mapping[str, int], axes_count: int) -> Iterator[tuple[tuple[int, ...], Parts]]:
    """Slices in which each kind has whole axes to itself: sides of the slice, and the parts of each kind."""
    for shape in _list_shapes(tuple(ways.values()), int(check_size("axes_count", axes_count))):
        indices = iter(range(axes_count))
        parts = {
            name: tuple(AxisPart(axis_index=next(indices), side_count=side) for side in sides)
            for name, sides in zip(ways, shape, strict=True)
        }
        yield tuple(side for sides in shape for side in sides), parts


def list_slices(chips_count: int, axes_count: int) -> Iterator[tuple[int, ...]]:
    """Sides of all slices of so many chips, in non-decreasing order."""
    chips = int(check_size("chips_count", chips_count))
    return _list_factors(chips, int(check_size("axes_count", axes_count)))


def share_axes(ways: Mapping[str, int], slice_sides: tuple[int, ...], axis_wraps: tuple[bool, ...]) -> Parts:
    """The parts of each kind in a slice of given sides, so that inner kinds have the fastest links.

    A kind begins where those inside it end along each axis. Raises ValueError where the ways are not the
    chips of the slice, or cannot be cut out of its axes.
    """
    chips = prod(ways.values())
    if prod(slice_sides) != chips:
        raise ValueError(f"slice_sides {slice_sides} has {prod(slice_sides)} chips, not {chips}")

    def rate(shares: Parts) -> tuple[float, ...]:
        return tuple(
            sum(_count_links(part, part.wraps_around(slice_sides, axis_wraps)) for part in parts)
            for parts in shares.values()
        )

    best = max(_list_shares(tuple(ways.items()), slice_sides), key=rate, default=None)
    if best is None:
        kinds = ", ".join(f"{count} {name}" for name, count in ways.items())
        raise ValueError(f"{kinds} ways cannot be cut out of a slice of {slice_sides}")
    return best


def merge_parts(parts: tuple[AxisPart, ...]) -> tuple[AxisPart, ...]:
    """Parts of adjacent kinds as those of one kind: along each axis, from the innermost stride on."""
    merged: dict[int, AxisPart] = {}
    for part in parts:
        known = merged.get(part.axis_index, replace(part, side_count=1))
        merged[part.axis_index] = AxisPart(
            axis_index=part.axis_index,
            side_count=known.side_count * part.side_count,
            stride_count=min(known.stride_count, part.stride_count),
        )
    return tuple(merged.values())


def _count_links(part: AxisPart, wraps: bool) -> float:
    """Links of a chip along its part of an axis, or its share of them. Neighbours in a pair have one."""
    pair = part.side_count == 2 and part.stride_count == 1
    return (2 if wraps and not pair else 1) / part.stride_count


def _list_shares(ways: tuple[tuple[str, int], ...], slice_sides: tuple[int, ...]) -> Iterator[Parts]:
    """All ways of cutting each kind, in order, out of what the kinds before it leave of each axis."""
    (name, count), *others = ways
    for sides in _list_divisors(count, slice_sides):
        mine = tuple(
            AxisPart(axis_index=axis, side_count=side) for axis, side in enumerate(sides) if side > 1
        )
        if not others:
            yield {name: mine}
            continue
        left = tuple(whole // side for whole, side in zip(slice_sides, sides, strict=True))
        for rest in _list_shares(tuple(others), left):
            yield {name: mine, **{other: _stretch(parts, sides) for other, parts in rest.items()}}


def _stretch(parts: tuple[AxisPart, ...], sides: tuple[int, ...]) -> tuple[AxisPart, ...]:
    """Parts whose chips have those of an inner kind between them."""
    return tuple(replace(part, stride_count=part.stride_count * sides[part.axis_index]) for part in parts)


def _list_divisors(count: int, sides: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Divisors of each side whose product is `count`."""
    first, *others = sides
    for divisor in range(1, min(first, count) + 1):
        if first % divisor or count % divisor:
            continue
        if others:
            for rest in _list_divisors(count // divisor, tuple(others)):
                yield (divisor, *rest)
        elif divisor == count:
            yield (divisor,)


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

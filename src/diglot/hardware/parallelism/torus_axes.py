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

    def rate(cut: Cut) -> tuple[float, ...]:
        return tuple(
            sum(
                _count_links(side, stride, wraps and side * stride == whole)
                for side, stride, whole, wraps in zip(sides, strides, slice_sides, axis_wraps, strict=True)
            )
            for sides, strides in zip(cut, _find_strides(cut), strict=True)
        )

    best = max(_list_cuts(tuple(ways.values()), slice_sides), key=rate, default=None)
    if best is None:
        kinds = ", ".join(f"{count} {name}" for name, count in ways.items())
        raise ValueError(f"{kinds} ways cannot be cut out of a slice of {slice_sides}")
    return {
        name: tuple(
            AxisPart(axis_index=axis, side_count=side, stride_count=stride)
            for axis, (side, stride) in enumerate(zip(sides, strides, strict=True))
            if side > 1
        )
        for name, sides, strides in zip(ways, best, _find_strides(best), strict=True)
    }


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


def _count_links(side: int, stride: int, wraps: bool) -> float:
    """Links of a chip along its part of an axis, or its share of them. Neighbours in a pair have one."""
    if side == 1:
        return 0.0
    return (2 if wraps and (side, stride) != (2, 1) else 1) / stride


Cut = tuple[tuple[int, ...], ...]
"""Chips of each kind along each axis."""


def _find_strides(cut: Cut) -> Cut:
    """Hops between the chips of each kind along each axis: over all of the kinds inside it."""
    strides = [(1,) * len(cut[0])]
    for sides in cut[:-1]:
        strides.append(tuple(stride * side for stride, side in zip(strides[-1], sides, strict=True)))
    return tuple(strides)


def _list_cuts(counts: tuple[int, ...], slice_sides: tuple[int, ...]) -> Iterator[Cut]:
    """All ways of cutting each kind, in order, out of what the kinds before it leave of each axis."""
    first, *others = counts
    for sides in _list_divisors(first, slice_sides):
        left = tuple(whole // side for whole, side in zip(slice_sides, sides, strict=True))
        if others:
            for rest in _list_cuts(tuple(others), left):
                yield (sides, *rest)
        else:
            yield (sides,)


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

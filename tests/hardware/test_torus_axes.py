"""Ways that share the axes of a torus."""

from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from diglot.hardware import Torus, find_network, load_catalogue
from diglot.hardware.parallelism.chip_links import place_ways

CHIPS = load_catalogue()
V5E, V5P = CHIPS["tpu-v5e"], CHIPS["tpu-v5p"]
LINK = V5P.quantity("interconnect.per_link_per_direction").value


@pytest.mark.parametrize(("tensor", "ports"), [(4, 2), (8, 3)])
def test_a_whole_pod_splits_its_axes_between_two_kinds(tensor, ports):
    """16 x 20 x 28: tensor ways are chips side by side, 2 along each axis, data ways every second chip."""
    placed = place_ways(V5P, {"tensor": tensor, "data": 8960 // tensor})
    inner, outer = placed.network("tensor"), placed.network("data")
    assert prod(inner.sides_count) == tensor
    assert inner.all_gather_cost().per_byte_s == pytest.approx((1 - 1 / tensor) / (ports * LINK))
    assert not any(inner.wraps)
    halved = sum(stride == 2 for stride in outer.strides_count)
    assert halved == ports
    # Rings of every second chip share their links with the rings between: half of two links each.
    share = 2 * (len(outer.sides_count) - halved) + halved
    assert outer.all_gather_cost().per_byte_s == pytest.approx((1 - tensor / 8960) / (share * LINK))


def test_an_axis_split_in_two_has_half_its_ring_for_each_way_outside():
    """8 x 8 x 2 of 16 x 8: neighbours form a line; every second chip a ring on shared links."""
    torus = Torus(sides_count=(8,), strides_count=2, link_bytes_per_s=1.0, hop_latency_s=1.0)
    whole = Torus(sides_count=(16,), link_bytes_per_s=1.0, hop_latency_s=1.0)
    assert torus.all_gather_cost().per_byte_s == pytest.approx(7 / 8 / 1.0)
    assert whole.all_gather_cost().per_byte_s == pytest.approx(15 / 16 / 2.0)
    assert torus.all_gather_cost().latency_s == whole.all_gather_cost().latency_s == 8
    assert torus.bisection_bytes_per_s == whole.bisection_bytes_per_s / 2


def test_two_chips_far_apart_on_a_ring_have_both_ways_round():
    """All 8 pairs of a ring of 16 at once: 8 hops each way over 16 x 2 links for 16 messages."""
    pair = Torus(sides_count=(2,), strides_count=8, link_bytes_per_s=1.0)
    assert pair.all_gather_cost().per_byte_s == pytest.approx(1 / 2 * 8 / 2)
    assert pair.all_to_all_cost().per_byte_s == pytest.approx(1 / 2 * 8 / 2)


def test_whole_axes_are_taken_where_there_are_such_slices():
    placed = place_ways(V5P, {"tensor": 16, "expert": 8})
    assert placed.sides == {"tensor": (4, 4), "expert": (8,)}
    assert place_ways(V5E, {"tensor": 16, "data": 16}).sides == {"tensor": (16,), "data": (16,)}


@given(
    sides=st.tuples(*[st.sampled_from([4, 8, 12])] * 3),
    cut=st.tuples(*[st.sampled_from([1, 2, 4])] * 3),
)
def test_kinds_that_share_a_slice_never_have_more_links_than_it(sides, cut):
    inner = prod(cut)
    ways = {"tensor": inner, "data": prod(sides) // inner}
    assume(min(ways.values()) > 1)
    placed = place_ways(V5P, ways, slice_sides=sides)
    whole = find_network(V5P, sides)
    for name, count in ways.items():
        network = placed.network(name)
        assert network.chips_count == count
        assert network.port_bytes_per_s <= whole.port_bytes_per_s
        assert network.all_to_all_cost().per_byte_s >= 0
    both = placed.network("tensor", "data")
    assert both.all_gather_cost().per_byte_s == pytest.approx(whole.all_gather_cost().per_byte_s)
    assert both.diameter_count == whole.diameter_count

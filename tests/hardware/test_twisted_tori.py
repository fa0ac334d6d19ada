"""Twisted tori, and slices that optical circuit switches put together."""

from collections import deque

import pytest

from diglot.hardware import OpticalPod, TwistedTorus, find_network, find_twisted_torus, load_catalogue

CHIPS = load_catalogue()
V4, V5E = CHIPS["tpu-v4"], CHIPS["tpu-v5e"]


def walk_from_the_corner(sides):
    """Distances by breadth-first search; over the end of a short axis steps move along the long ones."""
    short = min(sides)
    distances = {(0, 0, 0): 0}
    places = deque(distances)
    while places:
        place = places.popleft()
        for axis in range(3):
            for step in (1, -1):
                ahead = list(place)
                ahead[axis] += step
                if not 0 <= ahead[axis] < sides[axis]:
                    ahead[axis] %= sides[axis]
                    if sides[axis] == short:
                        ahead = [
                            (at + step * short) % side if side > short else at
                            for at, side in zip(ahead, sides, strict=True)
                        ]
                if tuple(ahead) not in distances:
                    distances[tuple(ahead)] = distances[place] + 1
                    places.append(tuple(ahead))
    return distances


@pytest.mark.parametrize("sides", [(4, 4, 8), (4, 8, 8), (8, 4, 8), (3, 3, 6), (3, 6, 6), (2, 2, 4)])
def test_distances_are_those_of_a_walk(sides):
    twisted = TwistedTorus(sides_count=sides, link_bytes_per_s=1.0)
    distances = walk_from_the_corner(sides)
    assert len(distances) == twisted.chips_count
    assert twisted.diameter_count == max(distances.values())
    assert twisted.mean_distance_count == pytest.approx(sum(distances.values()) / len(distances))


@pytest.mark.parametrize(("sides", "measured"), [((4, 4, 8), 1.63), ((4, 8, 8), 1.31)])
def test_an_all_to_all_gains_a_little_more_than_was_measured_on_tpu_v4(sides, measured):
    """N. Jouppi et al., "TPU v4", arXiv:2304.01433, figure 6: 1.63 and 1.31 times the throughput."""
    twisted, plain = find_twisted_torus(V4, sides), find_network(V4, sides)
    gain = plain.all_to_all_cost().per_byte_s / twisted.all_to_all_cost().per_byte_s
    assert measured <= gain < 1.08 * measured


def test_a_twist_shortens_paths_and_leaves_all_reduces_as_fast():
    twisted, plain = find_twisted_torus(V4, (8, 8, 16)), find_network(V4, (8, 8, 16))
    assert twisted.all_reduce_cost().per_byte_s == plain.all_reduce_cost().per_byte_s
    assert twisted.all_reduce_cost().latency_s < plain.all_reduce_cost().latency_s


@pytest.mark.parametrize("sides", [(4, 4, 4), (4, 4, 16), (1, 1, 2), (4, 8)])
def test_only_sides_with_one_twice_the_other_are_twisted(sides):
    with pytest.raises(ValueError, match="sides_count"):
        TwistedTorus(sides_count=sides, link_bytes_per_s=1.0)


@pytest.mark.parametrize(("chip", "sides"), [(V4, (2, 2, 4)), (V5E, (4, 8))])
def test_slices_without_optical_switches_are_not_twisted(chip, sides):
    with pytest.raises(ValueError, match="optical switches"):
        find_twisted_torus(chip, sides)


@pytest.mark.parametrize("availability", [0.99, 0.995])
@pytest.mark.parametrize(("chips", "goodput"), [(1024, 0.75), (2048, 0.5), (3072, 0.75)])
def test_goodput_of_a_pod_of_tpu_v4(availability, chips, goodput):
    """arXiv:2304.01433, figure 4: three slices of 1,024 chips, one of 2,048 or of 3,072."""
    pod = OpticalPod(host_availability_fraction=availability)
    assert pod.find_goodput_fraction(chips) == pytest.approx(goodput, abs=0.01)
    assert pod.find_fixed_goodput_fraction(chips) < 0.3


def test_of_single_cubes_optical_switches_save_none():
    pod = OpticalPod(host_availability_fraction=0.99)
    assert pod.find_goodput_fraction(64) == pytest.approx(pod.find_fixed_goodput_fraction(64))
    assert OpticalPod(host_availability_fraction=1.0).find_goodput_fraction(4096) == 1


@pytest.mark.parametrize("chips", [100, 8192])
def test_slices_that_are_no_cubes_or_more_than_the_pod_are_refused(chips):
    with pytest.raises(ValueError, match="slice_chips_count"):
        OpticalPod().find_goodput_fraction(chips)

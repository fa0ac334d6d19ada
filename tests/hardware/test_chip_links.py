"""The links of layouts on chips of the catalogue."""

import dataclasses
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    Cluster,
    Factors,
    Island,
    Layout,
    Ring,
    deploy,
    estimate_collective,
    estimate_decode,
    find_links,
    find_network,
    load_catalogue,
    load_model,
)
from diglot.hardware.chips.chip import Quantities
from diglot.hardware.networks.chip_networks import count_filled_domain
from diglot.hardware.parallelism.chip_links import count_idle_per_domain, place_ways

CHIPS = load_catalogue()
H100, H200, V5E, V5P = (CHIPS[id_] for id_ in ("h100-sxm", "h200-sxm", "tpu-v5e", "tpu-v5p"))


@pytest.mark.parametrize(
    ("chip", "ways", "sides"),
    [
        (V5E, 8, (2, 4)),
        (V5E, 32, (4, 8)),
        (V5E, 256, (16, 16)),
        (V5P, 4, (1, 2, 2)),
        (V5P, 16, (2, 2, 4)),
        (V5P, 64, (4, 4, 4)),
        (V5P, 128, (4, 4, 8)),
    ],
)
def test_a_slice_has_the_shape_nearest_to_a_cube(chip, ways, sides):
    assert place_ways(chip, {"tensor": ways}).sides == {"tensor": sides}


@pytest.mark.parametrize(
    ("chip", "ways"), [(V5E, 16), (V5E, 256), (V5P, 8), (V5P, 64), (H100, 8), (H100, 64)]
)
def test_ways_of_one_kind_talk_over_the_chips_own_network(chip, ways):
    """Also where no axis wraps; there a ring over all links would be far too fast."""
    shape = place_ways(chip, {"tensor": ways}).sides.get("tensor", ways)
    own = estimate_collective("all-reduce", 10**9, find_network(chip, shape)).time_s
    assert find_links(chip, Layout(tensor_count=ways)).all_reduce_time_s(1e9, ways) == pytest.approx(own)


def test_a_slice_without_wrap_around_is_slower_than_a_ring_of_all_links():
    """2 x 4 v5e: a corner has two links of 45 GB/s, not four, so 2 x 7/8 of the message goes over 90 GB/s."""
    links = find_links(V5E, Layout(tensor_count=8))
    assert links.all_reduce_time_s(1e9, 8) == pytest.approx(2 * 7 / 8 * 1e9 / 90e9)
    ring = Ring(bandwidth_bytes_per_s=V5E.interconnect_bytes_per_s)
    assert links.all_reduce_time_s(1e9, 8) == pytest.approx(2 * ring.all_reduce_time_s(1e9, 8))


def test_a_deployment_talks_over_them_unless_told_otherwise():
    model, layout = load_model("llama-3-70b"), Layout(tensor_count=16)
    default = estimate_decode(deploy(model, V5E, layout=layout), 1000)
    links = find_links(V5E, layout, slice_sides=(4, 4))
    assert (
        estimate_decode(deploy(model, V5E, layout=layout, interconnect=links), 1000).time_s == default.time_s
    )
    ring = Ring(bandwidth_bytes_per_s=V5E.interconnect_bytes_per_s)
    slower = default.tensor_communication_s
    assert (
        estimate_decode(deploy(model, V5E, layout=layout, interconnect=ring), 1000).communication_s < slower
    )


def test_a_calibrated_deployment_has_calibrated_links_on_the_slice_that_is_given():
    model, layout = load_model("llama-3-70b"), Layout(tensor_count=16)
    with pytest.raises(ValueError, match="interconnect must be None"):
        deploy(model, V5E, layout=layout, timing="calibrated", interconnect=find_links(V5E, layout))
    with pytest.raises(ValueError, match="slice_sides must be None"):
        deploy(model, V5E, layout=layout, slice_sides=(2, 8), interconnect=find_links(V5E, layout))
    for timing in ("ideal", "calibrated"):
        square, long = (
            estimate_decode(deploy(model, V5E, layout=layout, timing=timing, slice_sides=sides), 1000)
            for sides in ((4, 4), (1, 16))
        )
        default = estimate_decode(deploy(model, V5E, layout=layout, timing=timing), 1000)
        assert square.time_s == default.time_s < long.time_s


def test_sides_that_are_given_are_taken():
    links = find_links(V5E, Layout(tensor_count=16), slice_sides=(1, 16))
    assert links.reducing.wraps == (False, True)
    assert links.all_reduce_time_s(1e9, 16) == pytest.approx(2 * 15 / 16 * 1e9 / 90e9)


@pytest.mark.parametrize(
    ("sides", "message"),
    [((2, 4), "has 8 chips, not 16"), ((4, 4, 2), "has 32 chips"), ((3, 6), "has 18 chips")],
)
def test_sides_of_another_number_of_chips_are_refused(sides, message):
    with pytest.raises(ValueError, match=message):
        find_links(V5P, Layout(tensor_count=16), slice_sides=sides)


def test_kinds_of_ways_have_axes_of_their_own_on_a_torus():
    links = find_links(V5P, Layout(tensor_count=16, expert_count=8))
    assert (links.reducing.sides_count, links.exchanging.sides_count) == ((4, 4), (8,))
    assert links.reducing.wraps == (True, True)


def test_stages_on_a_torus_are_one_link_apart():
    links = find_links(V5P, Layout(tensor_count=16, pipeline_count=4), latency_s=1e-6)
    assert (links.send_time_s(90e9), links.send_time_s(1)) == (1, 1e-6)


def test_three_kinds_on_two_axes_share_one():
    links = find_links(V5E, Layout(tensor_count=2, pipeline_count=2, expert_count=2), latency_s=1e-6)
    assert (links.reducing.chips_count, links.exchanging.chips_count) == (2, 2)
    assert links.send_time_s(1) in (1e-6, 2e-6)  # next to each other, or with one between


def test_more_chips_than_a_pod_are_refused():
    with pytest.raises(ValueError, match="no slice of 512 chips"):
        find_links(V5E, Layout(tensor_count=512))


def test_ways_of_gpus_fill_a_node_before_they_leave_it():
    links = find_links(H200, Layout(tensor_count=4, expert_count=8))
    assert isinstance(links.reducing, Island)
    assert isinstance(links.exchanging, Cluster)
    assert (links.exchanging.island.chips_count, links.exchanging.islands_count) == (2, 4)
    assert links.exchanging.network_bytes_per_s == 50e9


def test_stages_inside_a_node_talk_over_its_switch_and_others_over_its_adapters():
    inside = find_links(H100, Layout(tensor_count=2, pipeline_count=4))
    beyond = find_links(H100, Layout(tensor_count=8, pipeline_count=2))
    assert (inside.send_time_s(450e9), beyond.send_time_s(50e9)) == (1, 1)


def test_a_pair_of_directly_joined_gpus_has_one_link():
    assert find_links(CHIPS["mi300x"], Layout(pipeline_count=2)).send_time_s(64e9) == 1


def test_copies_do_not_talk():
    links = find_links(H100, Layout(data_count=64))
    assert links.all_reduce_time_s(1e9, 1) == 0


def test_one_chip_needs_no_links():
    """A chip without links can serve alone."""
    find_links(CHIPS["rtx-5090"], Layout())
    assert deploy(load_model("llama-3-8b"), CHIPS["rtx-5090"]).layout.chips_count == 1


@pytest.mark.parametrize(
    ("chip", "layout", "message"),
    [
        ("rtx-5090", {"tensor_count": 2}, "RTX 5090 has no domain"),
        ("tpu-v1", {"tensor_count": 2}, "TPU v1 has no torus"),
        ("v100-sxm2", {"tensor_count": 16}, "does not say how that many chips are connected.*scale_out"),
        ("h100-sxm", {"tensor_count": 11}, "11 chips .* do not fill domains of 8 alike; 10 and 12 do"),
        ("h100-sxm", {"tensor_count": 3, "expert_count": 11}, "33 chips in such groups do not fill"),
    ],
)
def test_what_the_catalogue_does_not_say_is_refused(chip, layout, message):
    with pytest.raises(ValueError, match=message):
        find_links(CHIPS[chip], Layout(**layout))


@pytest.mark.parametrize(
    ("domain", "chips", "groups", "filled"),
    [
        (8, 3, (), 8), (8, 16, (), 8), (8, 12, (), 6), (8, 20, (), 5), (8, 100, (), 5), (8, 28, (), 7),
        (8, 12, (4, 12), 4), (8, 24, (3, 24), 6), (8, 32, (16, 32), 8), (72, 72, (), 72), (72, 144, (), 72),
        (72, 128, (), 64), (72, 80, (), 40), (72, 96, (8, 96), 48), (72, 256, (2, 128, 256), 64),
    ],
)  # fmt: skip
def test_jobs_fill_as_much_of_each_domain_as_fills_all_alike(domain, chips, groups, filled):
    assert count_filled_domain(domain, chips, groups=groups) == filled


def test_what_a_copy_on_several_domains_leaves_idle_is_counted():
    layouts = {128: Layout(expert_count=128), 72: Layout(expert_count=72), 64: Layout(tensor_count=64)}
    idle = {chips: count_idle_per_domain(CHIPS["gb300"], layout) for chips, layout in layouts.items()}
    assert idle == {128: 8, 72: 0, 64: 0}


def test_a_job_on_parts_of_domains_is_slower_than_on_whole_ones():
    """Twelve GPUs have 6 of each server: the data leaves one, as that of 16 does, but not that of 8."""
    eight, twelve, sixteen = (
        find_links(H100, Layout(tensor_count=ways)).all_reduce_time_s(1e9, ways) for ways in (8, 12, 16)
    )
    assert eight < twelve
    assert twelve == pytest.approx(sixteen, rel=0.5)
    racks = [find_links(CHIPS["gb300"], Layout(expert_count=ways)) for ways in (64, 128)]
    times = [links.token_exchange_time_s(1e8, ways, 8) for links, ways in zip(racks, (64, 128), strict=True)]
    assert times[0] < times[1]


def test_without_a_next_stage_nothing_is_sent():
    with pytest.raises(ValueError, match="neighbour_bandwidth_bytes_per_s is None"):
        find_links(H100, Layout(tensor_count=8)).send_time_s(1.0)


def test_measured_collectives_add_a_launch_and_reach_less():
    layout = Layout(tensor_count=8)
    ideal = find_links(H100, layout, reduces_in_network=False)
    factors = Factors(bandwidth_fraction=0.5, launch_s=1e-5)
    slow = find_links(H100, layout, factors=factors, latency_s=3e-6, reduces_in_network=False)
    expected_s = 2 * ideal.all_reduce_time_s(1e9, 8) + 2 * 3e-6 + 1e-5
    assert slow.all_reduce_time_s(1e9, 8) == pytest.approx(expected_s)


@settings(max_examples=40, deadline=None)
@given(
    chip=st.sampled_from([H100, H200, V5E, V5P]),
    ways=st.sampled_from([2, 4, 8, 16, 64]),
    message=st.floats(1, 1e10),
    factor=st.floats(1, 100),
)
def test_more_to_say_never_takes_less_time(chip, ways, message, factor):
    links = find_links(chip, Layout(tensor_count=ways), latency_s=1e-6)
    short, long = (links.all_reduce_time_s(message * scale, ways) for scale in (1, factor))
    assert 0 < short <= long < math.inf


@pytest.mark.parametrize("ways", [2, 8, 64])
def test_instant_links_take_no_time(ways):
    fast = dataclasses.replace(
        H100,
        quantities=Quantities(
            dataclasses.replace(quantity, value=quantity.value * 1e20)
            if quantity.field.startswith("interconnect.") and quantity.unit == "B/s"
            else quantity
            for quantity in H100.quantities
        ),
    )
    links = find_links(fast, Layout(tensor_count=ways), latency_s=0.0)
    assert links.all_reduce_time_s(1e9, ways) < 1e-15


@pytest.mark.parametrize(("ways", "steps_s"), [(8, 0.6e-6), (64, 0.6e-6 + 2 * 2.7e-6)])
def test_a_few_bytes_take_the_steps_of_the_catalogue(ways, steps_s):
    """One pass over NVLink, whose switches reduce, and two phases over the adapters of several nodes."""
    assert find_links(H100, Layout(tensor_count=ways)).all_reduce_time_s(1, ways) == pytest.approx(steps_s)


def test_ways_with_a_stride_take_the_steps_between_nodes_too():
    links = find_links(H200, Layout(tensor_count=8, expert_count=8))
    assert links.exchanging.network_latency_s == pytest.approx(2.7e-6)

"""Collectives over tori, islands and islands over a network."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    Cluster,
    Factors,
    Island,
    Torus,
    estimate_collective,
    find_half_bandwidth_bytes,
    find_network,
    load_catalogue,
    measure_bus_bandwidth,
)
from diglot.hardware.chips.calibration import IDEAL
from diglot.hardware.networks.collectives import COLLECTIVES, count_bus_factor

LINK = 45e9
NODE = Island(chips_count=8, egress_bytes_per_s=450e9, step_latency_s=1e-6)
PODS = Cluster(island=NODE, islands_count=4, network_bytes_per_s=25e9, network_latency_s=5e-6)


def torus_of(*sides, wraps=True, link=LINK, hop=1e-6):
    return Torus(sides_count=sides, wraps=wraps, link_bytes_per_s=link, hop_latency_s=hop)


sides = st.integers(1, 20)
shapes = st.lists(sides, min_size=1, max_size=3)
tori = st.builds(lambda sides, wraps: torus_of(*sides, wraps=wraps), shapes, st.booleans())
islands = st.builds(
    lambda chips, reduces: Island(
        chips_count=chips, egress_bytes_per_s=450e9, step_latency_s=1e-6, reduces_in_network=reduces
    ),
    st.integers(1, 72),
    st.booleans(),
)
clusters = st.builds(
    lambda island, count: Cluster(
        island=island, islands_count=count, network_bytes_per_s=50e9, network_latency_s=5e-6
    ),
    tori | islands,
    st.integers(1, 64),
)
networks = tori | islands | clusters
collectives = st.sampled_from(COLLECTIVES)
arrays = st.integers(1, 10**12)


class TestTori:
    def test_an_all_gather_on_a_line_of_four_costs_three_shards(self):
        """bf16[2048, 8192] over 4 chips of a v5e, no wrap-around: 560 us. Scaling book, part 3, pop quiz."""
        run = estimate_collective("all-gather", 2048 * 8192 * 2, torus_of(4, wraps=False))
        assert run.time_s == pytest.approx(560e-6, rel=2e-3)

    def test_whole_shards_on_an_even_ring_make_array_over_both_links(self):
        """V / (2 x link), whatever the number of chips: scaling book, part 3."""
        for chips in (2, 4, 16, 256):
            run = estimate_collective("all-gather", 10**9, torus_of(chips, hop=0), whole_shards=True)
            assert run.time_s == pytest.approx(10**9 / (2 * LINK))

    def test_split_shards_save_the_last_half_empty_step(self):
        whole, split = (
            estimate_collective("all-gather", 10**9, torus_of(16), whole_shards=whole)
            for whole in (True, False)
        )
        assert split.bandwidth_time_s / whole.bandwidth_time_s == pytest.approx(15 / 16)

    def test_a_small_array_takes_the_hops_to_the_farthest_chip(self):
        """bf16[256, 256] on the same line of four: 3 us, three hops. Scaling book, part 3, pop quiz."""
        run = estimate_collective("all-gather", 256 * 256 * 2, torus_of(4, wraps=False))
        assert run.time_s == pytest.approx(3e-6)

    def test_wrap_around_halves_the_hops(self):
        assert torus_of(16).diameter_count == 8
        assert torus_of(16, wraps=False).diameter_count == 15
        assert torus_of(16, 16, 16).diameter_count == 24

    def test_each_axis_adds_its_links(self):
        times = [
            estimate_collective("all-gather", 10**12, torus_of(*(16,) * axes)).time_s for axes in (1, 2, 3)
        ]
        assert times[0] / times[1] == pytest.approx(2, rel=0.08)
        assert times[0] / times[2] == pytest.approx(3, rel=0.08)

    def test_an_all_to_all_on_a_ring_is_a_quarter_of_its_all_gather_of_all_arrays(self):
        """V / 4W against V / W for an array of V bytes over all chips: scaling book, part 3 (AllToAll)."""
        chips, whole = 64, 64 * 10**6
        gather = estimate_collective("all-gather", whole, torus_of(chips, hop=0), whole_shards=True)
        exchange = estimate_collective("all-to-all", whole // chips, torus_of(chips, hop=0))
        assert exchange.time_s == pytest.approx(gather.time_s / 4)

    def test_an_all_to_all_on_a_line_takes_twice_as_long(self):
        ring, line = (
            estimate_collective("all-to-all", 10**9, torus_of(12, wraps=wrap)) for wrap in (True, False)
        )
        assert line.bandwidth_time_s == pytest.approx(2 * ring.bandwidth_time_s)

    @pytest.mark.parametrize("wraps", [True, False])
    @pytest.mark.parametrize("chips", [2, 3, 4, 5, 8, 9])
    def test_an_all_to_all_loads_the_busiest_link_as_counted_link_by_link(self, chips, wraps):
        """Follows every chunk along its shortest path; half in each direction where both are equal."""
        wraps_here = wraps and chips > 2
        load = np.zeros((chips, 2))  # links from each chip to the next and the previous
        for source in range(chips):
            for destination in range(chips):
                forward = (destination - source) % chips
                backward = (source - destination) % chips
                if not wraps_here:
                    ways = [(0, forward)] if destination >= source else [(1, backward)]
                elif forward == backward:
                    ways = [(0, forward), (1, backward)]
                else:
                    ways = [(0, forward)] if forward < backward else [(1, backward)]
                for direction, hops in ways:
                    step = 1 if direction == 0 else -1
                    for hop in range(hops):
                        load[(source + step * hop) % chips, direction] += 1 / len(ways)
        run = estimate_collective("all-to-all", chips * 10**6, torus_of(chips, wraps=wraps))
        assert run.bandwidth_time_s == pytest.approx(load.max() * 10**6 / LINK)

    def test_a_bisection_cuts_two_links_for_each_place_of_a_face(self):
        """TPU v3: 32 x 32 and 100 GB/s give the 6.4 TB/s that Google prints."""
        v3 = load_catalogue()["tpu-v3"]
        printed = v3.quantity("pod.bisection_bandwidth").value
        assert find_network(v3, (32, 32)).bisection_bytes_per_s == pytest.approx(printed)

    def test_sides_may_be_arrays(self):
        swept = estimate_collective("all-reduce", 10**9, torus_of(np.array([4, 8, 16]), 4))
        for index, side in enumerate((4, 8, 16)):
            one = estimate_collective("all-reduce", 10**9, torus_of(side, 4))
            assert swept.time_s[index] == one.time_s

    def test_a_torus_needs_an_axis_and_a_word_for_each(self):
        with pytest.raises(ValueError, match="sides_count must have at least one axis"):
            torus_of()
        with pytest.raises(ValueError, match="2 axes of 1"):
            torus_of(4, wraps=(True, False))


class TestIslands:
    def test_an_all_gather_of_half_a_gibibyte_on_a_node(self):
        """bf16[4096, 65536] over 8 GPUs at 450 GB/s: 1.04 ms. Scaling book, part 12, quiz 2."""
        assert estimate_collective("all-gather", 2**29, NODE).time_s == pytest.approx(1.04e-3, rel=5e-3)

    def test_switches_that_reduce_pass_the_array_once(self):
        """Bytes / egress instead of 2 (n - 1) / n of that. Scaling book, part 12."""
        sharp = Island(chips_count=8, egress_bytes_per_s=450e9, reduces_in_network=True)
        assert estimate_collective("all-reduce", 10**9, sharp).time_s == pytest.approx(10**9 / 450e9)
        plain = estimate_collective("all-reduce", 10**9, NODE)
        assert plain.time_s == pytest.approx(1.75 * 10**9 / 450e9)

    def test_of_direct_links_a_pair_has_one(self):
        """MI300X: 64 of 448 GB/s."""
        pair, full = (
            Island(chips_count=chips, egress_bytes_per_s=448e9, pair_bytes_per_s=64e9) for chips in (2, 8)
        )
        assert pair.port_bytes_per_s == 64e9
        assert full.port_bytes_per_s == 448e9

    def test_switches_can_be_what_binds(self):
        island = Island(chips_count=8, egress_bytes_per_s=450e9, switch_bytes_per_s=1.6e12)
        assert island.total_bytes_per_s == 1.6e12

    def test_direct_links_cannot_reduce(self):
        with pytest.raises(ValueError, match="no switch"):
            Island(chips_count=8, egress_bytes_per_s=1.0, pair_bytes_per_s=1.0, reduces_in_network=True)


class TestClusters:
    def test_a_large_all_reduce_is_bound_by_the_network(self):
        """2 V (m - 1) / m over the node's network rate, here 200 GB/s. Scaling book, part 12."""
        run = estimate_collective("all-reduce", 10**12, PODS)
        assert run.time_s == pytest.approx(2 * 10**12 * 3 / 4 / 200e9)

    @pytest.mark.parametrize(
        ("reduces", "expected_s"), [(False, 2 * 7 / 8 / 450e-3), (True, 2 * 3 / 4 / 400e-3)]
    )
    def test_the_links_inside_an_h100_node_bind_unless_its_switches_reduce(self, reduces, expected_s):
        """7/8 over 450 GB/s takes longer than 3/4 over 400 GB/s, both twice; one pass over 450 does not."""
        h100 = load_catalogue()["h100-sxm"]
        run = estimate_collective("all-reduce", 10**12, find_network(h100, 32, reduces_in_network=reduces))
        assert run.time_s == pytest.approx(expected_s)

    def test_one_island_is_that_island(self):
        alone = Cluster(island=NODE, islands_count=1, network_bytes_per_s=50e9)
        for collective in COLLECTIVES:
            assert (
                estimate_collective(collective, 10**9, alone).time_s
                == estimate_collective(collective, 10**9, NODE).time_s
            )

    def test_islands_of_one_chip_are_the_network(self):
        single = Cluster(
            island=Island(chips_count=1, egress_bytes_per_s=450e9), islands_count=8, network_bytes_per_s=50e9
        )
        flat = Island(chips_count=8, egress_bytes_per_s=50e9)
        for collective in COLLECTIVES:
            assert estimate_collective(collective, 10**9, single).time_s == pytest.approx(
                estimate_collective(collective, 10**9, flat).time_s
            )

    def test_an_all_to_all_sends_most_of_its_bytes_over_the_network(self):
        run = estimate_collective("all-to-all", 32 * 10**6, PODS)
        assert run.time_s == pytest.approx(24e6 / 25e9)

    def test_latencies_of_the_levels_add_up(self):
        assert estimate_collective("all-gather", 1, PODS).time_s == pytest.approx(6e-6)


class TestBandwidths:
    def test_factors_are_those_of_the_nccl_tests(self):
        """2 (n - 1) / n for an all-reduce, (n - 1) / n for the others: NCCL tests, PERFORMANCE.md."""
        assert [count_bus_factor(name, 8) for name in COLLECTIVES] == [7 / 8, 7 / 8, 14 / 8, 7 / 8]

    def test_a_measured_time_gives_the_bus_bandwidth_that_was_printed(self):
        """8 A100, 64 MiB in 0.675 ms, 174 GB/s: Vidur's profile."""
        rate = measure_bus_bandwidth("all-reduce", 2**26, 8, 0.675e-3)
        assert rate == pytest.approx(174e9, rel=1e-3)

    @pytest.mark.parametrize("collective", COLLECTIVES)
    def test_on_an_island_the_bus_bandwidth_of_a_huge_array_is_the_egress(self, collective):
        run = estimate_collective(collective, 10**13, NODE)
        assert run.bus_bandwidth_bytes_per_s == pytest.approx(450e9)

    def test_an_unknown_collective_is_refused_with_those_known(self):
        with pytest.raises(ValueError, match="known: all-gather, reduce-scatter"):
            estimate_collective("gossip", 1, NODE)
        with pytest.raises(ValueError, match="unknown collective"):
            count_bus_factor("gossip", 8)

    def test_at_the_half_bandwidth_size_both_terms_are_equal(self):
        size = find_half_bandwidth_bytes("all-reduce", NODE)
        run = estimate_collective("all-reduce", round(size), NODE)
        assert run.latency_time_s == pytest.approx(run.bandwidth_time_s, rel=1e-5)


class TestCalibratedTime:
    FACTORS = Factors(bandwidth_fraction=0.5, launch_s=1e-5)

    def test_it_is_launch_latency_and_slower_data(self):
        run = estimate_collective("all-gather", 8 * 450 * 10**6, NODE)
        assert run.calibrated_time_s(self.FACTORS) == pytest.approx(1e-5 + 1e-6 + 7e-3 / 0.5)

    def test_one_chip_still_costs_nothing(self):
        run = estimate_collective("all-gather", [1, 10**9], torus_of(1))
        assert run.calibrated_time_s(self.FACTORS).tolist() == [0, 0]

    @given(collectives, arrays, networks)
    def test_it_is_never_quicker_than_the_ideal(self, collective, size, network):
        run = estimate_collective(collective, size, network)
        assert run.calibrated_time_s(self.FACTORS) >= run.time_s
        assert run.calibrated_time_s(IDEAL) == pytest.approx(run.serial_time_s)


@given(collectives, arrays, networks)
def test_every_time_is_finite_and_the_sum_bounds_the_longer(collective, size, network):
    run = estimate_collective(collective, size, network)
    assert np.isfinite(run.time_s)
    assert 0 <= run.time_s <= run.serial_time_s <= 2 * run.time_s + 1e-30


@given(collectives, arrays)
def test_one_chip_costs_nothing(collective, size):
    for network in (
        torus_of(1),
        torus_of(1, 1, 1, wraps=False),
        Island(chips_count=1, egress_bytes_per_s=1.0, step_latency_s=1.0),
        Cluster(island=torus_of(1), islands_count=1, network_bytes_per_s=1.0, network_latency_s=1.0),
    ):
        run = estimate_collective(collective, size, network)
        assert run.serial_time_s == 0
        assert run.bus_bandwidth_bytes_per_s == 0


@given(
    arrays,
    tori | st.builds(lambda chips: Island(chips_count=chips, egress_bytes_per_s=1e11), st.integers(1, 72)),
)
def test_an_all_reduce_is_a_reduce_scatter_and_an_all_gather(size, network):
    parts = [
        estimate_collective(name, size, network).serial_time_s for name in ("reduce-scatter", "all-gather")
    ]
    whole = estimate_collective("all-reduce", size, network).serial_time_s
    assert whole == pytest.approx(sum(parts))


@given(arrays, networks)
def test_reducing_and_gathering_apart_is_never_quicker(size, network):
    parts = [
        estimate_collective(name, size, network).serial_time_s for name in ("reduce-scatter", "all-gather")
    ]
    assert estimate_collective("all-reduce", size, network).serial_time_s <= sum(parts) * (1 + 1e-12)


@given(collectives, arrays, shapes, st.floats(1e6, 1e12), st.floats(1, 100))
def test_faster_links_never_cost_time(collective, size, shape, link, factor):
    slow, fast = (
        estimate_collective(collective, size, torus_of(*shape, link=rate)) for rate in (link, factor * link)
    )
    assert fast.time_s <= slow.time_s


@given(collectives, arrays, shapes)
def test_wrap_around_never_costs_time(collective, size, shape):
    ring, line = (
        estimate_collective(collective, size, torus_of(*shape, wraps=wrap)) for wrap in (True, False)
    )
    assert ring.serial_time_s <= line.serial_time_s


@given(collectives, arrays, networks)
def test_more_bytes_never_cost_less(collective, size, network):
    run = estimate_collective(collective, [size, size + 1, 2 * size], network)
    assert np.all(np.diff(run.time_s) >= 0)


@given(collectives, networks)
def test_tiny_arrays_are_bound_by_latency_and_huge_ones_by_bandwidth(collective, network):
    if network.chips_count == 1:
        return
    run = estimate_collective(collective, [1, 10**17], network)
    assert run.time_s[0] == run.latency_time_s[0]
    assert run.time_s[1] == run.bandwidth_time_s[1]


@given(arrays, tori)
def test_splitting_shards_never_costs_time(size, torus):
    split, whole = (
        estimate_collective("all-gather", size, torus, whole_shards=whole) for whole in (False, True)
    )
    assert split.time_s <= whole.time_s * (1 + 1e-12)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, float("nan")])
def test_impossible_sizes_are_refused(wrong):
    with pytest.raises(ValueError, match="array_bytes must be"):
        estimate_collective("all-gather", wrong, NODE)
    with pytest.raises(ValueError, match="sides_count must be"):
        torus_of(4, wrong)
    with pytest.raises(ValueError, match="chips_count must be"):
        Island(chips_count=wrong, egress_bytes_per_s=1.0)
    with pytest.raises(ValueError, match="islands_count must be"):
        Cluster(island=NODE, islands_count=wrong, network_bytes_per_s=1.0)


@pytest.mark.parametrize("wrong", [0, -1.0, float("nan"), float("inf")])
def test_impossible_rates_are_refused(wrong):
    with pytest.raises(ValueError, match="link_bytes_per_s must be"):
        torus_of(4, link=wrong)
    with pytest.raises(ValueError, match="egress_bytes_per_s must be"):
        Island(chips_count=8, egress_bytes_per_s=wrong)
    with pytest.raises(ValueError, match="network_bytes_per_s must be"):
        Cluster(island=NODE, islands_count=2, network_bytes_per_s=wrong)


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_impossible_latencies_are_refused(wrong):
    with pytest.raises(ValueError, match="hop_latency_s must be"):
        torus_of(4, hop=wrong)
    with pytest.raises(ValueError, match="step_latency_s must be"):
        Island(chips_count=8, egress_bytes_per_s=1.0, step_latency_s=wrong)
    with pytest.raises(ValueError, match="network_latency_s must be"):
        Cluster(island=NODE, islands_count=2, network_bytes_per_s=1.0, network_latency_s=wrong)

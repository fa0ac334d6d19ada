"""Networks of the catalogue's chips, messages on them, pods and sharded arrays."""

import pytest

from diglot.hardware import (
    Cluster,
    Island,
    MissingFigureError,
    Torus,
    count_copies,
    estimate_collective,
    estimate_island_transfer,
    estimate_torus_transfer,
    find_network,
    gather_pod,
    load_catalogue,
)
from diglot.hardware.networks.chip_networks import find_domain_count, join_slices

CHIPS = load_catalogue()


@pytest.mark.parametrize(
    ("chip", "sides", "wraps"),
    [
        ("tpu-v5e", (4, 4), (False, False)),
        ("tpu-v5e", (8, 16), (False, True)),
        ("tpu-v4", (4, 4, 4), (True, True, True)),
        ("tpu-v4", (2, 2, 1), (False, False, False)),
        ("tpu-v5p", (16, 20, 28), (True, True, True)),
        ("tpu-v7", (2, 2, 1), (False, False, False)),
        ("tpu-v6e", (16, 16), (True, True)),
        ("tpu-v6e", (8, 8), (False, False)),
        ("tpu-v3", (32, 32), (True, True)),
    ],
)
def test_an_axis_wraps_where_the_catalogue_says_so(chip, sides, wraps):
    assert find_network(CHIPS[chip], sides).wraps == wraps


def test_a_torus_has_the_catalogues_links_and_latency():
    torus = find_network(CHIPS["tpu-v5e"], (16, 16))
    assert isinstance(torus, Torus)
    assert (torus.link_bytes_per_s, torus.hop_latency_s) == (45e9, 1e-6)


def test_no_message_is_free_where_chips_are_linked():
    linked = ("interconnect.per_direction", "interconnect.per_link_per_direction")
    for chip in CHIPS.chips:
        if any(map(chip.has, linked)) and chip.topology != "direct links":
            assert chip.has("interconnect.hop_latency"), chip.id
    assert find_network(CHIPS["tpu-v5p"], (4, 4, 4)).hop_latency_s == 1e-6
    assert find_network(CHIPS["tpu-v7"], (4, 4, 4)).hop_latency_s == 0.7e-6


def test_steps_between_gpus_take_what_the_catalogue_says():
    """0.6 us over NVLink, 2.7 us between nodes, as in NCCL's link model."""
    cluster = find_network(CHIPS["h100-sxm"], 64)
    assert (cluster.island.step_latency_s, cluster.network_latency_s) == (0.6e-6, 2.7e-6)
    assert find_network(CHIPS["mi300x"], 8).step_latency_s == 0.8e-6
    for chip in ("mi300x", "mi355x"):
        nodes = find_network(CHIPS[chip], 64)
        assert (nodes.network_latency_s, nodes.network_bytes_per_s) == (9.5e-6, 400e9 / 8)
    asked = find_network(CHIPS["h100-sxm"], 64, latency_s=0.0)
    assert (asked.island.step_latency_s, asked.network_latency_s) == (0, 0)


def test_gpus_of_a_domain_are_an_island_and_more_are_a_cluster():
    node, cluster = (find_network(CHIPS["h100-sxm"], chips) for chips in (8, 64))
    assert isinstance(node, Island)
    assert node.port_bytes_per_s == 450e9
    assert isinstance(cluster, Cluster)
    assert (cluster.islands_count, cluster.network_bytes_per_s) == (8, 50e9)


def test_the_domain_of_a_rack_is_72():
    assert find_domain_count(CHIPS["gb200"]) == 72
    assert find_domain_count(CHIPS["h200-sxm"]) == 8


def test_direct_links_are_told_from_switches():
    assert find_network(CHIPS["mi300x"], 2).port_bytes_per_s == 64e9
    assert find_network(CHIPS["h100-sxm"], 2).port_bytes_per_s == 450e9


def test_slices_are_joined_over_the_data_centres_network():
    """6.25 GB/s per v5p: scaling book, part 2."""
    slice_ = find_network(CHIPS["tpu-v5p"], (2, 1, 1))
    joined = join_slices(CHIPS["tpu-v5p"], slice_, 2)
    assert joined.chips_count == 4
    time_s = estimate_collective("all-gather", 10**9, joined).time_s
    assert time_s == pytest.approx(10**9 / 2 / (2 * 6.25e9))


@pytest.mark.parametrize("chip", CHIPS.chips, ids=lambda chip: chip.id)
def test_every_chip_with_links_between_chips_has_a_network(chip):
    unjoined = ("no NVLink", "none between chips", "direct links", "none")
    if chip.topology in unjoined:
        with pytest.raises(ValueError, match=chip.short_name):
            find_network(chip, 4)
    elif chip.has("interconnect.per_direction") or chip.has("interconnect.per_link_per_direction"):
        run = estimate_collective("all-reduce", 10**9, find_network(chip, 4))
        assert run.time_s > 0
    else:
        with pytest.raises(MissingFigureError):
            find_network(chip, 4)


def test_sides_that_are_not_given_are_one():
    plane, same = (find_network(CHIPS["tpu-v5p"], sides) for sides in ((4, 4), (4, 4, 1)))
    times = [estimate_collective("all-reduce", 10**9, network).time_s for network in (plane, same)]
    assert times[0] == times[1]


@pytest.mark.parametrize(
    ("chip", "sides", "pod"), [("tpu-v5p", (64, 64, 64), "16x20x28"), ("tpu-v5e", (32, 32), "16x16")]
)
def test_a_slice_beyond_the_pod_is_refused(chip, sides, pod):
    with pytest.raises(ValueError, match=f"larger than a pod of .*, {pod}"):
        find_network(CHIPS[chip], sides)
    find_network(CHIPS[chip], tuple(map(int, reversed(pod.split("x")))))


def test_what_the_catalogue_does_not_say_is_refused():
    with pytest.raises(ValueError, match="no domain of fast links"):
        find_network(CHIPS["rtx-5090"], 4)
    with pytest.raises(ValueError, match="no torus"):
        find_network(CHIPS["tpu-v1"], (2,))
    with pytest.raises(ValueError, match="2D torus, not one with 3 axes"):
        find_network(CHIPS["tpu-v5e"], (2, 2, 2))
    with pytest.raises(
        ValueError, match="13 chips in such groups do not fill domains of 8 alike; 12 and 14 do"
    ):
        find_network(CHIPS["h100-sxm"], 13)


class TestTransfers:
    TORUS = Torus(sides_count=(4, 4), wraps=False, link_bytes_per_s=45e9, hop_latency_s=1e-6)

    def test_from_corner_to_corner_of_a_v5e_slice(self):
        """6 hops, 6 us to the first byte; 16 MiB over two links in 188 us. Scaling book, part 2."""
        run = estimate_torus_transfer(2**24, self.TORUS, source=(0, 0), destination=(3, 3))
        assert run.hops_count == 6
        assert run.first_byte_time_s == pytest.approx(6e-6)
        assert run.time_s == pytest.approx(188e-6, rel=0.01)

    def test_a_neighbour_is_reached_over_one_link(self):
        run = estimate_torus_transfer(10**9, self.TORUS, source=(1, 1), destination=(1, 2))
        assert run.time_s == pytest.approx(10**9 / 45e9)

    def test_the_way_round_may_be_shorter(self):
        ring = Torus(sides_count=(16,), link_bytes_per_s=45e9)
        assert estimate_torus_transfer(1, ring, source=(0,), destination=(15,)).hops_count == 1

    def test_to_itself_a_chip_sends_nothing(self):
        run = estimate_torus_transfer([1, 2], self.TORUS, source=(1, 1), destination=(1, 1))
        assert run.time_s.tolist() == [0, 0]

    def test_a_place_outside_is_refused(self):
        with pytest.raises(ValueError, match="leaves a torus"):
            estimate_torus_transfer(1, self.TORUS, source=(0, 0), destination=(4, 0))
        with pytest.raises(ValueError, match="2 coordinates"):
            estimate_torus_transfer(1, self.TORUS, source=(0,), destination=(1,))

    def test_no_measured_message_is_quicker(self):
        """64 MiB in 0.294 ms between two A100: Vidur's profile."""
        island = find_network(CHIPS["a100-80"], 8)
        assert estimate_island_transfer(2**26, island).time_s < 0.294e-3


class TestPods:
    def test_a_v5e_pod(self):
        """32 hosts, 256 cores, 5.1e16 FLOP/s, 4 TB: scaling book, part 2, question 2. The TB are TiB."""
        pod = gather_pod(CHIPS["tpu-v5e"], (16, 16))
        assert (pod.hosts_count(8), pod.tensor_cores_count) == (32, 256)
        assert pod.peak_flops_per_s == pytest.approx(5.1e16, rel=0.02)
        assert pod.memory_bytes == 4 * 2**40

    @pytest.mark.parametrize("id_", [chip.id for chip in CHIPS.chips if chip.pod_shape])
    def test_the_pod_of_the_catalogue_is_its_shape(self, id_):
        chip = CHIPS[id_]
        pod = gather_pod(chip, tuple(int(side) for side in chip.pod_shape.split("x")))
        assert pod.chips_count == chip.quantity("pod.max_chips").value

    def test_hosts_must_be_full(self):
        with pytest.raises(ValueError, match="do not fill hosts"):
            gather_pod(CHIPS["tpu-v5e"], (3, 3)).hosts_count(8)


class TestSharding:
    def test_axes_not_sharded_over_hold_copies(self):
        """Mesh X, Y, Z of 4, 8, 2, sharded over X: 16 copies. Scaling book, part 3, question 1."""
        assert count_copies({"X": 4, "Y": 8, "Z": 2}, ["X"]) == 16

    def test_an_axis_that_is_not_there_is_refused(self):
        with pytest.raises(ValueError, match="no axis 'W'"):
            count_copies({"X": 4}, ["W"])


def test_the_latency_is_that_of_steps_between_islands_too() -> None:
    times_s = [
        estimate_collective("all-reduce", 1.0, find_network(CHIPS["h200-sxm"], chips, latency_s=1e-6)).time_s
        for chips in (8, 64)
    ]
    assert times_s[1] > times_s[0] >= 1e-6

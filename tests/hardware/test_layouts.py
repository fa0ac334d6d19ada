"""Communication times of layouts, on rings and on networks."""

from dataclasses import dataclass

import pytest

from diglot.hardware import Layout, NetworkLinks, Ring, deploy, estimate_decode, load_catalogue, load_model


@dataclass(frozen=True)
class Cost:
    latency_s: float
    per_byte_s: float


@dataclass(frozen=True)
class Switch:
    """The minimal interface of a network."""

    chips_count: int
    port_bytes_per_s: float
    latency_s: float

    def all_reduce_cost(self):
        share = (self.chips_count - 1) / self.chips_count
        return Cost(self.latency_s, 2 * share / self.port_bytes_per_s)

    def all_to_all_cost(self):
        share = (self.chips_count - 1) / self.chips_count
        return Cost(self.latency_s, share / self.port_bytes_per_s)


def link(**networks):
    return NetworkLinks(**networks, neighbour_bandwidth_bytes_per_s=1e9)


def test_the_chips_of_a_layout_are_the_product_of_its_ways():
    layout = Layout(tensor_count=2, pipeline_count=3, expert_count=5, data_count=7)
    assert (layout.chips_per_copy_count, layout.chips_count) == (30, 210)


def test_a_switch_without_latency_is_a_ring():
    links = link(reducing=Switch(8, 450e9, 0), exchanging=Switch(8, 450e9, 0))
    ring = Ring(bandwidth_bytes_per_s=450e9)
    assert links.all_reduce_time_s(1e9, 8) == pytest.approx(ring.all_reduce_time_s(1e9, 8))
    exchanges = [each.token_exchange_time_s(1e9, 8, 1) for each in (links, ring)]
    assert exchanges == pytest.approx([7 / 8 * 1e9 / 450e9] * 2)
    assert links.send_time_s(1e9) == 1


def test_a_small_message_takes_the_latency():
    assert link(reducing=Switch(8, 450e9, 1e-5)).all_reduce_time_s(1.0, 8) == 1e-5


def test_one_chip_needs_no_network():
    assert link().all_reduce_time_s(1e9, 1) == link().token_exchange_time_s(1e9, 1, 8) == 0


def test_a_network_of_another_size_is_refused():
    with pytest.raises(ValueError, match="connects 4 chips, not 8"):
        link(reducing=Switch(4, 1e9, 0)).all_reduce_time_s(1.0, 8)
    with pytest.raises(ValueError, match="exchanging network connects 0"):
        link(reducing=Switch(8, 1e9, 0)).token_exchange_time_s(1.0, 8, 2)


def test_of_several_networks_the_one_with_as_many_chips_is_taken():
    links = link(reducing=(Switch(8, 450e9, 0), Switch(2, 50e9, 0)))
    assert links.all_reduce_time_s(50e9, 2) == pytest.approx(1)
    assert links.all_reduce_time_s(450e9, 8) == pytest.approx(2 * 7 / 8)
    with pytest.raises(ValueError, match="connects 8 or 2 chips, not 4"):
        links.all_reduce_time_s(1.0, 4)


def test_a_model_is_served_over_a_network():
    chip, model = load_catalogue()["h100-sxm"], load_model("llama-3-70b")
    layout = Layout(tensor_count=8)
    over_switch = deploy(model, chip, layout=layout, interconnect=link(reducing=Switch(8, 450e9, 1e-5)))
    step = estimate_decode(over_switch, 1000)
    assert step.tensor_communication_s == pytest.approx(2 * 80 * 1e-5)
    assert step.time_s > estimate_decode(deploy(model, chip, layout=layout), 1000).time_s

"""Fat trees: tiers, switches, latency by hops, oversubscription, rails."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import FatTree, Switches, estimate_collective, find_network, load_catalogue

H100 = load_catalogue()["h100-sxm"]
RATE = 50e9


def tree(nodes, **switches):
    return FatTree(
        chips_count=nodes,
        port_bytes_per_s=RATE,
        step_latency_s=2.7e-6,
        switches=Switches(latency_s=0.2e-6, **switches),
        rails_count=8,
    )


@pytest.mark.parametrize(
    ("nodes", "switches"), [(128, (32, 16)), (256, (64, 32)), (512, (128, 128, 64)), (8, (1,))]
)
def test_a_superpod_has_the_published_switches(nodes, switches):
    """32 leaves and 16 spines for 1,024 GPUs; 128 spines and 64 cores for 4,096. Scaling book, part 12."""
    assert Switches().count_switches(nodes, rails_count=8) == switches


def test_each_tier_adds_two_switches_to_the_longest_path():
    latencies = [tree(nodes).latency_s for nodes in (1, 2, 64, 65, 257, 8193)]
    assert latencies == pytest.approx([0, 2.7e-6, 2.7e-6, 3.1e-6, 3.5e-6, 3.9e-6])


def test_a_few_bytes_take_longer_over_a_million_gpus_than_over_sixteen():
    times = [
        estimate_collective("all-reduce", 1, find_network(H100, 2**n)).time_s for n in (4, 10, 14, 17, 20)
    ]
    assert times[0] == pytest.approx(0.6e-6 + 2 * 2.7e-6)  # the switches inside reduce
    assert times == sorted(times)
    assert len(set(times)) > 3


def test_rails_join_more_nodes_with_one_switch():
    rails, rows = Switches(), Switches(rail_optimised=False)
    assert [each.count_tiers(64, rails_count=8) for each in (rails, rows)] == [1, 2]
    assert [each.count_nodes_below(1, rails_count=8) for each in (rails, rows)] == [32, 4]


def test_oversubscription_slows_what_must_reach_everyone():
    """7:1 above the leaves, as between the pods of Llama 3's cluster: of 64 nodes half leave their leaf."""
    even, thin = tree(128), tree(128, oversubscription_ratios=(7.0,))
    assert thin.all_reduce_cost().per_byte_s == even.all_reduce_cost().per_byte_s
    below = Switches(oversubscription_ratios=(7.0,)).count_nodes_below(1, rails_count=8)
    assert below == 56
    assert thin.all_to_all_cost().per_byte_s == pytest.approx((128 - 56) / 128 * 7 / RATE)
    assert thin.bisection_bytes_per_s == pytest.approx(even.bisection_bytes_per_s / 7)


def test_without_oversubscription_only_the_ports_bind():
    """The tree is then as fast as one switch, whatever the number of tiers."""
    for nodes in (8, 100, 5000):
        share = (nodes - 1) / nodes
        assert tree(nodes).all_gather_cost().per_byte_s == pytest.approx(share / RATE)
        assert tree(nodes).all_to_all_cost().per_byte_s == pytest.approx(share / RATE)


def test_a_sweep_of_sizes_is_one_call():
    sizes = np.array([1, 8, 64, 512, 4096])
    swept = tree(sizes, oversubscription_ratios=(1.0, 3.0))
    alone = [tree(int(size), oversubscription_ratios=(1.0, 3.0)) for size in sizes]
    assert swept.tiers_count.tolist() == [each.tiers_count for each in alone]
    assert swept.latency_s.tolist() == [each.latency_s for each in alone]
    found = swept.all_to_all_cost().per_byte_s
    assert found.tolist() == pytest.approx([each.all_to_all_cost().per_byte_s for each in alone])


@given(
    nodes=st.integers(1, 10**6),
    radix=st.integers(4, 256),
    ratios=st.lists(st.floats(1, 3), max_size=3),
    rail=st.booleans(),
)
def test_more_nodes_never_cost_less(nodes, radix, ratios, rail):
    options = {"radix_count": radix, "oversubscription_ratios": tuple(ratios), "rail_optimised": rail}
    small, large = tree(nodes, **options), tree(2 * nodes, **options)
    assert small.tiers_count <= large.tiers_count
    assert small.latency_s <= large.latency_s
    for cost in ("all_gather_cost", "all_reduce_cost", "all_to_all_cost"):
        one, two = getattr(small, cost)().per_byte_s, getattr(large, cost)().per_byte_s
        assert 0 <= one <= two * (1 + 1e-9) < np.inf
        assert two >= (1 - 1 / (2 * nodes)) / RATE * (1 - 1e-9)


@pytest.mark.parametrize("ratios", [(0.5,), (100.0,), (float("nan"),)])
def test_an_impossible_oversubscription_is_refused(ratios):
    with pytest.raises(ValueError, match="oversubscription_ratios"):
        Switches(oversubscription_ratios=ratios)

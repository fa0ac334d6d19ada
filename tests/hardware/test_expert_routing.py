"""Rows of experts under uniform and skewed routing: closed forms, limits, and random sampling."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    ExpertLayer,
    Routing,
    count_expert_feed_forward,
    count_idle_experts,
    find_busiest_rows,
    find_row_distribution,
)
from diglot.hardware.kernels.expert_routing import count_expected_rows

DEEPSEEK = Routing(experts_count=256, active_count=8)
SKEWED = Routing(experts_count=256, active_count=8, skew=0.5)
MIXTRAL = Routing(experts_count=8, active_count=2)

few = settings(max_examples=40, deadline=None)
skews = st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0])
counts = st.integers(1, 64)


@st.composite
def routings(draw):
    experts = draw(counts)
    return Routing(experts_count=experts, active_count=draw(st.integers(1, experts)), skew=draw(skews))


@few
@given(routings())
def test_tokens_visit_as_many_experts_as_are_active_and_none_twice(routing):
    shares = routing.chosen_fractions
    assert shares.sum() == pytest.approx(routing.active_count)
    assert np.all((shares >= 0) & (shares <= 1))
    assert np.all(np.diff(shares) <= 1e-15)


def test_shares_follow_zipf_until_every_token_visits_the_first():
    """Weights 1, 1/2, 1/3: with one visit no share exceeds 1; with two the first, 12/11, is capped to 1."""
    one = Routing(experts_count=3, active_count=1, skew=1).chosen_fractions
    assert one.tolist() == pytest.approx([6 / 11, 3 / 11, 2 / 11])
    two = Routing(experts_count=3, active_count=2, skew=1).chosen_fractions
    assert two.tolist() == pytest.approx([1, 3 / 5, 2 / 5])


def test_expected_rows_are_shares_of_the_tokens():
    assert count_expected_rows(MIXTRAL, [4, 512]).tolist() == [[1.0] * 8, [128.0] * 8]


def test_even_routing_leaves_idle_what_the_layer_says_is_not_visited():
    """E (1 - k / E)^tokens."""
    layer = ExpertLayer(width_elements=8, inner_elements=8, experts_count=256, active_count=8)
    tokens = np.array([1, 16, 64, 512])
    idle = count_idle_experts(DEEPSEEK, tokens)
    assert idle == pytest.approx(256 - layer.visited_experts_count(tokens))
    assert idle[0] == pytest.approx(248)


def test_idle_experts_change_the_weights_that_are_read_and_nothing_else():
    layer = ExpertLayer(width_elements=64, inner_elements=32, experts_count=256, active_count=8)
    even = count_expert_feed_forward(layer, 64)
    visited = 256 - count_idle_experts(SKEWED, 64)
    skewed = count_expert_feed_forward(layer, 64, visited_experts_count=visited)
    fewer = layer.visited_experts_count(64) - visited
    assert fewer > 0
    assert even.read_bytes - skewed.read_bytes == pytest.approx(fewer * layer.expert_elements * 2)
    assert (even.flops, even.written_bytes) == (skewed.flops, skewed.written_bytes)
    for wrong in (0, 257, float("nan")):
        with pytest.raises(ValueError, match="visited"):
            count_expert_feed_forward(layer, 64, visited_experts_count=wrong)


def test_rows_of_an_expert_are_binomial():
    """Eight tokens, each visiting two of eight experts: C(8, x) (1/4)^x (3/4)^(8 - x)."""
    shares = find_row_distribution(MIXTRAL, 8)
    by_hand = [comb(8, x) * 0.25**x * 0.75 ** (8 - x) for x in range(9)]
    assert shares.tolist() == pytest.approx(by_hand)


@few
@given(routings(), st.integers(1, 3000))
def test_a_distribution_keeps_every_row(routing, tokens):
    shares = find_row_distribution(routing, tokens)
    assert shares.sum() == pytest.approx(1, abs=1e-8)
    rows = shares @ np.arange(shares.size)
    assert rows == pytest.approx(tokens * routing.active_count / routing.experts_count, rel=1e-6)
    assert shares[0] * routing.experts_count == pytest.approx(count_idle_experts(routing, tokens), abs=1e-6)


def test_the_busiest_of_two_experts_by_hand():
    """Two tokens, each visiting one of two experts, which are treated as independent.

    P(neither has a row) = 1/16, P(neither has more than one) = 9/16.
    """
    routing = Routing(experts_count=2, active_count=1)
    assert find_busiest_rows(routing, 2) == pytest.approx(0 + (1 - 1 / 16) + (1 - 9 / 16))


def draw_busiest(routing, tokens, times):
    """Mean rows of the busiest expert, and mean idle experts, over draws with `active` visits per token.

    Systematic sampling: experts lie in random order on a line, each as long as its share; every token has its
    own order and offset.
    """
    random = np.random.default_rng(0)
    shares, active = routing.chosen_fractions, routing.active_count
    busiest, idle = [], []
    for _ in range(times):
        rows = np.zeros(routing.experts_count, dtype=int)
        for _ in range(tokens):
            order = random.permutation(routing.experts_count)
            ends = np.cumsum(shares[order])
            at = np.searchsorted(ends, random.random() + np.arange(active), side="right")
            rows[order[np.minimum(at, order.size - 1)]] += 1
        busiest.append(rows.max())
        idle.append(np.count_nonzero(rows == 0))
    return np.mean(busiest), np.mean(idle)


@pytest.mark.parametrize("routing", [DEEPSEEK, SKEWED, MIXTRAL], ids=["deepseek", "skewed", "mixtral"])
@pytest.mark.parametrize("tokens", [16, 256])
def test_draws_come_to_the_expectations(routing, tokens):
    """60 draws: the maximum has a standard deviation of a few rows, its mean about a tenth of that."""
    busiest, idle = draw_busiest(routing, tokens, 60)
    assert find_busiest_rows(routing, tokens) == pytest.approx(busiest, rel=0.03, abs=0.3)
    assert count_idle_experts(routing, tokens) == pytest.approx(idle, rel=0.05, abs=0.3)


@few
@given(routings(), st.integers(1, 2000))
def test_the_busiest_has_at_least_the_mean_and_at_most_every_token(routing, tokens):
    busiest = find_busiest_rows(routing, tokens)
    assert tokens * routing.chosen_fractions[0] <= busiest * (1 + 1e-9)
    assert busiest <= tokens * (1 + 1e-9)
    assert busiest <= find_busiest_rows(routing, tokens + 1)


def test_with_many_tokens_the_busiest_is_the_most_popular():
    tokens = 10**6
    assert find_busiest_rows(SKEWED, tokens) == pytest.approx(tokens * SKEWED.chosen_fractions[0], rel=1e-3)
    assert find_busiest_rows(DEEPSEEK, tokens) == pytest.approx(tokens / 32, rel=0.02)


def test_more_skew_leaves_more_experts_idle_and_the_busiest_busier():
    routes = [Routing(experts_count=256, active_count=8, skew=skew) for skew in (0, 0.25, 0.5, 1)]
    assert np.all(np.diff([count_idle_experts(each, 128) for each in routes]) > 0)
    assert np.all(np.diff([find_busiest_rows(each, 128) for each in routes]) > 0)


def test_one_expert_gets_everything():
    routing = Routing(experts_count=1, active_count=1, skew=2)
    assert find_busiest_rows(routing, 7) == pytest.approx(7)
    assert count_idle_experts(routing, 7) == 0
    assert find_row_distribution(routing, 7).tolist() == [0] * 7 + [1]


def test_a_sweep_is_one_call():
    tokens = np.array([[1, 8], [64, 4096]])
    for function in (count_idle_experts, find_busiest_rows):
        found = function(SKEWED, tokens)
        assert found.shape == (2, 2)
        assert found[1, 0] == pytest.approx(function(SKEWED, 64), rel=1e-12)


def test_impossible_routings_are_refused():
    with pytest.raises(ValueError, match="9 active experts of 8"):
        Routing(experts_count=8, active_count=9)
    for wrong in (-0.1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="skew must be"):
            Routing(experts_count=8, active_count=2, skew=wrong)
    for function in (count_idle_experts, find_busiest_rows, find_row_distribution):
        with pytest.raises(ValueError, match="tokens must be"):
            function(MIXTRAL, 0)

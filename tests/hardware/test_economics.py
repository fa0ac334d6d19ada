"""Costs in dollars and joules."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    MissingFigureError,
    choose_price,
    compare_performance_per_watt,
    find_break_even_against_price_fraction,
    find_break_even_against_renting_fraction,
    find_energy_per_token_j,
    find_flops_per_j,
    find_flops_per_usd,
    find_usd_per_million_tokens,
    load_catalogue,
    price_tokens,
)

CHIPS = load_catalogue()
H100 = CHIPS["h100-sxm"]
rates = st.floats(1e-3, 1e9)


def test_a_million_tokens_by_hand():
    """1,000 tokens/s from two chips at 3.6 dollars per hour each: 1,000 s at 0.002 dollars per second."""
    assert find_usd_per_million_tokens(1000, usd_per_chip_s=3.6 / 3600, chips_count=2) == pytest.approx(2)


def test_half_the_utilisation_costs_twice_as_much():
    costs = [
        find_usd_per_million_tokens(1000, usd_per_chip_s=1e-3, utilisation_fraction=share)
        for share in (1, 0.5)
    ]
    assert costs[1] == 2 * costs[0]


def test_a_sweep_of_rates_is_one_call():
    costs = find_usd_per_million_tokens(np.array([100.0, 200.0]), usd_per_chip_s=1e-3)
    assert costs.tolist() == [10, 5]


def test_a_cost_keeps_the_price_it_was_found_with():
    price = choose_price(H100, region="us-east-1")
    cost = price_tokens(1000, price=price, chips_count=8, utilisation_fraction=0.5)
    assert (cost.price.region, cost.price.date) == ("us-east-1", "2026-01-21")
    assert cost.usd_per_million_tokens == pytest.approx(8 * 6.88 / 3600 * 1e6 / 1000 / 0.5)


def test_the_latest_price_is_chosen_unless_an_older_is_asked_for():
    assert choose_price(H100).date == "2026-01-21"
    assert choose_price(H100, not_after="2025-12-31").printed == "10.8 USD/h"


def test_a_price_that_is_not_known_is_said_to_be_missing():
    with pytest.raises(MissingFigureError, match="H100 has no such price; known: list, us-east-1, 2026"):
        choose_price(H100, region="antarctica")
    with pytest.raises(MissingFigureError, match="known: none"):
        choose_price(CHIPS["tpu-v1"])


def test_energy_of_a_token_by_hand():
    """Eight chips of 700 W with 20% overhead, at 1,000 tokens/s."""
    energy = find_energy_per_token_j(1000, power_w=700, chips_count=8, overhead_ratio=1.2)
    assert energy == pytest.approx(6.72)


def test_flops_for_a_joule_are_rate_over_power():
    assert find_flops_per_j(H100.peak_flops_per_s("bf16"), power_w=H100.tdp_w) == pytest.approx(
        1.41e12, rel=0.01
    )


def test_tokens_at_the_market_price_pay_for_the_busy_share():
    """Chips whose tokens cost 2 dollars at full use and sell for 4 must be busy half of the time."""
    share = find_break_even_against_price_fraction(
        1000, usd_per_chip_s=1e-3, chips_count=2, usd_per_million_tokens=4
    )
    assert share == pytest.approx(0.5)
    cost = find_usd_per_million_tokens(1000, usd_per_chip_s=1e-3, chips_count=2, utilisation_fraction=share)
    assert cost == pytest.approx(4)


def test_a_bought_chip_breaks_even_with_a_rented_one_by_hand():
    """36,000 dollars over 1e8 s, electricity at 0.00002 per s, rent at 0.00092: two fifths of the time."""
    share = find_break_even_against_renting_fraction(
        purchase_usd=36_000, lifetime_s=1e8, rent_usd_per_chip_s=9.2e-4, power_w=500, usd_per_j=4e-8
    )
    assert share == pytest.approx(0.4)


def test_a_chip_that_burns_more_than_the_rent_never_breaks_even():
    share = find_break_even_against_renting_fraction(
        purchase_usd=1, lifetime_s=1, rent_usd_per_chip_s=1e-6, power_w=1000, usd_per_j=1e-6
    )
    assert share == math.inf


def test_equal_power_leaves_the_ratio_of_performance():
    assert compare_performance_per_watt(3.0, power_w=100, baseline_power_w=100) == 3


@given(rates, rates, rates)
def test_cost_falls_with_rate_and_rises_with_price(tokens_per_s, price, factor):
    factor += 1
    cost = find_usd_per_million_tokens(tokens_per_s, usd_per_chip_s=price)
    assert 0 < find_usd_per_million_tokens(tokens_per_s * factor, usd_per_chip_s=price) <= cost
    assert find_usd_per_million_tokens(tokens_per_s, usd_per_chip_s=price * factor) >= cost
    assert np.isfinite(cost)


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf])
def test_impossible_rates_are_refused(bad):
    for call in (
        lambda: find_usd_per_million_tokens(bad, usd_per_chip_s=1),
        lambda: find_usd_per_million_tokens(1, usd_per_chip_s=bad),
        lambda: find_usd_per_million_tokens(1, usd_per_chip_s=1, utilisation_fraction=bad),
        lambda: find_flops_per_usd(bad, usd_per_chip_s=1),
        lambda: find_flops_per_j(1, power_w=bad),
        lambda: find_energy_per_token_j(1, power_w=1, overhead_ratio=bad),
        lambda: compare_performance_per_watt(1, power_w=10, baseline_power_w=1, host_power_w=bad or 10),
        lambda: find_break_even_against_renting_fraction(
            purchase_usd=bad, lifetime_s=1, rent_usd_per_chip_s=1, power_w=1, usd_per_j=1e-9
        ),
    ):
        with pytest.raises(ValueError, match="must be"):
            call()

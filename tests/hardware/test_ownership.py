"""To rent or to buy, spot capacity, whole replicas, and prices that nobody publishes."""

import math

import numpy as np
import pytest

from diglot.hardware import (
    MissingFigureError,
    Ownership,
    choose_price,
    compare_price,
    find_capital_recovery_ratio,
    find_life_cycle_usd,
    find_price_range_usd_per_chip_s,
    find_rent_or_buy_s,
    find_spot_useful_fraction,
    find_usd_per_query,
    load_catalogue,
)
from diglot.hardware.economics.ownership import YEAR_S

CHIPS = load_catalogue(folder=None)
H100 = Ownership(
    purchase_usd=35_000, life_s=5 * YEAR_S, annual_interest_fraction=0.08, resale_fraction=0.1,
    first_loss_fraction=0.2, power_w=1000, usd_per_j=0.08 / 3.6e6, fixed_usd_per_s=0.1 / 3600,
)  # fmt: skip


@pytest.mark.parametrize(
    ("years", "interest", "ratio"),
    [(5, 0.08, 0.25046), (10, 0.06, 0.13587), (4, 0.0, 0.25), (1, 0.1, 1.1)],
)
def test_capital_recovery_is_that_of_the_tables(years, interest, ratio):
    """Capital recovery factors as tables of engineering economics print them."""
    found = find_capital_recovery_ratio(life_s=years * YEAR_S, annual_interest_fraction=interest)
    assert found == pytest.approx(ratio, abs=1e-5)


def test_payments_of_the_annuity_repay_price_and_interest():
    debt, payment = 1.0, find_capital_recovery_ratio(life_s=7 * YEAR_S, annual_interest_fraction=0.05)
    for _ in range(7):
        debt = debt * 1.05 - payment
    assert debt == pytest.approx(0, abs=1e-12)


def test_work_on_a_bought_chip_is_dearer_the_less_it_is_used():
    costs = [H100.find_busy_usd_per_s(share) * 3600 for share in (0.1, 0.3, 0.6, 1.0)]
    assert costs == sorted(costs, reverse=True)
    assert 1 < costs[-1] < 2
    assert costs[0] > 7


def test_renting_is_cheaper_in_the_short_term_and_owning_later():
    rent = choose_price(CHIPS["h100-sxm"], region="us-east-1").usd_per_chip_s
    busy, half, idle = (
        find_rent_or_buy_s(H100, rent_usd_per_chip_s=rent, utilisation_fraction=share)
        for share in (1.0, 0.5, 0.1)
    )
    assert 0 < busy < half < H100.life_s
    assert 50 * 86400 < busy < 120 * 86400
    assert idle == math.inf


def test_at_the_break_even_both_have_cost_the_same():
    rent = 6.88 / 3600
    keep = find_rent_or_buy_s(H100, rent_usd_per_chip_s=rent)
    lost = H100.purchase_usd * (0.2 + 0.7 * keep / H100.life_s)
    interest = H100.purchase_usd * 0.08 * keep / YEAR_S
    running = (H100.fixed_usd_per_s + H100.power_w * H100.usd_per_j) * keep
    assert lost + interest + running == pytest.approx(rent * keep)


def test_what_would_pay_only_after_its_life_never_pays():
    rent = H100.find_usd_per_s() * 1.001 - 1e-6  # hardly more than owning for the whole life
    assert find_rent_or_buy_s(H100, rent_usd_per_chip_s=rent) == math.inf


def test_spot_is_useful_where_checkpoints_are_quick():
    hour = 3600.0
    shares = [
        find_spot_useful_fraction(interval_s=hours * hour, checkpoint_s=60, restart_s=300)
        for hours in (1, 6, 24)
    ]
    assert shares == sorted(shares)
    assert shares[1] == pytest.approx(1 - math.sqrt(120 / (6 * hour)) - 300 / (6 * hour))
    assert find_spot_useful_fraction(interval_s=60, checkpoint_s=600, restart_s=600) == 0
    v6e = CHIPS["tpu-v6e"]
    spot, listed = (
        choose_price(v6e, region=region, kind=kind)
        for kind, region in (("spot", "us-central1"), ("list", "us"))
    )
    assert spot.usd_per_chip_s / listed.usd_per_chip_s < shares[0]


def test_the_latest_price_is_a_list_price_and_no_other_stands_in_for_spot():
    assert choose_price(CHIPS["tpu-v6e"], region="us").usd_per_chip_s * 3600 == pytest.approx(2.7)
    with pytest.raises(MissingFigureError, match="list, us-east-1"):
        choose_price(CHIPS["h200-sxm"], kind="spot")


def test_prices_of_one_kind_are_compared_and_the_nearest_other_stands_in():
    kinds = (
        (id_, kind) for id_ in ("h100-sxm", "mi300x", "mi325x", "b300-sxm") for kind in ("list", "market")
    )
    found = {(id_, kind): compare_price(CHIPS[id_], kind) for id_, kind in kinds}
    assert all(
        each.low_usd_per_chip_s <= each.usd_per_chip_s <= each.high_usd_per_chip_s for each in found.values()
    )
    taken = {asked: each.price.kind for asked, each in found.items()}
    assert taken["h100-sxm", "market"] == taken["mi300x", "market"] == "market"
    assert (taken["mi325x", "list"], taken["b300-sxm", "market"]) == ("market", "list")
    market, listed = found["h100-sxm", "market"], found["h100-sxm", "list"]
    assert market.high_usd_per_chip_s < listed.low_usd_per_chip_s
    with pytest.raises(MissingFigureError):
        compare_price(CHIPS["tpu-v7"])


def test_queries_are_dear_while_one_replica_waits():
    rates = np.array([0.01, 0.1, 1, 10, 10.1, 1000])
    costs = find_usd_per_query(rates, replica_queries_per_s=10, replica_chips_count=8, usd_per_chip_s=0.001)
    assert costs[0] == pytest.approx(0.8)
    assert costs[3] == pytest.approx(0.0008)
    assert costs[4] == pytest.approx(2 * 0.008 / 10.1)
    assert np.all(costs >= 0.0008 - 1e-15)


def test_serving_outweighs_training_from_some_token_on():
    few, many = (
        find_life_cycle_usd(training_usd=1e6, usd_per_million_tokens=1.0, tokens=n) for n in (1e9, 1e13)
    )
    assert (few, many) == (1_001_000, 11_000_000)


def test_a_price_by_analogy_lies_between_those_of_its_likes():
    like = tuple(CHIPS[id_] for id_ in ("tpu-v5p", "tpu-v6e", "b200-sxm"))
    low, high = find_price_range_usd_per_chip_s(CHIPS["tpu-v7"], like, region="us")
    assert 5 < low * 3600 < high * 3600 < 25
    v6e = choose_price(CHIPS["tpu-v6e"], region="us").usd_per_chip_s
    assert find_price_range_usd_per_chip_s(CHIPS["tpu-v6e"], (CHIPS["tpu-v6e"],), region="us") == (
        pytest.approx(v6e), pytest.approx(v6e),
    )  # fmt: skip
    with pytest.raises(MissingFigureError, match="TPU v7 has no such price"):
        find_price_range_usd_per_chip_s(CHIPS["tpu-v6e"], (CHIPS["tpu-v7"],))
    with pytest.raises(ValueError, match="like must name a chip"):
        find_price_range_usd_per_chip_s(CHIPS["tpu-v7"], ())


def test_v4_has_the_price_of_its_time():
    assert choose_price(CHIPS["tpu-v4"]).usd_per_chip_s * 3600 == pytest.approx(3.22)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"purchase_usd": 0}, "purchase_usd"),
        ({"life_s": 0}, "life_s"),
        ({"annual_interest_fraction": 1.5}, "annual_interest_fraction must be from 0 to 1"),
        ({"annual_interest_fraction": math.nan}, "annual_interest_fraction must be from 0 to 1"),
        ({"resale_fraction": -0.1}, "resale_fraction must be from 0 to 1"),
        ({"first_loss_fraction": 0.6, "resale_fraction": 0.6}, "must not exceed 1 together"),
        ({"power_w": -1}, "power_w"),
    ],
)
def test_impossible_ownership_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        Ownership(**{"purchase_usd": 1.0, "life_s": YEAR_S, **changes})


@pytest.mark.parametrize("share", [0, 1.1, math.nan])
def test_impossible_utilisation_is_refused(share):
    with pytest.raises(ValueError, match="utilisation_fraction must be above 0"):
        find_rent_or_buy_s(H100, rent_usd_per_chip_s=1.0, utilisation_fraction=share)

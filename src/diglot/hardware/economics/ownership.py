"""To rent or to buy: capital recovery, how long a purchase must be kept, spot capacity, whole replicas."""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.dtypes import DType
from diglot.hardware.economics.dollars import choose_price
from diglot.hardware.sizes import Real, check_amount, check_rate, check_share, to_plain_float

YEAR_S = 365.25 * 86400


def find_capital_recovery_ratio(*, life_s: float, annual_interest_fraction: float = 0.0) -> float:
    """Share of a price to be paid each year so that price and interest are paid at the end of the life.

    i / (1 - (1 + i)^-n) for n years at the interest i, and 1 / n without interest. Raises ValueError for a
    life that is not above zero, and for interest outside [0, 1].
    Source: the annuity formula, as in any text on engineering economics.
    """
    years = float(check_rate("life_s", life_s)) / YEAR_S
    check_share("annual_interest_fraction", annual_interest_fraction)
    if not annual_interest_fraction:
        return 1 / years
    return annual_interest_fraction / -float(np.expm1(-years * np.log1p(annual_interest_fraction)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """What a bought chip costs, with its share of hosts, network and building in the price."""

    purchase_usd: float
    life_s: float
    annual_interest_fraction: float = 0.0
    resale_fraction: float = 0.0
    """Share of the price that is left at the end of the life."""
    first_loss_fraction: float = 0.0
    """Share of the price that is lost at once, because used chips sell for less."""
    power_w: float = 0.0
    """Of a busy chip, with host and building."""
    usd_per_j: float = 0.0
    fixed_usd_per_s: float = 0.0
    """Space, staff, repair: paid whether busy or idle."""

    def __post_init__(self) -> None:
        check_rate("purchase_usd", self.purchase_usd)
        find_capital_recovery_ratio(
            life_s=self.life_s, annual_interest_fraction=self.annual_interest_fraction
        )
        for name in ("power_w", "usd_per_j", "fixed_usd_per_s"):
            check_amount(name, getattr(self, name))
        for name in ("resale_fraction", "first_loss_fraction"):
            check_share(name, getattr(self, name))
        if self.resale_fraction + self.first_loss_fraction > 1:
            raise ValueError("resale_fraction and first_loss_fraction must not exceed 1 together")

    @property
    def capital_usd_per_s(self) -> float:
        """Price, less the discounted resale, recovered over the life with interest."""
        years = self.life_s / YEAR_S
        resale = self.resale_fraction * float(np.exp(-years * np.log1p(self.annual_interest_fraction)))
        ratio = find_capital_recovery_ratio(
            life_s=self.life_s, annual_interest_fraction=self.annual_interest_fraction
        )
        return self.purchase_usd * (1 - resale) * ratio / YEAR_S

    def find_usd_per_s(self, utilisation_fraction: float = 1.0) -> float:
        """Dollars per second over the whole life, busy for this share of it: electricity only while busy."""
        busy = _check_utilisation(utilisation_fraction)
        return self.capital_usd_per_s + self.fixed_usd_per_s + busy * self.power_w * self.usd_per_j

    def find_busy_usd_per_s(self, utilisation_fraction: float) -> float:
        """Dollars per second of work: what a rent per second of use compares with."""
        return self.find_usd_per_s(utilisation_fraction) / _check_utilisation(utilisation_fraction)


def find_rent_or_buy_s(
    ownership: Ownership, *, rent_usd_per_chip_s: float, utilisation_fraction: float = 1.0
) -> float:
    """How long a chip must be kept, in s, for buying and selling it to cost no more than renting while busy.

    Its value falls at once by the first loss and then in a straight line; interest is on the price. Infinite
    where renting stays cheaper, or would only from after the life on.
    """
    busy = _check_utilisation(utilisation_fraction)
    rent = float(check_rate("rent_usd_per_chip_s", rent_usd_per_chip_s)) * busy
    falling = (1 - ownership.first_loss_fraction - ownership.resale_fraction) / ownership.life_s
    held = ownership.purchase_usd * (falling + ownership.annual_interest_fraction / YEAR_S)
    saved = rent - held - ownership.fixed_usd_per_s - busy * ownership.power_w * ownership.usd_per_j
    if saved <= 0:
        return np.inf
    keep = ownership.purchase_usd * ownership.first_loss_fraction / saved
    return keep if keep <= ownership.life_s else np.inf


def find_spot_useful_fraction(*, interval_s: float, checkpoint_s: float, restart_s: float) -> float:
    """Share of the time on spot capacity that is useful, with checkpoints at the best intervals.

    Capacity is taken back after `interval_s` on average. What is lost: checkpoints, which take `checkpoint_s`
    each, work since the last one, and `restart_s` until work goes on. Spot is the cheaper one where its price
    over the list price is below this share. 0 where nothing gets done.
    Source: J. Young, "A first order approximation to the optimum checkpoint interval", CACM 17(9), 1974.
    """
    mean = float(check_rate("interval_s", interval_s))
    saved = float(check_amount("checkpoint_s", checkpoint_s))
    again = float(check_amount("restart_s", restart_s))
    lost = np.sqrt(2 * saved / mean) + again / mean
    return float(max(0.0, 1 - lost))


def find_usd_per_query(
    queries_per_s: Real,
    *,
    replica_queries_per_s: float,
    replica_chips_count: Real,
    usd_per_chip_s: float,
) -> Real:
    """Dollars per query at a load, with as many whole replicas as it takes, paid whether busy or idle.

    Falls with 1 / load up to the rate of one replica, and then in a saw-tooth towards the cost of a full one.
    """
    rate = check_rate("queries_per_s", queries_per_s)
    capacity = float(check_rate("replica_queries_per_s", replica_queries_per_s))
    replica = check_rate("replica_chips_count", replica_chips_count) * check_rate(
        "usd_per_chip_s", usd_per_chip_s
    )
    replicas = np.ceil(np.asarray(rate) / capacity * (1 - 1e-12))  # a full replica is one, rounding or not
    return to_plain_float(replicas * replica / rate)


def find_life_cycle_usd(*, training_usd: float, usd_per_million_tokens: Real, tokens: Real) -> Real:
    """Dollars for a model's life: trained once, then `tokens` served, prompts included in their cost."""
    return check_amount("training_usd", training_usd) + check_amount(
        "usd_per_million_tokens", usd_per_million_tokens
    ) * (check_amount("tokens", tokens) / 1e6)


def find_price_range_usd_per_chip_s(
    chip: Chip | str, like: tuple[Chip, ...], *, dtype: DType = "bf16", region: str | None = None
) -> tuple[float, float]:
    """Range of what a chip without a public price might cost, in dollars per chip and second.

    An assumption: FLOPs cost what they cost on the chips `like`, from the cheapest to the dearest of them.
    Raises ValueError where none is given, MissingFigureError where one has no price.
    """
    chip = find_chip(chip)
    if not like:
        raise ValueError("like must name a chip with a price")
    rates = [choose_price(each, region=region).usd_per_chip_s / each.peak_flops_per_s(dtype) for each in like]
    peak = chip.peak_flops_per_s(dtype)
    return min(rates) * peak, max(rates) * peak


def _check_utilisation(utilisation_fraction: float) -> float:
    return float(check_share("utilisation_fraction", utilisation_fraction, zero=False))

"""Cost of tokens and FLOPs in dollars, and when a chip pays for itself.

`chips_count` need not be whole, since it may be a share of a pool. A price is the catalogue's `Price` with
its region, date and source; results keep it, since prices become outdated.
"""

import datetime
import re
from dataclasses import dataclass

import numpy as np

from diglot.hardware.chips.chip import PRICE_KINDS, Chip, MissingFigureError, Price, PriceKind
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.sizes import (
    Real,
    check_amount,
    check_choice,
    check_overhead,
    check_rate,
    check_share,
    to_plain_float,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TokenCost:
    """Cost of generated tokens, and the price it was computed with."""

    usd_per_million_tokens: Real
    price: Price
    """The price used, with region, date and source."""
    utilisation_fraction: Real


def choose_price(
    chip: Chip | str, *, region: str | None = None, not_after: str | None = None, kind: PriceKind = "list"
) -> Price:
    """The latest price of a chip in the catalogue, of one kind.

    `region` is a region's name or whole words of it (`us-east-1`, `us`), `not_after` the latest date allowed
    (`2025-12-31`). Raises MissingFigureError where there is no such price, ValueError for an unknown kind.
    """
    chip = find_chip(chip)
    check_choice("kind", kind, PRICE_KINDS)
    prices = [
        price
        for price in chip.prices
        if price.kind == kind
        and (region is None or re.search(rf"\b{re.escape(region)}\b", price.region, re.IGNORECASE))
        and (not_after is None or price.date <= not_after)
    ]
    if not prices:
        known = "; ".join(f"{price.kind}, {price.region}, {price.date}" for price in chip.prices) or "none"
        raise MissingFigureError(f"{chip.short_name} has no such price; known: {known}")
    return max(prices, key=lambda price: price.date)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPrice:
    """What a chip costs in a comparison, and what else is asked for it."""

    usd_per_chip_s: float
    low_usd_per_chip_s: float
    high_usd_per_chip_s: float
    """The ends of all prices of that kind."""
    price: Price | None
    """The latest of them; None for one's own price."""

    def __post_init__(self) -> None:
        for name in ("usd_per_chip_s", "low_usd_per_chip_s", "high_usd_per_chip_s"):
            check_rate(name, getattr(self, name))

    @classmethod
    def own(cls, usd_per_chip_s: float) -> "ComparedPrice":
        """A price that is not the catalogue's."""
        usd = usd_per_chip_s
        return cls(usd_per_chip_s=usd, low_usd_per_chip_s=usd, high_usd_per_chip_s=usd, price=None)

    def find_doubts(self, kind: PriceKind, *, today: str | None = None) -> tuple[str, ...]:
        """Why the price cannot be compared with others of a kind; of its age only if `today` is given."""
        if (price := self.price) is None:
            return ()
        doubts = [] if price.kind == kind else ["of another kind than the others"]
        if today is not None and price.date < _half_a_year_before(today):
            doubts.append("more than six months old")
        return tuple(doubts)


def _half_a_year_before(day: str) -> str:
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=183)).isoformat()


def compare_price(chip: Chip | str, kind: PriceKind = "list") -> ComparedPrice:
    """The latest price of a kind, or of the next kind that there is: list, market, reserved.

    Spot capacity stands in for no other. Raises MissingFigureError where there is no price, ValueError for an
    unknown kind.
    """
    check_choice("kind", kind, PRICE_KINDS)
    chip = find_chip(chip)
    kinds = {price.kind for price in chip.prices}
    nearest = next((each for each in (kind, "list", "market", "reserved") if each in kinds), kind)
    latest = choose_price(chip, kind=nearest)
    all_usd = [price.usd_per_chip_s for price in chip.prices if price.kind == nearest]
    return ComparedPrice(
        usd_per_chip_s=latest.usd_per_chip_s,
        low_usd_per_chip_s=min(all_usd),
        high_usd_per_chip_s=max(all_usd),
        price=latest,
    )


def find_usd_per_million_tokens(
    tokens_per_s: Real, *, usd_per_chip_s: Real, chips_count: Real = 1, utilisation_fraction: Real = 1.0
) -> Real:
    """Dollars per million tokens of a group of chips that is paid for whether busy or idle.

    `tokens_per_s` is the whole group's rate while busy, `utilisation_fraction` the share of the time in which
    it is busy. Raises ValueError for a share outside (0, 1].
    """
    share = check_share("utilisation_fraction", utilisation_fraction, zero=False)
    usd_per_s = check_rate("usd_per_chip_s", usd_per_chip_s) * check_rate("chips_count", chips_count)
    return 1e6 * usd_per_s / (check_rate("tokens_per_s", tokens_per_s) * share)


def price_tokens(
    tokens_per_s: Real, *, price: Price, chips_count: Real = 1, utilisation_fraction: Real = 1.0
) -> TokenCost:
    """Cost per million tokens for a price of the catalogue, which the result keeps."""
    return TokenCost(
        usd_per_million_tokens=find_usd_per_million_tokens(
            tokens_per_s,
            usd_per_chip_s=price.usd_per_chip_s,
            chips_count=chips_count,
            utilisation_fraction=utilisation_fraction,
        ),
        price=price,
        utilisation_fraction=utilisation_fraction,
    )


def find_flops_per_usd(flops_per_s: Real, *, usd_per_chip_s: Real) -> Real:
    """FLOPs per dollar of a chip at this rate, peak or achieved.

    Source: J. Austin et al., "How to Scale Your Model", part 8 (table of prices).
    """
    return check_rate("flops_per_s", flops_per_s) / check_rate("usd_per_chip_s", usd_per_chip_s)


def find_break_even_against_price_fraction(
    tokens_per_s: Real, *, usd_per_chip_s: Real, usd_per_million_tokens: Real, chips_count: Real = 1
) -> Real:
    """Share of the time that chips must be busy for their tokens to cost no more than a price per token.

    A result above 1 means never, at this rate.
    """
    full = find_usd_per_million_tokens(tokens_per_s, usd_per_chip_s=usd_per_chip_s, chips_count=chips_count)
    return full / check_rate("usd_per_million_tokens", usd_per_million_tokens)


def find_break_even_against_renting_fraction(
    *,
    purchase_usd: Real,
    lifetime_s: Real,
    rent_usd_per_chip_s: Real,
    power_w: Real,
    usd_per_j: Real,
    overhead_ratio: float = 1.0,
    fixed_usd_per_chip_s: Real = 0.0,
) -> Real:
    """Share of its lifetime that a bought chip must be busy to beat renting one only while busy.

    Bought: purchase spread over the lifetime and fixed costs always, electricity only while busy. Rented:
    rent only while busy. No interest, no resale. Infinite where electricity alone costs more than the rent.
    """
    owned = check_rate("purchase_usd", purchase_usd) / check_rate("lifetime_s", lifetime_s)
    always = owned + check_amount("fixed_usd_per_chip_s", fixed_usd_per_chip_s)
    power = check_rate("power_w", power_w) * check_overhead("overhead_ratio", overhead_ratio)
    saved = check_rate("rent_usd_per_chip_s", rent_usd_per_chip_s) - power * check_rate(
        "usd_per_j", usd_per_j
    )
    pays = np.asarray(saved) > 0
    return to_plain_float(np.where(pays, always / np.where(pays, saved, 1.0), np.inf))

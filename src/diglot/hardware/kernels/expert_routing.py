"""How many tokens each expert of a mixture gets, even where routing is not: expectations, nothing is drawn.

Each token visits `active` of `experts` experts, whatever other tokens do. How popular experts are follows
Zipf's law: the i-th is chosen in proportion to 1 / i**skew, by no token twice; skew 0 is an even choice. Rows
of an expert are then binomial: so many tokens, each with the expert's share. Where experts are looked at
together their rows are taken for independent. They are not, as tokens that visit one expert leave fewer
visits to others; that only raises the largest (loads are negatively associated), by little.

Zipf's law and its exponent are an assumption, not a fit to a trained model.

Sources: N. Shazeer et al., "Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer",
arXiv:1701.06538 (why experts are unbalanced); Z. Liu et al., "A Replicate-and-Quantize Strategy for
Plug-and-Play Load Balancing of Sparse Mixture-of-Experts LLMs", arXiv:2602.19938 (that they are in use, too);
K. Joag-Dev, F. Proschan, "Negative Association of Random Variables with Applications", Annals of Statistics
11 (1983); M. Raab, A. Steger, "Balls into Bins: A Simple and Tight Analysis", RANDOM 1998 (how large the
largest load is).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from diglot.hardware.sizes import Real, SizeLike, check_size, to_float, to_plain_float

_TAIL_DEVIATIONS = 9.0
"""Deviations around the mean that are summed: less than 1e-15 of a wide binomial lies beyond."""
_TAIL_ROWS = 40
"""And as many rows more, for those that are not wide: a mean of one row has hardly 1e-40 beyond."""

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """How tokens choose experts.

    Raises ValueError for counts below 1 or not whole, more active experts than there are, and a skew that is
    negative or not finite.
    """

    experts_count: int
    active_count: int
    """Experts that a token visits."""
    skew: float = 0.0
    """Zipf's exponent: 0 is even, with 1 the first is twice as popular as the second. No unit."""

    def __post_init__(self) -> None:
        for name in ("experts_count", "active_count"):
            object.__setattr__(self, name, int(check_size(name, getattr(self, name))))
        if self.active_count > self.experts_count:
            raise ValueError(f"{self.active_count} active experts of {self.experts_count}")
        if not 0 <= self.skew < math.inf:
            raise ValueError(f"skew must be finite and not negative, not {self.skew!r}")

    @property
    def chosen_fractions(self) -> _Floats:
        """Share of the tokens that visit each expert, the most popular first; their sum is `active_count`.

        In proportion to popularity, but no token visits an expert twice: what exceeds 1 goes to the others.
        """
        weights = np.arange(1, self.experts_count + 1, dtype=np.float64) ** -self.skew
        shares = np.zeros(self.experts_count)
        full = 0
        while True:
            rest = weights[full:]
            shares[:full] = 1.0
            shares[full:] = (self.active_count - full) * rest / rest.sum()
            over = int(np.count_nonzero(shares[full:] > 1))
            if over == 0:
                return np.minimum(shares, 1.0)
            full += over


def count_expected_rows(routing: Routing, tokens: SizeLike) -> _Floats:
    """Rows of each expert on average, the most popular first, along a last axis after those of `tokens`."""
    return np.asarray(to_float(check_size("tokens", tokens)))[..., None] * routing.chosen_fractions


def count_idle_experts(routing: Routing, tokens: SizeLike) -> Real:
    """Experts that no token visits, on average: the sum over experts of (1 - share)^tokens. Exact."""
    count = np.asarray(to_float(check_size("tokens", tokens)))
    shares, experts = np.unique(routing.chosen_fractions, return_counts=True)
    with np.errstate(divide="ignore"):
        missed = np.exp(count[..., None] * np.log1p(-shares))
    return to_plain_float(missed @ experts.astype(np.float64))


def find_busiest_rows(routing: Routing, tokens: SizeLike) -> Real:
    """Rows of the busiest expert, on average: the sum over x of P(not all experts have at most x rows).

    With an expert's rows taken for independent of the others': a lower bound, and close.
    """
    count = check_size("tokens", tokens)
    shares, experts = np.unique(routing.chosen_fractions, return_counts=True)
    found = [_find_largest(int(each), shares, experts) for each in np.ravel(count)]
    return to_plain_float(np.reshape(found, np.shape(count)))


def find_row_distribution(routing: Routing, tokens: int) -> _Floats:
    """Share of the experts that have 0, 1, 2 … rows, on average; sums to 1.

    Cut where less than a billionth of the experts have more rows.
    """
    count = int(check_size("tokens", tokens))
    shares, experts = np.unique(routing.chosen_fractions, return_counts=True)
    low, high = _find_range(count, shares)
    total = np.zeros(int(high.max()) + 1)
    for share, number, start, end in zip(shares, experts, low, high, strict=True):
        rows = np.arange(start, end + 1)
        total[start : end + 1] += number * np.exp(_log_binomial(count, rows, float(share)))
    total /= total.sum()
    return total[: 1 + int(np.searchsorted(np.cumsum(total), 1 - 1e-9))]


def _find_range(tokens: int, shares: _Floats) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """First and last rows that matter, for experts of each share."""
    mean = tokens * shares
    reach = _TAIL_DEVIATIONS * np.sqrt(mean * (1 - shares)) + _TAIL_ROWS
    low, high = np.floor(mean - reach), np.ceil(mean + reach)
    return np.maximum(low, 0).astype(np.int64), np.minimum(high, tokens).astype(np.int64)


def _find_largest(tokens: int, shares: _Floats, experts: npt.NDArray[np.int64]) -> float:
    """Expected largest rows of so many independent experts of each share."""
    low, high = _find_range(tokens, shares)
    start, end = int(low.max()), int(high.max())
    # Below `start` the most popular has more rows in any case; above `end` nobody has.
    log_all_below: Any = np.zeros(end - start + 1)
    for share, number, first, last in zip(shares, experts, low, high, strict=True):
        if last < start:
            continue
        rows = np.arange(max(first, start), last + 1)
        chances = np.exp(_log_binomial(tokens, rows, float(share)))
        above = np.append(np.cumsum(chances[::-1])[::-1][1:], 0.0)
        log_below = np.log1p(-np.minimum(above, 1 - 1e-16))
        log_all_below[rows[0] - start : rows[-1] - start + 1] += number * log_below
    return start + float(np.sum(-np.expm1(log_all_below)))


def _log_binomial(tokens: int, rows: npt.NDArray[np.int64], share: float) -> _Floats:
    """Logarithm of the chance that so many of `tokens` choose an expert, for consecutive rows."""
    if share >= 1:
        return np.where(rows == tokens, 0.0, -np.inf)
    first = int(rows[0])
    ways = math.lgamma(tokens + 1) - math.lgamma(first + 1) - math.lgamma(tokens - first + 1)
    start = ways + first * math.log(share) + (tokens - first) * math.log1p(-share)
    odds = np.log((tokens - rows[1:] + 1) / rows[1:]) + (math.log(share) - math.log1p(-share))
    return start + np.concatenate(([0.0], np.cumsum(odds)))

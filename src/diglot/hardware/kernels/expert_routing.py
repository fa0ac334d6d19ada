"""Expected number of tokens per expert of a mixture, with uniform or skewed routing; nothing is sampled.

Each token visits `active` of `experts` experts, independently of other tokens. The popularity of experts
follows Zipf's law: the i-th is chosen in proportion to 1 / i**skew, at most once per token; skew 0 is
uniform. The rows of an expert are then binomial: one trial per token, with the expert's share as probability.
Formulas over several experts treat their rows as independent. In fact loads are negatively associated, since
tokens that visit one expert leave fewer visits to others; this only raises the largest load, and by little.

Zipf's law and its exponent are an assumption, not a fit to a trained model.

Sources: N. Shazeer et al., "Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer",
arXiv:1701.06538 (why experts are unbalanced); Z. Liu et al., "A Replicate-and-Quantize Strategy for
Plug-and-Play Load Balancing of Sparse Mixture-of-Experts LLMs", arXiv:2602.19938 (also at inference);
K. Joag-Dev, F. Proschan, "Negative Association of Random Variables with Applications", Annals of Statistics
11 (1983); M. Raab, A. Steger, "Balls into Bins: A Simple and Tight Analysis", RANDOM 1998 (how large the
largest load is).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from diglot.hardware.sizes import Real, SizeLike, check_amount, check_size, to_float, to_plain_float

_TAIL_DEVIATIONS = 9.0
"""Standard deviations summed on each side of the mean; the rest of a wide binomial is below 1e-15."""
_TAIL_ROWS = 40
"""Rows summed in addition, for narrow binomials: with a mean of one row, about 1e-40 remains."""

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """How tokens choose experts.

    Raises ValueError for counts below 1 or not whole, for more active experts than experts, and for a skew
    that is negative or not finite.
    """

    experts_count: int
    active_count: int
    """Experts that each token visits."""
    skew: float = 0.0
    """Zipf's exponent (no unit): 0 is uniform, 1 makes the first expert twice as popular as the second."""

    def __post_init__(self) -> None:
        for name in ("experts_count", "active_count"):
            object.__setattr__(self, name, int(check_size(name, getattr(self, name))))
        if self.active_count > self.experts_count:
            raise ValueError(f"{self.active_count} active experts of {self.experts_count}")
        check_amount("skew", self.skew)

    @property
    def chosen_fractions(self) -> _Floats:
        """Share of the tokens that visit each expert, the most popular first; the sum is `active_count`.

        Proportional to popularity, but at most 1, since no token visits an expert twice; the excess goes to
        the other experts.
        """
        ranks = np.arange(1, self.experts_count + 1, dtype=np.float64)
        shares = np.zeros(self.experts_count)
        full = 0
        while True:
            # Relative to the most popular of the rest, so that a large skew does not make all of them 0.
            rest = (ranks[full:] / ranks[full]) ** -self.skew
            shares[:full] = 1.0
            shares[full:] = (self.active_count - full) * rest / rest.sum()
            over = int(np.count_nonzero(shares[full:] > 1))
            if over == 0:
                return np.minimum(shares, 1.0)
            full += over


def count_expected_rows(routing: Routing, tokens: SizeLike) -> _Floats:
    """Expected rows of each expert, the most popular first, along a last axis after those of `tokens`."""
    return np.asarray(to_float(check_size("tokens", tokens)))[..., None] * routing.chosen_fractions


def count_idle_experts(routing: Routing, tokens: SizeLike) -> Real:
    """Expected number of experts that no token visits: the sum over experts of (1 - share)^tokens. Exact."""
    count = np.asarray(to_float(check_size("tokens", tokens)))
    shares, experts = np.unique(routing.chosen_fractions, return_counts=True)
    with np.errstate(divide="ignore"):
        missed = np.exp(count[..., None] * np.log1p(-shares))
    return to_plain_float(missed @ experts.astype(np.float64))


def find_busiest_rows(routing: Routing, tokens: SizeLike) -> Real:
    """Expected rows of the busiest expert: the sum over x of P(not all experts have at most x rows).

    Treats the rows of experts as independent: a close lower bound.
    """
    count = check_size("tokens", tokens)
    shares, experts = np.unique(routing.chosen_fractions, return_counts=True)
    found = [_find_largest(int(each), shares, experts) for each in np.ravel(count)]
    return to_plain_float(np.reshape(found, np.shape(count)))


def find_row_distribution(routing: Routing, tokens: int) -> _Floats:
    """Expected share of the experts that have 0, 1, 2 … rows; sums to 1.

    Truncated where less than a billionth of the experts have more rows.
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
    """First and last number of rows with relevant probability, for experts of each share."""
    mean = tokens * shares
    reach = _TAIL_DEVIATIONS * np.sqrt(mean * (1 - shares)) + _TAIL_ROWS
    low, high = np.floor(mean - reach), np.ceil(mean + reach)
    return np.maximum(low, 0).astype(np.int64), np.minimum(high, tokens).astype(np.int64)


def _find_largest(tokens: int, shares: _Floats, experts: npt.NDArray[np.int64]) -> float:
    """Expected maximum of the rows, with `experts[i]` independent experts of share `shares[i]`."""
    low, high = _find_range(tokens, shares)
    start, end = int(low.max()), int(high.max())
    # The most popular expert has at least `start` rows; no expert has more than `end`.
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
    """Log probability that `rows` of `tokens` tokens choose an expert; `rows` are consecutive."""
    if share >= 1:
        return np.where(rows == tokens, 0.0, -np.inf)
    first = int(rows[0])
    ways = math.lgamma(tokens + 1) - math.lgamma(first + 1) - math.lgamma(tokens - first + 1)
    start = ways + first * math.log(share) + (tokens - first) * math.log1p(-share)
    odds = np.log((tokens - rows[1:] + 1) / rows[1:]) + (math.log(share) - math.log1p(-share))
    return start + np.concatenate(([0.0], np.cumsum(odds)))

"""Rows of experts: how they fill arrays and tiles, compared with sums over binomial distributions by hand."""

import functools
from math import ceil, exp, lgamma, log
from typing import Any

import pytest

from tests.site_figures.scripts import FIGURES

EXPERTS = {"mixtral-8x7b": (8, 2), "deepseek-v3": (256, 8)}
CHIPS = ("h200", "v5p", "v6e")


@functools.cache
def curves(model: str, skew: float = 0) -> dict[str, dict[str, Any]]:
    """The curve of each chip, with the tokens at which it reaches a half."""
    data = FIGURES["moe_fill"].data(model=model, skew=skew)
    halves = zip(data["half_fill"], data["half_peak"], strict=True)
    return {
        chip: {**curve, "half_fill": fill["tokens"], "half_peak": peak["tokens"]}
        for chip, curve, (fill, peak) in zip(CHIPS, data["curves"], halves, strict=True)
    }


def at_rows(curve: dict[str, Any], rows: float) -> int:
    """The place of the point where experts get so many rows on average."""
    return min(range(len(curve["rows"])), key=lambda place: abs(curve["rows"][place] - rows))


def share_of_experts(tokens: int, rows: int, model: str) -> float:
    """Fraction of experts that get exactly `rows` rows when tokens choose evenly."""
    experts, active = EXPERTS[model]
    chosen = active / experts
    ways = lgamma(tokens + 1) - lgamma(rows + 1) - lgamma(tokens - rows + 1)
    return exp(ways + rows * log(chosen) + (tokens - rows) * log(1 - chosen))


def fill_of_tiles(tokens: int, model: str, rows: int, columns: int) -> float:
    """Fraction of the tiles' rows that is useful, where shared memory delivers 64 elements per cycle.

    Hopper computes 2,048 products per cycle: a step of a tile takes the longer of rows x columns / 2,048 and
    (rows + columns) / 64 cycles.
    """
    starved = max(1, (rows + columns) / 64 / (rows * columns / 2048))
    paid = sum(
        rows * ceil(m / rows) * starved * share_of_experts(tokens, m, model)
        for m in range(1, min(tokens, 400) + 1)
    )
    return tokens * EXPERTS[model][1] / EXPERTS[model][0] / paid


@pytest.mark.parametrize("model", EXPERTS)
@pytest.mark.parametrize(("mean", "tile"), [(2, (8, 256)), (16, (32, 256)), (32, (32, 256)), (64, (32, 256))])
def test_the_best_tile_holds_the_rows_that_a_binomial_draw_gives(
    model: str, mean: int, tile: tuple[int, int]
) -> None:
    """A tile of 8 rows mostly waits for operands."""
    curve = curves(model)["h200"]
    place = at_rows(curve, mean)
    by_hand = {
        (rows, columns): fill_of_tiles(curve["tokens"][place], model, rows, columns)
        for rows in (8, 16, 32, 64, 128, 256)
        for columns in (64, 128, 256)
    }
    assert curve["rows"][place] == mean
    assert curve["fill"][place] == pytest.approx(max(by_hand.values()), rel=1e-6)
    assert curve["fill"][place] == pytest.approx(by_hand[tile], rel=1e-6)


@pytest.mark.parametrize("model", EXPERTS)
def test_skewed_routing_fills_as_zipf_s_law_says(model: str) -> None:
    """Experts' shares follow Zipf's law with exponent 1/2, capped at 1; each expert's rows are binomial."""
    experts, active = EXPERTS[model]
    curve = curves(model, 0.5)["v5p"]
    weights = [rank**-0.5 for rank in range(1, experts + 1)]
    shares = [active * weight / sum(weights) for weight in weights]
    assert max(shares) < 1
    place = at_rows(curve, 16)
    tokens = curve["tokens"][place]
    useful = paid = 0.0
    for share in shares:
        for m in range(1, tokens + 1):
            ways = lgamma(tokens + 1) - lgamma(m + 1) - lgamma(tokens - m + 1)
            chance = exp(ways + m * log(share) + (tokens - m) * log(1 - share))
            useful += m * chance
            paid += max(16 * ceil(m / 16), 128) * chance
    assert curve["fill"][place] == pytest.approx(useful / paid, rel=2e-3)


@pytest.mark.parametrize("model", EXPERTS)
@pytest.mark.parametrize(("chip", "side"), [("v5p", 128), ("v6e", 256)])
def test_an_array_waits_for_its_weights_until_an_expert_has_as_many_rows_as_it_has(
    model: str, chip: str, side: int
) -> None:
    (experts, active), curve = EXPERTS[model], curves(model)[chip]
    for mean in (2, 16, 64, 128):
        place = at_rows(curve, mean)
        tokens = curve["tokens"][place]
        # bf16 rows are padded to multiples of 16; a tile of weights takes as many cycles as the array has
        # rows.
        paid = sum(
            max(16 * ceil(m / 16), side) * share_of_experts(tokens, m, model)
            for m in range(1, min(tokens, 400) + 1)
        )
        assert curve["fill"][place] == pytest.approx(tokens * active / experts / paid, rel=2e-3)


@pytest.mark.parametrize(("chip", "rows"), [("v5p", 64), ("v6e", 128)])
def test_half_an_array_is_filled_by_half_as_many_rows_as_it_has(chip: str, rows: int) -> None:
    assert curves("mixtral-8x7b")[chip]["half_fill"] == pytest.approx(4 * rows, rel=1e-2)
    assert curves("deepseek-v3")[chip]["half_fill"] == pytest.approx(32 * rows, rel=1e-2)


@pytest.mark.parametrize("model", EXPERTS)
def test_memory_wants_more_rows_than_the_units_do(model: str) -> None:
    for skew in (0, 0.5):
        for curve in curves(model, skew).values():
            assert curve["half_peak"] > 1.2 * curve["half_fill"]
            assert all(share <= fill for share, fill in zip(curve["peak"], curve["fill"], strict=True))


def test_a_few_rows_reach_what_their_intensity_over_the_ridge_allows() -> None:
    width, inner, rows = 7168, 2048, 16
    flops = 2 * 3 * width * inner * rows * 256 + 2 * 512 * width * 256
    visited = 256 * (1 - (1 - 8 / 256) ** 512)
    moved = 2 * (visited * 3 * width * inner + width * 256 + 2 * 256 * rows * (width + inner))
    for chip, ridge in (("v5p", 459e12 / 2.765e12), ("v6e", 918e12 / 1.64e12)):
        curve = curves("deepseek-v3")[chip]
        share = curve["peak"][curve["tokens"].index(512)]  # 16 rows for each of 256 experts
        assert share == pytest.approx(flops / moved / ridge, rel=1e-3)

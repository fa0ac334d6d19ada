"""Rows of experts: what fills arrays and tiles, held against sums over the binomial distribution by hand."""

from math import ceil, exp, lgamma, log

import pytest

from tests.site_figures.scripts import FIGURES

EXPERTS = {"mixtral": (8, 2), "deepseek": (256, 8)}


def share_of_experts(tokens: int, rows: int, model: str) -> float:
    """Experts that get exactly so many rows, when tokens choose evenly."""
    experts, active = EXPERTS[model]
    chosen = active / experts
    ways = lgamma(tokens + 1) - lgamma(rows + 1) - lgamma(tokens - rows + 1)
    return exp(ways + rows * log(chosen) + (tokens - rows) * log(1 - chosen))


@pytest.mark.parametrize("model", EXPERTS)
def test_a_step_has_as_many_tokens_as_give_each_expert_its_rows(model: str) -> None:
    data, (experts, active) = FIGURES["moe_fill"].data(), EXPERTS[model]
    for rows, tokens in zip(data["rows"], data[model]["tokens"], strict=True):
        assert tokens * active / experts == pytest.approx(rows, abs=0.5 * active / experts)


@pytest.mark.parametrize("model", EXPERTS)
@pytest.mark.parametrize("place", [0, 64, 96, 112])
def test_tiles_of_64_rows_hold_the_rows_that_a_binomial_draw_gives(model: str, place: int) -> None:
    data, (experts, active) = FIGURES["moe_fill"].data(), EXPERTS[model]
    tokens = data[model]["tokens"][place]
    paid = sum(64 * ceil(m / 64) * share_of_experts(tokens, m, model) for m in range(min(tokens, 400) + 1))
    assert data[model]["h200"]["fill_fraction"][place] == pytest.approx(tokens * active / experts / paid)


@pytest.mark.parametrize("model", EXPERTS)
@pytest.mark.parametrize(("chip", "side"), [("v5p", 128), ("v6e", 256)])
def test_an_array_waits_for_its_weights_until_an_expert_has_as_many_rows_as_it_has(
    model: str, chip: str, side: int
) -> None:
    data, (experts, active) = FIGURES["moe_fill"].data(), EXPERTS[model]
    for place in (0, 64, 96, 112):
        tokens = data[model]["tokens"][place]
        # Rows come in sixteens of bf16, and a tile of weights takes as many cycles as the array has rows.
        paid = sum(
            max(16 * ceil(m / 16), side) * share_of_experts(tokens, m, model)
            for m in range(1, min(tokens, 400) + 1)
        )
        fill = data[model][chip]["fill_fraction"][place]
        assert fill == pytest.approx(tokens * active / experts / paid, rel=2e-3)


@pytest.mark.parametrize(("chip", "rows"), [("h200", 32), ("v5p", 64), ("v6e", 128)])
def test_half_a_unit_is_filled_by_half_as_many_rows_as_it_has(chip: str, rows: int) -> None:
    data = FIGURES["moe_fill"].data()
    assert data["mixtral"][chip]["half_fill_tokens"] == pytest.approx(4 * rows, rel=1e-2)
    assert data["deepseek"][chip]["half_fill_tokens"] == pytest.approx(32 * rows, rel=1e-2)


def test_memory_wants_more_rows_than_the_units_do() -> None:
    data = FIGURES["moe_fill"].data()
    for model in EXPERTS:
        for chip in ("h200", "v5p", "v6e"):
            found = data[model][chip]
            assert found["half_peak_tokens"] > 1.2 * found["half_fill_tokens"]
            assert all(
                share <= fill
                for share, fill in zip(found["peak_fraction"], found["fill_fraction"], strict=True)
            )


def test_a_few_rows_reach_what_their_intensity_over_the_ridge_allows() -> None:
    data = FIGURES["moe_fill"].data()
    place = data["deepseek"]["tokens"].index(512)  # 16 rows for each of 256 experts
    width, inner, rows = 7168, 2048, 16
    flops = 2 * 3 * width * inner * rows * 256 + 2 * 512 * width * 256
    visited = 256 * (1 - (1 - 8 / 256) ** 512)
    moved = 2 * (visited * 3 * width * inner + width * 256 + 2 * 256 * rows * (width + inner))
    for chip, ridge in (("v5p", 459e12 / 2.765e12), ("v6e", 918e12 / 1.64e12)):
        share = data["deepseek"][chip]["peak_fraction"][place]
        assert share == pytest.approx(flops / moved / ridge, rel=1e-3)

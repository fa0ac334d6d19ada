"""Rows of experts: how they fill arrays and tiles, compared with sums over binomial distributions by hand."""

from math import ceil, exp, lgamma, log

import pytest
from matplotlib.text import Text

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.style import use_style
from diglot.figures.scripts.words import Words
from diglot.languages import LANGUAGES
from tests.site_figures.scripts import FIGURES

EXPERTS = {"mixtral": (8, 2), "deepseek": (256, 8)}


def share_of_experts(tokens: int, rows: int, model: str) -> float:
    """Fraction of experts that get exactly `rows` rows when tokens choose evenly."""
    experts, active = EXPERTS[model]
    chosen = active / experts
    ways = lgamma(tokens + 1) - lgamma(rows + 1) - lgamma(tokens - rows + 1)
    return exp(ways + rows * log(chosen) + (tokens - rows) * log(1 - chosen))


@pytest.mark.parametrize("model", EXPERTS)
def test_a_step_has_as_many_tokens_as_give_each_expert_its_rows(model: str) -> None:
    data, (experts, active) = FIGURES["moe_fill"].data(), EXPERTS[model]
    for rows, tokens in zip(data["rows"], data[model]["tokens"], strict=True):
        assert tokens * active / experts == pytest.approx(rows, abs=0.5 * active / experts)


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
@pytest.mark.parametrize(
    ("place", "tile"), [(0, (8, 256)), (64, (32, 256)), (80, (32, 256)), (96, (32, 256))]
)
def test_the_best_tile_holds_the_rows_that_a_binomial_draw_gives(
    model: str, place: int, tile: tuple[int, int]
) -> None:
    """Experts get 1, 16, 32 and 64 rows on average; a tile of 8 rows mostly waits for operands."""
    data = FIGURES["moe_fill"].data()
    found = data[model]["even"]["h200"]["fill_fraction"][place]
    by_hand = {
        (rows, columns): fill_of_tiles(data[model]["tokens"][place], model, rows, columns)
        for rows in (8, 16, 32, 64, 128, 256)
        for columns in (64, 128, 256)
    }
    assert found == pytest.approx(max(by_hand.values()), rel=1e-6)
    assert found == pytest.approx(by_hand[tile], rel=1e-6)


@pytest.mark.parametrize("model", EXPERTS)
def test_bands_end_where_skewed_routing_puts_them(model: str) -> None:
    """Experts' shares follow Zipf's law with exponent 1/2, capped at 1; each expert's rows are binomial."""
    data, (experts, active) = FIGURES["moe_fill"].data(), EXPERTS[model]
    weights = [rank**-0.5 for rank in range(1, experts + 1)]
    shares = [active * weight / sum(weights) for weight in weights]
    assert max(shares) < 1
    skewed = data[model]["skewed"]
    place = 16
    tokens = round(skewed["rows"][place] * experts / active)
    assert skewed["idle"][place] == pytest.approx(sum((1 - share) ** tokens for share in shares), abs=1e-12)
    useful = paid = 0.0
    for share in shares:
        for m in range(1, tokens + 1):
            ways = lgamma(tokens + 1) - lgamma(m + 1) - lgamma(tokens - m + 1)
            chance = exp(ways + m * log(share) + (tokens - m) * log(1 - share))
            useful += m * chance
            paid += max(16 * ceil(m / 16), 128) * chance
    assert skewed["v5p"]["fill_fraction"][place] == pytest.approx(useful / paid, rel=2e-3)


def test_the_figure_says_whose_experts_its_lines_are() -> None:
    data = FIGURES["moe_fill"].data()["deepseek"]
    assert (data["experts"], data["active"], data["width"], data["inner"]) == (256, 8, 7168, 2048)
    for language in LANGUAGES:
        use_style(language, "variables")
        canvas = Canvas("column", language)
        FIGURES["moe_fill"].module.draw(canvas, FIGURES["moe_fill"].data(), Words(language))
        (words,) = (text for text in canvas.findobj(Text) if "7,168" in text.get_text())
        assert "DeepSeek-V3" in words.get_text()
        assert "7,168 × 2,048" in words.get_text()


@pytest.mark.parametrize("model", EXPERTS)
@pytest.mark.parametrize(("chip", "side"), [("v5p", 128), ("v6e", 256)])
def test_an_array_waits_for_its_weights_until_an_expert_has_as_many_rows_as_it_has(
    model: str, chip: str, side: int
) -> None:
    data, (experts, active) = FIGURES["moe_fill"].data(), EXPERTS[model]
    for place in (0, 64, 96, 112):
        tokens = data[model]["tokens"][place]
        # bf16 rows are padded to multiples of 16; a tile of weights takes as many cycles as the array has
        # rows.
        paid = sum(
            max(16 * ceil(m / 16), side) * share_of_experts(tokens, m, model)
            for m in range(1, min(tokens, 400) + 1)
        )
        fill = data[model]["even"][chip]["fill_fraction"][place]
        assert fill == pytest.approx(tokens * active / experts / paid, rel=2e-3)


@pytest.mark.parametrize(("chip", "rows"), [("v5p", 64), ("v6e", 128)])
def test_half_an_array_is_filled_by_half_as_many_rows_as_it_has(chip: str, rows: int) -> None:
    data = FIGURES["moe_fill"].data()
    assert data["mixtral"][chip]["half_fill_tokens"] == pytest.approx(4 * rows, rel=1e-2)
    assert data["deepseek"][chip]["half_fill_tokens"] == pytest.approx(32 * rows, rel=1e-2)


def test_memory_wants_more_rows_than_the_units_do() -> None:
    data = FIGURES["moe_fill"].data()
    for model in EXPERTS:
        for chip in ("h200", "v5p", "v6e"):
            found = data[model][chip]
            assert found["half_peak_tokens"] > 1.2 * found["half_fill_tokens"]
            for routing in ("even", "skewed"):
                drawn = data[model][routing][chip]
                assert all(
                    share <= fill
                    for share, fill in zip(drawn["peak_fraction"], drawn["fill_fraction"], strict=True)
                )


def test_a_few_rows_reach_what_their_intensity_over_the_ridge_allows() -> None:
    data = FIGURES["moe_fill"].data()
    place = data["deepseek"]["tokens"].index(512)  # 16 rows for each of 256 experts
    width, inner, rows = 7168, 2048, 16
    flops = 2 * 3 * width * inner * rows * 256 + 2 * 512 * width * 256
    visited = 256 * (1 - (1 - 8 / 256) ** 512)
    moved = 2 * (visited * 3 * width * inner + width * 256 + 2 * 256 * rows * (width + inner))
    for chip, ridge in (("v5p", 459e12 / 2.765e12), ("v6e", 918e12 / 1.64e12)):
        share = data["deepseek"]["even"][chip]["peak_fraction"][place]
        assert share == pytest.approx(flops / moved / ridge, rel=1e-3)

"""Matrices of BERT's days and of today: fractions of the peak by hand, from intensities and from padding."""

from math import ceil
from typing import Any

import pytest

from tests.site_figures.scripts import FIGURES

RIDGES = {"v2": 46e12 / 716e9, "v3": 123e12 / 900e9, "v5p": 459e12 / 2.765e12, "v6e": 918e12 / 1.64e12}
SIDES = {"v2": 128, "v3": 128, "v5p": 128, "v6e": 256}


def groups(**parameters: Any) -> Any:
    return FIGURES["bert_era"].data(**parameters)["groups"]


@pytest.mark.parametrize("chip", RIDGES)
@pytest.mark.parametrize(
    ("group", "part", "m", "k", "n"),
    [
        ("bert_128", "qkv", 128, 1024, 3072),
        ("bert_128", "feed_forward", 128, 1024, 4096),
        ("bert_512", "feed_forward", 512, 1024, 4096),
        ("prefill", "qkv", 2048, 8192, 10240),
        ("decode", "feed_forward", 32, 8192, 28672),
    ],
)
def test_projections_reach_the_lower_of_intensity_over_ridge_and_rows_over_side(
    chip: str, group: str, part: str, m: int, k: int, n: int
) -> None:
    found = groups()[group][part]
    memory = min(1, m * k * n / (m * k + k * n + m * n) / RIDGES[chip])
    fill = min(1, m / SIDES[chip])  # k and n are multiples of both arrays' sides
    assert found[chip]["peak_fraction"] == pytest.approx(min(memory, fill), rel=1e-6)
    bound = "arrays" if fill < 1 - 1e-6 else "compute"
    assert found[chip]["bound"] == ("memory" if memory < min(fill, 1 - 1e-6) else bound)


@pytest.mark.parametrize("chip", RIDGES)
@pytest.mark.parametrize("tokens", [128, 512])
def test_heads_of_64_leave_half_of_a_small_array_empty_and_three_quarters_of_a_large_one(
    chip: str, tokens: int
) -> None:
    found, side = groups()[f"bert_{tokens}"]["attention"], SIDES[chip]
    padded_tokens = ceil(tokens / side) * side
    fill = min(1, tokens / side) * (tokens / padded_tokens) * (64 / side)
    assert found[chip]["fill_fraction"] == pytest.approx(fill)
    # Q, K, V and the output are 64 wide; scores and weights are each written and read.
    intensity = 4 * tokens * 64 / (2 * (4 * 64 + 4 * tokens))
    assert found["intensity"] == pytest.approx(intensity)
    assert found[chip]["peak_fraction"] == pytest.approx(min(fill, intensity / RIDGES[chip]))


def test_what_filled_tpu_v2_leaves_four_fifths_of_v6e_idle() -> None:
    found = groups()["bert_128"]["feed_forward"]
    assert found["v2"]["peak_fraction"] == pytest.approx(1)
    assert found["v6e"]["peak_fraction"] < 0.2


def test_prefill_fills_every_chip_but_for_heads_of_128_on_arrays_of_256() -> None:
    for part, chips in groups()["prefill"].items():
        for chip in RIDGES:
            half = part == "attention" and chip == "v6e"
            assert chips[chip]["peak_fraction"] == pytest.approx(0.5 if half else 1)


def test_the_eight_queries_that_share_keys_are_the_rows_of_decoding() -> None:
    found = groups()["decode"]["attention"]
    assert found["intensity"] == pytest.approx(8, rel=0.01)
    assert found["v2"]["fill_fraction"] == pytest.approx(8 / 128)
    assert found["v6e"]["fill_fraction"] == pytest.approx(8 / 256 / 2)


def test_a_batch_helps_projections_and_not_attention() -> None:
    one, eight = groups(batch=1)["bert_128"], groups(batch=8)["bert_128"]
    for chip in RIDGES:
        assert eight["attention"][chip] == pytest.approx(one["attention"][chip])
    assert eight["feed_forward"]["v6e"]["peak_fraction"] > 4 * one["feed_forward"]["v6e"]["peak_fraction"]

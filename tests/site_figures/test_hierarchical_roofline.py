"""Rooflines of memory, L2 and shared memory, and a product's traffic at each, calculated by hand."""

import pytest

from tests.site_figures.scripts import FIGURES

PEAK = 989.4e12
BANDWIDTHS = {"memory": 3.35e12, "l2": 5.5e12, "shared": 132 * 128 * 1.83e9}
"""Bytes/s: memory as published, L2 as measured by micro-benchmarks, shared memory from its width and clock.

Shared memory delivers 128 bytes per cycle for each of 132 SMs.
"""
M, K, N = 4096, 8192, 28672


@pytest.mark.parametrize("level", BANDWIDTHS)
def test_each_level_has_its_ridge(level: str) -> None:
    levels = FIGURES["hierarchical_roofline"].data()["levels"]
    found = next(row for row in levels if row["level"] == level)
    assert found["bandwidth"] == pytest.approx(BANDWIDTHS[level], rel=1e-3)
    assert found["ridge"] == pytest.approx(PEAK / BANDWIDTHS[level], rel=1e-3)


@pytest.mark.parametrize(("form", "rows"), [("alone", 128), ("pair", 256)])
def test_intensities_follow_from_the_operands_that_tiles_read(form: str, rows: int) -> None:
    intensity = FIGURES["hierarchical_roofline"].data()["forms"][form]["intensity"]
    flops = 2 * M * K * N

    def moved(tile_m: int, tile_n: int) -> float:
        tiles = (M // tile_m) * (N // tile_n)
        return 2 * (tiles * (tile_m + tile_n) * K + M * N)

    assert intensity["memory"] == pytest.approx(flops / moved(M, N))
    assert intensity["l2"] == pytest.approx(flops / moved(rows, 256))
    assert intensity["shared"] == pytest.approx(flops / moved(64, 256))


@pytest.mark.parametrize("form", ["alone", "pair"])
def test_the_level_that_takes_longest_sets_the_rate(form: str) -> None:
    found = FIGURES["hierarchical_roofline"].data()["forms"][form]
    rates = {level: found["intensity"][level] * BANDWIDTHS[level] for level in BANDWIDTHS}
    assert found["bound"] == min(rates, key=lambda level: rates[level]) == "l2"
    assert found["rate"] == pytest.approx(min(PEAK, *rates.values()), rel=1e-3)


def test_a_pair_of_blocks_reads_half_as_often_what_it_shares() -> None:
    forms = FIGURES["hierarchical_roofline"].data()["forms"]
    # Operands loaded per element of a tile of C: 1/128 + 1/256 alone, 1/256 + 1/256 for a pair.
    assert forms["pair"]["intensity"]["l2"] / forms["alone"]["intensity"]["l2"] == pytest.approx(
        1.5, rel=0.01
    )

"""Slices of a pod whose hosts fail, and trainings that stop: by hand, and against what was published."""

import pytest

from tests.site_figures.scripts import FIGURES


@pytest.mark.parametrize(("up", "chips"), [(99, 512), (99.5, 2048), (99.9, 6144)])
def test_a_fixed_block_works_while_all_hosts_of_its_cubes_do(up: float, chips: int) -> None:
    data = FIGURES["pod_slices"].data(up=up)
    cubes = chips // 64
    works = (up / 100) ** (16 * cubes)
    assert data["cubes"] == 140
    assert data["rows"][str(chips)]["fixed"] == pytest.approx(140 // cubes * cubes / 140 * works)
    assert data["rows"][str(chips)]["optical"] >= data["rows"][str(chips)]["fixed"]


def test_hosts_that_are_up_as_much_as_google_plans_with_are_between_the_assumptions() -> None:
    expected = FIGURES["pod_slices"].data()["expected"]
    assert 0.995 < expected["host_up"] < 0.999


def test_llama_3_stops_every_three_hours_and_makes_progress_nine_tenths_of_the_time() -> None:
    llama = FIGURES["training_failures"].data()["at"]["llama"]
    assert llama["hours"] == pytest.approx(54 * 24 / 419)
    assert llama["share"] > 0.9  # arXiv:2407.21783, section 3.3.4: higher than 90%
    assert llama["low"] < llama["share"] < llama["high"]
    shares = [FIGURES["training_failures"].data(restart_min=m)["at"]["llama"]["share"] for m in (1, 5, 20)]
    assert shares == sorted(shares, reverse=True)

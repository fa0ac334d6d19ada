"""Intervals follow from residuals, and hold what they say also for sources that they have not seen."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.fit_spreads import write_spreads
from diglot.hardware.chips.spreads import SPREADS_PATH
from diglot.hardware.validation import judging
from diglot.hardware.validation.case_files import read_case_file
from diglot.hardware.validation.judging import DATA, judge_rows
from tests.reference.residuals import (
    Residual,
    Usual,
    find_coverage,
    fit_spreads,
    list_residuals,
    write_table,
)

VALIDATION = Path(__file__).parents[2] / "docs" / "validation.md"


@pytest.fixture(scope="module")
def judged():
    return list(judge_rows(read_case_file(DATA).cases))


@pytest.fixture(scope="module")
def residuals(judged):
    return list(list_residuals(judged))


def test_the_file_and_the_table_follow_from_the_measurements(residuals):
    assert write_spreads(fit_spreads(residuals)) == SPREADS_PATH.read_text("utf-8")
    assert write_table(residuals) in VALIDATION.read_text("utf-8")


@pytest.mark.parametrize("left_out", ["source", "chip"])
def test_intervals_are_right_as_often_as_they_say_for_what_was_left_out(residuals, left_out):
    """Rows are mostly kernels of one source; with each source alike, nine in ten."""
    rows, alike = find_coverage(residuals, left_out=left_out)
    assert 0.85 <= alike <= 0.95
    assert 0.85 <= rows <= 0.97


def test_measured_systems_are_near_and_inside_and_none_beats_a_bound(judged):
    assert [str(each) for each in judged if each.calibrated is None] == []
    assert [str(each) for each in judged if each.bound_ratio < 0.9999] == []
    assert np.mean([each.is_near for each in judged]) >= 0.8
    assert 0.85 <= np.mean([each.is_inside for each in judged]) <= 0.95


def test_the_table_of_families_is_what_the_models_give(judged):
    assert judging.write_table(judged) in VALIDATION.read_text("utf-8")


def test_no_family_of_eight_or_more_is_mostly_missed(judged):
    families = {}
    for each in judged:
        families.setdefault(each.family, []).append(each.is_near)
    assert {name: near for name, near in families.items() if len(near) >= 8 and np.mean(near) < 0.5} == {}


def test_one_row_hardly_moves_what_is_usual():
    usual = Usual(deviations=tuple(np.linspace(0, 0.5, 11)))
    alone = usual.find_half_width([])
    sure = Residual(subject="copy", chip="h100-sxm", source="a", deviation=0.01)
    assert usual.find_half_width([sure]) == pytest.approx(alone, abs=0.1)
    assert usual.find_half_width([sure] * 100) < 0.8 * alone

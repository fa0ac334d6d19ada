"""Training steps of other people against the bound and the calibrated model."""

from pathlib import Path

import pytest

from diglot.hardware.training.step_losses import STEP_RATIOS
from tests.reference.published_steps import judge_steps, write_table
from tests.reference.step_ratios import find_ratios

PREFIXES = {"gpu": "nvidia", "tpu": "tpu-"}
VALIDATION = Path(__file__).parents[2] / "docs" / "measurements.md"


@pytest.fixture(scope="module")
def judged():
    return judge_steps()


def test_no_published_step_is_quicker_than_the_bound(judged):
    assert [found.step.name for found in judged if found.bound_s > found.step.measured_s] == []


def test_the_ratios_are_those_of_measured_steps():
    found = find_ratios()
    assert found.keys() == STEP_RATIOS.keys() - PREFIXES.keys()
    for family, ratio in found.items():
        assert STEP_RATIOS[family] == pytest.approx(ratio, rel=0.02), family
    for kind in ("gpu", "tpu"):
        members = [ratio for family, ratio in STEP_RATIOS.items() if family.startswith(PREFIXES[kind])]
        assert STEP_RATIOS[kind] == pytest.approx(sum(members) / len(members), abs=0.01)


def test_each_step_is_predicted_within_a_quarter_by_the_others_of_its_family(judged):
    errors = {f.step.name: f.left_out / f.ratio - 1 for f in judged if f.left_out is not None}
    assert {name: error for name, error in errors.items() if abs(error) > 0.25} == {}
    assert len(errors) == 18


def test_the_table_of_the_docs_is_what_the_models_give():
    text = VALIDATION.read_text(encoding="utf-8")
    assert text.partition("<!-- steps -->\n")[2].partition("\n<!-- end -->")[0] == write_table()

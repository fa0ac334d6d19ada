"""The calibrated models against what was measured, and against measurements that their fit has not seen."""

import numpy as np
import pytest

from diglot.hardware.calibration import CALIBRATION_PATH, load_calibration
from tests.reference import calibrated, worked_cases
from tests.reference.calibrated import find_factors, find_measured, predict_left_out

CALIBRATION = load_calibration()
CASES = worked_cases.read_cases(worked_cases.DATA)
MEASURED = find_measured(CASES)


def test_every_measured_case_of_the_structured_groups_has_a_calibrated_prediction():
    structured = [
        case
        for case in CASES
        if case["kind"] == "measured" and case["category"] in ("gemm-measured", "elementwise", "memory-bound")
    ]
    assert len(structured) > 60
    predicted = {measured.case["id"] for measured in MEASURED}
    assert {case["id"] for case in structured} <= predicted


def test_four_in_five_measurements_lie_within_a_quarter_of_the_calibrated_model():
    errors = [abs(measured.error_fraction(find_factors(measured, CALIBRATION))) for measured in MEASURED]
    assert np.mean(np.array(errors) <= 0.25) >= 0.8


def test_four_in_five_lie_within_a_quarter_also_when_left_out_of_the_fit():
    """What counts for a shape that nobody measured. Of each group, every third case: the fits take time."""
    errors = [predict_left_out(measured, MEASURED, CALIBRATION) for measured in MEASURED[::3]]
    assert np.mean([error is not None and abs(error) <= 0.25 for error in errors]) >= 0.8


def test_the_committed_factors_are_what_the_committed_measurements_give():
    from benchmarks.fit_calibration import MARK, write_fits

    text = CALIBRATION_PATH.read_text(encoding="utf-8")
    head, _, _ = text.partition(MARK)
    assert write_fits(head, MEASURED) == text


def test_a_prediction_reads_inputs_and_never_the_id():
    for measured in MEASURED:
        renamed = calibrated.read_measured({**measured.case, "id": "x", "group": "y"})
        assert renamed is not None
        assert renamed.times == measured.times


def test_a_chip_without_measurements_is_predicted_from_its_kind():
    case = {
        "id": "new",
        "category": "gemm-measured",
        "kind": "measured",
        "compare": "bound",
        "inputs": {"chip": "rubin", "M": 8192, "N": 8192, "K": 8192, "dtype": "bf16", "peak_tflops": 5000},
        "expected": [{"name": "rate", "value": 3900, "unit": "TFLOP/s"}],
        "tolerance": {"rel": 0.25},
    }
    outcome = worked_cases.judge_case(case)
    assert outcome.verdict == "passed"
    assert outcome.calibrated.startswith("rate=")


@pytest.mark.parametrize("unit", ["TFLOP/s", "GFLOP/s"])
def test_an_error_is_relative_to_what_was_measured(unit):
    scale = {"TFLOP/s": 1, "GFLOP/s": 1000}[unit]
    case = next(case for case in CASES if case.get("group") == "mamf")
    expected = [{"name": "rate", "value": case["expected"][0]["value"] * scale, "unit": unit}]
    (measured,) = find_measured([{**case, "expected": expected}])
    factors = find_factors(measured, CALIBRATION)
    (original,) = find_measured([case])
    assert measured.error_fraction(factors) == pytest.approx(original.error_fraction(factors))

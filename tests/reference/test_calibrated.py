"""The calibrated models against what was measured, and against measurements that their fit has not seen."""

import dataclasses
import functools

import numpy as np
import pytest

from benchmarks.fit_calibration import (
    HELD_OUT_PATH,
    MARK,
    PARITY_PATH,
    VALIDATION_PATH,
    write_fits,
    write_parity,
    write_tables,
)
from diglot.hardware import (
    L2Cache,
    estimate_gpu_gemm,
    find_thread_blocks,
    load_calibration,
    load_catalogue,
    load_replay,
)
from diglot.hardware.chips.calibration import CALIBRATION_PATH, IDEAL
from diglot.hardware.operators.operator_time import find_l2, find_processor_count, find_processors
from tests.reference import calibrated, worked_cases
from tests.reference.calibrated import find_factors, find_measured, predict_left_out

CALIBRATION = load_calibration()


@functools.cache
def all_cases():
    """The worked cases, read when the first test asks for them."""
    return worked_cases.read_cases(worked_cases.DATA)


@functools.cache
def all_measured():
    """Those that a calibrated model predicts."""
    return find_measured(all_cases())


def test_every_measured_case_of_the_structured_groups_has_a_calibrated_prediction():
    structured = [
        case
        for case in all_cases()
        if case["kind"] == "measured"
        and case["category"] in ("gemm-measured", "elementwise", "memory-bound", "network")
    ]
    assert len(structured) > 60
    predicted = {measured.case["id"] for measured in all_measured()}
    assert {case["id"] for case in structured} <= predicted


def test_four_in_five_measurements_lie_within_a_quarter_of_the_calibrated_model():
    errors = [abs(one.error_fraction(find_factors(one, CALIBRATION))) for one in all_measured()]
    assert np.mean(np.array(errors) <= 0.25) >= 0.8


def test_four_in_five_lie_within_a_quarter_also_when_left_out_of_the_fit():
    """What counts for a shape that nobody measured. Of each group, every third case: the fits take time."""
    errors = [predict_left_out(measured, all_measured(), CALIBRATION) for measured in all_measured()[::3]]
    assert np.mean([error is not None and abs(error) <= 0.25 for error in errors]) >= 0.8


def test_no_measurement_that_was_never_fitted_beats_the_ideal():
    assert {outcome.verdict for outcome in worked_cases.judge_cases(HELD_OUT_PATH)} == {"passed"}


@pytest.mark.parametrize(
    ("group", "least_near", "most_median"),
    [
        ("vidur-allreduce-sample", 0.85, 0.10),
        ("vidur-gemm-h100-sample", 0.90, 0.10),
        ("vidur-gemm-a100-sample", 0.80, 0.13),
        ("fa3-other-shapes", 0.75, 0.20),
    ],
)
def test_measurements_that_were_never_fitted_lie_near_the_calibrated_model(group, least_near, most_median):
    """A sample of every size that Vidur profiled, and the heads of FlashAttention-3 beside the one fitted."""
    cases = [case for case in worked_cases.read_cases(HELD_OUT_PATH) if case["group"] == group]
    fitted = {str(case["inputs"]) for case in all_cases()}
    assert not fitted & {str(case["inputs"]) for case in cases}
    errors = np.abs([one.error_fraction(find_factors(one, CALIBRATION)) for one in find_measured(cases)])
    assert len(errors) == len(cases)
    assert np.mean(errors <= 0.25) >= least_near
    assert np.median(errors) <= most_median


def test_the_committed_factors_are_what_the_committed_measurements_give():
    text = CALIBRATION_PATH.read_text(encoding="utf-8")
    head, _, _ = text.partition(MARK)
    assert write_fits(head, all_measured()) == text


def test_the_tables_of_the_docs_are_what_the_models_give():
    text = VALIDATION_PATH.read_text(encoding="utf-8")
    groups = calibrated.summarise(all_measured(), all_measured(), CALIBRATION)
    assert write_tables(text, groups, CALIBRATION, load_replay().fits) == text
    assert all(f"| {group.group} | {len(group.ideal)} |" in text for group in groups)


def test_the_figure_of_parity_is_drawn_from_what_the_models_give():
    held_out = find_measured(worked_cases.read_cases(HELD_OUT_PATH))
    assert write_parity(all_measured(), held_out, CALIBRATION) == PARITY_PATH.read_text(encoding="utf-8")


def test_products_take_the_time_that_the_fit_assumed():
    """The fit takes the tiles that are best in the ideal, the products those best under the factors."""
    chips = load_catalogue()
    compared = 0
    for measured in all_measured():
        inputs = measured.case["inputs"]
        if measured.times.operator == "gemm" and inputs.keys() == {"chip", "M", "N", "K", "dtype"}:
            shape = (inputs["M"], inputs["K"], inputs["N"])
            chip, factors = chips[inputs["chip"]], find_factors(measured, CALIBRATION)
            if find_processor_count(chip) is None:
                continue
            time = estimate_gpu_gemm(
                *shape,
                gpu=find_processors(chip, inputs["dtype"]),
                split_count=None,
                factors=factors,
                dtype=inputs["dtype"],
            )
            predicted = measured.times.predict(factors)["time"]
            assert time.time_s == pytest.approx(predicted, rel=0.02)
            compared += 1
    assert compared > 30


def test_no_measured_product_beats_its_ideal_tiles():
    """Tiles, waves and traffic with all that the ideal allows, narrow tiles among it."""
    products = [measured for measured in all_measured() if measured.times.operator == "gemm"]
    for measured in products:
        assert measured.times.predict(IDEAL)["time"] <= measured.measured_time_s, measured.case["id"]
    assert len(products) > 50


@pytest.mark.parametrize(("tiles", "beaten"), [(1, 8), (2, 3), (4, 0), (16, 0)])
def test_clusters_of_four_are_needed_to_read_what_h100s_multiplied(tiles, beaten):
    """So docs/measurements.md says: how many of the measured products are quicker than the ideal."""
    chip = load_catalogue()["h100-sxm"]
    blocks = dataclasses.replace(find_thread_blocks(chip), cluster_tile_count=tiles)
    l2 = L2Cache(
        capacity_bytes=find_l2(chip).capacity_bytes,
        bandwidth_bytes_per_s=chip.quantity("on_chip.l2_bandwidth").value,
    )
    quicker = [
        measured.measured_time_s
        < estimate_gpu_gemm(
            *(measured.case["inputs"][side] for side in "MKN"),
            gpu=dataclasses.replace(
                find_processors(chip, measured.case["inputs"]["dtype"]), blocks=blocks, l2=l2
            ),
            split_count=None,
            dtype=measured.case["inputs"]["dtype"],
        ).time_s
        for measured in all_measured()
        if measured.times.operator == "gemm" and measured.times.chip == chip.id
    ]
    assert (len(quicker), sum(quicker)) == (13, beaten)


def test_a_prediction_reads_inputs_and_never_the_id():
    for measured in all_measured():
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


def test_a_measurement_unlike_any_other_has_no_prediction_and_is_judged_all_the_same():
    case = next(case for case in all_cases() if case.get("group") == "llmc-softmax")
    strange = {**case, "inputs": {**case["inputs"], "chip": "tpu-v5p"}}
    outcome = worked_cases.judge_case(strange)
    assert (outcome.verdict, outcome.calibrated) == ("passed", "unknown")
    assert calibrated.summarise(find_measured([strange]), all_measured(), CALIBRATION) == ()


@pytest.mark.parametrize("unit", ["TFLOP/s", "GFLOP/s"])
def test_an_error_is_relative_to_what_was_measured(unit):
    scale = {"TFLOP/s": 1, "GFLOP/s": 1000}[unit]
    case = next(case for case in all_cases() if case.get("group") == "mamf")
    expected = [{"name": "rate", "value": case["expected"][0]["value"] * scale, "unit": unit}]
    (measured,) = find_measured([{**case, "expected": expected}])
    factors = find_factors(measured, CALIBRATION)
    (original,) = find_measured([case])
    assert measured.error_fraction(factors) == pytest.approx(original.error_fraction(factors))

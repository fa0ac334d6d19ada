"""Factors, the file that holds them, and their fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import Factors, UnknownChipError, load_calibration, load_catalogue
from diglot.hardware.chips.calibration import (
    IDEAL,
    CalibrationError,
    MissingCalibrationError,
    parse_calibration,
)
from diglot.hardware.chips.calibration_fit import ORDINARY, fit_factors

CHIPS = load_catalogue()
CALIBRATION = load_calibration()

times = st.floats(0, 10)
fractions = st.floats(0.01, 1)
factor_sets = st.builds(
    Factors,
    compute_fraction=fractions,
    bandwidth_fraction=fractions,
    overlap_fraction=st.floats(0, 1),
    launch_s=st.floats(0, 1e-3),
)

FILE = """schema: calibration/1
sources:
  - {id: paper, title: A paper, url: https://example.org}
families:
  - {id: ours, architectures: [Hopper], chips: [odd-chip]}
fits:
  - family: ours
    operator: gemm
    compute_fraction: 0.5
    bandwidth_fraction: 0.25
    overlap_fraction: 0
    launch_s: 1e-5
    cases: {paper: 3}
    median_error_fraction: 0.1
"""


def test_the_time_of_factors_worked_by_hand():
    """10 us + max(2 / 0.5, 1 / 0.25) ms + half of the shorter: 4 + 2 ms."""
    factors = Factors(compute_fraction=0.5, bandwidth_fraction=0.25, overlap_fraction=0.5, launch_s=1e-5)
    assert factors.time_s(compute_time_s=2e-3, memory_time_s=1e-3) == pytest.approx(6.01e-3)


def test_the_ideal_is_the_roofline():
    assert IDEAL.time_s(compute_time_s=2.0, memory_time_s=3.0) == 3.0


@given(factor_sets, times, times)
def test_no_factors_are_quicker_than_the_ideal(factors, compute_time_s, memory_time_s):
    asked = {"compute_time_s": compute_time_s, "memory_time_s": memory_time_s}
    assert factors.time_s(**asked) >= IDEAL.time_s(**asked)


@given(factor_sets, times, times, times)
def test_more_work_is_never_quicker(factors, compute_time_s, memory_time_s, more):
    time_s = factors.time_s(compute_time_s=compute_time_s, memory_time_s=memory_time_s)
    bound = time_s * (1 - 1e-12)
    assert factors.time_s(compute_time_s=compute_time_s + more, memory_time_s=memory_time_s) >= bound
    assert factors.time_s(compute_time_s=compute_time_s, memory_time_s=memory_time_s + more) >= bound


def test_arrays_of_times_give_arrays():
    found = ORDINARY.time_s(compute_time_s=np.array([1.0, 2.0]), memory_time_s=np.array([[1.0], [3.0]]))
    assert found.shape == (2, 2)
    assert found[1, 0] == ORDINARY.time_s(compute_time_s=1.0, memory_time_s=3.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"compute_fraction": 0},
        {"compute_fraction": 1.01},
        {"bandwidth_fraction": -0.5},
        {"bandwidth_fraction": float("nan")},
        {"overlap_fraction": -0.1},
        {"overlap_fraction": float("nan")},
        {"launch_s": -1e-6},
        {"launch_s": float("inf")},
    ],
)
def test_impossible_factors_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Factors(**wrong)


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_impossible_times_are_refused(wrong):
    with pytest.raises(ValueError, match="memory_time_s must be"):
        IDEAL.time_s(compute_time_s=1.0, memory_time_s=np.array([1.0, wrong]))


def test_every_fit_names_measurements_that_were_published():
    known = {source.id: source for source in CALIBRATION.sources}
    for fit in CALIBRATION.fits:
        assert fit.case_count >= 1
        assert all(known[id_].url.startswith("https://") for id_, _ in fit.case_counts)


def test_a_fit_of_several_measurements_tells_its_error_when_one_is_left_out():
    for fit in CALIBRATION.fits:
        assert (fit.leave_one_out_median_error_fraction is not None) == (fit.case_count > 1)


def test_a_family_has_few_factors_for_many_measurements():
    fit = CALIBRATION.find_fit(CHIPS["h100-sxm"], "gemm")
    assert fit.family == "nvidia-hopper"
    assert fit.case_count > 10


def test_chips_of_one_family_share_factors():
    assert CALIBRATION.find(CHIPS["h200-sxm"], "gemm") == CALIBRATION.find(CHIPS["h100-sxm"], "gemm")
    assert CALIBRATION.find("mi210", "gemm") == CALIBRATION.find(CHIPS["mi250x"], "gemm")


def test_a_chip_whose_family_was_not_measured_takes_the_factors_of_its_kind():
    assert CALIBRATION.find_fit(CHIPS["h100-sxm"], "softmax").family == "gpu"
    assert CALIBRATION.find_fit(CHIPS["tpu-v5e"], "gemm").family == "tpu"


def test_an_id_stands_for_its_chip_and_a_kind_for_all_of_it():
    for id_ in ("h100-sxm", "a100-80", "tpu-v5e"):
        assert CALIBRATION.find_fit(id_, "gemm") == CALIBRATION.find_fit(CHIPS[id_], "gemm")
    assert CALIBRATION.find_fit("gpu", "gemm").family == "gpu"


def test_a_text_that_is_no_chip_is_refused():
    with pytest.raises(UnknownChipError, match="h10O-sxm"):
        CALIBRATION.find("h10O-sxm", "gemm")


def test_what_was_measured_on_no_chip_of_the_kind_is_missing():
    with pytest.raises(MissingCalibrationError, match="softmax on a tpu such as TPU v5e"):
        CALIBRATION.find(CHIPS["tpu-v5e"], "softmax")


def test_a_file_is_read_as_it_says():
    calibration = parse_calibration(FILE)
    fit = calibration.find_fit("odd-chip", "gemm")
    assert fit.factors == Factors(
        compute_fraction=0.5, bandwidth_fraction=0.25, overlap_fraction=0.0, launch_s=1e-5
    )
    assert fit.case_counts == (("paper", 3),)
    assert fit.leave_one_out_median_error_fraction is None
    assert calibration.find(CHIPS["h200-sxm"], "gemm") == fit.factors


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("calibration/1", "calibration/2", '1: schema: "calibration/2" is not known'),
        ("operator: gemm", "operator: gem", '8: fits[0].operator: "gem" is not known; did you mean "gemm"?'),
        ("family: ours", "family: theirs", '7: fits[0].family: "theirs" is not known'),
        ("compute_fraction: 0.5", "compute_fraction: 1.5", "9: fits[0].compute_fraction: compute"),
        ("launch_s: 1e-5", "launch_s: soon", '12: fits[0].launch_s: must be a number, not "soon"'),
        ("overlap_fraction: 0", "overlap_fraction: false", "11: fits[0].overlap_fraction: must be a number"),
        ("{paper: 3}", "{book: 3}", "13: fits[0].cases.book: unknown key"),
        ("    median_error", "    mean_error", "14: fits[0].mean_error_fraction: unknown key"),
        ("[Hopper]", "[9]", "5: families[0].architectures: must be a list of texts"),
    ],
)  # fmt: skip
def test_a_problem_of_the_file_is_told_at_its_line(old, new, problem):
    with pytest.raises(CalibrationError) as told:
        parse_calibration(FILE.replace(old, new), path="mine.yaml")
    assert f"mine.yaml:{problem}" in str(told.value)


def test_all_problems_of_a_file_are_told_at_once():
    text = FILE.replace("title: A paper, ", "").replace("operator: gemm", "operator: gem")
    with pytest.raises(CalibrationError) as told:
        parse_calibration(text)
    assert [line.split(":")[1] for line in str(told.value).splitlines()][:2] == ["3", "8"]


@pytest.mark.parametrize(
    "true",
    [
        Factors(compute_fraction=0.7, bandwidth_fraction=0.9, overlap_fraction=1.0, launch_s=8e-6),
        Factors(compute_fraction=0.9, bandwidth_fraction=0.5, overlap_fraction=0.3, launch_s=3e-5),
    ],
)
def test_a_fit_finds_the_factors_that_made_the_times(true):
    compute, memory = (grid.ravel() for grid in np.meshgrid(*[np.geomspace(1e-6, 1e-2, 9)] * 2))
    fit = fit_factors(compute, memory, true.time_s(compute_time_s=compute, memory_time_s=memory))
    assert fit.compute_fraction == pytest.approx(true.compute_fraction, rel=0.02)
    assert fit.bandwidth_fraction == pytest.approx(true.bandwidth_fraction, rel=0.02)
    assert fit.overlap_fraction == pytest.approx(true.overlap_fraction, abs=0.03)
    assert fit.launch_s == pytest.approx(true.launch_s, rel=0.05)


def test_one_odd_measurement_hardly_moves_a_fit():
    compute = np.geomspace(1e-3, 1e-1, 12)
    measured = compute / 0.7
    measured[5] *= 3
    fit = fit_factors(compute, np.zeros(12), measured)
    assert fit.compute_fraction == pytest.approx(0.7, rel=0.03)


def test_what_no_measurement_decides_stays_ordinary():
    fit = fit_factors(np.geomspace(1e-2, 1, 6), np.zeros(6), np.geomspace(1e-2, 1, 6) / 0.6)
    assert fit.compute_fraction == pytest.approx(0.6, rel=0.01)
    assert fit.bandwidth_fraction == pytest.approx(ORDINARY.bandwidth_fraction, rel=0.02)


@pytest.mark.parametrize("measured", [[], [0.0], [-1.0], [float("nan")]])
def test_a_fit_needs_times_above_zero(measured):
    with pytest.raises(ValueError, match="measured_time_s"):
        fit_factors(np.ones(len(measured)), np.ones(len(measured)), measured)

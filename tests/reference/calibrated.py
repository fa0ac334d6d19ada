"""Measured cases against the calibrated models: predictions, fits, and what a fit to the others predicts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from diglot.hardware import Factors
from diglot.hardware.chips.calibration import IDEAL, Calibration, Fit, MissingCalibrationError, Operator
from diglot.hardware.chips.calibration_fit import ORDINARY, ORDINARY_COLLECTIVE, fit_factors
from tests.reference.answers import attention, collective, elementwise, gemm, memory_bound, network
from tests.reference.answers.common import KernelTimes, TimesTable
from tests.reference.answers.spellings import spell_inputs
from tests.reference.catalogue import load_catalogue
from tests.reference.scales import to_base_unit

CALIBRATED: Mapping[str, TimesTable] = {
    "attention": attention.CALIBRATED,
    "collective": collective.CALIBRATED,
    "elementwise": elementwise.CALIBRATED,
    "gemm-measured": gemm.CALIBRATED,
    "memory-bound": memory_bound.CALIBRATED,
    "network": network.CALIBRATED,
}
"""Category of a measured case → who reads its ideal times."""
UNREADABLE = (LookupError, ValueError, TypeError, ArithmeticError)
"""What a chip, an operation, a text or a zero that we can do nothing with ends in."""
NEAR_FRACTION = 0.25
"""Relative error up to which a prediction counts as near."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One measured kernel: its ideal times, and the time it took."""

    case: Mapping[str, Any]
    times: KernelTimes
    name: str
    """Of the value that was measured."""
    value: float
    """In base units."""
    unit: str
    """As published."""

    @property
    def measured_time_s(self) -> float:
        """What the value says of the time."""
        return self.times.invert(self.name, self.value)

    def error_fraction(self, factors: Factors) -> float:
        """Predicted value over the measured one, less 1."""
        return self.times.predict(factors)[self.name] / self.value - 1


def read_measured(case: Mapping[str, Any]) -> Measured | None:
    """The first value of a measured case that a calibrated model predicts; None where none does."""
    if case["compare"] != "bound" or case.get("kind") != "measured":
        return None
    inputs = spell_inputs(case["inputs"])
    for required, read in CALIBRATED.get(case["category"], ()):
        if required <= inputs.keys():
            times = read(inputs)
            for expected in case["expected"]:
                if expected["name"] in ("time", *times.work):
                    value = to_base_unit(float(expected["value"]), expected["unit"])
                    return Measured(
                        case=case, times=times, name=expected["name"], value=value, unit=expected["unit"]
                    )
    return None


def find_measured(cases: Iterable[Mapping[str, Any]]) -> tuple[Measured, ...]:
    """Those of the cases that a calibrated model predicts."""
    found = []
    for case in cases:
        try:
            found.append(read_measured(case))
        except UNREADABLE:
            continue
    return tuple(measured for measured in found if measured is not None)


def families_of(measured: Measured, calibration: Calibration) -> tuple[str, ...]:
    """The chip's family if it has one, and its kind."""
    family = calibration.family_of(measured.times.chip)
    kind = _kind_of(measured)
    return (kind,) if family is None else (family, kind)


def find_factors(measured: Measured, calibration: Calibration) -> Factors | None:
    """The committed factors for it; None where nothing like it was measured."""
    known = calibration.family_of(measured.times.chip) or measured.times.chip in load_catalogue()
    try:
        return calibration.find(measured.times.chip if known else _kind_of(measured), measured.times.operator)
    except MissingCalibrationError:
        return None


def _kind_of(measured: Measured) -> str:
    return "tpu" if measured.times.chip.startswith("tpu") else "gpu"


def source_id(measured: Measured) -> str:
    """How a fit names where a measurement is from: its group, else the case itself."""
    return str(measured.case.get("group") or measured.case["id"])


def fit_measured(measured: Iterable[Measured]) -> Factors:
    """One set of factors for them all."""
    members = tuple(measured)
    reducing = all(m.times.operator == "collective" and _kind_of(m) == "gpu" for m in members)
    return _fit_rows(
        tuple(
            (m.times.compute_time_s, m.times.memory_time_s, m.measured_time_s - m.times.latency_time_s)
            for m in members
        ),
        ORDINARY_COLLECTIVE if reducing else ORDINARY,
    )


@lru_cache
def _fit_rows(rows: tuple[tuple[float, float, float], ...], ordinary: Factors) -> Factors:
    """One group's members, each left out with its group, ask for the same fit."""
    return fit_factors(*np.array(rows).T, ordinary=ordinary)


def predict_left_out(
    measured: Measured, training: Iterable[Measured], calibration: Calibration
) -> float | None:
    """Error fraction under a fit to the others: of the family, else of the kind; None where there are none.

    Cases with the same inputs are left out too.
    """
    others = [other for other in training if other.case["inputs"] != measured.case["inputs"]]
    return _predict_from(measured, others, calibration)


def predict_without_group(
    measured: Measured, training: Iterable[Measured], calibration: Calibration
) -> float | None:
    """The same with the whole group left out that the measurement belongs to: what others found elsewhere."""
    others = [other for other in training if source_id(other) != source_id(measured)]
    return _predict_from(measured, others, calibration)


def _predict_from(measured: Measured, others: list[Measured], calibration: Calibration) -> float | None:
    others = [other for other in others if other.times.operator == measured.times.operator]
    for family in families_of(measured, calibration):
        peers = [other for other in others if family in families_of(other, calibration)]
        if peers:
            return measured.error_fraction(fit_measured(peers))
    return None


def fit_family(
    family: str, operator: Operator, training: Iterable[Measured], calibration: Calibration
) -> Fit | None:
    """Factors of one family and operator with the errors of the fit; None where nothing was measured."""
    everything = tuple(training)
    members = [
        measured
        for measured in everything
        if measured.times.operator == operator and family in families_of(measured, calibration)
    ]
    if not members:
        return None
    factors = fit_measured(members)
    left_out = [predict_left_out(member, members, calibration) for member in members]
    errors = [abs(error) for error in left_out if error is not None]
    counts = Counter(source_id(member) for member in members)
    return Fit(
        family=family,
        operator=operator,
        factors=factors,
        case_counts=tuple(sorted(counts.items())),
        median_error_fraction=float(np.median([abs(member.error_fraction(factors)) for member in members])),
        leave_one_out_median_error_fraction=float(np.median(errors)) if errors else None,
        leave_one_out_within_quarter_fraction=(
            sum(error <= NEAR_FRACTION for error in errors) / len(errors) if errors else None
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupErrors:
    """How far the models are off a group of measurements: magnitudes of relative errors, as fractions."""

    group: str
    ideal: tuple[float, ...]
    calibrated: tuple[float, ...]
    left_out: tuple[float, ...]
    """Under a fit to the others; infinite where there are none."""
    without_group: tuple[float, ...]
    """Under a fit to the other groups; infinite where there are none."""

    def __str__(self) -> str:
        elsewhere = "-" if np.inf in self.without_group else f"{near(self.without_group):.0%}"
        return (
            f"{self.group}: {len(self.ideal)} measured, calibrated within 25%: {near(self.calibrated):.0%}, "
            f"median error {np.median(self.calibrated):.1%}, worst {max(self.calibrated):.1%}; "
            f"left out of the fit, within 25%: {near(self.left_out):.0%}, "
            f"median error {np.median(self.left_out):.1%}; "
            f"group left out, within 25%: {elsewhere}; "
            f"ideal, median error {np.median(self.ideal):.1%}"
        )


def near(errors: Iterable[float]) -> float:
    """Share of errors of at most 25%."""
    return float(np.mean(np.array(tuple(errors)) <= NEAR_FRACTION))


def summarise(
    measured: Iterable[Measured], training: Iterable[Measured], calibration: Calibration
) -> tuple[GroupErrors, ...]:
    """The errors of each group of measurements that calibrated models predict, and of all."""
    others = tuple(training)
    groups: dict[str, list[tuple[float, ...]]] = {}
    everything = []
    for one in measured:
        factors = find_factors(one, calibration)
        if factors is None:
            continue
        left_out = predict_left_out(one, others, calibration)
        without_group = predict_without_group(one, others, calibration)
        errors = (
            abs(one.error_fraction(IDEAL)),
            abs(one.error_fraction(factors)),
            np.inf if left_out is None else abs(left_out),
            np.inf if without_group is None else abs(without_group),
        )
        groups.setdefault(one.case.get("group") or one.case["category"], []).append(errors)
        everything.append(errors)
    if everything:
        groups["all"] = everything
    return tuple(
        GroupErrors(
            group=group,
            ideal=ideal,
            calibrated=calibrated,
            left_out=left_out,
            without_group=without_group,
        )
        for group, errors in groups.items()
        for ideal, calibrated, left_out, without_group in [tuple(zip(*errors, strict=True))]
    )

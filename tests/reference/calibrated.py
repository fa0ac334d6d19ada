"""Measured cases against the calibrated models: predictions, fits, and what a fit to the others predicts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from diglot.hardware.calibration import IDEAL, Calibration, Factors, Fit, Operator
from diglot.hardware.calibration_fit import fit_factors
from diglot.hardware.catalogue import load_catalogue
from tests.reference.answers import attention, collective, elementwise, gemm, memory_bound, network
from tests.reference.answers.common import KernelTimes, TimesTable
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
    for required, read in CALIBRATED.get(case["category"], ()):
        if required <= case["inputs"].keys():
            times = read(case["inputs"])
            for expected in case["expected"]:
                if expected["name"] in ("time", *times.work):
                    value = to_base_unit(expected["value"], expected["unit"])
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
        except (LookupError, ValueError):  # a chip or an operation that we do not know
            continue
    return tuple(measured for measured in found if measured is not None)


def families_of(measured: Measured, calibration: Calibration) -> tuple[str, ...]:
    """The chip's family if it has one, and its kind."""
    chips, id_ = load_catalogue(), measured.times.chip
    family = calibration.family_of(chips.get(id_, id_))
    kind = "tpu" if id_.startswith("tpu") else "gpu"
    return (kind,) if family is None else (family, kind)


def find_factors(measured: Measured, calibration: Calibration) -> Factors:
    """The committed factors for it."""
    chips, id_ = load_catalogue(), measured.times.chip
    return calibration.find(chips.get(id_, id_), measured.times.operator)


def fit_measured(measured: Iterable[Measured]) -> Factors:
    """One set of factors for them all."""
    rows = [(m.times.compute_time_s, m.times.memory_time_s, m.measured_time_s) for m in measured]
    return fit_factors(*np.array(rows).T)


def predict_left_out(
    measured: Measured, training: Iterable[Measured], calibration: Calibration
) -> float | None:
    """Error fraction under a fit to the others: of the family, else of the kind; None where there are none.

    Cases with the same inputs are left out too.
    """
    others = [
        other
        for other in training
        if other.times.operator == measured.times.operator and other.case["inputs"] != measured.case["inputs"]
    ]
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
    counts = Counter(member.case.get("group") or member.case["id"] for member in members)
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


def summarise(
    measured: Iterable[Measured], training: Iterable[Measured], calibration: Calibration
) -> Iterator[str]:
    """A line for each group of measurements, and one for all."""
    others = tuple(training)
    groups: dict[str, list[_Errors]] = {}
    for one in measured:
        left_out = predict_left_out(one, others, calibration)
        errors = _Errors(
            ideal_fraction=abs(one.error_fraction(IDEAL)),
            calibrated_fraction=abs(one.error_fraction(find_factors(one, calibration))),
            left_out_fraction=np.inf if left_out is None else abs(left_out),
        )
        for group in (one.case.get("group") or one.case["category"], "all measurements"):
            groups.setdefault(group, []).append(errors)
    last = groups.pop("all measurements", None)
    if last is not None:
        groups["all measurements"] = last
    return (_describe(group, errors) for group, errors in groups.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Errors:
    ideal_fraction: float
    calibrated_fraction: float
    left_out_fraction: float


def _describe(group: str, errors: list[_Errors]) -> str:
    calibrated = np.array([error.calibrated_fraction for error in errors])
    left_out = np.array([error.left_out_fraction for error in errors])
    ideal = np.array([error.ideal_fraction for error in errors])
    return (
        f"{group}: {len(errors)} measured, calibrated within 25 %: "
        f"{np.mean(calibrated <= NEAR_FRACTION):.0%}, median error {np.median(calibrated):.1%}, "
        f"worst {np.max(calibrated):.1%}; left out of the fit, within 25 %: "
        f"{np.mean(left_out <= NEAR_FRACTION):.0%}, median error {np.median(left_out):.1%}; "
        f"ideal, median error {np.median(ideal):.1%}"
    )

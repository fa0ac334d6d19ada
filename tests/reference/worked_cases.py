"""Hold the models against worked and measured cases that others published.

    python -m tests.reference.worked_cases tests/reference/data/worked_cases.yaml

`equal` cases must be met within the tolerance that the case states. Of `bound` cases, which are measurements,
only the bound is judged: no measurement may beat our ideal. What the calibrated model says stands beside it,
and a summary of its errors before the count. A case that no answer fits is unsupported.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from diglot.hardware.validation.case_files import read_case_file
from tests.reference.answers import (
    attention,
    collective,
    elementwise,
    gemm,
    gpu,
    gpu_quantization,
    layer_breakdown,
    memory_bound,
    network,
    pod,
    roofline,
    sharding,
    systolic,
)
from tests.reference.answers.common import Answers, AnswerTable
from tests.reference.answers.spellings import spell_inputs
from tests.reference.calibrated import (
    UNREADABLE,
    GroupErrors,
    Measured,
    find_factors,
    find_measured,
    summarise,
)
from tests.reference.catalogue import load_calibration
from tests.reference.report import Outcome, print_outcomes
from tests.reference.scales import SCALES

DATA = Path(__file__).parent / "data" / "worked_cases.yaml"


DERIVED = ("peak_at_that_clock",)
"""Values beside a measurement that follow from its inputs: no bound, to be met within the tolerance."""
TIMES = ("s", "ms", "us", "ns")
CONTEXT = ("%", "ratio")
"""Units that are mere context beside a measured time or rate."""


ANSWERS: Mapping[str, AnswerTable] = {
    "attention": attention.ANSWERS,
    "collective": collective.ANSWERS,
    "elementwise": elementwise.ANSWERS,
    "gemm": gemm.ANSWERS,
    "gemm-measured": gemm.ANSWERS,
    "gpu": gpu.ANSWERS,
    "gpu-quantization": gpu_quantization.ANSWERS,
    "layer-breakdown": layer_breakdown.ANSWERS,
    "memory-bound": memory_bound.ANSWERS,
    "network": network.ANSWERS,
    "pod": pod.ANSWERS,
    "roofline": roofline.ANSWERS,
    "sharding": sharding.ANSWERS,
    "systolic": systolic.ANSWERS,
}
"""Category of a case → who answers it."""


def find_answer(case: Mapping[str, Any]) -> Answers | None:
    """Our values for one case, or None where no model fits."""
    inputs, names = spell_inputs(case["inputs"]), {value["name"] for value in case["expected"]}
    if names == {"critical_batch"} and case["category"] != "sharding":
        return roofline.answer_critical_batch(inputs)
    if names == {"ridge_intensity"}:
        return roofline.answer_ridge(inputs)
    for required, answer in ANSWERS.get(case["category"], ()):
        if required <= inputs.keys():
            return answer(inputs)
    return None


def judge_case(case: Mapping[str, Any]) -> Outcome:
    """One outcome. An `equal` case has to be answered whole; a `bound` one in at least one value."""
    answers, reason = {}, ""
    try:
        answers = find_answer(case) or {}
    except UNREADABLE as error:
        reason = f" ({' '.join(str(error).split())})"
    is_bound = case["compare"] == "bound"
    expected = [{**value, "value": float(value["value"])} for value in case["expected"]]
    judged = [value for value in expected if not (is_bound and value["unit"] in CONTEXT)] or expected
    known = [value for value in judged if value["name"] in answers and value["unit"] in SCALES]
    supported = bool(known) if is_bound else len(known) == len(judged)
    good = all(_agree(value, answers[value["name"]], case) for value in known)
    return Outcome(
        id=case["id"],
        expected=" ".join(f"{value['name']}={value['value']:g} {value['unit']}" for value in judged),
        got=" ".join(
            f"{value['name']}={answers[value['name']] / SCALES[value['unit']]:.6g} {value['unit']}"
            for value in known
        )
        or f"-{reason}",
        verdict=("passed" if good else "failed") if supported else "unsupported",
        calibrated=" ".join(_describe_calibrated(measured) for measured in find_measured([case])),
    )


def read_cases(path: Path) -> list[Mapping[str, Any]]:
    """The cases of a file that has no mistakes."""
    file = read_case_file(path)
    assert not file.mistakes, file.mistakes
    return list(file.cases)


def judge_cases(path: Path) -> Iterator[Outcome]:
    """One outcome for each case of a file that has no mistakes."""
    return map(judge_case, read_cases(path))


def _agree(value: Mapping[str, Any], got: float, case: Mapping[str, Any]) -> bool:
    published = value["value"] * SCALES[value["unit"]]
    if case["compare"] == "equal" or value["name"] in DERIVED:
        return abs(got - published) <= float(case["tolerance"]["rel"]) * abs(published)
    return got <= published if value["unit"] in TIMES else got >= published


def _describe_calibrated(measured: Measured) -> str:
    factors = find_factors(measured, load_calibration())
    if factors is None:
        return "unknown"
    error = measured.error_fraction(factors)
    value = measured.value * (1 + error) / SCALES[measured.unit]
    return f"{measured.name}={value:.6g} {measured.unit} ({100 * error:+.1f}%)"


def summarise_calibration(cases: Iterable[Mapping[str, Any]]) -> tuple[GroupErrors, ...]:
    """How far the calibrated models are off the measurements: a line for each group, one for all.

    What a fit to the others would predict is found with the committed cases as the others.
    """
    training = find_measured(read_cases(DATA))
    return summarise(find_measured(cases), training, load_calibration())


def main() -> int:
    """Judge the file that is named, or the committed one."""
    file = read_case_file(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
    return print_outcomes(
        map(judge_case, file.cases), summary=summarise_calibration(file.cases), mistakes=file.mistakes
    )


if __name__ == "__main__":
    sys.exit(main())

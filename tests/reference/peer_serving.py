"""Hold calibrated steps against the sums of measured kernels that others make for serving.

    python -m tests.reference.peer_serving tests/reference/data/peer_serving.csv

For each row, a prefill of one prompt and a token of a batch: our time over theirs must be within 25 %, and
each part of the step (products, attention, element-wise kernels, experts, communication) within 15 % of the
whole step, so that nothing cancels. A row passes where all of that holds.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from diglot.hardware import TransformerModel, estimate_step
from diglot.hardware.operators.transformer import Operator
from tests.reference.peer_steps import (
    DATA,
    PHASES,
    STEP_PARTS,
    Phase,
    Step,
    StepPart,
    deploy_step,
    list_groups,
    read_steps,
)

NEAR_FRACTION = 0.25
PART_FRACTION = 0.15
"""Error of a part, over their time of the whole step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A row, and our times of its parts."""

    step: Step
    parts_s: Mapping[tuple[Phase, StepPart], float]

    def time_ratio(self, phase: Phase) -> float:
        """Our time of a step over theirs."""
        return sum(self.parts_s[phase, part] for part in STEP_PARTS) / self.step.times_s[phase]

    def part_error_fraction(self, phase: Phase, part: StepPart) -> float:
        """Our time of a part less theirs, over their time of the step."""
        return (self.parts_s[phase, part] - self.step.parts_s[phase, part]) / self.step.times_s[phase]

    def is_near(self, phase: Phase) -> bool:
        """Whether the step's time is right."""
        return abs(self.time_ratio(phase) - 1) <= NEAR_FRACTION

    @property
    def passed(self) -> bool:
        """Whether both times and all parts are right."""
        parts = (abs(self.part_error_fraction(phase, part)) for phase in PHASES for part in STEP_PARTS)
        return all(map(self.is_near, PHASES)) and all(error <= PART_FRACTION for error in parts)

    def __str__(self) -> str:
        step = self.step
        phases = (
            f"{phase} {self.time_ratio(phase):.2f} ("
            + ", ".join(f"{part} {100 * self.part_error_fraction(phase, part):+.0f}" for part in STEP_PARTS)
            + ")"
            for phase in PHASES
        )
        return (
            f"{step.id} {step.model} {step.gpus} x {step.chip} {step.precision} {step.layout}: "
            + "; ".join(phases)
            + ("  passed" if self.passed else "  failed")
        )


def judge_step(step: Step) -> Judged:
    """Our times of one row. Raises LookupError or ValueError where no model fits."""
    deployment, parts = deploy_step(step), {}
    for phase, group in list_groups(step).items():
        run = estimate_step(deployment, group)
        for part in STEP_PARTS:
            mine = [
                each for each in run.operators if find_part(each.operator, deployment.model, phase) == part
            ]
            parts[phase, part] = sum(float(each.time_s) for each in mine)
        passing: StepPart = "comm" if step.parts_s[phase, "comm"] or step.gpus == 1 else "experts"
        parts[phase, passing] = parts[phase, passing] + float(run.communication_s)
    return Judged(step=step, parts_s=parts)


def find_part(operator: Operator, model: TransformerModel, phase: Phase) -> StepPart:
    """The part in which the source counts an operator.

    Its attention on cached vectors includes all products around it. In a decode step, the router and the
    shared expert are part of the experts, beside which they run. Where it counts no communication at all
    between the chips of a mixture, that is part of the experts' time, too.
    """
    if model.latent is not None and operator.part == "attention" and operator.kind == "gemm":
        return "attention"
    if phase == "decode" and operator.name in ("router", "shared experts"):
        return "experts"
    return operator.kind


def summarise(judged: Iterable[Judged]) -> Iterator[str]:
    """How many steps and parts are right."""
    everything = list(judged)
    for phase in PHASES:
        ratios = np.array([each.time_ratio(phase) for each in everything])
        errors = {
            part: np.array([each.part_error_fraction(phase, part) for each in everything])
            for part in STEP_PARTS
        }
        parts = ", ".join(
            f"{part} {np.mean(np.abs(found) <= PART_FRACTION):.0%}" for part, found in errors.items()
        )
        yield (
            f"{phase}: median error {np.median(np.abs(ratios - 1)):.1%}, within 25% "
            f"{np.mean(np.abs(ratios - 1) <= NEAR_FRACTION):.0%} of {len(ratios)}; "
            f"parts within 15% of the step: {parts}"
        )


def main() -> int:
    """Judge the file that is named, or the committed one."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    judged = [judge_step(step) for step in read_steps(path)]
    for each in judged:
        print(each)
    for line in summarise(judged):
        print(line)
    passed = sum(each.passed for each in judged)
    print(f"{passed} passed, {len(judged) - passed} failed")
    return int(passed < len(judged))


if __name__ == "__main__":
    sys.exit(main())

"""Hold the models against whole systems that others measured: kernels, served models and training steps.

    python -m diglot.hardware validate [FILE]

FILE, or else the package's own, has the schema `worked-cases/1`. Each value gets a line with the measurement,
our bound and our calibrated value over it, and whether the measurement is inside our 90% interval. A table by
family follows, and last the counts. The exit status is 2 for a file with mistakes, else 1 where a measurement
is better than the bound.
"""

import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from diglot.hardware.chips.loading import load_catalogue
from diglot.hardware.data import FOLDER
from diglot.hardware.validation.answers import TIME, Answer, answer_row
from diglot.hardware.validation.case_files import read_case_file

DATA = FOLDER / "measured_systems.yaml"
NEAR_FRACTION = 0.25
LOWER_IS_BETTER = (TIME, "latency", "tpot_median", "ttft_median", "usd_per_million_tokens_in_and_out")
CONTEXT = ("mfu", "model_flops_per_s")
"""Values that follow from the rate beside them, with the source's own count of FLOPs."""
UNREADABLE = (LookupError, ValueError, TypeError, ArithmeticError)
"""What a chip, a model or a layout that we cannot describe ends in."""
ROUNDING = 1e-4


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One measured value with our answer."""

    id: str
    family: str
    name: str
    measured: float
    bound: Answer | None = None
    """None where we have no answer."""
    calibrated: Answer | None = None
    reason: str = ""
    """Why there is no answer."""

    @property
    def ratio(self) -> float:
        """Our calibrated value over the measured one, inverted where less is better: above 1 is too good.

        NaN without an answer.
        """
        return self._compare(self.calibrated)

    @property
    def bound_ratio(self) -> float:
        """The same of the bound; below 1 somebody is better than the best."""
        return self._compare(self.bound)

    def _compare(self, answer: Answer | None) -> float:
        ratio = math.nan if answer is None else answer.value / self.measured
        return 1 / ratio if self.name in LOWER_IS_BETTER else ratio

    @property
    def is_near(self) -> bool:
        """Whether the calibrated value is within a quarter of the measurement."""
        return self.calibrated is not None and (
            abs(self.calibrated.value / self.measured - 1) <= NEAR_FRACTION
        )

    @property
    def is_inside(self) -> bool:
        """Whether the measurement is in the interval."""
        estimate = None if self.calibrated is None else self.calibrated.estimate
        return estimate is not None and bool(estimate.low <= self.measured <= estimate.high)

    def __str__(self) -> str:
        head = f"{self.id}  {self.name}={self.measured:.4g}"
        if self.calibrated is None:
            return f"{head}  unsupported ({self.reason})"
        basis = "" if self.calibrated.estimate is None else f" ({self.calibrated.estimate.basis})"
        place = f"{'inside' if self.is_inside else 'outside'}{basis}"
        broken = "  better than the bound" if self.bound_ratio < 1 - ROUNDING else ""
        return f"{head}  bound x{self.bound_ratio:.2f}  calibrated x{self.ratio:.2f}  {place}{broken}"


def judge_rows(rows: Iterable[Mapping[str, Any]]) -> Iterator[Judged]:
    """One judgement for each measured value of the rows."""
    for row in rows:
        reason, bounds, answers = "", {}, {}
        try:
            bounds, answers = answer_row(row, "ideal"), answer_row(row, "calibrated")
        except UNREADABLE as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
        for expected in row["expected"]:
            name = expected["name"]
            if name not in CONTEXT:
                yield Judged(
                    id=row["id"],
                    family=find_family(row),
                    name=name,
                    measured=float(expected["value"]),
                    bound=bounds.get(name),
                    calibrated=answers.get(name),
                    reason=reason or f"no answer has {name}",
                )


def find_family(row: Mapping[str, Any]) -> str:
    """Category and family of chips: what one table of errors tells apart."""
    chip = load_catalogue().get(row["inputs"].get("chip", ""))
    maker = "unknown chip" if chip is None else chip.architecture or chip.id
    return f"{row['category']}, {maker}"


def write_table(judged: Iterable[Judged]) -> str:
    """Errors by family, with the largest families first."""
    families: dict[str, list[Judged]] = {}
    for each in judged:
        families.setdefault(each.family, []).append(each)
    lines = [
        "| family | values | within 25% | inside | median ratio | smallest to largest |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for family, members in sorted(families.items(), key=lambda item: (-len(item[1]), item[0])):
        ratios = [each.ratio for each in members if each.calibrated is not None]
        spread = f"{np.median(ratios):.2f} | {min(ratios):.2f} to {max(ratios):.2f}" if ratios else "– | –"
        near, inside = (
            f"{np.mean([getattr(each, name) for each in members]):.0%}" for name in ("is_near", "is_inside")
        )
        lines.append(f"| {family} | {len(members)} | {near} | {inside} | {spread} |")
    return "\n".join(lines)


def validate(path: Path = DATA) -> int:
    """Print how the models fare on a file of measurements. Returns the exit status."""
    file = read_case_file(path)
    judged = list(judge_rows(file.cases))
    for each in judged:
        print(each)
    for mistake in file.mistakes:
        print(mistake, file=sys.stderr)
    print(write_table(judged))
    answered = [each for each in judged if each.calibrated is not None]
    broken = sum(each.bound_ratio < 1 - ROUNDING for each in answered)
    print(f"{broken} better than the bound")
    print(
        f"{sum(each.is_near for each in judged)} of {len(judged)} within 25 %, "
        f"{sum(each.is_inside for each in judged)} of {len(judged)} inside their 90 % interval, "
        f"{len(judged) - len(answered)} unsupported"
    )
    return 2 if file.mistakes else int(broken > 0)

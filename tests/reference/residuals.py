"""How far calibrated answers are off what others measured, and the 90% intervals that follow.

    python -m tests.reference.residuals

prints the table of docs/validation.md: intervals by subject and maker of chips, and how often they are right
for sources that were left out.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from diglot.hardware import load_catalogue
from diglot.hardware.chips.spreads import SpreadFit, Subject, name_maker
from diglot.hardware.validation.answers import TIME, answer_row, find_subject, read_inputs
from diglot.hardware.validation.case_files import read_case_file
from diglot.hardware.validation.judging import DATA, Judged, judge_rows
from tests.reference.published_serving import find_ratio, read_rows
from tests.reference.published_steps import list_steps

INSIDE_FRACTION = 0.9
PRIOR_WEIGHT = 0.5
"""Weight of what is usual, all subjects together, beside that of a source."""
FEW_ROWS = 5
"""Rows with which a source weighs half as much as one of many."""
PRIOR_QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9, 0.97)
"""What each source contributes to what is usual, whatever its number of rows."""
COST: Subject = "served cost"
KERNELS = ("attention", "collective", "gemm", "hbm")
"""Categories of rows that are a single kernel or collective."""
POINTS = Path(__file__).parents[2] / "figures" / "data" / "operator_parity.csv"
POINT_SUBJECTS: Mapping[str, Subject] = {
    "gemm": "product",
    "moe": "experts",
    "context-attention": "attention",
    "decode-attention": "attention",
    "all-reduce-nccl": "collective",
    "all-reduce-custom": "collective",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Residual:
    """One measured value, and how far our calibrated one is off."""

    subject: Subject
    chip: str
    source: str
    deviation: float
    """Magnitude of the logarithm of ours over theirs."""
    time_s: float | None = None
    """What a kernel or collective took; None of a whole system."""

    @property
    def group(self) -> tuple[Subject, str]:
        """What shares an interval: the subject, and the maker of the chip."""
        return self.subject, name_maker(load_catalogue()[self.chip])


def list_residuals(systems: Iterable[Judged]) -> Iterator[Residual]:
    """Those of all sources: whole systems, published steps and services, and points left out of fits."""
    rows = {row["id"]: row for row in read_case_file(DATA).cases}
    for judged in systems:
        if (row := rows.get(judged.id)) is None:
            continue
        yield Residual(
            subject=find_subject(read_inputs(row)),
            chip=row["inputs"]["chip"],
            source=row["source"]["title"].split(":")[0],
            deviation=abs(float(np.log(judged.ratio))),
            time_s=find_measured_s(row, judged),
        )
    for step in list_steps():
        deviation = abs(float(np.log(step.predict_s("calibrated") / step.measured_s)))
        yield Residual(subject="trained dense", chip=step.chip, source=step.source, deviation=deviation)
    for served in read_rows():
        deviation = abs(float(np.log(find_ratio(served))))
        yield Residual(subject="served dense", chip=served.chip, source=served.source, deviation=deviation)
    with POINTS.open(encoding="utf-8", newline="") as file:
        for point in csv.DictReader(file):
            yield Residual(
                subject=POINT_SUBJECTS[point["operator"]],
                chip=point["chip"],
                source="aiconfigurator",
                deviation=abs(float(np.log(float(point["left_out_s"]) / float(point["measured_s"])))),
                time_s=float(point["measured_s"]),
            )


def find_measured_s(row: Mapping[str, Any], judged: Judged) -> float | None:
    """How long the kernel of a row took, of which most sources give the rate; None of a whole system."""
    if row["category"] not in KERNELS or judged.calibrated is None:
        return None
    ours_s = answer_row(row, "calibrated")[TIME].value
    return ours_s * judged.calibrated.value / judged.measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Usual:
    """Deviations of all subjects together, which every source shapes alike.

    Costs are left out: they are off by what a service does with its chips, and not by the times of steps.
    """

    deviations: tuple[float, ...]

    @classmethod
    def of(cls, residuals: Iterable[Residual]) -> "Usual":
        sources: dict[object, list[float]] = {}
        for each in residuals:
            if each.subject != COST:
                sources.setdefault((each.group, each.source), []).append(each.deviation)
        found = [value for own in sources.values() for value in np.quantile(own, PRIOR_QUANTILES)]
        return cls(deviations=tuple(float(value) for value in found))

    def find_half_width(self, residuals: Sequence[Residual]) -> float:
        """Deviation within which nine in ten lie: of sources, less so of few rows, and of what is usual."""
        counts: dict[str, int] = {}
        for each in residuals:
            counts[each.source] = counts.get(each.source, 0) + 1
        values = np.array([*(each.deviation for each in residuals), *self.deviations])
        own = [1 / (counts[each.source] + FEW_ROWS) for each in residuals]
        weights = np.array([*own, *[PRIOR_WEIGHT / len(self.deviations)] * len(self.deviations)])
        order = np.argsort(values, kind="stable")
        reached = np.cumsum(weights[order]) / weights.sum()
        return float(values[order][np.searchsorted(reached, INSIDE_FRACTION)])


def group_residuals(residuals: Iterable[Residual]) -> dict[tuple[Subject, str], list[Residual]]:
    """By subject and maker."""
    groups: dict[tuple[Subject, str], list[Residual]] = {}
    for each in residuals:
        groups.setdefault(each.group, []).append(each)
    return groups


def fit_spreads(residuals: Sequence[Residual]) -> list[SpreadFit]:
    """One interval for each subject and maker."""
    usual, fits = Usual.of(residuals), []
    for (subject, maker), members in sorted(group_residuals(residuals).items()):
        times = [each.time_s for each in members if each.time_s is not None]
        fits.append(
            SpreadFit(
                subject=subject,
                maker=maker,
                ratio=round(float(np.exp(usual.find_half_width(members))), 2),
                chips=tuple(sorted({each.chip for each in members})),
                rows_count=len(members),
                sources_count=len({each.source for each in members}),
                least_time_s=min(times, default=0.0),
                most_time_s=max(times, default=np.inf),
            )
        )
    return fits


def find_coverage(residuals: Sequence[Residual], *, left_out: str) -> tuple[float, float]:
    """Share inside intervals without their own source, or their own chip: of rows, and with each alike.

    Where nothing else of the group is left, the interval is what is usual. Costs are left out: one source has
    them, and nothing else tells what is usual of them.
    """
    usual, inside, weights = Usual.of(residuals), [], []
    for members in group_residuals(each for each in residuals if each.subject != COST).values():
        for name in dict.fromkeys(getattr(each, left_out) for each in members):
            own = [each for each in members if getattr(each, left_out) == name]
            width = usual.find_half_width([each for each in members if getattr(each, left_out) != name])
            inside += [each.deviation <= width for each in own]
            weights += [1 / len(own)] * len(own)
    return float(np.mean(inside)), float(np.average(inside, weights=weights))


def write_table(residuals: Sequence[Residual]) -> str:
    """The table of docs/validation.md, and the coverage below it."""
    lines = [
        "| subject | maker | measurements | sources | chips | 90% interval |",
        "| --- | --- | ---: | ---: | --- | ---: |",
    ]
    for fit in fit_spreads(residuals):
        low, high = 100 * (1 / fit.ratio - 1), 100 * (fit.ratio - 1)
        lines.append(
            f"| {fit.subject} | {fit.maker} | {fit.rows_count} | {fit.sources_count} | {', '.join(fit.chips)}"
            f" | {low:+.0f} to {high:+.0f}% |"
        )
    shares = [
        f"with the own {name} left out {rows:.0%} ({alike:.0%} with each {name} counting alike)"
        for name in ("source", "chip")
        for rows, alike in [find_coverage(residuals, left_out=name)]
    ]
    return "\n".join(
        [*lines, "", f"Of all measurements but costs, inside the interval: {', '.join(shares)}."]
    )


if __name__ == "__main__":
    print(write_table(list(list_residuals(judge_rows(read_case_file(DATA).cases)))))

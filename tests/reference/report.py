"""How cases that others published are told to a terminal: a line for each, and a count."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["passed", "failed", "unsupported"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One case: what was published, what our model says, and what that makes."""

    id: str
    expected: str
    got: str
    verdict: Verdict
    calibrated: str = ""
    """What a calibrated model says beside the ideal one, and how far off it is."""

    def __str__(self) -> str:
        beside = f"  calibrated {self.calibrated}" if self.calibrated else ""
        return f"{self.id}  expected {self.expected}  got {self.got}{beside}  {self.verdict}"


def print_outcomes(
    outcomes: Iterable[Outcome], *, summary: Iterable[object] = (), mistakes: Iterable[object] = ()
) -> int:
    """Print them all, then the summary, last the count; mistakes of the file go to standard error.

    The exit status is 2 where there are mistakes, else 1 where a case failed.
    """
    counts, status = {"passed": 0, "failed": 0, "unsupported": 0}, 0
    for outcome in outcomes:
        print(outcome)
        counts[outcome.verdict] += 1
    for line in summary:
        print(line)
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
        status = 2
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return status or (1 if counts["failed"] else 0)

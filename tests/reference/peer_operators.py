"""Hold the times of single kernels against those that others measured on GPUs.

    python -m tests.reference.peer_operators tests/reference/data/peer_operators.csv

A point passes where the calibrated time is within 25 % of the measured one. The table says for each operator
and chip how the points do: how many are no slower than the ideal, with a tolerance of 2 % for the clock
(boost clocks of short kernels exceed those of the catalogue's peaks) and for interpolation; the median error;
and the share within 25 %, of all points and of measured ones on which two engines agree so far.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from diglot.hardware.validation.case_files import Mistake
from tests.reference.peer_points import DATA, NEAR_FRACTION, PEER_OPERATORS, Point, predict_s, read_points

IDEAL_TOLERANCE_FRACTION = 0.02
"""By how much a measurement may beat the ideal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A point and our two times of it."""

    point: Point
    ideal_s: float
    calibrated_s: float

    @property
    def error_fraction(self) -> float:
        """Calibrated over measured time, less 1."""
        return self.calibrated_s / self.point.measured_s - 1

    @property
    def is_near(self) -> bool:
        """Whether the point passes."""
        return abs(self.error_fraction) <= NEAR_FRACTION

    @property
    def is_bounded(self) -> bool:
        """Whether the measurement is not quicker than the ideal."""
        return self.ideal_s <= self.point.measured_s * (1 + IDEAL_TOLERANCE_FRACTION)


def judge_points(points: Iterable[Point], mistakes: list[Mistake] | None = None) -> Iterator[Judged]:
    """Our times of each point; a point that no model answers goes to `mistakes`, or raises."""
    for point in points:
        try:
            ideal_s, calibrated_s = predict_s(point, "ideal"), predict_s(point, "calibrated")
        except (LookupError, ValueError) as error:
            if mistakes is None:
                raise
            mistakes.append(Mistake(path=point.id, line=0, what=str(error)))
            continue
        yield Judged(point=point, ideal_s=ideal_s, calibrated_s=calibrated_s)


def summarise(judged: Iterable[Judged]) -> Iterator[str]:
    """The table, a line for each operator and chip, and one for all."""
    everything = list(judged)
    yield f"{'operator':18} {'chip':9} points  ideal<=measured  median error  within 25%  agreed, within 25%"
    groups = {
        (operator, chip): [
            each for each in everything if (each.point.operator, each.point.chip) == (operator, chip)
        ]
        for operator in PEER_OPERATORS
        for chip in dict.fromkeys(each.point.chip for each in everything)
    }
    for (operator, chip), mine in {**groups, ("all", ""): everything}.items():
        if mine:
            agreed = [each for each in mine if each.point.is_measured and each.point.engines_agree]
            near = f"{np.mean([each.is_near for each in agreed]):.0%} of {len(agreed)}" if agreed else "-"
            yield (
                f"{operator:18} {chip:9} {len(mine):6}  {sum(each.is_bounded for each in mine):15}"
                f"  {np.median([abs(each.error_fraction) for each in mine]):12.1%}"
                f"  {np.mean([each.is_near for each in mine]):10.0%}"
                f"  {near:>18}"
            )


def main() -> int:
    """Judge the file that is named, or the committed one. The status is 2 for mistakes, 1 for failures."""
    mistakes: list[Mistake] = []
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    judged = list(judge_points(read_points(path, mistakes), mistakes))
    for line in summarise(judged):
        print(line)
    for each in judged:
        if not each.is_bounded:
            print(
                f"quicker than the ideal: {each.point.id}"
                f" {each.point.measured_s:.3g} s < {each.ideal_s:.3g} s"
            )
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    passed = sum(each.is_near for each in judged)
    print(f"{passed} passed, {len(judged) - passed} failed")
    return 2 if mistakes else int(passed < len(judged))


if __name__ == "__main__":
    sys.exit(main())

"""Counts the cases of each family, and prints the counts at the end of a run."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from tests.hostile.profile import SEED
from tests.hostile.tally import Tally

Counted = Callable[[str], Tally]
_PROPERTY = "hostile"


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Iterator[Counted]:
    """Makes the tally of a family. The test fails if a case got through or was lost."""
    tallies: list[Tally] = []

    def begin(family: str) -> Tally:
        tallies.append(Tally(family))
        return tallies[-1]

    yield begin
    for one in tallies:
        record_property(_PROPERTY, [one.family, one.tried, len(one.through), len(one.lost)])
    for one in tallies:
        assert one.tried, f"{one.family}: nothing was tried"
        assert not one.through, "\n".join([str(one), *one.through])
        assert not one.lost, "\n".join([str(one), *one.lost])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a line for each family, summed over its tests."""
    sums: dict[str, Counter[str]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) != "teardown":
                continue
            for name, value in report.user_properties:
                if name == _PROPERTY:
                    family, tried, through, lost = value
                    sums.setdefault(family, Counter()).update(tried=tried, through=through, lost=lost)
    if sums:
        terminalreporter.section(f"hostile, DIGLOT_HOSTILE_SEED={SEED}")
    for family, counts in sorted(sums.items()):
        told = [f"{counts[what]:>7,} {what}" for what in ("tried", "through", "lost")]
        terminalreporter.write_line(f"{family:<24}{''.join(told)}")

"""Write how sure calibrated answers are: src/diglot/hardware/data/spreads.yaml, and its table in the docs.

    python benchmarks/fit_spreads.py

From the residuals of `tests.reference.residuals`, after `fit_calibration.py` and the ratios of steps. The
same measurements always give the same files.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
# `tests` is not an installed package, and this script runs in a checkout. Hence imports after a statement.
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from diglot.hardware.chips.spreads import SPREADS_PATH, SpreadFit  # noqa: E402  (needs the path above)
from diglot.hardware.validation.case_files import read_case_file  # noqa: E402  (needs the path above)
from diglot.hardware.validation.judging import DATA as MEASURED  # noqa: E402  (needs the path above)
from diglot.hardware.validation.judging import judge_rows  # noqa: E402  (needs the path above)
from diglot.hardware.validation.judging import write_table as write_families  # noqa: E402  (needs the path above)
from tests.reference.residuals import fit_spreads, list_residuals, write_table  # noqa: E402  (needs the path above)

VALIDATION_PATH = ROOT / "docs" / "validation.md"


def write_spreads(fits: Iterable[SpreadFit]) -> str:
    """The text of the file."""
    lines = [
        "# How far calibrated answers are off: read by diglot.hardware.chips.spreads, written by",
        "# benchmarks/fit_spreads.py.",
        "schema: spreads/1",
        "fits:",
        *(
            f"  - {{subject: {fit.subject}, maker: {fit.maker}, ratio: {fit.ratio:.2f},"
            f" rows: {fit.rows_count}, sources: {fit.sources_count},\n     {write_times(fit)}chips:"
            f" [{', '.join(fit.chips)}]}}"
            for fit in fits
        ),
    ]
    return "\n".join(lines) + "\n"


def write_times(fit: SpreadFit) -> str:
    """The times that were measured, of kernels and collectives; nothing of whole systems."""
    if fit.least_time_s == 0:
        return ""
    return f"least_time_s: {fit.least_time_s:.2e}, most_time_s: {fit.most_time_s:.2e}, "


def replace_table(text: str, name: str, table: str) -> str:
    """The text with another table between the marks of this name."""
    before, mark, rest = text.partition(f"<!-- {name} -->\n")
    after = rest.partition("\n<!-- end -->")[2]
    return f"{before}{mark}{table}\n<!-- end -->{after}"


def main() -> None:
    """Fit, and write both files."""
    residuals = list(list_residuals(judge_rows(read_case_file(MEASURED).cases)))
    SPREADS_PATH.write_text(write_spreads(fit_spreads(residuals)), encoding="utf-8")
    text = VALIDATION_PATH.read_text(encoding="utf-8")
    text = replace_table(text, "spreads", write_table(residuals))
    judged = judge_rows(read_case_file(MEASURED).cases)
    VALIDATION_PATH.write_text(replace_table(text, "measured", write_families(judged)), encoding="utf-8")


if __name__ == "__main__":
    main()

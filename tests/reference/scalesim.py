"""Hold the systolic closed forms against what SCALE-Sim 3.0.0 printed.

    python -m tests.reference.scalesim tests/reference/data/scalesim_cycles.csv

Counts must be equal, percentages agree to 1e-9. Convolutions are lowered to products by our own rule too.
The column `total_cycles_incl_prefetch` is not modelled: it depends on SRAM sizes.
"""

import csv
import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from diglot.hardware import lower_convolution, run_systolic_array
from diglot.hardware.validation.case_files import Mistake, read_text
from tests.reference.report import Outcome, print_outcomes

DATA = Path(__file__).parent / "data" / "scalesim_cycles.csv"

PERCENT_TOLERANCE = 1e-9  # both sides are a few roundings of doubles away from the exact quotient

NEEDED = (
    *("kind", "M", "K", "N", "rows", "cols", "dataflow", "compute_cycles", "stall_cycles"),
    *("overall_util_pct", "mapping_eff_pct", "compute_util_pct"),
    *("sram_ifmap_reads", "sram_filter_reads", "sram_ofmap_writes"),
)
"""Columns that each row is judged by."""
CONVOLUTION_COLUMNS = {
    "ifmap_height": "ifmap_h",
    "ifmap_width": "ifmap_w",
    "filter_height": "filt_h",
    "filter_width": "filt_w",
    "channels": "channels",
    "filters": "num_filters",
    "stride": "stride",
}


def compute_columns(row: Mapping[str, str]) -> dict[str, int | float]:
    """Our values of the columns that are modelled."""
    m, k, n, rows, cols = (_read_count(row, column) for column in ("M", "K", "N", "rows", "cols"))
    run = run_systolic_array(m, k, n, rows=rows, cols=cols, dataflow=row["dataflow"])
    if row["kind"] == "conv":
        m, k, n = lower_convolution(
            **{name: _read_count(row, column) for name, column in CONVOLUTION_COLUMNS.items()}
        )
    return {
        "M": m,
        "K": k,
        "N": n,
        "compute_cycles": run.compute_cycles,
        "stall_cycles": 0,
        "sram_ifmap_reads": run.ifmap_read_elements,
        "sram_filter_reads": run.filter_read_elements,
        "sram_ofmap_writes": run.ofmap_write_elements,
        "overall_util_pct": 100 * run.overall_utilisation_fraction,
        "mapping_eff_pct": 100 * run.mapping_efficiency_fraction,
        "compute_util_pct": 100 * run.compute_utilisation_fraction,
    }


def judge_rows(path: Path, mistakes: list[Mistake] | None = None) -> Iterator[Outcome]:
    """One outcome for each row of the file; rows that are none go to `mistakes`, or raise ValueError."""
    found: list[Mistake] = []
    text = read_text(path)
    if isinstance(text, Mistake):
        found.append(text)
    else:
        rows = csv.DictReader(text.splitlines(), strict=True)
        yield from _judge_each(rows, path, found)
    if mistakes is not None:
        mistakes += found
    elif found:
        raise ValueError("\n".join(map(str, found)))


def _judge_each(rows: "csv.DictReader[str]", path: Path, found: list[Mistake]) -> Iterator[Outcome]:
    missing = [column for column in NEEDED if column not in (rows.fieldnames or ())]
    if missing:
        found.append(Mistake(path=str(path), line=1, what=f"columns missing: {', '.join(missing)}"))
        return
    for row in rows:
        try:
            yield judge_row(row)
        except (ValueError, TypeError) as error:
            found.append(Mistake(path=str(path), line=rows.line_num, what=str(error)))


def judge_row(row: Mapping[str, str]) -> Outcome:
    """The outcome of one row. Raises ValueError for what is no layer, no array, or no number."""
    if row.get("kind") not in ("gemm", "conv"):
        raise ValueError(f"kind must be gemm or conv, not {row.get('kind')!r}")
    got = compute_columns(row)
    wrong = [column for column, value in got.items() if not _agree(row, column, value)]
    shown = wrong or ["compute_cycles"]
    return Outcome(
        id=f"{row.get('source', '-')}/{row.get('layer', '-')}/{row['rows']}x{row['cols']}/{row['dataflow']}",
        expected=" ".join(f"{column}={row[column]}" for column in shown),
        got=" ".join(f"{column}={got[column]}" for column in shown),
        verdict="failed" if wrong else "passed",
    )


def _read_count(row: Mapping[str, str], column: str) -> int:
    try:
        return int(row[column])
    except (TypeError, ValueError, KeyError):
        raise ValueError(f"{column} must be a whole number, not {row.get(column)!r}") from None


def _agree(row: Mapping[str, str], column: str, value: int | float) -> bool:
    if isinstance(value, int):
        return _read_count(row, column) == value
    try:
        return math.isclose(float(row[column]), value, rel_tol=PERCENT_TOLERANCE)
    except (TypeError, ValueError):
        raise ValueError(f"{column} must be a number, not {row[column]!r}") from None


def main() -> int:
    """Judge the file that is named, or the committed one."""
    mistakes: list[Mistake] = []
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    return print_outcomes(judge_rows(path, mistakes), mistakes=mistakes)


if __name__ == "__main__":
    sys.exit(main())

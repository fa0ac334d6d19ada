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

from diglot.hardware.systolic import lower_convolution, run_systolic_array
from tests.reference.report import Outcome, print_outcomes

DATA = Path(__file__).parent / "data" / "scalesim_cycles.csv"

PERCENT_TOLERANCE = 1e-9  # both sides are a few roundings of doubles away from the exact quotient

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
    m, k, n = int(row["M"]), int(row["K"]), int(row["N"])
    run = run_systolic_array(m, k, n, rows=int(row["rows"]), cols=int(row["cols"]), dataflow=row["dataflow"])
    if row["kind"] == "conv":
        m, k, n = lower_convolution(
            **{name: int(row[column]) for name, column in CONVOLUTION_COLUMNS.items()}
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


def judge_rows(path: Path) -> Iterator[Outcome]:
    """One outcome for each row of the file."""
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            got = compute_columns(row)
            wrong = [column for column, value in got.items() if not _agree(row[column], value)]
            shown = wrong or ["compute_cycles"]
            yield Outcome(
                id=f"{row['source']}/{row['layer']}/{row['rows']}x{row['cols']}/{row['dataflow']}",
                expected=" ".join(f"{column}={row[column]}" for column in shown),
                got=" ".join(f"{column}={got[column]}" for column in shown),
                verdict="failed" if wrong else "passed",
            )


def _agree(printed: str, value: int | float) -> bool:
    if isinstance(value, int):
        return int(printed) == value
    return math.isclose(float(printed), value, rel_tol=PERCENT_TOLERANCE)


if __name__ == "__main__":
    sys.exit(print_outcomes(judge_rows(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)))

"""Fit the calibration factors to the published measurements and write them into the library's data.

    python benchmarks/fit_calibration.py [FILE]

FILE has the schema of tests/reference/data/worked_cases.yaml, which is taken where none is given. Of each
family of `src/diglot/hardware/data/calibration.yaml`, and of all chips of a kind, each operator that was
measured gets one set of factors. The same measurements give the same file.
"""

import sys
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from diglot.hardware.calibration import (  # noqa: E402
    CALIBRATION_PATH,
    Fit,
    Operator,
    parse_calibration,
)
from tests.reference.calibrated import Measured, find_measured, fit_family  # noqa: E402
from tests.reference.worked_cases import DATA, read_cases  # noqa: E402

MARK = "# Fits: written by benchmarks/fit_calibration.py.\n"


def write_fits(head: str, measured: tuple[Measured, ...]) -> str:
    """The whole file: its hand-written head, and sources and fits from the measurements."""
    families = parse_calibration(head)
    lines = [head + MARK.rstrip("\n"), "sources:"]
    sources = {}
    for one in measured:
        source = one.case["source"]
        sources[one.case.get("group") or one.case["id"]] = (source["title"], source["url"])
    for id_, (title, url) in sorted(sources.items()):
        lines += [f"  - id: {id_}", f'    title: "{title}"', f"    url: {url}"]
    lines += ["fits:"]
    for family in (*(family.id for family in families.families), "gpu", "tpu"):
        for operator in get_args(Operator):
            fit = fit_family(family, operator, measured, families)
            if fit is not None:
                lines += _write_fit(fit)
    return "\n".join(lines) + "\n"


def _write_fit(fit: Fit) -> list[str]:
    factors = fit.factors
    counts = ", ".join(f"{id_}: {count}" for id_, count in fit.case_counts)
    numbers = {
        "compute_fraction": f"{factors.compute_fraction:.3f}",
        "bandwidth_fraction": f"{factors.bandwidth_fraction:.3f}",
        "overlap_fraction": f"{factors.overlap_fraction:.2f}",
        "launch_s": f"{factors.launch_s:.2e}",
        "cases": f"{{{counts}}}",
        "median_error_fraction": f"{fit.median_error_fraction:.3f}",
        **(
            {}
            if fit.case_count == 1
            else {
                "leave_one_out_median_error_fraction": f"{fit.leave_one_out_median_error_fraction:.3f}",
                "leave_one_out_within_quarter_fraction": f"{fit.leave_one_out_within_quarter_fraction:.2f}",
            }
        ),
    }
    return [
        f"  - family: {fit.family}",
        f"    operator: {fit.operator}",
        *(f"    {key}: {text}" for key, text in numbers.items()),
    ]


def main() -> None:
    """Read, fit, write."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    head, _, _ = CALIBRATION_PATH.read_text(encoding="utf-8").partition(MARK)
    text = write_fits(head, find_measured(read_cases(file)))
    parse_calibration(text)
    CALIBRATION_PATH.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

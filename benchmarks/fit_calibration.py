"""Fit the calibration factors to the published measurements, and write them to the library and the docs.

    python benchmarks/fit_calibration.py [FILE [POINTS]]

FILE has the schema of tests/reference/data/worked_cases.yaml, which is the default. For each family of
`src/diglot/hardware/data/calibration.yaml`, and for all chips of a kind together, each measured operator gets
one set of factors. The script also writes the tables of errors and factors in docs/measurements.md, and
figures/data/parity.csv with each measurement, those held out of every fit among them, beside its ideal time,
its calibrated time, and what a fit to the other measurements predicts. Then it fits the factors of replayed
kernels (`fit_replay.py`) to POINTS, by default tests/reference/data/peer_operators.csv, and writes
`src/diglot/hardware/data/replay.yaml`, their table in the docs, and figures/data/operator_parity.csv. The
same measurements always give the same files.
"""

import csv
import io
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).parents[1]
# `tests` is not an installed package, and this script runs in a checkout. Hence imports after a statement.
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

import numpy as np  # noqa: E402  (needs the path above)

from benchmarks.fit_replay import fit_points, write_errors, write_points, write_replay  # noqa: E402  (needs the path above)
from diglot.hardware.chips.calibration import (  # noqa: E402  (needs the path above)
    CALIBRATION_PATH,
    IDEAL,
    Calibration,
    Fit,
    Operator,
    parse_calibration,
)
from diglot.hardware.chips.replay import REPLAY_PATH, ReplayFit, parse_replay  # noqa: E402  (needs the path above)
from tests.reference.calibrated import (  # noqa: E402  (needs the path above)
    GroupErrors,
    Measured,
    find_factors,
    find_measured,
    fit_family,
    near,
    predict_left_out,
    source_id,
    summarise,
)
from tests.reference.peer_points import DATA as PEER_POINTS_PATH  # noqa: E402  (needs the path above)
from tests.reference.peer_points import read_points  # noqa: E402  (needs the path above)
from tests.reference.peer_steps import read_steps  # noqa: E402  (needs the path above)
from tests.reference.worked_cases import DATA, read_cases  # noqa: E402  (needs the path above)

VALIDATION_PATH = ROOT / "docs" / "measurements.md"
PARITY_PATH = ROOT / "figures" / "data" / "parity.csv"
OPERATOR_PARITY_PATH = PARITY_PATH.with_name("operator_parity.csv")
HELD_OUT_PATH = DATA.parent / "held_out_cases.yaml"
PARITY_COLUMNS = (
    *("id", "group", "chip", "operator", "quantity", "fitted"),
    *("measured_s", "ideal_s", "calibrated_s", "left_out_s"),
)
MARK = "# Fits: written by benchmarks/fit_calibration.py.\n"


def write_fits(head: str, measured: tuple[Measured, ...]) -> str:
    """The text of the file: its hand-written head, then sources and fits from the measurements."""
    families = parse_calibration(head)
    lines = [head + MARK.rstrip("\n"), "sources:"]
    sources = {}
    for one in measured:
        source = one.case["source"]
        sources[source_id(one)] = (source["title"], source["url"])
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


def write_tables(
    text: str, groups: tuple[GroupErrors, ...], calibration: Calibration, fits: Sequence[ReplayFit]
) -> str:
    """The text of docs/measurements.md with its tables replaced."""
    errors = [
        "| group | measurements | ideal: median | calibrated: median | worst | within 25% |"
        " left out: median | within 25% | group left out: within 25% |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(
            f"| {group.group} | {len(group.ideal)} | {np.median(group.ideal):.0%}"
            f" | {np.median(group.calibrated):.1%} | {max(group.calibrated):.0%}"
            f" | {near(group.calibrated):.0%}"
            f" | {np.median(group.left_out):.1%} | {near(group.left_out):.0%}"
            f" | {'–' if np.inf in group.without_group else f'{near(group.without_group):.0%}'} |"
            for group in groups
        ),
    ]
    factors = [
        "| family | operator | measurements | of the peak | of the bandwidth | overlap | launch |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
        *(
            f"| {fit.family} | {fit.operator} | {fit.case_count} | {fit.factors.compute_fraction:.0%}"
            f" | {fit.factors.bandwidth_fraction:.0%} | {fit.factors.overlap_fraction:.0%}"
            f" | {fit.factors.launch_s * 1e6:.1f} µs |"
            for fit in calibration.fits
        ),
    ]
    for name, table in (("errors", errors), ("factors", factors), ("replay", write_errors(fits))):
        marked = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
        text = re.sub(marked, lambda found, table=table: _between(found, table), text, flags=re.DOTALL)
    return text


def _between(found: re.Match[str], lines: list[str]) -> str:
    return found[1] + "\n".join(lines) + "\n" + found[2]


def write_parity(
    measured: tuple[Measured, ...], held_out: tuple[Measured, ...], calibration: Calibration
) -> str:
    """CSV with a row per measurement that has factors; times in seconds.

    A measured rate is given as the time that the same work takes at it; `quantity` says which was measured.
    `left_out_s` is what a fit predicts that has not seen the measurement: for those held out, the calibrated
    time.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(PARITY_COLUMNS)
    for one in (*measured, *held_out):
        factors = find_factors(one, calibration)
        if factors is None:
            continue
        fitted = one not in held_out
        ideal_s, calibrated_s = (one.times.predict(each)["time"] for each in (IDEAL, factors))
        error = predict_left_out(one, measured, calibration) if fitted else one.error_fraction(factors)
        left_out_s = None if error is None else one.times.invert(one.name, one.value * (1 + error))
        times_s = (one.measured_time_s, ideal_s, calibrated_s, left_out_s)
        writer.writerow(
            (
                one.case["id"],
                one.case.get("group") or one.case["category"],
                one.times.chip,
                one.times.operator,
                "time" if one.name == "time" else "rate",
                "yes" if fitted else "no",
                *("" if time_s is None else f"{time_s:.5g}" for time_s in times_s),
            )
        )
    return text.getvalue()


def main() -> None:
    """Read the measurements, fit the factors, and write the files."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    measured = find_measured(read_cases(file))
    head, _, _ = CALIBRATION_PATH.read_text(encoding="utf-8").partition(MARK)
    text = write_fits(head, measured)
    calibration = parse_calibration(text)
    CALIBRATION_PATH.write_text(text, encoding="utf-8")
    points_path = Path(sys.argv[2]) if len(sys.argv) > 2 else PEER_POINTS_PATH
    fits = fit_points(list(read_points(points_path)), read_steps())
    replay = write_replay(fits, points_path)
    REPLAY_PATH.write_text(replay, encoding="utf-8")
    OPERATOR_PARITY_PATH.write_text(write_points(fits), encoding="utf-8")
    tables = write_tables(
        VALIDATION_PATH.read_text(encoding="utf-8"),
        summarise(measured, measured, calibration),
        calibration,
        parse_replay(replay).fits,
    )
    VALIDATION_PATH.write_text(tables, encoding="utf-8")
    held_out = find_measured(read_cases(HELD_OUT_PATH))
    PARITY_PATH.write_text(write_parity(measured, held_out, calibration), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Measure how quickly the hardware models answer: `python benchmarks/closed_forms.py`.

Prints the time of `import diglot.hardware`, and the processor time of a call of each public function, with
valid arguments (those of `tests/hardware/test_impossible_input.py`, and CASES): the slowest, and how many are
above a millisecond. `--all` prints all.
"""

import argparse
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import diglot.hardware as models  # noqa: E402 - likewise
from tests.hardware.test_impossible_input import GIVEN, WALKED, call, fill  # noqa: E402 - found by the line above

LIMIT_S = 1e-3
SLOWEST = 12
IMPORTS = 9
SEARCHES = (
    "simulate_cycles", "simulate_systolic_array", "simulate_serving", "simulate_users",
    "simulate_disaggregated",
    "find_best_placement", "find_goodput",
)  # fmt: skip
"""Those that go step by step, or try things out, and promise no millisecond."""
CHIP, MODEL, SHAPE = GIVEN["chip"], GIVEN["model"], GIVEN["shape"]
CASES: dict[str, Callable[[], object]] = {
    "count_flash_attention": partial(models.count_flash_attention, SHAPE),
    "count_flash_attention_backward": partial(models.count_flash_attention_backward, SHAPE),
    "count_materialised_attention": partial(models.count_materialised_attention, SHAPE),
    "count_materialised_attention_backward": partial(models.count_materialised_attention_backward, SHAPE),
    "estimate_attention": partial(models.estimate_attention, SHAPE, CHIP),
    "estimate_step": partial(models.estimate_step, GIVEN["deployment"], GIVEN["groups"]),
    "find_achievable_roofline": partial(models.find_achievable_roofline, CHIP, models.load_calibration()),
    "find_half_bandwidth_bytes": partial(models.find_half_bandwidth_bytes, "all-reduce", GIVEN["island"]),
    "find_hierarchical_roofline": partial(models.find_hierarchical_roofline, CHIP),
    "list_operators": partial(models.list_operators, MODEL, GIVEN["groups"]),
    "load_catalogue": models.load_catalogue,
    "load_calibration": models.load_calibration,
    "load_model": partial(models.load_model, "llama-3-70b"),
    "time_gemm, calibrated": partial(models.time_gemm, CHIP, 64, 8192, 8192, mode="calibrated"),
    "time_kernel": partial(models.time_kernel, CHIP, GIVEN["kernel"], "gemm", mode="calibrated"),
    "train_on_chip": partial(
        models.train_on_chip, replace(GIVEN["plan"], layout=models.Layout(tensor_count=8)), CHIP
    ),
}
"""Public functions without a number among their parameters, and others with more telling arguments."""


def main() -> None:
    """Print both tables."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--all", action="store_true", help="print all functions, not only the slowest")
    every = asked.parse_args().all
    print(f"import diglot.hardware: {1e3 * measure_import_s():.0f} ms (median of {IMPORTS})")
    times_s = sorted(((measure_s(run), name) for name, run in list_calls()), reverse=True)
    slow = [name for time_s, name in times_s if time_s > LIMIT_S]
    closed = [name for name in slow if name not in SEARCHES]
    print(f"{len(times_s)} functions, {len(closed)} closed forms above {1e3 * LIMIT_S:g} ms")
    for time_s, name in times_s if every else times_s[: max(SLOWEST, len(slow))]:
        note = "  (no closed form)" if name in SEARCHES else ""
        print(f"{name:<56}{1e3 * time_s:>8.3f} ms{note}")


def measure_import_s() -> float:
    """Median time of the import in a fresh process, as `python -X importtime` says."""
    command = [sys.executable, "-X", "importtime", "-c", "import diglot.hardware"]
    times_s = []
    for _ in range(IMPORTS):
        told = subprocess.run(command, cwd=ROOT / "src", capture_output=True, text=True, check=True).stderr
        found = re.search(r"\|\s*(\d+) \| diglot\.hardware$", told, re.MULTILINE)
        assert found is not None, "the import is listed"
        times_s.append(int(found[1]) / 1e6)
    return statistics.median(times_s)


def list_calls() -> Iterator[tuple[str, Callable[[], object]]]:
    """Name and call of each function."""
    public = set(dir(models))
    for name, member, _ in WALKED:
        if name in public and name not in CASES:
            yield name, partial(call, member, fill(name, member))
    yield from CASES.items()


def measure_s(run: Callable[[], object]) -> float:
    """Median processor time of one call, of five rounds of at least 20 ms each after a first call."""
    run()
    count = 1
    rounds: list[float] = []
    while len(rounds) < 5:
        began_s = time.process_time()
        for _ in range(count):
            run()
        spent_s = time.process_time() - began_s
        if spent_s < 0.02:
            count *= 2
            continue
        rounds.append(spent_s / count)
    return statistics.median(rounds)


if __name__ == "__main__":
    main()

"""Measure how quick plans are: `python benchmarks/planner.py`.

Each line shows the candidates of one plan, and the processor time of one core that they took: of the first
plan in a process, and the median of those after it; and what 10,000 candidates take at that rate.
"""

import statistics
import time
from collections.abc import Iterator

from diglot.hardware import Plan, SearchSpace, ServiceLevel, Workload, plan

REPEATS = 5
WORKLOAD = Workload(prompt_tokens=1024, output_tokens=512)
SLO = ServiceLevel(ttft_s=1.0, tpot_s=0.03)
CASES = {
    "one pool, H100": ("llama-3-70b", ("h100",), SearchSpace(ways=("continuous", "chunked"))),
    "H100 and v6e": ("llama-3-70b", ("h100", "v6e"), SearchSpace()),
    "H100 and v6e, lower bounds": ("llama-3-70b", ("h100", "v6e"), SearchSpace(timing="ideal")),
    "experts, H200, 32 chips": ("deepseek-v3", ("h200",), SearchSpace(chips_limit_count=32)),
}


def main() -> None:
    """Print the table."""
    print(f"{'':<32}{'candidates':>12}{'first':>10}{'median':>10}{'of 10,000':>12}")
    for name, count, times_s in measure():
        median_s = statistics.median(times_s[1:])
        print(
            f"{name:<32}{count:>12,}{times_s[0]:>8.2f} s{median_s:>8.2f} s{1e4 / count * median_s:>10.2f} s"
        )


def measure() -> Iterator[tuple[str, int, list[float]]]:
    """Name, number of candidates and processor times of each case."""
    for name, (model, chips, space) in CASES.items():
        times_s: list[float] = []
        found: Plan | None = None
        for _ in range(1 + REPEATS):
            began_s = time.process_time()
            found = plan(model, chips, WORKLOAD, SLO, space=space)
            times_s.append(time.process_time() - began_s)
        assert found is not None, "at least one plan was made"
        yield name, found.candidates_count, times_s


if __name__ == "__main__":
    main()

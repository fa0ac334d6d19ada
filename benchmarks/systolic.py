"""Measure how quick the systolic models are: `python benchmarks/systolic.py`.

Each line shows the first run, which also pays for fresh memory, and the median of the runs after it. Results
are checked before they are timed.

For comparison: SCALE-Sim 3.0.0 took 84 s and 4.1 GB for the 21 layers of ResNet-18 on 128 x 128, and 170 s
for one layer of GPT-2, on a machine with two cores.
"""

import csv
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from diglot.hardware import (
    DATAFLOWS,
    count_systolic_traffic,
    run_mxu,
    run_systolic_array,
    simulate_systolic_array,
)

SHAPE_COUNT = 10**6
SIDE, STREAMED_ROWS = 128, 4096
REPEATS = 5
SCALE_SIM = Path(__file__).parents[1] / "tests/reference/data/scalesim_cycles.csv"
NETWORKS = {"conv_nets/Resnet18": "ResNet-18", "conv_nets/Googlenet": "GoogLeNet", "GEMM_mnk/gpt2": "GPT-2"}


def main() -> None:
    """Print the table."""
    print(f"{'':<64}{'first':>10}{'median':>10}")
    for name, run in list_benchmarks():
        first_s, median_s = measure(run)
        print(f"{name:<64}{first_s * 1e3:>7.0f} ms{median_s * 1e3:>7.0f} ms")


def measure(run: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the first run, and the median of those after it."""
    times_s = []
    for _ in range(1 + REPEATS):
        began_s = time.perf_counter()
        run()
        times_s.append(time.perf_counter() - began_s)
    return times_s[0], statistics.median(times_s[1:])


def list_benchmarks() -> Iterator[tuple[str, Callable[[], object]]]:
    """What is timed: a name and a function."""
    rng = np.random.default_rng(0)
    shapes = rng.integers(1, 5000, (3, SHAPE_COUNT))
    array = {"rows": SIDE, "cols": SIDE}
    for flow in DATAFLOWS:
        yield (
            f"closed form, {SHAPE_COUNT:,} shapes, {flow}",
            lambda flow=flow: run_systolic_array(*shapes, **array, dataflow=flow),
        )
    yield (
        f"traffic and stalls, {SHAPE_COUNT:,} shapes, ws",
        lambda: count_systolic_traffic(*shapes, **array, dataflow="ws", dram_bytes_per_cycle=64.0),
    )
    yield f"TPU mode, {SHAPE_COUNT:,} shapes, 4 MXUs", lambda: run_mxu(*shapes, **array, mxu_count=4)
    a, b = rng.integers(-128, 128, (STREAMED_ROWS, SIDE)), rng.integers(-128, 128, (SIDE, SIDE))
    for flow in DATAFLOWS:
        cycles = check_simulation(a, b, flow)
        yield (
            f"simulation, {STREAMED_ROWS:,} x {SIDE} x {SIDE} on {SIDE} x {SIDE}, {flow}, {cycles:,} cycles",
            lambda flow=flow: simulate_systolic_array(a, b, **array, dataflow=flow),
        )

    yield from list_networks()


def list_networks() -> Iterator[tuple[str, Callable[[], object]]]:
    """Layers of networks that SCALE-Sim ran, on the arrays it used, one after another."""
    with SCALE_SIM.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for source, name in NETWORKS.items():
        layers = [row for row in rows if row["source"] == source]
        yield f"{name}: {len(layers)} layers that SCALE-Sim ran", lambda layers=layers: run_layers(layers)


def run_layers(layers: list[dict[str, str]]) -> None:
    """Count the cycles of layers; the program ends if one differs from SCALE-Sim's."""
    for layer in layers:
        m, k, n = (int(layer[size]) for size in "MKN")
        array = {"rows": int(layer["rows"]), "cols": int(layer["cols"])}
        run = run_systolic_array(m, k, n, **array, dataflow=layer["dataflow"])
        if run.compute_cycles != int(layer["compute_cycles"]):
            raise SystemExit(f"{layer['source']}, {layer['layer']}: {run.compute_cycles} cycles")


def check_simulation(a: np.ndarray, b: np.ndarray, flow: str) -> int:
    """Cycles of the simulation, after its product and its cycles were checked."""
    simulation = simulate_systolic_array(a, b, rows=SIDE, cols=SIDE, dataflow=flow)
    run = run_systolic_array(STREAMED_ROWS, SIDE, SIDE, rows=SIDE, cols=SIDE, dataflow=flow)
    if not np.array_equal(simulation.product, a @ b) or simulation.total_cycles != run.total_cycles:
        raise SystemExit(f"the simulation of {flow} is wrong")
    return simulation.total_cycles


if __name__ == "__main__":
    main()

"""Measure how quick simulated serving is: `python benchmarks/simulation.py`.

Each line shows simulated output tokens per second of processor time, in millions: the median of runs after
the first, which also times the steps of the deployment. Tokens are counted in the result before it is timed.
"""

import statistics
import time
from collections.abc import Callable, Iterator

from diglot.hardware import (
    CacheLink,
    Deployment,
    Layout,
    Requests,
    deploy,
    draw_requests,
    load_catalogue,
    load_model,
    simulate_disaggregated,
    simulate_serving,
)
from diglot.hardware.serving.simulation import SimulatedRun

REQUESTS_COUNT = 20_000
REPEATS = 5


def main() -> None:
    """Print the table."""
    print(f"{'':<64}{'M tokens/s':>12}{'requests/s':>14}")
    for name, requests, run in list_benchmarks():
        simulated = int(requests.output_tokens.sum())
        if run().gap_tokens.sum() + requests.count != simulated:
            raise SystemExit(f"{name}: tokens are lost")
        time_s = measure(run)
        print(f"{name:<64}{simulated / time_s / 1e6:>12.1f}{requests.count / time_s:>14,.0f}")


def measure(run: Callable[[], object]) -> float:
    """Median of the processor time, in seconds."""
    times_s = []
    for _ in range(REPEATS):
        began_s = time.process_time()
        run()
        times_s.append(time.process_time() - began_s)
    return statistics.median(times_s)


def list_benchmarks() -> Iterator[tuple[str, Requests, Callable[[], SimulatedRun]]]:
    """What is timed: a name, the requests and a function."""
    eight = deploy(load_model("llama-3-70b"), load_catalogue()["h100-sxm"], layout=Layout(tensor_count=8))
    for output in (16, 200, 2000):
        rate = 16 * 200 / output
        requests = draw(rate, output)
        name = f"whole prompts, {output:,} tokens out, {rate:g} requests/s"
        yield name, requests, lambda requests=requests: simulate_serving(eight, requests)
    requests = draw(16.0, 200)
    for chunk in (128, 512):
        yield (
            f"chunks of {chunk}, 200 tokens out, 16 requests/s",
            requests,
            lambda chunk=chunk: simulate_serving(eight, requests, chunk_tokens=chunk),
        )
    yield "prefill and decode apart, 200 tokens out, 16 requests/s", requests, lambda: apart(eight, requests)


def draw(rate: float, output: int) -> Requests:
    """Requests at random times with random lengths around 1,000 tokens in."""
    return draw_requests(
        rate,
        requests_count=REQUESTS_COUNT,
        prompt_tokens=1000,
        output_tokens=output,
        length_variation_ratio=0.5,
    )


def apart(deployment: Deployment, requests: Requests) -> SimulatedRun:
    """One deployment for each side."""
    return simulate_disaggregated(deployment, deployment, requests, CacheLink(bandwidth_bytes_per_s=100e9))


if __name__ == "__main__":
    main()

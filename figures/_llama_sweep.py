"""Slices and batches of five chips for one workload: what the figures of output and of cost share."""

import numpy as np
from _llama_serving import serve_on

from diglot.hardware import Workload, serve_continuously

SLICES = {
    "h200": ("h200-sxm", ((2,), (4,), (8,))),
    "h100": ("h100-sxm", ((4,), (8,))),
    "v5p": ("tpu-v5p", ((2, 2, 1), (2, 2, 2), (2, 2, 4))),
    "v6e": ("tpu-v6e", ((2, 4), (4, 4))),
    "v5e": ("tpu-v5e", ((4, 4), (4, 8))),
}
WORKLOAD = Workload(prompt_tokens=1024, output_tokens=1024)


def try_every_batch(chip_id, slices) -> dict:
    """All batches that fit, on all slices."""
    deployments = [serve_on(chip_id, sides) for sides in slices]
    return join_runs(run(each, np.arange(1, count_most(each) + 1)) for each in deployments)


def count_most(deployment) -> int:
    return deployment.largest_batch_count(WORKLOAD.longest_context_tokens)


def run(deployment, batches) -> dict:
    served = serve_continuously(deployment, WORKLOAD, batches)
    return {
        "chips": np.full(len(batches), deployment.layout.chips_count),
        "batch": batches,
        "ms": served.tpot_s * 1e3,
        "tokens": served.output_tokens_per_chip_s,
    }


def join_runs(runs) -> dict:
    parts = list(runs)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def find_best(points, target_ms) -> dict:
    """The point of most output among those that are quick enough."""
    best = np.argmax(np.where(points["ms"] <= target_ms, points["tokens"], -np.inf))
    if points["ms"][best] > target_ms:
        raise ValueError(f"no slice of a chip is quick enough for {target_ms} ms")
    return {name: values[best] for name, values in points.items()}

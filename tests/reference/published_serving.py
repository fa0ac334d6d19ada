"""Served models that others measured, and how near calibrated steps come to them.

    python -m tests.reference.published_serving

prints our number over theirs for each row of `data/published_serving.csv`, and the table of
docs/measurements.md. No factor was fitted to any row. What the sources leave open is assumed:

- Rows without a batch run as many sequences as fit 90 % of the memory beside the weights, at most 2,048, and
  take 8,192 tokens of prompts and decoding sequences a step (the engine's defaults). Users of the others ask
  again a millisecond after their last token, so that the next step has begun without their prompt.
- Versions 0.5 and 0.6 run one batch from its prompts to its last token, all kernels started by the host.
  Their rates are those of one GPU, as the table of the H100 says and that of the A100 does not.
- Caches have the format of the weights.
"""

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from statistics import median
from typing import cast

import numpy as np

from diglot.hardware import (
    Formats,
    Layout,
    Runtime,
    Workload,
    deploy,
    estimate_decode,
    estimate_prefill,
    serve_in_chunks,
    simulate_users,
)
from diglot.hardware.chips.replay import Launches
from diglot.hardware.dtypes import DType
from diglot.hardware.operators.timers import Timing
from diglot.hardware.serving.deployment import Deployment

DATA = Path(__file__).parent / "data" / "published_serving.csv"
SOURCES = {
    "nim-1.8": "NVIDIA NIM 1.8.0, performance of Llama 3.3 70B",
    "trtllm-1.0": "TensorRT-LLM 1.0, performance overview",
    "trtllm-0.6": "TensorRT-LLM 0.6.1, peak throughput",
    "trtllm-0.5": "TensorRT-LLM 0.5, low latency",
}
STATIC = ("trtllm-0.5", "trtllm-0.6")
"""One batch at a time, from its prompts to its last token."""
QUANTITIES = {
    "ttft_ms": "time to first token",
    "tpot_ms": "time per token",
    "tokens_per_s": "tokens/s",
    "tokens_per_s_per_gpu": "tokens/s",
}
NEAR_FRACTION = 0.25
STEP_TOKENS, LARGEST_BATCH = 8192, 2048
CACHE_FRACTION = 0.9
PAUSE_S = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedRow:
    """One measured number."""

    source: str
    model: str
    chip: str
    tensor_count: int
    dtype: DType
    prompt_tokens: int
    output_tokens: int
    batch_count: int | None
    quantity: str
    measured: float

    @property
    def launches(self) -> Launches:
        """Who starts the kernels of a calibrated step."""
        return "host" if self.source in STATIC else "graph"

    def __str__(self) -> str:
        batch = "as many as fit" if self.batch_count is None else f"batch {self.batch_count}"
        return (
            f"{self.source} {self.model} {self.tensor_count} x {self.chip} {self.dtype}, "
            f"{self.prompt_tokens} in, {self.output_tokens} out, {batch}: {QUANTITIES[self.quantity]}"
        )


def read_rows(path: Path = DATA) -> list[ServedRow]:
    """The rows of a file. Raises ValueError or KeyError for a row that is none."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            ServedRow(
                source=row["source"],
                model=row["model"],
                chip=row["chip"],
                tensor_count=int(row["tensor"]),
                dtype=cast(DType, row["dtype"]),
                prompt_tokens=int(row["prompt_tokens"]),
                output_tokens=int(row["output_tokens"]),
                batch_count=int(row["batch"]) if row["batch"] else None,
                quantity=row["quantity"],
                measured=float(row["value"]),
            )
            for row in csv.DictReader(file, strict=True)
        ]


def find_ratio(row: ServedRow, *, timing: Timing = "calibrated") -> float:
    """Our number over theirs."""
    return predict(row, timing)[row.quantity] / row.measured


def predict(row: ServedRow, timing: Timing) -> dict[str, float]:
    """Our numbers for a row, by quantity."""
    deployment = deploy_row(row.model, row.chip, row.tensor_count, row.dtype, timing, row.launches)
    if row.source in STATIC:
        return predict_one_batch(row, deployment)
    workload = Workload(prompt_tokens=row.prompt_tokens, output_tokens=row.output_tokens)
    if row.batch_count is None:
        fitting = int(np.asarray(deployment.largest_batch_count(workload.longest_context_tokens)))
        batch = min(fitting, LARGEST_BATCH)
        run = serve_in_chunks(deployment, workload, batch, chunk_tokens=STEP_TOKENS - batch)
        return {"tokens_per_s": float(run.output_tokens_per_s)}
    return predict_users(row.batch_count, workload, deployment)


def predict_users(users_count: int, workload: Workload, deployment: Deployment) -> dict[str, float]:
    """The numbers of users who ask again as soon as they are answered; those that do not fit wait."""
    run = simulate_users(
        deployment, workload, users_count, pause_s=PAUSE_S, chunk_tokens=STEP_TOKENS - users_count
    )
    steady = slice(users_count, -users_count)  # without the first round, and the last, in which it empties
    ttft_s, tpot_s = float(np.mean(run.ttft_s[steady])), float(np.mean(run.tpot_s[steady]))
    # Little's law: each user has one request at a time.
    requests_per_s = users_count / (PAUSE_S + ttft_s + (int(workload.output_tokens) - 1) * tpot_s)
    return {
        "ttft_ms": 1e3 * ttft_s,
        "tpot_ms": 1e3 * tpot_s,
        "tokens_per_s": requests_per_s * int(workload.output_tokens),
    }


def predict_one_batch(row: ServedRow, deployment: Deployment) -> dict[str, float]:
    """The numbers of a batch whose sequences begin and end together."""
    batch = row.batch_count or 1
    time_s = float(estimate_prefill(deployment, row.prompt_tokens, sequences_count=batch).time_s)
    found = {"ttft_ms": 1e3 * time_s}
    if row.output_tokens > 1:
        # The time of a step is linear in its context.
        context = row.prompt_tokens + (row.output_tokens - 1) // 2
        step_s = float(estimate_decode(deployment, context, batch_count=batch).time_s)
        time_s += (row.output_tokens - 1) * step_s
    found["tokens_per_s_per_gpu"] = batch * row.output_tokens / time_s / row.tensor_count
    return found


@cache
def deploy_row(
    model: str, chip: str, tensor_count: int, dtype: DType, timing: Timing, launches: Launches
) -> Deployment:
    """Weights, caches and products in one format; a tenth of the memory beside the weights is kept free."""
    formats = Formats(weights=dtype, kv_cache=dtype, arithmetic=dtype)
    if dtype == "fp16":
        formats = replace(formats, activations=dtype, embeddings=dtype)
    run = partial(
        deploy,
        model,
        chip,
        layout=Layout(tensor_count=tensor_count),
        formats=formats,
        timing=timing,
        runtime=Runtime(launches=launches if timing == "calibrated" else "graph"),
    )
    whole = run()
    return run(reserved_fraction=(1 - CACHE_FRACTION) * whole.free_bytes_per_chip / whole.memory_bytes)


def is_near(ratio: float) -> bool:
    """Whether a number is within a quarter of what was measured."""
    return abs(ratio - 1) <= NEAR_FRACTION


def write_table() -> str:
    """The table of docs/measurements.md."""
    ratios: dict[tuple[str, str], list[float]] = {}
    for row in read_rows():
        key = (SOURCES[row.source], QUANTITIES[row.quantity])
        ratios.setdefault(key, []).append(find_ratio(row))
    lines = [
        "| source | what | rows | ours over theirs: least | median | most | within 25% |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    everything = [ratio for group in ratios.values() for ratio in group]
    for (source, what), group in [*ratios.items(), (("all", ""), everything)]:
        lines.append(
            f"| {source} | {what} | {len(group)} | {min(group):.2f} | {median(group):.2f} "
            f"| {max(group):.2f} | {sum(map(is_near, group))} |"
        )
    return "\n".join(lines)


def write_rows() -> Iterator[str]:
    """A line for every row."""
    for row in read_rows():
        ratio = find_ratio(row)
        yield f"{row}: {ratio:.2f}" + ("" if is_near(ratio) else "  missed")


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in [*write_rows(), write_table()])

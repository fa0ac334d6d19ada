"""Llama 3 70B on slices of several chips, in bf16 or with 8-bit weights and products.

Every matrix is cut over all chips of a slice. Kernels reach their rooflines, sums between chips the rate of
the busiest link or its latency, hops and steps those of the catalogue; no sum hides behind a kernel. Times
are lower bounds on what runs in practice.
"""

from math import prod
from typing import Annotated, Literal

import numpy as np

from diglot import hardware
from diglot.figures import Range, rows_of

MODEL = hardware.load_model("llama-3-70b")
RESERVED_FRACTION = 0.1
"""Of the memory, for activations and the runtime."""
SLICES = {
    "h200-sxm": ((2,), (4,), (8,)),
    "h100-sxm": ((4,), (8,)),
    "tpu-v5p": ((2, 2, 1), (2, 2, 2), (2, 2, 4)),
    "tpu-v6e": ((2, 4), (4, 4)),
    "tpu-v5e": ((4, 4), (4, 8)),
}
"""Sides of slices that hold the model; GPUs stand behind one switch."""
WORKLOAD = hardware.Workload(prompt_tokens=1024, output_tokens=1024)

Format = Literal["bf16", "int8"]
Latency = Annotated[int, Range(10, 50, 5)]
LABELS = {
    "latency_ms": {"zh": "每词元延迟上限，ms", "en": "Most latency per token, ms"},
    "dtype": {"zh": "精度", "en": "Precision"},
}
BATCH_COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "chips": {"zh": "芯片数", "en": "Chips"},
    "batch": {"zh": "批量", "en": "Batch"},
    "ms": {"zh": "每词元延迟", "en": "Latency per token", "unit": "ms", "digits": 1},
    "tokens": {"zh": "单芯片吞吐", "en": "Output per chip", "unit": "tokens/s", "digits": 0},
}
"""Of the rows that `try_batches` lists."""


def serve_on(chip_id: str, sides: tuple[int, ...], dtype: str = "bf16") -> hardware.Deployment:
    """The model on a slice. Activations and the cache stay in bf16 in both formats."""
    return hardware.deploy(
        MODEL,
        chip_id,
        layout=hardware.Layout(tensor_count=prod(sides)),
        slice_sides=sides,
        formats=hardware.Formats(weights=dtype, arithmetic=dtype),
        reserved_fraction=RESERVED_FRACTION,
    )


def try_batches(chip_id: str, dtype: str) -> list[dict]:
    """Latency and output of every slice of a chip at every batch that fits."""
    rows = []
    for sides in SLICES[chip_id]:
        slice_ = serve_on(chip_id, sides, dtype)
        batches = np.arange(1, slice_.largest_batch_count(WORKLOAD.longest_context_tokens) + 1)
        served = hardware.serve_continuously(slice_, WORKLOAD, batches)
        found = {"batch": batches, "ms": 1e3 * served.tpot_s, "tokens": served.output_tokens_per_chip_s}
        rows += rows_of({"chip": chip_id, "chips": prod(sides), **found})
    return rows


def find_best(rows: list[dict], latency_ms: float) -> dict:
    """The row of most output among those whose tokens come quickly enough."""
    return max((row for row in rows if row["ms"] <= latency_ms), key=lambda row: row["tokens"])


def tell_setting(dtype: str) -> dict:
    """What `name_setting` and messages say of the model and its requests."""
    lengths = {"prompt": WORKLOAD.prompt_tokens, "output": WORKLOAD.output_tokens}
    return {"model": MODEL.name, "dtype": dtype, **lengths}


def name_setting(data, t) -> str:
    """Model, format and lengths, which every drawing says itself."""
    n = t.number
    return t(
        zh=f"{data['model']}，{data['dtype']}，输入{n(data['prompt'])}、输出{n(data['output'])}词元",
        en=f"{data['model']}, {data['dtype']}, {n(data['prompt'])} tokens in, {n(data['output'])} out",
    )

"""Where the matrix unit of TPU v1 spent its cycles: its own counters, and the model with nothing fitted.

Counters are those of tables 1 and 3 of N. Jouppi et al., "In-Datacenter Performance Analysis of a Tensor
Processing Unit", ISCA 2017 (arXiv:1704.04760), without the cycles that the paper cannot attribute. CNN1 is
left out, because no single batch describes it.
"""

from math import ceil

from diglot.figures import make_table
from diglot.hardware import load_catalogue, run_mxu

# Rows per tile; cycles per row, 2 for activations of 16 bits; % of cycles: active, stall, shift of weights
COUNTERS = {
    "MLP0": (200, 1, 12.7, 53.9, 15.9),
    "MLP1": (168, 1, 10.6, 44.2, 13.4),
    "LSTM0": (64, 2, 8.2, 58.1, 15.8),
    "LSTM1": (96, 2, 10.5, 62.1, 17.1),
    "CNN0": (2888, 1, 78.2, 0.0, 0.0),
}

TITLE = {"zh": "TPU v1的计数器与模型", "en": "Counters of TPU v1 and the model"}
MESSAGE = {
    "zh": "TPU v1跑MLP0时，矩阵单元在算或在等权重的周期里，只有{apps.MLP0.counted | percent}在算；"
    "模型不拟合任何参数，"
    "得{apps.MLP0.model | percent}",
    "en": "Of the cycles in which TPU v1’s array computed or waited for weights on MLP0, it computed in "
    "{apps.MLP0.counted | percent}; the model, "
    "with nothing fitted, says {apps.MLP0.model | percent}",
}
SHARE = {"unit": "share", "digits": 1}
COLUMNS = {
    "app": {"zh": "应用", "en": "Application"},
    "rows": {"zh": "每块权重流过的行", "en": "Rows for a tile"},
    "model": {"zh": "在算：模型", "en": "Active: model", **SHARE},
    "counted": {"zh": "在算：计数器", "en": "Active: counted", **SHARE},
    "stall": {"zh": "等权重：模型", "en": "Stalled: model", **SHARE},
    "stall_counted": {"zh": "等权重：计数器", "en": "Stalled: counted", **SHARE},
}


def compute() -> dict:
    v1 = load_catalogue()["tpu-v1"]
    side = v1.mxu_rows_count
    fetch_cycles = ceil(side * side / v1.memory_bandwidth_bytes_per_s * v1.clock_hz)
    apps = {name: compare(name, side, fetch_cycles) for name in COUNTERS}
    return {
        "side": side,
        "fetch_cycles": fetch_cycles,
        "apps": apps,
        "worst": max(abs(app["model"] - app["counted"]) for app in apps.values()),
    }


def compare(name: str, side: int, fetch_cycles: int) -> dict:
    rows, row_cycles, active, stall, shift = COUNTERS[name]
    run = run_mxu(
        rows, side, side, rows=side, cols=side, weight_fetch_cycles=fetch_cycles, row_cycles=row_cycles
    )
    counted = active + stall + shift
    return {
        "app": name,
        "rows": rows,
        "model": run.stream_cycles / run.round_cycles,
        "counted": active / counted,
        "stall": run.fetch_wait_cycles / run.round_cycles,
        "stall_counted": stall / counted,
    }


def table(data, t):
    return make_table(("app", "rows", "model", "counted", "stall", "stall_counted"), data["apps"].values(), t)

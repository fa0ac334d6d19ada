"""How long the first token takes when requests come at random, from the empty system to a full one."""

from typing import Annotated

import numpy as np
from _llama_serving import BATCH_COLUMNS, WORKLOAD, Format, name_setting, serve_on, tell_setting

from diglot.figures import Range, charts, chip, make_table
from diglot.hardware import serve_arrivals

TITLE = {"zh": "负载与首词元延迟", "en": "Load and the time to the first token"}
MESSAGE = {
    "zh": "{model}（{dtype}）负载到{load}%时，首词元在8个H200上平均至少{chips.0.ms | number(0)} ms，"
    "在8个v6e上至少{chips.3.ms | number(0)} ms；空载时是{chips.0.empty_ms | number(0)}和"
    "{chips.3.empty_ms | number(0)} ms",
    "en": "{model} in {dtype}: at {load}% load the first token takes at least "
    "{chips.0.ms | number(0)} ms on 8 H200 and {chips.3.ms | number(0)} ms on 8 TPU v6e; without load "
    "{chips.0.empty_ms | number(0)} and {chips.3.empty_ms | number(0)} ms",
}
LABELS = {"load": {"zh": "负载，%", "en": "Load, %"}, "dtype": {"zh": "精度", "en": "Precision"}}
MS = {"unit": "ms", "digits": 0}
COLUMNS = {
    **BATCH_COLUMNS,
    "ms": {"zh": "首词元平均延迟（TTFT）", "en": "Mean time to first token (TTFT)", **MS},
    "empty_ms": {"zh": "空载时", "en": "without load", **MS},
    "tpot_ms": {"zh": "每词元延迟", "en": "Latency per token", "unit": "ms", "digits": 1},
    "capacity": {"zh": "满载吞吐", "en": "Output at capacity", "unit": "tokens/s", "digits": 0},
}

SLICES = {"h200-sxm": (8,), "h100-sxm": (8,), "tpu-v5p": (2, 2, 2), "tpu-v6e": (2, 4), "tpu-v5e": (4, 4)}
LOADS = np.concatenate((np.linspace(0, 0.8, 41)[:-1], 1 - np.geomspace(0.2, 2e-4, 61)))
TOP_MS = 2000


def compute(load: Annotated[int, Range(5, 95, 5)] = 90, dtype: Format = "bf16") -> dict:
    """Continuous batching with as large a batch as fits; a prompt goes before the next decode step."""
    return {
        **tell_setting(dtype),
        "load": load,
        "chips": [load_up(chip_id, sides, load / 100, dtype) for chip_id, sides in SLICES.items()],
    }


def load_up(chip_id: str, sides: tuple[int, ...], load: float, dtype: str) -> dict:
    slice_ = serve_on(chip_id, sides, dtype)
    capacity = serve_arrivals(slice_, WORKLOAD, 0.0).capacity_requests_per_s
    curve, at = (serve_arrivals(slice_, WORKLOAD, capacity * each) for each in (LOADS, np.array([load])))
    shown = 1e3 * curve.ttft_s <= TOP_MS
    return {
        "chip": chip_id,
        "chips": slice_.layout.chips_count,
        "tokens": at.output_tokens_per_chip_s[0],
        "ms": 1e3 * at.ttft_s[0],
        "tpot_ms": 1e3 * at.tpot_s[0],
        "empty_ms": 1e3 * curve.ttft_s[0],
        "capacity": capacity * WORKLOAD.output_tokens / slice_.layout.chips_count,
        "curve": {"tokens": curve.output_tokens_per_chip_s[shown], "ms": 1e3 * curve.ttft_s[shown]},
    }


def draw(figure, data, t) -> None:
    marks = t(zh=f"，标记处负载{data['load']}%", en=f", marks at {data['load']}% load")
    charts.heading(figure, name_setting(data, t) + marks)
    most = 1.1 * max(row["capacity"] for row in data["chips"])
    domains = {"x_domain": (0, most), "y_domain": (20, TOP_MS)}
    chart = charts.frame(figure, x="tokens", y="ms", y_scale="log10", **domains)
    for row in data["chips"]:
        chart.lines({**row["curve"], "chip": row["chip"]}, series="chip")
    chart.points(data["chips"], series="chip", label="ms")


def describe(data, t) -> str:
    times = [
        f"{row['chips']} × {chip(row['chip']).label} {t.number(row['empty_ms'])} → {t.number(row['ms'])} ms"
        for row in data["chips"]
    ]
    return t(
        zh=f"{name_setting(data, t)}，屋顶线下界。到首词元的平均时间，空载 → 负载{data['load']}%："
        f"{'、'.join(times)}；接近满载时无限增长。",
        en=f"{name_setting(data, t)}, at the rooflines. Mean time to the first token without load → at "
        f"{data['load']}% load: {', '.join(times)}. It grows without limit near capacity.",
    )


def table(data, t):
    return make_table(("chip", "chips", "capacity", "empty_ms", "ms", "tokens", "tpot_ms"), data["chips"], t)

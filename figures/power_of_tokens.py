"""Energy of a token on TPUs and on GPUs of their time, next to what a claim of 60 to 65% less would need."""

from typing import Literal

import numpy as np

from diglot.figures import charts, chip, make_table
from diglot.hardware import (
    Layout,
    Workload,
    deploy,
    find_energy_per_token_j,
    find_power_range,
    list_batches,
    load_catalogue,
    load_model,
    serve_continuously,
)

MODEL = load_model("llama-3-70b")
WORKLOAD = Workload(prompt_tokens=1024, output_tokens=1024)
PAIRS = (("tpu-v5p", "h100-sxm"), ("tpu-v6e", "h200-sxm"), ("tpu-v7", "b200-sxm"))
CHIPS = {"tpu-v7": 4}
"""Chips of a slice where they are not eight."""
CLAIMED = (0.6, 0.65)

TITLE = {"zh": "一个词元要多少能量", "en": "The energy of a token"}
MESSAGE = {
    "zh": "每词元不超过{latency_ms} ms：按估计的功耗，TPU的能量是同代GPU的{least | percent}至"
    "{most | percent}；说法要求{claimed.low | percent}至{claimed.high | percent}",
    "en": "With at most {latency_ms} ms a token, TPUs take {least | percent} to {most | percent} of the "
    "energy of GPUs of their time by estimated powers; the claim needs {claimed.low | percent} to "
    "{claimed.high | percent}",
}
LABELS = {"latency_ms": {"zh": "每词元延迟上限，ms", "en": "Most latency per token, ms"}}
SHARE = {"unit": "share", "digits": 0}
COLUMNS = {
    "pair": {"zh": "TPU对GPU", "en": "TPU against GPU"},
    "low": {"zh": "功耗取下限", "en": "least power", **SHARE},
    "high": {"zh": "功耗取上限", "en": "most power", **SHARE},
    "gpu_j": {"zh": "GPU每词元", "en": "GPU, a token", "unit": "J", "digits": 2},
}


def compute(latency_ms: Literal[20, 50] = 50) -> dict:
    """Chips alone, always busy, at the rooflines. Google publishes no power of its chips from v5e on."""
    rows = [compare(tpu, gpu, latency_ms) for tpu, gpu in PAIRS]
    shares = [row[end] for row in rows for end in ("low", "high")]
    return {
        "model": MODEL.name,
        "latency_ms": latency_ms,
        "rows": rows,
        "least": min(shares),
        "most": max(shares),
        "claimed": {"low": 1 - CLAIMED[1], "high": 1 - CLAIMED[0]},
        "saving": {"low": CLAIMED[0], "high": CLAIMED[1]},
        "most_saved": 1 - min(shares),
        "short": min(shares) / (1 - CLAIMED[0]),
    }


def compare(tpu: str, gpu: str, latency_ms: int) -> dict:
    known = {id_: find_power_range(id_) for id_ in (tpu, gpu)}
    rates = {id_: find_rate(id_, latency_ms) for id_ in (tpu, gpu)}
    low, high = (
        float(find_energy_per_token_j(rates[tpu], power_w=watts))
        for watts in (known[tpu].low_w, known[tpu].high_w)
    )
    spent = float(find_energy_per_token_j(rates[gpu], power_w=known[gpu].high_w))
    return {
        "pair": f"{chip(tpu).label.removeprefix('TPU ')} : {chip(gpu).label}",
        "low": low / spent,
        "high": high / spent,
        "gpu_j": spent,
        "tpu_w": {"low": known[tpu].low_w, "high": known[tpu].high_w},
        "gpu_w": known[gpu].high_w,
    }


def find_rate(chip_id: str, latency_ms: int) -> float:
    """Most tokens that a chip puts out in a second within the limit."""
    layout = Layout(tensor_count=CHIPS.get(chip_id, 8))
    slice_ = deploy(MODEL, load_catalogue()[chip_id], layout=layout, reserved_fraction=0.1)
    run = serve_continuously(slice_, WORKLOAD, np.asarray(list_batches(slice_, WORKLOAD)))
    within = np.asarray(run.tpot_s) <= latency_ms / 1e3
    return float(np.max(np.asarray(run.output_tokens_per_chip_s)[within]))


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    claim = {"pair": t(zh="说法要求", en="the claim"), **data["claimed"]}
    charts.dumbbell(figure, [*data["rows"], claim], y="pair", x=("low", "high"), reference=1.0)


def name_setting(data, t) -> str:
    return t(
        zh=f"TPU每词元的能量，GPU为100%；{data['model']}，bf16，每词元不超过{data['latency_ms']} ms",
        en=f"Energy of a token on the TPU, GPU 100%; {data['model']}, bf16, "
        f"at most {data['latency_ms']} ms a token",
    )


def describe(data, t) -> str:
    parts = [f"{row['pair']} {t.percent(row['low'])}–{t.percent(row['high'])}" for row in data["rows"]]
    return t(
        zh=f"{name_setting(data, t)}。按估计的功耗范围：{'，'.join(parts)}。",
        en=f"{name_setting(data, t)}. By ranges of estimated power: {', '.join(parts)}.",
    )


def table(data, t):
    return make_table(tuple(COLUMNS), data["rows"], t)

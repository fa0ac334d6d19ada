"""How many tokens a step needs until a mixture's experts fill matrix units, and are worth their reading."""

from typing import Literal

import numpy as np

from diglot import hardware
from diglot.figures import charts, chip, make_table, rows_of

TITLE = {"zh": "混合专家填满矩阵单元要多少词元", "en": "Tokens that fill matrix units with experts"}
MESSAGE = {
    "zh": "{model}每步要{half_fill.2.tokens | number(0)}个词元，各专家才把v6e的阵列填满一半；要到峰值的一半，"
    "得有{half_peak.2.tokens | number(0)}个（bf16）",
    "en": "A step needs {half_fill.2.tokens | number(0)} tokens before the experts of {model} half fill the "
    "arrays of TPU v6e, and {half_peak.2.tokens | number(0)} to reach half its peak in bf16",
}
LABELS = {
    "model": {"zh": "模型", "en": "Model"},
    "model=deepseek-v3": {"zh": "DeepSeek-V3", "en": "DeepSeek-V3"},
    "model=mixtral-8x7b": {"zh": "Mixtral 8x7B", "en": "Mixtral 8x7B"},
    "skew": {"zh": "路由偏斜", "en": "Skew of routing"},
    "skew=0": {"zh": "均匀", "en": "even"},
    "skew=0.5": {"zh": "Zipf 0.5", "en": "Zipf 0.5"},
}
SHARE = {"unit": "share", "digits": 1}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "tokens": {"zh": "每步词元数", "en": "Tokens per step"},
    "rows": {"zh": "每专家平均行数", "en": "Mean rows per expert"},
    "fill": {"zh": "矩阵单元填充率", "en": "Fill of the matrix units", **SHARE},
    "peak": {"zh": "占峰值，含从HBM读权重", "en": "Share of peak, weights from HBM", **SHARE},
}

CHIPS = ("h200-sxm", "tpu-v5p", "tpu-v6e")
LIMITS = ("fill", "peak")
MEAN = 64
"""Mean rows of an expert for which the busiest is told."""
MEAN_ROWS = [2 ** (step / 16) for step in range(16, 177)]  # 2 to 2,048


def compute(model: Literal["deepseek-v3", "mixtral-8x7b"] = "deepseek-v3", skew: Literal[0, 0.5] = 0) -> dict:
    """Tokens choose experts evenly, or by Zipf's law with the exponent `skew`.

    With 0.5 the first of 256 experts is chosen by eight times the average: an assumption that shows which way
    skew pulls. No exponent of a trained model is claimed.
    """
    of = hardware.load_model(model)
    counts = {"experts_count": of.experts.routed_count, "active_count": of.experts.active_count}
    inner = of.experts.hidden_elements
    layer = hardware.ExpertLayer(width_elements=of.width_elements, inner_elements=inner, **counts)
    routing = hardware.Routing(skew=skew, **counts)
    per_row = layer.experts_count / layer.active_count
    means = MEAN_ROWS[::4] if skew else MEAN_ROWS  # a skewed draw has a share for each expert
    tokens = [max(1, round(mean * per_row)) for mean in means]
    curves = [follow(chip_id, layer, routing, tokens) for chip_id in CHIPS]
    return {
        "model": of.name,
        "experts": layer.experts_count,
        "active": layer.active_count,
        "skew": skew,
        "curves": curves,
        **{f"half_{limit}": [find_half(curve, limit) for curve in curves] for limit in LIMITS},
        "mean_rows": MEAN,
        "busiest_rows": hardware.find_busiest_rows(routing, [round(MEAN * per_row)])[0],
    }


def follow(chip_id: str, layer: hardware.ExpertLayer, routing: hardware.Routing, tokens: list[int]) -> dict:
    """Fill and attainable share of one chip at each number of tokens."""
    each = hardware.load_catalogue()[chip_id]
    shares = [hardware.find_row_distribution(routing, count)[1:] for count in tokens]  # without idle experts
    rows = np.arange(1, 1 + max(map(len, shares)))
    paid = np.array(list_paid_rows(each, rows, layer))
    fill = [max(share @ rows[: len(share)] / (paid[:, : len(share)] @ share)) for share in shares]
    visited = layer.experts_count - np.array(hardware.count_idle_experts(routing, tokens))
    kernel = hardware.count_expert_feed_forward(layer, tokens, visited_experts_count=visited)
    return {
        "chip": chip_id,
        "tokens": tokens,
        "rows": [count * layer.active_count / layer.experts_count for count in tokens],
        "fill": fill,
        "peak": np.minimum(fill, each.roofline("bf16").peak_fraction(kernel)),
    }


def list_paid_rows(each, rows, layer: hardware.ExpertLayer) -> list:
    """Rows that the units are busy for, when an expert has so many: what padding and waiting add.

    One array for each tile that a GPU's kernel may have, the same for all experts. A stream of experts
    without gaps: neither the fill of an array nor a GPU's last wave is paid for each.
    """
    k, n = layer.width_elements, layer.inner_elements
    if each.kind == "tpu":
        return [rows / hardware.estimate_tpu_gemm(rows, k, n, chip=each).run.steady_utilisation_fraction]
    blocks = hardware.find_thread_blocks(each)
    gpu = hardware.GpuProcessors.of_chip(each, blocks=blocks)
    runs = (hardware.estimate_gpu_gemm(rows, k, n, gpu=gpu, tile=tile) for tile in blocks.tiles)
    return [rows / (run.tile_efficiency_fraction * run.feed_efficiency_fraction) for run in runs]


def find_half(curve: dict, column: str) -> dict:
    """Where a share first reaches a half, on a straight line between two points."""
    tokens = float(np.interp(0.5, np.maximum.accumulate(curve[column]), curve["tokens"]))
    return {"chip": curve["chip"], "tokens": tokens, "share": 0.5}


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    for chart, curves in charts.panels(figure, data["curves"], x="tokens", y=LIMITS, x_scale="log2"):
        for curve, half in zip(curves, data[f"half_{chart.y}"], strict=True):
            chart.lines(curve, color=curve["chip"], name=False)
            text = f"{chip(curve['chip']).label.removeprefix('TPU ')} {t.number(half['tokens'])}"
            chart.points([{**half, "text": text}], y="share", color=curve["chip"], label="text")


def name_setting(data, t) -> str:
    n = t.number
    skew = n(data["skew"], 1)
    zipf = t(zh=f"Zipf路由，指数{skew}", en=f"Zipf routing, exponent {skew}")
    routing = zipf if data["skew"] else t(zh="均匀路由", en="even routing")
    return t(
        zh=f"{data['model']}，bf16，{data['experts']}个专家选{data['active']}个，{routing}",
        en=f"{data['model']}, bf16, {data['active']} of {data['experts']} experts, {routing}",
    )


def describe(data, t) -> str:
    n = t.number
    fill, peak = (t.join([n(row["tokens"]) for row in data[half]]) for half in ("half_fill", "half_peak"))
    names = t.join([chip(row["chip"]).label for row in data["curves"]])
    return t(
        zh=f"{name_setting(data, t)}。每步要{fill}个词元，才分别填满{names}矩阵单元的一半；算上从HBM读权重，"
        f"到峰值一半要{peak}个。平均{MEAN}行时，最忙的专家有{n(data['busiest_rows'])}行。",
        en=f"{name_setting(data, t)}. A step needs {fill} tokens to half fill the matrix units of {names}, "
        f"and {peak} for half of their peak, weights being read from HBM. Where the mean is {MEAN} rows, the "
        f"busiest expert has {n(data['busiest_rows'])}.",
    )


def table(data, t):
    rows = [row for curve in data["curves"] for row in rows_of(curve) if row["tokens"].bit_count() == 1]
    return make_table(("chip", "tokens", "rows", "fill", "peak"), rows, t)

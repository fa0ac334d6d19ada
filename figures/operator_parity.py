"""Calibrated times of single kernels against those that others measured, each predicted from other shapes.

`figures/data/operator_parity.csv` is written by `benchmarks/fit_calibration.py`.
"""

import csv
from statistics import median
from typing import Literal

from diglot.figures import charts, make_table

TITLE = {"zh": "单个内核的预测与实测", "en": "Single kernels, predicted and measured"}
MESSAGE = {
    "zh": "A100到B200的{all.count}个实测内核，{all.near_fraction | percent}的预测误差不超过四分之一",
    "en": "From A100 to B200, {all.near_fraction | percent} of {all.count} measured kernels are predicted "
    "to within a quarter",
}
LABELS = {
    "model": {"zh": "模型", "en": "Model"},
    "model=left_out": {"zh": "预测没见过的形状", "en": "predicting other shapes"},
    "model=calibrated": {"zh": "拟合这些测量", "en": "fitted"},
}
POINTS = "figures/data/operator_parity.csv"
NEAR_FRACTION = 0.25
OPERATORS = {
    "gemm": {"zh": "矩阵乘法", "en": "products"},
    "moe": {"zh": "专家层", "en": "layers of experts"},
    "context-attention": {"zh": "注意力，整段提示", "en": "attention of prompts"},
    "decode-attention": {"zh": "注意力，单个词元", "en": "attention of tokens"},
    "all-reduce-nccl": {"zh": "全归约，NCCL", "en": "all-reduce, NCCL"},
    "all-reduce-custom": {"zh": "全归约，TensorRT-LLM", "en": "all-reduce, TRT-LLM"},
}
CHIPS = ("a100-80", "h100-sxm", "h200-sxm", "b200-sxm")
SHARE = {"unit": "share", "digits": 0}
COLUMNS = {
    "operator": {"zh": "内核", "en": "Kernel", "names": {**OPERATORS, "all": {"zh": "全部", "en": "all"}}},
    "count": {"zh": "测量数", "en": "Measurements"},
    "median_fraction": {**SHARE, "zh": "误差中位数", "en": "Median error", "digits": 1},
    "near_fraction": {**SHARE, "zh": "误差不超过25%", "en": "Within 25%"},
    "worst_fraction": {**SHARE, "zh": "最大误差", "en": "Worst"},
    "us": {"zh": "实测时间，µs", "en": "Measured time, µs"},
    "ratio": {"zh": "预测÷实测", "en": "Predicted / measured"},
}
LOWEST, HIGHEST = 0.5, 2.0
"""Ends of the axis; the few points beyond stand at them."""


def compute(model: Literal["left_out", "calibrated"] = "left_out") -> dict:
    with open(POINTS, encoding="utf-8", newline="") as file:
        points = [read_point(row, model) for row in csv.DictReader(file)]
    return {
        "model": model,
        "points": points,
        "all": summarise(points),
        "operators": {
            name: summarise([point for point in points if point["operator"] == name]) for name in OPERATORS
        },
    }


def read_point(row: dict, model: str) -> dict:
    measured_s = float(row["measured_s"])
    ratio = float(row[f"{model}_s"]) / measured_s
    return {
        "operator": row["operator"],
        "chip": row["chip"],
        "us": measured_s * 1e6,
        "ratio": min(max(ratio, LOWEST), HIGHEST),
        "error": abs(ratio - 1),
    }


def summarise(points: list) -> dict:
    errors = [point["error"] for point in points]
    near = sum(error <= NEAR_FRACTION for error in errors) / len(errors)
    return {
        "count": len(errors),
        "median_fraction": median(errors),
        "near_fraction": near,
        "worst_fraction": max(errors),
    }


def draw(figure, data, t) -> None:
    titled = []
    for name, words in OPERATORS.items():
        near = t.number(100 * data["operators"][name]["near_fraction"])
        title = f"{t(**words)}{t(zh='：', en=': ')}{near}%"
        titled += [{**point, "title": title} for point in data["points"] if point["operator"] == name]
    columns = {"by": "title", "x": "us", "y": "ratio", "columns": 2 if figure.is_narrow else 3}
    ends = {"x_scale": "log10", "y_scale": "log2", "y_domain": (LOWEST, HIGHEST), "height": 96}
    for chart, found in charts.panels(figure, titled, **columns, **ends):
        times = [point["us"] for point in found]
        width = {"us": [min(times), max(times)]}
        low, high = [1 - NEAR_FRACTION] * 2, [1 + NEAR_FRACTION] * 2
        chart.lines({**width, "ratio": high, "low": low}, color="mute", width=0, area="low", name=False)
        chart.lines({**width, "ratio": [1, 1]}, color="mute", width=1, name=False)
        for chip_id in CHIPS:
            mine = [point for point in found if point["chip"] == chip_id]
            if mine:
                named = found[0]["operator"] == "gemm"  # the others have the same chips
                chart.points(mine, color=chip_id, measured=True, size=3, name=named)


def describe(data, t) -> str:
    total = data["all"]
    rows = [
        f"{t(**OPERATORS[name])} {t.number(100 * found['near_fraction'])}%"
        for name, found in data["operators"].items()
    ]
    middle = t.number(100 * total["median_fraction"], 1)
    return t(
        zh=f"{total['count']}个内核在A100、H100、H200与B200上的实测时间（CUDA图重放）与预测之比。"
        f"误差中位数为{middle}%。误差不超过四分之一的比例：{t.join(rows)}。",
        en=f"Times of {total['count']} kernels on A100, H100, H200 and B200, predicted over measured in CUDA "
        f"graphs. The median error is {middle}%. Within a quarter: {t.join(rows)}.",
    )


def table(data, t):
    found = (*data["operators"].items(), ("all", data["all"]))
    rows = [{"operator": name, **each} for name, each in found]
    return make_table(tuple(COLUMNS)[:-2], rows, t)

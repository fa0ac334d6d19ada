"""Calibrated times of single kernels against those that others measured, each predicted from other shapes.

`figures/data/operator_parity.csv` is written by `benchmarks/fit_calibration.py`.
"""

from typing import Literal

from _errors import NEAR_FRACTION, summarise

from diglot.figures import charts, make_table, read_csv

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
OPERATORS = {
    "gemm": {"zh": "GEMM", "en": "GEMM"},
    "moe": {"zh": "MoE层", "en": "MoE layers"},
    "context-attention": {"zh": "预填充注意力", "en": "prefill attention"},
    "decode-attention": {"zh": "解码注意力", "en": "decode attention"},
    "all-reduce-nccl": {"zh": "全归约，NCCL", "en": "all-reduce, NCCL"},
    "all-reduce-custom": {"zh": "全归约，TensorRT-LLM", "en": "all-reduce, TRT-LLM"},
}
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
    points = [read_point(row, model) for row in read_csv(POINTS)]
    errors = {name: [point["error"] for point in points if point["operator"] == name] for name in OPERATORS}
    return {
        "model": model,
        "points": points,
        "all": summarise([point["error"] for point in points]),
        "operators": {name: summarise(found) for name, found in errors.items()},
    }


def read_point(row: dict, model: str) -> dict:
    ratio = row[f"{model}_s"] / row["measured_s"]
    return {
        "operator": row["operator"],
        "chip": row["chip"],
        "us": row["measured_s"] * 1e6,
        "ratio": min(max(ratio, LOWEST), HIGHEST),
        "error": abs(ratio - 1),
    }


def draw(figure, data, t) -> None:
    columns = {"by": "operator", "x": "us", "y": "ratio", "columns": 2 if figure.is_narrow else 3}
    ends = {"x_scale": "log10", "y_scale": "log2", "y_domain": (LOWEST, HIGHEST), "height": 96}
    for chart, points in charts.panels(figure, data["points"], **columns, **ends):
        name = points[0]["operator"]
        near = t.percent(data["operators"][name]["near_fraction"])
        chart.title += f"{t(zh='：', en=': ')}{near}"
        chart.band(y=(1 - NEAR_FRACTION, 1 + NEAR_FRACTION)).rule(y=1)
        named = name == "context-attention"  # others have less room, and the same chips
        chart.points(points, series="chip", measured=True, size=3, name=named)


def describe(data, t) -> str:
    total = data["all"]
    near = {t.name("operator", name): of["near_fraction"] for name, of in data["operators"].items()}
    rows = [f"{name} {t.percent(share)}" for name, share in near.items()]
    middle = t.percent(total["median_fraction"], 1)
    return t(
        zh=f"{total['count']}个内核在A100、H100、H200与B200上的实测时间（CUDA图重放）与预测之比。"
        f"误差中位数为{middle}。误差不超过四分之一的比例：{t.join(rows)}。",
        en=f"Times of {total['count']} kernels on A100, H100, H200 and B200, predicted over measured in CUDA "
        f"graphs. The median error is {middle}. Within a quarter: {t.join(rows)}.",
    )


def table(data, t):
    found = (*data["operators"].items(), ("all", data["all"]))
    rows = [{"operator": name, **each} for name, each in found]
    return make_table(tuple(COLUMNS)[:-2], rows, t)

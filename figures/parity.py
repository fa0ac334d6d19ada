"""Models against what others measured: each measurement's share of the ideal rate, found and predicted.

`figures/data/parity.csv` is written by `benchmarks/fit_calibration.py`. Times there go from a microsecond to
seconds, over which every model would look right; as shares of the ideal rate an error of a quarter is seen.
"""

import csv
from statistics import median
from typing import Literal

from diglot.figures import charts, make_table

TITLE = {"zh": "模型与公开测量的对照", "en": "Models against published measurements"}
MESSAGE = {
    "zh": "校准模型预测没见过的测量，误差中位数为{all.left_out_median_fraction | percent}；"
    "理想模型为{all.ideal_median_fraction | percent}（{all.count}项公开测量，A100到TPU v7）",
    "en": "Calibrated models predict measurements they have not seen with a median error of "
    "{all.left_out_median_fraction | percent}, ideal ones of {all.ideal_median_fraction | percent} "
    "({all.count} published, A100 to TPU v7)",
}
LABELS = {
    "model": {"zh": "模型", "en": "Model"},
    "model=left_out": {"zh": "校准，预测没见过的测量", "en": "calibrated, predicting"},
    "model=calibrated": {"zh": "校准，拟合这些测量", "en": "calibrated, fitted"},
    "model=ideal": {"zh": "理想", "en": "ideal"},
}

SHARE = {"unit": "share", "digits": 1}
MEASUREMENTS = "figures/data/parity.csv"
NEAR_FRACTION = 0.25
FAMILIES = {  # family: its name, whose look it has, its chips
    "ampere": ("A100", "a100-80", ("a100-80",)),
    "hopper": ("H100–B300", "h200-sxm", ("h100-sxm", "h200-sxm", "b200-sxm", "b300-sxm", "gpu")),
    "amd": ("MI210–MI355X", "mi325x", ("mi210", "mi300x", "mi325x", "mi355x")),
    "tpu": ("TPU v7", "tpu-v7", ("tpu-v7",)),
}
COLUMNS = {
    "group": {"zh": "来源", "en": "Group", "names": {"all": {"zh": "全部", "en": "all"}}},
    "count": {"zh": "测量数", "en": "Measurements"},
    "ideal_median_fraction": {**SHARE, "zh": "理想：误差中位数", "en": "Ideal: median error", "digits": 0},
    "calibrated_median_fraction": {**SHARE, "zh": "拟合：误差中位数", "en": "Fitted: median error"},
    "left_out_median_fraction": {**SHARE, "zh": "预测：误差中位数", "en": "Predicted: median error"},
    "worst_fraction": {**SHARE, "zh": "预测：最大误差", "en": "Predicted: worst", "digits": 0},
    "near_fraction": {**SHARE, "zh": "预测：误差不超过25%", "en": "Predicted: within 25%", "digits": 0},
    "measured": {"zh": "实测", "en": "Measured", "unit": "share"},
    "predicted": {"zh": "预测的速率，占理想值", "en": "Predicted, of the ideal", "unit": "share"},
}
HIGHEST = 1.05
"""End of both axes, as a share of the ideal rate."""
MODELS = ("ideal", "calibrated", "left_out")


def compute(model: Literal["left_out", "calibrated", "ideal"] = "left_out") -> dict:
    family_of = {chip_id: family for family, (_, _, chips) in FAMILIES.items() for chip_id in chips}
    with open(MEASUREMENTS, encoding="utf-8", newline="") as file:
        points = [read_point(row, family_of[row["chip"]], model) for row in csv.DictReader(file)]
    groups = dict.fromkeys(point["group"] for point in points)
    return {
        "model": model,
        "points": points,
        "all": summarise(points),
        "fitted": summarise([point for point in points if point["fitted"]]),
        "families": {f: summarise([p for p in points if p["family"] == f]) for f in FAMILIES},
        "groups": {group: summarise([p for p in points if p["group"] == group]) for group in groups},
    }


def read_point(row: dict, family: str, model: str) -> dict:
    measured_s, ideal_s = float(row["measured_s"]), float(row["ideal_s"])
    return {
        **{name: row[name] for name in ("id", "group")},
        "fitted": row["fitted"] == "yes",
        "family": family,
        "measured": ideal_s / measured_s,
        "predicted": ideal_s / float(row[f"{model}_s"]),
        "errors": {m: find_error(row["quantity"], float(row[f"{m}_s"]), measured_s) for m in MODELS},
    }


def find_error(quantity: str, predicted_s: float, measured_s: float) -> float:
    """Magnitude of the relative error of what was measured, a time or a rate."""
    ratio = predicted_s / measured_s
    return abs((ratio if quantity == "time" else 1 / ratio) - 1)


def summarise(points: list) -> dict:
    medians = {f"{m}_median_fraction": median(point["errors"][m] for point in points) for m in MODELS}
    left_out = [point["errors"]["left_out"] for point in points]
    near = sum(error <= NEAR_FRACTION for error in left_out) / len(points)
    return {"count": len(points), **medians, "worst_fraction": max(left_out), "near_fraction": near}


def draw(figure, data, t) -> None:
    ends = {"x_domain": (0, HIGHEST), "y_domain": (0, HIGHEST), "height": 160}
    low, knee = 1 - NEAR_FRACTION, HIGHEST / (1 + NEAR_FRACTION)
    near = {"measured": [0, knee, HIGHEST], "predicted": [0, HIGHEST, HIGHEST]}
    near["low"] = [low * measured for measured in near["measured"]]
    points = []
    for family, (name, _, _) in FAMILIES.items():
        error = t.number(100 * data["families"][family][f"{data['model']}_median_fraction"])
        title = f"{name}\n{t(zh='误差中位数', en='median error ')}{error}%"
        points += [{**point, "title": title} for point in data["points"] if point["family"] == family]
    columns = {"by": "title", "x": "measured", "y": "predicted", "columns": 2 if figure.is_narrow else 4}
    for chart, found in charts.panels(figure, points, **columns, **ends):
        family = found[0]["family"]
        chart.lines(near, color="mute", width=0, area="low", name=False)
        exact = {"measured": [0, HIGHEST], "predicted": [0, HIGHEST]}
        chart.lines(exact, color="mute", width=1, name=False)
        chart.points(found, color=FAMILIES[family][1], measured=True, size=5)
        if family == "amd":
            chart.region((1, 0.35), f"±{t.number(100 * NEAR_FRACTION)}%")


def describe(data, t) -> str:
    total, fitted = data["all"], data["fitted"]
    medians = {name: found["left_out_median_fraction"] for name, found in data["families"].items()}
    rows = [f"{FAMILIES[name][0]} {t.number(100 * share)}%" for name, share in medians.items()]
    names = ("ideal_median_fraction", "left_out_median_fraction", "near_fraction")
    ideal, left_out, near = (t.number(100 * total[name]) for name in names)
    return t(
        zh=f"{total['count']}项公开测量，其中{fitted['count']}项参与了拟合，预测时逐项排除在外。"
        f"理想模型的误差中位数为{ideal}%，校准模型为{left_out}%，{near}%的误差不超过四分之一。"
        f"各系列：{t.join(rows)}。",
        en=f"{total['count']} published measurements; each of the {fitted['count']} that calibration uses is "
        f"predicted from the others. Median error: {ideal}% for ideal models, {left_out}% for calibrated "
        f"ones, with {near}% of them off by a quarter at most. By family: {t.join(rows)}.",
    )


def table(data, t):
    rows = [{"group": group, **found} for group, found in (*data["groups"].items(), ("all", data["all"]))]
    return make_table(tuple(COLUMNS)[:-2], rows, t)

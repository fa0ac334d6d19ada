"""Models against what others measured: each measurement's share of the ideal rate, found and predicted.

`figures/data/parity.csv` is written by `benchmarks/fit_calibration.py`. Times there go from a microsecond to
seconds, over which every model would look right; as shares of the ideal rate an error of a quarter is seen.
"""

from statistics import median
from typing import Literal

from _errors import NEAR_FRACTION, summarise

from diglot.figures import charts, make_table, read_csv

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
FAMILIES = {  # family: its name, whose look it has, its chips
    "ampere": ("A100", "a100-80", ("a100-80",)),
    "hopper": ("H100–B300", "h200-sxm", ("h100-sxm", "h200-sxm", "b200-sxm", "b300-sxm", "gpu")),
    "amd": ("MI210–MI355X", "mi325x", ("mi210", "mi300x", "mi325x", "mi355x")),
    "tpu": ("TPU v7", "tpu-v7", ("tpu-v7",)),
}
COLUMNS = {
    "family": {
        "zh": "系列",
        "en": "Family",
        "names": {family: name for family, (name, *_) in FAMILIES.items()},
    },
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
    points = [read_point(row, family_of[row["chip"]], model) for row in read_csv(MEASUREMENTS)]
    groups = dict.fromkeys(point["group"] for point in points)
    return {
        "model": model,
        "points": points,
        "all": compare(points),
        "fitted": compare([point for point in points if point["fitted"]]),
        "families": {family: compare([p for p in points if p["family"] == family]) for family in FAMILIES},
        "groups": {group: compare([p for p in points if p["group"] == group]) for group in groups},
    }


def read_point(row: dict, family: str, model: str) -> dict:
    ideal_s, measured_s = row["ideal_s"], row["measured_s"]
    return {
        "id": row["id"],
        "group": row["group"],
        "family": family,
        "fitted": row["fitted"] == "yes",
        "measured": ideal_s / measured_s,
        "predicted": ideal_s / row[f"{model}_s"],
        "errors": {name: find_error(row["quantity"], row[f"{name}_s"], measured_s) for name in MODELS},
    }


def find_error(quantity: str, predicted_s: float, measured_s: float) -> float:
    """Magnitude of the relative error of what was measured, a time or a rate."""
    ratio = predicted_s / measured_s
    return abs((ratio if quantity == "time" else 1 / ratio) - 1)


def compare(points: list) -> dict:
    """Errors of predictions, and the medians of all models."""
    medians = {
        f"{name}_median_fraction": median(point["errors"][name] for point in points) for name in MODELS
    }
    return {**summarise([point["errors"]["left_out"] for point in points]), **medians}


def draw(figure, data, t) -> None:
    low, knee = 1 - NEAR_FRACTION, HIGHEST / (1 + NEAR_FRACTION)
    near = {"measured": [0, knee, HIGHEST], "predicted": [0, HIGHEST, HIGHEST]}
    near["low"] = [low * measured for measured in near["measured"]]
    points = sorted(data["points"], key=lambda point: list(FAMILIES).index(point["family"]))
    columns = {"by": "family", "x": "measured", "y": "predicted", "columns": 2 if figure.is_narrow else 4}
    ends = {"x_domain": (0, HIGHEST), "y_domain": (0, HIGHEST), "height": 160}
    for chart, found in charts.panels(figure, points, **columns, **ends):
        family = found[0]["family"]
        error = t.percent(data["families"][family][f"{data['model']}_median_fraction"])
        chart.title += "\n" + t(zh=f"误差中位数{error}", en=f"median error {error}")
        chart.lines(near, color="mute", width=0, area="low", name=False)
        exact = {"measured": [0, HIGHEST], "predicted": [0, HIGHEST]}
        chart.lines(exact, color="mute", width=1, name=False)
        chart.points(found, color=FAMILIES[family][1], measured=True, size=5)
        if family == "amd":
            chart.region((1, 0.35), f"±{t.percent(NEAR_FRACTION)}")


def describe(data, t) -> str:
    total, fitted = data["all"], data["fitted"]
    medians = {name: found["left_out_median_fraction"] for name, found in data["families"].items()}
    rows = [f"{FAMILIES[name][0]} {t.percent(share)}" for name, share in medians.items()]
    names = ("ideal_median_fraction", "left_out_median_fraction", "near_fraction")
    ideal, left_out, near = (t.percent(total[name]) for name in names)
    return t(
        zh=f"{total['count']}项公开测量，其中{fitted['count']}项参与了拟合，预测时逐项排除在外。"
        f"理想模型的误差中位数为{ideal}，校准模型为{left_out}，{near}的误差不超过四分之一。"
        f"各系列：{t.join(rows)}。",
        en=f"{total['count']} published measurements; each of the {fitted['count']} that calibration uses is "
        f"predicted from the others. Median error: {ideal} for ideal models, {left_out} for calibrated "
        f"ones, with {near} of them off by a quarter at most. By family: {t.join(rows)}.",
    )


def table(data, t):
    rows = [{"group": group, **found} for group, found in (*data["groups"].items(), ("all", data["all"]))]
    return make_table(tuple(COLUMNS)[1:-2], rows, t)

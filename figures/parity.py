"""Models against what others measured: each measurement's share of the ideal rate, found and predicted.

`figures/data/parity.csv` is written by `benchmarks/fit_calibration.py`. Times there go from a microsecond to
seconds, over which every model would look right; as shares of the ideal rate an error of a quarter is seen.
"""

import csv
from statistics import median

from diglot.figures import (
    Column,
    axis_titles,
    bare,
    chip,
    label,
    line,
    linear_axis,
    log_axis,
    make_table,
    mark,
)

TITLE = {"zh": "模型与公开测量的对照", "en": "Models against published measurements"}

MEASUREMENTS = "figures/data/parity.csv"
NEAR_FRACTION = 0.25
FAMILIES = {  # family: its name, whose look it has, its chips
    "ampere": ("A100", "a100-80", ("a100-80",)),
    "hopper": ("H100/H200", "h100-sxm", ("h100-sxm", "h200-sxm", "gpu")),  # a node of 8 at 450 GB/s each
    "blackwell": ("B200/B300", "b200-sxm", ("b200-sxm", "b300-sxm")),
    "amd": ("MI210–MI355X", "mi325x", ("mi210", "mi300x", "mi325x", "mi355x")),
    "tpu": ("TPU v7", "tpu-v7", ("tpu-v7",)),
}
HIGHEST = 1.04
"""End of both axes, as a share of the ideal rate."""
LEAST_ERROR, MOST_ERROR = 0.0035, 0.6
"""Ends of the axis of median errors."""


def compute() -> dict:
    family_of = {chip_id: family for family, (_, _, chips) in FAMILIES.items() for chip_id in chips}
    with open(MEASUREMENTS, encoding="utf-8", newline="") as file:
        points = [read_point(row, family_of[row["chip"]]) for row in csv.DictReader(file)]
    names = dict.fromkeys(point["group"] for point in points)
    return {
        "points": points,
        "all": summarise(points),
        "families": {f: summarise([p for p in points if p["family"] == f]) for f in FAMILIES},
        "groups": {name: summarise([p for p in points if p["group"] == name]) for name in names},
    }


def read_point(row: dict, family: str) -> dict:
    measured, ideal, calibrated = (float(row[f"{name}_s"]) for name in ("measured", "ideal", "calibrated"))
    return {
        "id": row["id"],
        "group": row["group"],
        "family": family,
        "measured_fraction": ideal / measured,
        "calibrated_fraction": ideal / calibrated,
        "ideal_error_fraction": find_error(row["quantity"], ideal, measured),
        "calibrated_error_fraction": find_error(row["quantity"], calibrated, measured),
    }


def find_error(quantity: str, predicted_s: float, measured_s: float) -> float:
    """Magnitude of the relative error of what was measured, a time or a rate."""
    ratio = predicted_s / measured_s
    return abs((ratio if quantity == "time" else 1 / ratio) - 1)


def summarise(points: list) -> dict:
    calibrated = [point["calibrated_error_fraction"] for point in points]
    return {
        "count": len(points),
        "ideal_median_fraction": median(point["ideal_error_fraction"] for point in points),
        "calibrated_median_fraction": median(calibrated),
        "worst_fraction": max(calibrated),
        "near_fraction": sum(error <= NEAR_FRACTION for error in calibrated) / len(points),
    }


def draw(figure, data, t) -> None:
    side, left, top = (290, 46, 48) if figure.is_narrow else (242, 46, 44)
    below = top + side + 50
    figure.set_height_px(below + 40 + 44 * len(FAMILIES) if figure.is_narrow else below - 4)
    axis_titles(
        figure,
        y=t(zh="预测值，占理想速率的比例", en="Predicted share of ideal rate"),
        unit="%",
        x=t(zh="实测值，%", en="Measured, %"),
        right=left + side,
        bottom=below - 6,
    )
    draw_parity(figure.axes_px(left, top, side, side), data, t)
    if figure.is_narrow:
        draw_families(figure, data, t, left=0, top=below)
    else:
        draw_families(figure, data, t, left=left + side + 44, top=0)


def draw_parity(axes, data, t) -> None:
    """Ideal marks lie at 100%, calibrated ones near the diagonal."""
    for which in ("x", "y"):
        linear_axis(axes, which, 0, HIGHEST, ticks=(0, 0.25, 0.5, 0.75, 1), unit=0.01)
    axes.plot([0, HIGHEST], [0, HIGHEST], color="soft", lw=1, zorder=2)
    for ratio in (1 - NEAR_FRACTION, 1 + NEAR_FRACTION):
        line(axes, [0, HIGHEST], [0, HIGHEST * ratio], color="mute", dashes="guide", width=1)
    for point in data["points"]:
        look = chip(FAMILIES[point["family"]][1])
        at = {"color": look.token, "marker": look.marker, "size": 5}
        mark(axes, point["measured_fraction"], 1, **at)
        mark(axes, point["measured_fraction"], point["calibrated_fraction"], measured=True, **at)
    near = t.number(100 * NEAR_FRACTION)
    words = {"color": "mute", "small": True}
    label(axes, 0.3, 0.3 * (1 + NEAR_FRACTION), f"+{near}%", dx=-8, align="right", **words)
    label(axes, 0.2, 0.2 * (1 - NEAR_FRACTION), f"−{near}%", dx=8, dy=-4, **words)
    label(axes, 0, 1, t(zh="○ 理想", en="○ ideal"), dx=10, dy=-16, **words)
    label(axes, 0.5, 0.5 * (1 - NEAR_FRACTION), t(zh="● 校准", en="● calibrated"), dx=6, dy=-12, **words)


def draw_families(figure, data, t, *, left: float, top: float) -> None:
    """A row for each family: median error of the ideal (hollow) and of the calibrated models (filled)."""
    row_px, head = (44, 34) if figure.is_narrow else (52, 44)
    figure.text_px(left, top + 14, t(zh="误差中位数，%", en="Median error, %"))
    names = left + (118 if figure.is_narrow else 124)
    axes = figure.axes_px(names, top + head, figure.width_px - names - 34, row_px * len(FAMILIES))
    log_axis(axes, "x", LEAST_ERROR, MOST_ERROR)
    axes.set(ylim=(len(FAMILIES), 0))
    bare(axes)
    for row, (family, (name, look_id, _)) in enumerate(FAMILIES.items()):
        look, found = chip(look_id), data["families"][family]
        y, baseline = row + 0.5, top + head + row_px * (row + 0.5)
        count = t(zh=f"{found['count']}项测量", en=f"{found['count']} measurements")
        figure.text_px(left, baseline - 2, name, color=look.text_token)
        figure.text_px(left, baseline + 15, count, color="mute", small=True)
        ideal, calibrated = found["ideal_median_fraction"], found["calibrated_median_fraction"]
        axes.plot([calibrated, ideal], [y, y], color="rule", lw=1, zorder=1)
        mark(axes, ideal, y, color=look.token, marker=look.marker)
        mark(axes, calibrated, y, color=look.token, marker=look.marker, measured=True)
        label(axes, ideal, y, t.number(100 * ideal), dx=9, small=True)
        label(axes, calibrated, y, t.number(100 * calibrated, 1), dx=-9, small=True, align="right")


def describe(data, t) -> str:
    def percent(fraction: float, digits: int = 0) -> str:
        return t.number(100 * fraction, digits)

    total = data["all"]
    ideal, calibrated = (
        percent(total["ideal_median_fraction"]),
        percent(total["calibrated_median_fraction"], 1),
    )
    rows = t.join(
        [
            f"{FAMILIES[family][0]} {percent(found['calibrated_median_fraction'], 1)}%"
            for family, found in data["families"].items()
        ]
    )
    near = percent(total["near_fraction"])
    return t(
        zh=f"{total['count']}项公开测量：理想模型的误差中位数为{ideal}%，用它们校准后为{calibrated}%，"
        f"{near}%的误差不超过四分之一。校准后各系列：{rows}。",
        en=f"{total['count']} published measurements: the ideal models' median error is {ideal}%, "
        f"that of models calibrated on them {calibrated}%, with {near}% of them off by a quarter at most. "
        f"Calibrated, by family: {rows}.",
    )


def name_groups(t) -> dict:
    product, reduce = t(zh="矩阵乘", en="products"), t(zh="全归约", en="all-reduce")
    return {
        "collective": t(zh="集合通信，其他", en="collectives, other"),
        "llmc-a100": f"LLMCompass A100 {product}",
        "llmc-mi210": f"LLMCompass MI210 {product}",
        "llmc-softmax": "LLMCompass softmax",
        "llmc-gelu": "LLMCompass GELU",
        "vidur-gemm": f"Vidur {product}",
        "vidur-allreduce": f"Vidur {reduce}",
        "network": t(zh="点对点传输", en="transfers between two chips"),
        "mamf": f"MAMF {product}",
        "amd-maf": f"AMD MAF {product}",
        "tpu7x-gemm": f"TPU v7 {product}",
        "tpu7x-hbm": t(zh="TPU v7 拷贝", en="TPU v7 copies"),
        "tpu7x-ag": t(zh="TPU v7 全收集", en="TPU v7 all-gather"),
        "fa3": "FlashAttention-3",
    }


def table(data, t):
    names = {**name_groups(t), "all": t(zh="全部", en="all")}
    return make_table(
        (
            t(zh="来源", en="Group"),
            Column(t(zh="测量数", en="Measurements")),
            Column(t(zh="理想：误差中位数", en="Ideal: median error"), "%"),
            Column(t(zh="校准：误差中位数", en="Calibrated: median error"), "%", 1),
            Column(t(zh="校准：最大误差", en="Calibrated: worst"), "%"),
            Column(t(zh="误差不超过25%", en="Within 25%"), "%"),
        ),
        [
            (
                names[group],
                found["count"],
                100 * found["ideal_median_fraction"],
                100 * found["calibrated_median_fraction"],
                100 * found["worst_fraction"],
                100 * found["near_fraction"],
            )
            for group, found in (*data["groups"].items(), ("all", data["all"]))
        ],
    )

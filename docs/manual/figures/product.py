"""One matrix product on three chips: its bound, the calibrated answer, and how sure that is."""

from diglot.figures import charts
from diglot.hardware import time_gemm

TITLE = {"zh": "同一个矩阵乘法，三种把握", "en": "One product, three degrees of certainty"}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "value": {"zh": "时间", "en": "Time", "unit": "s"},
}
CHIPS = {"h100": "h100-sxm", "h800": "h800-sxm", "mi300x": "mi300x"}
SIZE = 4096


def compute():
    data = {key: measure(name) for key, name in CHIPS.items()}
    return {"size": SIZE, "rows": list(data.values()), **data}


def measure(name):
    bound = time_gemm(name, SIZE, SIZE, SIZE)
    estimate = time_gemm(name, SIZE, SIZE, SIZE, mode="calibrated").estimate
    return {
        "chip": name,
        "bound": float(bound.time_s),
        "value": float(estimate.value),
        "low": float(estimate.low),
        "high": float(estimate.high),
        "spread": float(estimate.high / estimate.value),
        "basis": str(estimate.basis),
    }


def draw(figure, data, t):
    charts.bars(figure, data["rows"], y="chip", x="value", interval=("low", "high"))


def describe(data, t):
    h100 = data["h100"]
    value, low, high = (t.number(1e6 * h100[key], 0) for key in ("value", "low", "high"))
    return t(
        zh=f"H100需要{value}微秒，区间是{low}到{high}微秒；没有测过的芯片，区间更宽。",
        en=f"An H100 takes {value} µs, with an interval from {low} to {high} µs; "
        "chips that were not measured have wider ones.",
    )

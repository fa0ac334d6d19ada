"""Seven TPUs, v2 to v7: peak arithmetic, memory bandwidth, and the ridge that the two make."""

from diglot.figures import charts, make_table
from diglot.hardware import load_catalogue

TITLE = {"zh": "七款TPU的脊点", "en": "The ridge of seven TPUs"}
MESSAGE = {
    "zh": "从TPU v2到v7，bf16峰值涨到{peak_growth | number(0)}倍，"
    "带宽只涨到{bandwidth_growth | number(0)}倍："
    "脊点从{generations.v2.ridge | number(0)}升到{generations.v7.ridge | number(0)} FLOP/B，"
    "v6e更到了{generations.v6e.ridge | number(0)}",
    "en": "From TPU v2 to v7 the bf16 peak grew {peak_growth | number(0)}-fold, bandwidth "
    "{bandwidth_growth | number(0)}-fold: the ridge rose from {generations.v2.ridge | number(0)} to "
    "{generations.v7.ridge | number(0)} FLOP/B, by way of {generations.v6e.ridge | number(0)} on v6e",
}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "year": {"zh": "年份", "en": "Year"},
    "peak_tflops_per_s": {"zh": "峰值bf16", "en": "Peak bf16", "unit": "TFLOP/s", "digits": 0},
    "bandwidth_gb_per_s": {"zh": "HBM带宽", "en": "HBM bandwidth", "unit": "GB/s", "digits": 0},
    "ridge": {
        "zh": "脊点：bf16峰值÷HBM带宽",
        "en": "Ridge: bf16 peak ÷ HBM bandwidth",
        "unit": "FLOP/B",
        "digits": 0,
    },
}
MEASURES = ("peak_tflops_per_s", "bandwidth_gb_per_s", "ridge")


def compute() -> dict:
    chips = [each for each in load_catalogue().tpu_generations if each.id != "tpu-v1"]  # v1 has no bf16
    rows = {each.id.removeprefix("tpu-"): describe_chip(each) for each in chips}
    return {
        "generations": rows,
        "count": len(rows),
        "years": chips[-1].year - chips[0].year,
        "peak_growth": rows["v7"]["peak_tflops_per_s"] / rows["v2"]["peak_tflops_per_s"],
        "bandwidth_growth": rows["v7"]["bandwidth_gb_per_s"] / rows["v2"]["bandwidth_gb_per_s"],
        "ridge_growth": rows["v7"]["ridge"] / rows["v2"]["ridge"],
    }


def describe_chip(chip) -> dict:
    return {
        "chip": chip.id,
        "year": str(chip.year),
        "peak_tflops_per_s": chip.peak_flops_per_s("bf16") / 1e12,
        "bandwidth_gb_per_s": chip.memory_bandwidth_bytes_per_s / 1e9,
        "ridge": chip.ridge_flops_per_byte("bf16"),
    }


def draw(figure, data, t) -> None:
    rows = []
    for row in data["generations"].values():
        peak, bandwidth = t.number(row["peak_tflops_per_s"]), t.number(row["bandwidth_gb_per_s"])
        rows.append({**row, "made": f"{peak} TFLOP/s ÷ {bandwidth} GB/s"})
    detail = None if figure.size == "slide" else "made"  # on a wall, the bars need the room
    charts.bars(figure, rows, y="chip", x="ridge", note="year", detail=detail)


def describe(data, t) -> str:
    rows, n = data["generations"], t.number
    first, last, steepest = rows["v2"], rows["v7"], max(rows, key=lambda name: rows[name]["ridge"])
    peaks, bandwidths, ridges = ([n(row[field]) for row in (first, last)] for field in MEASURES)
    most = n(rows[steepest]["ridge"])
    return t(
        zh=f"从TPU v2到v7，峰值从{peaks[0]}升到{peaks[1]} TFLOP/s，"
        f"带宽从{bandwidths[0]}升到{bandwidths[1]} GB/s；"
        f"脊点从{ridges[0]}移到{ridges[1]} FLOP/B，其间{steepest}最高，为{most}。",
        en=f"From TPU v2 to v7 the peak rises from {peaks[0]} to {peaks[1]} TFLOP/s and bandwidth from "
        f"{bandwidths[0]} to {bandwidths[1]} GB/s; the ridge moves from {ridges[0]} to {ridges[1]} FLOP/B, "
        f"with its highest, {most}, at {steepest}.",
    )


def table(data, t):
    return make_table(("chip", "year", *MEASURES), data["generations"].values(), t)

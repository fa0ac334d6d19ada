"""Seven TPUs, v2 to v7: peak arithmetic, memory bandwidth, and the ridge that the two make."""

from diglot.figures import Column, bar, bar_rows, chip, lollipop, make_table, zero_line
from diglot.hardware import load_catalogue

TITLE = {"zh": "七款TPU的峰值、带宽与脊点", "en": "Peak, bandwidth and ridge of seven TPUs"}
SIZES = ("narrow", "column", "wide")

ROW_PX = 30


def compute() -> dict:
    chips = [each for each in load_catalogue().tpu_generations if each.id != "tpu-v1"]  # v1 has no bf16
    rows = {
        each.id.removeprefix("tpu-"): {
            "id": each.id,
            "name": each.short_name.removeprefix("TPU "),
            "year": each.year,
            "peak_tflops_per_s": each.peak_flops_per_s("bf16") / 1e12,
            "bandwidth_gb_per_s": each.memory_bandwidth_bytes_per_s / 1e9,
            "ridge": each.ridge_flops_per_byte("bf16"),
        }
        for each in chips
    }
    first, last = rows["v2"], rows["v7"]
    return {
        "generations": rows,
        "count": len(rows),
        "years": last["year"] - first["year"],
        "peak_growth": last["peak_tflops_per_s"] / first["peak_tflops_per_s"],
        "bandwidth_growth": last["bandwidth_gb_per_s"] / first["bandwidth_gb_per_s"],
        "ridge_growth": last["ridge"] / first["ridge"],
    }


def draw(figure, data, t) -> None:
    panels = (
        ("peak_tflops_per_s", t(zh="峰值bf16，TFLOP/s", en="Peak bf16, TFLOP/s")),
        ("bandwidth_gb_per_s", t(zh="HBM带宽，GB/s", en="HBM bandwidth, GB/s")),
        ("ridge", t(zh="脊点，FLOP/B", en="Ridge, FLOP/B")),
    )
    rows = list(data["generations"].values())
    stacked = figure.is_narrow
    head, names, foot, gap = 34, 84, 22 if stacked else 8, 40 if figure.size == "wide" else 22
    body = ROW_PX * len(rows)
    figure.set_height_px((head + body + foot) * len(panels) if stacked else head + body + foot)
    width = figure.width_px - names if stacked else (figure.width_px - names - 2 * gap) / len(panels)
    for number, (field, heading) in enumerate(panels):
        left = names if stacked else names + number * (width + gap)
        top = number * (head + body + foot) if stacked else 0
        figure.text_px(left, top + 15, heading)
        axes = figure.axes_px(left, top + head, width, body)
        if stacked or number == 0:
            name_rows(figure, rows, top + head)
        draw_panel(axes, rows, field, t)


def name_rows(figure, rows, top) -> None:
    """Generation and year in front of each row."""
    for number, row in enumerate(rows):
        baseline = top + ROW_PX * (number + 0.5) + 5
        figure.text_px(0, baseline, row["name"])
        figure.text_px(36, baseline, str(row["year"]), small=True, color="mute")


def draw_panel(axes, rows, field, t) -> None:
    """Bars for what is printed; for the ridge, which is a ratio of the two, hollow marks."""
    bar_rows(axes, len(rows), max(row[field] for row in rows))
    for number, row in enumerate(rows):
        look, value = chip(row["id"]), row[field]
        if field == "ridge":
            lollipop(axes, number, value, color=look.token, marker=look.marker, text=t.number(value))
        else:
            bar(axes, number, value, color=look.token, text=t.number(value))
    if field != "ridge":
        zero_line(axes)


def describe(data, t) -> str:
    rows = data["generations"]
    first, last, steepest = rows["v2"], rows["v7"], max(rows.values(), key=lambda row: row["ridge"])
    n = t.number
    peaks = n(first["peak_tflops_per_s"]), n(last["peak_tflops_per_s"])
    bandwidths = n(first["bandwidth_gb_per_s"]), n(last["bandwidth_gb_per_s"])
    return t(
        zh=f"从TPU v2到v7，峰值从{peaks[0]}升到{peaks[1]} TFLOP/s，"
        f"带宽从{bandwidths[0]}升到{bandwidths[1]} GB/s；"
        f"脊点从{n(first['ridge'])}移到{n(last['ridge'])} FLOP/B，"
        f"其间{steepest['name']}最高，为{n(steepest['ridge'])}。",
        en=f"From TPU v2 to v7 the peak rises from {peaks[0]} to {peaks[1]} TFLOP/s and bandwidth from "
        f"{bandwidths[0]} to {bandwidths[1]} GB/s; the ridge moves from {n(first['ridge'])} to "
        f"{n(last['ridge'])} FLOP/B, with its highest, {n(steepest['ridge'])}, at {steepest['name']}.",
    )


def table(data, t):
    rows = data["generations"].values()
    return make_table(
        (
            t(zh="芯片", en="Chip"),
            t(zh="年份", en="Year"),
            Column(t(zh="峰值bf16", en="Peak bf16"), "TFLOP/s"),
            Column(t(zh="HBM带宽", en="HBM bandwidth"), "GB/s"),
            Column(t(zh="脊点", en="Ridge"), "FLOP/B"),
        ),
        [
            (
                f"TPU {row['name']}",
                str(row["year"]),
                row["peak_tflops_per_s"],
                row["bandwidth_gb_per_s"],
                row["ridge"],
            )
            for row in rows
        ],
        chips=[row["id"] for row in rows],
    )

"""Peak rates of some chips as horizontal bars."""

from diglot.figures import Column, bar, bar_rows, chip, make_table, zero_line
from diglot.hardware import load_catalogue

TITLE = {"zh": "bf16峰值算力", "en": "Peak rates in bf16"}

CHIPS = ("a100-80", "h200-sxm", "b200-sxm", "tpu-v5p", "tpu-v6e", "tpu-v7")  # of diglot's catalogue
ROW_PX = 30


def compute() -> dict:
    catalogue = load_catalogue()
    return {
        "rows": [
            {
                "id": chip_id,
                "name": catalogue[chip_id].short_name,
                "year": catalogue[chip_id].year,
                "peak_flops_per_s": catalogue[chip_id].peak_flops_per_s("bf16"),
            }
            for chip_id in CHIPS
        ]
    }


def draw(figure, data, t) -> None:
    rows, left, top = data["rows"], 92, 30
    figure.set_height_px(top + ROW_PX * len(rows) + 8)
    figure.text_px(left, 16, t(zh="峰值，TFLOP/s", en="Peak, TFLOP/s"))
    axes = figure.axes_px(left, top, figure.width_px - left, ROW_PX * len(rows))
    bar_rows(axes, len(rows), max(row["peak_flops_per_s"] for row in rows))
    for number, row in enumerate(rows):
        peak = row["peak_flops_per_s"]
        figure.text_px(0, top + ROW_PX * (number + 0.5) + 5, row["name"])
        bar(axes, number, peak, color=chip(row["id"]).token, text=t.number(peak / 1e12))
    zero_line(axes)


def describe(data, t) -> str:
    peaks = [f"{row['name']} {t.number(row['peak_flops_per_s'] / 1e12)}" for row in data["rows"]]
    return t(
        zh=f"稠密bf16峰值，TFLOP/s：{t.join(peaks)}。",
        en=f"Dense bf16 peaks in TFLOP/s: {t.join(peaks)}.",
    )


def table(data, t):
    return make_table(
        [t(zh="芯片", en="Chip"), t(zh="年份", en="Year"), Column(t(zh="峰值", en="Peak"), "TFLOP/s")],
        [(row["name"], str(row["year"]), row["peak_flops_per_s"] / 1e12) for row in data["rows"]],
        chips=[row["id"] for row in data["rows"]],
    )

"""Peak rates of some chips as level bars."""

from diglot.figures import charts, chip, make_table
from diglot.hardware import load_catalogue

TITLE = {"zh": "bf16峰值算力", "en": "Peak rates in bf16"}
MESSAGE = {
    "zh": "{most.name}的稠密bf16峰值最高：{most.peak | si('FLOP/s')}",
    "en": "{most.name} has the highest dense bf16 peak: {most.peak | si('FLOP/s')}",
}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "year": {"zh": "年份", "en": "Year"},
    "peak": {"zh": "峰值", "en": "Peak", "unit": "FLOP/s"},
}

CHIPS = ("a100-80", "h200-sxm", "b200-sxm", "tpu-v5p", "tpu-v6e", "tpu-v7")  # ids of diglot's catalogue


def compute() -> dict:
    chips = [load_catalogue()[chip_id] for chip_id in CHIPS]
    rows = [
        {"chip": c.id, "name": c.short_name, "year": str(c.year), "peak": c.peak_flops_per_s("bf16")}
        for c in chips
    ]
    return {"rows": rows, "most": max(rows, key=lambda row: row["peak"])}


def draw(figure, data, t) -> None:
    charts.bars(figure, data["rows"], y="chip", x="peak")


def describe(data, t) -> str:
    peaks = [f"{chip(row['chip']).label} {t.number(row['peak'] / 1e12)}" for row in data["rows"]]
    return t(
        zh=f"稠密bf16峰值，TFLOP/s：{t.join(peaks)}。",
        en=f"Dense bf16 peaks in TFLOP/s: {t.join(peaks)}.",
    )


def table(data, t):
    return make_table(("chip", "year", "peak"), data["rows"], t)

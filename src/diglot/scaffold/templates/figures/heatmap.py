"""The share of its peak that a chip reaches, over two sizes of a matrix product."""

from diglot.figures import charts, make_table
from diglot.hardware import count_gemm, load_catalogue

TITLE = {"zh": "矩阵大小与可达算力", "en": "Sizes of a product and the rate it reaches"}
MESSAGE = {
    "zh": "{name}做bf16矩阵乘：{least.rows}行、宽{least.width | number}时"
    "至多用到峰值的{least.share | percent}",
    "en": "A bf16 product of {least.rows} rows and width {least.width | number} reaches at most "
    "{least.share | percent} of the peak of {name}",
}
COLUMNS = {
    "rows": {"zh": "行数", "en": "Rows"},
    "width": {"zh": "权重的宽度", "en": "Width of the weights"},
    "share": {"zh": "占峰值的比例", "en": "Share of the peak", "unit": "share", "digits": 0},
}

CHIP = "h200-sxm"  # an id of diglot's catalogue of chips
ROWS = [2**power for power in range(3, 11)]  # 8 to 1,024
WIDTHS = [2**power for power in range(8, 14)]  # 256 to 8,192


def compute() -> dict:
    chip = load_catalogue()[CHIP]
    roof = chip.roofline("bf16")
    cells = []
    for width in WIDTHS:
        for rows in ROWS:
            share = roof.peak_fraction(count_gemm(rows, width, width, dtype="bf16"))
            cells.append({"rows": rows, "width": width, "share": share})
    return {"name": chip.short_name, "cells": cells, "least": cells[0], "most": cells[-1]}


def draw(figure, data, t) -> None:
    charts.heat_map(figure, data["cells"], x="rows", y="width", value="share")


def describe(data, t) -> str:
    least, most = (t.percent(data[end]["share"]) for end in ("least", "most"))
    return t(
        zh=f"{data['name']}上bf16矩阵乘法的可达算力：最小的一格占峰值的{least}，最大的一格占{most}。",
        en=f"What {data['name']} reaches in a bf16 matrix product: {least} of its peak at the smallest "
        f"sizes, {most} at the largest.",
    )


def table(data, t):
    return make_table(("width", "rows", "share"), data["cells"], t)

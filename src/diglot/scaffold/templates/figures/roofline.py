"""Rooflines of a few chips: the rate that each can reach at an arithmetic intensity."""

from typing import Literal

from diglot.figures import Column, axis_titles, chip, direct_labels, log_axis, make_table, roof
from diglot.hardware import load_catalogue

TITLE = {"zh": "屋顶线", "en": "Rooflines"}

CHIPS = {"a100": "a100-80", "h200": "h200-sxm", "v6e": "tpu-v6e"}  # ids of diglot's catalogue of chips


def compute(dtype: Literal["bf16", "int8"] = "bf16") -> dict:
    catalogue = load_catalogue()
    chips = {}
    for key, chip_id in CHIPS.items():
        roofline = catalogue[chip_id].roofline(dtype)
        chips[key] = {
            "id": chip_id,
            "peak_flops_per_s": roofline.peak_flops_per_s,
            "bandwidth_bytes_per_s": roofline.memory_bandwidth_bytes_per_s,
            "ridge": roofline.ridge_flops_per_byte,
        }
    return {**chips, "dtype": dtype}


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    figure.set_height_px({"narrow": 300, "slide": 320}.get(figure.size, 360))
    left, right, top, bottom = 48, (72 if narrow else 96), 48, 54
    axes = figure.axes_px(left, top, figure.width_px - left - right, figure.height_px - top - bottom)
    log_axis(axes, "x", 1, 10_000)
    log_axis(axes, "y", 1e12, 4e15, unit=1e12)
    axis_titles(
        figure,
        y=t(zh="可达算力", en="Attainable rate"),
        unit="TFLOP/s" if data["dtype"] == "bf16" else "TOP/s",
        x=t(zh="算术强度，FLOP/B", en="Arithmetic intensity, FLOP/B"),
        right=figure.width_px - right,
    )
    names = []
    for key in CHIPS:
        row, look = data[key], chip(data[key]["id"])
        roof(axes, peak=row["peak_flops_per_s"], bandwidth=row["bandwidth_bytes_per_s"], chip=look)
        names.append((row["peak_flops_per_s"], look.label, look.text_token))
    direct_labels(axes, 10_000, names)


def describe(data, t) -> str:
    ridges = [f"{chip(data[key]['id']).label} {t.number(data[key]['ridge'])}" for key in CHIPS]
    return t(
        zh=f"{data['dtype']}屋顶线，脊点（FLOP/B）：{t.join(ridges)}。",
        en=f"Rooflines in {data['dtype']}, with their ridges in FLOP/B: {t.join(ridges)}.",
    )


def table(data, t):
    rate = "TFLOP/s" if data["dtype"] == "bf16" else "TOP/s"
    return make_table(
        [
            t(zh="芯片", en="Chip"),
            Column(t(zh="峰值", en="Peak"), rate),
            Column(t(zh="带宽", en="Bandwidth"), "GB/s"),
            Column(t(zh="脊点", en="Ridge"), "FLOP/B"),
        ],
        [
            (
                chip(data[key]["id"]).label,
                data[key]["peak_flops_per_s"] / 1e12,
                data[key]["bandwidth_bytes_per_s"] / 1e9,
                data[key]["ridge"],
            )
            for key in CHIPS
        ],
        chips=[data[key]["id"] for key in CHIPS],
    )

"""Rooflines of a few chips: the rate that each can reach at an arithmetic intensity."""

from typing import Literal

from diglot.figures import charts, chip, make_table
from diglot.hardware import load_catalogue

TITLE = {"zh": "屋顶线", "en": "Rooflines"}
MESSAGE = {
    "zh": "{first.name}用满{dtype}峰值，每读一个字节要做{first.ridge | number(0)}次运算",
    "en": "{first.name} reaches its {dtype} peak with {first.ridge | number(0)} operations per byte read",
}
LABELS = {"dtype": {"zh": "精度", "en": "Precision"}}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "peak": {"zh": "峰值", "en": "Peak", "unit": "FLOP/s"},
    "bandwidth": {"zh": "带宽", "en": "Bandwidth", "unit": "B/s"},
    "ridge": {"zh": "脊点", "en": "Ridge", "unit": "FLOP/B"},
    "intensity": {"zh": "算术强度", "en": "Arithmetic intensity", "unit": "FLOP/B"},
    "rate": {"zh": "可达算力", "en": "Attainable rate", "unit": "FLOP/s"},
}

CHIPS = ("h200-sxm", "tpu-v6e", "tpu-v7")  # ids of diglot's catalogue of chips


def compute(dtype: Literal["bf16", "fp8"] = "bf16") -> dict:
    roofs = [
        {
            "chip": chip_id,
            "name": load_catalogue()[chip_id].short_name,
            "dtype": dtype,
            "peak": roof.peak_flops_per_s,
            "bandwidth": roof.memory_bandwidth_bytes_per_s,
            "ridge": roof.ridge_flops_per_byte,
        }
        for chip_id in CHIPS
        for roof in [load_catalogue()[chip_id].roofline(dtype)]
    ]
    return {"dtype": dtype, "roofs": roofs, "first": roofs[0]}


def draw(figure, data, t) -> None:
    charts.roofline(figure, data["roofs"], dtype="dtype", x_domain=(10, 10_000), y_domain=(1e13, 1e16))


def describe(data, t) -> str:
    ridges = [f"{chip(roof['chip']).label} {t.number(roof['ridge'])}" for roof in data["roofs"]]
    return t(
        zh=f"{data['dtype']}屋顶线，脊点（FLOP/B）：{t.join(ridges)}。",
        en=f"Rooflines in {data['dtype']}, with their ridges in FLOP/B: {t.join(ridges)}.",
    )


def table(data, t):
    return make_table(("chip", "peak", "bandwidth", "ridge"), data["roofs"], t)

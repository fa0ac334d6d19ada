"""What another bandwidth does to one roof: the H200 as published, and with the bandwidth that is chosen."""

from dataclasses import replace
from typing import Literal

from roofline import count_kernels

from diglot.figures import Column, charts, make_table
from diglot.hardware import load_catalogue

KERNELS = ("decode_32", "decode_256", "flash")

TITLE = {"zh": "改H200的带宽", "en": "Another bandwidth for the H200"}
MESSAGE = {
    "zh": "带宽从{before.gb_per_s | number(0)}改成{after.gb_per_s | number(0)} GB/s，"
    "H200的脊点就从{before.ridge | number(0)}移到{after.ridge | number(0)} FLOP/B",
    "en": "With {after.gb_per_s | number(0)} instead of {before.gb_per_s | number(0)} GB/s, the H200’s ridge "
    "moves from {before.ridge | number(0)} to {after.ridge | number(0)} FLOP/B",
}
LABELS = {"gb_per_s": {"zh": "带宽改成（GB/s）", "en": "New bandwidth, GB/s"}}
COLUMNS = {
    "intensity": {"zh": "算术强度", "en": "Arithmetic intensity", "unit": "FLOP/B", "digits": 1},
    "rate": {"zh": "可达算力", "en": "Attainable rate", "unit": "FLOP/s"},
    "kernel": {
        "zh": "算子",
        "en": "Kernel",
        "names": {
            "decode_32": {"zh": "解码 32", "en": "decode 32"},
            "decode_256": {"zh": "解码 256", "en": "decode 256"},
            "flash": "FlashAttention",
        },
    },
    "before": {"zh": "改之前", "en": "Before", "unit": "share", "digits": 0},
    "after": {"zh": "改之后", "en": "After", "unit": "share", "digits": 0},
}
INTENSITIES = tuple(50 * 2 ** (step / 20) for step in range(81))  # 50 to 800


def compute(gb_per_s: Literal[3200, 3600, 4000, 4400, 4800, 5200] = 4000) -> dict:
    published = load_catalogue()["h200-sxm"].roofline("bf16")
    changed = replace(published, memory_bandwidth_bytes_per_s=gb_per_s * 1e9)
    kernels = {name: kernel for name, kernel in count_kernels("bf16").items() if name in KERNELS}
    return {
        "before": describe_roof(published),
        "after": describe_roof(changed),
        "kernels": [
            {
                "kernel": name,
                "before": published.peak_fraction(kernel),
                "after": changed.peak_fraction(kernel),
                "intensity": kernel.intensity_flops_per_byte,
                "rate": changed.kernel_flops_per_s(kernel),
            }
            for name, kernel in kernels.items()
        ],
    }


def describe_roof(roof) -> dict:
    return {
        "gb_per_s": roof.memory_bandwidth_bytes_per_s / 1e9,
        "ridge": roof.ridge_flops_per_byte,
        "peak": roof.peak_flops_per_s,
        "intensity": INTENSITIES,
        "rate": [roof.attainable_flops_per_s(intensity) for intensity in INTENSITIES],
    }


def draw(figure, data, t) -> None:
    scales = {"x_scale": "log10", "y_scale": "log10", "x_domain": (50, 800), "y_domain": (1e14, 1.5e15)}
    chart = charts.frame(figure, x="intensity", y="rate", **scales)
    roofs = (("before", t(zh="改之前", en="before"), "mute"), ("after", t(zh="改之后", en="after"), "gpu3"))
    for key, name, color in roofs:
        roof = data[key]
        chart.lines({"intensity": roof["intensity"], "rate": roof["rate"]}, name=name, color=color)
        ridge = {"intensity": roof["ridge"], "rate": roof["peak"], "text": t.number(roof["ridge"])}
        chart.points([ridge], color=color, label="text", name=False, drop=True)


def describe(data, t) -> str:
    n, before, after = t.number, data["before"], data["after"]
    rows = [f"{t.name('kernel', row['kernel'])} {t.percent(row['after'])}" for row in data["kernels"]]
    return t(
        zh=f"H200的bf16屋顶线，带宽{n(before['gb_per_s'])}与{n(after['gb_per_s'])} GB/s，"
        f"脊点{n(before['ridge'])}与{n(after['ridge'])} FLOP/B。改后占峰值：{t.join(rows)}。",
        en=f"The H200’s roofline in bf16 at {n(before['gb_per_s'])} and {n(after['gb_per_s'])} GB/s, with "
        f"ridges at {n(before['ridge'])} and {n(after['ridge'])} FLOP/B. Share of the peak then: "
        f"{t.join(rows)}.",
    )


def table(data, t):
    rows = [
        (label, *(data[when][key] for when in ("before", "after")))
        for label, key in (
            (t(zh="带宽，GB/s", en="Bandwidth, GB/s"), "gb_per_s"),
            (t(zh="脊点，FLOP/B", en="Ridge, FLOP/B"), "ridge"),
        )
    ]
    share = t(zh="，峰值的%", en=", % of the peak")
    rows += [
        (t.name("kernel", row["kernel"]) + share, 100 * row["before"], 100 * row["after"])
        for row in data["kernels"]
    ]
    columns = [
        Column(heading, digits=0) for heading in (t(zh="改之前", en="Before"), t(zh="改之后", en="After"))
    ]
    return make_table(("", *columns), rows)

"""Every chip of the catalogue, with the figures that models read: numbers for prose and one table.

Rates are given as they are read aloud: TFLOP/s, GB/s; the ridge in FLOP/B. None is what no source gives.
"""

from diglot.figures import make_table
from diglot.hardware import MissingFigureError, load_catalogue

TITLE = {"zh": "芯片目录", "en": "The catalogue of chips"}
MESSAGE = {
    "zh": "{gpu_count}种GPU、{tpu_count}种TPU、{npu_count}种其他芯片，"
    "{figure_count}个数出自{source_count}个来源",
    "en": "{gpu_count} GPUs, {tpu_count} TPUs, {npu_count} others: "
    "{figure_count} figures from {source_count} sources",
}
FORMATS = {"peak16": ("bf16", "fp16"), "peak8": ("fp8", "int8")}
"""Of each width the quickest format counts: TPU v6e does integers at twice the rate of fp8."""
COLUMNS = {
    "name": {"zh": "芯片", "en": "Chip"},
    "year": {"zh": "年份", "en": "Year"},
    "peak16_tflops_per_s": {"zh": "16位峰值", "en": "16-bit peak", "unit": "TFLOP/s", "digits": 0},
    "peak8_tflops_per_s": {"zh": "8位峰值", "en": "8-bit peak", "unit": "TOP/s", "digits": 0},
    "memory_gb": {"zh": "内存", "en": "Memory", "unit": "GB", "digits": 0},
    "bandwidth_gb_per_s": {"zh": "带宽", "en": "Bandwidth", "unit": "GB/s", "digits": 0},
    "ridge": {"zh": "脊点", "en": "Ridge", "unit": "FLOP/B", "digits": 0},
    "link_gb_per_s": {"zh": "互连", "en": "Links", "unit": "GB/s", "digits": 0},
    "power_w": {"zh": "功耗", "en": "Power", "unit": "W", "digits": 0},
}


def compute() -> dict:
    catalogue = load_catalogue()
    return {
        "chips": {each.id.replace("-", "_"): describe_chip(each) for each in catalogue.chips},
        "count": len(catalogue.chips),
        "gpu_count": len(catalogue.of_kind("gpu")),
        "tpu_count": len(catalogue.of_kind("tpu")),
        "npu_count": len(catalogue.of_kind("npu")),
        "source_count": len(catalogue.sources),
        "conflict_count": len(catalogue.conflicts),
        "figure_count": sum(len(each.quantities) for each in catalogue.chips),
    }


def describe_chip(found) -> dict:
    peaks = {
        width: max(
            (found.peak_flops_per_s(dtype) / 1e12 for dtype in formats if dtype in found.dtypes), default=None
        )
        for width, formats in FORMATS.items()
    }
    bandwidth_gb_per_s = found.memory_bandwidth_bytes_per_s / 1e9
    return {
        "chip": found.id,
        "name": found.short_name,
        "vendor": found.vendor,
        "kind": found.kind,
        "year": str(found.year),
        **{f"{width}_tflops_per_s": peak for width, peak in peaks.items()},
        "memory_gb": found.memory_bytes / 1e9,
        "bandwidth_gb_per_s": bandwidth_gb_per_s,
        "ridge": peaks["peak16"] and peaks["peak16"] * 1e3 / bandwidth_gb_per_s,
        "link_gb_per_s": read_figure(found, "interconnect_bytes_per_s", 1e9),
        "power_w": read_figure(found, "tdp_w", 1),
    }


def read_figure(found, name: str, unit: float) -> float | None:
    """A property of a chip in a larger unit, or None where its sources do not give it."""
    try:
        return getattr(found, name) / unit
    except MissingFigureError:
        return None


def table(data, t):
    return make_table(tuple(COLUMNS), data["chips"].values(), t)

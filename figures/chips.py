"""The figures of the chips that the articles compare: numbers for prose and one table, no picture.

Rates are given as they are read aloud: TFLOP/s, GB/s; the ridge in FLOP/B.
"""

from diglot.figures import make_table
from diglot.hardware import load_catalogue

TITLE = {"zh": "几种芯片的公开参数", "en": "Published figures of some chips"}
MESSAGE = {
    "zh": "从{h200.name}的{h200.ridge | number(0)}到{v6e.name}的{v6e.ridge | number(0)} FLOP/B："
    "峰值相近，脊点差{(v6e.ridge / h200.ridge) | number(1)}倍",
    "en": "From {h200.ridge | number(0)} FLOP/B on {h200.name} to {v6e.ridge | number(0)} on {v6e.name}: "
    "peaks alike, ridges a factor of {(v6e.ridge / h200.ridge) | number(1)} apart",
}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "peak_tflops_per_s": {"zh": "峰值bf16", "en": "Peak bf16", "unit": "TFLOP/s", "digits": 0},
    "bandwidth_gb_per_s": {"zh": "带宽", "en": "Bandwidth", "unit": "GB/s", "digits": 0},
    "ridge": {"zh": "脊点", "en": "Ridge", "unit": "FLOP/B", "digits": 0},
    "units": {"zh": "矩阵单元", "en": "Matrix units"},
}
CHIPS = {"h200": "h200-sxm", "v5p": "tpu-v5p", "v6e": "tpu-v6e", "v7": "tpu-v7"}


def compute() -> dict:
    catalogue = load_catalogue()
    return {key: describe_chip(catalogue[chip_id]) for key, chip_id in CHIPS.items()}


def describe_chip(chip) -> dict:
    """What prose asks of a chip, from the catalogue; the units it runs on are SMs or MXUs."""
    gpu = chip.kind == "gpu"
    count, side = chip.processor_count if gpu else chip.mxu_count, 0 if gpu else chip.mxu_rows_count
    square = f"{side}\u00a0×\u00a0{side}"
    return {
        "chip": chip.id,
        "name": chip.short_name,
        "peak_tflops_per_s": chip.peak_flops_per_s("bf16") / 1e12,
        "bandwidth_gb_per_s": chip.memory_bandwidth_bytes_per_s / 1e9,
        "ridge": chip.ridge_flops_per_byte("bf16"),
        "unit_count": count,
        "array_side": side,
        "units": {"zh": f"{count}个SM", "en": f"{count}\u00a0SMs"} if gpu else square,
    }


def table(data, t):
    return make_table(tuple(COLUMNS), data.values(), t)

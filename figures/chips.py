"""The figures of the chips that the articles compare: numbers for prose and one table, no picture.

Rates are given as they are read aloud: TFLOP/s, GB/s; the ridge in FLOP/B.
"""

from diglot.figures import Column, make_table
from diglot.hardware import load_catalogue

TITLE = {"zh": "几种芯片的公开参数", "en": "Published figures of some chips"}

CHIPS = {"h200": "h200-sxm", "v5p": "tpu-v5p", "v6e": "tpu-v6e", "v7": "tpu-v7"}


def compute() -> dict:
    catalogue = load_catalogue()
    return {key: describe_chip(catalogue[chip_id]) for key, chip_id in CHIPS.items()}


def describe_chip(chip) -> dict:
    """What prose asks of a chip, from the catalogue; the units it runs on are SMs or MXUs."""
    gpu = chip.kind == "gpu"
    return {
        "id": chip.id,
        "name": chip.short_name,
        "kind": chip.kind,
        "year": chip.year,
        "peak_tflops_per_s": chip.peak_flops_per_s("bf16") / 1e12,
        "bandwidth_gb_per_s": chip.memory_bandwidth_bytes_per_s / 1e9,
        "ridge": chip.ridge_flops_per_byte("bf16"),
        "unit_count": chip.processor_count if gpu else chip.mxu_count,
        "array_side": 0 if gpu else chip.mxu_rows_count,
    }


def table(data, t):
    return make_table(
        (
            t(zh="芯片", en="Chip"),
            Column(t(zh="峰值bf16", en="Peak bf16"), "TFLOP/s"),
            Column(t(zh="带宽", en="Bandwidth"), "GB/s"),
            Column(t(zh="脊点", en="Ridge"), "FLOP/B"),
            t(zh="矩阵单元", en="Matrix units"),
        ),
        [
            (
                row["name"],
                row["peak_tflops_per_s"],
                row["bandwidth_gb_per_s"],
                row["ridge"],
                t(zh="{}个SM", en="{}\u00a0SMs").format(row["unit_count"])
                if row["kind"] == "gpu"
                else f"{row['array_side']}\u00a0×\u00a0{row['array_side']}",
            )
            for row in data.values()
        ],
        chips=[row["id"] for row in data.values()],
    )

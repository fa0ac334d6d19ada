"""Published figures of some chips: a table and values for the text, without a drawing."""

from diglot.figures import Column, make_table
from diglot.hardware import load_catalogue

TITLE = {"zh": "几种芯片的公开参数", "en": "Published figures of some chips"}

CHIPS = {"h200": "h200-sxm", "b200": "b200-sxm", "v6e": "tpu-v6e", "v7": "tpu-v7"}  # of diglot's catalogue


def compute() -> dict:
    catalogue = load_catalogue()
    return {
        key: {
            "id": chip_id,
            "name": catalogue[chip_id].short_name,
            "year": catalogue[chip_id].year,
            "peak_flops_per_s": catalogue[chip_id].peak_flops_per_s("bf16"),
            "bandwidth_bytes_per_s": catalogue[chip_id].memory_bandwidth_bytes_per_s,
            "ridge": catalogue[chip_id].ridge_flops_per_byte("bf16"),
        }
        for key, chip_id in CHIPS.items()
    }


def table(data, t):
    return make_table(
        [
            t(zh="芯片", en="Chip"),
            t(zh="年份", en="Year"),
            Column(t(zh="bf16峰值", en="Peak bf16"), "TFLOP/s"),
            Column(t(zh="显存带宽", en="Memory bandwidth"), "TB/s", 1),
            Column(t(zh="脊点", en="Ridge"), "FLOP/B"),
        ],
        [
            (
                row["name"],
                str(row["year"]),
                row["peak_flops_per_s"] / 1e12,
                row["bandwidth_bytes_per_s"] / 1e12,
                row["ridge"],
            )
            for row in data.values()
        ],
        chips=[row["id"] for row in data.values()],
    )

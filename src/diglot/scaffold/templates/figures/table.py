"""Published figures of some chips: a table and values for the text, without a drawing."""

from diglot.figures import make_table
from diglot.hardware import load_catalogue

TITLE = {"zh": "几种芯片的公开参数", "en": "Published figures of some chips"}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "year": {"zh": "年份", "en": "Year"},
    "peak": {"zh": "bf16峰值", "en": "Peak bf16", "unit": "FLOP/s"},
    "bandwidth": {"zh": "显存带宽", "en": "Memory bandwidth", "unit": "B/s"},
    "ridge": {"zh": "脊点", "en": "Ridge", "unit": "FLOP/B", "digits": 0},
}

CHIPS = {"h200": "h200-sxm", "b200": "b200-sxm", "v6e": "tpu-v6e", "v7": "tpu-v7"}  # of diglot's catalogue


def compute() -> dict:
    """The rows by their key, so that the text can quote `name_of_this_script.h200.ridge`."""
    chips = {key: load_catalogue()[chip_id] for key, chip_id in CHIPS.items()}
    return {
        key: {
            "chip": chip.id,
            "year": str(chip.year),
            "peak": chip.peak_flops_per_s("bf16"),
            "bandwidth": chip.memory_bandwidth_bytes_per_s,
            "ridge": chip.ridge_flops_per_byte("bf16"),
        }
        for key, chip in chips.items()
    }


def table(data, t):
    return make_table(tuple(COLUMNS), data.values(), t)

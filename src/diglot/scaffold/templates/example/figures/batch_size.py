"""How much of its peak a chip reaches while a language model decodes, against the batch."""

from typing import Literal

from diglot.figures import charts, chip, make_table
from diglot.hardware import count_gemm, find_critical_rows, load_catalogue

TITLE = {"zh": "批量与可达算力", "en": "Batch and attainable rate"}
MESSAGE = {
    "zh": "70B模型以bf16解码：H200要批量{h200.critical | number(0)}才用满峰值，"
    "TPU v6e要{v6e.critical | number(0)}",
    "en": "Decoding a 70B model in bf16, H200 needs a batch of {h200.critical | number(0)} to reach its "
    "peak, TPU v6e one of {v6e.critical | number(0)}",
}
LABELS = {"batch": {"zh": "批量", "en": "Batch"}}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "batch": {"zh": "批量", "en": "Batch"},
    "share": {"zh": "占峰值的比例", "en": "Share of peak", "unit": "share", "digits": 0},
}

CHIPS = {"h200": "h200-sxm", "v6e": "tpu-v6e"}  # names for the text, and ids in diglot's catalogue of chips
WIDTH, HIDDEN = 8192, 28672  # of the feed-forward layers of a model with 70 billion parameters
BATCHES = sorted({round(2 ** (step / 8)) for step in range(89)})  # 1 to 2,048


def compute(batch: Literal[1, 4, 16, 64, 256, 1024] = 64) -> dict:
    """The data of the figure, which the text quotes as `batch_size.h200.ridge` and so on."""
    chips = {key: load_catalogue()[chip_id] for key, chip_id in CHIPS.items()}
    curves = [{"chip": chip.id, **reach(chip, each)} for chip in chips.values() for each in BATCHES]
    return {"batch": batch, "curves": curves, **{key: measure(chip, batch) for key, chip in chips.items()}}


def reach(chip, batch) -> dict:
    roofline, kernel = chip.roofline("bf16"), count_gemm(batch, WIDTH, HIDDEN, dtype="bf16")
    return {"batch": batch, "share": roofline.peak_fraction(kernel)}


def measure(chip, batch) -> dict:
    roofline = chip.roofline("bf16")
    return {
        "chip": chip.id,
        **reach(chip, batch),
        "intensity": count_gemm(batch, WIDTH, HIDDEN, dtype="bf16").intensity_flops_per_byte,
        "peak": roofline.peak_flops_per_s,
        "bandwidth": roofline.memory_bandwidth_bytes_per_s,
        "ridge": roofline.ridge_flops_per_byte,
        "critical": find_critical_rows(WIDTH, HIDDEN, roofline=roofline, dtype="bf16"),
    }


def draw(figure, data, t) -> None:
    """Called for each language and width, and for each batch that readers can choose."""
    chart = charts.frame(figure, x="batch", y="share", x_scale="log2", y_domain=(0, 1.1))
    chart.lines(data["curves"], series="chip")
    chart.points([data[key] for key in CHIPS], series="chip", label="share", prefer="above left")


def describe(data, t) -> str:
    """The alternative text, for readers who cannot see the drawing."""
    shares = [f"{chip(data[key]['chip']).label} {t.percent(data[key]['share'])}" for key in CHIPS]
    return t(
        zh=f"可达算力随批量成比例上升，直到峰值。批量为{data['batch']}时占峰值的比例：{t.join(shares)}。",
        en="The attainable rate grows in proportion to the batch, up to the peak. "
        f"Shares of the peak at a batch of {data['batch']}: {t.join(shares)}.",
    )


def table(data, t):
    rows = [row for row in data["curves"] if row["batch"] in (1, 4, 16, 64, 256, 1024)]
    return make_table(("chip", "batch", "share"), rows, t)

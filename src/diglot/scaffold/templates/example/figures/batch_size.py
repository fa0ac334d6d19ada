"""How much of its peak a chip reaches while a language model decodes, against the batch."""

from diglot.figures import (
    Column,
    axis_titles,
    chip,
    direct_labels,
    drop_line,
    line,
    linear_axis,
    log_axis,
    make_table,
    mark,
)
from diglot.hardware import count_gemm, find_critical_rows, load_catalogue

TITLE = {"zh": "批量与可达算力", "en": "Batch and attainable rate"}

CHIPS = {"h200": "h200-sxm", "v6e": "tpu-v6e"}  # names for the text, and ids in diglot's catalogue of chips
WIDTH, HIDDEN = 8192, 28672  # of the feed-forward layers of a model with 70 billion parameters
BATCHES = sorted({round(2 ** (step / 8)) for step in range(89)})  # 1 to 2,048
TOLD = (1, 32, 256)  # the batches that the text mentions


def compute() -> dict:
    """The data of the figure, which the text quotes as `batch_size.h200.ridge` and so on."""
    catalogue = load_catalogue()
    return {"batches": BATCHES, **{key: measure(catalogue[chip_id]) for key, chip_id in CHIPS.items()}}


def measure(chip) -> dict:
    roofline = chip.roofline("bf16")
    kernels = {batch: count_gemm(batch, WIDTH, HIDDEN, dtype="bf16") for batch in BATCHES}
    share = {
        batch: roofline.kernel_flops_per_s(kernel) / roofline.peak_flops_per_s
        for batch, kernel in kernels.items()
    }
    return {
        "id": chip.id,
        "peak_flops_per_s": roofline.peak_flops_per_s,
        "bandwidth_bytes_per_s": roofline.memory_bandwidth_bytes_per_s,
        "ridge": roofline.ridge_flops_per_byte,
        "critical": find_critical_rows(WIDTH, HIDDEN, roofline=roofline, dtype="bf16"),
        "intensity_at": {batch: kernels[batch].intensity_flops_per_byte for batch in TOLD},
        "share": list(share.values()),
        "share_at": {batch: share[batch] for batch in TOLD},
    }


def draw(figure, data, t) -> None:
    """Called for each language and width: on a phone, `figure.is_narrow` is true."""
    narrow = figure.is_narrow
    figure.set_height_px(260 if narrow else 320)
    left, right, top, bottom = 44, (72 if narrow else 96), 48, 54
    axes = figure.axes_px(left, top, figure.width_px - left - right, figure.height_px - top - bottom)
    log_axis(axes, "x", 1, BATCHES[-1], ticks=(1, 16, 256) if narrow else (1, 4, 16, 64, 256, 1024))
    linear_axis(axes, "y", 0, 1.05, ticks=(0, 0.25, 0.5, 0.75, 1), unit=0.01)
    axis_titles(
        figure,
        y=t(zh="占峰值", en="Share of peak"),
        unit="%",
        x=t(zh="批量", en="Batch"),
        right=figure.width_px - right,
    )
    for key in CHIPS:
        row, look = data[key], chip(data[key]["id"])
        drop_line(axes, row["critical"], 1, color=look.token)
        line(axes, data["batches"], row["share"], color=look.token)
        mark(axes, row["critical"], 1, color=look.token, marker=look.marker)
    ends = [(data[key]["share"][-1], chip(data[key]["id"])) for key in CHIPS]
    direct_labels(axes, BATCHES[-1], [(share, look.label, look.text_token) for share, look in ends])


def describe(data, t) -> str:
    """The alternative text, for readers who cannot see the drawing."""
    full = [f"{chip(data[key]['id']).label} {t.number(data[key]['critical'])}" for key in CHIPS]
    return t(
        zh=f"可达算力随批量成比例上升，升到峰值所需的批量：{t.join(full)}。",
        en=f"The attainable rate grows in proportion to the batch; it reaches the peak at {t.join(full)}.",
    )


def table(data, t):
    share = t(zh="占峰值", en="share of peak")
    rows = [n for n, batch in enumerate(data["batches"]) if batch.bit_count() == 1]  # powers of two
    return make_table(
        [
            t(zh="批量", en="Batch"),
            *(Column(f"{chip(data[key]['id']).label}, {share}", "%", 1) for key in CHIPS),
        ],
        [(data["batches"][n], *(100 * data[key]["share"][n] for key in CHIPS)) for n in rows],
    )

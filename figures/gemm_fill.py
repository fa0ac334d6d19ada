"""What three chips make of a matrix product that a reader chooses: share of the peak, and least time."""

from diglot.figures import Answer, Column, Field, Form, LogRange, chip, make_table
from diglot.hardware import GpuProcessors, estimate_gpu_gemm, estimate_tpu_gemm, load_catalogue

TITLE = {"zh": "你的矩阵乘能用到峰值的几成", "en": "Your matrix product on three chips"}
MESSAGE = {
    "zh": "头维度128的矩阵乘，TPU v6e只用到峰值的{head.v6e_share | number(0)}%，"
    "H200有{head.h200_share | number(0)}%，TPU v5p有{head.v5p_share | number(0)}%",
    "en": "With a head dimension of 128, a matrix product reaches {head.v6e_share | number(0)}% of TPU v6e's "
    "peak, {head.h200_share | number(0)}% of H200's and {head.v5p_share | number(0)}% of TPU v5p's",
}

CHIPS = {"h200": "h200-sxm", "v5p": "tpu-v5p", "v6e": "tpu-v6e"}
LABELLED = {key: chip(chip_id).label for key, chip_id in CHIPS.items()}
NAMES = {
    **{key: {"zh": label, "en": label} for key, label in LABELLED.items()},
    **{f"{key}_time": {"zh": f"{label}用时", "en": f"{label}, time"} for key, label in LABELLED.items()},
}
# Powers of two, halfway to the next, and 1/32 beyond each, where a new tile has just begun.
WIDTHS = sorted({round(2**power * factor) for power in range(16) for factor in (1, 33 / 32, 1.5)} | {65536})
SHAPES = {  # the first is the message's, in which the form opens
    "head": ({"zh": "头维度128", "en": "head dimension 128"}, {"m": 2048, "k": 128, "n": 2048}),
    "wave": ({"zh": "一波装满", "en": "one full wave"}, {"m": 2048, "k": 8192, "n": 2048}),
    "spill": ({"zh": "再多64列", "en": "64 more columns"}, {"m": 2048, "k": 8192, "n": 2112}),
    "decode": ({"zh": "批量8的解码", "en": "decoding, batch 8"}, {"m": 8, "k": 8192, "n": 24576}),
}
FORM = Form(
    fields={
        "m": Field(LogRange(1, 65536), {"zh": "M", "en": "M"}),
        "k": Field(LogRange(32, 32768), {"zh": "K", "en": "K"}),
        "n": Field(WIDTHS, {"zh": "N", "en": "N"}),
    },
    answers={
        **{f"{key}_share": Answer(label=NAMES[key], unit="%", chip=CHIPS[key]) for key in CHIPS},
        **{
            f"{key}_time": Answer(
                label=NAMES[f"{key}_time"], unit="µs", digits=1, chip=CHIPS[key], between="monotone"
            )
            for key in CHIPS
        },
    },
    presets=tuple(SHAPES.values()),
)


def compute() -> dict:
    return {name: {**shape, **answer(**shape)} for name, (_, shape) in SHAPES.items()}


def answer(m, k, n) -> dict:
    """Share of the bf16 peak in percent, and time in µs, of C[m, n] = A[m, k] @ B[k, n]."""
    catalogue = load_catalogue()
    found = estimate_gpu_gemm(m, k, n, gpu=GpuProcessors.of_chip(catalogue[CHIPS["h200"]]))
    answers = {"h200_share": 100 * found.peak_fraction, "h200_time": 1e6 * found.time_s}
    for key in ("v5p", "v6e"):
        found = estimate_tpu_gemm(m, k, n, chip=catalogue[CHIPS[key]])
        answers |= {f"{key}_share": 100 * found.utilisation_fraction, f"{key}_time": 1e6 * found.time_s}
    return answers


def table(data, t):
    shares = [Column(t(zh=f"{of}占峰值", en=f"{of}, share of peak"), "%", 0) for of in LABELLED.values()]
    return make_table(
        (t(zh="形状", en="Shape"), *"MKN", *shares),
        [
            (t(**SHAPES[name][0]), *(row[side] for side in "mkn"), *(row[f"{key}_share"] for key in CHIPS))
            for name, row in data.items()
        ],
    )

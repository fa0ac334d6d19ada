"""Thousands of chips on one model: which share of their peak a step of training can use, by their number.

Llama 3 70B with its state sharded over all chips (FSDP), a batch of fixed size. A step takes its FLOPs at
the peak, or two gathers of the weights and one reduce-scatter of the gradients, each half an all-reduce:
whichever is longer, as if one hid behind the other and a sequence could be cut anywhere. Lower bounds; of
arrays of this size no latency shows.
"""

from typing import Literal

import numpy as np

from diglot import hardware
from diglot.figures import charts, chip, make_table

TITLE = {"zh": "训练的算力利用率与芯片数", "en": "Utilisation in training against the number of chips"}
MESSAGE = {
    "zh": "训练{model}（FSDP，bf16，每步{batch_mtokens} Mi词元）："
    "TPU v7过{chips.v7.knee.chips | number(0)}块、H100过{chips.h100.knee.chips | number(0)}块，"
    "网络就成了瓶颈",
    "en": "Training {model} (FSDP, bf16, {batch_mtokens} Mi tokens a step): the network is the limit beyond "
    "{chips.v7.knee.chips | number(0)} TPU v7 or {chips.h100.knee.chips | number(0)} H100",
}
LABELS = {
    "batch_mtokens": {"zh": "每步词元", "en": "Tokens a step"},
    **{f"batch_mtokens={batch}": {"zh": f"{batch} Mi", "en": f"{batch} Mi"} for batch in (4, 8, 16)},
}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "shape": {"zh": "形状", "en": "Shape"},
    "chips": {"zh": "芯片数", "en": "Chips"},
    "all_reduce_s": {"zh": "梯度全归约", "en": "Gradient all-reduce", "unit": "seconds", "digits": 2},
    "chip_tokens": {"zh": "每芯片词元", "en": "Tokens per chip", "digits": 0},
    "compute_s": {"zh": "计算", "en": "Compute", "unit": "seconds", "digits": 2},
    "step_s": {"zh": "训练一步", "en": "Step", "unit": "seconds", "digits": 2},
    "share": {"zh": "算力利用率，上界", "en": "Utilisation of peak, at most", "unit": "share"},
}

MODEL, SEQUENCE_TOKENS = "llama-3-70b", 4096
CUBES = ((2, 2, 2), (2, 2, 4), (2, 4, 4), (4, 4, 4), (4, 4, 8), (4, 8, 8), (8, 8, 8), (8, 8, 16))
SLICES = (*CUBES, (8, 16, 16), (16, 16, 16), (16, 16, 24))
PLACES = {
    "v5p": ("tpu-v5p", (*SLICES, (16, 20, 28))),  # a whole pod; the largest job has 6,144 chips
    "h100": ("h100-sxm", tuple(2**n for n in range(3, 15))),
    "v7": ("tpu-v7", (*SLICES, (16, 24, 24))),
}
FEWEST_IN_STEP = 64
"""Chips whose memories hold weights, gradients and optimiser, 18 bytes a parameter, with room to spare."""
FEWEST_SHOWN = 256
FSDP_ALL_REDUCES = 1.5


def compute(batch_mtokens: Literal[4, 8, 16] = 4) -> dict:
    model = hardware.load_model(MODEL)
    gradient_bytes = int(model.parameters_count * hardware.bytes_per_element("bf16"))
    sequences = batch_mtokens * 2**20 // SEQUENCE_TOKENS
    flops = float(hardware.count_training_step_flops(model, SEQUENCE_TOKENS, sequences_count=sequences))
    return {
        "model": model.name,
        "batch_mtokens": batch_mtokens,
        "step_flops": flops,
        "weights_gb": gradient_bytes / 1e9,
        "chips": {key: scale(*place, gradient_bytes, flops) for key, place in PLACES.items()},
    }


def scale(chip_id: str, shapes: tuple, gradient_bytes: int, flops: float) -> dict:
    """A step on each size, and from which number of chips on links bind it; None where they never do."""
    found = hardware.load_catalogue()[chip_id]
    one_chip_s, rows = flops / found.peak_flops_per_s("bf16"), []
    for shape in shapes:
        # A gather is half an all-reduce only where no switch reduces.
        network = hardware.find_network(found, shape, reduces_in_network=False)
        run = hardware.estimate_collective("all-reduce", gradient_bytes, network)
        compute_s, exchange_s = one_chip_s / run.chips_count, FSDP_ALL_REDUCES * run.time_s
        rows.append(
            {
                "shape": None if isinstance(shape, int) else "×".join(map(str, shape)),
                "chips": run.chips_count,
                "all_reduce_s": run.time_s,
                "compute_s": compute_s,
                "exchange_s": exchange_s,
                "step_s": max(compute_s, exchange_s),
                "share": min(1.0, compute_s / exchange_s),
            }
        )
    bound = next((row for row in rows if row["chips"] >= FEWEST_IN_STEP and row["share"] < 1), None)
    # Between two sizes exchanges hardly change: that of the larger stands for both.
    knee = bound and {"chips": one_chip_s / bound["exchange_s"], "share": 1.0}
    curve = draw_between(rows, one_chip_s, knee)
    return {"id": chip_id, "rows": rows, "largest": rows[-1], "knee": knee, "curve": curve}


def draw_between(rows: list, one_chip_s: float, knee: dict | None) -> dict:
    """The share between the sizes too: arithmetic falls with the number of chips, exchanges hardly change."""
    sizes, exchanges_s = ([row[name] for row in rows] for name in ("chips", "exchange_s"))
    chips = np.sort([*np.geomspace(FEWEST_SHOWN, sizes[-1], 49), *([knee["chips"]] if knee else [])])
    exchange_s = np.interp(np.log(chips), np.log(sizes), exchanges_s)
    return {"chips": chips, "share": np.minimum(1, one_chip_s / chips / exchange_s)}


def draw(figure, data, t) -> None:
    chart = charts.frame(figure, x="chips", y="share", x_scale="log2", y_domain=(0, None))
    for found in data["chips"].values():
        chart.lines(found["curve"], color=found["id"], name=chip(found["id"]).label)
        if (knee := found["knee"]) is not None:
            chart.points([knee], color=found["id"], drop=True)
            foot = (knee["chips"], 0)
            chart.annotate(foot, t.number(knee["chips"]), color=found["id"], prefer="above left")


def describe(data, t) -> str:
    n, marked = t.number, [(chip(each["id"]).label, each) for each in data["chips"].values()]
    knees = [(name, n(each["knee"]["chips"])) for name, each in marked if each["knee"] is not None]
    ends = [(name, n(each["largest"]["chips"]), t.percent(each["largest"]["share"])) for name, each in marked]
    bound = [t(zh=f"{name}为{count}块", en=f"{count} {name}") for name, count in knees]
    most = [t(zh=f"{count}块{name}至多{of}", en=f"{of} on {count} {name}") for name, count, of in ends]
    batch, model = f"{data['batch_mtokens']} Mi", data["model"]
    return t(
        zh=f"用FSDP训练{model}，每步{batch}词元。链路成为瓶颈的规模：{t.join(bound)}。"
        f"算力利用率：{t.join(most)}。",
        en=f"Training {model} with FSDP and {batch} tokens a step. Links bind from {t.join(bound)}. "
        f"Utilisation is at most {t.join(most)}.",
    )


def table(data, t):
    tokens = data["batch_mtokens"] * 2**20
    rows = [
        {"chip": each["id"], "chip_tokens": tokens / row["chips"], **row}
        for each in data["chips"].values()
        for row in each["rows"]
        if row["chips"] >= FEWEST_IN_STEP
    ]
    columns = ("chip", "shape", "chips", "all_reduce_s", "chip_tokens", "compute_s", "step_s", "share")
    return make_table(columns, rows, t)

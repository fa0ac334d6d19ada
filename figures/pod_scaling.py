"""Thousands of chips on one model: the gradients' all-reduce, and a step of training, against their number.

Llama 3 70B with its state sharded over all chips (FSDP), a batch of fixed size. A step takes its FLOPs at
the peak, or two gathers of the weights and one reduce-scatter of the gradients, each half an all-reduce:
whichever is longer, as if one hid behind the other and a sequence could be cut anywhere. Lower bounds; of
arrays of this size no latency shows.
"""

from itertools import pairwise
from typing import Literal

from diglot.figures import (
    Column,
    chip,
    direct_labels,
    drop_line,
    label,
    line,
    linear_axis,
    log_axis,
    make_table,
    mark,
)
from diglot.hardware import (
    bytes_per_element,
    count_training_step_flops,
    estimate_collective,
    find_network,
    load_catalogue,
    load_model,
)

TITLE = {"zh": "全归约与训练一步的扩展", "en": "Scaling of an all-reduce and of a training step"}

MODEL, SEQUENCE_TOKENS = "llama-3-70b", 4096
CUBES = ((2, 2, 2), (2, 2, 4), (2, 4, 4), (4, 4, 4), (4, 4, 8), (4, 8, 8), (8, 8, 8), (8, 8, 16))
SLICES = (*CUBES, (8, 16, 16), (16, 16, 16), (16, 16, 24))
PLACES = {
    "v5p": ("tpu-v5p", (*SLICES, (16, 20, 28))),  # a whole pod; the largest job has 6,144 chips
    "v7": ("tpu-v7", (*SLICES, (16, 24, 24))),
    "h100": ("h100-sxm", tuple(2**n for n in range(3, 15))),
}
FEWEST_IN_STEP = 64
"""Chips whose memories hold weights, gradients and optimiser, 18 bytes a parameter, with room to spare."""
FSDP_ALL_REDUCES = 1.5


def compute(batch_mtokens: Literal[4, 16] = 16) -> dict:
    model = load_model(MODEL)
    gradient_bytes = int(model.parameters_count * bytes_per_element("bf16"))
    sequences = batch_mtokens * 2**20 // SEQUENCE_TOKENS
    flops = float(count_training_step_flops(model, SEQUENCE_TOKENS, sequences_count=sequences))
    return {
        "model": model.name,
        "batch_mtokens": batch_mtokens,
        "gradient_gb": gradient_bytes / 1e9,
        "step_flops": flops,
        "chips": {
            key: scale(chip_id, shapes, gradient_bytes, flops) for key, (chip_id, shapes) in PLACES.items()
        },
    }


def scale(chip_id: str, shapes: tuple, gradient_bytes: int, flops: float) -> dict:
    found = load_catalogue()[chip_id]
    peak_flops_per_s = found.peak_flops_per_s("bf16")
    rows = []
    for shape in shapes:
        run = estimate_collective("all-reduce", gradient_bytes, find_network(found, shape))
        compute_s, exchange_s = flops / (run.chips_count * peak_flops_per_s), FSDP_ALL_REDUCES * run.time_s
        rows.append(
            {
                "shape": None if isinstance(shape, int) else "×".join(map(str, shape)),
                "chips": run.chips_count,
                "all_reduce_s": run.time_s,
                "compute_s": compute_s,
                "exchange_s": exchange_s,
                "step_s": max(compute_s, exchange_s),
            }
        )
    cube = next(row for row in rows if row["chips"] == FEWEST_IN_STEP)
    return {"id": chip_id, "rows": rows, "cube": cube, "largest": rows[-1], "knee": find_knee(rows)}


def find_knee(rows: list) -> dict | None:
    """Where links begin to bind a step, between two sizes; None where they never do."""
    for before, after in pairwise(row for row in rows if row["chips"] >= FEWEST_IN_STEP):
        if before["compute_s"] > before["exchange_s"] and after["compute_s"] <= after["exchange_s"]:
            # Between sizes exchanges hardly change: that of the larger stands for both.
            chips = after["chips"] * after["compute_s"] / after["exchange_s"]
            return {"chips": chips, "step_s": after["exchange_s"]}
    return None


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    head, body, foot = 52, 206 if narrow else 214, 50
    panel = head + body + foot
    figure.set_height_px(2 * panel + 10 if narrow else panel)
    gap = 0 if narrow else 12
    width = figure.width_px if narrow else (figure.width_px - gap) / 2
    for number, (name, draw_panel) in enumerate(name_panels(t).items()):
        x, y = (0, number * (panel + 10)) if narrow else (number * (width + gap), 0)
        figure.text_px(x, y + 14, name)
        figure.text_px(x, y + 31, "s", color="mute", small=True)
        axes = figure.axes_px(x + 40, y + head, width - 40 - 68, body)
        draw_panel(axes, data, t)
        figure.text_px(x + width - 68, y + panel - 8, t(zh="芯片数", en="Chips"), align="right")


def name_panels(t) -> dict:
    return {
        t(zh="梯度全归约", en="All-reduce of the gradients"): draw_all_reduce,
        t(zh="训练一步", en="Training step"): draw_step,
    }


def draw_all_reduce(axes, data, t) -> None:
    log_axis(axes, "x", 8, 2**14, ticks=(8, 64, 512, 4096))
    linear_axis(axes, "y", 0, 1.1, ticks=(0, 0.25, 0.5, 0.75, 1))
    names = []
    for key, found in data["chips"].items():
        look, rows = chip(found["id"]), found["rows"]
        # The two TPUs have the same links: the wider line stays visible below the other.
        width = 5 if key == "v5p" else 2
        chips, times = [row["chips"] for row in rows], [row["all_reduce_s"] for row in rows]
        line(axes, chips, times, color=look.token, width=width)
        names.append((times[-1], look.label, look.text_token))
    direct_labels(axes, 2**14, names, dx=8)
    cube = data["chips"]["v7"]["cube"]
    wraps = t(zh=f"{cube['shape']}起环绕", en=f"wraps from {cube['shape']}")
    label(axes, cube["chips"], 0.9, wraps, color="mute", small=True)


def draw_step(axes, data, t) -> None:
    slowest = max(found["cube"]["step_s"] for found in data["chips"].values())
    log_axis(axes, "x", FEWEST_IN_STEP, 2**14, ticks=(64, 512, 4096))
    log_axis(axes, "y", 0.1, 1.25 * slowest)
    names = []
    for found in data["chips"].values():
        look, knee = chip(found["id"]), found["knee"]
        rows = [row for row in found["rows"] if row["chips"] >= FEWEST_IN_STEP]
        points = [(row["chips"], row["step_s"]) for row in rows]
        if knee is not None:
            points = sorted([*points, (knee["chips"], knee["step_s"])])
            beyond = [(knee["chips"], knee["step_s"]), (rows[-1]["chips"], rows[-1]["compute_s"])]
            line(axes, *zip(*beyond, strict=True), color=look.token, dashes="guide", width=1)
        line(axes, *zip(*points, strict=True), color=look.token)
        if knee is not None:
            drop_line(axes, knee["chips"], knee["step_s"], color=look.token)
            mark(axes, knee["chips"], knee["step_s"], color=look.token, marker=look.marker)
        names.append((points[-1][1], look.label, look.text_token))
    direct_labels(axes, 2**14, names, dx=8)
    label_knees(axes, data, t)


def label_knees(axes, data, t) -> None:
    """The number of chips at the foot of each drop: of the first to its left, of others to their right."""
    found = [each for each in data["chips"].values() if each["knee"] is not None]
    for number, each in enumerate(sorted(found, key=lambda each: each["knee"]["chips"])):
        chips, look = each["knee"]["chips"], chip(each["id"])
        dx, align = (-5, "right") if number == 0 else (5, "left")
        where = {"dx": dx, "dy": 11, "align": align, "small": True, "patch": True}
        label(axes, chips, axes.get_ylim()[0], t.number(chips), color=look.text_token, **where)


def describe(data, t) -> str:
    chips, n = data["chips"], t.number
    v7, h100, v5p = chips["v7"], chips["h100"], chips["v5p"]
    bound = [
        t(
            zh=f"{chip(each['id']).label}为{n(each['knee']['chips'])}块",
            en=f"{n(each['knee']['chips'])} {chip(each['id']).label}",
        )
        for each in chips.values()
        if each["knee"] is not None
    ]
    times = [n(row["all_reduce_s"], 2) for row in (v7["cube"], v7["largest"], h100["cube"], h100["largest"])]
    cube, most, most_h100 = (n(row["chips"]) for row in (v7["cube"], v7["largest"], h100["largest"]))
    step, batch = n(v5p["largest"]["step_s"], 2), f"{data['batch_mtokens']} Mi"
    model, gradients = data["model"], f"{n(data['gradient_gb'])} GB"
    return t(
        zh=f"{model}的{gradients}梯度，全归约在{cube}块TPU v7上需{times[0]} s，{most}块上{times[1]} s；"
        f"H100从{times[2]} s到{times[3]} s。批量为{batch}词元时，TPU v5p整个pod一步{step} s；"
        f"链路成为瓶颈的规模：{t.join(bound)}。",
        en=f"An all-reduce of the {gradients} of gradients of {model} takes {times[0]} s on {cube} TPU v7, "
        f"{times[1]} s on {most}; {times[2]} s on {cube} H100, {times[3]} s on {most_h100}. With a batch "
        f"of {batch} tokens a step takes a pod of TPU v5p {step} s. Links bind from {t.join(bound)}.",
    )


def table(data, t):
    rows = [(each["id"], row) for each in data["chips"].values() for row in each["rows"]]
    tokens = data["batch_mtokens"] * 2**20
    return make_table(
        (
            t(zh="芯片", en="Chip"),
            t(zh="形状", en="Shape"),
            Column(t(zh="芯片数", en="Chips")),
            Column(t(zh="梯度全归约", en="Gradient all-reduce"), "s", 2),
            Column(t(zh="每芯片词元", en="Tokens per chip")),
            Column(t(zh="计算", en="Compute"), "s", 2),
            Column(t(zh="训练一步", en="Step"), "s", 2),
        ),
        [
            (
                chip(chip_id).label,
                row["shape"],
                row["chips"],
                row["all_reduce_s"],
                tokens / row["chips"],
                row["compute_s"],
                row["step_s"],
            )
            for chip_id, row in rows
            if row["chips"] >= FEWEST_IN_STEP
        ],
        chips=[chip_id for chip_id, row in rows if row["chips"] >= FEWEST_IN_STEP],
    )

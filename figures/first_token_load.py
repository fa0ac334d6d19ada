"""How long the first token takes when requests come at random, from the empty system to a full one."""

import numpy as np
from _llama_serving import MODEL_ID, serve_on
from _llama_sweep import WORKLOAD

from diglot.figures import Column, axis_titles, chip, label, line, linear_axis, log_axis, make_table
from diglot.hardware import load_catalogue, load_models, serve_arrivals

TITLE = {"zh": "负载与首词元延迟", "en": "Load and the time to the first token"}

SLICES = {
    "h200": ("h200-sxm", (8,)),
    "h100": ("h100-sxm", (8,)),
    "v5p": ("tpu-v5p", (2, 2, 2)),
    "v6e": ("tpu-v6e", (2, 4)),
    "v5e": ("tpu-v5e", (4, 4)),
}
SHOWN = 0.9
"""Share of the capacity that words and table tell of."""
LOADS = np.concatenate((np.linspace(0, 0.8, 41)[:-1], 1 - np.geomspace(0.2, 2e-4, 61)))
TOP_MS = 2000


def compute() -> dict:
    """Continuous batching with as large a batch as fits; a prompt goes before the next decode step."""
    return {
        "model": load_models()[MODEL_ID].model.name,
        "prompt": WORKLOAD.prompt_tokens,
        "output": WORKLOAD.output_tokens,
        "shown": SHOWN,
        "chips": {key: load_up(chip_id, sides) for key, (chip_id, sides) in SLICES.items()},
    }


def load_up(chip_id, sides) -> dict:
    deployment = serve_on(chip_id, sides)
    chips = deployment.layout.chips_count
    capacity = serve_arrivals(deployment, WORKLOAD, 0.0).capacity_requests_per_s
    loads = np.array([0.5, SHOWN])
    curve, points = (serve_arrivals(deployment, WORKLOAD, capacity * each) for each in (LOADS, loads))
    return {
        "id": chip_id,
        "name": load_catalogue()[chip_id].short_name,
        "chips": chips,
        "capacity_tokens": capacity * WORKLOAD.output_tokens / chips,
        "tokens": curve.output_tokens_per_chip_s,
        "ms": curve.ttft_s * 1e3,
        "empty_ms": curve.ttft_s[0] * 1e3,
        "half_ms": points.ttft_s[0] * 1e3,
        "shown_ms": points.ttft_s[1] * 1e3,
        "shown_tokens": points.output_tokens_per_chip_s[1],
        "shown_tpot_ms": points.tpot_s[1] * 1e3,
    }


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    figure.set_height_px({"narrow": 350, "slide": 331}.get(figure.size, 380))
    left, right, top, bottom = 48, 16, 54, 54
    axes = figure.axes_px(left, top, figure.width_px - left - right, figure.height_px - top - bottom)
    linear_axis(axes, "x", 0, 2000, ticks=range(0, 2001, 1000 if narrow else 500))
    log_axis(axes, "y", 20, TOP_MS, ticks=(20, 50, 100, 200, 500, 1000, TOP_MS))
    axis_titles(
        figure,
        y=t(zh="到首词元的平均时间", en="Mean time to the first token"),
        unit="ms",
        x=t(zh="每芯片产出，词元/s", en="Output per chip, tokens/s"),
        right=figure.width_px - right,
    )
    for row in data["chips"].values():
        look = chip(row["id"])
        line(axes, row["tokens"], row["ms"], color=look.token)
        left = row["id"] == "h100-sxm"  # on the right H200's line runs
        label(
            axes,
            row["capacity_tokens"],
            TOP_MS / 1.3,
            look.label.removeprefix("TPU "),
            dx=-10 if left else 6,
            align="right" if left else "left",
            color=look.text_token,
        )


def describe(data, t) -> str:
    n, rows = t.number, data["chips"].values()
    shown = n(100 * data["shown"])
    times = [f"{row['name']} {n(row['empty_ms'])} → {n(row['shown_ms'])} ms" for row in rows]
    return t(
        zh=f"{data['model']}（bf16，屋顶线下界）到首词元的平均时间，空载 → 负载{shown}%：{'、'.join(times)}；"
        "接近满载时无限增长。",
        en=f"{data['model']} in bf16 at its rooflines: mean time to the first token when empty → at {shown}% "
        f"of the capacity: {', '.join(times)}. It grows without end near capacity.",
    )


def table(data, t):
    rows = data["chips"].values()
    shown = t.number(100 * data["shown"])
    return make_table(
        (
            t(zh="芯片", en="Chips"),
            Column(t(zh="满载时每芯片产出", en="Output per chip at capacity"), t(zh="词元/s", en="tokens/s")),
            Column(t(zh="空载首词元", en="First token, empty"), "ms"),
            Column(t(zh="负载50%", en="at 50% load"), "ms"),
            Column(t(zh=f"负载{shown}%", en=f"at {shown}% load"), "ms"),
            Column(t(zh=f"每词元延迟，负载{shown}%", en=f"Per token at {shown}% load"), "ms", 1),
        ),
        [
            (
                f"{row['chips']} × {chip(row['id']).label}",
                row["capacity_tokens"],
                row["empty_ms"],
                row["half_ms"],
                row["shown_ms"],
                row["shown_tpot_ms"],
            )
            for row in rows
        ],
        chips=[row["id"] for row in rows],
    )

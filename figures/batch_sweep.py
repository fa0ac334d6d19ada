"""What a chip puts out against the wait for each token, over slices and batches of five chips."""

from math import log

import numpy as np
from _llama_serving import MODEL_ID, serve_on
from _llama_sweep import SLICES, WORKLOAD, find_best, join_runs, run, try_every_batch

from diglot.figures import Column, axis_titles, chip, label, line, linear_axis, log_axis, make_table, mark
from diglot.hardware import find_pareto_front, list_batches, load_catalogue, load_models

TITLE = {"zh": "批量扫描：每芯片产出与每词元延迟", "en": "Batch sweep: output per chip against latency"}

POINTS, STRIDE = 12, 5
"""Batches in each doubling, and how few of those behind the front are shown."""
TARGETS_MS = (10, 20, 40)
SHOWN_MS = 20
SPAN_MS, MOST_TOKENS = (3, 150), 2300
"""What the axes show."""


def compute() -> dict:
    """Continuous batching: prompts interrupt the batch, and the latency has these breaks in it."""
    return {
        "model": load_models()[MODEL_ID].model.name,
        "prompt": WORKLOAD.prompt_tokens,
        "output": WORKLOAD.output_tokens,
        "shown_ms": SHOWN_MS,
        "chips": {key: sweep(chip_id, slices) for key, (chip_id, slices) in SLICES.items()},
    }


def sweep(chip_id, slices) -> dict:
    """All points of all slices, and the best of each latency, for which every single batch is tried."""
    deployments = [serve_on(chip_id, sides) for sides in slices]
    points = join_runs(
        run(each, list_batches(each, WORKLOAD, per_doubling_count=POINTS)) for each in deployments
    )
    every = try_every_batch(chip_id, slices)
    front = find_pareto_front(points["ms"], points["tokens"])
    behind = np.setdiff1d(np.arange(len(points["ms"])), front)
    return {
        "id": chip_id,
        "name": load_catalogue()[chip_id].short_name,
        "front": {name: values[front] for name, values in points.items()},
        "dominated": {name: values[behind[::STRIDE]] for name, values in points.items()},
        "within": {str(target): find_best(every, target) for target in TARGETS_MS},
    }


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    figure.set_height_px({"narrow": 350, "slide": 331}.get(figure.size, 400))
    left, right, top, bottom = 48, (16 if narrow else 24), 54, 54
    width, height = figure.width_px - left - right, figure.height_px - top - bottom
    axes = figure.axes_px(left, top, width, height)
    log_axis(axes, "x", *SPAN_MS, ticks=(5, 10, 20, 50, 100))
    linear_axis(axes, "y", 0, MOST_TOKENS, ticks=range(0, 2001, 500))
    axis_titles(
        figure,
        y=t(zh="每芯片产出", en="Output per chip"),
        unit=t(zh="词元/s", en="tokens/s"),
        x=t(zh="每词元延迟，ms", en="Latency per token, ms"),
        right=figure.width_px - right,
    )
    axes.axvline(data["shown_ms"], color="mute", lw=1, ls=(0, (1, 3)), zorder=1)
    boxes = []
    for key, row in data["chips"].items():
        look, front, best = chip(row["id"]), row["front"], row["within"][str(data["shown_ms"])]
        line(axes, front["ms"], front["tokens"], color=look.token)
        dx, dy = END_LABELS[key]
        end = front["ms"][-1], front["tokens"][-1]
        label(axes, *end, look.label.removeprefix("TPU "), dx=dx, dy=dy, color=look.text_token, patch=True)
        at = best["ms"], best["tokens"]
        mark(axes, *at, color=look.token, marker=look.marker)
        text = t.number(best["tokens"])
        right = narrow and key == "h100"  # on the left H200's line runs
        dx, dy, align = (8, -10, "left") if right else (-8, 11, "right")
        patch = not narrow or key == "v5e"  # elsewhere a patch would cut a neighbour's line
        label(axes, *at, text, dx=dx, dy=dy, align=align, color=look.text_token, small=True, patch=patch)
        x, y = place(*at, width, height)
        boxes.append((x + dx - (0 if align == "left" else LABEL_PX), y + dy - 8))
    for row in data["chips"].values():
        points = zip(row["dominated"]["ms"], row["dominated"]["tokens"], strict=True)
        behind = [point for point in points if not is_hidden(*place(*point, width, height), boxes)]
        axes.plot(
            *zip(*behind, strict=True), ls="none", marker="o", ms=3, mec="mute", mew=0, mfc="mute", zorder=2
        )


def place(ms: float, tokens: float, width_px: float, height_px: float) -> tuple[float, float]:
    """Pixels from the lower left corner of the axes."""
    least, most = SPAN_MS
    return log(ms / least) / log(most / least) * width_px, tokens / MOST_TOKENS * height_px


def is_hidden(x_px: float, y_px: float, boxes: list) -> bool:
    """Whether a point would stand among the digits of a label."""
    return any(0 <= x_px - left <= LABEL_PX and 0 <= y_px - bottom <= 16 for left, bottom in boxes)


LABEL_PX = 32
"""Width of four digits and a comma."""
END_LABELS = {"h200": (8, 6), "h100": (8, -6), "v5p": (8, 0), "v6e": (8, 0), "v5e": (8, 0)}
"""Pixels from the end of a front."""


def describe(data, t) -> str:
    n, shown = t.number, str(data["shown_ms"])
    best = [f"{row['name']} {n(row['within'][shown]['tokens'])}" for row in data["chips"].values()]
    return t(
        zh=f"{data['model']}（bf16，输入{n(data['prompt'])}、输出{n(data['output'])}词元，屋顶线下界）在每词元"
        f"{shown} ms以内每芯片每秒产出的词元：{'、'.join(best)}。",
        en=f"{data['model']} in bf16, {n(data['prompt'])} tokens in and {n(data['output'])} out, "
        f"at its rooflines. Tokens of a chip in a second with at most {shown} ms a token: {', '.join(best)}.",
    )


def table(data, t):
    rows = [
        (row["id"], row["name"], target, row["within"][str(target)])
        for row in data["chips"].values()
        for target in TARGETS_MS
    ]
    return make_table(
        (
            t(zh="芯片", en="Chip"),
            Column(t(zh="延迟不超过", en="Latency at most"), "ms"),
            Column(t(zh="芯片数", en="Chips")),
            Column(t(zh="批量", en="Batch")),
            Column(t(zh="每词元延迟", en="Latency per token"), "ms", 1),
            Column(t(zh="每芯片产出", en="Output per chip"), t(zh="词元/s", en="tokens/s")),
        ),
        [
            (name, target, best["chips"], best["batch"], best["ms"], best["tokens"])
            for _, name, target, best in rows
        ],
        chips=[chip_id for chip_id, *_ in rows],
    )

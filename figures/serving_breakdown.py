"""Where a step of Llama 3 70B goes on slices of GPUs and TPUs: arithmetic, memory, and sums between chips."""

from typing import Literal

from _llama_serving import serve_on

from diglot.figures import Column, bar_rows, chip, make_table, stacked_bar, zero_line
from diglot.hardware import estimate_decode, estimate_prefill

TITLE = {"zh": "一步的时间去了哪里", "en": "Where the time of a step goes"}

SLICES = {
    "h200_8": ("h200-sxm", (8,)),
    "v5p_8": ("tpu-v5p", (2, 2, 2)),
    "v6e_8": ("tpu-v6e", (2, 4)),
    "v6e_16": ("tpu-v6e", (4, 4)),
}
TOKENS = 4096
"""Of a prompt, and in the cache of each sequence that decodes."""
ROLES = ("cmp", "mem", "net")
ROW_PX = 30


def compute(batch: Literal[32, 1, 64] = 32) -> dict:
    """An operator counts for whichever of its two roofs binds it: the other hides behind that one."""
    slices = {}
    for key, (chip_id, sides) in SLICES.items():
        deployment = serve_on(chip_id, sides)
        deployment.check_fits(batch, TOKENS)
        slices[key] = {
            "id": chip_id,
            "chips": deployment.layout.chips_count,
            "prefill": split(estimate_prefill(deployment, TOKENS)),
            "decode": split(estimate_decode(deployment, TOKENS, batch_count=batch)),
        }
    return {"model": deployment.model.name, "tokens": TOKENS, "batch": batch, "slices": slices}


def split(step) -> dict:
    """Milliseconds of each resource, and of all."""
    parts = dict.fromkeys(ROLES, 0.0)
    for each in step.operators:
        parts["cmp" if each.compute_time_s >= each.memory_time_s else "mem"] += each.time_s * 1e3
    parts["net"] = step.communication_s * 1e3
    return {**parts, "all": step.time_s * 1e3}


def draw(figure, data, t) -> None:
    panels = {
        "prefill": t(
            zh=f"预填充{t.number(data['tokens'])}词元，ms",
            en=f"Prefill of {t.number(data['tokens'])} tokens, ms",
        ),
        "decode": t(zh=f"解码一步，批量{data['batch']}，ms", en=f"Decode step, batch {data['batch']}, ms"),
    }
    rows = list(data["slices"].values())
    stacked = figure.is_narrow
    key, head, names, gap, foot = 30, 28, 84, 26, 14
    body = ROW_PX * len(rows)
    figure.set_height_px(key + (head + body + foot) * (len(panels) if stacked else 1))
    width = figure.width_px - names if stacked else (figure.width_px - names - gap) / 2
    draw_key(figure, names, t)
    for number, (phase, heading) in enumerate(panels.items()):
        left = names if stacked else names + number * (width + gap)
        top = key + (number * (head + body + foot) if stacked else 0)
        figure.text_px(left, top + 15, heading)
        axes = figure.axes_px(left, top + head, width, body)
        bar_rows(axes, len(rows), max(row[phase]["all"] for row in rows), room=56)
        for place, row in enumerate(rows):
            parts = [(role, row[phase][role]) for role in ROLES if row[phase][role] > 0]
            total = row[phase]["all"]
            stacked_bar(axes, place, parts, text=t.number(total, 0 if total >= 100 else 1))
            if stacked or number == 0:
                baseline = top + head + ROW_PX * (place + 0.5) + 5
                figure.text_px(0, baseline, f"{row['chips']} × {chip(row['id']).label.removeprefix('TPU ')}")
        zero_line(axes)


def draw_key(figure, left, t) -> None:
    """The words of the three parts, in their order and colours."""
    words = {
        "cmp": t(zh="计算", en="compute"),
        "mem": t(zh="访存", en="memory"),
        "net": t(zh="网络", en="network"),
    }
    step = 48 if figure.language == "zh" else 76
    for number, role in enumerate(ROLES):
        figure.text_px(left + number * step, 14, words[role], color=role)


def describe(data, t) -> str:
    n, rows = t.number, data["slices"]
    h200, v6e = rows["h200_8"], rows["v6e_8"]
    return t(
        zh=f"{data['model']}（bf16，屋顶线下界）：预填充{n(data['tokens'])}词元，8个H200用"
        f"{n(h200['prefill']['all'])} ms，其中网络{n(h200['prefill']['net'])} ms；8个TPU v6e用"
        f"{n(v6e['prefill']['all'])} ms，其中网络{n(v6e['prefill']['net'])} ms。"
        f"解码一步（批量{data['batch']}）分别用{n(h200['decode']['all'], 1)}和"
        f"{n(v6e['decode']['all'], 1)} ms，以访存为主。",
        en=f"{data['model']} in bf16 at its rooflines: a prefill of {n(data['tokens'])} tokens takes "
        f"{n(h200['prefill']['all'])} ms on 8 H200, {n(h200['prefill']['net'])} of them network, and "
        f"{n(v6e['prefill']['all'])} ms on 8 TPU v6e, {n(v6e['prefill']['net'])} network. A decode step of "
        f"batch {data['batch']} takes {n(h200['decode']['all'], 1)} and {n(v6e['decode']['all'], 1)} ms, "
        "most of it memory.",
    )


def table(data, t):
    rows = [
        (row, phase, word)
        for phase, word in (("prefill", t(zh="预填充", en="prefill")), ("decode", t(zh="解码", en="decode")))
        for row in data["slices"].values()
    ]
    return make_table(
        (
            t(zh="芯片", en="Chips"),
            t(zh="阶段", en="Phase"),
            Column(t(zh="计算", en="Compute"), "ms", 1),
            Column(t(zh="访存", en="Memory"), "ms", 1),
            Column(t(zh="网络", en="Network"), "ms", 1),
            Column(t(zh="合计", en="Total"), "ms", 1),
        ),
        [
            (
                f"{row['chips']} × {chip(row['id']).label}",
                word,
                *(row[phase][role] for role in ROLES),
                row[phase]["all"],
            )
            for row, phase, word in rows
        ],
        chips=[row["id"] for row, *_ in rows],
    )

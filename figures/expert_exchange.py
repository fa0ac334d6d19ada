"""Where a decoding step of DeepSeek-V3 goes as its experts are spread over more chips."""

from typing import Literal

import numpy as np

from diglot.figures import charts, chip, make_table
from diglot.hardware import (
    Formats,
    Layout,
    decode,
    deploy,
    estimate_step,
    find_links,
    load_catalogue,
    load_model,
    prefill,
)

MODEL = load_model("deepseek-v3")
CONTEXT_TOKENS = 2000
FORMATS = {"tpu-v5p": Formats(weights="int8"), "h200-sxm": Formats(weights="fp8", arithmetic="fp8")}
CHIPS = (16, 32, 64, 128, 256)
PARTS = ("rest", "experts", "net")
PROMPT = {"chips": 64, "tokens": 4096}
# DeepEP's kernels for decoding: https://github.com/deepseek-ai/DeepEP, docs/legacy.md, on H800 with one
# NIC of 400 Gb/s each, of which an H200 has one, too.
MEASURED = {"chips": 64, "tokens": 128, "dispatch_us": 173, "combine_us": 314}

TITLE = {"zh": "专家分到更多芯片，时间去了哪里", "en": "Where time goes as experts spread out"}
MESSAGE = {
    "zh": "{model}，{chip_name}，每芯片{tokens}个词元：从{least.chips}块芯片到{most.chips}块，专家从"
    "{least.experts | number(1)} ms降到{most.experts | number(1)} ms，收发从{least.net | number(1)} ms升到"
    "{most.net | number(1)} ms",
    "en": "{model} on {chip_name}, {tokens} tokens a chip: from {least.chips} chips to {most.chips}, experts "
    "fall from {least.experts | number(1)} to {most.experts | number(1)} ms and the exchange grows from "
    "{least.net | number(1)} to {most.net | number(1)} ms",
}
LABELS = {
    "chip_id": {"zh": "芯片", "en": "Chips"},
    "chip_id=tpu-v5p": {"zh": "TPU v5p", "en": "TPU v5p"},
    "chip_id=h200-sxm": {"zh": "H200", "en": "H200"},
    "tokens": {"zh": "每芯片词元数", "en": "Tokens a chip"},
}
COLUMNS = {
    "chips": {"zh": "芯片数", "en": "Chips"},
    "part": {
        "zh": "部分",
        "en": "Part",
        "names": {
            "rest": {"zh": "注意力等", "en": "attention and the rest"},
            "experts": {"zh": "专家", "en": "routed experts"},
            "net": {"zh": "收发词元", "en": "exchange of tokens"},
            "all": {"zh": "合计", "en": "in all"},
        },
    },
    "ms": {"zh": "解码一步", "en": "Decode step", "unit": "ms", "digits": 1},
}


def compute(chip_id: Literal["h200-sxm", "tpu-v5p"] = "h200-sxm", tokens: Literal[8, 32, 128] = 32) -> dict:
    """Rooflines, even routing, transfers that nothing hides; the same number of users for each chip."""
    steps = [split(chip_id, count, tokens) for count in CHIPS]
    best = min(steps, key=lambda step: step["all"])
    return {
        "model": MODEL.name,
        "chip_id": chip_id,
        "chip_name": chip(chip_id).label,
        "tokens": tokens,
        "context": CONTEXT_TOKENS,
        "steps": {str(step["chips"]): step for step in steps},
        "least": steps[0],
        "most": steps[-1],
        "best": best,
        "prompts": read_prompts(chip_id),
        "measured": {**MEASURED, "us": MEASURED["dispatch_us"] + MEASURED["combine_us"], **bound_measured()},
    }


def split(chip_id: str, count: int, tokens: int) -> dict:
    """Milliseconds of the parts of a decoding step, and what the exchange takes of it."""
    return find_parts(chip_id, count, decode(CONTEXT_TOKENS, sequences_count=count * tokens))


def read_prompts(chip_id: str) -> dict:
    """The same for a step that reads one prompt on each chip, and the rows of an expert in it."""
    experts = MODEL.experts
    tokens = PROMPT["chips"] * PROMPT["tokens"]
    rows = tokens * experts.active_count / experts.routed_count
    group = prefill(PROMPT["tokens"], sequences_count=PROMPT["chips"])
    return {"tokens": PROMPT["tokens"], "rows": rows, **find_parts(chip_id, PROMPT["chips"], group)}


def find_parts(chip_id: str, count: int, group) -> dict:
    slice_ = deploy(MODEL, chip_id, layout=Layout(expert_count=count), formats=FORMATS[chip_id])
    step = estimate_step(slice_, group)
    experts = [each.time_s for each in step.operators if each.operator.experts is not None]
    times = [
        1e3 * float(np.asarray(time)) for time in (step.time_s, sum(experts), step.expert_communication_s)
    ]
    every, routed, net = times
    parts = {"rest": every - routed - net, "experts": routed, "net": net, "all": every}
    return {"chips": count, **parts, "net_fraction": net / every}


def bound_measured() -> dict:
    """Least time of what DeepEP measured, in microseconds: one byte an element sent, two back."""
    layout = Layout(expert_count=MEASURED["chips"])
    links = find_links(load_catalogue()["h200-sxm"], layout)
    sent_bytes = MEASURED["tokens"] * MODEL.width_elements
    exchange = (layout.expert_count, MODEL.experts.active_count)
    bound_s = sum(float(links.token_exchange_time_s(size * sent_bytes, *exchange)) for size in (1, 2))
    return {"bound_us": 1e6 * bound_s}


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    charts.bars(figure, list_rows(data, PARTS), y="chips", x="ms", series="part")


def list_rows(data, parts) -> list[dict]:
    return [
        {"chips": f"{step['chips']} × {data['chip_name']}", "part": part, "ms": step[part]}
        for step in data["steps"].values()
        for part in parts
    ]


def name_setting(data, t) -> str:
    n = t.number
    return t(
        zh=f"{data['model']}解码，每芯片{data['tokens']}个词元，上下文{n(data['context'])}",
        en=f"{data['model']} decoding, {data['tokens']} tokens a chip, context {n(data['context'])}",
    )


def describe(data, t) -> str:
    n = t.number
    parts = [
        t(
            zh=f"{step['chips']}个{n(step['all'], 1)} ms（{n(step['experts'], 1)}与{n(step['net'], 1)}）",
            en=f"{step['chips']} chips {n(step['all'], 1)} ms "
            f"({n(step['experts'], 1)} and {n(step['net'], 1)})",
        )
        for step in data["steps"].values()
    ]
    return t(
        zh=f"{name_setting(data, t)}，屋顶线下界。按芯片数，一步的时间（其中专家与收发）："
        f"{'，'.join(parts)}。",
        en=f"{name_setting(data, t)}, at the rooflines. Time of a step by chips (of it, experts and the "
        f"exchange): {', '.join(parts)}.",
    )


def table(data, t):
    return make_table(("chips", "part", "ms"), list_rows(data, (*PARTS, "all")), t)

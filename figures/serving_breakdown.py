"""Where a step of Llama 3 70B goes on slices of GPUs and TPUs: arithmetic, memory, and sums between chips."""

from typing import Annotated

from _llama_serving import MODEL, Format, serve_on

from diglot.figures import Range, charts, chip, make_table
from diglot.hardware import estimate_decode, estimate_prefill

TITLE = {"zh": "一步的时间去了哪里", "en": "Where the time of a step goes"}
MESSAGE = {
    "zh": "{model}（{dtype}）在8个H200上，按屋顶线：预填充有{shares.prefill_compute | percent}的时间在计算，"
    "批量{batch}的解码有{shares.decode_memory | percent}在读显存",
    "en": "{model} in {dtype} on 8 H200, at the rooflines: {shares.prefill_compute | percent} of "
    "a prefill is arithmetic, {shares.decode_memory | percent} of a decode step of "
    "batch {batch} is reading memory",
}
LABELS = {"batch": {"zh": "批量", "en": "Batch"}, "dtype": {"zh": "精度", "en": "Precision"}}
COLUMNS = {
    "slice": {"zh": "芯片", "en": "Chips"},
    "role": {"zh": "时间", "en": "Time", "names": {"all": {"zh": "合计", "en": "in all"}}},
    "prefill": {"zh": "预填充", "en": "Prefill", "unit": "ms", "digits": 1},
    "decode": {"zh": "解码一步", "en": "Decode step", "unit": "ms", "digits": 1},
}

SLICES = {
    "h200_8": ("h200-sxm", (8,)),
    "v5p_8": ("tpu-v5p", (2, 2, 2)),
    "v6e_8": ("tpu-v6e", (2, 4)),
    "v6e_16": ("tpu-v6e", (4, 4)),
}
TOKENS = 4096
"""Of a prompt, and in the cache of each sequence that decodes."""
ROLES = ("cmp", "mem", "net")
MOST = 64
"""The largest batch; the cache of so many sequences fits on every slice."""


def compute(batch: Annotated[int, Range(1, MOST, 1)] = 32, dtype: Format = "bf16") -> dict:
    """An operator counts for whichever of its two roofs binds it: the other hides behind that one."""
    slices, longest_ms = {}, []
    for key, (chip_id, sides) in SLICES.items():
        deployment = serve_on(chip_id, sides, dtype)
        deployment.check_fits(MOST, TOKENS)
        decode = split(estimate_decode(deployment, TOKENS, batch_count=batch))
        slices[key] = {
            "chip": chip_id,
            "name": f"{deployment.layout.chips_count} × {chip(chip_id).label}",
            "prefill": split(estimate_prefill(deployment, TOKENS)),
            "decode": decode,
            "tokens_per_s": batch / decode["all"] * 1e3,
        }
        longest_ms.append(estimate_decode(deployment, TOKENS, batch_count=MOST).time_s * 1e3)
    h200 = slices["h200_8"]
    return {
        "model": MODEL.name,
        "dtype": dtype,
        "tokens": TOKENS,
        "batch": batch,
        "slices": slices,
        "longest_ms": max(longest_ms),
        "shares": {
            "prefill_compute": h200["prefill"]["cmp"] / h200["prefill"]["all"],
            "decode_memory": h200["decode"]["mem"] / h200["decode"]["all"],
        },
    }


def split(step) -> dict:
    """Milliseconds of each resource, and of all."""
    parts = dict.fromkeys(ROLES, 0.0)
    for each in step.operators:
        parts["cmp" if each.compute_time_s >= each.memory_time_s else "mem"] += each.time_s * 1e3
    parts["net"] = step.communication_s * 1e3
    return {**parts, "all": step.time_s * 1e3}


def list_rows(data, roles) -> list[dict]:
    return [
        {"slice": row["name"], "role": role, "prefill": row["prefill"][role], "decode": row["decode"][role]}
        for row in data["slices"].values()
        for role in roles
    ]


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    # Bars of decoding are as long as the largest batch makes them, whatever batch a reader chooses.
    longest = {"decode": (0, data["longest_ms"])}
    rows = list_rows(data, ROLES)
    charts.bars(figure, rows, y="slice", x=("prefill", "decode"), series="role", x_domain=longest)


def name_setting(data, t) -> str:
    n, batch = t.number, data["batch"]
    return t(
        zh=f"{data['model']}，{data['dtype']}，上下文{n(data['tokens'])}词元，解码批量{batch}",
        en=f"{data['model']}, {data['dtype']}, context {n(data['tokens'])}, decode batch {batch}",
    )


def describe(data, t) -> str:
    n, h200, v6e = t.number, data["slices"]["h200_8"], data["slices"]["v6e_8"]
    prefills = [n(row["prefill"][part]) for row in (h200, v6e) for part in ("all", "net")]
    decodes = [n(row["decode"][part], 1) for row in (h200, v6e) for part in ("all", "mem")]
    return t(
        zh=f"{name_setting(data, t)}，屋顶线下界。预填充：8个H200用{prefills[0]} ms，其中网络"
        f"{prefills[1]} ms；8个TPU v6e用{prefills[2]} ms，其中网络{prefills[3]} ms。"
        f"解码一步：{decodes[0]} ms，其中访存{decodes[1]} ms；{decodes[2]} ms，其中访存{decodes[3]} ms。",
        en=f"{name_setting(data, t)}, at the rooflines. A prefill takes {prefills[0]} ms on 8 H200, "
        f"{prefills[1]} of them network, and {prefills[2]} ms on 8 TPU v6e, {prefills[3]} network. A decode "
        f"step takes {decodes[0]} ms, {decodes[1]} of them memory, and {decodes[2]} ms, {decodes[3]} memory.",
    )


def table(data, t):
    return make_table(("slice", "role", "prefill", "decode"), list_rows(data, (*ROLES, "all")), t)

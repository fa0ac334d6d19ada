"""What fusing saves in a layer of Llama 3 70B: as a compiler does it, and with attention written by hand."""

from typing import Literal

from diglot.figures import charts, chip, make_table
from diglot.hardware import (
    AttentionShape,
    count_batched_gemm,
    count_flash_attention,
    count_gemm,
    find_spread,
    load_catalogue,
    load_model,
    load_replay,
    time_attention,
)

CHIPS = {"h200": "h200-sxm", "v5p": "tpu-v5p", "v6e": "tpu-v6e"}
MODEL = load_model("llama-3-70b")
FORMS = ("eager", "compiled", "written")
BYTES = {
    # As Hugging Face's Llama writes them, in bf16 with norms and softmax in fp32: reads and writes of every
    # operation. A norm is eight of them, a rotation five.
    "eager": {"norm": 36 + 6, "rotary": 20, "activation": 10, "scores": 24},
    # One kernel for each chain between two products; the norm takes the residual sum with it.
    "compiled": {"norm": 8, "rotary": 4, "activation": 6, "scores": 8},
}
"""Bytes that each element moves, by what it is an element of. Products write scores and read shares, too."""
BYTES["written"] = {**BYTES["compiled"], "scores": 0}
KERNELS = {"eager": 43, "compiled": 14, "written": 12}
PARTS = ("cmp", "small", "mem")

TITLE = {"zh": "融合省下的时间", "en": "What fusing saves"}
MESSAGE = {
    "zh": "{model}的一层、{tokens | number}个词元，TPU v6e：逐个算子{chips.v6e.ms.eager | number(1)} ms，"
    "编译器融合后{chips.v6e.ms.compiled | number(1)} ms，再手写注意力{chips.v6e.ms.written | number(1)} ms",
    "en": "A layer of {model}, {tokens | number} tokens, TPU v6e: {chips.v6e.ms.eager | number(1)} ms one by "
    "one, {chips.v6e.ms.compiled | number(1)} ms as a compiler fuses it, "
    "{chips.v6e.ms.written | number(1)} ms with attention by hand",
}
LABELS = {"tokens": {"zh": "词元数", "en": "Tokens"}}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "form": {
        "zh": "写法",
        "en": "Form",
        "names": {
            "eager": {"zh": "逐个算子", "en": "one by one"},
            "compiled": {"zh": "编译器融合", "en": "compiled"},
            "written": {"zh": "再加手写注意力", "en": "attention by hand"},
        },
    },
    "part": {
        "zh": "时间花在",
        "en": "Time for",
        "names": {
            "cmp": {"zh": "矩阵乘", "en": "products"},
            "small": {"zh": "归一化等逐元素运算", "en": "norms and the like"},
            "mem": {"zh": "搬运分数矩阵", "en": "moving scores"},
        },
    },
    "ms": {"zh": "一层的最短时间", "en": "Least time of a layer", "unit": "ms", "digits": 1},
}


def compute(tokens: Literal[1024, 4096, 16384] = 4096) -> dict:
    """One sequence, bf16, no mask. Kernels run one after the other, each at its roofline."""
    chips = {key: compare(chip_id, tokens) for key, chip_id in CHIPS.items()}
    rows = [
        {"chip": each["chip"], "form": form, "part": part, "ms": each["forms"][form][part]}
        for each in chips.values()
        for form in FORMS
        for part in PARTS
    ]
    return {
        "model": MODEL.name,
        "tokens": tokens,
        "heads": MODEL.heads_count,
        "head": MODEL.head_elements,
        "scores_bytes": 2 * MODEL.heads_count * tokens**2,
        "bytes": BYTES,
        "kernels": KERNELS,
        "chips": chips,
        "rows": rows,
        "calibrated": calibrate(tokens),
        "launches": count_launches(),
    }


def count_launches() -> dict:
    """What the host needs to start all kernels of a step, next to one reading of all weights by 8 H200."""
    host_s, layers = load_replay().host_launch_s, MODEL.layers_count
    chips = 8
    bandwidth = load_catalogue()[CHIPS["h200"]].memory_bandwidth_bytes_per_s
    return {
        "host_s": host_s,
        "layers": layers,
        "chips": chips,
        "count": {form: layers * KERNELS[form] for form in FORMS},
        "ms": {form: 1e3 * layers * KERNELS[form] * host_s for form in FORMS},
        "reading_ms": 1e3 * 2 * MODEL.parameters_count / chips / bandwidth,
    }


def calibrate(tokens: int) -> dict:
    """Milliseconds of fused attention on an H200 at the roofline, and as measured kernels take it."""
    ideal, real = (
        1e3 * float(time_attention(CHIPS["h200"], find_shape(tokens), mode=mode).time_s)
        for mode in ("ideal", "calibrated")
    )
    return {"bound_ms": ideal, "ms": find_spread("attention", CHIPS["h200"]).bracket(real, least=ideal)}


def find_shape(tokens: int) -> AttentionShape:
    return AttentionShape(
        queries_tokens=tokens,
        keys_tokens=tokens,
        heads_count=MODEL.heads_count,
        kv_heads_count=MODEL.kv_heads_count,
        head_elements=MODEL.head_elements,
    )


def compare(chip_id: str, tokens: int) -> dict:
    forms = {form: time_layer(chip_id, tokens, form) for form in FORMS}
    totals = {form: sum(parts.values()) for form, parts in forms.items()}
    return {
        "chip": chip_id,
        "forms": forms,
        "ms": totals,
        "compiler_gain": totals["eager"] / totals["compiled"],
        "hand_gain": totals["compiled"] / totals["written"],
        "waste_fraction": 1 - totals["written"] / totals["eager"],
        "by_rule_fraction": (totals["eager"] - totals["compiled"]) / (totals["eager"] - totals["written"]),
    }


def time_layer(chip_id: str, tokens: int, form: str) -> dict:
    """Milliseconds of products, of small operations, and of attention beyond its products."""
    each, of = load_catalogue()[chip_id], BYTES[form]
    roof = each.roofline("bf16")
    width, inner, head = MODEL.width_elements, MODEL.feed_forward_elements, MODEL.head_elements
    heads, kv = MODEL.heads_count, MODEL.kv_heads_count
    depths = [
        (width, (heads + 2 * kv) * head),
        (heads * head, width),
        (width, inner),
        (width, inner),
        (inner, width),
    ]
    products_s = sum(roof.time_s(count_gemm(tokens, k, n)) for k, n in depths)
    small = 2 * of["norm"] * width + of["rotary"] * (heads + kv) * head + of["activation"] * inner
    small_s = tokens * small / roof.memory_bandwidth_bytes_per_s
    # The head is the depth or the width of both products: of a wider array it fills a part.
    fit = 1 if each.kind == "gpu" else min(1, head / each.mxu_rows_count)
    fused = count_flash_attention(find_shape(tokens))
    busy_s = roof.compute_time_s(fused) / fit
    if of["scores"] == 0:
        attention_s = max(busy_s, roof.memory_time_s(fused))
    else:
        pair = (
            count_batched_gemm(heads, tokens, head, tokens),
            count_batched_gemm(heads, tokens, tokens, head),
        )
        passed = of["scores"] - 4  # what a product writes and the other reads is in `pair`
        attention_s = sum(max(busy_s / 2, roof.memory_time_s(product)) for product in pair)
        attention_s += passed * heads * tokens**2 / roof.memory_bandwidth_bytes_per_s
    return {
        "cmp": 1e3 * (products_s + busy_s),
        "small": 1e3 * small_s,
        "mem": 1e3 * (attention_s - busy_s),
    }


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    rows = [{**row, "row": name_row(row, t)} for row in data["rows"]]
    charts.bars(figure, rows, y="row", x="ms", series="part")


def name_row(row, t) -> str:
    return f"{chip(row['chip']).label.removeprefix('TPU ')} {t.name('form', row['form'])}"


def name_setting(data, t) -> str:
    n = t.number
    return t(
        zh=f"{data['model']}的一层，{n(data['tokens'])}个词元，bf16，不加掩码",
        en=f"A layer of {data['model']}, {n(data['tokens'])} tokens, bf16, no mask",
    )


def describe(data, t) -> str:
    n, names = t.number, [t.name("form", form) for form in FORMS]
    parts = [
        f"{chip(each['chip']).label} {', '.join(n(each['ms'][form], 1) for form in FORMS)}"
        for each in data["chips"].values()
    ]
    real = t.interval(data["calibrated"]["ms"], 2)
    return t(
        zh=f"{name_setting(data, t)}，屋顶线下界（ms），依次为{'、'.join(names)}：{'；'.join(parts)}。"
        f"校准后H200上融合的注意力{real} ms。",
        en=f"{name_setting(data, t)}, at the rooflines, in ms: {', '.join(names)}. {'; '.join(parts)}. "
        f"Calibrated, fused attention takes {real} ms on H200.",
    )


def table(data, t):
    return make_table(("chip", "form", "part", "ms"), data["rows"], t)

"""What the matrices of BERT's days and of today's language models can reach on TPUs of four generations."""

from typing import Literal

from diglot import hardware
from diglot.figures import charts, make_table
from diglot.hardware.claims.eras import find_product_limits, shape_head

TITLE = {"zh": "BERT时代与大模型时代的矩阵", "en": "Matrices of BERT's days and of large language models"}
MESSAGE = {
    "zh": "{bert}（bf16，批量{batch}，128词元）的前馈层能用到TPU v2峰值的"
    "{groups.bert_128.feed_forward.v2.peak_fraction | percent}、v6e的"
    "{groups.bert_128.feed_forward.v6e.peak_fraction | percent}，注意力是"
    "{groups.bert_128.attention.v2.peak_fraction | percent}和"
    "{groups.bert_128.attention.v6e.peak_fraction | percent}：TPU越新，BERT越喂不饱它",
    "en": "The newer the TPU, the less of it {bert} (bf16, batch {batch}, 128 tokens) can use: v2 to v6e, "
    "from {groups.bert_128.feed_forward.v2.peak_fraction | percent} to "
    "{groups.bert_128.feed_forward.v6e.peak_fraction | percent} of the peak in the FFN, from "
    "{groups.bert_128.attention.v2.peak_fraction | percent} to "
    "{groups.bert_128.attention.v6e.peak_fraction | percent} in attention",
}
CHIPS = {"v2": "tpu-v2", "v3": "tpu-v3", "v5p": "tpu-v5p", "v6e": "tpu-v6e"}
LABELS = {"batch": {"zh": "批量", "en": "Batch"}}
PARTS = {
    "attention": {"zh": "注意力", "en": "Attention"},
    "qkv": "QKV",
    "feed_forward": {"zh": "前馈", "en": "FFN"},
}
GROUPS = {
    "bert_128": {"zh": "BERT，128词元", "en": "BERT, 128 tokens"},
    "bert_512": {"zh": "BERT，512词元", "en": "BERT, 512 tokens"},
    "prefill": {"zh": "Llama预填充", "en": "Llama, prefill"},
    "decode": {"zh": "Llama解码", "en": "Llama, decoding"},
}
SHARE = {"unit": "share", "digits": 0}
COLUMNS = {
    "chip": {"zh": "TPU", "en": "TPU"},
    "part": {"zh": "一层里的矩阵乘", "en": "Products of a layer", "names": PARTS},
    "group": {"zh": "模型", "en": "Model", "names": GROUPS},
    "shape": {"zh": "M × K × N", "en": "M × K × N"},
    "intensity": {"zh": "算术强度", "en": "Intensity", "unit": "FLOP/B", "digits": 1},
    **{
        f"{key}_{limit}": {"zh": f"{key}，{zh}", "en": f"{key}, {en}", **SHARE, "digits": 1}
        for key in CHIPS
        for limit, zh, en in (("memory", "访存", "memory"), ("fill", "阵列", "arrays"))
    },
    "share": {"zh": "可达峰值的比例，*阵列没填满", "en": "Share of peak, *arrays not full", **SHARE},
}

SHORT_TOKENS, LONG_TOKENS = 128, 512
"""Of most steps of BERT's training, and of the last tenth."""
PROMPT_TOKENS, DECODED_COUNT, CONTEXT_TOKENS = 2048, 32, 2048
ROUNDING = 1e-9  # what a rate may lack of the peak by arithmetic in floating point
LIMITS = ("memory", "fill")
TIMES = "\u00a0×\u00a0"


def compute(batch: Literal[1, 8] = 1) -> dict:
    bert, llama = hardware.load_model("bert-large"), hardware.load_model("llama-3-70b")
    # Scores of attention lay in memory in BERT's days; today they stay on the chip.
    materialised, fused = hardware.count_materialised_attention, hardware.count_flash_attention
    decode = hardware.decode(CONTEXT_TOKENS - 1, sequences_count=DECODED_COUNT)
    return {
        "batch": batch,
        "bert": bert.name,
        "llama": llama.name,
        "prompt_tokens": PROMPT_TOKENS,
        "short_tokens": SHORT_TOKENS,
        "long_tokens": LONG_TOKENS,
        "heads": {"bert": bert.head_elements, "llama": llama.head_elements},
        "groups": {
            "bert_128": list_parts(bert, hardware.prefill(SHORT_TOKENS, sequences_count=batch), materialised),
            "bert_512": list_parts(bert, hardware.prefill(LONG_TOKENS, sequences_count=batch), materialised),
            "prefill": list_parts(llama, hardware.prefill(PROMPT_TOKENS), fused),
            "decode": list_parts(llama, decode, fused),
        },
    }


def list_parts(model, sequences, count_attention) -> dict:
    """Attention, the product that makes queries, keys and values, and the widest feed-forward one."""
    operators = {each.name: each for each in hardware.list_operators(model, sequences)}
    heads, projection = operators["attention"].attention, operators["QKV projection"].product
    widest = (*projection[:2], model.feed_forward_elements)
    return {
        "attention": describe_work(count_attention(heads), shape_head(heads), per_head=True),
        "qkv": describe_work(hardware.count_gemm(*projection), projection),
        "feed_forward": describe_work(hardware.count_gemm(*widest), widest),
    }


def describe_work(kernel, shape, *, per_head: bool = False) -> dict:
    """What memory and arrays of each chip allow a stream of products without a gap, as shares of the peak."""
    found = {
        "shape": TIMES.join(f"{size:,}" for size in shape),
        "intensity": kernel.intensity_flops_per_byte,
    }
    for key, chip_id in CHIPS.items():
        memory, fill = find_product_limits(
            hardware.load_catalogue()[chip_id], kernel, *shape, per_head=per_head
        )
        limits = {"arrays": fill, "memory": memory, "compute": 1 - ROUNDING}
        found[key] = {
            "memory_fraction": memory,
            "fill_fraction": fill,
            "peak_fraction": min(memory, fill),
            "bound": min(limits, key=limits.get),
        }
    return found


def list_cells(data) -> list[tuple[str, str, dict]]:
    """Every part of every group."""
    return [(group, part, one) for group, parts in data["groups"].items() for part, one in parts.items()]


def draw(figure, data, t) -> None:
    rows = [
        {
            **{"group": group, "part": part, "chip": key, "share": one[key]["peak_fraction"]},
            "text": t.number(100 * one[key]["peak_fraction"]) + "*" * (one[key]["bound"] == "arrays"),
        }
        for group, part, one in list_cells(data)
        for key in CHIPS
    ]
    columns = 2 if figure.is_narrow else 4
    charts.heat_map(figure, rows, x="chip", y="part", value="share", by="group", text="text", columns=columns)


def describe(data, t) -> str:
    def shares(group, part):
        return t.join([t.number(100 * data["groups"][group][part][key]["peak_fraction"]) for key in CHIPS])

    ffn, attention = shares("bert_128", "feed_forward"), shares("bert_128", "attention")
    llama, prompt = shares("prefill", "feed_forward"), t.number(data["prompt_tokens"])
    names = t.join([f"TPU {key}" for key in CHIPS])
    return t(
        zh=f"{names}上可达峰值的百分数。{data['bert']}，批量{data['batch']}，128词元：前馈层{ffn}，"
        f"注意力{attention}；{data['llama']}预填充{prompt}词元的前馈层：{llama}。",
        en=f"Percent of peak within reach on {names}. {data['bert']}, batch {data['batch']}, 128 tokens: "
        f"{ffn} in the feed-forward layer, {attention} in attention; {data['llama']}, prefill of {prompt} "
        f"tokens: {llama} in the feed-forward layer.",
    )


def table(data, t):
    rows = [
        {
            **{"group": group, "part": part, "shape": one["shape"], "intensity": one["intensity"]},
            **{f"{key}_{limit}": one[key][f"{limit}_fraction"] for key in CHIPS for limit in LIMITS},
        }
        for group, part, one in list_cells(data)
    ]
    return make_table(tuple(rows[0]), rows, t)

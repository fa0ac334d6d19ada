"""What the matrices of BERT's days and of today's language models can reach on TPUs of four generations."""

from dataclasses import dataclass
from typing import Literal

from diglot.figures import Column, axis_titles, bar, bar_rows, chip, make_table, zero_line
from diglot.hardware import (
    AttentionShape,
    Kernel,
    count_decode_attention,
    count_flash_attention,
    count_gemm,
    count_materialised_attention,
    estimate_tpu_gemm,
    load_catalogue,
    load_model,
    run_mxu,
)

TITLE = {"zh": "BERT时代与大模型时代的矩阵", "en": "Matrices of BERT's days and of large language models"}

CHIPS = {"v2": "tpu-v2", "v3": "tpu-v3", "v5p": "tpu-v5p", "v6e": "tpu-v6e"}
SEQUENCES_TOKENS = (128, 512)
PROMPT_TOKENS, DECODED_COUNT, CONTEXT_TOKENS = 2048, 32, 2048
ROUNDING = 1e-9  # what a rate may lack of the peak by arithmetic in floating point
SUBLANES_COUNT = 16  # rows of bf16 come to the arrays in sixteens
TIMES = "\u00a0×\u00a0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Matrix products of a layer that run as one: their shapes, each once a head, and their traffic."""

    kernel: Kernel
    shapes: tuple[tuple[int, int, int], ...]
    per_head: bool = False


def compute(batch: Literal[1, 8] = 1) -> dict:
    catalogue = load_catalogue()
    bert, llama = load_model("bert-large"), load_model("llama-3-70b")
    groups = {f"bert_{tokens}": list_bert(bert, tokens, batch) for tokens in SEQUENCES_TOKENS}
    groups |= {"prefill": list_prefill(llama), "decode": list_decode(llama)}
    return {
        "batch": batch,
        "bert": bert.name,
        "llama": llama.name,
        "prompt_tokens": PROMPT_TOKENS,
        "decoded_count": DECODED_COUNT,
        "context_tokens": CONTEXT_TOKENS,
        "chips": {
            key: {
                "id": chip_id,
                "name": catalogue[chip_id].short_name,
                "mxus": catalogue[chip_id].mxu_count,
                "side": catalogue[chip_id].mxu_rows_count,
                "ridge": catalogue[chip_id].ridge_flops_per_byte("bf16"),
            }
            for key, chip_id in CHIPS.items()
        },
        "groups": {
            group: {part: describe_work(work, catalogue) for part, work in parts.items()}
            for group, parts in groups.items()
        },
    }


def list_bert(model, tokens, batch) -> dict:
    """Attention as it was run then, its scores in memory, and the two largest products of a layer."""
    shape = AttentionShape(
        batch_count=batch,
        queries_tokens=tokens,
        keys_tokens=tokens,
        heads_count=model.heads_count,
        kv_heads_count=model.kv_heads_count,
        head_elements=model.head_elements,
    )
    head = model.head_elements
    return {
        "attention": Work(
            kernel=count_materialised_attention(shape),
            shapes=((tokens, head, tokens), (tokens, tokens, head)),
            per_head=True,
        ),
        **list_projections(model, batch * tokens),
    }


def list_prefill(model) -> dict:
    """One prompt; the scores stay on the chip."""
    shape = AttentionShape(
        queries_tokens=PROMPT_TOKENS,
        keys_tokens=PROMPT_TOKENS,
        heads_count=model.heads_count,
        kv_heads_count=model.kv_heads_count,
        head_elements=model.head_elements,
        causal=True,
    )
    head = model.head_elements
    return {
        "attention": Work(
            kernel=count_flash_attention(shape),
            shapes=((PROMPT_TOKENS, head, PROMPT_TOKENS), (PROMPT_TOKENS, PROMPT_TOKENS, head)),
            per_head=True,
        ),
        **list_projections(model, PROMPT_TOKENS),
    }


def list_decode(model) -> dict:
    """One token more for each of several sequences; queries that share keys are rows of one product."""
    kernel = count_decode_attention(
        batch_count=DECODED_COUNT,
        keys_tokens=CONTEXT_TOKENS,
        heads_count=model.heads_count,
        kv_heads_count=model.kv_heads_count,
        head_elements=model.head_elements,
    )
    rows, head = model.heads_count // model.kv_heads_count, model.head_elements
    return {
        "attention": Work(
            kernel=kernel,
            shapes=((rows, head, CONTEXT_TOKENS), (rows, CONTEXT_TOKENS, head)),
            per_head=True,
        ),
        **list_projections(model, DECODED_COUNT),
    }


def list_projections(model, rows) -> dict:
    """The product that makes queries, keys and values, and the widest of the feed-forward network."""
    width, head = model.width_elements, model.head_elements
    sizes = {
        "qkv": (rows, width, (model.heads_count + 2 * model.kv_heads_count) * head),
        "feed_forward": (rows, width, model.feed_forward_elements),
    }
    return {name: Work(kernel=count_gemm(*shape), shapes=(shape,)) for name, shape in sizes.items()}


def describe_work(work, catalogue) -> dict:
    """Its first shape, its intensity, and by chip what memory and arrays allow: the lower of the two."""
    found = {
        "shape": TIMES.join(f"{size:,}" for size in work.shapes[0]),
        "intensity": work.kernel.flops / work.kernel.memory_bytes,
    }
    for key, chip_id in CHIPS.items():
        roofline = catalogue[chip_id].roofline("bf16")
        memory = roofline.kernel_flops_per_s(work.kernel) / roofline.peak_flops_per_s
        fill = find_fill(work, catalogue[chip_id])
        found[key] = {
            "memory_fraction": memory,
            "fill_fraction": fill,
            "peak_fraction": min(memory, fill),
            "bound": "memory" if memory < min(fill, 1 - ROUNDING) else "compute",
        }
    return found


def find_fill(work, chip_) -> float:
    """Share of the arrays' places and cycles with useful work, in a stream of such products without a gap.

    Products of a head run each on one array; others are dealt over all of them.
    """
    paid, useful = 0.0, 0
    for shape in work.shapes:
        if work.per_head:
            side = chip_.mxu_rows_count
            run = run_mxu(*shape, rows=side, cols=side, sublane_count=SUBLANES_COUNT)
        else:
            run = estimate_tpu_gemm(*shape, chip=chip_).run
        m, k, n = shape
        useful += m * k * n
        paid += m * k * n / run.steady_utilisation_fraction
    return useful / paid


PARTS = ("attention", "qkv", "feed_forward")
ROW_PX, GROUP_PX, HEAD_PX = 20, 22, 38


def draw(figure, data, t) -> None:
    narrow, slide = figure.is_narrow, figure.size == "slide"
    keys = [key for key in CHIPS if not narrow or key != "v3"]
    parts = [part for part in PARTS if part != "qkv" or not slide]
    body = len(data["groups"]) * (GROUP_PX + len(parts) * ROW_PX)
    figure.set_height_px(HEAD_PX + body + 28)
    names, gap = (96, 6) if narrow else (212, 14)
    width = (figure.width_px - names - gap * (len(keys) - 1)) / len(keys)
    top = HEAD_PX
    words = name_groups(data, t)
    for number, key in enumerate(keys):
        look = data["chips"][key]
        left = names + number * (width + gap)
        figure.text_px(left, 14, chip(look["id"]).label)
        mxus = f"{look['mxus']}{TIMES}{look['side']}²"
        figure.text_px(left, 31, mxus, small=True, color="mute")
    for group, found in data["groups"].items():
        figure.text_px(0, top + 15, words[group], small=True, color="mute")
        top += GROUP_PX
        for number, part in enumerate(parts):
            baseline = top + ROW_PX * number + 15
            figure.text_px(0, baseline, name_part(part, t, narrow), small=narrow)
            if not narrow:
                figure.text_px(
                    names - 12, baseline, found[part]["shape"], small=True, color="mute", align="right"
                )
        for number, key in enumerate(keys):
            left = names + number * (width + gap)
            axes = figure.axes_px(left, top, width, ROW_PX * len(parts))
            bar_rows(axes, len(parts), 1, room=30)
            for row, part in enumerate(parts):
                one = found[part][key]
                color = "mem" if one["bound"] == "memory" else "cmp"
                text = t.number(100 * one["peak_fraction"])
                bar(axes, row, one["peak_fraction"], color=color, text=text, thickness=16)
            zero_line(axes)
        top += ROW_PX * len(parts)
    axis_titles(figure, y=t(zh="占峰值的比例", en="Share of peak"), unit="%")
    foot = figure.height_px - 6
    figure.text_px(names, foot, t(zh="访存受限", en="memory-bound"), small=True, color="mem")
    compute_bound = t(zh="算力受限", en="compute-bound")
    figure.text_px(figure.width_px, foot, compute_bound, small=True, color="cmp", align="right")


def name_groups(data, t) -> dict:
    """What each group of rows is."""
    batch, n = data["batch"], t.number
    bert = {
        f"bert_{tokens}": t(
            zh=f"{data['bert']}，{batch}个{tokens}词元的序列",
            en=f"{data['bert']}, {batch}{TIMES}{tokens} tokens",
        )
        for tokens in SEQUENCES_TOKENS
    }
    prompt, decoded = n(data["prompt_tokens"]), data["decoded_count"]
    return bert | {
        "prefill": t(
            zh=f"{data['llama']}，预填充{prompt}词元", en=f"{data['llama']}, prefill of {prompt} tokens"
        ),
        "decode": t(
            zh=f"{data['llama']}，解码{decoded}个序列", en=f"{data['llama']}, decoding {decoded} sequences"
        ),
    }


def name_part(part, t, short=False) -> str:
    """What one row is."""
    return {
        "attention": t(zh="注意力", en="Attention"),
        "qkv": "QKV",
        "feed_forward": t(zh="前馈", en="Feed-fwd" if short else "FFN"),
    }[part]


def describe(data, t) -> str:
    def share(group, part, key):
        return t.number(100 * data["groups"][group][part][key]["peak_fraction"])

    bert = [share("bert_128", "feed_forward", key) for key in CHIPS]
    llama = [share("prefill", "feed_forward", key) for key in CHIPS]
    attention = [share("bert_128", "attention", key) for key in CHIPS]
    names = t.join([row["name"] for row in data["chips"].values()])
    return t(
        zh=f"{names}上可达峰值的百分数。{data['bert']}在{SEQUENCES_TOKENS[0]}词元时，前馈层{t.join(bert)}，"
        f"注意力{t.join(attention)}；{data['llama']}预填充的前馈层{t.join(llama)}。",
        en=f"Percent of peak within reach on {names}. {data['bert']} at {SEQUENCES_TOKENS[0]} tokens: "
        f"{t.join(bert)} in the feed-forward layer, {t.join(attention)} in attention; {data['llama']} in "
        f"prefill: {t.join(llama)} in the feed-forward layer.",
    )


def table(data, t):
    words = name_groups(data, t)
    memory, fill = t(zh="访存", en="memory"), t(zh="阵列", en="arrays")
    return make_table(
        (
            t(zh="模型", en="Model"),
            t(zh="部分", en="Part"),
            "M × K × N",
            Column(t(zh="算术强度", en="Intensity"), "FLOP/B", 1),
            *(
                Column(t(zh=f"{row['name']}，{word}", en=f"{row['name']}, {word}"), "%", 1)
                for row in data["chips"].values()
                for word in (memory, fill)
            ),
        ),
        [
            (
                words[group],
                name_part(part, t),
                one["shape"],
                one["intensity"],
                *(100 * one[key][field] for key in CHIPS for field in ("memory_fraction", "fill_fraction")),
            )
            for group, parts in data["groups"].items()
            for part, one in parts.items()
        ],
    )

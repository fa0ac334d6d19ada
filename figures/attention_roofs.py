"""How fast attention can be on three chips as sequences grow: scores in memory, or fused."""

from typing import Literal

from diglot.figures import (
    Column,
    axis_titles,
    chip,
    direct_labels,
    label,
    line,
    linear_axis,
    log_axis,
    make_table,
    mark,
)
from diglot.hardware import (
    AttentionShape,
    count_flash_attention,
    count_materialised_attention,
    load_catalogue,
)

TITLE = {"zh": "注意力的屋顶线与序列长度", "en": "Roofs of attention against sequence length"}

CHIPS = {"h200": "h200-sxm", "v5p": "tpu-v5p", "v6e": "tpu-v6e"}
FORMS = {"materialised": count_materialised_attention, "flash": count_flash_attention}
LENGTHS = [round(2 ** (step / 16)) for step in range(7 * 16, 17 * 16 + 1)]  # 128 to 131,072
HEADS = 64


def compute(head: Literal[64, 128, 256] = 128) -> dict:
    """Forward pass in bf16, every head its own keys, no mask: lower bounds on traffic and on time."""
    catalogue = load_catalogue()
    chips = {}
    for key, chip_id in CHIPS.items():
        chip_ = catalogue[chip_id]
        roofline = chip_.roofline("bf16")
        rates = {
            form: [roofline.kernel_flops_per_s(count(shape_of(length, head))) / 1e12 for length in LENGTHS]
            for form, count in FORMS.items()
        }
        chips[key] = {
            "id": chip_id,
            "name": chip_.short_name,
            "peak_tflops_per_s": roofline.peak_flops_per_s / 1e12,
            "ridge": roofline.ridge_flops_per_byte,
            # The head is the depth of Q K^T and the columns of P V: of a wider array it fills a part.
            "fit_fraction": 1 if chip_.kind == "gpu" else min(1, head / chip_.mxu_rows_count),
            "tflops_per_s": rates,
            "longest_tflops_per_s": {form: rate[-1] for form, rate in rates.items()},
            "gain": rates["flash"][-1] / rates["materialised"][-1],
            # Fused, an FLOP/B is two queries of a sequence: half its length is the intensity.
            "ridge_tokens": 2 * roofline.ridge_flops_per_byte,
        }
    return {
        "head": head,
        "lengths": LENGTHS,
        "longest": LENGTHS[-1],
        "chips": chips,
        "intensity": {
            form: [count(shape_of(length, head)).intensity_flops_per_byte for length in LENGTHS]
            for form, count in FORMS.items()
        },
        # Of S and P, each written and read, alone: where materialised attention tends to.
        "materialised_limit": head / 2,
    }


def shape_of(length, head):
    """One layer's attention over one sequence; more sequences have the same intensity."""
    return AttentionShape(
        queries_tokens=length,
        keys_tokens=length,
        heads_count=HEADS,
        kv_heads_count=HEADS,
        head_elements=head,
    )


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    left, right, head, foot = 44, 88 if not narrow else 84, 58, 54
    gap = 26
    if narrow:
        body = 168
        width = figure.width_px - left - right
        figure.set_height_px(2 * (head + body) + foot + gap)
        places = [(left, head), (left, 2 * head + body + gap)]
    else:
        figure.set_height_px(331 if figure.size == "slide" else 350)
        body = figure.height_px - head - foot
        width = (figure.width_px - left - gap - 2 * right) / 2
        places = [(left, head), (left + width + right + gap, head)]
    words = {
        "materialised": t(zh="分数写入内存", en="Scores in memory"),
        "flash": t(zh="融合（Flash）", en="Fused (Flash)"),
    }
    for (form, word), (x, y) in zip(words.items(), places, strict=True):
        axes = figure.axes_px(x, y, width, body)
        log_axis(axes, "x", 128, LENGTHS[-1], ticks=(128, 1024, 8192, 65536))
        linear_axis(axes, "y", 0, 1050, ticks=(0, 250, 500, 750, 1000))
        draw_panel(axes, data["chips"], form, t)
        figure.text_px(x + width, y - 12, word, align="right", color="soft")
        if narrow or form == "materialised":
            axis_titles(figure, y=t(zh="可达算力", en="Attainable rate"), unit="TFLOP/s", top=y - head)
        else:
            axes.tick_params(labelleft=False)
    axis_titles(figure, x=t(zh="序列长度，词元", en="Sequence length, tokens"), right=figure.width_px - right)


RIDGE_LABELS = {"h200-sxm": (-9, -10, "right"), "tpu-v5p": (4, 14, "center"), "tpu-v6e": (9, -13, "left")}
"""Between the slopes: pixels from the mark, and the side."""


def draw_panel(axes, chips, form, t) -> None:
    """One line a chip with its rate at the longest sequence; where a line meets its roof, a mark."""
    names = []
    for row in chips.values():
        look, rates = chip(row["id"]), row["tflops_per_s"][form]
        line(axes, LENGTHS, rates, color=look.token)
        names.append(
            (rates[-1], f"{look.label.removeprefix('TPU ')}  {t.number(rates[-1])}", look.text_token)
        )
    for row in chips.values():
        look = chip(row["id"])
        if form == "flash":
            at = row["ridge_tokens"], row["peak_tflops_per_s"]
            mark(axes, *at, color=look.token, marker=look.marker)
            dx, dy, align = RIDGE_LABELS[look.chip_id]
            text = t(zh="脊点 ", en="ridge ") * (align == "left") + t.number(at[0])
            label(axes, *at, text, dx=dx, dy=dy, align=align, color=look.text_token, small=True)
    direct_labels(axes, LENGTHS[-1], names)
    if form == "flash":
        note_part_filled(axes, chips, t)


def note_part_filled(axes, chips, t) -> None:
    """What is left of the roofs of chips whose arrays are wider than a head."""
    parts = [row for row in chips.values() if row["fit_fraction"] < 1]
    for number, row in enumerate(parts):
        look, share = chip(row["id"]), t.number(100 * row["fit_fraction"])
        rate = t.number(row["peak_tflops_per_s"] * row["fit_fraction"])
        text = t(
            zh=f"{look.label.removeprefix('TPU ')}阵列填充{share}%：{rate}",
            en=f"{look.label.removeprefix('TPU ')} arrays {share}% full: {rate}",
        )
        at = LENGTHS[-1], 625 if len(parts) == 1 else (575, 675)[number]
        label(axes, *at, text, align="right", color=look.text_token, small=True)


def describe(data, t) -> str:
    n, chips = t.number, data["chips"].values()
    parts = [
        t(
            zh=f"{row['name']}的阵列只填{n(100 * row['fit_fraction'])}%。",
            en=f" Arrays of {row['name']} are {n(100 * row['fit_fraction'])}% full.",
        )
        for row in chips
        if row["fit_fraction"] < 1
    ]
    ends = [
        t(
            zh=f"{row['name']} {n(row['longest_tflops_per_s']['materialised'])}对"
            f"{n(row['longest_tflops_per_s']['flash'])}",
            en=f"{row['name']} {n(row['longest_tflops_per_s']['materialised'])} against "
            f"{n(row['longest_tflops_per_s']['flash'])}",
        )
        for row in chips
    ]
    return t(
        zh=f"头维{data['head']}、{n(data['longest'])}个词元时，分数写入内存与融合注意力的可达算力"
        f"（TFLOP/s）：{'，'.join(ends)}。前者的强度不超过{n(data['materialised_limit'])} FLOP/B。"
        f"{''.join(parts)}",
        en=f"Attainable rates of attention with heads of {data['head']} at {n(data['longest'])} tokens, "
        f"scores in memory against fused, in TFLOP/s: {', '.join(ends)}. The former never exceeds "
        f"{n(data['materialised_limit'])} FLOP/B.{''.join(parts)}",
    )


def table(data, t):
    chips = list(data["chips"].values())
    words = {"materialised": t(zh="写入内存", en="in memory"), "flash": t(zh="融合", en="fused")}
    return make_table(
        (
            Column(t(zh="序列长度", en="Sequence length"), t(zh="词元", en="tokens")),
            *(Column(t(zh=f"强度，{word}", en=f"Intensity, {word}"), "FLOP/B", 1) for word in words.values()),
            *(
                Column(f"{row['name']}{t(zh='，', en=', ')}{word}", "TFLOP/s")
                for word in words.values()
                for row in chips
            ),
        ),
        [
            (
                length,
                *(data["intensity"][form][at] for form in words),
                *(row["tflops_per_s"][form][at] for form in words for row in chips),
            )
            for at, length in enumerate(data["lengths"])
            if length.bit_count() == 1
        ],
    )

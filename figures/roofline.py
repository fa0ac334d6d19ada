"""Where kernels of a language model land under the roofs of three chips."""

from typing import Literal

from diglot.figures import (
    Column,
    axis_titles,
    chip,
    drop_line,
    label,
    line,
    log_axis,
    make_table,
    mark,
    region_word,
)
from diglot.hardware import (
    AttentionShape,
    count_elementwise,
    count_flash_attention,
    count_gemm,
    count_materialised_attention,
    load_catalogue,
)

TITLE = {"zh": "三种芯片的屋顶线与七个算子", "en": "Rooflines of three chips, with seven kernels"}

LABELS = {"dtype": {"zh": "精度", "en": "Precision"}}

CHIPS = {"h200": "h200-sxm", "v5p": "tpu-v5p", "v6e": "tpu-v6e"}

WIDTH, HIDDEN = 8192, 28672
"""Of the feed-forward product, k and n: the sizes of a model with 70 billion parameters."""
TOKENS, HEADS, HEAD_ELEMENTS = 2048, 64, 128
BATCHES = {"decode_1": 1, "decode_32": 32, "decode_256": 256}


def compute(dtype: Literal["bf16", "int8"] = "bf16") -> dict:
    catalogue = load_catalogue()
    roofs = {key: catalogue[chip_id].roofline(dtype) for key, chip_id in CHIPS.items()}
    chips = {
        key: {
            "id": chip_id,
            "name": catalogue[chip_id].short_name,
            "peak_tflops_per_s": roofs[key].peak_flops_per_s / 1e12,
            "bandwidth_gb_per_s": roofs[key].memory_bandwidth_bytes_per_s / 1e9,
            "ridge": roofs[key].ridge_flops_per_byte,
        }
        for key, chip_id in CHIPS.items()
    }
    kernels = {
        name: {
            **({"batch": BATCHES[name]} if name in BATCHES else {}),
            "intensity": kernel.intensity_flops_per_byte,
            "attainable_tflops_per_s": {
                key: roof.kernel_flops_per_s(kernel) / 1e12 for key, roof in roofs.items()
            },
            "attainable_fraction": {
                key: roof.kernel_flops_per_s(kernel) / roof.peak_flops_per_s for key, roof in roofs.items()
            },
            "bound": {key: roof.bound_by(kernel) for key, roof in roofs.items()},
        }
        for name, kernel in count_kernels(dtype).items()
    }
    return {
        **chips,
        "dtype": dtype,
        "kernels": kernels,
        "tokens": TOKENS,
        "peak_gap": roofs["h200"].peak_flops_per_s / roofs["v6e"].peak_flops_per_s - 1,
        "bandwidth_ratio": roofs["h200"].memory_bandwidth_bytes_per_s
        / roofs["v6e"].memory_bandwidth_bytes_per_s,
    }


def count_kernels(dtype) -> dict:
    """FLOPs and bytes of each kernel; weights and activations in the same format, softmax FLOPs left out."""
    attention = AttentionShape(
        queries_tokens=TOKENS,
        keys_tokens=TOKENS,
        heads_count=HEADS,
        kv_heads_count=HEADS,
        head_elements=HEAD_ELEMENTS,
    )
    return {
        "add": count_elementwise(TOKENS * WIDTH, inputs=2, dtype=dtype),
        **{name: count_gemm(batch, WIDTH, HIDDEN, dtype=dtype) for name, batch in BATCHES.items()},
        "prefill": count_gemm(TOKENS, WIDTH, HIDDEN, dtype=dtype),
        "materialised": count_materialised_attention(attention, dtype=dtype),
        "flash": count_flash_attention(attention, dtype=dtype),
    }


SCALE = {"bf16": 1, "int8": 2}
"""Half the bytes and twice the peak: with twice the limits both formats are laid out alike."""
ATTENTION_ROW_PX, GEMM_ROW_PX = 52, 70
"""Baselines of the two rows of kernel names above the frame."""


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    figure.set_height_px({"narrow": 420, "slide": 331}.get(figure.size, 420))
    left, right, top, bottom = (42, 8, 76, 56) if narrow else (42, 118, 76, 54)
    axes = figure.axes_px(left, top, figure.width_px - left - right, figure.height_px - top - bottom)
    scale = SCALE[data["dtype"]]
    log_axis(axes, "x", 0.1 * scale, (20000 if narrow else 10000) * scale)
    log_axis(axes, "y", 0.2 * scale, 2000 * scale)
    axis_titles(
        figure,
        y=t(zh="可达算力", en="Attainable rate"),
        unit="TFLOP/s" if data["dtype"] == "bf16" else "TOP/s",
        x=t(zh="算术强度，FLOP/B", en="Arithmetic intensity, FLOP/B"),
        right=figure.width_px - right,
    )
    for name, kernel in data["kernels"].items():
        name_kernel(figure, axes, name, kernel, t)
    for key in CHIPS:
        draw_roof(axes, data[key], data["dtype"], t)
    for key in CHIPS:
        look = chip(data[key]["id"])
        for kernel in data["kernels"].values():
            rate = kernel["attainable_tflops_per_s"][key]
            mark(axes, kernel["intensity"], rate, color=look.token, marker=look.marker, size=7)
    region_word(axes, 0.215, 0.88 if narrow else 0.8, t(zh="访存受限", en="memory-bound"))
    region_word(axes, 1, 0.5, t(zh="算力受限", en="compute-bound"), align="right")


def draw_roof(axes, roof, dtype, t) -> None:
    """One roof with its name; the ridge is filled, since it follows from published figures alone."""
    look = chip(roof["id"])
    narrow = axes.figure.is_narrow
    ridge, peak, slope = roof["ridge"], roof["peak_tflops_per_s"], roof["bandwidth_gb_per_s"] / 1e3
    (low, high), (bottom, _) = axes.get_xlim(), axes.get_ylim()
    start = max(low, bottom / slope)
    drop_line(axes, ridge, peak, color=look.token)
    dashes = "solid" if dtype == "bf16" else "8bit"
    line(axes, [start, ridge, high], [start * slope, peak, peak], color=look.token, dashes=dashes)
    mark(axes, ridge, peak, color=look.token, marker=look.marker, measured=True, size=6)

    first = look.label == "TPU v5p"
    foot = t(zh="脊点 ", en="ridge ") * first + t.number(ridge)
    dx, align = (-4, "right") if first else (2 if narrow else 5, "left")
    label(axes, ridge, bottom, foot, dx=dx, dy=12, align=align, color=look.text_token, small=True)
    if narrow:
        dy = {"H200": 9, "TPU v5p": -10, "TPU v6e": -9}[look.label]
        label(axes, high, peak, look.label, dy=dy, align="right", color=look.text_token, small=True)
    else:
        dy = {"H200": 11, "TPU v5p": -8, "TPU v6e": -4}[look.label]
        label(axes, high, peak, f"{look.label}  {t.number(peak)}", dx=10, dy=dy, color=look.text_token)
        if look.label != "TPU v5p":
            at, dx, align = (7, -12, "right") if look.label == "H200" else (1.9, 10, "left")
            at *= SCALE[dtype]
            text = f"{t.number(roof['bandwidth_gb_per_s'])} GB/s"
            dy = 5 if align == "right" else -5
            label(axes, at, at * slope, text, dx=dx, dy=dy, align=align, color=look.text_token, small=True)


def name_kernel(figure, axes, name, kernel, t) -> None:
    """The kernel's name above the frame, and a dotted guide down through its marks."""
    words = {
        "add": t(zh="加法", en="add"),
        "decode_1": t(zh="解码 1", en="decode 1"),
        "decode_32": "" if figure.is_narrow else t(zh="解码 32", en="decode 32"),
        "decode_256": t(zh="解码 256", en="decode 256"),
        "prefill": t(zh="预填充", en="prefill"),
        "materialised": t(zh="未融合注意力", en="unfused attention"),
        "flash": "Flash" if figure.is_narrow else "FlashAttention",
    }
    attention = name in ("materialised", "flash")
    baseline = ATTENTION_ROW_PX if attention else GEMM_ROW_PX
    align = {"flash": "left", "prefill": "left", "decode_32": "right", "materialised": "left"}.get(
        name, "center"
    )
    if figure.is_narrow and name == "materialised":
        align = "right"
    to_figure = axes.transData - figure.transFigure
    across = to_figure.transform((kernel["intensity"], 1))[0] * figure.width_px
    nudge = {"left": -8, "right": 8, "center": 0}[align]
    figure.text_px(across + nudge, baseline, words[name], align=align, small=True, color="soft")
    if words[name]:
        top = to_figure.inverted().transform((0, 1 - (baseline + 5) / figure.height_px))[1]
        lowest = min(kernel["attainable_tflops_per_s"].values())
        axes.plot(
            [kernel["intensity"]] * 2,
            [lowest, top],
            color="mute",
            lw=1,
            ls=(0, (1, 3)),
            zorder=1,
            clip_on=False,
        )


def describe(data, t) -> str:
    n, kernels = t.number, data["kernels"]
    unit = "TFLOP/s" if data["dtype"] == "bf16" else "TOP/s"
    roofs = [
        t(
            zh=f"{data[key]['name']}峰值{n(data[key]['peak_tflops_per_s'])} {unit}、"
            f"脊点{n(data[key]['ridge'])} FLOP/B",
            en=f"{data[key]['name']} peaks at {n(data[key]['peak_tflops_per_s'])} {unit} with its ridge at "
            f"{n(data[key]['ridge'])} FLOP/B",
        )
        for key in CHIPS
    ]
    few, many = (n(kernels[name]["intensity"]) for name in ("decode_1", "decode_256"))
    return t(
        zh=f"{data['dtype']}屋顶线：{'；'.join(roofs)}。"
        f"解码的算术强度在批量1时为{few} FLOP/B，批量256时为{many} FLOP/B。",
        en=f"Rooflines in {data['dtype']}: {'; '.join(roofs)}. Decoding has an intensity of {few} FLOP/B "
        f"at batch 1 and of {many} FLOP/B at batch 256.",
    )


def table(data, t):
    names = {
        "add": t(zh="逐元素加法", en="Element-wise add"),
        **{name: t(zh=f"解码，批量{batch}", en=f"Decode, batch {batch}") for name, batch in BATCHES.items()},
        "prefill": t(
            zh=f"预填充，{t.number(data['tokens'])}个词元", en=f"Prefill, {t.number(data['tokens'])} tokens"
        ),
        "materialised": t(zh="未融合注意力", en="Unfused attention"),
        "flash": "FlashAttention",
    }
    unit = "TFLOP/s" if data["dtype"] == "bf16" else "TOP/s"
    return make_table(
        (
            t(zh="算子", en="Kernel"),
            Column(t(zh="算术强度", en="Intensity"), "FLOP/B", 1),
            *(Column(data[key]["name"], unit, 1) for key in CHIPS),
        ),
        [
            (names[name], kernel["intensity"], *(kernel["attainable_tflops_per_s"][key] for key in CHIPS))
            for name, kernel in data["kernels"].items()
        ],
    )

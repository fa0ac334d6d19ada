"""Where kernels of a language model land under the roofs of three chips."""

from typing import Literal

from diglot import hardware
from diglot.figures import Column, charts, make_table

CHIPS = {"h200": "h200-sxm", "v5p": "tpu-v5p", "v6e": "tpu-v6e"}
WIDTH, HIDDEN = 8192, 28672
"""Of the feed-forward product, k and n: the sizes of a model with 70 billion parameters."""
TOKENS, HEADS, HEAD_ELEMENTS = 2048, 64, 128
OPERATIONS = {"bf16": "FLOP", "int8": "OP"}
BATCHES = {"decode_1": 1, "decode_32": 32, "decode_256": 256}

TITLE = {"zh": "三种芯片的屋顶线与七个算子", "en": "Rooflines of three chips, with seven kernels"}
MESSAGE = {
    "zh": "70B模型的前馈层按批量{kernels.decode_32.batch}解码（{dtype}），"
    "H200只用到峰值的{kernels.decode_32.attainable_fraction.h200 | percent}，"
    "TPU v6e只有{kernels.decode_32.attainable_fraction.v6e | percent}",
    "en": "Decoding at batch {kernels.decode_32.batch} in {dtype}, a 70B model’s feed-forward layer reaches "
    "{kernels.decode_32.attainable_fraction.h200 | percent} of an H200’s peak and "
    "{kernels.decode_32.attainable_fraction.v6e | percent} of a TPU v6e’s",
}
LABELS = {"dtype": {"zh": "精度", "en": "Precision"}}
KERNELS = {
    "add": {"zh": "加法", "en": "add"},
    **{name: {"zh": f"解码 {n}", "en": f"decode {n}"} for name, n in BATCHES.items()},
    "prefill": {"zh": "预填充", "en": "prefill"},
    "materialised": {"zh": "未融合注意力", "en": "unfused attention"},
    "flash": "FlashAttention",
}
COLUMNS = {
    "intensity": {"zh": "算术强度", "en": "Arithmetic intensity", "unit": "FLOP/B", "digits": 1},
    "rate": {"zh": "可达算力", "en": "Attainable rate", "unit": "FLOP/s"},
    "int8_intensity": {"zh": "算术强度", "en": "Arithmetic intensity", "unit": "OP/B", "digits": 1},
    "int8_rate": {"zh": "可达算力", "en": "Attainable rate", "unit": "OP/s"},
    "kernel": {"zh": "算子", "en": "Kernel", "names": KERNELS},
}


def compute(dtype: Literal["bf16", "int8"] = "bf16") -> dict:
    catalogue = hardware.load_catalogue()
    roofs = {key: catalogue[chip_id].roofline(dtype) for key, chip_id in CHIPS.items()}
    chips = {
        key: {
            "chip": CHIPS[key],
            "name": catalogue[CHIPS[key]].short_name,
            "dtype": dtype,
            "peak": roof.peak_flops_per_s,
            "bandwidth": roof.memory_bandwidth_bytes_per_s,
            "ridge": roof.ridge_flops_per_byte,
        }
        for key, roof in roofs.items()
    }
    return {
        **chips,
        "dtype": dtype,
        "kernels": {name: describe_kernel(name, one, roofs) for name, one in count_kernels(dtype).items()},
        "peak_gap": chips["h200"]["peak"] / chips["v6e"]["peak"] - 1,
        "bandwidth_ratio": chips["h200"]["bandwidth"] / chips["v6e"]["bandwidth"],
    }


def describe_kernel(name, kernel, roofs) -> dict:
    return {
        "kernel": name,
        "batch": BATCHES.get(name),
        "intensity": kernel.intensity_flops_per_byte,
        "rate": {key: roof.kernel_flops_per_s(kernel) for key, roof in roofs.items()},
        "attainable_fraction": {key: roof.peak_fraction(kernel) for key, roof in roofs.items()},
        "bound": {key: roof.bound_by(kernel) for key, roof in roofs.items()},
    }


def count_kernels(dtype) -> dict:
    """FLOPs and bytes of each kernel; weights and activations in the same format, softmax FLOPs left out."""
    attention = hardware.AttentionShape.of_sequence(TOKENS, HEADS, HEAD_ELEMENTS)
    rows = {**BATCHES, "prefill": TOKENS}
    return {
        "add": hardware.count_elementwise(TOKENS * WIDTH, inputs=2, dtype=dtype),
        **{name: hardware.count_gemm(count, WIDTH, HIDDEN, dtype=dtype) for name, count in rows.items()},
        "materialised": hardware.count_materialised_attention(attention, dtype=dtype),
        "flash": hardware.count_flash_attention(attention, dtype=dtype),
    }


def draw(figure, data, t) -> None:
    # The columns of both axes: 8-bit integers have no floating-point operations.
    x, y = ("intensity", "rate") if data["dtype"] == "bf16" else ("int8_intensity", "int8_rate")
    kernels = [{"kernel": name, x: kernel["intensity"]} for name, kernel in data["kernels"].items()]
    # The same axes for both formats, so that readers see the roofs move.
    roofs, domains = [data[key] for key in CHIPS], {"x_domain": (0.1, 10_000), "y_domain": (2e11, 3e15)}
    chart = charts.roofline(figure, roofs, kernels, x=x, y=y, dtype="dtype", **domains)
    told = data["kernels"]["decode_32"]
    for key in ("h200", "v6e"):  # what the message says
        share = t.percent(told["attainable_fraction"][key])
        point = {x: told["intensity"], y: told["rate"][key], "text": share}
        chart.points([point], color=CHIPS[key], label="text")


def describe(data, t) -> str:
    n, ops, kernels = t.number, OPERATIONS[data["dtype"]], data["kernels"]
    chips = [(one["name"], n(one["peak"] / 1e12), n(one["ridge"])) for one in map(data.get, CHIPS)]
    roofs = [
        t(
            zh=f"{name}峰值{peak} T{ops}/s、脊点{ridge} {ops}/B",
            en=f"{name} peaks at {peak} T{ops}/s with its ridge at {ridge} {ops}/B",
        )
        for name, peak, ridge in chips
    ]
    few, many = (n(kernels[name]["intensity"]) for name in ("decode_1", "decode_256"))
    return t(
        zh=f"{data['dtype']}屋顶线：{'；'.join(roofs)}。"
        f"解码的算术强度在批量1时为{few} {ops}/B，批量256时为{many} {ops}/B。",
        en=f"Rooflines in {data['dtype']}: {'; '.join(roofs)}. Decoding has an intensity of {few} {ops}/B "
        f"at batch 1 and of {many} {ops}/B at batch 256.",
    )


def table(data, t):
    ops = OPERATIONS[data["dtype"]]
    rates = [Column(data[key]["name"], f"T{ops}/s", 1) for key in CHIPS]
    rows = [
        (t.name("kernel", name), kernel["intensity"], *(kernel["rate"][key] / 1e12 for key in CHIPS))
        for name, kernel in data["kernels"].items()
    ]
    intensity = Column(t(zh="算术强度", en="Intensity"), f"{ops}/B", 1)
    return make_table((t(zh="算子", en="Kernel"), intensity, *rates), rows)

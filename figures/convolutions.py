"""What convolutions of ResNet-50, and one of MobileNetV2, can reach on TPUs, and the images that they need.

Unfolded into a matrix product (im2col), a convolution has a row for each output position, a depth of one
filter, and a column for each filter. Images, filters and results pass through HBM once; the unfolding is
free. A depthwise convolution is a product of its own for each channel.
"""

from math import ceil

from diglot import hardware
from diglot.figures import charts, make_table
from diglot.hardware.claims.eras import find_product_limits
from diglot.hardware.kernels.resnet50 import list_resnet50_convolutions, shape_convolution

TITLE = {"zh": "卷积在四款TPU上", "en": "Convolutions on four TPUs"}
MESSAGE = {
    "zh": "ResNet-50中64通道的3×3卷积：v2能用到峰值的{layers.three_64.v2.peak_fraction | percent}，"
    "v6e只有{layers.three_64.v6e.peak_fraction | percent}；"
    "逐通道卷积在哪一代阵列上都填不到{depthwise_most | percent(1)}",
    "en": "A 3 × 3 convolution of 64 channels: {layers.three_64.v2.peak_fraction | percent} of the peak of "
    "v2, {layers.three_64.v6e.peak_fraction | percent} of v6e; a depthwise one fills less than "
    "{depthwise_most | percent(1)} of any array",
}
CHIPS = {"v2": "tpu-v2", "v5p": "tpu-v5p", "v6e": "tpu-v6e", "v7": "tpu-v7"}
LAYERS = {
    "stem": "7 × 7, 3 → 64",
    "one_64": "1 × 1, 64 → 256",
    "three_64": "3 × 3, 64 → 64",
    "three_128": "3 × 3, 128 → 128",
    "three_256": "3 × 3, 256 → 256",
    "three_512": "3 × 3, 512 → 512",
    "depthwise": {"zh": "逐通道3 × 3，144", "en": "3 × 3 depthwise, 144"},
}
SHARE = {"unit": "share", "digits": 1}
COLUMNS = {
    "chip": {"zh": "TPU", "en": "TPU"},
    "layer": {"zh": "滤波器与通道", "en": "Filter and channels", "names": LAYERS},
    "shape": {"zh": "M × K × N", "en": "M × K × N"},
    "intensity": {"zh": "算术强度", "en": "Intensity", "unit": "FLOP/B", "digits": 0},
    **{
        f"{key}_{limit}": {"zh": f"{key}，{zh}", "en": f"{key}, {en}", **SHARE}
        for key in CHIPS
        for limit, zh, en in (("memory", "访存", "memory"), ("fill", "阵列", "arrays"))
    },
    "share": {"zh": "可达峰值的比例，*阵列没填满", "en": "Share of peak, *arrays not full", "unit": "share"},
}

BATCH = 64
PASSES = 3  # forward, and as long again for the gradients of images and of filters each
BOARD_CHIPS = 4
FED_IMAGES_PER_S = 3000
"""What the host of 4 TPU v2 gave them in March 2018: commit 6285522 of github.com/tensorflow/tensorflow."""
TIMES = "\u00a0×\u00a0"


def compute() -> dict:
    shapes = {
        "stem": shape_convolution(BATCH, 224, 3, 64, filter_side_elements=7, stride_elements=2),
        "one_64": shape_convolution(BATCH, 56, 64, 256),
        "three_64": shape_convolution(BATCH, 56, 64, 64, filter_side_elements=3),
        "three_128": shape_convolution(BATCH, 28, 128, 128, filter_side_elements=3),
        "three_256": shape_convolution(BATCH, 14, 256, 256, filter_side_elements=3),
        "three_512": shape_convolution(BATCH, 7, 512, 512, filter_side_elements=3),
        "depthwise": shape_convolution(BATCH, 56, 144, 144, filter_side_elements=3, groups_count=144),
    }
    layers = {key: describe_layer(shape) for key, shape in shapes.items()}
    images = {key: count_images_per_s(chip_id) for key, chip_id in CHIPS.items()}
    m, k, n = shapes["three_64"].gemm_sizes
    return {
        "batch": BATCH,
        "layers": layers,
        "depthwise_most": max(layers["depthwise"][key]["fill_fraction"] for key in CHIPS),
        "rows": m,
        "depth": k,
        "columns": n,
        "depth_tiles": ceil(k / hardware.load_catalogue()["tpu-v5p"].mxu_rows_count),
        "unfolded_ratio": k / shapes["three_64"].channels_count,
        "convolutions": len(list_resnet50_convolutions(1)),
        "board": {
            "chips": BOARD_CHIPS,
            "fed_images_per_s": FED_IMAGES_PER_S,
            "fed_share": FED_IMAGES_PER_S / (BOARD_CHIPS * images["v2"]),
            **{key: {"images_per_s": BOARD_CHIPS * each} for key, each in images.items()},
        },
    }


def describe_layer(shape: hardware.ConvolutionShape) -> dict:
    kernel, sizes = hardware.count_convolution(shape), shape.gemm_sizes
    row = {
        "shape": TIMES.join(f"{size:,}" for size in sizes),
        "intensity": kernel.intensity_flops_per_byte,
    }
    for key, chip_id in CHIPS.items():
        memory, fill = find_product_limits(hardware.load_catalogue()[chip_id], kernel, *sizes)
        share = min(memory, fill)
        row[key] = {"memory_fraction": memory, "fill_fraction": fill, "peak_fraction": share}
    return row


def count_images_per_s(chip_id: str) -> float:
    """Images in a second of training that the convolutions of one chip allow at most."""
    found, time_s = hardware.load_catalogue()[chip_id], 0.0
    for shape in list_resnet50_convolutions(BATCH):
        kernel = hardware.count_convolution(shape)
        share = min(find_product_limits(found, kernel, *shape.gemm_sizes))
        time_s += kernel.flops / found.peak_flops_per_s("bf16") / share
    return BATCH / (PASSES * time_s)


def draw(figure, data, t) -> None:
    rows = [
        {
            **{"layer": layer, "chip": key, "share": row[key]["peak_fraction"]},
            "text": write_share(row[key]["peak_fraction"], t)
            + "*" * (row[key]["fill_fraction"] < row[key]["memory_fraction"]),
        }
        for layer, row in data["layers"].items()
        for key in CHIPS
    ]
    charts.heat_map(figure, rows, x="chip", y="layer", value="share", text="text")


def write_share(share: float, t) -> str:
    """In percent, with a digit more where it would be 0."""
    return t.number(100 * share, 0 if share >= 0.005 else 2)


def describe(data, t) -> str:
    parts = []
    for layer in ("one_64", "three_64", "three_256", "depthwise"):
        row = data["layers"][layer]
        shares = t.join([write_share(row[key]["peak_fraction"], t) for key in CHIPS])
        parts.append(f"{t.name('layer', layer)} ({shares})")
    names = t.join([f"TPU {key}" for key in CHIPS])
    return t(
        zh=f"各卷积在{names}上可达峰值的百分数，批量{data['batch']}。{'；'.join(parts)}。",
        en=f"Percent of peak within reach of convolutions on {names}, batch {data['batch']}. "
        f"{'; '.join(parts)}.",
    )


def table(data, t):
    rows = [
        {
            **{"layer": layer, "shape": row["shape"], "intensity": row["intensity"]},
            **{
                f"{key}_{limit}": row[key][f"{limit}_fraction"]
                for key in CHIPS
                for limit in ("memory", "fill")
            },
        }
        for layer, row in data["layers"].items()
    ]
    return make_table(tuple(rows[0]), rows, t)

"""Three rooflines of one chip, for its memory, its L2 and its shared memory, and a matrix product on each."""

from diglot.figures import charts, make_table
from diglot.hardware import count_layered_gemm, find_hierarchical_roofline, load_catalogue
from diglot.hardware.kernels.memory_levels import L2, MEMORY, SHARED_MEMORY

CHIP_ID = "h100-sxm"
LEVELS = {"memory": MEMORY, "l2": L2, "shared": SHARED_MEMORY}
COLOURS = {"memory": CHIP_ID, "l2": "ink", "shared": "seq5"}
M, K, N = 4096, 8192, 28672
BLOCK, WARPGROUP = (128, 256), (64, 256)
"""Sides of the part of C that a thread block computes, and each of its two warp groups."""
FORMS = {"alone": BLOCK, "pair": (2 * BLOCK[0], BLOCK[1])}
"""What L2 sends operands for: a block, or a cluster of two that receive the same columns of B at once."""

TITLE = {"zh": "H100的分层屋顶线", "en": "Hierarchical roofline of H100"}
MESSAGE = {
    "zh": "H100上的bf16大矩阵乘被L2压在峰值的{forms.alone.peak_fraction | percent}；"
    "两个线程块成簇共用一份B，就到{forms.pair.peak_fraction | percent}",
    "en": "L2 holds a large bf16 product on H100 to {forms.alone.peak_fraction | percent} of the peak; "
    "clusters of two thread blocks that share B reach {forms.pair.peak_fraction | percent}",
}
LEVEL_NAMES = {"memory": "HBM", "l2": "L2", "shared": {"zh": "共享内存", "en": "SMEM"}}
FORM_NAMES = {
    "alone": {"zh": "单块", "en": "single blocks"},
    "pair": {"zh": "两块一簇", "en": "clusters of 2"},
}
COLUMNS = {
    "intensity": {"zh": "算术强度", "en": "Arithmetic intensity", "unit": "FLOP/B", "digits": 1},
    "rate": {"zh": "可达算力（bf16）", "en": "Attainable rate (bf16)", "unit": "FLOP/s"},
    "level": {"zh": "层级", "en": "Level", "names": LEVEL_NAMES},
    "form": {"zh": "分块", "en": "Tiling", "names": FORM_NAMES},
    "bandwidth": {"zh": "带宽", "en": "Bandwidth", "unit": "GB/s", "digits": 0},
    "ridge": {"zh": "脊点", "en": "Ridge", "unit": "FLOP/B", "digits": 1},
    "alone": {"zh": "强度，单块", "en": "Intensity, single blocks", "unit": "FLOP/B", "digits": 1},
    "pair": {"zh": "强度，两块一簇", "en": "Intensity, clusters of 2", "unit": "FLOP/B", "digits": 1},
}


def compute() -> dict:
    chip = load_catalogue()[CHIP_ID]
    roofs, peak = find_hierarchical_roofline(chip), chip.peak_flops_per_s("bf16")
    ridges = roofs.ridges_flops_per_byte("bf16")
    forms = {}
    for form, sent in FORMS.items():
        kernel = count_layered_gemm(M, K, N, tiles={MEMORY: None, L2: sent, SHARED_MEMORY: WARPGROUP})
        rate, binding = roofs.kernel_flops_per_s(kernel, "bf16"), roofs.bound_by(kernel, "bf16")
        forms[form] = {
            "intensity": {key: kernel.intensity_flops_per_byte(level) for key, level in LEVELS.items()},
            "rate": rate,
            "peak_fraction": rate / peak,
            "bound": {level: key for key, level in LEVELS.items()}.get(binding, "compute"),
        }
    return {
        "chip": chip.id,
        "name": chip.short_name,
        "shape": {"m": M, "k": K, "n": N},
        "levels": [
            {
                "chip": chip.id,
                "level": key,
                "peak": peak,
                "bandwidth": roofs.level(level).bandwidth_bytes_per_s,
                "ridge": ridges[level],
            }
            for key, level in LEVELS.items()
        ],
        "forms": forms,
    }


def draw(figure, data, t) -> None:
    domains = {"x_domain": (2, 4000), "y_domain": (1e14, 1.3e15)}
    chart = charts.roofline(figure, data["levels"], level="level", **domains)
    for form, found in data["forms"].items():
        points = [
            {"level": level, "intensity": at, "rate": found["rate"], "text": None}
            for level, at in sorted(found["intensity"].items(), key=lambda one: one[1])
        ]
        share = t.percent(found["peak_fraction"])  # at the level that binds it, as the message says
        binding = next(point for point in points if point["level"] == found["bound"])
        binding["text"] = t.name("form", form) + t(zh="：", en=": ") + share
        chart.lines(points, color="mute", dash="guide", width=1, name=False)
        for point in points:
            chart.points([point], color=COLOURS[point["level"]], label="text", size=7)


def describe(data, t) -> str:
    n, alone, pair = t.number, data["forms"]["alone"], data["forms"]["pair"]
    inside = [n(alone["intensity"][key]) for key in LEVELS]
    return t(
        zh=f"{data['name']}的三条屋顶线。矩阵乘在HBM、L2、共享内存处的强度为{t.join(inside)} FLOP/B，"
        f"受限于L2，{n(alone['rate'] / 1e12)} TFLOP/s。两块一簇共用B，L2处的强度升到"
        f"{n(pair['intensity']['l2'])}，算力{n(pair['rate'] / 1e12)}。",
        en=f"Three rooflines of {data['name']}. A matrix product has intensities of {t.join(inside)} FLOP/B "
        f"at HBM, L2 and shared memory; L2 binds it at {n(alone['rate'] / 1e12)} TFLOP/s. Where clusters of "
        f"two blocks share B, its intensity at L2 is {n(pair['intensity']['l2'])} and its rate "
        f"{n(pair['rate'] / 1e12)}.",
    )


def table(data, t):
    rows = [
        {
            **row,
            "bandwidth": row["bandwidth"] / 1e9,
            **{form: found["intensity"][row["level"]] for form, found in data["forms"].items()},
        }
        for row in data["levels"]
    ]
    return make_table(("level", "bandwidth", "ridge", "alone", "pair"), rows, t, chips=[None] * len(rows))

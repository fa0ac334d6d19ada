"""Three rooflines of one chip, for its memory, its L2 and its shared memory, and a matrix product on each."""

from diglot.figures import (
    Column,
    axis_titles,
    chip,
    direct_label,
    drop_line,
    label,
    line,
    log_axis,
    make_table,
    mark,
)
from diglot.hardware import count_layered_gemm, find_hierarchical_roofline, load_catalogue
from diglot.hardware.kernels.memory_levels import L2, MEMORY, SHARED_MEMORY

TITLE = {"zh": "H100的分层屋顶线", "en": "Hierarchical roofline of H100"}

CHIP_ID = "h100-sxm"
LEVELS = {"memory": MEMORY, "l2": L2, "shared": SHARED_MEMORY}
M, K, N = 4096, 8192, 28672
BLOCK, WARPGROUP = (128, 256), (64, 256)
"""Sides of the part of C that a thread block computes, and each of its two warp groups."""
FORMS = {"alone": BLOCK, "pair": (2 * BLOCK[0], BLOCK[1])}
"""What L2 sends operands for: a block, or a cluster of two that receive the same columns of B at once."""
TIMES = "\u00a0×\u00a0"


def compute() -> dict:
    chip_ = load_catalogue()[CHIP_ID]
    roofs = find_hierarchical_roofline(chip_)
    ridges = roofs.ridges_flops_per_byte("bf16")
    forms = {}
    for form, sent in FORMS.items():
        kernel = count_layered_gemm(M, K, N, tiles={MEMORY: None, L2: sent, SHARED_MEMORY: WARPGROUP})
        rate = roofs.kernel_flops_per_s(kernel, "bf16")
        forms[form] = {
            "intensity": {key: kernel.intensity_flops_per_byte(level) for key, level in LEVELS.items()},
            "tflops_per_s": rate / 1e12,
            "peak_fraction": rate / chip_.peak_flops_per_s("bf16"),
            "bound": {level: key for key, level in LEVELS.items()}.get(
                roofs.bound_by(kernel, "bf16"), "compute"
            ),
        }
    return {
        "id": chip_.id,
        "name": chip_.short_name,
        "m": M,
        "k": K,
        "n": N,
        "block": TIMES.join(map(str, BLOCK)),
        "warpgroup": TIMES.join(map(str, WARPGROUP)),
        "peak_tflops_per_s": chip_.peak_flops_per_s("bf16") / 1e12,
        "levels": {
            key: {"gb_per_s": roofs.level(level).bandwidth_bytes_per_s / 1e9, "ridge": ridges[level]}
            for key, level in LEVELS.items()
        },
        "forms": forms,
    }


def name_level(key, t) -> str:
    """What a level is called."""
    return {
        "memory": t(zh="HBM", en="HBM"),
        "l2": "L2",
        "shared": t(zh="共享内存", en="shared memory"),
    }[key]


def name_form(form, data, t) -> str:
    """Who receives what L2 sends."""
    if form == "pair":
        return t(zh="两块一簇", en="cluster of 2")
    return t(zh=f"{data['block']}一块", en=f"block {data['block']}")


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    figure.set_height_px({"narrow": 340, "slide": 331}.get(figure.size, 350))
    left, right, top, bottom = (42, 10, 44, 56) if narrow else (46, 150, 48, 54)
    axes = figure.axes_px(left, top, figure.width_px - left - right, figure.height_px - top - bottom)
    low, high, floor = 6 if narrow else 5, 5000, 100
    log_axis(axes, "x", low, high, ticks=(10, 100, 1000))
    log_axis(axes, "y", floor, 1400, ticks=(100, 1000))
    axis_titles(
        figure,
        y=t(zh="可达算力", en="Attainable rate"),
        unit="TFLOP/s",
        x=t(zh="算术强度，FLOP/B", en="Arithmetic intensity, FLOP/B"),
        right=figure.width_px - right,
    )
    look, peak = chip(data["id"]), data["peak_tflops_per_s"]
    for key, level in data["levels"].items():
        slope = level["gb_per_s"] / 1e3
        start = max(low, floor / slope)
        line(axes, [start, level["ridge"]], [start * slope, peak], color=look.token)
        mark(axes, level["ridge"], peak, color=look.token, marker=look.marker, measured=True, size=6)
        name_ridge(axes, data, key, t)
    line(axes, [data["levels"]["shared"]["ridge"], high], [peak, peak], color=look.token)
    for form, found in data["forms"].items():
        draw_form(axes, data, form, found, t)
    if narrow:
        label(
            axes, high, peak, f"{look.label}  {t.number(peak)}", dy=11, align="right", color=look.text_token
        )
    else:
        direct_label(axes, high, peak, f"{look.label}  {t.number(peak)}", color=look.text_token, dy=6)


def name_ridge(axes, data, key, t) -> None:
    """The level and its bandwidth above its ridge; the unit is said once."""
    level, narrow = data["levels"][key], axes.figure.is_narrow
    unit = " GB/s" if key == "memory" else ""
    text = name_level(key, t) + f" {t.number(level['gb_per_s'])}{unit}" * (not narrow)
    dx, align = (-5, "left") if key == "memory" else (8, "right")
    token = chip(data["id"]).text_token
    peak = data["peak_tflops_per_s"]
    label(axes, level["ridge"], peak, text, dx=dx, dy=15, align=align, color=token, small=True)


def draw_form(axes, data, form, found, t) -> None:
    """The product at each level: at one height, its rate, and there with the intensity of the level."""
    look, rate = chip(data["id"]), found["tflops_per_s"]
    floor, high = axes.get_ylim()[0], axes.get_xlim()[1]
    places = sorted(found["intensity"].values())
    line(axes, [places[0], places[-1]], [rate, rate], color=look.token, dashes="guide", width=1)
    for key, intensity in found["intensity"].items():
        if form == "alone" or key == "l2":
            drop_line(axes, intensity, rate, color=look.token)
            dx, align = (-4, "right") if key == "memory" else (3, "left")
            foot = t.number(intensity)
            label(axes, intensity, floor, foot, dx=dx, dy=8, align=align, color=look.text_token, small=True)
        mark(axes, intensity, rate, color=look.token, marker=look.marker)
    text = f"{name_form(form, data, t)}  {t.number(rate)}"
    if axes.figure.is_narrow:
        label(axes, high / 2.2, rate, text, dy=-12, align="right", color=look.text_token, small=True)
    else:
        direct_label(axes, high, rate, text, color=look.text_token, small=True)


def describe(data, t) -> str:
    n, alone, pair = t.number, data["forms"]["alone"], data["forms"]["pair"]
    inside = [n(alone["intensity"][key]) for key in ("memory", "l2", "shared")]
    return t(
        zh=f"{data['name']}的三条屋顶线。一个矩阵乘对HBM、L2和共享内存的强度是{t.join(inside)} FLOP/B，"
        f"受限于L2，可达{n(alone['tflops_per_s'])} TFLOP/s；"
        f"两块一簇共享B，L2强度升到{n(pair['intensity']['l2'])}，可达{n(pair['tflops_per_s'])}。",
        en=f"Three rooflines of {data['name']}. A matrix product has intensities of {t.join(inside)} FLOP/B "
        f"at HBM, L2 and shared memory; L2 binds it at {n(alone['tflops_per_s'])} TFLOP/s. Where clusters of "
        f"two blocks share B, its intensity at L2 is {n(pair['intensity']['l2'])} and its rate "
        f"{n(pair['tflops_per_s'])}.",
    )


def table(data, t):
    forms = data["forms"]
    return make_table(
        (
            t(zh="层级", en="Level"),
            Column(t(zh="带宽", en="Bandwidth"), "GB/s"),
            Column(t(zh="脊点", en="Ridge"), "FLOP/B", 1),
            *(
                Column(t(zh=f"强度，{word}", en=f"Intensity, {word}"), "FLOP/B", 1)
                for word in (name_form(form, data, t) for form in forms)
            ),
        ),
        [
            (
                name_level(key, t),
                level["gb_per_s"],
                level["ridge"],
                *(found["intensity"][key] for found in forms.values()),
            )
            for key, level in data["levels"].items()
        ],
    )

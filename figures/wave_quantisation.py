"""The saw-tooth of a matrix product on a GPU: output tiles, dealt to the SMs in waves."""

from typing import Annotated, Literal

import numpy as np

from diglot.figures import (
    Column,
    Range,
    axis_titles,
    chip,
    direct_label,
    label,
    line,
    linear_axis,
    make_table,
    mark,
)
from diglot.hardware import Tile, estimate_gpu_gemm, load_catalogue

TITLE = {"zh": "H200上矩阵乘的波次量化", "en": "Wave quantisation of a matrix product on H200"}

CHIP_ID = "h200-sxm"
ROWS, DEPTH = 2048, 8192
STEP, MOST_COLUMNS = 64, 16384
TIMES = "\u00a0×\u00a0"  # a shape is not torn apart at the end of a line


LABELS = {
    "n": {"zh": "输出列N", "en": "Output columns N"},
    "tile": {"zh": "分块", "en": "Tile"},
    "tile=128x256": {"zh": "128×256", "en": "128×256"},
    "tile=128x128": {"zh": "128×128", "en": "128×128"},
    "tile=64x128": {"zh": "64×128", "en": "64×128"},
}


def compute(
    tile: Literal["128x256", "128x128", "64x128"] = "128x256",
    n: Annotated[int, Range(STEP, MOST_COLUMNS, STEP)] = 2112,
) -> dict:
    chip_ = load_catalogue()[CHIP_ID]
    tile_m, tile_n = (int(side) for side in tile.split("x"))
    columns = np.arange(STEP, MOST_COLUMNS + 1, STEP)

    def run(output_columns, fixed: bool):
        return estimate_gpu_gemm(
            ROWS,
            DEPTH,
            output_columns,
            roofline=chip_.roofline("bf16"),
            processor_count=chip_.processor_count,
            tile=Tile(m_elements=tile_m, n_elements=tile_n) if fixed else None,
        )

    fixed, free = run(columns, True), run(columns, False)
    full_n = chip_.processor_count // -(-ROWS // tile_m) * tile_n
    spill_n = full_n + STEP
    full, spill, rescued = run(full_n, True), run(spill_n, True), run(spill_n, False)
    chosen = run(n, True)
    return {
        "chip": CHIP_ID,
        "name": chip_.short_name,
        "sms": chip_.processor_count,
        "m": ROWS,
        "k": DEPTH,
        "tile": tile,
        "tile_shape": tile.replace("x", TIMES),
        "tile_n": tile_n,
        "n": columns,
        "waves": fixed.wave_count,
        "peak_fraction": fixed.peak_fraction,
        "chosen_peak_fraction": free.peak_fraction,
        "added_columns": STEP,
        "full": {"n": full_n, "tiles": full.tile_count, "peak_fraction": full.peak_fraction},
        "spill": {
            "n": spill_n,
            "tiles": spill.tile_count,
            "waves": spill.wave_count,
            "last_wave_tiles": spill.tile_count % chip_.processor_count,
            "peak_fraction": spill.peak_fraction,
        },
        "at": {
            "n": n,
            "tiles": chosen.tile_count,
            "waves": chosen.wave_count,
            "idle_sms": chosen.wave_count * chip_.processor_count - chosen.tile_count,
            "peak_fraction": chosen.peak_fraction,
        },
        "rescued": {
            "tile_shape": f"{rescued.tile_m_elements}{TIMES}{rescued.tile_n_elements}",
            "peak_fraction": rescued.peak_fraction,
        },
    }


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    figure.set_height_px({"narrow": 320, "slide": 331}.get(figure.size, 350))
    left, right, top, bottom = (42, 22, 66, 56) if narrow else (42, 136, 66, 54)
    axes = figure.axes_px(left, top, figure.width_px - left - right, figure.height_px - top - bottom)
    last = MOST_COLUMNS // 2 if narrow else MOST_COLUMNS
    linear_axis(axes, "x", 0, last, ticks=range(0, last + 1, 2048 if narrow else 4096))
    figure.put_slider("n", axes)
    linear_axis(axes, "y", 0, 1, ticks=(0, 0.25, 0.5, 0.75, 1), unit=0.01)
    axis_titles(
        figure,
        y=t(zh="占峰值的比例", en="Share of peak"),
        unit="%",
        x=t(zh="N（输出列）", en="N (output columns)"),
        right=figure.width_px - right,
    )
    shown = [(n, y, best) for n, y, best in zip(*(data[k] for k in SERIES), strict=True) if n <= last]
    n, fixed, best = zip(*shown, strict=True)
    look = chip(data["chip"])
    line(axes, n, best, color="mute", width=1)
    line(axes, n, fixed, color=look.token)
    count_waves(axes, data, last, t)
    if narrow:
        thin = t(zh="细线：按N自选分块", en="thin line: best tile for each N")
        figure.text_px(figure.width_px - right, 31, thin, align="right", small=True, color="mute")
    else:
        direct_label(axes, last, best[-1], t(zh="按N自选分块", en="best tile for N"), color="mute", dy=6)
        fixed_tile = data["tile_shape"]
        direct_label(
            axes,
            last,
            fixed[-1],
            t(zh=f"{fixed_tile}分块", en=f"tiles of {fixed_tile}"),
            color=look.text_token,
            dy=-12,
        )
    for name in ("full", "at"):
        point = data[name]
        mark(axes, point["n"], point["peak_fraction"], color=look.token, marker=look.marker)
    at = data["at"]
    is_right = at["n"] > 0.6 * last
    label(
        axes,
        at["n"],
        at["peak_fraction"],
        f"N = {t.number(at['n'])}{t(zh='：', en=': ')}{t.number(at['peak_fraction'] * 100)}%",
        dx=-12 if is_right else 12,
        dy=2,
        align="right" if is_right else "left",
        color=look.text_token,
        small=True,
    )


SERIES = ("n", "peak_fraction", "chosen_peak_fraction")


def count_waves(axes, data, last, t) -> None:
    """How many waves each tooth takes, above it."""
    teeth = {}
    for n, waves in zip(data["n"], data["waves"], strict=True):
        teeth.setdefault(waves, []).append(n)
    for waves, columns in teeth.items():
        middle = (columns[0] - STEP + columns[-1]) / 2
        if columns[-1] <= last and (len(teeth) <= 16 or waves % 4 == 1):
            text = t(zh="1波", en="1 wave") if waves == 1 else t.number(waves)
            cramped = waves == 1 and len(teeth) > 8
            at, align = (0, "left") if cramped else (middle, "center")
            label(axes, at, 1, text, dy=12, align=align, color="mute", small=True)


def describe(data, t) -> str:
    full, at = data["full"], data["at"]
    shares = [t.number(point["peak_fraction"] * 100) for point in (full, at)]
    return t(
        zh=f"{data['name']}上{data['tile_shape']}分块的矩阵乘效率随N呈锯齿形："
        f"N = {t.number(full['n'])}时{full['tiles']}块占满一波，达到峰值的{shares[0]}%；"
        f"N = {t.number(at['n'])}时{at['tiles']}块要{at['waves']}波，为{shares[1]}%。",
        en=f"Efficiency of a matrix product on {data['name']} against N, a saw-tooth with tiles of "
        f"{data['tile_shape']}: {shares[0]}% of peak at N = {t.number(full['n'])}, where "
        f"{full['tiles']} tiles make one wave, and {shares[1]}% at N = {t.number(at['n'])}, where "
        f"{t.number(at['tiles'])} tiles make {at['waves']}.",
    )


def table(data, t):
    rows = zip(*(data[name] for name in ("n", "waves", "peak_fraction", "chosen_peak_fraction")), strict=True)
    return make_table(
        (
            "N",
            t(zh="波数", en="Waves"),
            Column(t(zh=f"{data['tile_shape']}分块", en=f"Tiles of {data['tile_shape']}"), "%", 1),
            Column(t(zh="自选分块", en="Tile chosen"), "%", 1),
        ),
        [(n, waves, fixed * 100, best * 100) for n, waves, fixed, best in rows if n % data["tile_n"] == 0],
    )

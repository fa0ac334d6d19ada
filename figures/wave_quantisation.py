"""The saw-tooth of a matrix product on a GPU: output tiles, dealt to the SMs in waves."""

from typing import Annotated, Literal

import numpy as np

from diglot.figures import Range, charts, make_table, rows_of
from diglot.hardware import GpuProcessors, Tile, estimate_gpu_gemm, load_catalogue

CHIP_ID = "h200-sxm"
ROWS, DEPTH = 2048, 8192
STEP, MOST_COLUMNS = 64, 16384
TIMES = "\u00a0×\u00a0"  # a shape is not torn apart at the end of a line

TITLE = {"zh": "H200上矩阵乘的波次量化", "en": "Wave quantisation of a matrix product on H200"}
MESSAGE = {
    "zh": "H200做bf16矩阵乘，N从{full.n | number}再加{added_columns}列，"
    "就从峰值的{full.peak_fraction | percent}跌到{spill.peak_fraction | percent}",
    "en": "{added_columns} columns beyond N = {full.n | number}, a bf16 product on H200 falls from "
    "{full.peak_fraction | percent} of the peak to {spill.peak_fraction | percent}",
}
LABELS = {
    "n": {"zh": "输出列数N", "en": "Output columns N"},
    "tile": {"zh": "分块", "en": "Tile"},
    "tile=128x256": {"zh": "128 × 256", "en": "128 × 256"},
    "tile=128x128": {"zh": "128 × 128", "en": "128 × 128"},
    "tile=64x128": {"zh": "64 × 128", "en": "64 × 128"},
}
COLUMNS = {
    "n": {
        "zh": f"N（输出列；M = {ROWS:,}，K = {DEPTH:,}）",
        "en": f"N (output columns; M = {ROWS:,}, K = {DEPTH:,})",
    },
    "waves": {"zh": "波数", "en": "Waves"},
    "share": {"zh": "占H200 bf16峰值的比例", "en": "Share of H200’s bf16 peak", "unit": "share", "digits": 1},
    "best": {"zh": "按N选最好的分块", "en": "Best tile for each N", "unit": "share", "digits": 1},
}


def compute(
    tile: Literal["128x256", "128x128", "64x128"] = "128x256",
    n: Annotated[int, Range(STEP, MOST_COLUMNS, STEP)] = 2112,
) -> dict:
    chip = load_catalogue()[CHIP_ID]
    tile_m, tile_n = (int(side) for side in tile.split("x"))
    fixed = {"gpu": GpuProcessors.of_chip(chip), "tile": Tile(m_elements=tile_m, n_elements=tile_n)}
    free = {"gpu": fixed["gpu"]}  # the best tile for each product
    columns = np.arange(STEP, MOST_COLUMNS + 1, STEP)
    run, best = (estimate_gpu_gemm(ROWS, DEPTH, columns, **tiles) for tiles in (fixed, free))
    rows = {"n": columns, "waves": run.wave_count, "share": run.peak_fraction, "best": best.peak_fraction}
    full_n = chip.processor_count // -(-ROWS // tile_m) * tile_n
    rescued = estimate_gpu_gemm(ROWS, DEPTH, full_n + STEP, **free)
    return {
        "chip": CHIP_ID,
        "name": chip.short_name,
        "sms": chip.processor_count,
        "m": ROWS,
        "k": DEPTH,
        "tile": tile,
        "tile_shape": tile.replace("x", TIMES),
        "rows": rows,
        "added_columns": STEP,
        "full": describe_product(full_n, fixed),
        "spill": describe_product(full_n + STEP, fixed),
        "at": describe_product(n, fixed),
        "rescued": {
            "tile_shape": f"{rescued.tile_m_elements}{TIMES}{rescued.tile_n_elements}",
            "peak_fraction": rescued.peak_fraction,
        },
    }


def describe_product(columns: int, options: dict) -> dict:
    """What prose and marks say about one width."""
    found, sms = estimate_gpu_gemm(ROWS, DEPTH, columns, **options), options["gpu"].processor_count
    return {
        "n": columns,
        "tiles": found.tile_count,
        "waves": found.wave_count,
        "idle_sms": found.wave_count * sms - found.tile_count,
        "last_wave_tiles": found.tile_count - (found.wave_count - 1) * sms,
        "peak_fraction": found.peak_fraction,
    }


def draw(figure, data, t) -> None:
    rows, fixed = data["rows"], t(zh=f"{data['tile_shape']}分块", en=f"tiles of {data['tile_shape']}")
    chart = charts.lines(
        *(figure, rows), x="n", y="share", y_domain=(0, 1), x_domain=(0, MOST_COLUMNS),
        curve="saw-teeth", teeth="waves", color=CHIP_ID, name=fixed,
    )  # fmt: skip
    chart.lines(rows, y="best", color="mute", width=1, name=t(zh="按N自选分块", en="best tile for N"))
    most = rows["waves"][-1]
    for wave in range(1, most + 1):
        if most <= 16 or wave.bit_count() == 1:
            text = t(zh="1波", en="1 wave") if wave == 1 else t.number(wave)
            chart.flag([0, *rows["n"]][rows["waves"].index(wave)], text, down_to=1.0, color="mute")
    full, at = ({"n": data[key]["n"], "share": data[key]["peak_fraction"]} for key in ("full", "at"))
    text = f"N = {t.number(at['n'])}{t(zh='：', en=': ')}{t.percent(at['share'])}"
    points = {full["n"]: {**full, "text": ""}} | {at["n"]: {**at, "text": text}}  # one where they coincide
    chart.points(list(points.values()), color=CHIP_ID, label="text")
    figure.put_slider("n", chart.axes)


def describe(data, t) -> str:
    full, spill = data["full"], data["spill"]
    shares = [t.percent(point["peak_fraction"]) for point in (full, spill)]
    return t(
        zh=f"{data['name']}上{data['tile_shape']}分块的矩阵乘效率随N呈锯齿形："
        f"N = {t.number(full['n'])}时{full['tiles']}块占满一波，达到峰值的{shares[0]}；"
        f"N = {t.number(spill['n'])}时{spill['tiles']}块要{spill['waves']}波，只有{shares[1]}。",
        en=f"Efficiency of a matrix product on {data['name']} against N, a saw-tooth with tiles of "
        f"{data['tile_shape']}: {shares[0]} of peak at N = {t.number(full['n'])}, where "
        f"{full['tiles']} tiles make one wave, and {shares[1]} at N = {t.number(spill['n'])}, where "
        f"{spill['tiles']} tiles need {spill['waves']}.",
    )


def table(data, t):
    step = int(data["tile"].split("x")[1])
    rows = [row for row in rows_of(data["rows"]) if row["n"] % step == 0]
    return make_table(("n", "waves", "share", "best"), rows, t)

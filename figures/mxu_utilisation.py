"""How much of a systolic array a matrix product keeps busy, by the product's shape."""

from typing import Literal

import numpy as np

from diglot.figures import Column, axis_titles, cell_ticks, heat_map, key_strip, make_table
from diglot.hardware.mxu import run_mxu

TITLE = {"zh": "矩阵形状与脉动阵列利用率", "en": "Matrix shape and utilisation of a systolic array"}

DEPTH = 8192  # k of every product: the width of a large model, and a multiple of both arrays
ROW_COUNTS = [2**power for power in range(2, 12)]
COLUMN_COUNTS = list(range(32, 513, 32))


FEW_M, MANY_M = 8, 2048
FITS_N, SPILLS_N, NARROW_N = 256, 288, 128
"""Sizes that prose speaks of: columns that fill tiles of both arrays, a few more, half of a large tile."""


def compute(array: Literal[128, 256] = 128) -> dict:
    m, n = np.array(ROW_COUNTS), np.array(COLUMN_COUNTS)
    run = run_mxu(m[np.newaxis, :], DEPTH, n[:, np.newaxis], rows=array, cols=array)
    return {
        "array": array,
        "k": DEPTH,
        "m": ROW_COUNTS,
        "n": COLUMN_COUNTS,
        "utilisation_fraction": run.utilisation_fraction,
        "few_m": FEW_M,
        "fits_n": FITS_N,
        "spills_n": SPILLS_N,
        "next_n": -(-SPILLS_N // 128) * 128,
        "narrow_n": NARROW_N,
        "a128": measure_cases(128),
        "a256": measure_cases(256),
    }


def measure_cases(side: int) -> dict:
    """The products that prose speaks of, as shares of one array; the same whichever array is drawn."""

    def share(m: int, n: int) -> float:
        return run_mxu(m, DEPTH, n, rows=side, cols=side).utilisation_fraction

    return {
        "few_rows": share(FEW_M, COLUMN_COUNTS[-1]),
        "fits": share(MANY_M, FITS_N),
        "spills": share(MANY_M, SPILLS_N),
        "narrow": share(MANY_M, NARROW_N),
    }


def draw(figure, data, t) -> None:
    narrow, slide = figure.is_narrow, figure.size == "slide"
    columns = data["m"]
    rows = [n for n in data["n"] if n <= 352] if slide else data["n"]  # a slide has no room for more
    kept = [i for i in range(len(columns)) if i % 2 == 1] if narrow else list(range(len(columns)))
    cell = 19 if slide else 18 if narrow else 22
    left, right, top, bottom = (38, 0, 92, 50) if narrow else (42, 0, 62, 46)
    body = cell * len(rows)
    figure.set_height_px(top + body + bottom)
    axes = figure.axes_px(left, top, figure.width_px - left - right, body)
    marked = telling_rows(rows, data["array"])
    values = [[line[i] for i in kept] for line in data["utilisation_fraction"][: len(rows)]]
    heat_map(axes, values, text_of=lambda share, row, _: t.number(share * 100) if row in marked else None)
    cell_ticks(
        axes,
        x=[(place, t.number(columns[i])) for place, i in enumerate(kept)],
        y=[(row, t.number(rows[row])) for row in marked],
    )
    axis_titles(
        figure,
        y=t(zh="N（输出列）", en="N (output columns)"),
        x=t(zh="M（流过阵列的行）", en="M (rows streamed through)"),
    )
    swatch = 22 if narrow else 26
    key_strip(
        figure,
        left if narrow else figure.width_px - 10 * swatch,
        26 if narrow else 3,
        title=t(
            zh=f"{data['array']} × {data['array']}阵列的利用率",
            en=f"Utilisation of a {data['array']} × {data['array']} array",
        ),
        ends=("0", "50", "100 %"),
        swatch=swatch,
    )


def telling_rows(rows, array) -> list[int]:
    """Where whole tiles end, and the first row of a new tile: the places of the cliff."""
    return [
        place for place, n in enumerate(rows) if n % array == 0 or n == 128 or (n % array == 32 and n > array)
    ]


def describe(data, t) -> str:
    case, side = data[f"a{data['array']}"], data["array"]
    fits, spills, few = (t.number(case[name] * 100) for name in ("fits", "spills", "few_rows"))
    many, fits_n, spills_n = t.number(data["m"][-1]), data["fits_n"], data["spills_n"]
    return t(
        zh=f"热图：{side} × {side}脉动阵列的利用率。M为{many}时，N = {fits_n}用到{fits} %，"
        f"N = {spills_n}只有{spills} %；M为{data['few_m']}时，N再合适也只有{few} %。",
        en=f"Heat map of the utilisation of a {side} × {side} systolic array. With M of {many} it reaches "
        f"{fits} % at N = {fits_n} but {spills} % at N = {spills_n}; with M of {data['few_m']} no N takes it "
        f"past {few} %.",
    )


def table(data, t):
    return make_table(
        ("N", *(Column(f"M = {t.number(m)}", "%", 1) for m in data["m"])),
        [
            (t.number(n), *(share * 100 for share in shares))
            for n, shares in zip(data["n"], data["utilisation_fraction"], strict=True)
        ],
    )

"""How much of a systolic array a matrix product keeps busy, by the product's shape and the array's size."""

import numpy as np

from diglot.figures import Column, axis_titles, cell_ticks, heat_map, key_strip, make_table
from diglot.hardware import run_mxu

TITLE = {"zh": "矩阵形状与脉动阵列利用率", "en": "Matrix shape and utilisation of a systolic array"}

SIDES = (128, 256)
DEPTH = 8192  # k of every product: the width of a large model, and a multiple of both arrays
ROW_COUNTS = [2**power for power in range(2, 12)]
COLUMN_COUNTS = list(range(32, 513, 32))
FEW_M, MANY_M = 8, 2048
FITS_N, SPILLS_N, NARROW_N = 256, 288, 128
"""Sizes that prose speaks of: columns that fill tiles of both arrays, a few more, half of a large tile."""


def compute() -> dict:
    return {
        "k": DEPTH,
        "m": ROW_COUNTS,
        "n": COLUMN_COUNTS,
        "few_m": FEW_M,
        "many_m": MANY_M,
        "fits_n": FITS_N,
        "spills_n": SPILLS_N,
        "next_n": -(-SPILLS_N // SIDES[0]) * SIDES[0],
        "narrow_n": NARROW_N,
        **{f"a{side}": measure_array(side) for side in SIDES},
    }


def measure_array(side: int) -> dict:
    """Utilisation of one array, by n and m, and for the products that prose speaks of."""

    def share(m, n):
        return run_mxu(m, DEPTH, n, rows=side, cols=side).utilisation_fraction

    m, n = np.array(ROW_COUNTS), np.array(COLUMN_COUNTS)
    return {
        "side": side,
        "utilisation_fraction": share(m[np.newaxis, :], n[:, np.newaxis]),
        "few_rows": share(FEW_M, COLUMN_COUNTS[-1]),
        "fits": share(MANY_M, FITS_N),
        "spills": share(MANY_M, SPILLS_N),
        "narrow": share(MANY_M, NARROW_N),
    }


def draw(figure, data, t) -> None:
    narrow, slide = figure.is_narrow, figure.size == "slide"
    rows = [n for n in data["n"] if n <= 352] if slide else data["n"]  # a slide has no room for more
    kept = [place for place in range(len(data["m"])) if not narrow or place % 2]
    cell = 19 if slide else 18 if narrow else 22
    left, gap, top, bottom = (36, 16, 106, 50) if narrow else (42, 26, 80, 46)
    width, body = (figure.width_px - left - gap) / 2, cell * len(rows)
    figure.set_height_px(top + body + bottom)
    # Where whole tiles end, and the first row of a new one: the places of the cliff.
    telling = [place for place, n in enumerate(rows) if n % 128 in (0, 32) and n > 32]
    for panel, side in enumerate(SIDES):
        array = data[f"a{side}"]
        start = left + panel * (width + gap)
        axes = figure.axes_px(start, top, width, body)
        figure.text_px(start, top - 8, t(zh=f"{side} × {side}阵列", en=f"{side} × {side} array"))
        shares = [[line[place] for place in kept] for line in array["utilisation_fraction"][: len(rows)]]
        heat_map(
            axes, shares, text_of=lambda share, row, _: t.number(share * 100) if row in telling else None
        )
        sizes = [data["m"][place] for place in kept]
        cell_ticks(
            axes,
            x=[(place, t.number(m)) for place, m in enumerate(sizes) if place % 2 == (len(sizes) - 1) % 2],
            y=[(row, t.number(rows[row])) for row in telling] if panel == 0 else (),
        )
    axis_titles(
        figure,
        y=t(zh="N（输出列）", en="N (output columns)"),
        x=t(zh="M（流过阵列的行）", en="M (rows streamed)"),
    )
    swatch = 22 if narrow else 26
    key_strip(
        figure,
        left if narrow else figure.width_px - 10 * swatch,
        26 if narrow else 3,
        title=t(zh="利用率", en="Utilisation"),
        ends=("0", "50", "100%"),
        swatch=swatch,
    )


def describe(data, t) -> str:
    many, fits_n, spills_n = t.number(data["many_m"]), data["fits_n"], data["spills_n"]
    small, large = (
        {name: t.number(data[f"a{side}"][name] * 100) for name in ("fits", "spills", "few_rows")}
        for side in SIDES
    )
    return t(
        zh=f"两张热图：{SIDES[0]}与{SIDES[1]}两种边长的脉动阵列的利用率。M为{many}时，"
        f"N = {fits_n}分别用到{small['fits']}%与{large['fits']}%，"
        f"N = {spills_n}只有{small['spills']}%与{large['spills']}%；"
        f"M为{data['few_m']}时，N再合适也只有{small['few_rows']}%与{large['few_rows']}%。",
        en=f"Two heat maps: utilisation of systolic arrays {SIDES[0]} and {SIDES[1]} on a side. With M of "
        f"{many} they reach {small['fits']}% and {large['fits']}% at N = {fits_n}, but {small['spills']}% "
        f"and {large['spills']}% at N = {spills_n}; with M of {data['few_m']} no N takes them past "
        f"{small['few_rows']}% and {large['few_rows']}%.",
    )


def table(data, t):
    return make_table(
        (
            t(zh="阵列", en="Array"),
            "N",
            *(Column(f"M = {t.number(m)}", "%", 1) for m in data["m"]),
        ),
        [
            (f"{side} × {side}", n, *(share * 100 for share in shares))
            for side in SIDES
            for n, shares in zip(data["n"], data[f"a{side}"]["utilisation_fraction"], strict=True)
        ],
    )

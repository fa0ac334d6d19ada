"""How much of a systolic array a matrix product keeps busy, by the product's shape and the array's size."""

from diglot.figures import charts, make_table
from diglot.hardware import run_mxu

SIDES = {128: "TPU v5p", 256: "TPU v6e"}
DEPTH = 8192  # k of every product: the width of a large model, and a multiple of both arrays
ROW_COUNTS = [2**power for power in range(2, 12)]
COLUMN_COUNTS = list(range(32, 385, 32))
FEW_M, MANY_M = 8, 2048
FITS_N, SPILLS_N, NARROW_N = 256, 288, 128
"""Sizes that prose speaks of: columns that fill tiles of both arrays, a few more, half of a large tile."""

TITLE = {"zh": "矩阵形状与脉动阵列利用率", "en": "Matrix shape and utilisation of a systolic array"}
MESSAGE = {
    "zh": "N从{fits_n}加到{spills_n}（K = {k | number}），边长128的脉动阵列从{a128.fits | percent}"
    "跌到{a128.spills | percent}，边长256的跌到{a256.spills | percent}",
    "en": "From N = {fits_n} to {spills_n} (K = {k | number}), a systolic array of 128 × 128 falls from "
    "{a128.fits | percent} to {a128.spills | percent}, one of 256 × 256 to {a256.spills | percent}",
}
ARRAYS = {
    str(side): {"zh": f"{side} × {side}（{name}）", "en": f"{side} × {side} ({name})"}
    for side, name in SIDES.items()
}
COLUMNS = {
    "array": {"zh": "阵列", "en": "Array", "names": ARRAYS},
    "m": {"zh": f"M（流过阵列的行；K = {DEPTH:,}）", "en": f"M (rows streamed; K = {DEPTH:,})"},
    "n": {"zh": "N（输出列）", "en": "N (output columns)"},
    "share": {"zh": "利用率", "en": "Utilisation", "unit": "share", "digits": 0},
}


def compute() -> dict:
    def share(side, m, n):
        return run_mxu(m, DEPTH, n, rows=side, cols=side).utilisation_fraction

    return {
        "k": DEPTH,
        "few_m": FEW_M,
        "many_m": MANY_M,
        "fits_n": FITS_N,
        "spills_n": SPILLS_N,
        "next_n": -(-SPILLS_N // min(SIDES)) * min(SIDES),
        "narrow_n": NARROW_N,
        "rows": [
            {"array": side, "n": n, "m": m, "share": share(side, m, n)}
            for side in SIDES
            for n in COLUMN_COUNTS
            for m in ROW_COUNTS
        ],
        **{
            f"a{side}": {
                "few_rows": max(share(side, FEW_M, n) for n in COLUMN_COUNTS),
                "fits": share(side, MANY_M, FITS_N),
                "spills": share(side, MANY_M, SPILLS_N),
                "narrow": share(side, MANY_M, NARROW_N),
            }
            for side in SIDES
        },
    }


def draw(figure, data, t) -> None:
    charts.utilisation_map(figure, data["rows"], x="m", y="n", value="share", by="array")


def describe(data, t) -> str:
    many, fits_n, spills_n = t.number(data["many_m"]), data["fits_n"], data["spills_n"]
    small, large = (
        {name: t.number(data[f"a{side}"][name] * 100) for name in ("fits", "spills", "few_rows")}
        for side in SIDES
    )
    sides = list(SIDES)
    return t(
        zh=f"两张热图：{sides[0]}与{sides[1]}两种边长的脉动阵列的利用率。M为{many}时，"
        f"N = {fits_n}分别用到{small['fits']}%与{large['fits']}%，"
        f"N = {spills_n}只有{small['spills']}%与{large['spills']}%；"
        f"M为{data['few_m']}时，N再合适也只有{small['few_rows']}%与{large['few_rows']}%。",
        en=f"Two heat maps: utilisation of systolic arrays {sides[0]} and {sides[1]} on a side. With M of "
        f"{many} they reach {small['fits']}% and {large['fits']}% at N = {fits_n}, but {small['spills']}% "
        f"and {large['spills']}% at N = {spills_n}; with M of {data['few_m']} no N takes them past "
        f"{small['few_rows']}% and {large['few_rows']}%.",
    )


def table(data, t):
    return make_table(("array", "n", "m", "share"), data["rows"], t)

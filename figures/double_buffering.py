"""What a second set of weight registers saves, against an array that takes tiles in turn.

`figures/data/scalesim_ws.csv` has the cycles that SCALE-Sim 3.0.0 prints for layers of the topology files
that come with it and for small products: weight-stationary, on square arrays, with memory that never stalls.
"""

from typing import Literal

import numpy as np

from diglot.figures import charts, make_table, read_csv
from diglot.hardware import find_spread, run_mxu, run_systolic_array

PRINTED = "figures/data/scalesim_ws.csv"
SMALL = "edge_gemm"
"""Small products made to test counts; not layers of a network."""
DEPTH = WIDTH = 8192
ROW_COUNTS = [2 ** (step / 4) for step in range(57)]  # 1 to 16,384
SHOWN = (8, 32, 128, 256, 512, 1024, 2048, 8192)

TITLE = {"zh": "双缓冲藏住了什么", "en": "What double buffering hides"}
MESSAGE = {
    "zh": "边长{side}的脉动阵列，{side}行流过{k | number} × {k | number}的权重："
    "逐块算，利用率{at.serial | percent}；双缓冲，{at.double | percent(1)}",
    "en": "{side} rows through weights of {k | number} × {k | number} use {at.serial | percent} of a "
    "{side} × {side} systolic array tile by tile, and {at.double | percent(1)} with double buffering",
}
LABELS = {"side": {"zh": "阵列边长", "en": "Side of the array"}}
COLUMNS = {
    "m": {"zh": "M（流过阵列的行）", "en": "M (rows streamed)"},
    "way": {
        "zh": "做法",
        "en": "Method",
        "names": {
            "double": {"zh": "双缓冲", "en": "double-buffered"},
            "serial": {"zh": "逐块", "en": "tile by tile"},
        },
    },
    "share": {"zh": "利用率，不计补齐", "en": "Utilisation without padding", "unit": "share", "digits": 0},
    "serial": {"zh": "逐块", "en": "Tile by tile", "unit": "share", "digits": 1},
    "double": {"zh": "双缓冲", "en": "Double-buffered", "unit": "share", "digits": 1},
}


def compute(side: Literal[128, 256] = 128) -> dict:
    printed = [row for row in read_csv(PRINTED) if row["side"] == side]
    layers = [row for row in printed if row["net"] != SMALL]
    rows = np.unique(np.round(ROW_COUNTS).astype(int))
    serial, double = (find_shares(rows, side, way) for way in ("serial", "double"))
    return {
        "side": side,
        "k": DEPTH,
        "at": at_rows(side, side),
        "at_2_sides": at_rows(2 * side, side),
        "at_8_sides": at_rows(8 * side, side),
        "macs_per_edge_element": find_edge_reuse(side),
        "curves": {"m": rows, "serial": serial, "double": double},
        "table": [{"m": count, **at_rows(count, side)} for count in SHOWN],
        "printed": [{"m": row["m"], "share": find_streaming_share(row), "way": "serial"} for row in printed],
        "counts": count_equal(printed),
        "layers": sum_layers(layers),
        # How sure calibrated times of products are on the one TPU with such measurements: a ratio either way.
        "spread": find_spread("product", "tpu-v6e").ratio,
    }


def find_shares(rows, side: int, way: str):
    """Utilisation of products without padding, by the number of rows."""
    if way == "serial":
        return run_systolic_array(
            rows, DEPTH, WIDTH, rows=side, cols=side, dataflow="ws"
        ).utilisation_fraction
    return run_mxu(rows, DEPTH, WIDTH, rows=side, cols=side).utilisation_fraction


def at_rows(count: int, side: int) -> dict:
    """What prose quotes of one number of rows."""
    serial, double = (float(find_shares(count, side, way)) for way in ("serial", "double"))
    return {"rows": count, "serial": serial, "double": double, "gain": double / serial}


def find_edge_reuse(side: int) -> float:
    """Multiply-accumulates for each activation that enters the array or partial sum that leaves it."""
    rows = 8 * side
    run = run_systolic_array(rows, DEPTH, WIDTH, rows=side, cols=side, dataflow="ws")
    return rows * DEPTH * WIDTH / (run.ifmap_read_elements + run.ofmap_write_elements)


def find_streaming_share(row: dict) -> float:
    """Share of the printed cycles in which rows stream, whatever part of the array is padding."""
    tiles = -(-row["k"] // row["side"]) * -(-row["n"] // row["side"])
    return row["m"] * tiles / (row["compute_cycles"] + 1)  # what is printed counts from 0


def count_equal(printed: list[dict]) -> dict:
    """How many counts of ours are those that SCALE-Sim printed, to the cycle."""
    ours = [run_layer(row).compute_cycles for row in printed]
    equal = [count == row["compute_cycles"] for count, row in zip(ours, printed, strict=True)]
    return {"layers": len(printed), "equal": sum(equal)}


def run_layer(row: dict):
    return run_systolic_array(row["m"], row["k"], row["n"], rows=row["side"], cols=row["side"], dataflow="ws")


def sum_layers(layers: list[dict]) -> dict:
    """Cycles of all layers of networks, tile by tile and double-buffered, and what they use of the array."""
    serial = sum(row["compute_cycles"] + 1 for row in layers)
    double = sum(
        run_mxu(row["m"], row["k"], row["n"], rows=row["side"], cols=row["side"]).total_cycles
        for row in layers
    )
    full = sum(row["m"] * row["k"] * row["n"] / row["side"] ** 2 for row in layers)
    return {
        "count": len(layers),
        "serial": full / serial,
        "double": full / double,
        "gain": serial / double,
    }


def draw(figure, data, t) -> None:
    chart = charts.frame(figure, x="m", y="share", x_scale="log2", x_domain=(1, 16384), y_domain=(0, 1))
    for way in ("double", "serial"):
        curve = {"m": data["curves"]["m"], "share": data["curves"][way], "way": way}
        chart.lines(curve, series="way")
    chart.points(data["printed"], series="way", measured=True, size=4, name=False)
    point = data["at_2_sides"]
    chart.annotate((point["rows"], point["serial"]), "SCALE-Sim")
    chart.rule(x=data["side"], text=f"M = {data['side']}")


def describe(data, t) -> str:
    at, far, count = data["at"], data["at_8_sides"], data["counts"]["layers"]
    shares = [t.percent(point[way]) for point in (at, far) for way in ("serial", "double")]
    side, rows = data["side"], t.number(far["rows"])
    return t(
        zh=f"边长{side}的阵列不计补齐的利用率。M = {side}时逐块{shares[0]}，双缓冲{shares[1]}；"
        f"M = {rows}时{shares[2]}与{shares[3]}。SCALE-Sim打印的{count}层是图上的点，都落在逐块的线上。",
        en=f"Utilisation of an array of {side} × {side}, padding aside: {shares[0]} tile by tile and "
        f"{shares[1]} double-buffered at {side} rows, {shares[2]} and {shares[3]} at {rows}. Points are "
        f"{count} layers printed by SCALE-Sim, on the lower line.",
    )


def table(data, t):
    return make_table(("m", "serial", "double"), data["table"], t)

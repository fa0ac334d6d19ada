"""Eight rows on their way through a 4 × 4 array with resident weights, from a cycle-accurate simulation."""

from typing import Annotated

import numpy as np

from diglot.figures import Range, charts, make_table
from diglot.hardware import simulate_cycles

SIDE, STREAMED = 4, 8
SHOWN, APART = 4, 3
"""How many moments are shown, and how many cycles they are apart."""
FOLLOWED = 3
"""The row of A that is picked out, from 1."""
REACH = 2
"""How many cycles ahead of the left edge, and past the bottom edge, operands are drawn."""

TITLE = {"zh": "4 × 4脉动阵列中的数据流", "en": "Data flow through a 4 × 4 systolic array"}
MESSAGE = {
    "zh": "{m}行流过{side} × {side}脉动阵列要{run_cycles}个周期，充填和排空让利用率只有"
    "{run_utilisation_fraction | percent}",
    "en": "{m} rows take {run_cycles} cycles through a {side} × {side} systolic array: filling and draining "
    "leave {run_utilisation_fraction | percent} utilisation",
}
LABELS = {"cycle": {"zh": "第一幅的周期", "en": "First cycle"}}
COLUMNS = {
    "cycle": {"zh": "周期", "en": "Cycle"},
    "phase": {
        "zh": "阶段",
        "en": "Phase",
        "names": {
            "load": {"zh": "装载权重", "en": "load weights"},
            "fill": {"zh": "充填", "en": "fill"},
            "full": {"zh": "满", "en": "full"},
            "drain": {"zh": "排空", "en": "drain"},
        },
    },
    "busy": {"zh": "在算的单元", "en": "Elements busy"},
    "share": {"zh": "占比", "en": "Share", "unit": "share", "digits": 0},
    "state": {
        "zh": "单元",
        "en": "Element",
        "names": {
            "busy": {"zh": "在算", "en": "busy"},
            "idle": {"zh": "空闲", "en": "idle"},
            "followed": {"zh": f"A的第{FOLLOWED}行", "en": f"row {FOLLOWED} of A"},
            "outside": {"zh": "左：A，下：部分和", "en": "left: A, below: sums"},
        },
    },
}
COLORS = {"busy": "seq2", "idle": "idle", "followed": "tpu2", "outside": "paper"}


def compute(cycle: Annotated[int, Range(1, 9)] = 6) -> dict:
    a = np.arange(STREAMED * SIDE).reshape(STREAMED, SIDE)
    b = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    snapshots = list(simulate_cycles(a, b, rows=SIDE, cols=SIDE, dataflow="ws"))
    busy = [int(np.count_nonzero(snapshot.active)) for snapshot in snapshots]
    load = sum(snapshot.phase == "load" for snapshot in snapshots)
    first, last = busy.index(SIDE**2), len(busy) - busy[::-1].index(SIDE**2)
    ends = {"load": load, "fill": first, "full": last, "drain": len(busy)}
    moments = [cycle + APART * n for n in range(SHOWN)]
    return {
        "side": SIDE,
        "m": STREAMED,
        "followed": FOLLOWED,
        "moments": moments,
        "ends": ends,
        "cycles": [
            {
                "cycle": number,
                "phase": next(phase for phase, end in ends.items() if number <= end),
                "busy": count,
                "share": count / SIDE**2,
            }
            for number, count in enumerate(busy, start=1)
        ],
        "run_cycles": len(snapshots) - load,
        "total_cycles": len(snapshots),
        "run_utilisation_fraction": sum(busy) / (SIDE**2 * (len(snapshots) - load)),
        "cells": [cell for moment in moments for cell in describe_cycle(snapshots, moment)],
    }


def describe_cycle(snapshots, cycle) -> list[dict]:
    """What is where in one cycle, counted from 1, with the row of A from 1; None in an idle element.

    Elements are at x and y from 0. Operands that wait are left of them, as far as they are early, and sums
    that left are below: both read off the cycles in which the simulation lets them in and out.
    """
    now = cycle - 1
    rows = {
        (column, lane): int(row) + 1 if snapshots[now].active[lane, column] else None
        for (lane, column), row in np.ndenumerate(snapshots[now].ifmap_index[..., 0])
    }
    for step in range(1, REACH + 1):
        if now + step < len(snapshots):
            entering = snapshots[now + step].ifmap_index[:, 0, 0]
            rows |= {(-step, lane): int(row) + 1 for lane, row in enumerate(entering) if row >= 0}
        if now - step >= 0:
            left = snapshots[now - step].written_index
            rows |= {(int(column), SIDE - 1 + step): int(row) + 1 for row, column in left}
    inside = snapshots[now].active
    return [
        {
            "cycle": cycle,
            "x": x,
            "y": y,
            "row": row,
            "state": "followed"
            if row == FOLLOWED
            else "outside"
            if x < 0 or y >= SIDE
            else "busy"
            if row
            else "idle",
            "busy": int(np.count_nonzero(inside)),
        }
        for (x, y), row in rows.items()
    ]


def draw(figure, data, t) -> None:
    for cell in data["cells"]:
        cell["note"] = t(zh=f"{cell['busy']}个在算", en=f"{cell['busy']} busy")
    charts.cells(
        figure, data["cells"], x="x", y="y", state="state", by="cycle", text="row", note="note", colors=COLORS
    )
    edges = [{"cycle": row["cycle"] - 0.5, "busy": row["busy"]} for row in data["cycles"]]
    edges.append({"cycle": data["total_cycles"] + 0.5, "busy": data["cycles"][-1]["busy"]})
    chart = charts.lines(
        *(figure, edges), x="cycle", y="busy", curve="steps", color="cmp",
        y_domain=(0, SIDE**2), y_ticks=(0, SIDE**2 // 2, SIDE**2), height=70,
    )  # fmt: skip
    start = 0
    for number, (phase, end) in enumerate(data["ends"].items()):
        name = t(**COLUMNS["phase"]["names"][phase])
        if number % 2 == 0:
            chart.band(x=(start + 0.5, end + 0.5))
        chart.region(((start + end) / 2 / data["total_cycles"], 0.15), name)
        start = end
    chart.points([row for row in data["cycles"] if row["cycle"] in data["moments"]], color="cmp")


def describe(data, t) -> str:
    first, share = data["moments"][0], t.number(data["run_utilisation_fraction"] * 100)
    busy = t.join([str(row["busy"]) for row in data["cycles"] if row["cycle"] in data["moments"]])
    return t(
        zh=f"{SIDE} × {SIDE}脉动阵列的四个时刻，从周期{first}起：A的各行错开一拍从左边进入，"
        f"第{FOLLOWED}行沿对角线穿过阵列，部分和从下边流出；在算的单元依次为{busy}个，共{SIDE**2}个。"
        f"{data['m']}行用{data['run_cycles']}个周期，利用率{share}%。",
        en=f"Four moments of a {SIDE} × {SIDE} systolic array from cycle {first} on: rows of A enter from "
        f"the left a cycle apart; row {FOLLOWED} crosses as a diagonal, sums leave below. Elements busy: "
        f"{busy}, of {SIDE**2}. {data['m']} rows take {data['run_cycles']} cycles at {share}% utilisation.",
    )


def table(data, t):
    return make_table(("cycle", "phase", "busy", "share"), data["cycles"], t)

"""Eight rows on their way through a 4 × 4 array with resident weights, from a cycle-accurate simulation."""

from typing import Annotated

import numpy as np

from diglot.figures import Range, charts, make_table
from diglot.hardware import simulate_cycles

SIDE, STREAMED = 4, 8
CYCLES = SIDE + STREAMED + 2 * SIDE - 2
"""One for each row of weights, and those that the rows of A take from the first element to the last sum."""
FOLLOWED = 3
"""The row of A that is picked out, from 1."""
WAITING, LEFT = STREAMED + SIDE - 1, 2
"""How many columns before the array rows of A wait in, and how many rows below it sums are shown in."""

TITLE = {"zh": "4 × 4脉动阵列中的数据流", "en": "Data flow through a 4 × 4 systolic array"}
MESSAGE = {
    "zh": "{m}行流过{side} × {side}脉动阵列要{run_cycles}个周期，填充和排空让利用率只有"
    "{run_utilisation_fraction | percent}",
    "en": "{m} rows take {run_cycles} cycles through a {side} × {side} systolic array: filling and draining "
    "leave {run_utilisation_fraction | percent} utilisation",
}
LABELS = {"cycle": {"zh": "周期", "en": "Cycle"}}
PHASES = {
    "load": {"zh": "装载权重", "en": "load weights"},
    "fill": {"zh": "填充", "en": "fill"},
    "full": {"zh": "满", "en": "full"},
    "drain": {"zh": "排空", "en": "drain"},
}
STATES = {
    "busy": {"zh": "在算", "en": "busy"},
    "idle": {"zh": "空闲", "en": "idle"},
    "followed": {"zh": f"A的第{FOLLOWED}行", "en": f"row {FOLLOWED} of A"},
    "outside": {"zh": "左：A，下：部分和", "en": "left: A, below: sums"},
}
COLUMNS = {
    "cycle": {"zh": "周期", "en": "Cycle"},
    "phase": {"zh": "阶段", "en": "Phase", "names": PHASES},
    "busy": {"zh": "在算的单元", "en": "Elements busy"},
    "share": {"zh": "占比", "en": "Share", "unit": "share", "digits": 0},
    "state": {"zh": "单元", "en": "Element", "names": STATES},
}
COLORS = {"busy": "seq2", "idle": "idle", "followed": "tpu2", "outside": "paper", "weights": "sunk"}


def compute(cycle: Annotated[int, Range(1, CYCLES)] = 9) -> dict:
    a = np.arange(STREAMED * SIDE).reshape(STREAMED, SIDE)
    b = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    snapshots = list(simulate_cycles(a, b, rows=SIDE, cols=SIDE, dataflow="ws"))
    busy = [int(np.count_nonzero(snapshot.active)) for snapshot in snapshots]
    load = sum(snapshot.phase == "load" for snapshot in snapshots)
    first, last = busy.index(SIDE**2), len(busy) - busy[::-1].index(SIDE**2)
    ends = {"load": load, "fill": first, "full": last, "drain": len(busy)}
    cycles = [
        {
            "cycle": number,
            "phase": next(phase for phase, end in ends.items() if number <= end),
            "busy": count,
            "share": count / SIDE**2,
        }
        for number, count in enumerate(busy, start=1)
    ]
    return {
        "side": SIDE,
        "elements": SIDE**2,
        "m": STREAMED,
        "followed": FOLLOWED,
        "now": cycles[cycle - 1],
        "ends": ends,
        "cycles": cycles,
        "run_cycles": len(snapshots) - load,
        "total_cycles": len(snapshots),
        "run_utilisation_fraction": sum(busy) / (SIDE**2 * (len(snapshots) - load)),
        "cells": describe_cycle(snapshots, load, cycle),
    }


def describe_cycle(snapshots, load, cycle) -> list[dict]:
    """What is where in one cycle, counted from 1: the row of A, or while weights are loaded their row.

    Elements are at x and y from 0. Rows of A wait left of them, as far as they are early, and sums that left
    are below: both read off the cycles in which the simulation lets them in and out.
    """
    now = cycle - 1
    found = {}
    for (lane, column), active in np.ndenumerate(snapshots[now].active):
        row = int(snapshots[now].ifmap_index[lane, column, 0]) + 1 if active else None
        weights = int(snapshots[now].filter_index[lane, column, 0]) + 1
        if cycle <= load:
            found[column, lane] = ("weights", f"B{weights}") if weights else ("idle", None)
        else:
            found[column, lane] = ("busy", row) if row else ("idle", None)
    for ahead, coming in enumerate(snapshots[max(cycle, load) :], start=1):
        entering = coming.ifmap_index[:, 0, 0]
        found |= {(-ahead, lane): ("outside", int(row) + 1) for lane, row in enumerate(entering) if row >= 0}
    for ago in range(1, min(LEFT, now) + 1):
        for row, column in snapshots[now - ago].written_index:
            found[int(column), SIDE - 1 + ago] = ("outside", int(row) + 1)
    return [
        {"x": x, "y": y, "text": text, "state": "followed" if text == FOLLOWED else state}
        for (x, y), (state, text) in sorted(found.items(), key=lambda one: one[0][::-1])
    ]


def draw(figure, data, t) -> None:
    now = data["now"]
    note = t(zh=f"{now['busy']}个在算", en=f"{now['busy']} busy")
    cells = [{**cell, "cycle": now["cycle"], "note": note} for cell in data["cells"]]
    charts.cells(
        *(figure, cells), x="x", y="y", state="state", by="cycle", text="text", note="note", colors=COLORS,
        x_domain=(-WAITING, SIDE - 1), y_domain=(0, SIDE - 1 + LEFT),
    )  # fmt: skip
    edges = [{"cycle": row["cycle"] - 0.5, "busy": row["busy"]} for row in data["cycles"]]
    edges.append({"cycle": CYCLES + 0.5, "busy": data["cycles"][-1]["busy"]})
    chart = charts.lines(
        *(figure, edges), x="cycle", y="busy", curve="steps", color="cmp",
        y_domain=(0, SIDE**2), y_ticks=(0, SIDE**2 // 2, SIDE**2), height=90,
    )  # fmt: skip
    ends = data["ends"]
    for start, (phase, end) in zip((0, *ends.values()), ends.items(), strict=False):
        if phase in ("load", "full"):
            chart.band(x=(start + 0.5, end + 0.5))
        chart.region(((start + end) / 2 / CYCLES, 0.15), t.name("phase", phase))
    chart.points([now], color="cmp")
    figure.put_slider("cycle", chart.axes)


def describe(data, t) -> str:
    now, share = data["now"], t.number(data["run_utilisation_fraction"] * 100)
    phase = t.name("phase", now["phase"])
    return t(
        zh=f"{SIDE} × {SIDE}脉动阵列，第{now['cycle']}个周期（{phase}），共{CYCLES}个：{now['busy']}个单元"
        f"在算。A的各行错开一拍从左边进入，部分和从下边流出。{data['m']}行用{data['run_cycles']}个周期，"
        f"利用率{share}%。",
        en=f"Cycle {now['cycle']} of {CYCLES} of a {SIDE} × {SIDE} systolic array ({phase}): {now['busy']} "
        "elements busy. Rows of A enter from the left a cycle apart, sums leave below. "
        f"{data['m']} rows take {data['run_cycles']} cycles at {share}% utilisation.",
    )


def table(data, t):
    return make_table(("cycle", "phase", "busy", "share"), data["cycles"], t)

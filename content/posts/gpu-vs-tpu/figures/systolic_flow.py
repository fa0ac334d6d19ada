"""Eight rows on their way through a 4 × 4 array with resident weights, from a cycle-accurate simulation."""

from typing import Annotated

import numpy as np
from matplotlib.patches import Rectangle

from diglot.figures import Column, Range, axis_titles, bare, label, line, make_table, mark
from diglot.hardware import simulate_cycles

TITLE = {"zh": "4 × 4脉动阵列中的数据流", "en": "Data flow through a 4 × 4 systolic array"}

SIDE, STREAMED = 4, 8
SHOWN, APART = 4, 3
"""How many moments are shown, and how many cycles they are apart."""
FOLLOWED = 3
"""The row of A that is picked out, from 1."""
REACH = 3
"""How many cycles ahead of the left edge, and past the bottom edge, operands are drawn."""


LABELS = {"cycle": {"zh": "第一幅的周期", "en": "First cycle"}}


def compute(cycle: Annotated[int, Range(1, 9)] = 6) -> dict:
    a = np.arange(STREAMED * SIDE).reshape(STREAMED, SIDE)
    b = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    snapshots = list(simulate_cycles(a, b, rows=SIDE, cols=SIDE, dataflow="ws"))
    busy = [int(np.count_nonzero(snapshot.active)) for snapshot in snapshots]
    load = sum(snapshot.phase == "load" for snapshot in snapshots)
    return {
        "side": SIDE,
        "m": STREAMED,
        "followed": FOLLOWED,
        "busy": busy,
        "load_cycles": load,
        "fill_cycles": sum(0 < count < SIDE**2 for count in busy[: busy.index(SIDE**2)]),
        "full_cycles": busy.count(SIDE**2),
        "run_cycles": len(snapshots) - load,
        "total_cycles": len(snapshots),
        "run_utilisation_fraction": sum(busy) / (SIDE**2 * (len(snapshots) - load)),
        "total_utilisation_fraction": sum(busy) / (SIDE**2 * len(snapshots)),
        "panels": [describe_cycle(snapshots, cycle + APART * n) for n in range(SHOWN)],
    }


def describe_cycle(snapshots, cycle) -> dict:
    """What is where in one cycle, counted from 1: numbers are rows of A from 1, 0 is an idle element.

    `waiting` holds (array row, cycles until it enters, row of A), `left` (array column, cycles since it left,
    row of A), both read off the cycles in which the simulation lets them in and out.
    """
    now = cycle - 1
    snapshot = snapshots[now]
    ahead = range(1, min(REACH, len(snapshots) - cycle) + 1)
    return {
        "cycle": cycle,
        "busy": int(np.count_nonzero(snapshot.active)),
        "cells": np.where(snapshot.active, snapshot.ifmap_index[..., 0] + 1, 0),
        "waiting": [
            (lane, distance, int(snapshots[now + distance].ifmap_index[lane, 0, 0]) + 1)
            for distance in ahead
            for lane in range(SIDE)
            if snapshots[now + distance].ifmap_index[lane, 0, 0] >= 0
        ],
        "left": [
            (int(column), ago, int(row) + 1)
            for ago in range(1, REACH + 1)
            for row, column in snapshots[now - ago].written_index
        ],
    }


CELL_PX, EDGE_PX, HEAD_PX = 21, 6, 28
PANEL_WIDTH_PX = (SIDE + REACH) * CELL_PX + EDGE_PX
PANEL_HEIGHT_PX = HEAD_PX + (SIDE + REACH) * CELL_PX + EDGE_PX
STRIP_PX = 126


def draw(figure, data, t) -> None:
    across = 2 if figure.is_narrow else 4
    down = len(data["panels"]) // across
    gap = (figure.width_px - across * PANEL_WIDTH_PX) / (across - 1)
    between = 18
    figure.set_height_px(down * (PANEL_HEIGHT_PX + between) + STRIP_PX)
    for place, panel in enumerate(data["panels"]):
        left = place % across * (PANEL_WIDTH_PX + gap)
        top = place // across * (PANEL_HEIGHT_PX + between)
        draw_panel(figure, panel, (left, top), data["followed"], t)
    name_streams(figure, t)
    draw_strip(figure, data, figure.height_px - STRIP_PX, t)


def draw_panel(figure, panel, corner, followed, t) -> None:
    """One cycle: operands about to enter on the left, the array, finished sums below it."""
    left, top = corner
    figure.text_px(left, top + 14, t(zh=f"周期 {panel['cycle']}", en=f"Cycle {panel['cycle']}"))
    busy = t(zh=f"{panel['busy']}/{SIDE**2} 在算", en=f"{panel['busy']} of {SIDE**2} busy")
    figure.text_px(left + PANEL_WIDTH_PX, top + 14, busy, align="right", small=True, color="mute")
    width, height = PANEL_WIDTH_PX, (SIDE + REACH) * CELL_PX + EDGE_PX
    axes = figure.axes_px(left, top + HEAD_PX, width, height)
    bare(axes)
    axes.set(xlim=(0, width), ylim=(height, 0))
    array_left = REACH * CELL_PX + EDGE_PX
    for lane, distance, row in panel["waiting"]:
        draw_cell(axes, ((REACH - distance) * CELL_PX, lane * CELL_PX), row, "outside", followed)
    for column, ago, row in panel["left"]:
        corner = array_left + column * CELL_PX, (SIDE + ago - 1) * CELL_PX + EDGE_PX
        draw_cell(axes, corner, row, "outside", followed)
    for lane, rows in enumerate(panel["cells"]):
        for column, row in enumerate(rows):
            corner = array_left + column * CELL_PX, lane * CELL_PX
            draw_cell(axes, corner, row, "busy" if row else "idle", followed)


def draw_cell(axes, corner, row, kind, followed) -> None:
    """A processing element or an operand, with the row of A that it works on."""
    x, y = corner
    picked = row == followed
    look = {
        "busy": {"fc": "tpu2" if picked else "seq2"},
        "idle": {"fc": "paper", "ec": "idle", "lw": 1, "hatch": "////"},
        "outside": {"fc": "paper", "ec": "tpu2" if picked else "rule", "lw": 1},
    }[kind]
    inset = 0.5 if kind == "busy" else 1
    side = CELL_PX - 2 * inset
    axes.add_patch(Rectangle((x + inset, y + inset), side, side, **look))
    if row:
        ink = {"busy": "paper" if picked else "ink", "outside": "tpu2" if picked else "mute"}[kind]
        label(axes, x + CELL_PX / 2, y + CELL_PX / 2, str(row), align="center", color=ink, small=True)


def name_streams(figure, t) -> None:
    """What the numbers are, written once, in the empty corner of the first panel."""
    base = HEAD_PX + SIDE * CELL_PX + EDGE_PX
    words = (t(zh="左：A的行", en="left: A’s rows"), t(zh="下：部分和", en="below: sums"))
    for number, text in enumerate(words):
        figure.text_px(0, base + 16 + 18 * number, text, small=True, color="mute")


def draw_strip(figure, data, top, t) -> None:
    """How many elements multiply in each cycle, with the cycles of the panels marked."""
    left, right, head, foot = 0, 0, 30, 46
    width, height = figure.width_px - left - right, STRIP_PX - head - foot
    axes = figure.axes_px(left, top + head, width, height)
    cycles = data["total_cycles"]
    axes.set(xlim=(0.5, cycles + 0.5), ylim=(0, SIDE**2 + 1))
    axes.grid(False)
    axes.set_yticks([])
    shown = [panel["cycle"] for panel in data["panels"]]
    axes.set_xticks(sorted({1, *shown, cycles}))
    edges = [n + 0.5 for n in range(cycles + 1)]
    line(axes, edges, [*data["busy"], data["busy"][-1]], color="cmp", steps=True)
    for cycle in shown:
        mark(axes, cycle, data["busy"][cycle - 1], color="cmp", size=7)
    axis_titles(figure, y=t(zh="每周期在算的单元", en="Elements busy, by cycle"), top=top)
    load, fill, full = data["load_cycles"], data["fill_cycles"], data["full_cycles"]
    spans = (
        (0, load, t(zh="装载权重", en="load weights")),
        (load, load + fill, t(zh="充填", en="fill")),
        (load + fill, load + fill + full, t(zh="满", en="full")),
        (load + fill + full, cycles, t(zh="排空", en="drain")),
    )
    for start, end, word in spans:
        x = left + (start + end) / 2 / cycles * width
        figure.text_px(x, top + STRIP_PX - 4, word, align="center", small=True, color="mute")


def describe(data, t) -> str:
    busy = t.join([str(panel["busy"]) for panel in data["panels"]])
    share, followed = t.number(data["run_utilisation_fraction"] * 100), data["followed"]
    return t(
        zh=f"{SIDE} × {SIDE}脉动阵列的四个时刻：A的各行错开一拍从左边进入，第{followed}行沿对角线穿过阵列，"
        f"部分和从下边流出；在算的单元依次为{busy}个，共{SIDE**2}个。"
        f"{data['m']}行用{data['run_cycles']}个周期，利用率{share}%。",
        en=f"Four moments of a {SIDE} × {SIDE} systolic array: rows of A enter from the left a cycle apart; "
        f"row {followed} crosses as a diagonal, sums leave below. Elements busy: {busy}, of {SIDE**2}. "
        f"{data['m']} rows take {data['run_cycles']} cycles at {share}% utilisation.",
    )


def table(data, t):
    phases = ["load"] * data["load_cycles"] + ["run"] * data["run_cycles"]
    words = {"load": t(zh="装载", en="load"), "run": t(zh="计算", en="run")}
    return make_table(
        (
            t(zh="周期", en="Cycle"),
            t(zh="阶段", en="Phase"),
            t(zh="在算的单元", en="Elements busy"),
            Column(t(zh="占比", en="Share"), "%"),
        ),
        [
            (cycle, words[phase], count, count / SIDE**2 * 100)
            for cycle, (phase, count) in enumerate(zip(phases, data["busy"], strict=True), start=1)
        ],
    )

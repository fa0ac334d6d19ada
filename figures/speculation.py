"""How much sooner tokens come when a small model drafts them, and from which batch on drafting hurts."""

from dataclasses import replace
from typing import Literal

import numpy as np
from _llama_serving import WORKLOAD, name_setting, serve_on, tell_setting

from diglot.figures import charts, chip, make_table
from diglot.hardware import load_model, speculate

TITLE = {"zh": "投机解码与批量", "en": "Speculative decoding and the batch"}
MESSAGE = {
    "zh": "{model}、8个H200、接受率{accepted}%，按屋顶线：起草让单个请求快{chips.0.alone | percent(0)}，"
    "批量超过{chips.0.even | number(0)}反而变慢",
    "en": "{model} on 8 H200, {accepted}% accepted, at the rooflines: drafting makes a lone request "
    "{chips.0.alone | percent(0)} faster, batches above {chips.0.even | number(0)} slower",
}
LABELS = {"drafted": {"zh": "起草词元数", "en": "Drafted tokens"}}
COLUMNS = {
    "batch": {"zh": "批量（请求数）", "en": "Batch (requests)"},
    "accepted": {"zh": "接受率", "en": "Accepted", "unit": "%", "digits": 0},
    "slice": {"zh": "芯片", "en": "Chips"},
    "gain": {"zh": "比不起草快", "en": "Gain in speed", "unit": "share", "digits": 0},
}

DRAFTER = load_model("llama-3-8b")
SLICES = {"h200-sxm": (8,), "tpu-v6e": (2, 4)}
ACCEPTED = (50, 60, 70, 80, 90)  # percent
TOLD = 80
"""Of which the message speaks."""
BATCHES = np.arange(1, 513)
SHOWN = tuple(2**power for power in range(9))


def compute(drafted: Literal[3, 5, 8] = 5) -> dict:
    """Steps half-way through the answers; every sequence of a batch speculates."""
    return {
        **tell_setting("bf16"),
        "drafter": DRAFTER.name,
        "drafted": drafted,
        "accepted": TOLD,
        "chips": [speed_up(chip_id, sides, drafted) for chip_id, sides in SLICES.items()],
    }


def speed_up(chip_id: str, sides: tuple[int, ...], drafted: int) -> dict:
    """Gain of every share and batch on one slice, and the batch before the first that is slower."""
    slice_ = serve_on(chip_id, sides)
    run = speculate(
        slice_,
        WORKLOAD.mean_context_tokens,
        draft_tokens=drafted,
        acceptance_fraction=np.array(ACCEPTED)[:, None] / 100,
        batch_count=BATCHES,
        drafter=replace(slice_, model=DRAFTER),
    )
    gains = np.asarray(run.speed_up) - 1
    told = gains[ACCEPTED.index(TOLD)]
    return {
        "chip": chip_id,
        "chips": slice_.layout.chips_count,
        "alone": told[0],
        "even": int(np.argmax(told < 0)),
        "cells": [
            {"accepted": share, "batch": batch, "gain": round(float(row[batch - 1]), 2)}
            for share, row in zip(ACCEPTED, gains, strict=True)
            for batch in SHOWN
        ],
    }


def list_cells(data) -> list[dict]:
    """Cells of both slices, under their names."""
    return [
        {**cell, "slice": f"{row['chips']} × {chip(row['chip']).label}"}
        for row in data["chips"]
        for cell in row["cells"]
    ]


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    # Not as a difference: orange and blue are TPU and GPU elsewhere. What is slower is as light as 0.
    cells = list_cells(data)
    most = max(cell["gain"] for cell in cells)
    charts.heat_map(figure, cells, x="batch", y="accepted", value="gain", by="slice", domain=(0.0, most))


def describe(data, t) -> str:
    n = t.number
    rows = [
        f"{row['chips']} × {chip(row['chip']).label} {t.percent(row['alone'])}, {n(row['even'])}"
        for row in data["chips"]
    ]
    return t(
        zh=f"{name_setting(data, t)}，屋顶线下界。{data['drafter']}每次起草{data['drafted']}个词元，"
        f"接受率{data['accepted']}%：批量为1时的提速和不变慢的最大批量：{'；'.join(rows)}。",
        en=f"{name_setting(data, t)}, at the rooflines. {data['drafter']} drafts {data['drafted']} tokens, "
        f"{data['accepted']}% of which are accepted, one after the other. Gain at a batch of 1, and the "
        f"largest batch that is not slower: {'; '.join(rows)}.",
    )


def table(data, t):
    return make_table(("slice", "accepted", "batch", "gain"), list_cells(data), t)

"""Pipeline schedules side by side: which stage runs which pass when, and how long stages idle.

Every pass of a microbatch through a stage takes one unit: forward, gradients of the input, gradients of the
weights. GPipe and 1F1B run the two backward ones as one piece of two units. Transfers take no time.
"""

from diglot.figures import charts, make_table
from diglot.hardware import Passes, Pipeline, schedule_pipeline

TITLE = {"zh": "流水线并行的调度方式", "en": "Schedules of pipeline parallelism"}
MESSAGE = {
    "zh": "{stages}级流水线、{microbatches}个微批次：1F1B有{schedules.plain.idle_share | percent}的时间空转，"
    "ZB-H2为{schedules.early.idle_share | percent}",
    "en": "{stages} stages, {microbatches} microbatches: 1F1B idles {schedules.plain.idle_share | percent} "
    "of the time, ZB-H2 {schedules.early.idle_share | percent}",
}
SCHEDULES = {
    "all": "GPipe",
    "plain": "1F1B",
    "woven": {"zh": "交错1F1B", "en": "Interleaved"},
    "late": "ZB-H1",
    "early": "ZB-H2",
}
COLUMNS = {
    "schedule": {"zh": "调度", "en": "Schedule", "names": SCHEDULES},
    "row": {"zh": "级", "en": "Stage"},
    "kind": {
        "zh": "计算",
        "en": "Pass",
        "names": {
            "forward": {"zh": "前向", "en": "forward"},
            "backward": {"zh": "反向", "en": "backward"},
            "weights": {"zh": "权重梯度", "en": "weight gradients"},
        },
    },
    "start": {"zh": "时间（前向的倍数）", "en": "Time, in forward passes"},
    "time": {"zh": "总时间", "en": "Time", "digits": 1},
    "idle": {"zh": "每级空转", "en": "Idle, each stage", "digits": 1},
    "idle_share": {"zh": "空转占比", "en": "Share idle", "unit": "share"},
    "kept": {"zh": "首级保留的微批次", "en": "Microbatches kept by the first stage", "digits": 1},
}
STAGES, MICROBATCHES, CHUNKS = 4, 8, 2
PIPELINES = {
    "all": Pipeline(schedule="gpipe"),
    "plain": Pipeline(),
    "woven": Pipeline(interleave_count=CHUNKS),
    "late": Pipeline(schedule="zb-h1"),
    "early": Pipeline(schedule="zb-h2"),
}

TOLD = ("plain", "early")
"""Those of the message: drawn pass by pass, next to the share idle of all."""


def compute() -> dict:
    return {
        "stages": STAGES,
        "microbatches": MICROBATCHES,
        "chunks": CHUNKS,
        "schedules": {key: tell_schedule(pipeline) for key, pipeline in PIPELINES.items()},
    }


def tell_schedule(pipeline: Pipeline) -> dict:
    timeline = schedule_pipeline(pipeline, stages_count=STAGES, microbatches_count=MICROBATCHES)
    work = MICROBATCHES * Passes().total_s
    return {
        "time": timeline.time_s,
        "idle": timeline.bubble_s,
        "idle_share": timeline.bubble_s / (timeline.bubble_s + work),
        "kept": pipeline.count_in_flight(STAGES, MICROBATCHES),
        "cells": [
            {
                "stage": cell.stage_index,
                "kind": cell.kind,
                "microbatch": cell.microbatch_index + 1,
                "start": cell.start_s,
                "duration": cell.duration_s,
            }
            for cell in timeline.cells
        ],
    }


def draw(figure, data, t) -> None:
    rows = [
        {**cell, "row": f"{t.name('schedule', key)} · {cell['stage'] + 1}"}
        for key in TOLD
        for cell in data["schedules"][key]["cells"]
    ]
    label = None if figure.is_narrow else "microbatch"  # most passes are narrower than a digit
    bars = {"start": "start", "duration": "duration", "label": label, "only_inside": True}
    charts.timeline(figure, rows, y="row", series="kind", **bars)
    if figure.size != "slide":  # which has less height
        shares = [{"schedule": key, **found} for key, found in data["schedules"].items()]
        charts.bars(figure, shares, y="schedule", x="idle_share", color="idle")


def describe(data, t) -> str:
    idle = {t.name("schedule", key): found["idle_share"] for key, found in data["schedules"].items()}
    shares = [f"{name} {t.percent(share)}" for name, share in idle.items()]
    return t(
        zh=f"{data['stages']}级流水线处理{data['microbatches']}个微批次，各级空转占比：{t.join(shares)}。",
        en=f"{data['stages']} stages and {data['microbatches']} microbatches. Share of the time that a stage "
        f"idles: {t.join(shares)}.",
    )


def table(data, t):
    rows = [{"schedule": key, **found} for key, found in data["schedules"].items()]
    return make_table(("schedule", "time", "idle", "idle_share", "kept"), rows, t)

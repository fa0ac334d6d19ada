"""How much of a training is progress, by the number of chips that can fail and the time that a restart takes.

Any failure stops the job, which goes back to its last checkpoint. Chips fail at the rate of Llama 3's
training, 419 interruptions of 16,384 H100 in 54 days (Llama Team, arXiv:2407.21783, section 3.3.4); the band
is for half and twice that rate, since nobody publishes one of TPUs. A checkpoint holds the job up for 30 s,
and is written as often as is best (Daly 2006).
"""

from typing import Literal

import numpy as np

from diglot import hardware
from diglot.figures import charts, make_table, rows_of

TITLE = {"zh": "故障之下，训练有多少时间在前进", "en": "How much of a training is progress, given failures"}
MESSAGE = {
    "zh": "照Llama 3的故障率，{at.pod.chips | number(0)}块芯片每{at.pod.hours | number(1)}小时停一次，"
    "重启{restart_min}分钟，有{at.pod.share | percent}的时间在前进",
    "en": "At the rate of Llama 3’s failures, {at.pod.chips | number(0)} chips stop every "
    "{at.pod.hours | number(1)} hours; with restarts of {restart_min} minutes, {at.pod.share | percent} of "
    "the time is progress",
}
LABELS = {"restart_min": {"zh": "重启，分钟", "en": "Restart, minutes"}}
COLUMNS = {
    "chips": {"zh": "芯片数", "en": "Chips"},
    "hours": {"zh": "多久停一次", "en": "Between interruptions", "unit": "h", "digits": 1},
    "share": {"zh": "前进的时间所占份额", "en": "Share of the time that is progress", "unit": "share"},
    "low": {"zh": "故障率加倍", "en": "At twice the rate", "unit": "share"},
    "high": {"zh": "故障率减半", "en": "At half the rate", "unit": "share"},
}

DAYS, INTERRUPTIONS, INTERRUPTED_CHIPS = 54, 419, 16_384
CHIP_FAILURE_S = DAYS * 86_400 / INTERRUPTIONS * INTERRUPTED_CHIPS
CHECKPOINT_S = 30
PLACES = {"slice": 6144, "pod": 8960, "llama": INTERRUPTED_CHIPS, "eight": 8 * 6144}


def compute(restart_min: Literal[1, 5, 20] = 5) -> dict:
    chips = np.unique(np.geomspace(256, 65_536, 65).round().astype(int))
    curve = {"chips": chips, **find_shares(chips, restart_min)}
    places = np.array(list(PLACES.values()))
    at = {"chips": places, **find_shares(places, restart_min)}
    return {
        "restart_min": restart_min,
        "checkpoint_s": CHECKPOINT_S,
        "days": DAYS,
        "interruptions": INTERRUPTIONS,
        "chip_years": CHIP_FAILURE_S / 86_400 / 365,
        "curve": curve,
        "at": dict(zip(PLACES, rows_of(at), strict=True)),
    }


def find_shares(chips, restart_min: int) -> dict:
    interval_s = hardware.find_interruption_interval_s(CHIP_FAILURE_S, chips)
    low, share, high = (
        hardware.find_training_goodput_fraction(
            factor * interval_s, checkpoint_s=CHECKPOINT_S, restart_s=60 * restart_min
        )
        for factor in (0.5, 1, 2)
    )
    return {"hours": interval_s / 3600, "share": share, "low": low, "high": high}


def draw(figure, data, t) -> None:
    chart = charts.frame(figure, x="chips", y="share", x_scale="log2", y_domain=(0.5, 1))
    chart.lines(rows_of(data["curve"]), interval=("low", "high"))
    names = {
        "pod": t(zh="v5p的一个Pod", en="a pod of v5p"),
        "llama": "Llama 3",
    }
    points = [{**data["at"][key], "name": name} for key, name in names.items()]
    chart.points(points, label="name", prefer="left", drop=True)


def describe(data, t) -> str:
    n = t.number
    parts = [
        t(
            zh=f"{n(row['chips'])}块芯片每{n(row['hours'], 1)}小时停一次，{t.percent(row['share'])}在前进",
            en=f"{n(row['chips'])} chips stop every {n(row['hours'], 1)} hours, and "
            f"{t.percent(row['share'])} of the time is progress",
        )
        for row in data["at"].values()
    ]
    return t(
        zh=f"按Llama 3训练时的故障率，重启{data['restart_min']}分钟：{'；'.join(parts)}。"
        "色带为故障率减半与加倍。",
        en=f"At the rate of failures of Llama 3’s training, with restarts of {data['restart_min']} minutes: "
        f"{'; '.join(parts)}. The band is for half and twice the rate.",
    )


def table(data, t):
    return make_table(("chips", "hours", "share", "low", "high"), data["at"].values(), t)

"""How much of a pod is in whole slices that work: slices from any cubes, or fixed blocks of neighbours.

A pod of 140 cubes of 64 TPU v5p. A cube works while its 16 hosts do, and a slice while all of its cubes do.
Optical switches make a slice of any cubes that work; without them it is a fixed block. Averages over time, of
hosts that fail independently of each other.
"""

from math import comb
from typing import Literal

from diglot.figures import charts, make_table
from diglot.hardware import OpticalPod, load_catalogue

TITLE = {
    "zh": "光开关与固定布线：一个Pod有多少能用",
    "en": "Optical switches or fixed wires: how much of a pod can be used",
}
MESSAGE = {
    "zh": "主机有{up | number(1)}%的时间正常时，{told_chips | number(0)}个v5p的切片，"
    "固定布线平均只有{told.fixed | percent}的Pod可用，光开关拼出来有{told.optical | percent}",
    "en": "Hosts that are up {up | number(1)}% of the time leave {told.fixed | percent} of a pod to slices "
    "of {told_chips | number(0)} v5p on fixed wires, and {told.optical | percent} with optical switches",
}
LABELS = {"up": {"zh": "主机正常的时间，%", "en": "Time that hosts are up, %"}}
WAYS = {
    "optical": {"zh": "光开关，任意立方体", "en": "optical, any cubes"},
    "fixed": {"zh": "固定布线，相邻的块", "en": "fixed, neighbours"},
}
COLUMNS = {
    "chips": {"zh": "切片的芯片数", "en": "Chips in a slice"},
    "share": {
        "zh": "Pod中可用的部分，平均",
        "en": "Part of the pod that is usable, on average",
        "unit": "share",
    },
    "way": {"zh": "布线", "en": "Wiring", "names": WAYS},
    "optical": {"zh": "光开关", "en": "Optical switches", "unit": "share"},
    "fixed": {"zh": "固定布线", "en": "Fixed wires", "unit": "share"},
}

CUBES = (1, 2, 4, 8, 16, 32, 96)
CUBE_CHIPS, CUBE_HOSTS = 64, 16
DESCRIBED = (64, 512, 2048)
TOLD_CUBES, LARGEST_CUBES = 32, 96
EXPECTED = (130, 144, 0.95)
"""Cubes that work of those of a pod, and how sure that is, as Google plans with: see the article on pods."""


def compute(up: Literal[99, 99.5, 99.9] = 99.5) -> dict:
    pod = OpticalPod(
        chips_count=int(load_catalogue()["tpu-v5p"].quantity("pod.max_chips").value),
        host_availability_fraction=up / 100,
    )
    rows = {
        str(cubes * CUBE_CHIPS): {
            "chips": cubes * CUBE_CHIPS,
            "optical": pod.find_goodput_fraction(cubes * CUBE_CHIPS),
            "fixed": pod.find_fixed_goodput_fraction(cubes * CUBE_CHIPS),
        }
        for cubes in CUBES
    }
    return {
        "up": up,
        "pod_chips": pod.chips_count,
        "cubes": pod.cubes_count,
        "cube_chips": CUBE_CHIPS,
        "cube_hosts": CUBE_HOSTS,
        "cube_up": pod.cube_availability_fraction,
        "rows": rows,
        "told_chips": TOLD_CUBES * CUBE_CHIPS,
        "told": rows[str(TOLD_CUBES * CUBE_CHIPS)],
        "largest": rows[str(LARGEST_CUBES * CUBE_CHIPS)],
        "expected": {
            "cubes": EXPECTED[0],
            "of": EXPECTED[1],
            "sure": EXPECTED[2],
            "host_up": find_host_up(*EXPECTED),
        },
    }


def find_host_up(least: int, cubes: int, sure: float) -> float:
    """Share of the time that a host must work for that many cubes of a pod to work with that probability."""
    low, high = 0.5, 1.0
    for _ in range(50):
        cube_up = (low + high) / 2
        works = sum(
            comb(cubes, count) * cube_up**count * (1 - cube_up) ** (cubes - count)
            for count in range(least, cubes + 1)
        )
        low, high = (low, cube_up) if works > sure else (cube_up, high)
    return high ** (1 / CUBE_HOSTS)


def draw(figure, data, t) -> None:
    rows = [
        {"chips": row["chips"], "way": way, "share": row[way]}
        for way in WAYS
        for row in data["rows"].values()
    ]
    ends = {"x_scale": "log2", "y_domain": (0, 1)}
    chart = charts.frame(figure, x="chips", y="share", **ends)
    chart.lines(rows, series="way").points(rows, series="way", name=False)


def describe(data, t) -> str:
    n = t.number
    parts = [
        f"{n(row['chips'])} ({t.percent(row['optical'])}, {t.percent(row['fixed'])})"
        for row in data["rows"].values()
        if row["chips"] in DESCRIBED
    ]
    return t(
        zh=f"主机有{n(data['up'], 1)}%的时间正常，{n(data['pod_chips'])}个v5p的Pod平均有多少在可用的切片里，"
        f"按切片的芯片数，依次为光开关与固定布线：{'；'.join(parts)}。",
        en=f"Hosts are up {n(data['up'], 1)}% of the time. Part of a pod of {n(data['pod_chips'])} v5p in "
        f"working slices of so many chips, with optical switches and on fixed wires: {'; '.join(parts)}.",
    )


def table(data, t):
    return make_table(("chips", "optical", "fixed"), data["rows"].values(), t)

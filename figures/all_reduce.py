"""How fast arrays of each size are summed over chips: behind one switch, over nodes, on slices of tori.

Each array takes the longer of its latency and its data, the least time that `collectives` counts. Hops and
steps are the catalogue's: a microsecond from TPU to TPU, between GPUs what NCCL reckons with for few bytes.
"""

import numpy as np

from diglot.figures import (
    Column,
    axis_titles,
    chip,
    direct_labels,
    label,
    line,
    linear_axis,
    log_axis,
    make_table,
    mark,
)
from diglot.hardware import Ring, estimate_collective, find_network, load_catalogue, measure_bus_bandwidth

TITLE = {"zh": "全归约的速率与数组大小", "en": "Rate of an all-reduce against array size"}

SIZES_BYTES = np.round(10 ** np.linspace(4, 10, 97)).astype(np.int64)
NETWORKS = {
    "v5p_64": ("tpu-v5p", (4, 4, 4)),
    "h200_8": ("h200-sxm", (8,)),
    "h200_64": ("h200-sxm", (64,)),
    "v6e_256": ("tpu-v6e", (16, 16)),
    "v6e_16": ("tpu-v6e", (4, 4)),
}
RING = "h200_ring"


def compute() -> dict:
    catalogue = load_catalogue()
    rows = {}
    for key, (chip_id, sides) in NETWORKS.items():
        network = find_network(catalogue[chip_id], sides)
        run = estimate_collective("all-reduce", SIZES_BYTES, network)
        rows[key] = describe_times(chip_id, sides, int(network.chips_count), run.time_s)
        if key == "h200_8":
            ring = Ring(bandwidth_bytes_per_s=network.port_bytes_per_s, latency_s=network.step_latency_s)
            rows[RING] = describe_times(chip_id, sides, 8, ring.all_reduce_time_s(SIZES_BYTES, 8))
    return {"bytes": SIZES_BYTES, "networks": rows}


def describe_times(chip_id, sides, chips_count, time_s) -> dict:
    """Rates in GB/s, and the size in MB from which data takes longer than latency."""
    latency_s, per_byte_s = time_s[0], time_s[-1] / SIZES_BYTES[-1]
    return {
        "id": chip_id,
        "shape": ("×" if len(sides) == 1 else "") + "×".join(map(str, sides)),
        "chips": chips_count,
        "us": time_s * 1e6,
        "gb_per_s": SIZES_BYTES / time_s / 1e9,
        "bus_gb_per_s": measure_bus_bandwidth("all-reduce", SIZES_BYTES, chips_count, time_s) / 1e9,
        "latency_us": latency_s * 1e6,
        "most_gb_per_s": 1 / per_byte_s / 1e9,
        "knee_mb": latency_s / per_byte_s / 1e6,
    }


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    figure.set_height_px({"narrow": 340, "slide": 331}.get(figure.size, 380))
    left, right, top, bottom = 40, (88 if narrow else 116), 54, 54
    axes = figure.axes_px(left, top, figure.width_px - left - right, figure.height_px - top - bottom)
    ticks = [1e4, 1e6, 1e8, 1e10] if narrow else None
    log_axis(axes, "x", 1e4, 1e10, unit=1e6, ticks=ticks)
    linear_axis(axes, "y", 0, 300, ticks=(0, 100, 200, 300))
    axis_titles(
        figure,
        y=t(zh="数组大小除以时间", en="Array over time"),
        unit="GB/s",
        x=t(zh="数组，MB", en="Array, MB"),
        right=figure.width_px - right,
    )
    thin = t(zh="细线：8个H200成环", en="thin line: 8 H200 around a ring")
    figure.text_px(figure.width_px - right, 31, thin, align="right", color="mute", small=True)
    names = []
    line(axes, data["bytes"], data["networks"][RING]["gb_per_s"], color="mute", width=1)
    for key in NETWORKS:
        row = data["networks"][key]
        look = chip(row["id"])
        line(axes, data["bytes"], row["gb_per_s"], color=look.token)
        names.append(
            (row["gb_per_s"][-1], f"{look.label.removeprefix('TPU ')} {row['shape']}", look.text_token)
        )
        at = row["knee_mb"] * 1e6, row["most_gb_per_s"]
        mark(axes, *at, color=look.token, marker=look.marker, size=7)
        if key in KNEE_LABELS:
            dx, dy, align = KNEE_LABELS[key]
            size = f"{t.number(row['knee_mb'], 1)} MB"
            text = size if align == "right" else t(zh=f"带宽主导：{size}起", en=f"bandwidth from {size}")
            label(axes, *at, text, dx=dx, dy=dy, align=align, color=look.text_token, small=True)
    direct_labels(axes, SIZES_BYTES[-1], names)


KNEE_LABELS = {"h200_8": (-9, 4, "right"), "v6e_256": (8, -24, "left")}
"""Where the rate is reached: those that the description speaks of, in pixels from the mark."""


def describe(data, t) -> str:
    n = t.number
    rows = data["networks"]
    most = [
        f"{chip(rows[key]['id']).label} ({rows[key]['chips']}) {n(rows[key]['most_gb_per_s'])}"
        for key in NETWORKS
    ]
    knees = [n(rows[key]["knee_mb"], 1) for key in ("h200_8", RING, "v6e_256")]
    return t(
        zh=f"全归约的数组大小除以时间（GB/s，括号内为芯片数）至多为：{'，'.join(most)}。"
        f"再小就由延迟决定：8个H200一步到位在{knees[0]} MB以下，成环在{knees[1]} MB以下，"
        f"256个TPU v6e在{knees[2]} MB以下。",
        en=f"Array over time of an all-reduce is at most, in GB/s (chips): {', '.join(most)}. Latency binds "
        f"below {knees[0]} MB on 8 H200 in one step, {knees[1]} MB around a ring, and "
        f"{knees[2]} MB on 256 TPU v6e.",
    )


def table(data, t):
    names = {key: f"{chip(row['id']).label} × {row['chips']}" for key, row in data["networks"].items()}
    names[RING] += t(zh="，环", en=", ring")
    at = [place for place, size in enumerate(data["bytes"]) if size in (10**5, 10**7, 10**9)]
    sizes = [t.number(data["bytes"][place] / 1e6, 1 if place == at[0] else 0) for place in at]
    return make_table(
        (
            t(zh="网络", en="Network"),
            Column(t(zh="延迟", en="Latency"), "µs"),
            *(Column(f"{size} MB", "µs") for size in sizes),
            Column(t(zh="带宽主导起点", en="Bandwidth binds from"), "MB", 1),
            Column(t(zh="极限", en="Limit"), "GB/s"),
            Column(t(zh="总线带宽，1 GB", en="Bus bandwidth, 1 GB"), "GB/s"),
        ),
        [
            (
                names[key],
                row["latency_us"],
                *(row["us"][place] for place in at),
                row["knee_mb"],
                row["most_gb_per_s"],
                row["bus_gb_per_s"][at[-1]],
            )
            for key, row in data["networks"].items()
        ],
        chips=[row["id"] for row in data["networks"].values()],
    )

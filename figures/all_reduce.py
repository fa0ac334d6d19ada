"""How fast arrays of each size are summed over chips: behind one switch, over nodes, on slices of tori."""

from dataclasses import replace

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
from diglot.hardware.catalogue import load_catalogue
from diglot.hardware.chip_networks import find_network
from diglot.hardware.collective_algorithms import estimate_algorithm_time_s
from diglot.hardware.collectives import estimate_collective, measure_bus_bandwidth
from diglot.hardware.networks import Cluster

TITLE = {"zh": "全归约的速率与数组大小", "en": "Rate of an all-reduce against array size"}

HOP_S, NODE_HOP_S = 1e-6, 5e-6
"""From chip to chip, as "How to Scale Your Model" has it for TPUs, and assumed of a node's switches; from
node to node, assumed."""
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
    """Latency, then the bytes through the busiest link: nothing hides behind anything else."""
    catalogue = load_catalogue()
    rows = {}
    for key, (chip_id, sides) in NETWORKS.items():
        network = find_network(catalogue[chip_id], sides, latency_s=HOP_S)
        if isinstance(network, Cluster):
            network = replace(network, network_latency_s=NODE_HOP_S)
        time_s = estimate_collective("all-reduce", SIZES_BYTES, network).serial_time_s
        rows[key] = describe_times(chip_id, sides, int(network.chips_count), time_s)
        if key == "h200_8":
            in_a_ring = estimate_algorithm_time_s(
                "all-reduce",
                "ring",
                SIZES_BYTES,
                8,
                step_latency_s=HOP_S,
                port_bytes_per_s=network.port_bytes_per_s,
            )
            rows[RING] = describe_times(chip_id, sides, 8, in_a_ring)
    return {
        "bytes": SIZES_BYTES,
        "hop_us": HOP_S * 1e6,
        "node_hop_us": NODE_HOP_S * 1e6,
        "networks": rows,
    }


def describe_times(chip_id, sides, chips_count, time_s) -> dict:
    """Rates in GB/s, and the size in MB from which half of the rate of endless arrays is there."""
    # Linear costs: two points give both terms.
    per_byte_s = (time_s[-1] - time_s[0]) / (SIZES_BYTES[-1] - SIZES_BYTES[0])
    latency_s = time_s[0] - SIZES_BYTES[0] * per_byte_s
    return {
        "id": chip_id,
        "shape": ("×" if len(sides) == 1 else "") + "×".join(map(str, sides)),
        "chips": chips_count,
        "us": time_s * 1e6,
        "gb_per_s": SIZES_BYTES / time_s / 1e9,
        "bus_gb_per_s": measure_bus_bandwidth("all-reduce", SIZES_BYTES, chips_count, time_s) / 1e9,
        "latency_us": latency_s * 1e6,
        "most_gb_per_s": 1 / per_byte_s / 1e9,
        "half_mb": latency_s / per_byte_s / 1e6,
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
        at = row["half_mb"] * 1e6, row["most_gb_per_s"] / 2
        mark(axes, *at, color=look.token, marker=look.marker, size=7)
        if key in HALF_LABELS:
            dx, dy, align = HALF_LABELS[key]
            size = f"{t.number(row['half_mb'], 1)} MB"
            text = size if align == "right" else t(zh=f"{size}时过半", en=f"half at {size}")
            label(axes, *at, text, dx=dx, dy=dy, align=align, color=look.text_token, small=True)
    direct_labels(axes, SIZES_BYTES[-1], names)


HALF_LABELS = {"h200_8": (-9, 4, "right"), "v6e_256": (8, -24, "left")}
"""Where half of the rate is reached: those that the description speaks of, in pixels from the mark."""


def describe(data, t) -> str:
    n = t.number
    rows = data["networks"]
    most = [
        f"{chip(rows[key]['id']).label} ({rows[key]['chips']}) {n(rows[key]['most_gb_per_s'])}"
        for key in NETWORKS
    ]
    halves = n(rows["h200_8"]["half_mb"], 1), n(rows[RING]["half_mb"], 1), n(rows["v6e_256"]["half_mb"], 1)
    return t(
        zh=f"全归约的数组大小除以时间（GB/s，括号内为芯片数）趋于：{'，'.join(most)}。"
        f"8个H200一步到位在{halves[0]} MB达到一半，成环要{halves[1]} MB，"
        f"256个TPU v6e要{halves[2]} MB。",
        en=f"Array over time of an all-reduce tends to, in GB/s (chips): {', '.join(most)}. Half of it "
        f"comes at {halves[0]} MB on 8 H200 in one step, {halves[1]} MB around a ring, and "
        f"{halves[2]} MB on 256 TPU v6e.",
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
            Column(t(zh="一半速率处", en="Half the rate at"), "MB", 1),
            Column(t(zh="极限", en="Limit"), "GB/s"),
            Column(t(zh="总线带宽，1 GB", en="Bus bandwidth, 1 GB"), "GB/s"),
        ),
        [
            (
                names[key],
                row["latency_us"],
                *(row["us"][place] for place in at),
                row["half_mb"],
                row["most_gb_per_s"],
                row["bus_gb_per_s"][at[-1]],
            )
            for key, row in data["networks"].items()
        ],
        chips=[row["id"] for row in data["networks"].values()],
    )

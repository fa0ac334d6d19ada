"""How fast arrays of each size are summed over chips: behind one switch, over nodes, on slices of tori.

Each array takes the longer of its latency and its data, the least time that `collectives` counts. Hops and
steps are the catalogue's: a microsecond from TPU to TPU, between GPUs what NCCL reckons with for few bytes.
Next to these bounds: what NCCL, started by a host, is expected to take on 8 H200, with its interval, and what
was measured on 8 H100.
"""

from operator import itemgetter

import numpy as np

from diglot.figures import charts, chip, make_table, read_csv, rows_of
from diglot.hardware import (
    estimate_collective,
    find_collective_estimate,
    find_half_bandwidth_bytes,
    find_network,
    load_catalogue,
)

TITLE = {"zh": "全归约的算法带宽与数组大小", "en": "All-reduce: algorithm bandwidth against array size"}
MESSAGE = {
    "zh": "256个TPU v6e做全归约，数组不到{networks.v6e_256.knee_mb | number(1)} MB时只在等延迟；"
    "8个H200理论上{networks.h200_8.knee_mb | number(1)} MB就够，"
    "按实测的开销，{practice.half_mb | number(1)} MB才到一半带宽",
    "en": "An all-reduce over 256 TPU v6e waits for hops below {networks.v6e_256.knee_mb | number(1)} MB; "
    "over 8 H200 below {networks.h200_8.knee_mb | number(1)} MB in theory, while with measured overheads "
    "{practice.half_mb | number(1)} MB reach half the rate",
}
TABLE_BYTES = (10**5, 10**7, 10**9)
COLUMNS = {
    "network": {"zh": "网络", "en": "Network"},
    "latency_us": {"zh": "延迟", "en": "Latency", "unit": "µs", "digits": 0},
    **{
        f"us_{size}": {"zh": f"{mb} MB", "en": f"{mb} MB", "unit": "µs", "digits": 0}
        for size, mb in zip(TABLE_BYTES, ("0.1", "10", "1,000"), strict=True)
    },
    "knee_mb": {"zh": "带宽主导起点", "en": "Bandwidth binds from", "unit": "MB", "digits": 1},
    "most_gb_per_s": {"zh": "算法带宽上界", "en": "Algorithm bandwidth, bound", "unit": "GB/s", "digits": 0},
    "bus_gb_per_s": {"zh": "总线带宽，1 GB", "en": "Bus bandwidth, 1 GB", "unit": "GB/s", "digits": 0},
    "bytes": {"zh": "数组大小", "en": "Array size", "unit": "B"},
    "rate": {
        "zh": "算法带宽（数组÷时间），实线为上界",
        "en": "Algorithm bandwidth (array ÷ time), bounds",
        "unit": "B/s",
    },
}

SIZES_BYTES = np.round(10 ** np.linspace(4, 10, 97)).astype(np.int64)
NETWORKS = {
    "v5p_64": ("tpu-v5p", (4, 4, 4)),
    "h200_8": ("h200-sxm", (8,)),
    "h200_64": ("h200-sxm", (64,)),
    "v6e_256": ("tpu-v6e", (16, 16)),
    "v6e_16": ("tpu-v6e", (4, 4)),
}
DRAWN = ("h200_8", "v6e_256")
"""Those that the message speaks of; the table has all."""
PODS = {"v5p": ("tpu-v5p", (16, 20, 28)), "h200": ("h200-sxm", (8960,))}
"""As many chips as a pod of TPU v5p has, too many to be drawn with the others."""
MEASUREMENTS, MEASURED = "figures/data/parity.csv", "vidur-ar-h100-sxm-8-"
"""Ids of measurements of 8 H100 end in the size of the array in bytes."""


def compute() -> dict:
    catalogue, rows = load_catalogue(), {}
    for key, (chip_id, sides) in NETWORKS.items():
        network = find_network(catalogue[chip_id], sides, reduces_in_network=False)
        run = estimate_collective("all-reduce", SIZES_BYTES, network)
        rows[key] = {
            "id": chip_id,
            "shape": ("×" if len(sides) == 1 else "") + "×".join(map(str, sides)),
            "chips": int(network.chips_count),
            "us": run.time_s * 1e6,
            "rate": run.algorithm_bandwidth_bytes_per_s,
            "bus_gb_per_s": run.bus_bandwidth_bytes_per_s / 1e9,
            "latency_us": run.latency_time_s[0] * 1e6,
            "most_gb_per_s": SIZES_BYTES[-1] / run.bandwidth_time_s[-1] / 1e9,
            "knee_mb": find_half_bandwidth_bytes("all-reduce", network) / 1e6,
        }
    time_s = find_collective_estimate("h200-sxm", "all-reduce", SIZES_BYTES, 8, launches="host")
    rate = SIZES_BYTES / time_s.value
    practice = {
        "rate": rate,
        "low": SIZES_BYTES / time_s.high,
        # The estimate's own bound lets switches add, this figure's does not.
        "high": np.minimum(SIZES_BYTES / time_s.low, rows["h200_8"]["rate"]),
        "half_mb": float(np.interp(rate[-1] / 2, rate, SIZES_BYTES)) / 1e6,
        "spread": float(time_s.high[-1] / time_s.value[-1]),
    }
    taken = [row for row in read_csv(MEASUREMENTS) if row["id"].startswith(MEASURED)]
    pairs = [(int(row["id"].removeprefix(MEASURED)), row["measured_s"]) for row in taken]
    measured = [{"bytes": size, "rate": size / time_s} for size, time_s in sorted(pairs)]
    pods = {key: sum_over(catalogue[chip_id], sides) for key, (chip_id, sides) in PODS.items()}
    return {"bytes": SIZES_BYTES, "networks": rows, "pods": pods, "practice": practice, "measured": measured}


def sum_over(chip, sides: tuple[int, ...]) -> dict:
    """The least time of an array so small that only hops count, and of one of a gigabyte."""
    network = find_network(chip, sides, reduces_in_network=False)
    run = estimate_collective("all-reduce", np.array([1, 10**9]), network)
    small, large = (float(each) * 1e6 for each in run.time_s)
    return {"chips": int(network.chips_count), "latency_us": small, "gigabyte_ms": large / 1e3}


def draw(figure, data, t) -> None:
    chart = charts.frame(figure, x="bytes", y="rate", x_scale="log10", y_domain=(0, None))
    for key in DRAWN:
        row = data["networks"][key]
        name = f"{chip(row['id']).label.removeprefix('TPU ')} {row['shape']}"
        knee = {"bytes": row["knee_mb"] * 1e6, "rate": row["most_gb_per_s"] * 1e9}
        rows = sorted([*rows_of({**row, "bytes": data["bytes"]}), knee], key=itemgetter("bytes"))
        chart.lines(rows, color=row["id"], name=name)
        chart.points([knee], color=row["id"], drop=True)
        size = f"{t.number(row['knee_mb'], 1)} MB"
        chart.annotate((knee["bytes"], 0), size, color=row["id"], prefer="above right")
    calibrated = t(zh="校准", en="calibrated")
    name = calibrated if figure.is_narrow else f"H200 ×8{t(zh='，', en=', ')}{calibrated}"
    practice = rows_of(
        {name: data["practice"][name] for name in ("rate", "low", "high")} | {"bytes": data["bytes"]}
    )
    chart.lines(practice, color="mute", width=1.5, name=name, interval=("low", "high"))
    half = {"bytes": data["practice"]["half_mb"] * 1e6, "rate": data["practice"]["rate"][-1] / 2}
    chart.points([half], color="ink", drop=True)
    size = f"{t.number(data['practice']['half_mb'], 1)} MB"
    chart.annotate((half["bytes"], 0), size, color="ink", prefer="above right")
    chart.points(data["measured"], color="h100-sxm", measured=True, size=6)
    last = data["measured"][-1]
    words = t(zh="8个H100，实测", en="8 H100, measured")
    chart.annotate((last["bytes"], last["rate"]), words, color="h100-sxm")


def describe(data, t) -> str:
    n, rows = t.number, {key: data["networks"][key] for key in DRAWN}
    most = [f"{chip(row['id']).label} ({row['chips']}) {n(row['most_gb_per_s'])}" for row in rows.values()]
    knees = [n(rows[key]["knee_mb"], 1) for key in ("h200_8", "v6e_256")]
    half = n(data["practice"]["half_mb"], 1)
    return t(
        zh=f"全归约的算法带宽（GB/s，括号内为芯片数）至多为：{'，'.join(most)}。"
        f"再小就由延迟决定：8个H200在{knees[0]} MB以下，256个TPU v6e在{knees[1]} MB以下。"
        f"校准后8个H200到{half} MB才有一半，90%的区间是它上下{n(data['practice']['spread'], 1)}倍。",
        en=f"The algorithm bandwidth of an all-reduce is at most, in GB/s (chips): {', '.join(most)}. "
        f"Latency binds below {knees[0]} MB on 8 H200 and {knees[1]} MB on 256 TPU v6e. Calibrated, "
        f"8 H200 reach half their rate at {half} MB; the 90% interval is a factor of "
        f"{n(data['practice']['spread'], 1)} around that curve.",
    )


def table(data, t):
    at = {f"us_{size}": data["bytes"].index(size) for size in TABLE_BYTES}
    rows = [
        {
            **row,
            "network": f"{chip(row['id']).label} × {row['chips']}",
            **{name: row["us"][place] for name, place in at.items()},
            "bus_gb_per_s": row["bus_gb_per_s"][at[f"us_{TABLE_BYTES[-1]}"]],
        }
        for row in data["networks"].values()
    ]
    columns = ("network", "latency_us", *at, "knee_mb", "most_gb_per_s", "bus_gb_per_s")
    return make_table(columns, rows, t, chips=[row["id"] for row in rows])

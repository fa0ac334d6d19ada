"""How much faster models of three eras are on later TPUs than on TPU v2, by memory and arrays alone.

ResNet-50, BERT large and Llama 3 70B, forward, in bf16. Every operator takes the longer of its traffic and of
its products on padded arrays. Convolutions are matrix products whose unfolding is free, with norms and
activations fused into them; scores of BERT's attention pass through memory, as they did then. All times are
lower bounds, as if one chip held each model, so that ratios are of bounds.
"""

from typing import Literal

from diglot import hardware
from diglot.figures import charts, chip, make_table
from diglot.hardware.claims.eras import list_era_operators, run_era_operators

TITLE = {"zh": "三个时代的模型在六代TPU上", "en": "Models of three eras on six TPUs"}
MESSAGE = {
    "zh": "v6e的峰值是v5p的{peak_ratio | number(0)}倍，跑ResNet-50却要{resnet_ratio | number(2)}倍的时间；"
    "Llama的预填充只要{prefill_ratio | number(2)}倍",
    "en": "A v6e has {peak_ratio | number(0)} times the peak of a v5p, and takes "
    "{resnet_ratio | number(2)} times as long over ResNet-50; over a prompt of Llama, "
    "{prefill_ratio | number(2)} times as long",
}
LABELS = {"batch": {"zh": "批量", "en": "Batch"}}
MODELS = {
    "resnet": {"zh": "ResNet-50", "en": "ResNet-50"},
    "bert": {"zh": "BERT，128词元", "en": "BERT, 128 tokens"},
    "prefill": {"zh": "Llama预填充", "en": "Llama, prefill"},
    "decode": {"zh": "Llama解码", "en": "Llama, decoding"},
}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "peak": {"zh": "峰值，TPU v2的倍数", "en": "Peak over that of TPU v2", "digits": 1},
    "speed": {"zh": "速度，TPU v2的倍数", "en": "Speed over that of TPU v2", "digits": 1},
    "bandwidth": {"zh": "带宽，v2的倍数", "en": "Bandwidth over v2", "digits": 1},
    "model": {"zh": "模型", "en": "Model", "names": MODELS},
    **{
        key: {"zh": f"{name['zh']}，v2的倍数", "en": f"{name['en']}, over v2", "digits": 1}
        for key, name in MODELS.items()
    },
    **{
        f"{key}_share": {
            "zh": f"{name['zh']}，峰值的比例",
            "en": f"{name['en']}, of the peak",
            "unit": "share",
        }
        for key, name in MODELS.items()
    },
}

CHIPS = ("tpu-v2", "tpu-v3", "tpu-v4", "tpu-v5p", "tpu-v6e", "tpu-v7")
SMALL = "tpu-v5e"  # in the table only: a chip of its generation at less than half the size


def compute(batch: Literal[1, 8, 64] = 64) -> dict:
    works = {name: list_era_operators(name, batch) for name in MODELS}
    rows = {chip_id.removeprefix("tpu-"): describe_chip(chip_id, works) for chip_id in (*CHIPS, SMALL)}
    first, v5p, v6e = (rows[key] for key in ("v2", "v5p", "v6e"))
    for row in rows.values():
        row |= {name: row[f"{name}_rate"] / first[f"{name}_rate"] for name in ("peak", "bandwidth", *MODELS)}
    return {
        "batch": batch,
        "prompt_tokens": next(each.shape for each in works["prefill"] if each.shape)[0],
        "rows": rows,
        "peak_ratio": v6e["peak"] / v5p["peak"],
        **{f"{name}_ratio": v5p[name] / v6e[name] for name in MODELS},
    }


def describe_chip(chip_id: str, works: dict) -> dict:
    """Rates of the chip, and of each model in passes a second, with the share of the peak that it uses."""
    found = hardware.load_catalogue()[chip_id]
    row = {
        "chip": chip_id,
        "peak_rate": found.peak_flops_per_s("bf16"),
        "bandwidth_rate": found.memory_bandwidth_bytes_per_s,
    }
    for name, work in works.items():
        run = run_era_operators(work, found)
        row |= {f"{name}_rate": 1 / run.time_s, f"{name}_share": run.peak_fraction}
    return row


def draw(figure, data, t) -> None:
    rows = [row for row in data["rows"].values() if row["chip"] != SMALL]
    chart = charts.frame(
        figure, x="peak", y="speed", x_scale="log2", y_scale="log2", x_ticks=(1, 2, 4, 8, 16, 32)
    )
    ends = [{"peak": rows[place]["peak"], "speed": rows[place]["peak"]} for place in (0, -1)]
    chart.lines(ends, color="mute", name=t(zh="与峰值同步", en="as the peak"), dash="8bit")
    lines = [{**row, "model": name, "speed": row[name]} for name in MODELS for row in rows]
    chart.lines(lines, series="model").points(lines, series="model", name=False, size=4)
    for row in rows[1:]:
        chart.flag(row["peak"], chip(row["chip"]).label.removeprefix("TPU "), down_to=row["peak"])


def describe(data, t) -> str:
    n, rows = t.number, data["rows"]
    parts = [
        t(
            zh=f"{key}的峰值{n(rows[key]['peak'], 1)}倍，ResNet-50 {n(rows[key]['resnet'], 1)}，"
            f"BERT {n(rows[key]['bert'], 1)}，Llama预填充{n(rows[key]['prefill'], 1)}，"
            f"解码{n(rows[key]['decode'], 1)}",
            en=f"{key} with {n(rows[key]['peak'], 1)} times the peak: ResNet-50 {n(rows[key]['resnet'], 1)}, "
            f"BERT {n(rows[key]['bert'], 1)}, Llama {n(rows[key]['prefill'], 1)} in prefill and "
            f"{n(rows[key]['decode'], 1)} in decoding",
        )
        for key in ("v5p", "v6e", "v7")
    ]
    return t(
        zh=f"批量{data['batch']}，速度是TPU v2的多少倍：{'；'.join(parts)}。",
        en=f"Speed over TPU v2, batch {data['batch']}: {'; '.join(parts)}.",
    )


def table(data, t):
    columns = ("chip", "peak", "bandwidth", *MODELS, *(f"{name}_share" for name in MODELS))
    return make_table(columns, data["rows"].values(), t)

"""What separate chips for prompts and for decoding gain on TPU v6e, by how soon each token must come."""

from typing import Literal

import numpy as np

from diglot.figures import charts, make_table
from diglot.hardware import (
    CacheLink,
    Layout,
    Workload,
    deploy,
    estimate_decode,
    load_catalogue,
    load_model,
    serve_continuously,
    serve_disaggregated,
    serve_in_chunks,
)

CHIP_ID, CHIPS = "tpu-v6e", 8
MODEL = load_model("llama-3-70b")
CLAIMED = (3, 7)
SHAPES = {"short": (1024, 256), "equal": (1024, 1024), "long": (8192, 256)}
LIMITS = (1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4, 6)
"""Most time per token, in times that a lone request takes for one."""
DOUBLE = LIMITS.index(2)
CHUNKS = (128, 256, 512, 1024, 2048)

TITLE = {"zh": "预填充与解码分离的收益", "en": "What disaggregation gains"}
MESSAGE = {
    "zh": "Llama 3 70B，8个TPU v6e一组，输入{prompt | number}、输出{output}词元："
    "每词元上限是单个请求的{tightest}倍时，分离的吞吐是{at.short.tight | number(1)}倍；放宽到{loosest}倍，"
    "是{at.short.loose | number(1)}倍",
    "en": "Llama 3 70B on slices of 8 TPU v6e, {prompt | number} tokens in, {output} out: disaggregation "
    "gives {at.short.tight | number(1)} times the output within {tightest} times a lone token’s time, and "
    "{at.short.loose | number(1)} within {loosest} times",
}
LABELS = {
    "against": {"zh": "与谁比", "en": "Compared with"},
    "against=chunks": {"zh": "分块预填充", "en": "chunked prefill"},
    "against=whole": {"zh": "整段插队", "en": "whole prompts"},
}
COLUMNS = {
    "limit": {
        "zh": "每词元时间的上限",
        "en": "Most time per token",
        "unit": {"zh": "倍于单个请求", "en": "× a lone request"},
        "digits": 2,
    },
    "gain": {"zh": "单芯片吞吐之比", "en": "Output per chip, apart / together", "unit": "×", "digits": 1},
    "shape": {
        "zh": "输入→输出",
        "en": "In → out",
        "names": {
            key: {"zh": f"{prompt:,}→{output:,}", "en": f"{prompt:,} → {output:,}"}
            for key, (prompt, output) in SHAPES.items()
        },
    },
}


def compute(against: Literal["chunks", "whole"] = "chunks") -> dict:
    """Calibrated; the best batch on either side within each limit, and the best of five sizes of chunks."""
    chip = load_catalogue()[CHIP_ID]
    slice_ = deploy(
        MODEL, chip, layout=Layout(tensor_count=CHIPS), reserved_fraction=0.1, timing="calibrated"
    )
    link = CacheLink(bandwidth_bytes_per_s=CHIPS * chip.quantity("dcn.per_chip").value)
    gains = {shape: find_gains(slice_, link, *lengths, against) for shape, lengths in SHAPES.items()}
    every = [gain for each in gains.values() for gain in each]
    prompt, output = SHAPES["short"]
    return {
        "against": against,
        "prompt": prompt,
        "output": output,
        "long_prompt": SHAPES["long"][0],
        "chips": CHIPS,
        "tightest": LIMITS[0],
        "double": LIMITS[DOUBLE],
        "loosest": LIMITS[-1],
        "claimed": {"low": CLAIMED[0], "high": CLAIMED[1]},
        "at": {
            shape: {"tight": each[0], "double": each[DOUBLE], "loose": each[-1]}
            for shape, each in gains.items()
        },
        "most": max(every),
        "least": min(every),
        "rows": [
            {"limit": limit, "gain": gain, "shape": shape}
            for shape, each in gains.items()
            for limit, gain in zip(LIMITS, each, strict=True)
        ],
    }


def find_gains(slice_, link, prompt: int, output: int, against: str) -> list[float]:
    workload = Workload(prompt_tokens=prompt, output_tokens=output)
    most = slice_.largest_batch_count(workload.longest_context_tokens)
    batches = np.unique(np.geomspace(1, most, 60).round().astype(int))
    lone_s = float(np.asarray(estimate_decode(slice_, workload.mean_context_tokens).time_s))
    apart = serve_disaggregated(slice_, slice_, workload, batches, link).run
    if against == "whole":
        together = [serve_continuously(slice_, workload, batches)]
    else:
        together = [serve_in_chunks(slice_, workload, batches, chunk_tokens=size) for size in CHUNKS]
    return [
        find_most(apart, limit * lone_s) / max(find_most(run, limit * lone_s) for run in together)
        for limit in LIMITS
    ]


def find_most(run, limit_s: float) -> float:
    """Most output of a chip among batches whose tokens come within the limit."""
    within = np.asarray(run.tpot_s) <= limit_s
    return float(np.max(np.asarray(run.output_tokens_per_chip_s)[within], initial=0.0))


def draw(figure, data, t) -> None:
    charts.heading(
        figure,
        t(
            zh=f"{MODEL.name}，bf16，每组{CHIPS}个TPU v6e，校准值；输入→输出词元",
            en=f"{MODEL.name} in bf16, slices of {CHIPS} TPU v6e, calibrated; tokens in → out",
        ),
    )
    columns = {"by": "shape", "x": "limit", "y": "gain", "columns": 2 if figure.is_narrow else 3}
    ends = {"x_scale": "log2", "x_domain": (1, 8), "y_domain": (0, 8), "y_ticks": (0, 1, 3, 7)}
    for chart, rows in charts.panels(figure, data["rows"], **columns, **ends, height=130):
        chart.band(y=CLAIMED, text=t(zh="说法：3至7倍", en="claim: 3 to 7"))
        chart.rule(y=1).lines(rows)


def describe(data, t) -> str:
    n = t.number
    parts = [
        f"{t.name('shape', shape)} {n(at['tight'], 1)}, {n(at['double'], 1)}, {n(at['loose'], 1)}"
        for shape, at in data["at"].items()
    ]
    return t(
        zh=f"{CHIPS}个v6e一组，分离与不分离的单芯片吞吐之比，每词元上限依次为单个请求的"
        f"{n(data['tightest'], 1)}、{data['double']}、{data['loosest']}倍：{'；'.join(parts)}。"
        f"说法是{CLAIMED[0]}至{CLAIMED[1]}倍。比值的误差会互相抵消，但没有区间可给。",
        en=f"Output of a chip on slices of {CHIPS} v6e, apart over together, where a token may take "
        f"{n(data['tightest'], 1)}, {data['double']} and {data['loosest']} times a lone one: "
        f"{'; '.join(parts)}. The claim is {CLAIMED[0]} to {CLAIMED[1]}. Errors cancel in these ratios, "
        "but no interval is known for them.",
    )


def table(data, t):
    return make_table(("shape", "limit", "gain"), data["rows"], t)

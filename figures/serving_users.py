"""How fast each of many users gets tokens of Llama 3.3 70B: ideal, calibrated, and as others published.

Every matrix is cut over all chips; prompts interrupt the batch, and waits count. Published times per token
are those of NVIDIA NIM (two H100) and of Google's recipe for vLLM (eight v6e). Llama 3 is as large as 3.3.
"""

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np

from diglot.figures import charts, chip, make_table, rows_of
from diglot.hardware import (
    Formats,
    Layout,
    Workload,
    deploy,
    estimate_decode,
    estimate_prefill,
    load_catalogue,
    load_model,
    load_spreads,
    serve_continuously,
)
from diglot.hardware.chips.spreads import name_maker

MODEL = load_model("llama-3-70b")
RESERVED_FRACTION = 0.1
CLAIMED_USERS, CLAIMED_TOKENS_PER_S = 50, 140
ESTIMATE = ("value", "low", "high", "basis")
USERS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 50, 64, 96, 128)


class Service(NamedTuple):
    """A deployment, and times per token that others published, in ms by the number of users."""

    chip: str
    chips: int
    dtype: str = "bf16"
    prompt: int = 1024
    output: int = 1024
    published_ms: Mapping[int, float] = MappingProxyType({})


SERVICES = {
    "h200": Service("h200-sxm", 8),
    "h200_fp8": Service("h200-sxm", 8, "fp8"),
    "h100_2": Service("h100-sxm", 2, "fp8", 5000, 500, {1: 18.58, 5: 21.83, 25: 38.75, 50: 59.73}),
    "v6e": Service("tpu-v6e", 8, published_ms={128: 35.43}),
}
CHOSEN = Literal["h200", "h200_fp8", "h100_2", "v6e"]

TITLE = {"zh": "并发用户数与每人的速度", "en": "Concurrent users and the speed of each"}
MESSAGE = {
    "zh": "{model}（{name}，{dtype}）：1个用户每秒得{alone.calibrated | interval}词元，"
    "{users}个用户同时用，每人{claimed.calibrated | interval}",
    "en": "{model} in {dtype} on {name}: one user gets {alone.calibrated | interval} tokens/s, "
    "each of {users} gets {claimed.calibrated | interval}",
}
LABELS = {
    "service": {"zh": "部署", "en": "Deployment"},
    "service=h200": {"zh": "8个H200，bf16", "en": "8 H200, bf16"},
    "service=h200_fp8": {"zh": "8个H200，fp8", "en": "8 H200, fp8"},
    "service=h100_2": {"zh": "2个H100，fp8", "en": "2 H100, fp8"},
    "service=v6e": {"zh": "8个v6e，bf16", "en": "8 v6e, bf16"},
}
RATE = {"unit": "tokens/s", "digits": 0}
COLUMNS = {
    "users": {"zh": "同时使用的人数", "en": "Concurrent users"},
    "rate": {"zh": "每人的速度", "en": "Speed of each", **RATE},
    "ideal": {"zh": "屋顶线上限", "en": "At the roofline", **RATE},
    "value": {"zh": "校准值", "en": "Calibrated", **RATE},
    "low": {"zh": "90%区间，低", "en": "90% interval, low", **RATE},
    "high": {"zh": "高", "en": "high", **RATE},
}


def compute(service: CHOSEN = "h200") -> dict:
    of = SERVICES[service]
    ideal, calibrated = (place(of, timing) for timing in ("ideal", "calibrated"))
    workload = Workload(prompt_tokens=of.prompt, output_tokens=of.output)
    most = calibrated.largest_batch_count(workload.longest_context_tokens)
    users = np.array([count for count in USERS if count <= most])
    rates = [1 / np.asarray(serve_continuously(each, workload, users).tpot_s) for each in (ideal, calibrated)]
    estimate = calibrated.spread.bracket(rates[1], most=rates[0])
    rows = rows_of({"users": users, "ideal": rates[0], **asdict(estimate)})
    told = [{"ideal": row["ideal"], "calibrated": {name: row[name] for name in ESTIMATE}} for row in rows]
    by_users = dict(zip(users.tolist(), told, strict=True))
    alone, claimed = by_users[1], by_users[CLAIMED_USERS]
    kept = {"ideal": claimed["ideal"] / alone["ideal"]}
    kept["calibrated"] = claimed["calibrated"]["value"] / alone["calibrated"]["value"]
    first_s = [float(np.asarray(estimate_prefill(each, of.prompt).time_s)) for each in (ideal, calibrated)]
    first = calibrated.spread.bracket(1e3 * first_s[1], least=1e3 * first_s[0])
    return {
        "model": "Llama 3.3 70B",
        "chip": of.chip,
        "chips": of.chips,
        "name": f"{of.chips} × {chip(of.chip).label}",
        "dtype": of.dtype,
        "prompt": of.prompt,
        "output": of.output,
        "is_claimed": of in (SERVICES["h200"], SERVICES["h200_fp8"]),
        "users": CLAIMED_USERS,
        "claimed_tokens_per_s": CLAIMED_TOKENS_PER_S,
        "rows": rows,
        "alone": alone,
        "claimed": claimed,
        "kept": kept,
        "more_output": CLAIMED_USERS * kept["calibrated"],
        "most": told[-1],
        "ttft_ms": {"ideal": 1e3 * first_s[0], "calibrated": first},
        "published": [{"users": count, "rate": 1e3 / ms} for count, ms in of.published_ms.items()],
        "steps": {
            name: describe_step(calibrated, workload, count)
            for name, count in (("alone", 1), ("claimed", CLAIMED_USERS))
        },
        "interval_fraction": 0.9,  # as `Estimate` has it
        "spread": calibrated.spread.ratio,
        "spread_rows": count_rows(of.chip),
    }


def describe_step(slice_, workload, count: int) -> dict:
    """A calibrated decoding step, and the part of it in which chips add up what each has computed."""
    step = estimate_decode(slice_, workload.mean_context_tokens, batch_count=count)
    all_ms, network_ms = (1e3 * float(np.asarray(each)) for each in (step.time_s, step.communication_s))
    return {"all_ms": all_ms, "network_ms": network_ms}


def count_rows(chip_id: str) -> int:
    """Measurements of served dense models behind the interval."""
    maker = name_maker(load_catalogue()[chip_id])
    fits = [fit for fit in load_spreads() if (fit.subject, fit.maker) == ("served dense", maker)]
    return fits[0].rows_count


def place(of: Service, timing: str):
    """The model over the chips' own links, as a serving engine drives them where times are calibrated."""
    formats = Formats(weights=of.dtype, arithmetic=of.dtype, kv_cache=of.dtype)
    return deploy(
        MODEL,
        load_catalogue()[of.chip],
        layout=Layout(tensor_count=of.chips),
        formats=formats,
        reserved_fraction=RESERVED_FRACTION,
        timing=timing,
    )


def draw(figure, data, t) -> None:
    n = t.number
    prompt, output = n(data["prompt"]), n(data["output"])
    charts.heading(
        figure,
        t(
            zh=f"{data['model']}，{data['name']}，{data['dtype']}，输入{prompt}、输出{output}词元",
            en=f"{data['model']}, {data['name']}, {data['dtype']}, {prompt} tokens in, {output} out",
        ),
    )
    chart = charts.frame(
        figure, x="users", y="rate", x_scale="log2", x_domain=(1, 128), y_scale="log2", y_domain=(8, 640)
    )
    for name, words, color in (
        ("ideal", t(zh="屋顶线", en="roofline"), "mute"),
        ("value", t(zh="校准值", en="calibrated"), "ink"),
    ):
        line = [{**row, "rate": row[name]} for row in data["rows"]]
        chart.lines(line, name=words, color=color, interval=("low", "high") if name == "value" else None)
    if data["published"]:
        chart.points(data["published"], measured=True, name=t(zh="公开实测", en="published"))
    if data["is_claimed"]:
        claim = {"users": CLAIMED_USERS, "rate": CLAIMED_TOKENS_PER_S}
        chart.points([claim], name=False, color="net")
        words = t(zh=f"说法：{CLAIMED_TOKENS_PER_S}", en=f"claim: {CLAIMED_TOKENS_PER_S}")
        chart.annotate((CLAIMED_USERS, CLAIMED_TOKENS_PER_S), words, prefer="above")


def describe(data, t) -> str:
    n, alone, many = t.number, data["alone"], data["claimed"]
    return t(
        zh=f"{data['name']}，{data['dtype']}。"
        f"1个用户每秒{t.interval(alone['calibrated'])}词元，上限{n(alone['ideal'])}；"
        f"{data['users']}个用户每人{t.interval(many['calibrated'])}，上限{n(many['ideal'])}。"
        f"括号内为{t.percent(data['interval_fraction'])}区间。",
        en=f"{data['name']} in {data['dtype']}. One user gets {t.interval(alone['calibrated'])} tokens/s, "
        f"at most {n(alone['ideal'])}; each of {data['users']} gets {t.interval(many['calibrated'])}, "
        f"at most {n(many['ideal'])}. In brackets are {t.percent(data['interval_fraction'])} intervals.",
    )


def table(data, t):
    return make_table(("users", "ideal", "value", "low", "high"), data["rows"], t)

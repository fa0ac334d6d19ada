"""How much longer a step of DeepSeek-V3 takes as experts differ in popularity, by where they are placed."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from diglot.figures import charts, chip, make_table
from diglot.hardware import (
    Formats,
    Layout,
    Routing,
    StepOptions,
    balance_experts,
    decode,
    deploy,
    estimate_step,
    load_model,
)

MODEL = load_model("deepseek-v3")
CHIPS = 64
CONTEXT_TOKENS = 2000
FORMATS = {"tpu-v5p": Formats(weights="int8"), "h200-sxm": Formats(weights="fp8", arithmetic="fp8")}
SKEWS = tuple(step / 10 for step in range(11))
TOLD = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    placement: Literal["balanced", "blind"]
    copies: int = 0


POLICIES = {
    "number": Policy(placement="blind"),
    "popularity": Policy(placement="balanced"),
    "copies": Policy(placement="balanced", copies=CHIPS),
}

TITLE = {"zh": "专家受欢迎程度不一，一步慢多少", "en": "What skewed routing adds to a step"}
MESSAGE = {
    "zh": "{model}，{chips}个{chip_name}，偏斜指数1：一步是均匀时的{policies.popularity.most | number(1)}倍；"
    "每块芯片多放一份热门专家，只有{policies.copies.most | number(2)}倍",
    "en": "{model} on {chips} {chip_name}: at a skew of 1 a step takes "
    "{policies.popularity.most | number(1)} times as long as with even routing, and "
    "{policies.copies.most | number(2)} times with one spare expert on each chip",
}
LABELS = {
    "chip_id": {"zh": "芯片", "en": "Chips"},
    "chip_id=tpu-v5p": {"zh": "TPU v5p", "en": "TPU v5p"},
    "chip_id=h200-sxm": {"zh": "H200", "en": "H200"},
    "users": {"zh": "用户数", "en": "Users"},
}
COLUMNS = {
    "skew": {"zh": "偏斜（Zipf指数）", "en": "Skew (Zipf’s exponent)", "digits": 1},
    "slower": {"zh": "一步的时间，均匀时为1", "en": "Time of a step, 1 if even", "digits": 2},
    "busiest": {"zh": "最忙芯片的行数，平均为1", "en": "Rows of the busiest chip, mean 1", "digits": 2},
    "policy": {
        "zh": "专家放法",
        "en": "Placement",
        "names": {
            "number": {"zh": "按编号放", "en": "by number"},
            "popularity": {"zh": "按热度放", "en": "by popularity"},
            "copies": {"zh": f"另加{CHIPS}份", "en": f"with {CHIPS} spares"},
        },
    },
}


def compute(
    chip_id: Literal["tpu-v5p", "h200-sxm"] = "tpu-v5p", users: Literal[512, 2048, 8192] = 2048
) -> dict:
    """Decoding at the rooflines. The exponent is an assumption, the same ranks in every step."""
    even_s = time_step_s(chip_id, users, POLICIES["popularity"], 0.0)
    rows = [
        {
            "policy": name,
            "skew": skew,
            "slower": time_step_s(chip_id, users, policy, skew) / even_s,
            "busiest": find_imbalance(users, policy, skew),
        }
        for name, policy in POLICIES.items()
        for skew in SKEWS
    ]
    return {
        "model": MODEL.name,
        "chips": CHIPS,
        "waiting_chips": CHIPS - 1,
        "experts_per_chip": MODEL.experts.routed_count // CHIPS,
        "with_spare": MODEL.experts.routed_count // CHIPS + 1,
        "skews": {"mild": TOLD / 2, "told": TOLD, "most": SKEWS[-1]},
        "chip_id": chip_id,
        "chip_name": chip(chip_id).label,
        "users": users,
        "mean_rows": users * MODEL.experts.active_count / MODEL.experts.routed_count,
        "even_ms": 1e3 * even_s,
        "policies": {name: summarise([row for row in rows if row["policy"] == name]) for name in POLICIES},
        "rows": rows,
        "calibrated": calibrate(chip_id, users),
    }


def place(chip_id: str, policy: Policy, skew: float, timing: Literal["ideal", "calibrated"] = "ideal"):
    options = StepOptions(
        routing_skew=skew, redundant_experts_count=policy.copies, expert_placement=policy.placement
    )
    layout = Layout(expert_count=CHIPS)
    return deploy(MODEL, chip_id, layout=layout, formats=FORMATS[chip_id], options=options, timing=timing)


def time_step_s(chip_id: str, users: int, policy: Policy, skew: float) -> float:
    slice_ = place(chip_id, policy, skew)
    slice_.check_fits(users, CONTEXT_TOKENS)
    step = estimate_step(slice_, decode(CONTEXT_TOKENS, sequences_count=users))
    return float(np.asarray(step.time_s))


def find_imbalance(users: int, policy: Policy, skew: float) -> float:
    routing = Routing(
        experts_count=MODEL.experts.routed_count, active_count=MODEL.experts.active_count, skew=skew
    )
    options = {"redundant_count": policy.copies, "placement": policy.placement}
    return float(balance_experts(routing, users, ways_count=CHIPS, **options).imbalance_ratio)


def summarise(rows: list[dict]) -> dict:
    told = next(row for row in rows if row["skew"] == TOLD)
    mild = next(row for row in rows if row["skew"] == TOLD / 2)
    return {
        "mild": mild["slower"],
        "told": told["slower"],
        "most": rows[-1]["slower"],
        "busiest_told": told["busiest"],
        "busiest_even": rows[0]["busiest"],
    }


def calibrate(chip_id: str, users: int) -> dict:
    """Milliseconds of a calibrated step with even routing, and how much longer others take."""
    even, skewed, spared = (
        estimate_step(
            place(chip_id, POLICIES[policy], skew, "calibrated"),
            decode(CONTEXT_TOKENS, sequences_count=users),
        )
        for policy, skew in (("popularity", 0.0), ("popularity", SKEWS[-1]), ("copies", SKEWS[-1]))
    )
    ratios = {"most": float(skewed.time_s / even.time_s), "spared": float(spared.time_s / even.time_s)}
    least_ms = 1e3 * time_step_s(chip_id, users, POLICIES["popularity"], 0.0)
    return {"ms": even.spread.bracket(1e3 * float(even.time_s), least=least_ms), **ratios}


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    chart = charts.frame(figure, x="skew", y="slower", x_domain=(0, 1), y_domain=(0, 6.5))
    chart.rule(y=1).lines(data["rows"], series="policy")
    for policy, digits, side in (("popularity", 1, "below"), ("copies", 2, "above left")):
        most = data["policies"][policy]["most"]
        chart.annotate((SKEWS[-1], most), t.number(most, digits), color="ink", prefer=side)


def name_setting(data, t) -> str:
    n = t.number
    return t(
        zh=f"{data['model']}解码，{data['chips']}个{data['chip_name']}，{n(data['users'])}个用户",
        en=f"{data['model']} decoding on {data['chips']} {data['chip_name']}, {n(data['users'])} users",
    )


def describe(data, t) -> str:
    parts = [
        t(zh=f"{t.name('policy', name)}{t.number(each['told'], 2)}、{t.number(each['most'], 2)}倍",
          en=f"{t.name('policy', name)} {t.number(each['told'], 2)} and {t.number(each['most'], 2)}")
        for name, each in data["policies"].items()
    ]  # fmt: skip
    return t(
        zh=f"{name_setting(data, t)}，屋顶线下界。偏斜{TOLD}与1时一步是均匀时的几倍：{'；'.join(parts)}。"
        f"校准后均匀的一步{t.interval(data['calibrated']['ms'], 1)} ms。",
        en=f"{name_setting(data, t)}, at the rooflines. Time of a step at a skew of {TOLD} and of 1, over "
        f"that with even routing: {'; '.join(parts)}. Calibrated, an even step takes "
        f"{t.interval(data['calibrated']['ms'], 1)} ms.",
    )


def table(data, t):
    rows = sorted(data["rows"], key=lambda row: -row["skew"])  # those of the message first
    return make_table(("policy", "skew", "busiest", "slower"), rows, t)

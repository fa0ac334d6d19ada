"""Published claims about serving a 70B model, and what the models say of each: one table, no picture.

A claim holds where every interval found is within it, in part where some are and others surely not, and is
open where they straddle it. The claims are among those of `debate_claims`, which judges them by other cases.
"""

import disaggregation
import numpy as np
from serving_users import Service, place

from diglot.figures import make_table
from diglot.hardware import (
    Workload,
    estimate_prefill,
    find_spread,
    find_verdict,
    load_outside_claims,
    serve_continuously,
)

PROMPTS = (1024, 8192)
USERS = 50
GPUS = (Service("h100-sxm", 8), Service("h200-sxm", 8))
CLAIMED_S = {"ironwood": (0, 1), "tpus": (0.3, 0.76)}
IRONWOOD = (Service("tpu-v7", 4),)
TPUS = (Service("tpu-v5e", 16), Service("tpu-v5p", 8), Service("tpu-v6e", 8))

TITLE = {"zh": "关于70B模型推理服务的说法", "en": "Claims about serving a 70B model"}
MESSAGE = {
    "zh": "关于70B模型推理服务的{count}条说法，完全成立的有{holds}条",
    "en": "Of {count} claims about serving a 70B model, {holds} holds in full",
}
FAR = {"zh": "，含没有同类实测的芯片", "en": ", some chips far from any measurement"}
VERDICTS = {
    "holds": {"zh": "成立", "en": "holds"},
    "in part": {"zh": "部分成立", "en": "in part"},
    "does not hold": {"zh": "不成立", "en": "does not hold"},
    "open": {"zh": "未定", "en": "open"},
}
COLUMNS = {
    "claim": {"zh": "说法", "en": "Claim"},
    "ideal": {"zh": "屋顶线", "en": "Roofline"},
    "calibrated": {"zh": "校准值", "en": "Calibrated"},
    "interval": {"zh": "90%区间", "en": "90% interval"},
    "verdict": {"zh": "结论", "en": "Verdict", "names": VERDICTS},
}


def compute() -> dict:
    ironwood, tpus = find_first_tokens(IRONWOOD), find_first_tokens(TPUS)
    users = find_speeds(GPUS)
    gains = [disaggregation.compute(against) for against in ("chunks", "whole")]
    ratios = [row["gain"] for found in gains for row in found["rows"]]
    spread = find_spread("served dense", "tpu-v6e")  # both sides of the ratio are on this chip
    apart = {"calibrated": ratios, "intervals": [spread.bracket(ratio) for ratio in ratios]}
    rows = [
        describe_claim(17, ironwood, CLAIMED_S["ironwood"], "s", 2),
        describe_claim(22, tpus, CLAIMED_S["tpus"], "s", 2),
        describe_claim(19, users, (126, 154), "tokens/s", 0),
        describe_claim(18, apart, disaggregation.CLAIMED, "×", 1),
    ]
    counts = [of.chips for of in (*IRONWOOD, *TPUS, *GPUS)]
    verdicts = [row["verdict"] for row in rows]
    return {
        "rows": rows,
        "count": len(rows),
        "prompts": {"short": PROMPTS[0], "long": PROMPTS[1]},
        "chips": {"least": min(counts), "most": max(counts)},
        "claimed_s": {name: {"low": low, "high": high} for name, (low, high) in CLAIMED_S.items()},
        "holds": verdicts.count("holds"),
        "ironwood": find_ends(ironwood),
        "tpus": find_ends(tpus),
        "users": find_ends(users),
        "most_gain": max(apart["calibrated"]),
        "least_gain": min(apart["calibrated"]),
    }


def find_first_tokens(services) -> dict:
    """Seconds that prompts of two lengths take when nobody else is there."""
    times = [
        [float(np.asarray(estimate_prefill(each, prompt).time_s)) for each in both] + [both[1].spread]
        for both in (tuple(place(of, timing) for timing in ("ideal", "calibrated")) for of in services)
        for prompt in PROMPTS
    ]
    intervals = [spread.bracket(calibrated, least=ideal) for ideal, calibrated, spread in times]
    return list_values(times, intervals)


def find_speeds(services) -> dict:
    """Tokens per second of each of the users; prompts of the others interrupt them."""
    workload = Workload(prompt_tokens=PROMPTS[0], output_tokens=PROMPTS[0])
    rates = [
        [1 / float(np.asarray(serve_continuously(each, workload, USERS).tpot_s)) for each in both]
        + [both[1].spread]
        for both in (tuple(place(of, timing) for timing in ("ideal", "calibrated")) for of in services)
    ]
    intervals = [spread.bracket(calibrated, most=ideal) for ideal, calibrated, spread in rates]
    return list_values(rates, intervals)


def list_values(rows, intervals) -> dict:
    return {
        "ideal": [row[0] for row in rows],
        "calibrated": [row[1] for row in rows],
        "intervals": intervals,
    }


def find_ends(values: dict) -> dict:
    found = {name: values[name] for name in ("ideal", "calibrated")}
    found["interval"] = list_ends(values)
    return {name: {"least": min(each), "most": max(each)} for name, each in found.items()}


def list_ends(values: dict) -> list[float]:
    return [end for interval in values["intervals"] for end in (interval.low, interval.high)]


def describe_claim(number: int, values: dict, within: tuple[float, float], unit: str, digits: int) -> dict:
    claim = load_outside_claims()[number].claim
    intervals = values["intervals"]
    found = {"ideal": values.get("ideal"), "calibrated": values["calibrated"], "interval": list_ends(values)}
    ranges = {name: each and name_range(each, unit, digits) for name, each in found.items()}
    if any(interval.basis == "far" for interval in intervals):
        ranges["interval"] = {key: text + FAR[key] for key, text in ranges["interval"].items()}
    verdict = find_verdict([(each.low, each.high) for each in intervals], within)
    return {"claim": {"zh": claim.zh, "en": claim.en}, **ranges, "verdict": verdict}


def name_range(values: list[float], unit: str, digits: int) -> dict:
    # A word joiner on either side, so that a range is not torn apart at the end of a line.
    span = f"{min(values):.{digits}f}\u2060–\u2060{max(values):.{digits}f}\u00a0"
    return {"zh": span + {"tokens/s": "词元/s", "×": "倍"}.get(unit, unit), "en": span + unit}


def table(data, t):
    return make_table(tuple(COLUMNS), data["rows"], t)

"""The playbook of phases: on which chip a million tokens of each phase cost least, and by how much."""

from itertools import product

from _claims import join_range

from diglot.figures import charts, chip, make_table
from diglot.hardware import compare_chips, find_spread
from diglot.hardware.claims.of_costs import TRAINED_TOKENS
from diglot.hardware.claims.tables import LIFE_TOKENS

TITLE = {"zh": "每个阶段放在哪里最省", "en": "Where each phase costs least"}
MESSAGE = {
    "zh": "训练、预填充、解码，校准后都是{best_name}最省，其中{tied_count}个阶段GPU的区间与它重叠",
    "en": "Calibrated, training, prefill and decode all cost least on the {best_name}; in {tied_count} of "
    "the three the interval of the best GPU overlaps",
}
SETTING = {"chips_count": 256, "prompt_tokens": 8192, "limit_ms": 50, "interval_percent": 90}
"""Of the tables of claims 15, 24 and 42, which `compare_chips` makes."""
PHASES = {
    "training": {
        "zh": f"训练，{SETTING['chips_count']}块芯片",
        "en": f"Training, {SETTING['chips_count']} chips",
    },
    "prefill": {
        "zh": f"预填充，{SETTING['prompt_tokens']:,}词元的提示",
        "en": f"Prefill, prompts of {SETTING['prompt_tokens']:,} tokens",
    },
    "decode": {
        "zh": f"解码，每词元{SETTING['limit_ms']} ms以内",
        "en": f"Decode, within {SETTING['limit_ms']} ms a token",
    },
}
SHORT = {
    "training": {"zh": "训练", "en": "training"},
    "prefill": {"zh": "预填充", "en": "prefill"},
    "decode": {"zh": "解码", "en": "decode"},
}
SUBJECTS = {"training": "trained dense", "prefill": "served dense", "decode": "served dense"}
PIPELINE_GAIN = (1.6, 2.0)
"""What claim 43 says that each stage on its best unit gains in latency."""
LOOKED_AT = {
    "ideal": {"zh": "屋顶线", "en": "roofline"},
    "first": {"zh": "校准后最省", "en": "calibrated"},
    "other": {"zh": "另一家最省", "en": "other family"},
}
COLUMNS = {
    "phase": {"zh": "阶段", "en": "Phase", "names": PHASES},
    "how": {"zh": "怎么算", "en": "Computed", "names": LOOKED_AT},
    "on": {"zh": "最省", "en": "Least on"},
    "cost": {"zh": "成本", "en": "Cost", "unit": {"zh": "美元", "en": "USD"}, "digits": 2},
    "interval": {"zh": "90%区间", "en": "90% interval"},
    "chip": {"zh": "芯片", "en": "Chip"},
    "usd": {"zh": "美元/百万词元", "en": "USD per million tokens", "digits": 2},
}
TABLE = ("phase", "how", "on", "cost", "interval")


def compute() -> dict:
    chips = compare_chips()
    phases = {phase: compare_phase(phase, chips) for phase in PHASES}
    return {
        "setting": SETTING,
        "phases": phases,
        "best_name": phases["training"]["first"]["name"],
        "is_same": len({phase["first"]["name"] for phase in phases.values()}) == 1,
        "tied_count": sum(phase["first"]["high"] > phase["other"]["low"] for phase in phases.values()),
        "claimed": dict(zip(("low", "high"), PIPELINE_GAIN, strict=True)),
        "families": {name: describe_family(name == "tpu", phases, chips) for name in ("gpu", "tpu")},
        "tokens": {"trained": TRAINED_TOKENS, "served": LIFE_TOKENS},
        "lives": {timing: find_lives_usd(timing, chips) for timing in ("ideal", "calibrated")},
    }


def find_lives_usd(timing, chips) -> dict:
    """Dollars for training and for what is written afterwards, each on a family's cheapest chip."""
    costs = {
        (family, phase): min(
            row.costs_by_phase[phase]
            for row in chips
            if row.timing == timing and is_tpu(row.chip_id) == (family == "tpu")
        )
        for family, phase in product(("tpu", "gpu"), ("training", "decode"))
    }
    return {
        f"{trained}_{served}": 1e-6
        * (TRAINED_TOKENS * costs[trained, "training"] + LIFE_TOKENS * costs[served, "decode"])
        for trained, served in product(("tpu", "gpu"), repeat=2)
    }


def compare_phase(phase, chips) -> dict:
    """The cheapest chip of all and the cheapest of the other family, calibrated; and by the bound."""
    ideal = {row.chip_id: row.costs_by_phase[phase] for row in chips if row.timing == "ideal"}
    costs = {row.chip_id: row.costs_by_phase[phase] for row in chips if row.timing == "calibrated"}
    order, least = sorted(costs, key=costs.get), min(ideal, key=ideal.get)
    other = next(chip_id for chip_id in order if is_tpu(chip_id) != is_tpu(order[0]))
    return {
        "phase": phase,
        "ideal": {"chip": least, "name": chip(least).label, "usd": ideal[least]},
        "first": estimate(order[0], SUBJECTS[phase], costs, ideal),
        "other": estimate(other, SUBJECTS[phase], costs, ideal),
        "ratio": costs[other] / costs[order[0]],
    }


def is_tpu(chip_id) -> bool:
    return chip_id.startswith("tpu")


def estimate(chip_id, subject, calibrated, ideal) -> dict:
    bracket = find_spread(subject, chip_id).bracket(calibrated[chip_id], least=ideal[chip_id])
    interval = {"value": bracket.value, "low": bracket.low, "high": bracket.high, "basis": bracket.basis}
    return {"chip": chip_id, "name": chip(chip_id).label, "tpu": is_tpu(chip_id), **interval}


def describe_family(tpu, phases, chips) -> dict:
    """The cheapest chip of each phase in a family, its quickest first token, and where it does best."""
    costs = {
        phase: row["first"] if row["first"]["tpu"] == tpu else row["other"] for phase, row in phases.items()
    }
    others = {
        phase: row["other"] if row["first"]["tpu"] == tpu else row["first"] for phase, row in phases.items()
    }
    best = min(PHASES, key=lambda phase: costs[phase]["value"] / others[phase]["value"])
    waits = {
        timing: {row.chip_id: 1e3 * row.ttft_s for row in chips if row.timing == timing}
        for timing in ("ideal", "calibrated")
    }
    quickest = min((c for c in waits["calibrated"] if is_tpu(c) == tpu), key=waits["calibrated"].get)
    return {
        **costs,
        "best": best,
        "first_token_ms": estimate(quickest, "served dense", waits["calibrated"], waits["ideal"]),
    }


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(t))
    rows = [
        {"phase": phase["phase"], "chip": row["chip"], "usd": row["value"], **row}
        for phase in data["phases"].values()
        for row in (phase["first"], phase["other"])
    ]
    charts.bars(figure, rows, y="chip", x="usd", group="phase", interval=("low", "high"))


def name_setting(t) -> str:
    return t(
        zh="Llama 3 70B，bf16，目录价，校准值与90%区间",
        en="Llama 3 70B, bf16, list prices, calibrated, 90% intervals",
    )


def describe(data, t) -> str:
    phases = [name_costs(t(**SHORT[phase]), row, t) for phase, row in data["phases"].items()]
    return t(
        zh=f"{name_setting(t)}。一百万词元的美元数：{'；'.join(phases)}。",
        en=f"{name_setting(t)}. USD per million tokens: {'; '.join(phases)}.",
    )


def name_costs(phase: str, row, t) -> str:
    costs = [f"{row[which]['name']} {t.interval(row[which], 2)}" for which in ("first", "other")]
    return t(zh=f"{phase}{'，'.join(costs)}", en=f"{phase} {', '.join(costs)}")


def table(data, t):
    """Three rows to a phase, whose name stands at the first."""
    rows = [
        {
            "phase": phase["phase"] if how == "ideal" else "",
            "how": how,
            "on": phase[how]["name"].replace(" ", "\N{NO-BREAK SPACE}"),
            "cost": phase[how]["usd" if how == "ideal" else "value"],
            "interval": None if how == "ideal" else name_ends(phase[how], t),
        }
        for phase in data["phases"].values()
        for how in LOOKED_AT
    ]
    return make_table(TABLE, rows, t)


def name_ends(row, t) -> str:
    return join_range(*(t.number(row[end], 2) for end in ("low", "high")))

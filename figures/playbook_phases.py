"""The playbook of phases: on which chip a million tokens of each phase cost least, and by how much."""

from itertools import product

from diglot.figures import chip, make_table
from diglot.hardware import compare_chips, find_spread
from diglot.hardware.claims.of_costs import TRAINED_TOKENS
from diglot.hardware.claims.tables import LIFE_TOKENS

TITLE = {"zh": "每个阶段放在哪里最省", "en": "Where each phase costs least"}
MESSAGE = {
    "zh": "训练、预填充、解码，校准后都是{best_name}最省，其中{tied_count}个阶段GPU的区间与它重叠",
    "en": "Calibrated, training, prefill and decode all cost least on the {best_name}; in {tied_count} of "
    "the three the interval of the best GPU overlaps",
}
PHASES = {
    "training": {"zh": "训练，256个芯片", "en": "Training, 256 chips"},
    "prefill": {"zh": "预填充，8,192词元的提示", "en": "Prefill, prompts of 8,192 tokens"},
    "decode": {"zh": "解码，每词元50 ms以内", "en": "Decode, within 50 ms a token"},
}
SUBJECTS = {"training": "trained dense", "prefill": "served dense", "decode": "served dense"}
PIPELINE_GAIN = (1.6, 2.0)
"""What claim 43 says that each stage on its best unit gains in latency."""
COLUMNS = {
    "phase": {"zh": "阶段", "en": "Phase", "names": PHASES},
    "ideal": {"zh": "屋顶线下最省", "en": "Least at the roofline"},
    "first": {"zh": "校准后最省", "en": "Calibrated"},
    "other": {"zh": "另一家最省的", "en": "Least of the other family"},
    "ratio": {"zh": "后者是前者的", "en": "Ratio", "unit": "×", "digits": 2},
}


def compute() -> dict:
    chips = compare_chips()
    phases = {phase: compare_phase(phase, chips) for phase in PHASES}
    return {
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
        "ideal": {"name": chip(least).label, "usd": ideal[least]},
        "first": estimate(order[0], SUBJECTS[phase], costs, ideal),
        "other": estimate(other, SUBJECTS[phase], costs, ideal),
        "ratio": costs[other] / costs[order[0]],
    }


def is_tpu(chip_id) -> bool:
    return chip_id.startswith("tpu")


def estimate(chip_id, subject, calibrated, ideal) -> dict:
    bracket = find_spread(subject, chip_id).bracket(calibrated[chip_id], least=ideal[chip_id])
    interval = {"value": bracket.value, "low": bracket.low, "high": bracket.high, "basis": bracket.basis}
    return {"name": chip(chip_id).label, "tpu": is_tpu(chip_id), **interval}


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


def table(data, t):
    usd = t(zh="美元", en="USD")
    rows = [
        {
            "phase": row["phase"],
            "ideal": f"{row['ideal']['name']}, {t.number(row['ideal']['usd'], 2)} {usd}",
            **{key: f"{row[key]['name']}, {t.interval(row[key], 2)} {usd}" for key in ("first", "other")},
            "ratio": row["ratio"],
        }
        for row in data["phases"].values()
    ]
    return make_table(tuple(COLUMNS), rows, t)

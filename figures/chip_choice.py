"""Which chip serves a model at the least cost, by users and limit: the best plan on each kind of chip.

Plans in 8 bits, up to 16 chips, calibrated. One plan for each chip, model and number of users holds the
answers to every limit: the points on its front are the cheapest within each. A price does not change their
order, as all chips of a plan are of one kind.
"""

from typing import Literal

from diglot.figures import charts, chip, make_table, sweep
from diglot.hardware import (
    SearchSpace,
    ServiceLevel,
    Workload,
    bytes_per_element,
    choose_price,
    compare_price,
    load_catalogue,
    load_model,
    load_spreads,
    plan,
)
from diglot.hardware.chips.spreads import name_maker

CHIPS = ("h100-sxm", "h200-sxm", "b200-sxm", "mi300x", "tpu-v5e", "tpu-v5p", "tpu-v6e")
PRECISION = {chip_id: "int8" if chip_id.startswith("tpu") else "fp8" for chip_id in CHIPS}
MODELS = ("llama-3-70b", "deepseek-v3")
USERS = (8, 64, 256)
LIMITS_MS = (30, 60)
PROMPT_TOKENS, ANSWER_TOKENS, FIRST_TOKEN_S = 1024, 512, 1
MOST_CHIPS = 16
SPACE = {
    "tensor_counts": (1, 2, 4, 8),
    "pipeline_counts": (1,),
    "expert_counts": (1, 8, 16),
    "sequences_per_doubling_count": 2,
    "chunk_counts_tokens": (2048,),
}

TITLE = {"zh": "选一种芯片", "en": "Choose a chip"}
MESSAGE = {
    "zh": "{model_name}，{users}人同时用，每词元不超过{limit_ms} ms：{first.name}最省，"
    "一百万输出词元{first.usd | interval(2)}美元；{tied_count}种的区间与它重叠",
    "en": "{model_name} for {users} users within {limit_ms} ms a token: the {first.name} costs least, "
    "{first.usd | interval(2)} USD per million output tokens; the intervals of {tied_count} others overlap",
}
LABELS = {
    "model": {"zh": "模型", "en": "Model"},
    "model=llama-3-70b": {"zh": "Llama 3 70B", "en": "Llama 3 70B"},
    "model=deepseek-v3": {"zh": "DeepSeek-V3", "en": "DeepSeek-V3"},
    "users": {"zh": "同时使用的人数", "en": "Users at once"},
    "limit_ms": {"zh": "每词元至多（ms）", "en": "Per token at most, ms"},
}
WITH_INTERVALS = 3
"""Chips of which the description gives the interval, too; the table has all."""
DOLLARS = {"unit": "USD per million tokens", "digits": 2}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "usd": {
        "zh": "输出成本，校准值与90%区间",
        "en": "Cost of output, calibrated, with its 90% interval",
        **DOLLARS,
    },
    "low": {"zh": "区间下端", "en": "low end", **DOLLARS},
    "high": {"zh": "区间上端", "en": "high end", **DOLLARS},
    "interval": {"zh": "输出成本（90%区间）", "en": "Cost of output (90% interval)", "unit": DOLLARS["unit"]},
    "price": {"zh": "单价", "en": "Price of a chip", "unit": "USD/h", "digits": 2},
    "ties_at": {
        "zh": "单价降到多少与最省的持平",
        "en": "Price at which it ties",
        "unit": "USD/h",
        "digits": 2,
    },
    "layout": {"zh": "怎么摆，或为什么不行", "en": "Layout, or why not"},
}
REASONS = {
    "memory": {"zh": "装不下权重与缓存", "en": "weights and caches do not fit"},
    "chips": {"zh": "要的芯片太多", "en": "needs more chips"},
    "tpot": {"zh": "词元来不及", "en": "tokens come too late"},
}


def compute(
    model: Literal["llama-3-70b", "deepseek-v3"] = "llama-3-70b",
    users: Literal[8, 64, 256] = 64,
    limit_ms: Literal[30, 60] = 60,
) -> dict:
    field = plan_all()
    rows, refused = rank(field[model, users], limit_ms)
    return {
        "model": model,
        "model_name": load_model(model).name,
        "users": users,
        "limit_ms": limit_ms,
        "rows": rows,
        "refused": refused,
        "first": rows[0],
        "last": rows[-1],
        "tied_count": count_tied(rows),
        "cases": describe_cases(field),
        "setting": {
            "prompt": PROMPT_TOKENS,
            "answer": ANSWER_TOKENS,
            "first_token_s": FIRST_TOKEN_S,
            "most_chips": MOST_CHIPS,
            "kinds_count": len(CHIPS),
            "bits": round(8 * bytes_per_element(PRECISION[CHIPS[0]])),
            "mi300x": describe_evidence("mi300x"),
        },
    }


def describe_evidence(chip_id: str) -> dict:
    """Measurements of served dense models behind the interval of a maker's chips."""
    maker = name_maker(load_catalogue()[chip_id])
    fit = next(fit for fit in load_spreads() if (fit.subject, fit.maker) == ("served dense", maker))
    return {"spread": fit.ratio, "spread_rows": fit.rows_count}


def plan_all() -> dict:
    """By model and users, and by chip, what `find_front` gives."""
    fronts = sweep(find_front, {"model": MODELS, "users": USERS, "chip_id": CHIPS})
    return {
        (model, users): {
            chip_id: {key: answers[m, u, c] for key, answers in fronts.items()}
            for c, chip_id in enumerate(CHIPS)
        }
        for m, model in enumerate(MODELS)
        for u, users in enumerate(USERS)
    }


def find_front(model: str, users: int, chip_id: str) -> dict:
    """The cheapest plan of one chip within each limit, in chip seconds; and why there is none."""
    space = SearchSpace(
        chips_limit_count=MOST_CHIPS, users_count=users, precisions=(PRECISION[chip_id],), **SPACE
    )
    planned = plan(
        model,
        [chip_id],
        Workload(prompt_tokens=PROMPT_TOKENS, output_tokens=ANSWER_TOKENS),
        ServiceLevel(ttft_s=FIRST_TOKEN_S, tpot_s=max(LIMITS_MS) / 1e3),
        space=space,
    )
    lost = {loss.reason: loss.candidates_count for loss in planned.losses}
    possible = [reason for reason in ("tpot", "chips", "memory") if lost.get(reason)]
    return {
        "points": [
            {
                "tpot_s": point.tpot_s,
                "chip_s": 1e6 / point.output_tokens_per_chip_s,
                "layout": name_layout(point),
                "chips_count": point.chips_count,
                "ratio": point.spread.ratio,
                "basis": point.spread.basis,
            }
            for point in planned.points
        ],
        "reason": possible[0] if possible else None,
        "candidates_count": planned.candidates_count,
    }


def name_layout(point) -> dict:
    decode = point.pool.layout.chips_count
    if point.prefill_pool is None:
        return {"zh": f"{decode}个", "en": f"{decode}"}
    prefill = point.prefill_pool.layout.chips_count
    return {"zh": f"预填充{prefill}个，解码{decode}个", "en": f"{prefill} prefill, {decode} decode"}


def rank(fronts, limit_ms, prices="list") -> tuple[list[dict], list[dict]]:
    """Rows by cost, and the chips without any, with the reason."""
    rows, refused = [], []
    for chip_id, front in fronts.items():
        within = [point for point in front["points"] if point["tpot_s"] <= limit_ms / 1e3]
        if not within:
            refused.append({"chip": chip_id, "reason": "tpot" if front["points"] else front["reason"]})
            continue
        best = min(within, key=lambda point: point["chip_s"])
        usd_per_hour = find_usd_per_hour(chip_id, prices)
        usd = best["chip_s"] * usd_per_hour / 3600
        low, high = usd / best["ratio"], usd * best["ratio"]
        rows.append(
            {
                **best,
                "chip": chip_id,
                "name": chip(chip_id).label,
                "price": usd_per_hour,
                "usd": {"value": usd, "low": low, "high": high, "basis": best["basis"]},
            }
        )
    rows.sort(key=lambda row: row["usd"]["value"])
    for row in rows:
        row["ties_at"] = row["price"] * rows[0]["usd"]["value"] / row["usd"]["value"]
    return rows, refused


def find_usd_per_hour(chip_id, prices) -> float:
    priced = load_catalogue()[chip_id]
    if prices == "list":
        return 3600 * compare_price(priced).usd_per_chip_s
    kinds = {price.kind for price in priced.prices}
    return 3600 * min(choose_price(priced, kind=kind).usd_per_chip_s for kind in kinds)


def count_tied(rows) -> int:
    return sum(row["usd"]["low"] < rows[0]["usd"]["high"] for row in rows[1:])


def describe_cases(field) -> dict:
    """Over all questions: how often the first is alone, who is first, and what users do to a cost."""
    ranked = {
        prices: [rank(fronts, limit, prices)[0] for fronts in field.values() for limit in LIMITS_MS]
        for prices in ("list", "lowest")
    }
    firsts = [rows[0]["chip"] for rows in ranked["list"]]
    cheap = [rows[0]["chip"] for rows in ranked["lowest"]]
    few, many = (rank(field["llama-3-70b", users], max(LIMITS_MS))[0] for users in (USERS[0], USERS[-1]))
    of = {row["chip"]: row["usd"]["value"] for row in many}
    shrinks = [row["usd"]["value"] / of[row["chip"]] for row in few if row["chip"] in of]
    refused = [rank(fronts, limit)[1] for fronts in field.values() for limit in LIMITS_MS]
    return {
        "count": len(firsts),
        "clear_count": sum(count_tied(rows) == 0 for rows in ranked["list"]),
        "firsts_count": len(set(firsts)),
        "gpu_firsts": sum(not chip_id.startswith("tpu") for chip_id in firsts),
        "amd_firsts": firsts.count("mi300x"),
        "tpu_firsts": sum(chip_id.startswith("tpu") for chip_id in firsts),
        "lowest_clear_count": sum(count_tied(rows) == 0 for rows in ranked["lowest"]),
        "changed_count": sum(a != b for a, b in zip(firsts, cheap, strict=True)),
        "apart": max(rows[1]["usd"]["value"] / rows[0]["usd"]["value"] for rows in ranked["list"]),
        "refused_count": sum(map(len, refused)),
        "answers_count": len(firsts) * len(CHIPS),
        "shrinks": {"least": min(shrinks), "most": max(shrinks)},
    }


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    rows = [{"chip": row["chip"], **row["usd"], "usd": row["usd"]["value"]} for row in data["rows"]]
    charts.bars(figure, rows, y="chip", x="usd", interval=("low", "high"), x_domain={"usd": (0, 4)})


def name_setting(data, t) -> str:
    return t(
        zh=f"{data['model_name']}，{data['users']}人，每词元不超过{data['limit_ms']} ms，目录价",
        en=f"{data['model_name']}, {data['users']} users, at most {data['limit_ms']} ms a token, list prices",
    )


def describe(data, t) -> str:
    leading = [f"{row['name']} {t.interval(row['usd'], 2)}" for row in data["rows"][:WITH_INTERVALS]]
    others = [f"{row['name']} {t.number(row['usd']['value'], 2)}" for row in data["rows"][WITH_INTERVALS:]]
    costs = [*leading, *others]
    return t(
        zh=f"{name_setting(data, t)}。一百万输出词元的美元数：{'；'.join(costs)}。",
        en=f"{name_setting(data, t)}. USD per million output tokens: {'; '.join(costs)}.",
    )


def table(data, t):
    """The ranked first; then those that cannot do it, with the reason in place of a layout."""
    ranked = [{**row, "interval": t.interval(row["usd"], 2)} for row in data["rows"]]
    columns = ("chip", "interval", "price", "ties_at", "layout")
    refused = [
        {**dict.fromkeys(columns), "chip": row["chip"], "layout": REASONS[row["reason"]]}
        for row in data["refused"]
    ]
    return make_table(columns, [*ranked, *refused], t)

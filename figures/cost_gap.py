"""Two public measurements of one service, six times apart, and what a token costs by the number of users."""

import numpy as np

from diglot.figures import charts, make_table, rows_of
from diglot.hardware import (
    Layout,
    Workload,
    choose_price,
    deploy,
    estimate_prefill,
    find_spread,
    load_catalogue,
    load_model,
    serve_continuously,
)

CHIP_ID, CHIPS = "tpu-v6e", 8
MODEL = load_model("llama-3-70b")
WORKLOAD = Workload(prompt_tokens=1000, output_tokens=1000)
USD_PER_CHIP_HOUR = 2.7
USERS = (8, 12, 16, 19, 32, 48, 64, 96, 128)
FEW = 19
"""Users whom the first of the two measurements implies, in whole ones."""
# Artificial Analysis, hardware benchmarking, Llama 3.3 70B by vLLM on v6e at 2.70 USD an hour and chip, where
# each user gets 30 tokens/s: https://artificialanalysis.ai/benchmarks/hardware, November 2025.
ANALYSED = {"usd_per_million": 5.13, "h100_usd_per_million": 1.06, "tokens_per_s_of_each": 30}
# Google, tpu-recipes, vLLM on Trillium, Llama 3.x 70B, 1,000 tokens in and out, 128 users: output of all, and
# median time per token. https://github.com/AI-Hypercomputer/tpu-recipes, as of August 2026.
RECIPE = {"users": 128, "tokens_per_s": 3544.46, "tpot_s": 0.03543}

TITLE = {"zh": "同样的芯片，相差六倍的成本", "en": "One service, six times apart"}
MESSAGE = {
    "zh": "8个TPU v6e上的Llama 3.3 70B，实测每百万词元：约{few.users}人分摊时"
    "{analysed.usd_per_million | number(2)}美元，{recipe.users}人分摊时"
    "{recipe.usd_per_million | number(2)}美元",
    "en": "Llama 3.3 70B on 8 TPU v6e: a million tokens were measured to cost "
    "{analysed.usd_per_million | number(2)} USD where about {few.users} users share the chips, "
    "{recipe.usd_per_million | number(2)} USD where {recipe.users} do",
}
COLUMNS = {
    "users": {"zh": "同时使用的人数", "en": "Concurrent users"},
    "usd": {
        "zh": "输入加输出的成本",
        "en": "Cost, in and out",
        "unit": "USD per million tokens",
        "digits": 2,
    },
    "low": {"zh": "90%区间，低", "en": "90% interval, low", "digits": 2},
    "high": {"zh": "高", "en": "high", "digits": 2},
}


def compute() -> dict:
    slice_ = deploy(
        MODEL,
        load_catalogue()[CHIP_ID],
        layout=Layout(tensor_count=CHIPS),
        reserved_fraction=0.1,
        timing="calibrated",
    )
    served = serve_continuously(slice_, WORKLOAD, np.array(USERS))
    usd = find_usd(np.asarray(served.output_tokens_per_chip_s) * CHIPS)
    estimate = slice_.spread.bracket(usd)
    rows = rows_of({"users": np.array(USERS), "usd": usd, "low": estimate.low, "high": estimate.high})
    rates = dict(zip(USERS, (1 / np.asarray(served.tpot_s)).tolist(), strict=True))
    few, many = (tell_users(slice_, usd, rates, count) for count in (FEW, RECIPE["users"]))
    return {
        "model": "Llama 3.3 70B",
        "chips": CHIPS,
        "usd_per_chip_hour": USD_PER_CHIP_HOUR,
        "rows": rows,
        "analysed": analyse(),
        "recipe": tell_recipe(),
        "ratio": ANALYSED["usd_per_million"] / tell_recipe()["usd_per_million"],
        "users_ratio": RECIPE["users"] / analyse()["users"],
        "few": few,
        "many": many,
        # What of the gap is the number of users, and what is left: a service that is slower than the model.
        "sharing": few["usd"].value / many["usd"].value,
        "slower": ANALYSED["usd_per_million"] / few["usd"].value,
        "spot": tell_spot(),
        "planned_ratio": find_spread("served cost", CHIP_ID).ratio,
        "read": split_cost(slice_, few["usd"].value, many["usd"].value),
        "recipe_slower": tell_recipe()["usd_per_million"] / many["usd"].value,
    }


def find_usd(output_tokens_per_s):
    """Dollars for a million tokens, those read and those written counted alike."""
    every = output_tokens_per_s * (1 + WORKLOAD.prompt_tokens / WORKLOAD.output_tokens)
    return 1e6 * CHIPS * USD_PER_CHIP_HOUR / 3600 / every


def analyse() -> dict:
    """The users that the price and the speed of each imply."""
    output = 1e6 * CHIPS * USD_PER_CHIP_HOUR / 3600 / ANALYSED["usd_per_million"] / 2
    return {**ANALYSED, "users": output / ANALYSED["tokens_per_s_of_each"]}


def tell_recipe() -> dict:
    each = 1 / RECIPE["tpot_s"]
    return {**RECIPE, "usd_per_million": find_usd(RECIPE["tokens_per_s"]), "tokens_per_s_of_each": each}


def split_cost(slice_, few_usd: float, many_usd: float) -> dict:
    """Dollars for a million tokens read, if nothing else is done, and what is left for those written."""
    prompt = WORKLOAD.prompt_tokens
    time_s = float(np.asarray(estimate_prefill(slice_, prompt).time_s))
    usd = 1e6 * CHIPS * USD_PER_CHIP_HOUR / 3600 * time_s / prompt
    written = {"few": 2 * few_usd - usd, "many": 2 * many_usd - usd}
    return {
        "usd": slice_.spread.bracket(usd),
        "written": written,
        "ratio": {name: each / usd for name, each in written.items()},
    }


def tell_spot() -> dict:
    """Both measurements at the price of spot capacity, and the dearest of all over the cheapest."""
    spot = 3600 * choose_price(CHIP_ID, kind="spot").usd_per_chip_s
    analysed, recipe = ANALYSED["usd_per_million"], tell_recipe()["usd_per_million"]
    return {
        "usd_per_chip_hour": spot,
        "analysed_usd": analysed * spot / USD_PER_CHIP_HOUR,
        "recipe_usd": recipe * spot / USD_PER_CHIP_HOUR,
        "range": analysed / (recipe * spot / USD_PER_CHIP_HOUR),
    }


def tell_users(slice_, usd, rates: dict, users: int) -> dict:
    """Cost and speed of each at a number of users, calibrated."""
    each = slice_.spread.bracket(rates[users])
    return {
        "users": users,
        "usd": slice_.spread.bracket(float(usd[USERS.index(users)])),
        "tokens_per_s": each,
    }


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    chart = charts.frame(
        figure, x="users", y="usd", x_scale="log2", x_domain=(8, 160), y_scale="log2", y_domain=(0.25, 16)
    )
    chart.lines(data["rows"], name=False, color="ink", interval=("low", "high"))
    line = data["rows"][USERS.index(48)]
    chart.annotate((line["users"], line["usd"]), t(zh="校准值", en="calibrated"), prefer="below")
    for name, words in (
        ("analysed", "Artificial Analysis"),
        ("recipe", t(zh="谷歌的教程", en="Google’s recipe")),
    ):
        point = data[name]
        mark = {"users": point["users"], "usd": point["usd_per_million"]}
        chart.points([mark], measured=True, name=False, color="net")
        usd = t.number(point["usd_per_million"], 2)
        chart.annotate((mark["users"], mark["usd"]), f"{words} {usd}", prefer="above")


def name_setting(data, t) -> str:
    usd = t.number(data["usd_per_chip_hour"], 2)
    return t(
        zh=f"{data['model']}，bf16，{data['chips']}个TPU v6e，每芯片每小时{usd}美元",
        en=f"{data['model']} in bf16 on {data['chips']} TPU v6e, {usd} USD per chip and hour",
    )


def describe(data, t) -> str:
    n, few, many = t.number, data["analysed"], data["recipe"]
    costs = [n(each["usd_per_million"], 2) for each in (few, many)]
    return t(
        zh=f"{name_setting(data, t)}。每百万词元（输入加输出）实测{costs[0]}美元，"
        f"约{data['few']['users']}个用户；"
        f"另一次实测{costs[1]}美元，{many['users']}个用户。",
        en=f"{name_setting(data, t)}. A million tokens, in and out, were measured at {costs[0]} USD with "
        f"about {data['few']['users']} users, and at {costs[1]} USD with {many['users']}.",
    )


def table(data, t):
    return make_table(("users", "usd", "low", "high"), data["rows"], t)

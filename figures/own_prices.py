"""A reader's own prices: what a million tokens cost on three chips, and where two of them tie."""

from functools import cache

from chip_choice import USERS, find_front, find_usd_per_hour

from diglot.figures import Answer, Column, Field, Form, make_table

CHIPS = {"h200": "h200-sxm", "mi300x": "mi300x", "v6e": "tpu-v6e"}
NAMES = {"h200": "H200", "mi300x": "MI300X", "v6e": "TPU v6e"}
LIST = {"h200": 791, "mi300x": 600, "v6e": 270}
LOWEST = {"h200": 454, "mi300x": 171, "v6e": 54}
CENTS = sorted({25, 100, 2000, *LIST.values(), *LOWEST.values()})
PRESETS = {
    "list": ({"zh": "目录价", "en": "list prices"}, LIST),
    "lowest": ({"zh": "公开的最低价，含竞价实例", "en": "lowest published, spot included"}, LOWEST),
}

TITLE = {"zh": "自己的价格", "en": "Prices of your own"}
MESSAGE = {
    "zh": "Llama 3 70B，{users}人：v6e每小时{v6e.usd_per_hour | number(2)}美元时，"
    "H200要降到{tie_usd | number(2)}美元才与它持平",
    "en": "Llama 3 70B for {users} users: next to a v6e at {v6e.usd_per_hour | number(2)} USD an hour, "
    "an H200 has to cost {tie_usd | number(2)}",
}
FORM = Form(
    fields={
        f"{key}_cents": Field(CENTS, {"zh": f"{name}，美元/h", "en": f"{name}, USD/h"}, digits=2)
        for key, name in NAMES.items()
    },
    answers={
        **{
            f"{key}_usd": Answer(
                label={"zh": f"{name}，每百万词元美元", "en": f"{name}, USD per million tokens"},
                digits=2,
                chip=CHIPS[key],
                between="linear",
            )
            for key, name in NAMES.items()
        },
        "tie_usd": Answer(
            label={"zh": "H200持平v6e的单价，美元/小时", "en": "H200 ties the v6e at, USD an hour"},
            digits=2,
            between="linear",
        ),
    },
    presets=[(name, {f"{key}_cents": cents for key, cents in of.items()}) for name, of in PRESETS.values()],
)


def compute() -> dict:
    listed = {key: round(100 * find_usd_per_hour(chip_id, "list")) for key, chip_id in CHIPS.items()}
    if listed != LIST:
        raise ValueError(f"LIST has other prices than the catalogue: {listed}")
    rows = {key: {"usd_per_hour": LIST[key] / 100, **find_cheapest(CHIPS[key])} for key in CHIPS}
    return {
        **rows,
        "users": USERS[1],
        "tie_usd": float(answer(**{f"{key}_cents": cents for key, cents in LIST.items()})["tie_usd"]),
    }


@cache
def find_cheapest(chip_id) -> dict:
    points = find_front("llama-3-70b", USERS[1], chip_id)["points"]
    return min(points, key=lambda point: point["chip_s"])


def answer(h200_cents, mi300x_cents, v6e_cents) -> dict:
    """Dollars per million tokens, and the price of an H200 that makes it cost what a v6e does."""
    cents = {"h200": h200_cents, "mi300x": mi300x_cents, "v6e": v6e_cents}
    chip_s = {key: find_cheapest(chip_id)["chip_s"] for key, chip_id in CHIPS.items()}
    costs = {f"{key}_usd": chip_s[key] * cents[key] / 360_000 for key in CHIPS}
    return {**costs, "tie_usd": v6e_cents / 100 * chip_s["v6e"] / chip_s["h200"]}


def table(data, t):
    price = Column(t(zh="目录价，美元/小时", en="List price, USD an hour"), "", 2)
    seconds = Column(t(zh="每百万词元的芯片秒", en="Chip seconds per million tokens"), "", 0)
    rows = [(NAMES[key], data[key]["usd_per_hour"], data[key]["chip_s"]) for key in CHIPS]
    return make_table((t(zh="芯片", en="Chip"), price, seconds), rows)

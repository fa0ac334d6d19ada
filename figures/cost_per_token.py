"""What a million tokens of Llama 3 70B cost on five chips, at a bound on latency."""

import re

import _llama_serving
from _llama_serving import SLICES, Format, Latency, find_best, name_setting, tell_setting, try_batches

from diglot.figures import charts, chip, make_table
from diglot.hardware import choose_price, load_catalogue, price_tokens

TITLE = {"zh": "每百万词元的成本", "en": "Cost of a million tokens"}
MESSAGE = {
    "zh": "{model}（{dtype}）每词元不超过{latency_ms} ms时，每百万输出词元在{cheapest}上至少"
    "{least_usd | number(2)}美元，在{dearest}上{most_usd | number(2)}美元",
    "en": "With at most {latency_ms} ms a token, a million tokens of {model} in {dtype} cost at least "
    "{least_usd | number(2)} USD, on {cheapest}; {most_usd | number(2)} USD on {dearest}",
}
LABELS = _llama_serving.LABELS
CENTS = {"digits": 2}
COLUMNS = {
    **_llama_serving.BATCH_COLUMNS,
    "usd_per_million": {"zh": "输出成本", "en": "Cost of output", "unit": "USD per million tokens", **CENTS},
    "price": {"zh": "目录价", "en": "List price"},
    "usd_per_hour": {"zh": "芯片单价", "en": "Price of a chip", "unit": "USD/h", **CENTS},
    "region": {"zh": "地区", "en": "Region"},
    "date": {"zh": "日期", "en": "Date"},
}
REGION = "us"


def compute(latency_ms: Latency = 20, dtype: Format = "bf16") -> dict:
    """Chips are paid whether busy or not, and always busy here; each token out is paid with one in."""
    rows = [price(chip_id, latency_ms, dtype) for chip_id in SLICES]
    ordered = sorted(rows, key=lambda row: row["usd_per_million"])
    return {
        **tell_setting(dtype),
        "latency_ms": latency_ms,
        "rows": rows,
        "cheapest": chip(ordered[0]["chip"]).label,
        "least_usd": ordered[0]["usd_per_million"],
        "dearest": chip(ordered[-1]["chip"]).label,
        "most_usd": ordered[-1]["usd_per_million"],
    }


def price(chip_id: str, latency_ms: int, dtype: str) -> dict:
    best = find_best(try_batches(chip_id, dtype), latency_ms)
    cost = price_tokens(best["tokens"], price=choose_price(load_catalogue()[chip_id], region=REGION))
    name = re.split(r" \(|,", cost.price.region)[0]
    return {
        **best,
        "usd_per_million": cost.usd_per_million_tokens,
        "usd_per_hour": cost.price.usd_per_chip_s * 3600,
        "region": name.upper() if name == REGION else name,  # `us-east-1`, or `US` if the source says no more
        "date": cost.price.date,
    }


def draw(figure, data, t) -> None:
    charts.heading(figure, name_task(data, t))
    usd, comma = t(zh="美元", en="USD"), t(zh="，", en=", ")
    rows = [
        {**row, "price": comma.join((f"{row['usd_per_hour']:.2f} {usd}/h", row["region"], row["date"]))}
        for row in data["rows"]
    ]
    charts.bars(figure, rows, y="chip", x="usd_per_million", detail="price")


def name_task(data, t) -> str:
    latency = t(zh=f"每词元不超过{data['latency_ms']} ms", en=f"at most {data['latency_ms']} ms a token")
    return t(zh="，", en=", ").join((name_setting(data, t), latency))


def describe(data, t) -> str:
    costs = [f"{chip(row['chip']).label} {t.number(row['usd_per_million'], 2)}" for row in data["rows"]]
    return t(
        zh=f"{name_task(data, t)}，屋顶线下界。每百万输出词元（连同等量输入）的美元数，按美国目录价："
        f"{'、'.join(costs)}。",
        en=f"{name_task(data, t)}, at the rooflines. USD for a million tokens out and as many in, at US list "
        f"prices: {', '.join(costs)}.",
    )


def table(data, t):
    columns = ("chip", "usd_per_hour", "region", "date", "chips", "batch", "tokens", "usd_per_million")
    return make_table(columns, data["rows"], t)

"""What an hour of work costs on a bought H100, by how many of its hours it works, next to rents."""

from typing import Literal

from diglot.figures import charts, make_table
from diglot.hardware import Ownership, choose_price, find_facility_power_w, find_rent_or_buy_s, load_catalogue
from diglot.hardware.economics.ownership import YEAR_S

CHIP_ID = "h100-sxm"
HOST_W, PUE = 200, 1.3
USD_PER_KWH, FIXED_USD_PER_HOUR = 0.08, 0.1
INTEREST, RESALE, FIRST_LOSS = 0.08, 0.1, 0.2
SHARES = tuple(step / 50 for step in range(3, 51))

TITLE = {"zh": "租还是买", "en": "Rent or buy"}
MESSAGE = {
    "zh": "H100连同主机{purchase_usd | number}美元、用{years}年：忙的时间超过{even.list | percent}，"
    "就比目录价租用便宜；按市场价租，要超过{even.market | percent}",
    "en": "An H100 that costs {purchase_usd | number} USD with its host and lives {years} years is cheaper "
    "than the list rent if busy for more than {even.list | percent} of its hours, and than the market’s if "
    "busy for more than {even.market | percent}",
}
LABELS = {
    "purchase_usd": {"zh": "买一个要多少美元", "en": "Price of one, USD"},
    "years": {"zh": "用几年", "en": "Years of life"},
}
HOURLY = {"unit": "USD/h", "digits": 2}
COLUMNS = {
    "share": {"zh": "忙的时间", "en": "Hours at work", "unit": "share", "digits": 0},
    "usd": {"zh": "干一小时活的成本", "en": "Cost of an hour of work", **HOURLY},
}


def compute(purchase_usd: Literal[30000, 40000, 50000] = 40000, years: Literal[3, 5] = 5) -> dict:
    """With interest, resale, electricity, building and staff at stated assumptions; rent only while busy."""
    chip = load_catalogue()[CHIP_ID]
    watts = float(find_facility_power_w(chip.tdp_w, host_w_per_chip=HOST_W, pue_ratio=PUE))
    owned = Ownership(
        purchase_usd=purchase_usd,
        life_s=years * YEAR_S,
        annual_interest_fraction=INTEREST,
        resale_fraction=RESALE,
        first_loss_fraction=FIRST_LOSS,
        power_w=watts,
        usd_per_j=USD_PER_KWH / 3.6e6,
        fixed_usd_per_s=FIXED_USD_PER_HOUR / 3600,
    )
    price = choose_price(chip, region="us")
    market = choose_price(chip, kind="market")
    rents = {"list": 3600 * price.usd_per_chip_s, "market": 3600 * market.usd_per_chip_s}
    always = 3600 * (owned.capital_usd_per_s + owned.fixed_usd_per_s)
    energy = 3600 * owned.power_w * owned.usd_per_j
    return {
        "purchase_usd": purchase_usd,
        "years": years,
        "rows": [{"share": share, "usd": 3600 * owned.find_busy_usd_per_s(share)} for share in SHARES],
        "rents": rents,
        "date": price.date,
        "market": {"region": market.region.split(",")[0], "date": market.date},
        # Paid for always, over what rent costs beyond electricity.
        "even": {name: always / (rent - energy) for name, rent in rents.items()},
        "full_usd": always + energy,
        "capital_usd": 3600 * owned.capital_usd_per_s,
        "energy_usd": energy,
        "energy_fraction": energy / (always + energy),
        "days": {
            name: find_rent_or_buy_s(owned, rent_usd_per_chip_s=rent / 3600) / 86400
            for name, rent in rents.items()
        },
        "assumed": {
            "interest": INTEREST,
            "resale": RESALE,
            "first_loss": FIRST_LOSS,
            "usd_per_kwh": USD_PER_KWH,
            "fixed_usd_per_hour": FIXED_USD_PER_HOUR,
            "host_w": HOST_W,
            "pue": PUE,
        },
    }


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    chart = charts.frame(figure, x="share", y="usd", x_domain=(0, 1), y_domain=(0, 14))
    chart.lines(
        [row for row in data["rows"] if row["usd"] <= 14], name=t(zh="自己的", en="owned"), color="ink"
    )
    names = {
        "list": t(zh="按目录价租", en="rented at list price"),
        "market": t(zh="按市场价租", en="rented on the market"),
    }
    for name, rent in data["rents"].items():
        chart.rule(y=rent, text=names[name])
    even = [
        {"share": data["even"][name], "usd": rent, "text": t.percent(data["even"][name])}
        for name, rent in data["rents"].items()
    ]
    chart.points(even, color="net", label="text", name=False)


def name_setting(data, t) -> str:
    usd = t.number(data["purchase_usd"])
    return t(
        zh=f"H100，连同主机与网络{usd}美元，用{data['years']}年",
        en=f"H100, {usd} USD with host and network, {data['years']} years of life",
    )


def describe(data, t) -> str:
    n, rents, even = t.number, data["rents"], data["even"]
    ends = [f"{n(rents[name], 2)} → {t.percent(even[name])}" for name in rents]
    return t(
        zh=f"{name_setting(data, t)}。一直在忙时每小时{n(data['full_usd'], 2)}美元。"
        f"每小时租金（美元）与从此该买的忙时比例：{'，'.join(ends)}。",
        en=f"{name_setting(data, t)}. Always busy, an hour costs {n(data['full_usd'], 2)} USD. Rent in USD "
        f"an hour, and the share of hours from which it pays to buy: {', '.join(ends)}.",
    )


def table(data, t):
    rows = [row for row in data["rows"] if round(50 * row["share"]) % 5 == 0]
    return make_table(("share", "usd"), rows, t)

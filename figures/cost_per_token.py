"""What a million tokens of Llama 3 70B cost on five chips, and the energy of one, at a bound on latency."""

import re
from typing import Literal

from _llama_serving import MODEL_ID
from _llama_sweep import SLICES, WORKLOAD, find_best, try_every_batch

from diglot.figures import Column, bar, bar_rows, chip, label, make_table, zero_line
from diglot.hardware import choose_price, find_energy_per_token_j, load_catalogue, load_models, price_tokens

TITLE = {"zh": "每百万词元的价格与每词元的能量", "en": "Cost of a million tokens, energy of one"}

REGION = "us"
ROW_PX = 42


def compute(latency_ms: Literal[20, 10, 40] = 20) -> dict:
    """Chips are paid whether busy or not, and always busy here; each token out is paid with one in."""
    catalogue = load_catalogue()
    rows = {}
    for key, (chip_id, slices) in SLICES.items():
        chip_ = catalogue[chip_id]
        best = find_best(try_every_batch(chip_id, slices), latency_ms)
        cost = price_tokens(best["tokens"], price=choose_price(chip_, region=REGION))
        rows[key] = {
            "id": chip_id,
            "name": chip_.short_name,
            "chips": best["chips"],
            "batch": best["batch"],
            "tokens_per_chip_s": best["tokens"],
            "usd_per_million": cost.usd_per_million_tokens,
            "usd_per_hour": cost.price.usd_per_chip_s * 3600,
            "region": name_region(cost.price),
            "date": cost.price.date,
            "power_w": chip_.tdp_w if chip_.has("tdp") else None,
            "joules": find_energy_per_token_j(best["tokens"], power_w=chip_.tdp_w)
            if chip_.has("tdp")
            else None,
        }
    return {
        "model": load_models()[MODEL_ID].model.name,
        "latency_ms": latency_ms,
        "prompt": WORKLOAD.prompt_tokens,
        "output": WORKLOAD.output_tokens,
        "chips": rows,
    }


def name_region(price) -> str:
    """`us-east-1`, or `US` where the source says no more."""
    name = re.split(r" \(|,", price.region)[0]
    return name.upper() if name == REGION else name


def draw(figure, data, t) -> None:
    rows = list(data["chips"].values())
    stacked = figure.is_narrow
    head, names, gap, foot = 34, 56, 30, 10
    body = ROW_PX * len(rows)
    figure.set_height_px((head + body + foot) * (2 if stacked else 1))
    room = figure.width_px - names
    widths = (room, room) if stacked else (0.62 * (room - gap), 0.38 * (room - gap))
    within = f"{data['latency_ms']} ms"
    headings = (
        t(zh=f"每词元{within}内的价格，USD每百万", en=f"Cost within {within} a token, USD per million"),
        t(zh="设计功耗下的能量，J每词元", en="Energy at design power, J per token"),
    )
    for number, field in enumerate(("usd_per_million", "joules")):
        left = names if stacked or number == 0 else names + widths[0] + gap
        top = number * (head + body + foot) if stacked else 0
        figure.text_px(left, top + 15, headings[number])
        axes = figure.axes_px(left, top + head, widths[number], body)
        if stacked or number == 0:
            for place, row in enumerate(rows):
                baseline = top + head + ROW_PX * place + 16 + 5
                figure.text_px(0, baseline, row["name"].removeprefix("TPU "))
        draw_panel(axes, rows, field, t)
        zero_line(axes)


def draw_panel(axes, rows, field, t) -> None:
    """Bars a little above the middle of their rows, with the price below."""
    bar_rows(axes, len(rows), max(row[field] for row in rows if row[field] is not None))
    lift = 16 / ROW_PX - 0.5
    for place, row in enumerate(rows):
        if row[field] is None:
            label(
                axes,
                0,
                place + 0.5 + lift,
                t(zh="功耗未知", en="power not known"),
                dx=6,
                color="mute",
                small=True,
            )
            continue
        look = chip(row["id"])
        bar(axes, place + lift, row[field], color=look.token, text=t.number(row[field], 2))
        if field == "joules":
            below = f"{t.number(row['power_w'])} W"
        else:
            price = f"{t.number(row['usd_per_hour'], 2)} USD/h"
            below = t(zh="，", en=", ").join((price, row["region"], row["date"]))
        label(axes, 0, place + 0.5 + lift, below, dx=5, dy=-18, color="mute", small=True)


def describe(data, t) -> str:
    n, rows = t.number, data["chips"].values()
    costs = [f"{row['name']} {n(row['usd_per_million'], 2)}" for row in rows]
    joules = [f"{row['name']} {n(row['joules'], 2)} J" for row in rows if row["joules"] is not None]
    within = str(data["latency_ms"])
    return t(
        zh=f"{data['model']}在屋顶线下界、每词元不超过{within} ms时，每百万输出词元（USD，美国目录价，"
        f"含等量输入）：{'、'.join(costs)}；设计功耗下每词元{t.join(joules)}。",
        en=f"{data['model']} at its rooflines with at most {within} ms a token: USD for a million tokens "
        f"out and as many in, at US list prices: {', '.join(costs)}. Energy of a token at design power: "
        f"{t.join(joules)}; the catalogue has no power of the TPUs.",
    )


def table(data, t):
    rows = data["chips"].values()
    return make_table(
        (
            t(zh="芯片", en="Chip"),
            Column(t(zh="价格", en="Price"), "USD/h", 2),
            t(zh="地区", en="Region"),
            t(zh="日期", en="Date"),
            Column(t(zh="芯片数", en="Chips")),
            Column(t(zh="批量", en="Batch")),
            Column(t(zh="每芯片产出", en="Output per chip"), t(zh="词元/s", en="tokens/s")),
            Column(t(zh="每百万词元", en="A million tokens"), "USD", 2),
            Column(t(zh="设计功耗", en="Design power"), "W"),
            Column(t(zh="每词元能量", en="Energy of a token"), "J", 2),
        ),
        [
            (
                row["name"],
                row["usd_per_hour"],
                row["region"],
                row["date"],
                row["chips"],
                row["batch"],
                row["tokens_per_chip_s"],
                row["usd_per_million"],
                row["power_w"],
                row["joules"],
            )
            for row in rows
        ],
        chips=[row["id"] for row in rows],
    )

"""Rows that each expert of a mixture gets, and what they fill: arrays, tiles, and the roofline."""

import math

import numpy as np

from diglot.figures import Column, chip, label, line, linear_axis, log_axis, make_table
from diglot.hardware import (
    ExpertLayer,
    Routing,
    count_expert_feed_forward,
    count_idle_experts,
    estimate_gpu_gemm,
    estimate_tpu_gemm,
    find_busiest_rows,
    find_row_distribution,
    find_thread_blocks,
    load_catalogue,
    load_model,
)

TITLE = {"zh": "专家分到的行数与矩阵单元的填充", "en": "Rows per expert and the fill of matrix units"}

CHIPS = {"h200": "h200-sxm", "v5p": "tpu-v5p", "v6e": "tpu-v6e"}
MODELS = {"mixtral": "mixtral-8x7b", "deepseek": "deepseek-v3"}
MEAN_ROWS = [2 ** (step / 16) for step in range(177)]  # 1 to 2,048
SKEW = 0.5
"""Zipf's exponent of the uneven routing: the first of 256 experts is then chosen by eight times the average.

An assumption that shows which way skew pulls; no exponent of a trained model is claimed.
"""
DRAWN = "deepseek"
"""The model whose experts the lines are."""


def compute() -> dict:
    catalogue = load_catalogue()
    chips = {key: catalogue[chip_id] for key, chip_id in CHIPS.items()}
    return {
        "rows": MEAN_ROWS,
        "skew": SKEW,
        "chips": {
            key: {
                "id": each.id,
                "name": each.short_name.removeprefix("TPU "),
                "ridge": each.ridge_flops_per_byte("bf16"),
            }
            for key, each in chips.items()
        },
        **{key: describe_model(load_model(model_id), chips) for key, model_id in MODELS.items()},
    }


def describe_model(model, chips) -> dict:
    """Fill and attainable share of each chip, by the mean rows of an expert."""
    experts = model.experts
    per_row = experts.routed_count / experts.active_count
    layer = ExpertLayer(
        width_elements=model.width_elements,
        inner_elements=experts.hidden_elements,
        experts_count=experts.routed_count,
        active_count=experts.active_count,
    )
    tokens = [max(1, round(mean * per_row)) for mean in MEAN_ROWS]
    found = {
        "name": model.name,
        "experts": experts.routed_count,
        "active": experts.active_count,
        "width": model.width_elements,
        "inner": experts.hidden_elements,
        "tokens_per_row": per_row,
        "tokens": tokens,
    }
    even, skewed = (
        Routing(experts_count=experts.routed_count, active_count=experts.active_count, skew=skew)
        for skew in (0.0, SKEW)
    )
    # A skewed draw has a share for each expert, and a band needs fewer points than a line.
    coarse = list(range(0, len(tokens), 4))
    for name, routing, places in (("even", even, range(len(tokens))), ("skewed", skewed, coarse)):
        counts = [tokens[place] for place in places]
        found[name] = {
            "rows": [MEAN_ROWS[place] for place in places],
            "idle": count_idle_experts(routing, counts),
            "busiest_rows": find_busiest_rows(routing, counts),
            **describe_chips(layer, counts, routing, chips),
        }
    for key in chips:
        found[key] = {
            "half_fill_tokens": find_first(tokens, found["even"][key]["fill_fraction"], 0.5),
            "half_peak_tokens": find_first(tokens, found["even"][key]["peak_fraction"], 0.5),
        }
    return found


def describe_chips(layer, tokens, routing, chips) -> dict:
    """Fill and attainable share of each chip at each number of tokens."""
    shares = [find_row_distribution(routing, count) for count in tokens]
    visited = layer.experts_count - np.array(count_idle_experts(routing, tokens))
    kernels = [
        count_expert_feed_forward(layer, count, visited_experts_count=each)
        for count, each in zip(tokens, visited, strict=True)
    ]
    rows = np.arange(1, max(each.size for each in shares))
    found = {}
    for key, each in chips.items():
        ways = list_paid_rows(each, rows, layer)
        fill = [
            max(
                float(share[1:] @ rows[: share.size - 1]) / float(share[1:] @ paid[: share.size - 1])
                for paid in ways
            )
            for share in shares
        ]
        roofline = each.roofline("bf16")
        limit = [roofline.kernel_flops_per_s(kernel) / roofline.peak_flops_per_s for kernel in kernels]
        found[key] = {
            "fill_fraction": fill,
            "peak_fraction": [min(pair) for pair in zip(fill, limit, strict=True)],
        }
    return found


def list_paid_rows(each, rows, layer) -> list:
    """Rows that the units are busy for, when an expert has so many: what padding and waiting add.

    One array for each tile that a GPU's kernel may have, the same for all experts. A stream of experts
    without gaps: neither the fill of an array nor a GPU's last wave is paid for each.
    """
    k, n = layer.width_elements, layer.inner_elements
    if each.kind == "tpu":
        return [rows / estimate_tpu_gemm(rows, k, n, chip=each).run.steady_utilisation_fraction]
    blocks, roofline, count = find_thread_blocks(each), each.roofline("bf16"), each.processor_count
    runs = (
        estimate_gpu_gemm(rows, k, n, roofline=roofline, processor_count=count, tile=tile, blocks=blocks)
        for tile in blocks.tiles
    )
    return [rows / (run.tile_efficiency_fraction * run.feed_efficiency_fraction) for run in runs]


def find_first(tokens, shares, least):
    """Tokens at which a share is first reached, between two points on a straight line."""
    place = next(number for number, share in enumerate(shares) if share >= least)
    step = (least - shares[place - 1]) / (shares[place] - shares[place - 1])
    return tokens[place - 1] + step * (tokens[place] - tokens[place - 1])


def draw(figure, data, t) -> None:
    narrow, slide = figure.is_narrow, figure.size == "slide"
    first, last = (8, 1024) if narrow else (4, 2048)
    body, head, gap, foot = 90 if slide else 130, 66 if narrow else 50, 42, foot_px(figure)
    figure.set_height_px(head + 2 * body + gap + foot)
    left, right = 40 if narrow else 222, 24
    for number, text in enumerate(name_lines(figure, data[DRAWN], data["skew"], t)):
        figure.text_px(0, 12 + 16 * number, text, color="mute", small=True)
    width = figure.width_px - left - right
    panels = (
        ("fill_fraction", t(zh="矩阵单元的填充，%", en="Fill of the matrix units, %")),
        (
            "peak_fraction",
            t(zh="占峰值的比例，权重从内存读取，%", en="Share of peak, weights read from memory, %"),
        ),
    )
    ticks = [
        rows
        for rows in (4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
        if first <= rows <= last and (not narrow or rows.bit_length() % 2 == 0)
    ]
    for number, (field, heading) in enumerate(panels):
        top = head + number * (body + gap)
        figure.text_px(0, top - 16, heading)
        axes = figure.axes_px(left, top, width, body)
        log_axis(axes, "x", first, last, ticks=ticks)
        linear_axis(axes, "y", 0, 1, ticks=(0, 0.5, 1), unit=0.01)
        axes.tick_params(axis="x", labelbottom=False)
        draw_lines(axes, data, field, first)
    name_ticks(figure, data, axes, ticks, t)


def name_lines(figure, model, skew, t) -> list[str]:
    """Whose experts the lines are, and what the bands beside them say."""
    n = t.number
    count, size = n(model["experts"]), f"{n(model['width'])} × {n(model['inner'])}"
    whose = t(
        zh=f"线：{model['name']}的{count}个专家，{size}，均匀路由",
        en=f"Lines: {model['name']}’s {count} experts of {size}, even routing",
    )
    band = t(zh=f"带：Zipf路由，指数{n(skew, 1)}", en=f"Bands: Zipf routing, exponent {n(skew, 1)}")
    return [whose, band] if figure.is_narrow else [t(zh=f"{whose}；{band}", en=f"{whose}. {band}")]


FIELDS = ("fill_fraction", "peak_fraction")
PLACES = {
    "fill_fraction": {"h200": (0.62, "right"), "v5p": (0.38, "right"), "v6e": (0.34, "left")},
    "peak_fraction": {"v5p": (0.62, "right"), "h200": (0.38, "left"), "v6e": (0.34, "left")},
}
"""How high each line is named, and on which side of it."""


def draw_lines(axes, data, field, first) -> None:
    """One line a chip, named where it climbs, and a band from it to what skewed routing makes of it."""
    even, skewed = data[DRAWN]["even"], data[DRAWN]["skewed"]
    for key, row in data["chips"].items():
        look = chip(row["id"])
        shown = [(x, y) for x, y in zip(even["rows"], even[key][field], strict=True) if x >= first]
        x, y = zip(*shown, strict=True)
        axes.fill_between(
            x,
            y,
            np.interp(x, skewed["rows"], skewed[key][field]),
            color=look.token,
            alpha=0.22,
            lw=0,
            zorder=2,
        )
        line(axes, x, y, color=look.token)
        height, side = PLACES[field][key]
        place = find_first(even["rows"], even[key][field], height)
        dx, dy = (10, -4) if side == "left" else (-10, 4)
        label(axes, place, height, row["name"], dx=dx, dy=dy, align=side, color=look.text_token)


def name_ticks(figure, data, axes, ticks, t) -> None:
    """What rows mean in tokens of a step: a line of numbers for each model, under the ticks."""
    titles = [(t(zh="每专家平均行数", en="Mean rows per expert"), 1, "ink")]
    for key in MODELS:
        model = data[key]
        title = t(zh=f"{model['name']}每步词元", en=f"{model['name']}: tokens per step")
        titles.append((title, model["tokens_per_row"], "mute"))
    frame, ends = axes.get_position(), axes.get_xlim()
    left, width = frame.x0 * figure.width_px, frame.width * figure.width_px
    pitch = 36 if figure.is_narrow else 18
    start = figure.height_px - foot_px(figure) + 18
    for number, (title, scale, color) in enumerate(titles):
        baseline = start + pitch * number
        end = figure.width_px if figure.is_narrow else left - 18
        figure.text_px(
            end, baseline + (17 if figure.is_narrow else 0), title, align="right", color=color, small=True
        )
        for rows in ticks:
            x = left + width * math.log(rows / ends[0]) / math.log(ends[1] / ends[0])
            figure.text_px(x, baseline, t.number(rows * scale), small=True, color=color, align="center")


def foot_px(figure) -> int:
    """Room for the three lines of numbers, with their names below them on a phone."""
    return 114 if figure.is_narrow else 62


def describe(data, t) -> str:
    deepseek, mixtral = data["deepseek"], data["mixtral"]
    n = t.number
    half = [n(deepseek[key]["half_fill_tokens"]) for key in CHIPS]
    peak = [n(deepseek[key]["half_peak_tokens"]) for key in CHIPS]
    names = t.join([row["name"] for row in data["chips"].values()])
    at = len(deepseek["skewed"]["rows"]) * 6 // 11  # 64 rows on average
    mean, busiest = n(deepseek["skewed"]["rows"][at]), n(deepseek["skewed"]["busiest_rows"][at])
    few = n(mixtral["v6e"]["half_fill_tokens"]), n(mixtral["v6e"]["half_peak_tokens"])
    return t(
        zh=f"每专家行数与矩阵单元的填充。{deepseek['name']}每步要{t.join(half)}个词元，才填满{names}的一半；"
        f"把读权重算进来，到峰值一半要{t.join(peak)}个。{mixtral['name']}在v6e上只要{few[0]}和{few[1]}个。"
        f"路由按指数{n(data['skew'], 1)}的Zipf分布偏斜时，平均{mean}行，最忙的专家却有{busiest}行。",
        en=f"Fill of matrix units by rows per expert. {deepseek['name']} needs {t.join(half)} tokens per "
        f"step to half fill {names}, and {t.join(peak)} for half of their peak, weights being read from "
        f"memory. {mixtral['name']} needs {few[0]} and {few[1]} on v6e. Under Zipf routing with exponent "
        f"{n(data['skew'], 1)} the busiest expert has {busiest} rows where the mean is {mean}.",
    )


def table(data, t):
    fill, share = t(zh="填充", en="fill"), t(zh="占峰值", en="share of peak")
    rows = [
        (
            mean,
            tokens,
            *(100 * model["even"][key][field][n] for key in CHIPS for field in FIELDS),
            model["name"],
        )
        for model in (data[key] for key in MODELS)
        for n, (mean, tokens) in enumerate(zip(data["rows"], model["tokens"], strict=True))
        if n % 16 == 0
    ]
    return make_table(
        (
            t(zh="模型", en="Model"),
            t(zh="每步词元", en="Tokens per step"),
            t(zh="每专家行数", en="Rows per expert"),
            *(
                Column(f"{row['name']}, {word}", "%", 1)
                for row in data["chips"].values()
                for word in (fill, share)
            ),
        ),
        [(name, tokens, mean, *shares) for mean, tokens, *shares, name in rows],
    )

"""Attention as compilers compile it and as it was written by hand, measured by others, on both roofs."""

from diglot.figures import charts, make_table

# XLA, FlashAttention-2 through JAX, RTX 3090, float16, 32 x 1,024 tokens, 32 heads, 21 May 2024:
# https://github.com/nshepperd/flash_attn_jax/issues/5
# XLA, torch.compile and PyTorch's scaled_dot_product_attention, RTX 5090, 8 x 1,024 tokens, 24 June 2026:
# https://github.com/jax-ml/jax/issues/24934
# Peaks are dense, in float16 with sums in float32: NVIDIA, "Ampere GA102 GPU Architecture" (2020) and
# "RTX Blackwell GPU Architecture" (2025). On GeForce cards these are half of those with sums in float16.
CARDS = {
    "rtx3090": {
        "name": "RTX 3090",
        "bandwidth_bytes_per_s": 936e9,
        "peak_flops_per_s": 71e12,
        "measured": {
            "xla": {32: 8.63395, 64: 15.4328, 128: 28.3536},
            "written": {32: 63.1234, 64: 66.5244, 128: 65.5683},
        },
    },
    "rtx5090": {
        "name": "RTX 5090",
        "bandwidth_bytes_per_s": 1792e9,
        "peak_flops_per_s": 209.5e12,
        "measured": {
            "xla": {64: 39.95, 128: 69.34},
            "torch": {64: 44.80, 128: 79.33},
            "written": {64: 209.64, 128: 192.37},
        },
    },
}
FOUND = {"heads_count": 16, "head": 64, "compiled": 178.52, "written": 180.03}
"""The row of the second table in which torch.compile is as quick as the kernel written by hand."""
MISSED = {"heads_count": 32, "head": 64, "compiled": 44.80, "written": 209.64}
HEADS = (32, 64, 128)

TITLE = {"zh": "注意力的实测与两条屋顶", "en": "Attention measured, under two roofs"}
MESSAGE = {
    "zh": "RTX 3090：XLA的注意力随头维从{cards.rtx3090.xla.h32 | number(0)}升到"
    "{cards.rtx3090.xla.h128 | number(0)} TFLOP/s，手写的不低于{cards.rtx3090.least_written | number(0)}",
    "en": "RTX 3090: XLA’s attention climbs with the head dimension, from "
    "{cards.rtx3090.xla.h32 | number(0)} to {cards.rtx3090.xla.h128 | number(0)} TFLOP/s; kernels "
    "written by hand stay above {cards.rtx3090.least_written | number(0)}",
}
SERIES = {
    "scores": {"zh": "分数写入显存的上限", "en": "roof, scores in memory"},
    "peak": {"zh": "峰值", "en": "peak"},
    "xla": {"zh": "XLA", "en": "XLA"},
    "torch": {"zh": "torch.compile", "en": "torch.compile"},
    "written": {"zh": "手写", "en": "by hand"},
}
COLUMNS = {
    "card": {"zh": "显卡", "en": "Card"},
    "head": {"zh": "头维", "en": "Head dimension"},
    "series": {"zh": "写法", "en": "Form", "names": SERIES},
    "rate": {"zh": "注意力的速率", "en": "Rate of attention", "unit": "FLOP/s"},
}


def compute() -> dict:
    cards = {key: judge(card) for key, card in CARDS.items()}
    return {
        "cards": cards,
        "tokens": 1024,
        "heads": 32,
        "least_head": HEADS[0],
        "most_head": HEADS[-1],
        "found": {**FOUND, "ratio": FOUND["compiled"] / MISSED["compiled"]},
        "missed": {**MISSED, "ratio": MISSED["written"] / MISSED["compiled"]},
        "rows": [
            {"card": card["name"], "head": head, "series": form, "rate": 1e12 * rate}
            for card in CARDS.values()
            for form, rates in card["measured"].items()
            for head, rate in rates.items()
        ],
        "roofs": [row for card in CARDS.values() for row in list_roofs(card)],
    }


def judge(card: dict) -> dict:
    """Measured TFLOP/s, and the shares of both roofs that they reach."""
    peak, written = card["peak_flops_per_s"] / 1e12, card["measured"]["written"]
    xla = card["measured"]["xla"]
    roofs = {head: find_roof(card, head) / 1e12 for head in xla}
    return {
        "name": card["name"],
        "peak": peak,
        "bandwidth_bytes_per_s": card["bandwidth_bytes_per_s"],
        **{
            form: {f"h{head}": rate for head, rate in rates.items()}
            for form, rates in card["measured"].items()
        },
        "roof": {f"h{head}": roof for head, roof in roofs.items()},
        "roof_fraction": {f"h{head}": xla[head] / roof for head, roof in roofs.items()},
        "least_roof_fraction": min(xla[head] / roof for head, roof in roofs.items()),
        "most_roof_fraction": max(xla[head] / roof for head, roof in roofs.items()),
        "least_written": min(written.values()),
        "written_fraction": min(written.values()) / peak,
        "gain": {f"h{head}": written[head] / rate for head, rate in xla.items()},
    }


def find_roof(card: dict, head: int) -> float:
    """The most where scores and shares are each written once and read once: half the head in FLOP/B."""
    return min(head / 2 * card["bandwidth_bytes_per_s"], card["peak_flops_per_s"])


def list_roofs(card: dict) -> list[dict]:
    scores = [(head, "scores", find_roof(card, head)) for head in HEADS]
    peaks = [(head, "peak", card["peak_flops_per_s"]) for head in (HEADS[0], HEADS[-1])]
    return [
        {"card": card["name"], "head": head, "series": series, "rate": rate}
        for head, series, rate in scores + peaks
    ]


def draw(figure, data, t) -> None:
    options = {"x_scale": "log2", "y_scale": "log2", "y_domain": (4e12, 2.7e14), "x_ticks": HEADS}
    for chart, rows in charts.panels(figure, data["rows"], by="card", x="head", y="rate", **options):
        roofs = [row for row in data["roofs"] if row["card"] == rows[0]["card"]]
        for series, color in (("peak", "mute"), ("scores", "mute")):
            chart.lines(
                [row for row in roofs if row["series"] == series], name=t.name("series", series), color=color
            )
        for series, color in (("written", "ink"), ("torch", "seq5"), ("xla", "net")):
            points = [row for row in rows if row["series"] == series]
            if points:
                chart.points(points, measured=True, name=t.name("series", series), color=color)


def describe(data, t) -> str:
    n = t.number
    parts = [
        f"{card['name']} {n(card['xla']['h64'])}, {n(card['written']['h64'])}, {n(card['peak'])}"
        for card in data["cards"].values()
    ]
    return t(
        zh=f"头维64时XLA与手写内核的注意力、峰值（TFLOP/s）：{'；'.join(parts)}。"
        f"XLA到分数写入显存的上限的{t.percent(data['cards']['rtx3090']['most_roof_fraction'])}。",
        en=f"Attention with heads of 64 by XLA, by hand, and the peak, in TFLOP/s: {'; '.join(parts)}. "
        f"XLA gets to {t.percent(data['cards']['rtx3090']['most_roof_fraction'])} of the roof with scores "
        "in memory on the former.",
    )


def table(data, t):
    return make_table(("card", "series", "head", "rate"), data["rows"], t)

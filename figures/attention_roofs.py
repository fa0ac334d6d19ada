"""How fast attention can be on three chips as sequences grow: scores in memory, or fused."""

from typing import Literal

from diglot import hardware
from diglot.figures import charts, make_table

CHIPS = {"h200": "h200-sxm", "v5p": "tpu-v5p", "v6e": "tpu-v6e"}
FORMS = {"materialised": hardware.count_materialised_attention, "flash": hardware.count_flash_attention}
LENGTHS = [round(2 ** (step / 16)) for step in range(7 * 16, 17 * 16 + 1)]  # 128 to 131,072
HEADS = 64

TITLE = {"zh": "注意力的屋顶线与序列长度", "en": "Roofs of attention against sequence length"}
MESSAGE = {
    "zh": "头维{head}、bf16：融合注意力在H200上能到{chips.h200.longest.flash | si('FLOP/s', 0)}；"
    "TPU v6e的阵列只填满{chips.v6e.fit_fraction | percent}，止于{chips.v6e.longest.flash | si('FLOP/s', 0)}",
    "en": "With bf16 heads of {head}, fused attention can reach {chips.h200.longest.flash | si('FLOP/s', 0)} "
    "on H200; TPU v6e, its arrays {chips.v6e.fit_fraction | percent} full, stops at "
    "{chips.v6e.longest.flash | si('FLOP/s', 0)}",
}
LABELS = {"head": {"zh": "头维", "en": "Head dimension"}}
FORM_NAMES = {
    "materialised": {"zh": "分数写入HBM", "en": "Scores in HBM"},
    "flash": {"zh": "融合（FlashAttention）", "en": "Fused (FlashAttention)"},
}
COLUMNS = {
    "length": {"zh": "序列长度", "en": "Sequence length", "unit": "tokens"},
    "rate": {"zh": "可达算力（bf16）", "en": "Attainable rate (bf16)", "unit": "FLOP/s"},
    "intensity": {"zh": "强度", "en": "Intensity", "unit": "FLOP/B", "digits": 1},
    "chip": {"zh": "芯片", "en": "Chip"},
    "form": {"zh": "写法", "en": "Form", "names": FORM_NAMES},
}


def compute(head: Literal[64, 128, 256] = 128) -> dict:
    """Forward pass in bf16, every head its own keys, no mask: lower bounds on traffic and on time."""
    shapes = {length: hardware.AttentionShape.of_sequence(length, HEADS, head) for length in LENGTHS}
    counted = [
        {"form": form, "length": length, "intensity": count(shape).intensity_flops_per_byte}
        for form, count in FORMS.items()
        for length, shape in shapes.items()
    ]
    catalogue, rows, chips = hardware.load_catalogue(), [], {}
    for key, chip_id in CHIPS.items():
        chip = catalogue[chip_id]
        # The head is the depth of Q K^T and the columns of P V: of a wider array it fills a part.
        fit = 1 if chip.kind == "gpu" else min(1, head / chip.mxu_rows_count)
        peak, bandwidth = fit * chip.peak_flops_per_s("bf16"), chip.memory_bandwidth_bytes_per_s
        found = [{"chip": chip_id, **one, "rate": min(peak, one["intensity"] * bandwidth)} for one in counted]
        rows += found
        longest = {row["form"]: row["rate"] for row in found if row["length"] == LENGTHS[-1]}
        chips[key] = {
            "chip": chip_id,
            "name": chip.short_name,
            "fit_fraction": fit,
            "rate": peak,
            "longest": longest,
            "gain": longest["flash"] / longest["materialised"],
            # Fused, an FLOP/B is two queries of a sequence: half its length is the intensity.
            "length": 2 * peak / bandwidth,
        }
    return {
        "head": head,
        "longest": LENGTHS[-1],
        "chips": chips,
        "rows": rows,
        # Of S and P, each written and read, alone: where materialised attention tends to.
        "materialised_limit": head / 2,
    }


def draw(figure, data, t) -> None:
    options = {"x_scale": "log2", "y_domain": (0, 1.05e15)}  # the same axes for every head
    for chart, rows in charts.panels(figure, data["rows"], by="form", x="length", y="rate", **options):
        chart.lines(rows, series="chip")
        if rows[0]["form"] == "flash":
            knees = list(data["chips"].values())
            for row in knees:
                row["text"] = t(zh="脊点 ", en="ridge ") * (row is knees[0]) + t.number(row["length"])
                if row["fit_fraction"] < 1:
                    share = t.percent(row["fit_fraction"])
                    full = t(zh=f"{row['name']}阵列只填{share}", en=f"{row['name']} arrays {share} full")
                    chart.annotate((8192, row["rate"]), full, color=row["chip"], prefer="below")
            chart.points(knees, series="chip", label="text", name=False)


def describe(data, t) -> str:
    n, chips, limit = t.number, data["chips"].values(), t.number(data["materialised_limit"])
    full = {row["name"]: t.percent(row["fit_fraction"]) for row in chips if row["fit_fraction"] < 1}
    parts = [
        t(zh=f"{name}的阵列只填{of}。", en=f" Arrays of {name} are {of} full.") for name, of in full.items()
    ]
    ends = [(row["name"], *(n(row["longest"][form] / 1e12) for form in FORMS)) for row in chips]
    return t(
        zh=f"头维{data['head']}、{n(data['longest'])}个词元时，分数写入HBM与融合注意力的可达算力（TFLOP/s）："
        f"{'，'.join(f'{name} {one}对{two}' for name, one, two in ends)}。"
        f"前者的强度不超过{limit} FLOP/B。{''.join(parts)}",
        en=f"Attainable rates of attention with heads of {data['head']} at {n(data['longest'])} tokens, "
        f"scores in HBM against fused, in TFLOP/s: "
        f"{', '.join(f'{name} {one} against {two}' for name, one, two in ends)}. The former never exceeds "
        f"{limit} FLOP/B.{''.join(parts)}",
    )


def table(data, t):
    rows = [row for row in data["rows"] if row["length"].bit_count() == 1]
    return make_table(("form", "chip", "length", "intensity", "rate"), rows, t)

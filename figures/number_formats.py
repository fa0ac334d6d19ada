"""Range and precision of the number formats that chips compute with, and of blocks that share a scale."""

import math

from diglot.figures import charts, make_table
from diglot.hardware import BLOCK_FORMATS, NUMBER_FORMATS

TITLE = {"zh": "数值格式：范围与精度", "en": "Number formats: range and precision"}
MESSAGE = {
    "zh": "bf16的范围与fp32相当，有效位却只有{formats.bf16.precision_bits}位，"
    "而不是{formats.fp32.precision_bits}位",
    "en": "bf16 has the range of fp32, with {formats.bf16.precision_bits} bits of precision instead of "
    "{formats.fp32.precision_bits}",
}
COLUMNS = {
    "name": {"zh": "格式", "en": "Format"},
    "bits": {"zh": "存储位数", "en": "Bits in memory", "digits": 0},
    "exponent_bits": {"zh": "指数位", "en": "Exponent bits", "digits": 0},
    "precision_bits": {"zh": "有效位", "en": "Bits of precision", "digits": 0},
    "largest": {"zh": "最大值", "en": "Largest"},
    "smallest_normal": {"zh": "最小正规数", "en": "Smallest normal"},
    "smallest": {"zh": "最小次正规数", "en": "Smallest subnormal"},
    "epsilon": {"zh": "1之后的间隔", "en": "Step after 1"},
    "decades": {"zh": "正规数的数量级", "en": "Normals, orders of magnitude", "digits": 1},
    "start": {"zh": "可表示的正数，10的幂", "en": "Positive values, powers of ten"},
    "part": {
        "zh": "部分",
        "en": "Part",
        "names": {
            "normal": {"zh": "正规数", "en": "normal"},
            "subnormal": {"zh": "次正规数", "en": "subnormal"},
        },
    },
}
SHOWN = ("fp32", "tf32", "bf16", "fp16", "fp8_e5m2", "fp8_e4m3", "fp6_e3m2", "fp6_e2m3", "fp4_e2m1")
"""fp64 would take the axis for itself; whole numbers have no range to speak of."""


def compute() -> dict:
    return {
        "formats": {name: describe_format(each) for name, each in NUMBER_FORMATS.items()},
        "blocks": {
            name: {"bits_per_element": each.bits_per_element, "element": each.element}
            for name, each in BLOCK_FORMATS.items()
        },
    }


def describe_format(each) -> dict:
    return {
        "name": each.name.replace("_", " "),
        "bits": each.stored_bits,
        "exponent_bits": each.exponent_bits,
        "precision_bits": each.mantissa_bits + (not each.is_integer),
        "largest": each.largest,
        "smallest_normal": each.smallest_normal,
        "smallest": each.smallest,
        "epsilon": each.epsilon,
        "decades": each.decades,
    }


def list_parts(row) -> list[dict]:
    """Where the subnormal and the normal values of a format lie, in powers of ten."""
    ends = [math.log10(row[key]) for key in ("smallest", "smallest_normal", "largest")]
    return [
        {"name": row["name"], "part": part, "start": low, "length": high - low}
        for part, low, high in zip(("subnormal", "normal"), ends, ends[1:], strict=False)
    ]


def draw(figure, data, t) -> None:
    rows = [data["formats"][name] for name in SHOWN]
    one_chart = figure.size == "slide"  # without room for a second one: the names say the bits
    named = [{**row, "name": name_with_bits(row, t)} if one_chart else row for row in rows]
    parts = [part for row in named for part in list_parts(row)]
    charts.timeline(figure, parts, y="name", start="start", duration="length", series="part")
    if not one_chart:
        charts.bars(figure, rows, y="name", x="precision_bits", color="seq6")


def name_with_bits(row, t) -> str:
    bits = row["precision_bits"]
    return t(zh=f"{row['name']}，{bits}位有效", en=f"{row['name']}, {bits} bits")


def describe(data, t) -> str:
    n = t.number
    spans = [
        t(
            zh=f"{row['name']}约{n(row['decades'])}个数量级、{n(row['precision_bits'])}位精度",
            en=f"{row['name']} {n(row['decades'])} orders of magnitude, {n(row['precision_bits'])} bits",
        )
        for row in (data["formats"][name] for name in SHOWN)
    ]
    return t(
        zh=f"各格式正规数的范围与精度：{'；'.join(spans)}。",
        en=f"Range of normal values and precision: {'; '.join(spans)}.",
    )


def table(data, t):
    names = [name for name in COLUMNS if name not in ("start", "part")]
    rows = [
        {**row, **{key: f"{row[key]:.4g}" for key in ("largest", "smallest_normal", "smallest", "epsilon")}}
        for row in data["formats"].values()
    ]
    return make_table(tuple(names), rows, t)

"""The share of its peak that a chip reaches, over two sizes of a matrix product."""

from diglot.figures import Column, axis_titles, cell_ticks, chip, heat_map, key_strip, make_table
from diglot.hardware import count_gemm, load_catalogue

TITLE = {"zh": "矩阵大小与可达算力", "en": "Sizes of a product and the rate it reaches"}

CHIP = "h200-sxm"  # an id of diglot's catalogue of chips
ROWS = [2**power for power in range(3, 11)]  # 8 to 1,024
WIDTHS = [2**power for power in range(8, 14)]  # 256 to 8,192
CELL_PX = 30


def compute() -> dict:
    roofline = load_catalogue()[CHIP].roofline("bf16")

    def share(rows: int, width: int) -> float:
        kernel = count_gemm(rows, width, width, dtype="bf16")
        return roofline.kernel_flops_per_s(kernel) / roofline.peak_flops_per_s

    shares = [[share(rows, width) for rows in ROWS] for width in WIDTHS]
    return {"chip": CHIP, "rows": ROWS, "widths": WIDTHS, "share": shares}


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    left, top, bottom, swatch = 52, (100 if narrow else 74), 50, (24 if narrow else 26)
    body = CELL_PX * len(data["widths"])
    figure.set_height_px(top + body + bottom)
    axes = figure.axes_px(left, top, figure.width_px - left, body)
    telling = {0, len(data["widths"]) - 1}  # the rows whose cells show their numbers
    heat_map(
        axes, data["share"], text_of=lambda share, row, _: t.number(100 * share) if row in telling else None
    )
    shown = [place for place in range(len(data["rows"])) if not narrow or place % 2]
    cell_ticks(
        axes,
        x=[(place, t.number(data["rows"][place])) for place in shown],
        y=[(row, t.number(width)) for row, width in enumerate(data["widths"])],
    )
    axis_titles(
        figure, y=t(zh="权重的宽度", en="Width of the weights"), x=t(zh="行数", en="Rows"), top=top - 44
    )
    key_strip(
        figure,
        figure.width_px - 10 * swatch,
        3,
        title=t(zh="占峰值", en="Share of the peak"),
        ends=("0", "50", "100%"),
        swatch=swatch,
    )


def describe(data, t) -> str:
    name, least, most = chip(data["chip"]).label, data["share"][0][0], data["share"][-1][-1]
    return t(
        zh=f"{name}上bf16矩阵乘法的可达算力：最小的一格占峰值{t.number(100 * least, 1)}%，"
        f"最大的一格占{t.number(100 * most)}%。",
        en=f"What {name} reaches in a bf16 matrix product: {t.number(100 * least, 1)}% of its peak at the "
        f"smallest sizes, {t.number(100 * most)}% at the largest.",
    )


def table(data, t):
    return make_table(
        [
            t(zh="宽度", en="Width"),
            *(Column(t(zh=f"{rows}行", en=f"{rows} rows"), "%") for rows in data["rows"]),
        ],
        [
            (width, *(100 * share for share in shares))
            for width, shares in zip(data["widths"], data["share"], strict=True)
        ],
    )

"""How long a matrix product takes at least, against its rows: one line for each chip."""

from diglot.figures import Column, axis_titles, chip, direct_labels, line, log_axis, make_table
from diglot.hardware import count_gemm, load_catalogue

TITLE = {"zh": "矩阵乘法至少要多久", "en": "How long a matrix product takes at least"}

CHIPS = {"a100": "a100-80", "h200": "h200-sxm", "v5e": "tpu-v5e"}  # ids of diglot's catalogue of chips
WIDTH = 8192  # of the square matrix of weights
ROWS = sorted({round(2 ** (step / 4)) for step in range(49)})  # 1 to 4,096


def compute() -> dict:
    catalogue = load_catalogue()
    chips = {}
    for key, chip_id in CHIPS.items():
        roofline = catalogue[chip_id].roofline("bf16")
        chips[key] = {
            "id": chip_id,
            "time_s": [roofline.time_s(count_gemm(rows, WIDTH, WIDTH, dtype="bf16")) for rows in ROWS],
        }
    return {**chips, "rows": ROWS, "width": WIDTH}


def draw(figure, data, t) -> None:
    narrow = figure.is_narrow
    figure.set_height_px({"narrow": 280, "slide": 320}.get(figure.size, 340))
    left, right, top, bottom = 48, (76 if narrow else 96), 48, 54
    axes = figure.axes_px(left, top, figure.width_px - left - right, figure.height_px - top - bottom)
    log_axis(axes, "x", 1, ROWS[-1], ticks=(1, 16, 256, 4096) if narrow else (1, 4, 16, 64, 256, 1024, 4096))
    log_axis(axes, "y", 10e-6, 10e-3, unit=1e-6)
    axis_titles(
        figure,
        y=t(zh="最短用时", en="Least time"),
        unit="µs",
        x=t(zh="矩阵的行数", en="Rows of the matrix"),
        right=figure.width_px - right,
    )
    for key in CHIPS:
        line(axes, data["rows"], data[key]["time_s"], color=chip(data[key]["id"]).token)
    looks = {key: chip(data[key]["id"]) for key in CHIPS}
    ends = [(data[key]["time_s"][-1], look.label, look.text_token) for key, look in looks.items()]
    direct_labels(axes, ROWS[-1], ends)


def describe(data, t) -> str:
    ends = [f"{chip(data[key]['id']).label} {t.number(data[key]['time_s'][-1] * 1e6)} µs" for key in CHIPS]
    most, width = t.number(data["rows"][-1]), t.number(data["width"])
    return t(
        zh=f"行数少时用时不变，由带宽决定；行数多时与行数成正比。{most}行乘{width} × {width}："
        f"{t.join(ends)}。",
        en=f"With few rows the time is that of reading the weights; with many it grows with them. "
        f"{most} rows times {width} × {width}: {t.join(ends)}.",
    )


def table(data, t):
    shown = [n for n, rows in enumerate(data["rows"]) if rows.bit_count() == 1]  # powers of two
    return make_table(
        [t(zh="行数", en="Rows"), *(Column(chip(data[key]["id"]).label, "µs") for key in CHIPS)],
        [(data["rows"][n], *(data[key]["time_s"][n] * 1e6 for key in CHIPS)) for n in shown],
    )

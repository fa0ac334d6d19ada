"""How long a matrix product takes at least, against its rows: one line for each chip."""

from diglot.figures import charts, chip, make_table
from diglot.hardware import count_gemm, find_critical_rows, load_catalogue

TITLE = {"zh": "矩阵乘法至少要多久", "en": "How long a matrix product takes at least"}
MESSAGE = {
    "zh": "宽{width | number}的bf16矩阵乘：在{first.name}上，"
    "{first.critical | number(0)}行以内和一行用时相近",
    "en": "Up to {first.critical | number(0)} rows, a bf16 product of width {width | number} takes "
    "{first.name} about as long as one row",
}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "rows": {"zh": "矩阵的行数", "en": "Rows of the matrix"},
    "time": {"zh": "最短用时", "en": "Least time", "unit": "s"},
}

CHIPS = ("h200-sxm", "a100-80", "tpu-v5e")  # ids of diglot's catalogue of chips
WIDTH = 8192  # of the square matrix of weights
ROWS = sorted({round(2 ** (step / 4)) for step in range(49)})  # 1 to 4,096


def compute() -> dict:
    catalogue = load_catalogue()
    roofs = {chip_id: catalogue[chip_id].roofline("bf16") for chip_id in CHIPS}
    kernels = {rows: count_gemm(rows, WIDTH, WIDTH, dtype="bf16") for rows in ROWS}
    critical = find_critical_rows(WIDTH, WIDTH, roofline=roofs[CHIPS[0]], dtype="bf16")
    return {
        "width": WIDTH,
        "first": {"name": catalogue[CHIPS[0]].short_name, "critical": critical},
        "points": [
            {"chip": chip_id, "rows": rows, "time": roof.time_s(kernel)}
            for chip_id, roof in roofs.items()
            for rows, kernel in kernels.items()
        ],
    }


def draw(figure, data, t) -> None:
    charts.lines(figure, data["points"], x="rows", y="time", series="chip", x_scale="log2", y_scale="log10")


def describe(data, t) -> str:
    most = [point for point in data["points"] if point["rows"] == ROWS[-1]]
    ends = [f"{chip(point['chip']).label} {t.number(point['time'] * 1e6)} µs" for point in most]
    return t(
        zh=f"行数少时用时不变，由带宽决定；行数多时与行数成正比。{t.number(ROWS[-1])}行：{t.join(ends)}。",
        en=f"With few rows the time is that of reading the weights; with many it grows with them. "
        f"{t.number(ROWS[-1])} rows: {t.join(ends)}.",
    )


def table(data, t):
    shown = [point for point in data["points"] if point["rows"] in (1, 16, 256, 4096)]
    return make_table(("chip", "rows", "time"), shown, t)

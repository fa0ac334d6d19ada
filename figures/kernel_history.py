"""How long FlashAttention took from its paper to the places where it can be used, by dates of others."""

from datetime import date

from diglot.figures import charts, make_table

EVENTS = (
    # arXiv:2205.14135, version 1, with code in CUDA
    ("paper", date(2022, 5, 27)),
    # https://pytorch.org/blog/pytorch-2.0-release/: scaled_dot_product_attention
    ("torch", date(2023, 3, 15)),
    # https://github.com/marin-community/levanter/issues/308: "fairly new", a kernel in JAX's repository
    ("jax", date(2023, 9, 13)),
    # https://github.com/jax-ml/jax/issues/18590: it runs on a TPU v5e that anybody can rent
    ("cloud", date(2023, 11, 27)),
    # https://github.com/pytorch/xla/releases/tag/v2.3.0: experimental, for inference
    ("torch_xla", date(2024, 4, 24)),
)

TITLE = {"zh": "从论文到能用", "en": "From a paper to where it runs"}
MESSAGE = {
    "zh": "FlashAttention从论文到PyTorch用了{months.torch | number(0)}个月，到JAX的TPU内核用了"
    "{months.jax | number(0)}个月，到PyTorch/XLA用了{months.torch_xla | number(0)}个月",
    "en": "From its paper, FlashAttention took {months.torch | number(0)} months to PyTorch, "
    "{months.jax | number(0)} to a TPU kernel in JAX, {months.torch_xla | number(0)} to PyTorch/XLA",
}
COLUMNS = {
    "event": {
        "zh": "在哪里能用",
        "en": "Where it runs",
        "names": {
            "torch": {"zh": "PyTorch（GPU）", "en": "PyTorch (GPU)"},
            "jax": {"zh": "JAX仓库里的TPU内核", "en": "TPU kernel in JAX"},
            "cloud": {"zh": "能租到的v5e", "en": "a rented v5e"},
            "torch_xla": {"zh": "PyTorch/XLA（推理）", "en": "PyTorch/XLA (inference)"},
        },
    },
    "date": {"zh": "日期", "en": "Date"},
    "months": {"zh": "距论文的月数", "en": "Months since the paper", "digits": 0},
}
DAYS_PER_MONTH = 365.25 / 12


def compute() -> dict:
    first = EVENTS[0][1]
    months = {name: (day - first).days / DAYS_PER_MONTH for name, day in EVENTS[1:]}
    return {
        "months": months,
        "rows": [
            {"event": name, "date": day.isoformat(), "months": months[name]} for name, day in EVENTS[1:]
        ],
    }


def draw(figure, data, t) -> None:
    charts.bars(figure, data["rows"], y="event", x="months")


def describe(data, t) -> str:
    parts = [f"{t.name('event', row['event'])} {t.number(row['months'])}" for row in data["rows"]]
    return t(
        zh=f"从FlashAttention的论文到各处能用的月数：{'，'.join(parts)}。",
        en=f"Months from the paper on FlashAttention until it ran elsewhere: {', '.join(parts)}.",
    )


def table(data, t):
    return make_table(("event", "date", "months"), data["rows"], t)

"""What a chip puts out against the wait for each token, over slices and batches of five chips."""

import _llama_serving
from _llama_serving import SLICES, Format, Latency, find_best, name_setting, tell_setting, try_batches

from diglot.figures import charts, chip, make_table
from diglot.hardware import find_pareto_front

TITLE = {"zh": "单芯片吞吐与每词元延迟", "en": "Output of a chip against latency"}
MESSAGE = {
    "zh": "{model}（{dtype}）每词元不超过{latency_ms} ms时，一个H200每秒至多输出"
    "{best.0.tokens | number(0)}词元，一个v6e至多{best.3.tokens | number(0)}",
    "en": "With at most {latency_ms} ms a token, an H200 puts out at most "
    "{best.0.tokens | number(0)} tokens/s of {model} in {dtype}, a TPU v6e {best.3.tokens | number(0)}",
}
LABELS, COLUMNS = _llama_serving.LABELS, _llama_serving.BATCH_COLUMNS


def compute(latency_ms: Latency = 20, dtype: Format = "bf16") -> dict:
    """Continuous batching: prompts interrupt the batch, and the latency has these breaks in it."""
    tried = [try_batches(chip_id, dtype) for chip_id in SLICES]
    return {
        **tell_setting(dtype),
        "latency_ms": latency_ms,
        "front": [row for rows in tried for row in list_front(rows)],
        "best": [find_best(rows, latency_ms) for rows in tried],
    }


def list_front(rows: list[dict]) -> list[dict]:
    """The best rows by increasing latency, each 3% from the one before in one of the two, and the last."""
    front = [rows[n] for n in find_pareto_front([row["ms"] for row in rows], [row["tokens"] for row in rows])]
    kept = front[:1]
    for row in front[1:]:
        far = any(row[name] >= 1.03 * kept[-1][name] for name in ("ms", "tokens"))
        if far or row is front[-1]:
            kept.append(row)
    return kept


def draw(figure, data, t) -> None:
    charts.heading(figure, name_setting(data, t))
    chart = charts.frame(figure, x="ms", y="tokens", x_scale="log10", x_domain=(2, 60))
    chart.lines(data["front"], series="chip").points(data["best"], series="chip", label="tokens")
    chart.rule(x=data["latency_ms"], text=f"{data['latency_ms']} ms")


def describe(data, t) -> str:
    best = [f"{chip(row['chip']).label} {t.number(row['tokens'])}" for row in data["best"]]
    return t(
        zh=f"{name_setting(data, t)}，屋顶线下界，每词元不超过{data['latency_ms']} ms。"
        f"每芯片每秒输出的词元：{'、'.join(best)}。",
        en=f"{name_setting(data, t)}, at the rooflines, with at most {data['latency_ms']} ms a token. "
        f"Tokens that a chip puts out in a second: {', '.join(best)}.",
    )


def table(data, t):
    return make_table(tuple(COLUMNS), data["best"], t)

"""Published claims about serving a 70B model, and what the models say of each: one table, no picture."""

from _claims import CLAIM, INTERVAL, VERDICT, by_number, describe_claim, join_range

from diglot.figures import make_table
from diglot.hardware import judge_claim

DIGITS = {17: ("s", 2), 22: ("s", 2), 19: ("tokens/s", 0), 18: ("×", 1)}
"""Of the claims in the article's order, the unit and its decimals."""

TITLE = {"zh": "关于70B模型推理服务的说法", "en": "Claims about serving a 70B model"}
MESSAGE = {
    "zh": "关于70B模型推理服务的{count}条说法，完全成立的有{holds}条",
    "en": "Of {count} claims about serving a 70B model, {holds} holds in full",
}
COLUMNS = {
    "claim": CLAIM,
    "found": {"zh": "模型的结果", "en": "What models find"},
    "interval": INTERVAL,
    "verdict": VERDICT,
}


def compute() -> dict:
    rows = []
    for number, shown in DIGITS.items():
        finding = judge_claim(number)
        found = name_range((finding.found_low, finding.found_high), *shown)
        likely = name_range(finding.interval, *shown)
        rows.append(describe_claim(number, finding) | {"found": found, "interval": likely})
    verdicts = [row["verdict"] for row in rows]
    return {
        "rows": rows,
        "count": len(rows),
        "holds": verdicts.count("holds"),
        "by_number": by_number(rows),
    }


def name_range(ends: tuple[float, float], unit: str, digits: int) -> dict:
    low, high = ends
    span = join_range(f"{low:.{digits}f}", f"{high:.{digits}f}") + "\u00a0"
    return {"zh": span + {"tokens/s": "词元/s", "×": "倍"}.get(unit, unit), "en": span + unit}


def table(data, t):
    return make_table(tuple(COLUMNS), data["rows"], t)

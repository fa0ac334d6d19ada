"""Published claims about what tokens cost, and by how much the best case of the models misses them."""

from _claims import CLAIM, INTERVAL, VERDICT, by_number, describe_claim, join_range

from diglot.figures import make_table
from diglot.hardware import judge_claim

RATIOS = (9, 23, 39)
SAVINGS = (40, 44)

TITLE = {"zh": "关于成本的说法", "en": "Claims about costs"}
MESSAGE = {
    "zh": "关于成本的{count}条说法，完全成立的一条也没有；最好的情形还差{least_short | number(1)}至"
    "{most_short | number(1)}倍",
    "en": "None of {count} claims about costs holds in full; where the best case misses one, it is by "
    "{least_short | number(1)} to {most_short | number(1)} times",
}
COLUMNS = {
    "claim": CLAIM,
    "found": {"zh": "模型的结果", "en": "What models find"},
    "interval": INTERVAL,
    "short": {"zh": "最好的情形还差", "en": "The best case misses by", "unit": "×", "digits": 1},
    "verdict": VERDICT,
}


def compute() -> dict:
    rows = [describe_miss(number, judge_claim(number)) for number in (*RATIOS, *SAVINGS)]
    missed = [row["short"] for row in rows if row["short"] is not None]
    return {
        "rows": rows,
        "count": len(rows),
        "least_short": min(missed),
        "most_short": max(missed),
        "by_number": by_number(rows),
    }


def describe_miss(number: int, finding) -> dict:
    """A ratio misses the least that is claimed, a saving by what would still have to be spent less."""
    low, high = finding.found_low, finding.found_high
    least = finding.claimed_low if number != 23 else finding.claimed_high  # "up to" is what counts
    short = least / high if number in RATIOS else (1 - high) / (1 - least)
    return describe_claim(number, finding) | {
        "found": name_range(low, high, number in RATIOS),
        "interval": name_range(*finding.interval, number in RATIOS),
        "short": short if short > 1 else None,
        "used": 1 / short if short > 1 else 1.0,
    }


def name_range(low: float, high: float, is_ratio: bool) -> dict:
    if is_ratio:
        span = join_range(f"{low:.2f}", f"{high:.2f}")
        return {"zh": f"{span}倍", "en": f"{span}×"}
    if low < 0:
        return {
            "zh": f"多花{-low:.0%}到省{high:.0%}",
            "en": f"from {-low:.0%} more to {high:.0%} less",
        }
    return {"zh": f"省{low:.0%}至{high:.0%}", "en": f"saves {low:.0%} to {high:.0%}"}


def table(data, t):
    return make_table(tuple(COLUMNS), data["rows"], t)

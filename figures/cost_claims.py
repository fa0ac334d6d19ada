"""Published claims about what tokens cost, and by how much the best case of the models misses them."""

from diglot.figures import make_table
from diglot.hardware import judge_claim, load_outside_claims

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
    "claim": {"zh": "说法", "en": "Claim"},
    "found": {"zh": "模型的结果", "en": "What models find"},
    "interval": {"zh": "90%区间", "en": "90% interval"},
    "short": {"zh": "最好的情形还差", "en": "The best case misses by", "unit": "×", "digits": 1},
    "verdict": {
        "zh": "结论",
        "en": "Verdict",
        "names": {
            "in part": {"zh": "部分成立", "en": "in part"},
            "open": {"zh": "未定", "en": "open"},
            "does not hold": {"zh": "不成立", "en": "does not hold"},
            "reported": {"zh": "仅有报道", "en": "reported"},
        },
    },
}


def compute() -> dict:
    rows = [describe_claim(number) for number in (*RATIOS, *SAVINGS)]
    missed = [row["short"] for row in rows if row["short"] is not None]
    return {
        "rows": rows,
        "count": len(rows),
        "least_short": min(missed),
        "most_short": max(missed),
        "by_number": {f"n{row['number']}": row for row in rows},
    }


def describe_claim(number: int) -> dict:
    """A ratio misses the least that is claimed, a saving by what would still have to be spent less."""
    finding, claim = judge_claim(number), load_outside_claims()[number]
    low, high = finding.found_low, finding.found_high
    least = finding.claimed_low if number != 23 else finding.claimed_high  # "up to" is what counts
    short = least / high if number in RATIOS else (1 - high) / (1 - least)
    return {
        "number": number,
        "claim": {"zh": claim.claim.zh, "en": claim.claim.en},
        "found": name_range(low, high, number in RATIOS),
        "interval": name_range(*finding.interval, number in RATIOS),
        "low": low,
        "high": high,
        "short": short if short > 1 else None,
        "used": 1 / short if short > 1 else 1.0,
        "verdict": "reported" if claim.status == "reported" else finding.verdict,
    }


def name_range(low: float, high: float, is_ratio: bool) -> dict:
    # A word joiner on either side, so that a range is not torn apart at the end of a line.
    if is_ratio:
        span = f"{low:.2f}\u2060–\u2060{high:.2f}"
        return {"zh": f"{span}倍", "en": f"{span}×"}
    if low < 0:
        return {
            "zh": f"多花{-low:.0%}到省{high:.0%}",
            "en": f"from {-low:.0%} more to {high:.0%} less",
        }
    return {"zh": f"省{low:.0%}至{high:.0%}", "en": f"saves {low:.0%} to {high:.0%}"}


def table(data, t):
    return make_table(tuple(COLUMNS), data["rows"], t)

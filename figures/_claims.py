"""A claim of the debate as data, the same wherever it is shown: its words, what models find, the verdict."""

from math import isfinite

from diglot.hardware import Finding, load_outside_claims

VERDICTS = {
    "holds": {"zh": "成立", "en": "holds"},
    "in part": {"zh": "部分成立", "en": "in part"},
    "does not hold": {"zh": "不成立", "en": "does not hold"},
    "open": {"zh": "未定", "en": "open"},
    "reported": {"zh": "仅有报道", "en": "reported"},
}
CLAIM = {"zh": "说法", "en": "Claim"}
VERDICT = {"zh": "结论", "en": "Verdict", "names": VERDICTS}
UNITS = {
    "ratio": "",
    "fraction": "_fraction",
    "s": "_s",
    "tokens/s": "_tokens_per_s",
    "TFLOP/s": "_tflops_per_s",
    "PetaOPS": "_petaops",
    "GW": "_gw",
    "hours": "_hours",
    "days": "_days",
    "chips": "_chips",
    "count": "_count",
}
"""What a unit adds to the name of a value."""
INTERVAL = {"zh": "90%区间", "en": "90% interval"}


def describe_claim(number: int, finding: Finding | None) -> dict:
    """A reported claim keeps that word, also where a model says what it would need."""
    claim = load_outside_claims()[number]
    row = {
        "number": number,
        "claim": {"zh": claim.claim.zh, "en": claim.claim.en},
        "verdict": "reported" if finding is None or claim.status == "reported" else finding.verdict,
    }
    if finding is None:
        return row
    unit = UNITS[finding.unit]
    return (
        row
        | _name_ends((finding.found_low, finding.found_high), unit)
        | {
            "likely": _name_ends(finding.interval, unit),
            "claimed": _name_ends((finding.claimed_low, finding.claimed_high), unit),
            f"cases{unit}": [[_finite(end) for end in case] for case in finding.intervals],
        }
    )


def _name_ends(ends: tuple[float, float], unit: str) -> dict:
    return {f"{name}{unit}": _finite(end) for name, end in zip(("low", "high"), ends, strict=True)}


def _finite(end: float) -> float | None:
    """None where a range has no end."""
    return end if isfinite(end) else None


def by_number(rows: list[dict]) -> dict:
    """Rows under the names by which texts quote them: `n4` is claim 4."""
    return {f"n{row['number']}": row for row in rows}


def join_range(low: str, high: str) -> str:
    """A range that is not torn apart at the end of a line: a word joiner stands on either side."""
    return f"{low}\u2060–\u2060{high}".replace("-", "−")

"""The claims of the debate, each with what models find of it or marked as reported: one table, no picture."""

from diglot.figures import make_table
from diglot.hardware import judge_claims, load_outside_claims

TITLE = {"zh": "争论中的说法与模型的结论", "en": "Claims of the debate, and what models find"}
MESSAGE = {
    "zh": "模型能判断的{judged_count}条说法里，{holds_count}条完全成立，{open_count}条未定",
    "en": "Of {judged_count} claims that models can judge, {holds_count} hold in full, {open_count} are open",
}
VERDICTS = {
    "holds": {"zh": "成立", "en": "holds"},
    "in part": {"zh": "部分成立", "en": "in part"},
    "does not hold": {"zh": "不成立", "en": "does not hold"},
    "open": {"zh": "未定", "en": "open"},
    "reported": {"zh": "仅有报道", "en": "reported"},
}
COLUMNS = {
    "number": {"zh": "编号", "en": "No.", "digits": 0},
    "claim": {"zh": "说法", "en": "Claim"},
    "verdict": {"zh": "结论", "en": "Verdict", "names": VERDICTS},
    "interval": {"zh": "90%区间", "en": "90% interval"},
    "found": {"zh": "依据", "en": "What models or reports say"},
}


def compute() -> dict:
    findings = judge_claims()
    rows = [describe_claim(claim, findings.get(number)) for number, claim in load_outside_claims().items()]
    verdicts = [row["verdict"] for row in rows]
    return {
        "rows": rows,
        "count": len(rows),
        "judged_count": len(rows) - verdicts.count("reported"),
        "holds_count": verdicts.count("holds"),
        "part_count": verdicts.count("in part"),
        "not_count": verdicts.count("does not hold"),
        "open_count": verdicts.count("open"),
    }


def describe_claim(claim, finding) -> dict:
    """A reported claim keeps that word, also where a model says what it would need."""
    reported = claim.status == "reported"
    said = [] if finding is None else [finding.told]
    said = [*said, *(report.says for report in claim.reports)][:: -1 if reported else 1]
    has_interval = not reported and not finding.is_exact
    return {
        "number": claim.number_index,
        "claim": {"zh": claim.claim.zh, "en": claim.claim.en},
        "verdict": "reported" if reported else finding.verdict,
        "interval": name_interval(finding) if has_interval else None,
        "found": {
            "zh": "；".join(note.zh.removesuffix("。") for note in said) + "。",
            "en": "; ".join(note.en.removesuffix(".") for note in said) + ".",
        },
    }


def name_interval(finding) -> str:
    """Its ends in the unit of the finding; a word joiner keeps a range together at the end of a line."""
    return "\u2060–\u2060".join(finding.printed_ends).replace("-", "−")


def table(data, t):
    return make_table(tuple(COLUMNS), data["rows"], t, by="verdict")

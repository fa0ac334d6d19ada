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
    interval = None if reported or finding.is_exact else name_interval(finding)
    return {
        "number": claim.number_index,
        "claim": {"zh": claim.claim.zh, "en": claim.claim.en},
        "verdict": "reported" if reported else finding.verdict,
        "interval": interval,
        "found": {
            language: {"zh": "", "en": " "}[language].join(
                filter(None, list_sentences(claim, finding, interval, language))
            )
            for language in ("zh", "en")
        },
    }


def list_sentences(claim, finding, interval: str | None, language: str) -> list[str]:
    """What models find, with its interval, and what others report or measured."""
    says = [getattr(report.says, language).rstrip("。.") for report in claim.reports]
    semicolon, stop = ("；", "。") if language == "zh" else ("; ", ".")
    reports = semicolon.join(says) + stop if says else ""
    told = getattr(finding.told, language) if finding else ""
    if claim.status == "reported":
        return [reports, told]
    sure = {"zh": f"90%区间：{interval}。", "en": f"90% interval: {interval}."}[language] if interval else ""
    return [told, sure, reports and {"zh": "别人实测：", "en": "Others measured: "}[language] + reports]


def name_interval(finding) -> str:
    """Its ends in the unit of the finding; a word joiner keeps a range together at the end of a line."""
    return "\u2060–\u2060".join(finding.printed_ends).replace("-", "−")


def table(data, t):
    return make_table(tuple(COLUMNS), data["rows"], t, by="verdict")

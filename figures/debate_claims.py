"""The claims of the debate, each with what models find of it or marked as reported: one table, no picture."""

import re
from math import inf, isfinite

from _claims import CLAIM, VERDICT, describe_claim, join_range

from diglot.figures import make_table
from diglot.hardware import judge_claims, load_outside_claims

TITLE = {"zh": "争论中的说法与模型的结论", "en": "Claims of the debate, and what models find"}
MESSAGE = {
    "zh": "模型能判断的{judged_count}条说法里，{holds_count}条成立，{part_count}条部分成立，"
    "{not_count}条不成立，{open_count}条未定；另有{reported_count}条只有报道",
    "en": "Of {judged_count} claims that models can judge, {holds_count} hold, {part_count} hold in part, "
    "{not_count} do not hold and {open_count} are open; {reported_count} more are only reported",
}
CHIPS = ("A100", "H100", "H200", "B200", "v2", "v3", "v4", "v5e", "v5p", "v6e", "v7")
COLUMNS = {
    "number": {"zh": "编号", "en": "No.", "digits": 0},
    "claim": CLAIM,
    "verdict": VERDICT,
    "measure": {"zh": "说法与算出的数", "en": "Claimed and computed"},
    "found": {"zh": "依据", "en": "What models or reports say"},
    "article": {"zh": "文章", "en": "Article"},
    "posts": {"zh": "出处", "en": "Source"},
    "chips": {"zh": "芯片", "en": "Chip", "names": {chip: chip for chip in CHIPS}},
}
UNITS = {
    "ratio": {"zh": "倍", "en": "×"},
    "fraction": {"zh": "%", "en": "%"},
    "chips": {"zh": "块", "en": " chips"},
    "hours": {"zh": "小时", "en": " hours"},
    "days": {"zh": "天", "en": " days"},
    "tokens/s": {"zh": " 词元/s", "en": " tokens/s"},
    "count": {"zh": "个不符", "en": " wrong"},
}
OTHER_NAMES = {"v6": "v6e", "Trillium": "v6e", "Ironwood": "v7"}
ARTICLES = {
    "gpu-vs-tpu": {"zh": "GPU与TPU", "en": "GPU vs TPU"},
    "systolic-array": {"zh": "脉动阵列想要什么", "en": "What a systolic array wants"},
    "compilers-and-kernels": {"zh": "编译器与内核", "en": "Compilers and kernels"},
    "mixture-of-experts": {"zh": "混合专家", "en": "Mixture of experts"},
    "bert-to-llms": {"zh": "从BERT到大模型", "en": "From BERT to LLMs"},
    "serving-70b": {"zh": "70B模型的推理服务", "en": "Serving a 70B model"},
    "cost-of-a-token": {"zh": "一个词元要多少钱", "en": "What a token costs"},
    "pods": {"zh": "Pod有多大用", "en": "Pods"},
    "choosing-a-chip": {"zh": "选一块芯片", "en": "Choosing a chip"},
    "training-and-inference": {"zh": "训练与推理", "en": "Training and inference"},
}
PLACES = {
    "gpu-vs-tpu": {"generations": (11, 28)},
    "systolic-array": {"tile": (29,), "cannot-hide": (1,), "sides": (30,)},
    "compilers-and-kernels": {"softmax": (48,), "wait": (2,), "migrate": (21, 34, 50)},
    "mixture-of-experts": {"trust": (3,)},
    "bert-to-llms": {"eras": (4,), "bert": (36,), "cnn": (5, 6), "bf16": (33,)},
    "serving-70b": {"clocks": (26,), "claims": (17, 18, 19, 22)},
    "cost-of-a-token": {
        "claims": (8, 9, 13, 16, 23, 25, 38, 39, 44),
        "power": (12, 20, 35, 40, 45),
        "rent": (37, 49),
    },
    "choosing-a-chip": {"phases": (27, 42, 46, 47), "pipeline": (43,)},
    "pods": {"torus": (31,), "decides": (32,), "slices": (10, 51), "failures": (41,)},
    "training-and-inference": {"training": (7, 14, 15), "inference": (24,)},
}
PAGES = ("training-and-inference",)
"""Where each claim is looked into: article, heading, claims."""


def compute() -> dict:
    findings = judge_claims()
    places = {
        number: (slug, heading)
        for slug, headings in PLACES.items()
        for heading, numbers in headings.items()
        for number in numbers
    }
    claims, rows = {}, []
    for number, claim in load_outside_claims().items():
        finding = findings.get(number)
        data = describe_claim(number, finding)
        claims[f"n{number}"] = {key: value for key, value in data.items() if key != "claim"}
        rows.append(describe_row(claim, finding, data) | locate(*places.get(number, (None, None))))
    verdicts = [row["verdict"] for row in rows]
    return {
        "rows": rows,
        "by_number": claims,
        "count": len(rows),
        "judged_count": len(rows) - verdicts.count("reported"),
        "holds_count": verdicts.count("holds"),
        "part_count": verdicts.count("in part"),
        "not_count": verdicts.count("does not hold"),
        "open_count": verdicts.count("open"),
        "reported_count": verdicts.count("reported"),
    }


def locate(slug: str | None, heading: str | None) -> dict:
    """The article of a claim, and the address of the place in it."""
    if slug is None:
        return {"article": None, "address": None}
    return {"article": ARTICLES[slug], "address": f"{'' if slug in PAGES else '/posts'}/{slug}/#{heading}"}


def describe_row(claim, finding, data: dict) -> dict:
    told = f"{claim.claim.en} {finding.told.en if finding else ''}"
    words = {OTHER_NAMES.get(word, word) for word in re.findall(r"\w+", told)}
    return {
        "number": claim.number_index,
        "claim": data["claim"],
        "verdict": data["verdict"],
        "measure": None if data["verdict"] == "reported" else name_measure(finding),
        "ranges": None if data["verdict"] == "reported" else list_ranges(finding),
        "found": {
            language: {"zh": "", "en": " "}[language].join(list_sentences(claim, finding, language))
            for language in ("zh", "en")
        },
        "posts": [{"zh": post.title.zh, "en": post.title.en} for post in claim.posts],
        "chips": [chip for chip in CHIPS if chip in words],
    }


def name_measure(finding) -> dict:
    """The range computed, and the interval of its calibrated values: a bound may lie outside of it."""
    unit = UNITS.get(finding.unit, {"zh": f" {finding.unit}", "en": f" {finding.unit}"})
    scale = 100 if finding.unit == "fraction" else 1
    claimed = name_limits(scale * finding.claimed_low, scale * finding.claimed_high)
    found = name_range(scale * finding.found_low, scale * finding.found_high)
    likely = name_range(*(scale * end for end in finding.interval))
    texts = {
        "zh": f"说法{claimed['zh']}{unit['zh']}，算出{found}{unit['zh']}",
        "en": f"Claimed {claimed['en']}{unit['en']}, computed {found}{unit['en']}",
    }
    if finding.is_exact:
        return texts
    return {
        "zh": f"{texts['zh']}（校准值的90%区间{likely}）",
        "en": f"{texts['en']} (calibrated: 90% interval {likely})",
    }


def list_ranges(finding) -> dict:
    """What the page draws: None is a side without an end."""
    ends = {
        "claimed": (finding.claimed_low, finding.claimed_high),
        "found": (finding.found_low, finding.found_high),
        "likely": finding.interval,
    }
    pairs = {name: [end if isfinite(end) else None for end in pair] for name, pair in ends.items()}
    return {**pairs, "is_open": finding.verdict == "open"}


def name_limits(low: float, high: float) -> dict:
    """A range of which one end may say nothing: no end, or no less than nothing."""
    if high == inf:
        return {"zh": f"至少{name_number(low)}", "en": f"at least {name_number(low)}"}
    if low == 0 < high:
        return {"zh": f"至多{name_number(high)}", "en": f"at most {name_number(high)}"}
    return dict.fromkeys(("zh", "en"), name_range(low, high))


def name_range(low: float, high: float) -> str:
    ends = dict.fromkeys(name_number(end) for end in (low, high))
    return join_range(*ends) if len(ends) == 2 else next(iter(ends))


def name_number(number: float) -> str:
    """Two digits, or all of a whole number."""
    if number == inf:
        return "∞"
    text = f"{number:,.0f}" if abs(number) >= 10 or number == int(number) else f"{number:.2g}"
    return text.replace("-", "−")


def list_sentences(claim, finding, language: str) -> list[str]:
    """What models find, and what others report or measured."""
    says = [getattr(report.says, language).rstrip("。.") for report in claim.reports]
    semicolon, stop = ("；", "。") if language == "zh" else ("; ", ".")
    reports = semicolon.join(says) + stop if says else ""
    told = getattr(finding.told, language) if finding else ""
    if claim.status != "reported":
        reports = reports and {"zh": "别人实测：", "en": "Others measured: "}[language] + reports
    return [text for text in ((reports, told) if claim.status == "reported" else (told, reports)) if text]


def table(data, t):
    shown = ("number", "claim", "verdict", "measure", "found", "article")
    return make_table(
        shown, data["rows"], t, by="verdict", filters=("posts", "chips"), link="address", ranges="ranges"
    )

"""Words that say a quantity is about, above or below what is written: `more than`, `不到`, `左右`."""

import re

from diglot.languages import Language
from diglot.quantities.quantity import Qualifier

_ABOVE = (
    r"(?:more than|(?:long|larg|bigg|great|wid|tall)er than|over|above|at least|upwards of"
    r"|a minimum of|exceed(?:s|ing)?(?:[ \u00a0](?:an?|the)[ \u00a0]\w+[ \u00a0]of)?|beyond)"
)
_BELOW = (
    r"(?:less than|(?:short|small|narrow)er than|fewer than|under|below|at most|up to|almost|nearly|within"
    r"|just short of|a maximum of)"
)
_DENIED_EN = r"(?:\b(?:no|not|never|none of)|n[’']t)(?:[ \u00a0][a-z]+){0,4}?[ \u00a0]"
"""What turns a word behind it: `no step takes more than`."""
_ABOUT = r"(?:about|around|roughly|approximately|some|close to|or so|circa)"
_Patterns = tuple[tuple[re.Pattern[str], Qualifier], ...]
_SIGNS: _Patterns = (
    (re.compile(r"[>≥][ \u00a0]?\Z"), "above"),
    (re.compile(r"[<≤][ \u00a0]?\Z"), "below"),
    (re.compile(r"[≈~][ \u00a0]?\Z"), "about"),
)
_OF_WHAT = "(?:[\u3400-\u9fff]{1,8}的)?"
"""Between such a word and its quantity, as in 不到租金的百分之三."""
_VERB = "(?:需要?|可以?|能|要|有|为|用|达|装|放|取|读|写|存|算|跑|占|开|发|收)?"
"""As in 不到3 ms and 超过了3 ms."""
_ANY_VERB = "(?:[\u3400-\u9fff](?<!的)){0,2}"
_BEFORE: dict[Language, _Patterns] = {
    "en": (
        (
            re.compile(rf"{_DENIED_EN}{_ABOVE}[ \u00a0](?:an?[ \u00a0])?\Z", re.I),
            "below",
        ),
        (
            re.compile(rf"{_DENIED_EN}{_BELOW}[ \u00a0](?:an?[ \u00a0])?\Z", re.I),
            "above",
        ),
        (re.compile(rf"\b{_ABOVE}[ \u00a0](?:an?[ \u00a0])?\Z", re.I), "above"),
        (re.compile(rf"\b{_BELOW}[ \u00a0](?:an?[ \u00a0])?\Z", re.I), "below"),
        (re.compile(rf"\b{_ABOUT}[ \u00a0](?:an?[ \u00a0])?\Z", re.I), "about"),
        *_SIGNS,
    ),
    "zh": (
        (
            re.compile(
                rf"(?:不到{_OF_WHAT}|(?<!不)(?:低于|小于|少于)|不足"
                rf"|(?:不|不会|未|没有(?:一[\u3400-\u9fff]{{1,4}})?)(?:超过|大于|高于|多于)|接近|将近|近)"
                rf"{_VERB}了?[ \u00a0]?\Z|[至最]多{_ANY_VERB}[ \u00a0]?\Z"
            ),
            "below",
        ),
        (
            re.compile(
                rf"(?:超过?{_OF_WHAT}|高于|大于|多于|不少于|不低于|不小于|逾){_VERB}了?[ \u00a0]?\Z"
                rf"|[至最]少{_ANY_VERB}[ \u00a0]?\Z"
            ),
            "above",
        ),
        (re.compile(r"(?:约|大约|约为|大概|差不多)[ \u00a0]?\Z"), "about"),
        *_SIGNS,
    ),
}
_BEHIND: _Patterns = (
    (
        re.compile(
            r"[ \u00a0]?(?:以上|开外|有余|出头|还多|多(?=[，。；]|\Z)"
            r"|or more\b|and more\b|(?:[a-z]+ )?at least\b(?! \d)"
            r"|\+(?![ \u00a0]?\d))"
        ),
        "above",
    ),
    (re.compile(r"[ \u00a0]?(?:以下|以内|or less\b|or fewer\b|(?:[a-z]+ )?at most\b(?! \d))"), "below"),
    (re.compile(r"[ \u00a0]?(?:左右|上下|or so\b)"), "about"),
)
_LONGEST = 40


def qualifier_at(text: str, start: int, end: int, language: Language) -> Qualifier:
    """What the words before and behind a quantity say of it."""
    before = text[max(0, start - _LONGEST) : start].removesuffix("±")
    for pattern, qualifier in _BEFORE[language]:
        if pattern.search(before):
            return qualifier
    return next((qualifier for pattern, qualifier in _BEHIND if pattern.match(text, end)), "")

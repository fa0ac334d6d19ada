"""Words that say a quantity is about, above or below what is written: `more than`, `不到`, `左右`."""

import re

from diglot.languages import Language
from diglot.quantities.quantity import Qualifier

_ABOVE = (
    r"(?:more than|over|above|at least|greater than|upwards of"
    r"|exceed(?:s|ing)?|beyond)"
)
_BELOW = r"(?:less than|fewer than|under|below|at most|up to|almost|nearly|within|just short of)"
_ABOUT = r"(?:about|around|roughly|approximately|some|close to|or so|circa)"
_Patterns = tuple[tuple[re.Pattern[str], Qualifier], ...]
_SIGNS: _Patterns = (
    (re.compile(r"[>≥][ \u00a0]?\Z"), "above"),
    (re.compile(r"[<≤][ \u00a0]?\Z"), "below"),
    (re.compile(r"[≈~][ \u00a0]?\Z"), "about"),
)
_OF_WHAT = "(?:[\u3400-\u9fff]{1,8}的)?"
"""Between such a word and its quantity, as in 不到租金的百分之三."""
_VERB = "(?:需要?|可以?|能|要|有|为|用|达)?"
_BEFORE: dict[Language, _Patterns] = {
    "en": (
        (
            re.compile(rf"(?:\b(?:no|not|never)|n[’']t)[ \u00a0]{_ABOVE}[ \u00a0](?:an?[ \u00a0])?\Z", re.I),
            "below",
        ),
        (
            re.compile(rf"(?:\b(?:no|not|never)|n[’']t)[ \u00a0]{_BELOW}[ \u00a0](?:an?[ \u00a0])?\Z", re.I),
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
                rf"(?:不到{_OF_WHAT}|(?<!不)(?:低于|小于|少于)|至多|最多|不足|(?:不|不会|未|没有)(?:超过|大于|高于|多于)|接近|将近|近)"
                rf"{_VERB}了?[ \u00a0]?\Z"
            ),
            "below",
        ),
        (
            re.compile(
                rf"(?:超过?{_OF_WHAT}|高于|大于|多于|至少|不少于|不低于|不小于|逾){_VERB}了?[ \u00a0]?\Z"
            ),
            "above",
        ),
        (re.compile(r"(?:约|大约|约为|大概|差不多)[ \u00a0]?\Z"), "about"),
        *_SIGNS,
    ),
}
_BEHIND: _Patterns = (
    (re.compile(r"[ \u00a0]?(?:以上|开外|有余|出头|还多|or more\b|and more\b|\+(?![ \u00a0]?\d))"), "above"),
    (re.compile(r"[ \u00a0]?(?:以下|以内|or less\b|or fewer\b)"), "below"),
    (re.compile(r"[ \u00a0]?(?:左右|上下|or so\b)"), "about"),
)
_LONGEST = 24


def qualifier_at(text: str, start: int, end: int, language: Language) -> Qualifier:
    """What the words before and behind a quantity say of it."""
    before = text[max(0, start - _LONGEST) : start].removesuffix("±")
    for pattern, qualifier in _BEFORE[language]:
        if pattern.search(before):
            return qualifier
    return next((qualifier for pattern, qualifier in _BEHIND if pattern.match(text, end)), "")

"""Words that say how many times one quantity is another: "twice", "half", "3×", “两倍”, “一半”."""

import re
from collections.abc import Iterator

from diglot.languages import Language

_CHINESE = dict(zip("一二两三四五六七八九十", (1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True))
_ENGLISH = {
    **{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10},
    **{"third": 3, "quarter": 4, "fifth": 5, "tenth": 10},
}
_ENGLISH_WORDS: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), ratio)
    for words, ratio in (
        ("twice|doubl(?:e|es|ed|ing)", 2.0),
        ("half|halv(?:e|es|ed|ing)", 2.0),
        ("tripl(?:e|es|ed|ing)", 3.0),
        ("quadrupl(?:e|es|ed|ing)", 4.0),
        ("(?:an|one) order of magnitude", 10.0),
    )
)
_ENGLISH_TIMES = re.compile(
    rf"\b({'|'.join(_ENGLISH)}|\d+(?:\.\d+)?)(?:[ -]times\b|-?fold\b|\s?×)", re.IGNORECASE
)
_ENGLISH_PART = re.compile(r"\b(?:a|one)[ -](third|quarter|fifth|tenth)\b", re.IGNORECASE)
_CHINESE_WORDS: tuple[tuple[re.Pattern[str], float], ...] = (
    (re.compile("翻(?:了)?(?:一)?[倍番]|加倍|成倍"), 2.0),
    (re.compile("一半|减半|过半|半数"), 2.0),
    (re.compile("(?:一|1) ?个数量级"), 10.0),
)
_CHINESE_TIMES = re.compile(r"([二两三四五六七八九十]|\d+(?:\.\d+)?) ?倍")
_CHINESE_PART = re.compile("([三四五六七八九十])分之一")
_EXPRESSION = re.compile(r"\{[^}]*\}")


def ratios_in(template: str, language: Language) -> Iterator[tuple[str, float]]:
    """Each such word in what an author wrote, and the ratio that it names: at least 1, 2 for “half” too."""
    text = _EXPRESSION.sub("{}", template)
    for pattern, ratio in _ENGLISH_WORDS if language == "en" else _CHINESE_WORDS:
        for found in pattern.finditer(text):
            yield found[0], ratio
    times, part = (_ENGLISH_TIMES, _ENGLISH_PART) if language == "en" else (_CHINESE_TIMES, _CHINESE_PART)
    known = _ENGLISH if language == "en" else _CHINESE
    for pattern in (times, part):
        for found in pattern.finditer(text):
            word = found[1].lower()
            number = float(known[word]) if word in known else float(word)
            if number > 0:
                yield found[0], max(number, 1 / number)

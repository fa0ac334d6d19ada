"""Ordinal numbers: `the second layer`, `3rd`, `Q2`, `第二层`, `首个`. Both halves name the same ones."""

import re
from collections.abc import Iterator

from diglot.languages import Language
from diglot.quantities.counts import Count
from diglot.quantities.numerals import chinese_value

_WORDS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)
_ENGLISH = re.compile(
    r"(?<![\w/-])(?:(?P<before>[A-Za-z]+)[ \u00a0-])?"
    rf"(?:(?P<word>{'|'.join(_WORDS)})|(?P<digits>\d{{1,6}})(?:st|nd|rd|th))\b(?!-)",
    re.I,
)
_SEVERAL = re.compile(r"[ \u00a0](?:two|three|four|five|six|seven|eight|nine|ten|few|half|and|\d+)\b", re.I)
"""Behind `the first`: what follows is no single thing, and Chinese says 前三次."""
_CHINESE = re.compile(
    "第[ \u00a0]?(?:(?P<words>[一二三四五六七八九十]+)|(?P<digits>\\d{1,6}(?!\\d)))"
    "|(?P<first>(?:首|头一)[个次批款代颗家台])"
)
_QUARTER = re.compile(r"(?<![A-Za-z0-9/_-])Q(?P<quarter>[1-4])(?![A-Za-z0-9_-])")
_CHINESE_QUARTER = re.compile("(?<![第前后一二三四])(?P<words>[一二三四])季度")


def ordinals_in(text: str, language: Language) -> Iterator[Count]:
    """The ordinal numbers of a text. English words surely count only after `the`."""
    yield from _in_chinese(text) if language == "zh" else _in_english(text)
    for found in _QUARTER.finditer(text):
        yield Count(int(found["quarter"]), found.group())


def _in_english(text: str) -> Iterator[Count]:
    for found in _ENGLISH.finditer(text):
        before, word = (found["before"] or "").lower(), found["word"]
        value = int(found["digits"]) if word is None else _WORDS.index(word.lower()) + 1
        is_sure = before == "the" and _SEVERAL.match(text, found.end()) is None
        yield Count(value, found.group(), word is None or is_sure)


def _in_chinese(text: str) -> Iterator[Count]:
    for found in _CHINESE.finditer(text):
        value = 1.0 if found["first"] else float(found["digits"] or chinese_value(found["words"]) or 0)
        yield Count(value, found.group())
    for found in _CHINESE_QUARTER.finditer(text):
        yield Count(chinese_value(found["words"]) or 0, found.group())

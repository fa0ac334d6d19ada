"""Numbers in words that count things of any kind: `three models`, `八个`, `四百一十九次`.

They are no quantities, because what they count has no unit; but both halves of a text count the same.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from diglot.languages import Language
from diglot.quantities.chinese import HINT as CHINESE_HINT
from diglot.quantities.chinese import MORE
from diglot.quantities.numerals import chinese_words_at, english_words_in, is_vague
from diglot.quantities.qualifiers import qualifier_at
from diglot.quantities.quantity import Qualifier, Quantity


class Count(NamedTuple):
    """A number in words."""

    value: float
    text: str
    """As written, with the measure word behind it."""
    counts: bool = True
    """Whether it surely counts something: `一` and `one` are in too many other words."""
    is_missed: bool = False
    """Whether the other half should have it, too: three or more things. Of two it may say nothing."""
    qualifier: Qualifier = ""
    start: int = 0
    """Where it is in the text."""


_MEASURE = re.compile(
    "[ \u00a0]?[个种颗块片张台条名位只路样行代笔次步项层件本份段类组家款句轮批节级座套部者列头拍波卡机处轴]"
)
_APART = re.compile("[第每上]")
"""Before a numeral: it is an ordinal, or a part of another word."""
_ROUND = 30
"""From here on a number with 多 behind it is nearly that; 十多个 may be a dozen, 二十多个 two dozen."""
_BOTH = re.compile(r"\b[Bb]oth\b(?P<things> [a-z]+s\b(?! and\b))?")
"""Surely two things only with a noun behind it: `both ridges`, not `both fast and small`."""
_MISSED = 3
"""From here on a count is missed in a half that has no number for it; 三者 is `all of them`."""
_THINGS = re.compile("[ \u00a0](?:[a-z-]+[ \u00a0]){0,2}[a-z]+s\\b")
_HAN_NUMERAL = re.compile("[零〇一二三四五六七八九两十百千万亿]+")


def counts_in_words(text: str, language: Language, quantities: Sequence[Quantity] = ()) -> Iterator[Count]:
    """The numbers in words of a text that are no part of its quantities."""
    for quantity in quantities:
        text = f"{text[: quantity.start]}{' ' * (quantity.end - quantity.start)}{text[quantity.end :]}"
    yield from _in_chinese(text) if language == "zh" else _in_english(text)


def _in_chinese(text: str) -> Iterator[Count]:
    if CHINESE_HINT.search(text) is None:
        return
    for found in _HAN_NUMERAL.finditer(text):
        number = chinese_words_at(text, found.start())
        if number is None or is_vague(text, found.start()) or _APART.match(text, max(0, found.start() - 1)):
            continue
        more = MORE.match(text, found.end())
        measure = _MEASURE.match(text, more.end() if more else found.end())
        is_exact = more is None or number.value >= _ROUND
        counts = (
            measure is not None and is_exact and number.value >= 2 and found.group() != "二"
        )  # 二次: an order
        is_missed = counts and number.value >= _MISSED and text[found.end()] != "者"
        end = measure.end() if measure else found.end()
        qualifier = qualifier_at(text, found.start(), end, "zh")
        yield Count(number.value, text[found.start() : end], counts, is_missed, qualifier, found.start())


def _in_english(text: str) -> Iterator[Count]:
    for begin, number in english_words_in(text):
        if not is_vague(text, begin):
            is_missed = number.value >= _MISSED and _THINGS.match(text, number.end) is not None
            qualifier = qualifier_at(text, begin, number.end, "en")
            written = text[begin : number.end]
            yield Count(number.value, written, number.value >= 2, is_missed, qualifier, begin)
    for both in _BOTH.finditer(text):
        yield Count(2, both.group(), both["things"] is not None)

"""Compares where values lead: `快30%` and `30% slower`, `高于` and `below` before a bound value.

Only a word and its very opposite differ: what is 30% quicker may take less time, and `降低` may be `saves`.
The value has to be the same and the only one of its kind in both sentences, and neither half may compare in
the other order: `A比B慢` is `B is faster than A`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from diglot.content.differences import Difference
from diglot.content.prose import BOUND
from diglot.content.sentence_pairs import sentence_pairs
from diglot.languages import Language
from diglot.quantities.quantity import Quantity
from diglot.quantities.reading import quantities_in

_RISES = (
    r"(?:rises?|rose|risen|rising|grows?|grew|grown|growing|increases?|increased|increasing|climbs?|climbed)"
)
_FALLS = (
    r"(?:falls?|fell|fallen|falling|drops?|dropped|dropping|decreases?|decreased|decreasing"
    r"|declines?|declined)"
)
_COMPARATIVES = (
    ("快", "faster|quicker|as fast|as quick", "慢", "slower|as slow"),
    ("高", "higher|taller|as high|as tall", "低", "lower|as low"),
    ("多", "more(?! expensive)|as many|as much", "少", "less(?! expensive)|fewer|as few|as little"),
    ("大(?![约概致])", "larger|bigger|greater|as large|as big", "小", "smaller|as small"),
    ("长", "longer|as long", "短", "shorter|as short"),
    ("贵", "dearer|more expensive|costlier|as expensive", "便宜", "cheaper|less expensive|as cheap"),
    ("重", "heavier|as heavy", "轻", "lighter|as light"),
    ("宽", "wider|as wide", "窄", "narrower|as narrow"),
    ("强", "stronger|as strong", "弱", "weaker|as weak"),
)
_CHANGES = (("增加|增长|增大|上升|升高|上涨|涨", _RISES, "减少|减小|下降|降低|下跌|跌", _FALLS),)
_HEDGE_ZH = (
    "(?:[用花要占付读写跑])?(?:出|上|了|过|约|大约|大概|近|将近|接近|整整|不到|超过|至少|至多|最多|差不多)*"
)
_HEDGE_EN = (
    r"(?:(?:about|around|roughly|nearly|almost|some|over|up to|more than|less than|at least|at most|only|an?)"
    r"[ \u00a0])*"
)


class _Word(NamedTuple):
    """A word that is right before a value in Chinese, and where its opposite is in English."""

    zh: re.Pattern[str]
    opposite_before: re.Pattern[str]
    opposite_behind: re.Pattern[str]

    @classmethod
    def of(cls, zh: str, opposite: str, *, is_verb: bool) -> "_Word":
        by = r"(?:[ \u00a0]by)?" if is_verb else r"[ \u00a0]by"
        apart = "" if is_verb else "(?<![最至不没很较太偏减缺提升降缩增加放扩多延])"
        return cls(
            re.compile(rf"{apart}(?:{zh}){_HEDGE_ZH}\Z"),
            re.compile(rf"\b(?P<word>{opposite}){by}[ \u00a0]{_HEDGE_EN}\Z", re.I),
            re.compile(rf"(?:[ \u00a0]times)?[ \u00a0-](?P<word>{opposite})\b", re.I),
        )

    @classmethod
    def of_limit(cls, zh: str, opposite: str) -> "_Word":
        """The same before a value that something is compared with: `慢于3毫秒`, `faster than 3 ms`."""
        return cls(
            re.compile(rf"(?:{zh})于{_HEDGE_ZH}\Z"),
            re.compile(rf"\b(?P<word>(?:{opposite})[ \u00a0]than)[ \u00a0]{_HEDGE_EN}\Z", re.I),
            re.compile("(?P<word>)(?!)"),
        )


_WORDS = (
    *(
        word
        for zh_more, en_more, zh_less, en_less in _COMPARATIVES
        for word in (_Word.of_limit(zh_more, en_less), _Word.of_limit(zh_less, en_more))
    ),
    *(
        word
        for table, is_verb in ((_COMPARATIVES, False), (_CHANGES, True))
        for zh_more, en_more, zh_less, en_less in table
        for word in (_Word.of(zh_more, en_less, is_verb=is_verb), _Word.of(zh_less, en_more, is_verb=is_verb))
    ),
)
_STAND_IN = "7919"
"""In place of a value that is bound: a number that no sentence has."""
_NO = re.compile(r"[不没未无]|\b(?:not|no|never|cannot)\b|n[’']t\b", re.I)
_BUT = re.compile("不到|不足|不止|不超过")
"""Words with a no that are about the number behind them."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]+")
_THAN = {"zh": re.compile("比(?!例|特)|相比"), "en": re.compile(r"\bthan\b|\bas \w+ as\b", re.I)}
_MAY_DIFFER = re.compile("[快慢高低多少大小长短贵宜重轻宽窄强弱增升涨减降跌至最过于足到]")


class _Said(NamedTuple):
    """A sentence with its quantities."""

    text: str
    quantities: tuple[Quantity, ...]

    @classmethod
    def of(cls, sentence: str, language: Language) -> "_Said":
        """A bound value is a quantity, too, if it is the only one of its sentence."""
        is_bound = sentence.count(BOUND) == 1
        text = sentence.replace(BOUND, _STAND_IN) if is_bound else sentence
        return cls(text, quantities_in(text, language))


def compare_directions(zh: str, en: str) -> Iterator[Difference]:
    """The values that lead to more in one half, and to less in the other."""
    if _MAY_DIFFER.search(zh) is None:
        return
    for here, there in sentence_pairs(zh, en):
        if _MAY_DIFFER.search(here) is None:
            continue
        left, right = _Said.of(here, "zh"), _Said.of(there, "en")
        for value in left.quantities:
            rivals = [other for other in left.quantities if value.agrees(other)]
            twins = [other for other in right.quantities if value.agrees(other)]
            if len(rivals) == len(twins) == 1:
                yield from _compare(value, twins[0], left, right)


def _compare(value: Quantity, twin: Quantity, here: _Said, there: _Said) -> Iterator[Difference]:
    if _STAND_IN in value.text and {value.qualifier, twin.qualifier} == {"above", "below"}:
        less, more = ("less", "more") if value.qualifier == "below" else ("more", "less")
        yield _told(f"{less} than a value here, {more} than it in the English half")
        return
    before, behind = there.text[: twin.start], there.text[twin.end :]
    for word in _WORDS:
        said = word.zh.search(here.text[: value.start])
        opposite = said and (word.opposite_behind.match(behind) or word.opposite_before.search(before))
        if said and opposite and not _is_turned(value, here.text, there.text):
            number = "a value" if _STAND_IN in value.text else f"“{value.text}”"
            yield _told(f"“{said.group()}” before {number} here, “{opposite['word']}” in the English half")
            return


def _told(message: str) -> Difference:
    return Difference(rule="halves-quantity", message=message)


def _is_turned(value: Quantity, zh: str, en: str) -> bool:
    """Whether a half denies, or compares in the other order, so that opposite words say the same."""
    if _NO.search(_BUT.sub("", zh)) or _NO.search(en):
        return True
    than = _THAN["zh"].search(zh), _THAN["en"].search(en)
    shared = [name for name in _NAME.findall(zh) if re.search(rf"\b{name}\b", en)]
    if than[0] is not None and than[1] is not None and not shared:
        return value.unit == "times"
    if len(set(shared)) >= 2:
        first = next(name for name in _NAME.findall(en) if name in shared)
        return bool(first != shared[0])
    if than[0] is not None and than[1] is not None:
        sides = {(zh.index(name) < than[0].start()) == (en.index(name) < than[1].start()) for name in shared}
        return sides != {True}
    return False

"""Finds sentences that name a pole in one half, and its opposite in the other: left and right, `the higher`
and 越低.

Words that change places when a sentence is turned round, such as before and after, are not among them.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from diglot.content.differences import Difference
from diglot.content.sentence_pairs import sentence_pairs


class _Poles(NamedTuple):
    """Two opposite words in both languages. In a pattern, the first group is the first of them."""

    zh: re.Pattern[str]
    en: re.Pattern[str]
    keep_order: bool = False
    """Whether a sentence that has both names them in the same order in both languages."""

    @classmethod
    def of(cls, zh: tuple[str, str], en: tuple[str, str], *, keep_order: bool = False) -> "_Poles":
        """The poles of a pair of patterns in each language."""
        in_zh, in_en = "({})|({})".format(*zh), r"\b(?:({})|({}))\b".format(*en)
        return cls(re.compile(in_zh), re.compile(in_en, re.I), keep_order)


_ADJECTIVES = (
    ("高", "低", "higher", "lower"),
    ("大", "小", "larger|bigger|greater", "smaller"),
    ("长", "短", "longer", "shorter"),
    ("快", "慢", "faster|quicker", "slower"),
    ("宽", "窄", "wider", "narrower"),
    ("深", "浅", "deeper", "shallower"),
    ("强", "弱", "stronger", "weaker"),
    ("多", "少", "more", "fewer|less"),
    ("早|先", "晚|迟", "earlier|sooner", "later"),
)
_POLES = (
    _Poles.of(("左(?!右)", "(?<!左)右"), ("left", "right"), keep_order=True),
    _Poles.of(("上限|上界", "下限|下界"), ("upper (?:bound|limit)s?", "lower (?:bound|limit)s?")),
    _Poles.of(("顶[边部端]|最上[面边]", "底[边部端]|最下[面边]"), ("top", "bottom")),
    _Poles.of(("乐观", "悲观"), ("optimistic", "pessimistic")),
    _Poles.of(("最早", "最晚|最迟"), ("earliest|soonest", "latest")),
    _Poles.of(("最快", "最慢"), ("fastest|quickest", "slowest")),
    _Poles.of(("最大", "最小"), ("largest|biggest", "smallest")),
    _Poles.of(("最长", "最短"), ("longest", "shortest")),
    _Poles.of(("输入", "输出"), ("inputs?", "outputs?")),
    _Poles.of(("上传", "下载"), ("upload\\w*", "download\\w*")),
    _Poles.of(("横向|水平", "纵向|竖直|垂直"), ("horizontal(?:ly)?", "vertical(?:ly)?")),
    _Poles.of(("升序", "降序"), ("ascending", "descending")),
    _Poles.of(("正[数值]|为正", "负[数值]|为负"), ("positive", "negative")),
    _Poles.of(("奇数", "偶数"), ("odd", "even")),
)
_GROWING = tuple(
    _Poles.of((f"越(?:{more})", f"越(?:{less})"), (f"the (?:{en_more})", f"the (?:{en_less})"))
    for more, less, en_more, en_less in _ADJECTIVES
)
"""`越高` and `the higher`. Two may be turned round together: `越小越慢` is `the larger, the faster`."""


def compare_poles(zh: str, en: str) -> Iterator[Difference]:
    """The words of which each half has only the opposite, in sentences that surely belong together."""
    for here, there in sentence_pairs(zh, en):
        yield from filter(None, (_opposite(poles, here, there) for poles in _POLES))
        turned = [*filter(None, (_opposite(poles, here, there) for poles in _GROWING))]
        if len(turned) == 1:
            yield turned[0]


def _opposite(poles: _Poles, zh: str, en: str) -> Difference | None:
    """What is reported if each sentence has another of two poles alone, or both in another order."""
    here, there = [*poles.zh.finditer(zh)], [*poles.en.finditer(en)]
    if not here or not there or here[0].lastindex == there[0].lastindex:
        return None
    if _both(here) != _both(there) or (_both(here) and not poles.keep_order):
        return None
    message = f"“{here[0].group()}” here, “{there[0].group()}” in the English half"
    return Difference(rule="halves-opposite", message=message)


def _both(found: list[re.Match[str]]) -> bool:
    return len({one.lastindex for one in found}) == 2

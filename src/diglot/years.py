"""Numbers that are names: years, and whatever else is shown without groups of digits."""

import math
import re
from collections.abc import Iterable
from typing import Any, Literal

from diglot.languages import exact_number

_WORDS = re.compile(r"[a-z]+|[\u4e00-\u9fff]+")
_CALLED = ("year", "years", "yr", "date", "dates")
_CALLED_IN_CHINESE = ("年份", "年度", "年代", "日期")
_NO_YEAR = ("per", "each", "every", "a", "to")
"""Before `year`, they make a quantity of something: `tokens_per_year`."""
_COUNTED = frozenset(
    re.findall(
        r"\w+",
        "count counts number numbers total totals sum span spans length duration rate rates cost costs price "
        "revenue sales average mean median change growth limit energy hours days tokens",
    )
)
"""Behind `year`, they make a quantity, too: `year_count`."""
_DATE = re.compile(r"(?<![a-z])dates?(?![a-z])|日期")
_EVENT = re.compile(
    r"(?:first )?(?:founded|established|since|launched|introduced|announced|released|published|invented|born"
    r"|died|built|opened|closed|retired|discontinued)(?: in| on)?"
    r"|(?:first|last|start|begin|beginning|end|from|until|till|to)"
    r"|(?:首次)?(?:成立|创立|创办|发布|推出|发明|出生|去世|建成|停产)于?|起始|开始|结束|[起止始终自至]"
)
"""What has a year as its value if nothing is counted: `founded`, but not `papers_released`.

A `start` or an `end` may be a place in a sequence too, and then is not wrong without a comma: `2048`.
"""
_IDENTIFIERS = (
    r"(?:part|model|serial|order|invoice|ticket|issue|room|phone|account|build) numbers?"
    r"|(?:zip|post|postal|area|error|status|exit|country|product|item) codes?"
    r"|port|[gptu]?id|model|version|revision|rev|release|driver|seed|flight|room|sku|zip|postcode|serial|build|phone|telephone|fax|mobile"
    r"|isbn|issn|doi|pmid|rfc|asn|ean|upc|barcode|imei|cve"
)
_IDENTIFIERS_IN_CHINESE = (
    "编号|型号|版本号?|端口号?|序列号|流水号|订单号|单号|工号|学号|货号|房间号|门牌号|车牌号|卡号|账号|机型"
    "|邮编|邮政编码|区号|电话(?:号码)?|手机号?(?:码)?|传真|代号|错误码|状态码|条形码|书号"
)
_LABEL = re.compile(rf"(?:.* )?(?:{_IDENTIFIERS})|[^每个]*(?:{_IDENTIFIERS_IN_CHINESE})")
_NO_LABEL = re.compile(rf"\b(?:per|each|every|a|by|of) (?:\w+ )?(?:numbers?|{_IDENTIFIERS})$")
"""Quantities: `bytes_per_port`, `number of port`."""
_FIRST, _LAST = 1000, 2999
_FIRST_RECENT, _LAST_RECENT = 1900, 2100


def are_years(values: Iterable[Any], *, recent: bool = False, whole: bool = True) -> bool:
    """Whether these are numbers that can all be years, and any: `recent` ones from 1900 to 2100.

    With `whole=False` they can also lie within a year: 2021.5.
    """
    first, last = (_FIRST_RECENT, _LAST_RECENT) if recent else (_FIRST, _LAST)
    given = [*values]
    return bool(given) and all(
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and first <= value <= last
        and (not whole or value == int(value))
        for value in given
    )


def is_called_year(name: str) -> bool:
    """Whether a name, such as `release_year`, `Year of release` or `发布年份`, says that it holds a year.

    A quantity per year does not.
    """
    words = _WORDS.findall(name.lower())
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        if word in _CALLED:
            is_plain = after not in _COUNTED and (word, after) != ("years", "of")
            return is_plain and before not in _NO_YEAR
        if word.endswith(_CALLED_IN_CHINESE) or word == "年":
            return True
    return False


Naming = Literal["date", "year", "event", "label"]
"""What a name says its numbers are: days or years, years, recent years, or labels such as ports."""


def naming_of(*names: str) -> Naming | None:
    """What the first of these names that says so says its numbers are. None for quantities."""
    for name in names:
        words = " ".join(_WORDS.findall(name.lower()))
        if is_called_year(name):
            return "date" if _DATE.search(words) else "year"
        if _EVENT.fullmatch(words):
            return "event"
        if _LABEL.fullmatch(words) and "/" not in name and not _NO_LABEL.search(words):
            return "label"
    return None


def are_named(values: Iterable[Any], naming: Naming | None, *, whole: bool = True) -> bool:
    """Whether these are numbers, and any, that can be what their name says, and are no quantities."""
    given = [*values]
    if naming == "label":
        return bool(given) and all(_is_label(value, whole=whole) for value in given)
    if naming == "date" and given and all(map(_is_day, given)):
        return True
    return naming is not None and are_years(given, recent=naming == "event", whole=whole)


def _is_label(value: Any, *, whole: bool) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and 0 <= value < math.inf
        and (not whole or value == int(value))
    )


def _is_day(value: Any) -> bool:
    """Whether a number is a day in eight digits: 20240131."""
    return (
        _is_label(value, whole=True)
        and _FIRST <= value // 10_000 <= _LAST
        and 1 <= value // 100 % 100 <= 12
        and 1 <= value % 100 <= 31
    )


class Year(int):
    """A whole number that is a name, such as a year; so is the sum of a year and a number of years."""

    def __add__(self, other: int) -> int:
        return Year(int(self) + other) if type(other) is int else int(self) + other

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        return Year(int(self) - other) if type(other) is int else int(self) - other


def ungrouped(value: float) -> str:
    """A number with all its digits and no commas, as in the name of a year or a port: `2026`."""
    return exact_number(value).replace(",", "")

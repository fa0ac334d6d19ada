"""Units as both languages write them, each with the base unit and how many of those it is.

A compound unit is read from its parts: `TB/s`, `tokens per second`, `美元/百万词元`. Counted things such as
tokens and chips are units too, so that 4,096 tokens and 4,096 chips differ. Other nouns are none.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit in terms of a base unit."""

    base: str
    factor: float


_DECIMAL = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18, "Z": 1e21}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}


_SMALL = {"c": 1e-2, "m": 1e-3, "µ": 1e-6, "μ": 1e-6, "u": 1e-6, "n": 1e-9, "p": 1e-12}
_PREFIXES = {"": 1.0, **_DECIMAL, **_BINARY, **_SMALL}


def _prefixed(
    symbols: Iterable[str], base: str, prefixes: Iterable[str], factor: float = 1.0
) -> dict[str, Unit]:
    return {p + symbol: Unit(base, _PREFIXES[p] * factor) for symbol in symbols for p in prefixes}


_BIG = ("", "k", "K", "M", "G", "T", "P", "E", "Z")
_SYMBOLS = {
    **_prefixed(("B",), "byte", ("", "k", "K", "M", "G", "T", "P", "E", *_BINARY)),
    **_prefixed(("b", "bit"), "bit", ("k", "K", "M", "G", "T")),
    **_prefixed(("FLOP", "FLOPs", "OP", "OPs"), "flop", _BIG),
    **_prefixed(("FLOPS", "FLOP/s", "OPS", "OP/s"), "flop/s", _BIG),
    **_prefixed(("s",), "s", ("", "m", "µ", "μ", "u", "n", "p")),
    **_prefixed(("Hz",), "Hz", ("", "k", "M", "G", "T")),
    **_prefixed(("W",), "W", ("", "m", "k", "M", "G")),
    **_prefixed(("J",), "J", ("", "m", "µ", "μ", "n", "p", "k", "M", "G")),
    **_prefixed(("Wh",), "J", ("", "k", "M", "G", "T"), 3600.0),
    **_prefixed(("px",), "px", ("",)),
    **_prefixed(("m",), "m", ("k", "c", "m", "n")),
    **_prefixed(("bps",), "bit/s", ("k", "K", "M", "G", "T")),
    **dict.fromkeys(("mm²", "mm^2"), Unit("m²", 1e-6)),
    **dict.fromkeys(("cm²", "cm^2"), Unit("m²", 1e-4)),
    "min": Unit("s", 60.0),
    "h": Unit("s", 3600.0),
    "GT": Unit("transfer", 1e9),
    "°C": Unit("°C", 1.0),
    "℃": Unit("°C", 1.0),
    "%": Unit("percent", 1.0),
    "％": Unit("percent", 1.0),
    "‰": Unit("percent", 0.1),
    "×": Unit("times", 1.0),
    "x": Unit("times", 1.0),
}
"""Symbols that both languages use; upper and lower case are different units."""

_SPELT = {"kilo": 1e3, "mega": 1e6, "giga": 1e9, "tera": 1e12, "peta": 1e15, "exa": 1e18}


def _spelt(noun: str, base: str, factor: float = 1.0) -> dict[str, Unit]:
    return {f"{prefix}{noun}": Unit(base, by * factor) for prefix, by in {"": 1.0, **_SPELT}.items()}


_ENGLISH = {
    **_spelt("byte", "byte"),
    **_spelt("bit", "bit"),
    **_spelt("watt", "W"),
    **_spelt("watt-hour", "J", 3600.0),
    **_spelt("joule", "J"),
    **_spelt("hertz", "Hz"),
    **{f"{prefix}flop": Unit("flop/s", by) for prefix, by in _SPELT.items()},  # petaflops are a rate
    "percent": Unit("percent", 1.0),
    "per cent": Unit("percent", 1.0),
    "percentage point": Unit("point", 1.0),
    "point": Unit("point", 1.0),
    "times": Unit("times", 1.0),
    "fold": Unit("times", 1.0),
    "second": Unit("s", 1.0),
    "sec": Unit("s", 1.0),
    "millisecond": Unit("s", 1e-3),
    "microsecond": Unit("s", 1e-6),
    "nanosecond": Unit("s", 1e-9),
    "minute": Unit("s", 60.0),
    "hour": Unit("s", 3600.0),
    "hr": Unit("s", 3600.0),
    "day": Unit("s", 86400.0),
    "week": Unit("s", 604800.0),
    "month": Unit("month", 1.0),
    "year": Unit("year", 1.0),
    "decade": Unit("year", 10.0),
    "dollar": Unit("USD", 1.0),
    "US dollar": Unit("USD", 1.0),
    "USD": Unit("USD", 1.0),
    "cent": Unit("USD", 0.01),
    "euro": Unit("EUR", 1.0),
    "yuan": Unit("CNY", 1.0),
    **{f"{of}-hour": Unit("s", 3600.0) for of in ("GPU", "TPU", "chip", "card")},
    "token": Unit("token", 1.0),
    "tok": Unit("token", 1.0),
    "parameter": Unit("parameter", 1.0),
    "chip": Unit("chip", 1.0),
    "GPU": Unit("chip", 1.0),
    "TPU": Unit("chip", 1.0),
    "core": Unit("core", 1.0),
    "SM": Unit("SM", 1.0),
    "row": Unit("row", 1.0),
    "column": Unit("column", 1.0),
    "layer": Unit("layer", 1.0),
    **dict.fromkeys(("head", "attention head", "query head", "KV head"), Unit("head", 1.0)),
    "expert": Unit("expert", 1.0),
    "cycle": Unit("cycle", 1.0),
    "step": Unit("step", 1.0),
    "tile": Unit("tile", 1.0),
    "wave": Unit("wave", 1.0),
    "operation": Unit("flop", 1.0),
    "user": Unit("user", 1.0),
    "request": Unit("request", 1.0),
    "req": Unit("request", 1.0),
    "sequence": Unit("sequence", 1.0),
    "query": Unit("request", 1.0),
    "queries": Unit("request", 1.0),
    "node": Unit("node", 1.0),
}
"""English nouns in the singular; an s may follow. The first letter may be a capital."""

_CHINESE = {
    "个百分点": Unit("point", 1.0),
    "百分点": Unit("point", 1.0),
    "倍": Unit("times", 1.0),
    "成": Unit("fraction", 0.1),
    "字节": Unit("byte", 1.0),
    "比特": Unit("bit", 1.0),
    "位": Unit("bit", 1.0),
    "秒": Unit("s", 1.0),
    "秒钟": Unit("s", 1.0),
    "毫秒": Unit("s", 1e-3),
    "微秒": Unit("s", 1e-6),
    "纳秒": Unit("s", 1e-9),
    "分钟": Unit("s", 60.0),
    "小时": Unit("s", 3600.0),
    "个小时": Unit("s", 3600.0),
    **{f"{of}{hour}": Unit("s", 3600.0) for of in ("GPU", "TPU", "芯片", "卡") for hour in ("小时", "时")},
    "天": Unit("s", 86400.0),
    "周": Unit("s", 604800.0),
    "个月": Unit("month", 1.0),
    "年": Unit("year", 1.0),
    "瓦": Unit("W", 1.0),
    "瓦特": Unit("W", 1.0),
    "千瓦": Unit("W", 1e3),
    "兆瓦": Unit("W", 1e6),
    "吉瓦": Unit("W", 1e9),
    "焦": Unit("J", 1.0),
    "毫焦": Unit("J", 1e-3),
    "微焦": Unit("J", 1e-6),
    "纳焦": Unit("J", 1e-9),
    "皮焦": Unit("J", 1e-12),
    "焦耳": Unit("J", 1.0),
    "度电": Unit("J", 3.6e6),
    "千瓦时": Unit("J", 3.6e6),
    "兆瓦时": Unit("J", 3.6e9),
    "吉瓦时": Unit("J", 3.6e12),
    "赫兹": Unit("Hz", 1.0),
    "兆赫": Unit("Hz", 1e6),
    "吉赫": Unit("Hz", 1e9),
    "纳米": Unit("m", 1e-9),
    "微米": Unit("m", 1e-6),
    "毫米": Unit("m", 1e-3),
    "厘米": Unit("m", 1e-2),
    "公里": Unit("m", 1e3),
    "平方毫米": Unit("m²", 1e-6),
    "平方厘米": Unit("m²", 1e-4),
    "摄氏度": Unit("°C", 1.0),
    "美元": Unit("USD", 1.0),
    "美金": Unit("USD", 1.0),
    "美分": Unit("USD", 0.01),
    "欧元": Unit("EUR", 1.0),
    "元": Unit("CNY", 1.0),
    "人民币": Unit("CNY", 1.0),
    "词元": Unit("token", 1.0),
    "token": Unit("token", 1.0),
    "参数": Unit("parameter", 1.0),
    "芯片": Unit("chip", 1.0),
    "GPU": Unit("chip", 1.0),
    "TPU": Unit("chip", 1.0),
    "SM": Unit("SM", 1.0),
    "核": Unit("core", 1.0),
    "核心": Unit("core", 1.0),
    "行": Unit("row", 1.0),
    "列": Unit("column", 1.0),
    "层": Unit("layer", 1.0),
    **dict.fromkeys(("头", "注意力头", "查询头", "KV头", "KV 头"), Unit("head", 1.0)),
    "专家": Unit("expert", 1.0),
    "周期": Unit("cycle", 1.0),
    "拍": Unit("cycle", 1.0),
    "步": Unit("step", 1.0),
    "块": Unit("", 1.0),  # of tiles, chips and cards
    "波": Unit("wave", 1.0),
    "次浮点运算": Unit("flop", 1.0),
    "次运算": Unit("flop", 1.0),
    "用户": Unit("user", 1.0),
    "请求": Unit("request", 1.0),
    "序列": Unit("sequence", 1.0),
    "查询": Unit("request", 1.0),
    "节点": Unit("node", 1.0),
}
_CLASSIFIERS = "(?:[个颗块片张台条名位只路][\u00a0 ]?)?"
"""Words that Chinese puts between a number and what it counts."""

_SPACE = "[ \u00a0\u202f\u2009]?"


def _any_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


_COMPOUND = r"(?:[kKMGTP]i?B|[kMG]?W|[mµn]?s|[MG]Hz)(?![A-Za-z0-9])"
"""Symbols that a hyphen may join to their number: `a 32-GB card`."""
SYMBOL = rf"(?:{_any_of(_SYMBOLS)})(?![A-Za-z0-9])"
_ENGLISH_NOUN = rf"(?i:{_any_of(_ENGLISH)})(?:s\b|\b)"
_CHINESE_NOUN = (
    rf"{_CLASSIFIERS}(?:{_any_of(name for name in _CHINESE if not name.isascii())}"
    rf"|(?:{_any_of(name for name in _CHINESE if name.isascii())})s?(?!-?[A-Za-z]))"
)
_THOUSANDS = {
    **{"thousand": 1e3, "million": 1e6, "billion": 1e9, "M": 1e6},
    **{"千": 1e3, "万": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8},
}
_SCALE = rf"(?:(?!千瓦)(?P<scale>M(?= )|{_any_of(name for name in _THOUSANDS if name != 'M')}){_SPACE})?"

_MORE = "(?:(?:more|extra|additional|other) )?"
_NO_LONGER_WORD = "(?!(?<=元)[素件组]|(?<=成)[员为年人])"
_UNIT = re.compile(
    rf"{_SPACE}(?:{SYMBOL})|-(?:{_COMPOUND})|{_SPACE}(?:{_CHINESE_NOUN}){_NO_LONGER_WORD}"
    rf"|[ \u00a0-]?{_MORE}(?:{_ENGLISH_NOUN})"
)
UNIT_BEHIND = rf"{_SPACE}(?:{SYMBOL})|{_SPACE}(?!年)(?:{_CHINESE_NOUN})|[ \u00a0]{_MORE}(?:{_ENGLISH_NOUN})"
"""What stands behind a number that is no year."""
_PER = re.compile(
    rf"(?:{_SPACE}/{_SPACE}|{_SPACE}\bper\b[ \u00a0]|{_SPACE}每"
    r"|[ \u00a0]an?[ \u00a0](?=second|minute|hour|day|month|year|million|token))"
    rf"(?:an? |one )?{_SCALE}(?P<of>{SYMBOL}|{_CHINESE_NOUN}|{_ENGLISH_NOUN})"
)
_PER_BEFORE = re.compile(
    rf"每{_SPACE}{_SCALE}(?P<of>{_CHINESE_NOUN}){_SPACE}[\u3400-\u9fff]{{0,4}}{_SPACE}\Z"
)
_LOWER_ENGLISH = {name.lower(): unit for name, unit in _ENGLISH.items()}
_WITHOUT_PER = ("percent", "times", "point")


def unit_at(text: str, start: int, *, per_before: str = "") -> tuple[Unit, int] | None:
    """The unit written at a place of a text, and where it ends; None where there is none.

    `per_before` is the text before the number, in which Chinese may say `每秒`.
    """
    found = _UNIT.match(text, start)
    unit = None if found is None else _named(found.group())
    if found is None or unit is None:
        return None
    return per_at(text, found.end(), unit, before=per_before)


def per_at(text: str, end: int, unit: Unit, *, before: str = "") -> tuple[Unit, int]:
    """The unit divided by what stands behind `/`, `per` or `每`, or before the number, and where it ends."""
    if unit.base in _WITHOUT_PER:
        return unit, end
    found, rest = _PER.match(text, end), end
    if found is not None:
        rest = found.end()
    elif "每" in before[-12:]:
        found = _PER_BEFORE.search(before)
    by = None if found is None else _named(found["of"])
    if found is None or by is None or by.base == unit.base:
        return unit, end
    scale = _THOUSANDS[found["scale"]] if found["scale"] else 1.0
    divided = Unit(f"{unit.base}/{by.base}", unit.factor / by.factor / scale)
    return per_at(text, rest, divided) if rest > end else (divided, rest)


_NO_SYMBOLS = frozenset(("us", "min", "px"))
"""Symbols that are words or parts of them where no number stands before them."""
_ALONE = re.compile(
    rf"(?<![A-Za-z0-9/\ufffc])(?<![0-9\ufffc%][ \u00a0])(?:{SYMBOL})(?:/(?:{SYMBOL}))?", re.ASCII
)


def units_alone(text: str) -> dict[Unit, str]:
    """The units whose symbols stand in a text without a number, as in the head of a table, as written."""
    found: dict[Unit, str] = {}
    for written in _ALONE.findall(text):
        if len(written) > 1 and written not in _NO_SYMBOLS and (unit := unit_at(written, 0)) is not None:
            found.setdefault(unit[0], written)
    return found


def _named(written: str) -> Unit | None:
    name = written.strip(" \u00a0\u202f\u2009-")
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    plain = re.sub(f"^{_MORE}", "", name.lower())
    english = _LOWER_ENGLISH.get(plain) or _LOWER_ENGLISH.get(plain.removesuffix("s"))
    if english is not None:
        return english
    behind_classifier = (name[length:].strip(" \u00a0").removesuffix("s") for length in (0, 1))
    return next((_CHINESE[noun] for noun in behind_classifier if noun in _CHINESE), None)

"""Units as both languages write them, each with the base unit and how many of those it is: `units.json`.

A compound unit is read from its parts: `TB/s`, `tokens per second`, `美元/百万词元`. Counted things such as
tokens and chips are units too, so that 4,096 tokens and 4,096 chips differ. Other nouns are none.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec


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


_TABLE = msgspec.json.decode(
    Path(__file__).with_name("units.json").read_bytes(), type=dict[str, dict[str, dict[str, float]]]
)


def _listed(kind: str) -> dict[str, Unit]:
    return {name: Unit(base, by) for base, names in _TABLE[kind].items() for name, by in names.items()}


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
    **_listed("symbols"),
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
    **_listed("english"),
}
"""English nouns in the singular; an s may follow. The first letter may be a capital."""

_CHINESE = _listed("chinese")
"""The unit of 块 has no base: it counts tiles, chips and cards."""
_CLASSIFIERS = "(?:[个颗块片张台条名位只路次][\u00a0 ]?)?"
"""Words that Chinese puts between a number and what it counts."""

DIVISIBLE = frozenset(
    ("s", "byte", "bit", "W", "J", "Hz", "m", "USD", "EUR", "CNY", "GBP", "percent", "point", "year", "month")
)
"""Base units of which there are parts: half a token is none."""

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
_NO_WHEN = "(?<![张块片]卡时)(?<![个张块][GT]PU时)(?<![个颗块]芯片时)"
"""8张卡时 is `with 8 cards`, and 8卡时 are card-hours."""
_UNIT = re.compile(
    rf"{_SPACE}(?:{SYMBOL})|-(?:{_COMPOUND})|{_SPACE}(?:{_CHINESE_NOUN}){_NO_LONGER_WORD}{_NO_WHEN}"
    rf"|[ \u00a0-]?{_MORE}(?:{_ENGLISH_NOUN})"
)
_PER = re.compile(
    rf"(?:{_SPACE}/{_SPACE}|{_SPACE}\bper\b[ \u00a0]|{_SPACE}每"
    r"|[ \u00a0]an?[ \u00a0](?=second|minute|hour|day|month|year|million|token))"
    rf"(?:an? |one )?{_SCALE}(?P<of>{SYMBOL}|{_CHINESE_NOUN}|{_ENGLISH_NOUN})"
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
    """The unit divided by what is behind `/`, `per` or `每`, or before the number, and where it ends."""
    if unit.base in _WITHOUT_PER:
        return unit, end
    found, rest = _PER.match(text, end), end
    if found is not None:
        rest = found.end()
    elif "每" in before[-12:]:
        found = _per_before().search(before)
    by = None if found is None else _named(found["of"])
    if found is None or by is None or by.base == unit.base:
        return unit, end
    scale = _THOUSANDS[found["scale"]] if found["scale"] else 1.0
    divided = Unit(f"{unit.base}/{by.base}", unit.factor / by.factor / scale)
    return per_at(text, rest, divided) if rest > end else (divided, rest)


@cache  # compiled when a text needs it
def _per_before() -> re.Pattern[str]:
    return re.compile(rf"每{_SPACE}{_SCALE}(?P<of>{_CHINESE_NOUN}){_SPACE}[\u3400-\u9fff]{{0,4}}{_SPACE}\Z")


def is_unit_behind(text: str, end: int) -> bool:
    """Whether a unit is at a place behind a number, which is no year then."""
    return _unit_behind().match(text, end) is not None


@cache  # compiled when a text needs it
def _unit_behind() -> re.Pattern[str]:
    return re.compile(
        rf"{_SPACE}(?:{SYMBOL})|{_SPACE}(?!年)(?:{_CHINESE_NOUN})|[ \u00a0]{_MORE}(?:{_ENGLISH_NOUN})",
        re.ASCII,
    )


_NO_SYMBOLS = frozenset(("us", "min", "px"))
"""Symbols that are words or parts of them where no number is before them."""
_ALONE = re.compile(
    rf"(?<![A-Za-z0-9/\ufffc])(?<![0-9\ufffc%][ \u00a0])(?:{SYMBOL})(?:/(?:{SYMBOL}))?", re.ASCII
)


def units_alone(text: str) -> dict[Unit, str]:
    """The units whose symbols are in a text without a number, as in the head of a table, as written."""
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

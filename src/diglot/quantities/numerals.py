"""Numbers in digits and words: `1,024`, `1.2 万`, `4.2 × 10⁻⁶`, `2^20`, `8K`, `twenty-four`, `一百二十八`."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Numeral(NamedTuple):
    """A number as written."""

    value: float
    step: float
    """What one in its last written digit is; 0 for a number in words."""
    end: int
    scale: float = 1.0
    """What the digits were multiplied with for a word or letter behind them: 1e6 for `2 million`."""


_LEAST = 1e-300
_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:[\u00a0\u202f\u2009]\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_EXPONENT = r"(?:\^\{{?(?P<{0}caret>[-−]?\d+)\}}?|(?P<{0}raised>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))"
_POWER = (
    r"(?:[eE](?P<e>[+-]?\d+)(?![A-Za-z0-9])"
    rf"|[ \u00a0]?[×x][ \u00a0]?10{_EXPONENT.format('')})?"
)
_POWER_ALONE = re.compile(rf"(?P<base>10|2){_EXPONENT.format('')}")
SCALES = {
    **{"K": 1e3, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12},
    **{"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0},
    **{"百": 1e2, "千": 1e3, "万": 1e4, "十万": 1e5, "百万": 1e6, "千万": 1e7, "亿": 1e8, "十亿": 1e9},
    **{"百亿": 1e10, "千亿": 1e11, "万亿": 1e12},
}
_SCALE = (
    r"(?:(?P<letter>[KkMBT])(?![A-Za-z0-9/])"
    r"|[ \u00a0-]?(?P<word>hundred|thousand|million|billion|trillion|dozen)(?![a-z])"
    r"|[ \u00a0]?(?P<han>万亿|千亿|百亿|十亿|千万|百万|十万|亿|万|千(?!瓦|兆|字)|百(?!分)))?"
)
_NUMBER = re.compile(rf"(?P<sign>[−-])?(?P<digits>{_DIGITS}){_POWER}{_SCALE}")


def number_at(text: str, start: int) -> Numeral | None:
    """The number in digits that begins at a place, with its scale (`万`, `million`, `8K`)."""
    if (alone := _POWER_ALONE.match(text, start)) is not None:
        value = float(alone["base"]) ** _exponent(alone)
        return Numeral(value, value if alone["base"] == "10" else 0.0, alone.end())
    found = _NUMBER.match(text, start)
    if found is None:
        return None
    digits = re.sub(r"[,\u00a0\u202f\u2009]", "", found["digits"])
    exponent = int(found["e"]) if found["e"] else _exponent(found)
    scaled = found["letter"] or found["word"] or found["han"]
    scale = SCALES[scaled] if scaled else 1.0
    step = max(float(f"1e{exponent - len(digits.partition('.')[2])}") * scale, _LEAST)
    value = float(f"{digits}e{exponent}") * scale
    rest = (
        number_at(text, found.end() + (text[found.end() : found.end() + 1] == " ")) if found["han"] else None
    )
    if rest is not None and 1 < rest.scale < scale:
        value, step, end = value + rest.value, rest.step, rest.end  # 3万2千
    else:
        end = found.end()
    return Numeral(-value if found["sign"] else value, step, end, scale)


def _exponent(found: re.Match[str]) -> int:
    return int((found["caret"] or (found["raised"] or "0").translate(_SUPERSCRIPTS)).replace("−", "-"))


_ONES = {
    **{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8},
    **{"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15},
    **{"sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19},
}
_TENS = {
    **{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50},
    **{"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90},
}
_HUNDREDS = ("dozen", "hundred", "thousand", "million", "billion", "trillion")
_BIG = "|".join(_HUNDREDS)
_BELOW_TWENTY = "|".join(sorted(_ONES, key=len, reverse=True))
_BELOW_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join([*_ONES][1:10])}))?|{_BELOW_TWENTY})\b"
_WORDS = re.compile(
    rf"\b(?:an? (?={_BIG}))?(?:{_BELOW_100}|(?:{_BIG})\b)"
    rf"(?:[ -](?:{_BIG})\b|(?<=ozen|dred|sand|lion)(?:[ -]| and ){_BELOW_100})*",
    re.I,
)


def english_words_at(text: str, start: int) -> Numeral | None:
    """A number in English words that begins at a place, such as `two hundred and four`."""
    found = _WORDS.match(text, start)
    return None if found is None else Numeral(_value_in_english(found.group()), 0.0, found.end())


def english_words_in(text: str) -> Iterator[tuple[int, Numeral]]:
    """The numbers in English words of a text, each with its place."""
    for found in _WORDS.finditer(text):
        yield found.start(), Numeral(_value_in_english(found.group()), 0.0, found.end())


def _value_in_english(words: str) -> float:
    whole, part = 0.0, 0.0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in _ONES:
            part += _ONES[word]
        elif word in _TENS:
            part += _TENS[word]
        elif word == "hundred":
            part = (part or 1) * 100
        elif word in SCALES:
            whole += (part or 1) * SCALES[word]
            part = 0.0
    return whole + part


_VAGUE = re.compile(rf"(?:[几数]|\b(?:few|several|many|couple of)[ \u00a0])(?=[十百千万亿]|{_BIG})", re.I)


def is_vague(text: str, start: int) -> bool:
    """Whether words before a number in words keep it from being one: `几十`, `a few dozen`."""
    return any(found.end() == start for found in _VAGUE.finditer(text, max(0, start - 10), start + 10))


_HAN_DIGITS = {**dict(zip("〇一二三四五六七八九", range(10), strict=True)), "零": 0, "两": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_HAN_BIG = {"万": 1e4, "亿": 1e8}
_HAN = re.compile(r"[零〇一二三四五六七八九两十百千万亿]+(?:点[零〇一二三四五六七八九]+)?")


def chinese_words_at(text: str, start: int) -> Numeral | None:
    """A number in Chinese numerals that begins at a place, such as `一百二十八`; None for none."""
    found = _HAN.match(text, start)
    if found is None:
        return None
    value = chinese_value(found.group())
    return None if value is None else Numeral(value, 0.0, found.end())


def chinese_value(numeral: str) -> float | None:
    """What Chinese numerals are: 128 for `一百二十八`, 3.5 for `三点五`; None where they are no number."""
    whole, _, decimals = numeral.partition("点")
    total, section, digit, last = 0.0, 0.0, -1, 1.0
    for character in whole:
        if character in _HAN_DIGITS:
            if digit > 0 or (digit == 0 and _HAN_DIGITS[character] == 0):
                return None  # two digits side by side: `三四` is a range, or digits that are read one by one
            digit = _HAN_DIGITS[character]
        elif character in _HAN_UNITS:
            section += (digit if digit > 0 else 1) * _HAN_UNITS[character]
            digit, last = -1, _HAN_UNITS[character]
        else:
            if section == 0 and digit < 0 and total == 0:
                return None
            total = (total + section + max(digit, 0)) * _HAN_BIG[character]
            section, digit, last = 0.0, -1, _HAN_BIG[character]
    if digit > 0 and last >= 100 and "零" not in whole[-2:] and "〇" not in whole[-2:] and len(whole) > 1:
        digit *= int(last // 10)  # 一百五 is 150, 三万二 is 32,000
    value = total + section + max(digit, 0)
    for place, character in enumerate(decimals, 1):
        value += _HAN_DIGITS[character] * 10.0**-place
    return value

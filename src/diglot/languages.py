"""What differs between Chinese and English: codes, counting, numbers, dates."""

import datetime
import math
import re
from typing import Literal, NamedTuple

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, Language] = ("zh", "en")


class Bilingual(NamedTuple):
    """A text in both languages."""

    zh: str
    en: str

    def of(self, language: Language) -> str:
        """The text in one language."""
        return self.zh if language == "zh" else self.en


NO_TEXT = Bilingual("", "")

Edition = Literal["zh", "en", "zh-hant"]
"""What readers choose: a language, or Chinese in traditional characters, which is derived from `zh`."""
TRADITIONAL: Literal["zh-hant"] = "zh-hant"
EDITIONS: tuple[Edition, ...] = (*LANGUAGES, TRADITIONAL)

HTML_LANG: dict[Edition, str] = {"zh": "zh-Hans", "en": "en", "zh-hant": "zh-Hant"}
NAMES: dict[Language, str] = {"zh": "Chinese", "en": "English"}
"""What messages call the languages."""
LOCALES: dict[Language, str] = {"zh": "zh_CN", "en": "en_US"}
"""Languages as Open Graph writes them, which knows none without a country."""

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_HAN = re.compile(f"[{HAN}]+")
_WORD = re.compile(r"[A-Za-z0-9\u00c0-\u024f][A-Za-z0-9\u00c0-\u024f_'’.,-]*")
_HAN_PER_MINUTE = 350  # a comfortable rate for silent reading of technical Chinese
_WORDS_PER_MINUTE = 200  # the same for technical English

_ENGLISH_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def twin_of(language: Language) -> Language:
    """The other language."""
    return "en" if language == "zh" else "zh"


def reading_minutes(text: str) -> int:
    """Minutes to read a text, at least 1: Han characters are counted singly, everything else by words."""
    words = len(_WORD.findall(text))
    return max(1, round(count_han(text) / _HAN_PER_MINUTE + words / _WORDS_PER_MINUTE))


def count_han(text: str) -> int:
    """Number of Han characters in a text."""
    return 0 if text.isascii() else sum(map(len, _HAN.findall(text)))


def is_han(character: str) -> bool:
    """Whether this is a Chinese character."""
    return _HAN.fullmatch(character) is not None


def format_number(value: float, digits: int = 0) -> str:
    """`1,024` or `0.97`: the same string in both languages, with a true minus sign.

    The exact value is rounded once, half to even; an int keeps all its digits. A value too small for `digits`
    gives `0`: see `number_for_reading`. Raises ValueError if the number is not finite.
    """
    if not isinstance(value, float):
        return format_ratio(value, 1, digits)
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a finite number")
    return _with_true_minus(f"{value:,.{digits}f}")


def format_ratio(numerator: int, denominator: int, digits: int = 0) -> str:
    """A fraction in the form of `format_number`, rounded once; the denominator is above 0."""
    scaled, rest = divmod(abs(numerator) * 10**digits, denominator)
    if 2 * rest > denominator or (2 * rest == denominator and scaled % 2):
        scaled += 1
    whole, behind = divmod(scaled, 10**digits)
    text = f"{whole:,d}.{behind:0{digits}d}" if digits else f"{whole:,d}"
    return _with_true_minus(f"-{text}") if numerator < 0 else text


def _with_true_minus(text: str) -> str:
    if not text.startswith("-"):
        return text
    return "\N{MINUS SIGN}" + text[1:] if shows_something(text) else text[1:]


def shows_something(text: str) -> bool:
    """Whether the text of a number has a digit other than 0."""
    return text.strip("-\N{MINUS SIGN}0.,") != ""


_SCIENTIFIC_BELOW, _SCIENTIFIC_FROM = 1e-4, 1e16
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def exact_number(value: float) -> str:
    """A number with just enough digits to identify it: `206.04`, `1,024`, `4.2 × 10⁻⁶`.

    Reading it back gives the same number. An int keeps all digits. The string is the same in both languages.
    Raises ValueError if the number is not finite.
    """
    if not isinstance(value, float):
        return format_number(value)
    if value == 0 or not math.isfinite(value):
        return format_number(value)
    if not _SCIENTIFIC_BELOW <= abs(value) < _SCIENTIFIC_FROM:
        digits, _, exponent = repr(value).partition("e")
        return times_ten_to(digits, int(exponent))
    decimals = 0 if value.is_integer() else len(repr(value).partition(".")[2])
    return format_number(value, decimals)


def number_for_reading(value: float, digits: int = 0) -> str:
    """A number with `digits` decimals, or more if it would be shown as 0 although it is not 0.

    Raises ValueError if the number is not finite.
    """
    text = format_number(value, digits)
    if value == 0 or shows_something(text):
        return text
    return exact_number(float(f"{value:.0e}"))


def join_interval(value: str, low: str, high: str, *, language: Language, is_far: bool) -> str:
    """A value with its interval: `94 (63 to 141)`; one far from all that was measured says so."""
    if language == "zh":
        return f"{value}（{low}至{high}{'，没有同类实测' if is_far else ''}）"
    return f"{value} ({low} to {high}{', far from any measurement' if is_far else ''})"


def times_ten_to(digits: str, exponent: int) -> str:
    """`4.2 × 10⁻⁶`, with no-break spaces so that it stays on one line."""
    sign = "\N{MINUS SIGN}" if digits.startswith("-") else ""
    return f"{sign}{digits.lstrip('-')}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{superscript(exponent)}"


def superscript(exponent: int) -> str:
    """An exponent in small raised digits: `⁻⁶`."""
    return str(exponent).translate(_SUPERSCRIPTS)


def format_day(date: datetime.date, language: Language) -> str:
    """A day without its year: `11 月 20 日` or `20 November`."""
    if language == "zh":
        return f"{date.month} 月 {date.day} 日"
    return f"{date.day} {_ENGLISH_MONTHS[date.month - 1]}"


def format_date(date: datetime.date, language: Language) -> str:
    """`2026 年 11 月 20 日` or `20 November 2026`."""
    if language == "zh":
        return f"{date.year} 年 {date.month} 月 {date.day} 日"
    return f"{date.day} {_ENGLISH_MONTHS[date.month - 1]} {date.year}"

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
        """The text in one of them."""
        return self.zh if language == "zh" else self.en


HTML_LANG: dict[Language, str] = {"zh": "zh-Hans", "en": "en"}

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_HAN = re.compile(f"[{HAN}]+")
_WORD = re.compile(r"[A-Za-z0-9\u00c0-\u024f][A-Za-z0-9\u00c0-\u024f_'’.,-]*")
_HAN_PER_MINUTE = 350  # comfortable silent reading of technical Chinese
_WORDS_PER_MINUTE = 200  # and of technical English

_ENGLISH_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def twin_of(language: Language) -> Language:
    """The other language."""
    return "en" if language == "zh" else "zh"


def reading_minutes(text: str) -> int:
    """Minutes to read a text, at least 1: Han characters are counted one by one, anything else by words."""
    words = len(_WORD.findall(text))
    return max(1, round(count_han(text) / _HAN_PER_MINUTE + words / _WORDS_PER_MINUTE))


def count_han(text: str) -> int:
    """How many Han characters there are in a text."""
    return 0 if text.isascii() else sum(map(len, _HAN.findall(text)))


def format_number(value: float, digits: int = 0) -> str:
    """`1,024` or `0.97`: the same string in both languages, with a true minus sign.

    Raises ValueError for what is not a finite number.
    """
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a finite number")
    text = f"{value:,.{digits}f}"
    if text.startswith("-"):
        text = "\N{MINUS SIGN}" + text[1:] if text.strip("-0.,") else text[1:]
    return text


def format_date(date: datetime.date, language: Language) -> str:
    """`2026 年 11 月 20 日` or `20 November 2026`."""
    if language == "zh":
        return f"{date.year} 年 {date.month} 月 {date.day} 日"
    return f"{date.day} {_ENGLISH_MONTHS[date.month - 1]} {date.year}"

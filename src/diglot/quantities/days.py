"""Days and months that a text names: `3 May 2024`, `May 2024`, `2024年5月3日`, `五月`, `2024-05-03`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from diglot.languages import Language
from diglot.quantities.numerals import chinese_value


class Day(NamedTuple):
    """A day of a month, or the month itself where `day` is 0."""

    month: int
    day: int
    text: str
    """As written."""

    def may_be(self, other: "Day") -> bool:
        """Whether both may name the same, of which one may say less."""
        return self.month == other.month and 0 in (self.day - other.day, self.day, other.day)


_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NAME = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?"
)
_ISO = r"(?<![\d-])\d{4}-(?P<iso_month>\d\d)(?:-(?P<iso_day>\d\d))?(?![\d-])"
_PATTERNS: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        rf"{_ISO}|(?<![\d.,])(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?[ \u00a0](?P<month>{_NAME})\b"
        rf"|\b(?P<first>{_NAME})\b\.?[ \u00a0]"
        r"(?:(?P<second>\d{1,2})(?:st|nd|rd|th)?\b(?![.%]\d)|\d{4}\b)",
        re.ASCII,
    ),
    "zh": re.compile(
        rf"{_ISO}|(?<![\d个.])(?P<month>\d{{1,2}}|[一二三四五六七八九]|十[一二]?)[ \u00a0]?月(?![均供度费租])"
        r"(?:[ \u00a0]?(?P<day>\d{1,2})[ \u00a0]?[日号])?",
        re.ASCII,
    ),
}


def days_in(text: str, language: Language) -> Iterator[Day]:
    """The days and months of a text; English months only where a day or a year is next to them."""
    for found in _PATTERNS[language].finditer(text):
        named = found.groupdict()
        month = named["iso_month"] or named["month"] or named.get("first") or ""
        day = named["iso_day"] or named["day"] or named.get("second") or 0
        number = _NAMES.index(month[:3]) + 1 if month.isalpha() and month.isascii() else _number(month)
        if 1 <= number <= len(_NAMES):
            yield Day(number, int(day), found.group())


def _number(written: str) -> int:
    return int(written) if written.isdecimal() else int(chinese_value(written) or 0)

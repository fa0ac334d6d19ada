"""Numbers that are names: years, and whatever else is shown without groups of digits."""

import re
from collections.abc import Iterable
from typing import Any

from diglot.languages import exact_number

_WORDS = re.compile(r"[a-z]+|[\u4e00-\u9fff]+")
_CALLED = ("year", "years", "yr", "date", "dates")
_CALLED_IN_CHINESE = ("年份", "年度", "年代", "日期")
_NO_YEAR = ("per", "each", "every", "a", "to")
"""Before `year`, they make a quantity of something: `tokens_per_year`."""
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
    for before, word in zip(["", *words], words, strict=False):
        if word in _CALLED:
            return before not in _NO_YEAR
        if word.endswith(_CALLED_IN_CHINESE) or word == "年":
            return True
    return False


class Year(int):
    """A whole number that is the name of a year; so is the sum of a year and a number of years."""

    def __add__(self, other: int) -> int:
        return Year(int(self) + other) if type(other) is int else int(self) + other

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        return Year(int(self) - other) if type(other) is int else int(self) - other


def ungrouped(value: float) -> str:
    """A number with all its digits and no commas, as in the name of a year or a port: `2026`."""
    return exact_number(value).replace(",", "")

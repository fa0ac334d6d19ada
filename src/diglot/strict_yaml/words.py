"""Values in an author's words, and dates in texts."""

import datetime
import re
from typing import Any

from diglot.diagnostics import shortened


def name_value(value: Any) -> str:
    """A value in an author's words, e.g. `a list`, `the number 3`."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {shortened(str(value), 40)}"
    if isinstance(value, datetime.date):
        return f"the date {value}"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    shown = value if len(value) <= 40 else value[:39] + "…"
    return f'the text "{shown}"'


_DAY = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?![0-9])")


def date_in(text: str) -> datetime.date | None:
    """The date that a text such as `2019-05-01 08:30:00 +0800` begins with."""
    found = _DAY.match(text.strip())
    try:
        return datetime.date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


def why_no_date(text: str) -> str:
    """What is wrong with a date that does not exist, as a fix."""
    import calendar  # noqa: PLC0415  (only mistakes need it)

    found = re.fullmatch(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})", text)
    if found is None:
        return "write the date as YYYY-MM-DD."
    year, month, day = map(int, found.groups())
    if not 1 <= month <= 12:
        return "months are 01 to 12: write the date as YYYY-MM-DD."
    if year >= 1 and day > 0:
        days = calendar.monthrange(year, month)[1]
        of_year = f" {year}" if month == 2 else ""
        return f"{calendar.month_name[month]}{of_year} has {days} days."
    return "write the date as YYYY-MM-DD."

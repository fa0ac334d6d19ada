"""Time zones by their names in the IANA database, such as `Asia/Shanghai`: on which day a moment is.

The database is the system's, or the package `tzdata`; there may be neither.
"""

import datetime
import re
from collections.abc import Container
from typing import TYPE_CHECKING

from diglot.diagnostics import did_you_mean

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

DEFAULT_ZONE = "UTC"
_OFFSET = re.compile(r"(?:UTC|GMT)? ?([+−-])0?([0-9]{1,2})(?::?([0-9]{2}))?", re.IGNORECASE)
_OF_OFFSETS = {
    "+8": "Asia/Shanghai",
    "+3:30": "Asia/Tehran",
    "+4:30": "Asia/Kabul",
    "+5:30": "Asia/Kolkata",
    "+5:45": "Asia/Kathmandu",
    "+6:30": "Asia/Yangon",
    "+8:45": "Australia/Eucla",
    "+9:30": "Australia/Darwin",
    "-9:30": "Pacific/Marquesas",
}
"""Zones with the same offset from UTC all year, of which the database names most by a place alone."""
_OF_LETTERS = {
    "CST": "Asia/Shanghai or America/Chicago",
    "CDT": "America/Chicago",
    "EDT": "America/New_York",
    "PST": "America/Los_Angeles",
    "PDT": "America/Los_Angeles",
    "MDT": "America/Denver",
    "IST": "Asia/Kolkata, Europe/Dublin or Asia/Jerusalem",
    "BST": "Europe/London",
    "CEST": "Europe/Berlin",
    "EEST": "Europe/Athens",
    "MSK": "Europe/Moscow",
    "JST": "Asia/Tokyo",
    "KST": "Asia/Seoul",
    "HKT": "Asia/Hong_Kong",
    "SGT": "Asia/Singapore",
    "ICT": "Asia/Bangkok",
    "AEST": "Australia/Brisbane or Australia/Sydney",
    "AEDT": "Australia/Sydney",
    "NZST": "Pacific/Auckland",
    "NZDT": "Pacific/Auckland",
    "BRT": "America/Sao_Paulo",
}
"""Zones that people know by letters, which the database has not, because several places use the same."""
_OF_CITIES = {"beijing": "Asia/Shanghai", "peking": "Asia/Shanghai", "shenzhen": "Asia/Shanghai"}
"""Cities that people look for and that the database has under another name."""


def find_zone(name: str) -> "ZoneInfo | datetime.timezone | None":
    """A time zone; None if there is none of this name, or no database."""
    if name == DEFAULT_ZONE:
        return datetime.UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415  (few sites have a zone of their own)

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def has_zones() -> bool:
    """Whether this machine has a database of time zones."""
    return find_zone("Asia/Shanghai") is not None


def unknown_zone(name: str) -> tuple[str, str]:
    """What is wrong with a name that is no time zone, and what to do."""
    from zoneinfo import available_timezones  # noqa: PLC0415  (only mistakes need the list, which takes long)

    zones = available_timezones()
    if not zones:
        return f'"{name}" cannot be looked up: this machine knows no time zones', "run `pip install tzdata`."
    what = f'"{name}" is not a time zone'
    if (meant := _meant_by_offset(name.strip(), zones)) is not None:
        return what, meant
    if (letters := _OF_LETTERS.get(name.strip().upper())) is not None:
        return what, f"write the name of a place in it: {letters}."
    city = name.rpartition("/")[2].casefold()
    if city in _OF_CITIES:
        return what, f'did you mean "{_OF_CITIES[city]}"?'
    by_city = {zone.rpartition("/")[2].casefold(): zone for zone in sorted(zones)}
    otherwise = "write a name of the IANA database, such as Asia/Shanghai or Europe/Brussels."
    place = by_city.get(city.replace(" ", "_"))
    fix = f'did you mean "{place}"?' if place else did_you_mean(name, zones, otherwise=otherwise)
    return what, fix


def _meant_by_offset(name: str, zones: Container[str]) -> str | None:
    """The fix for an offset from UTC, such as `UTC+8`, for which the database has a zone; None for others."""
    offset = _OFFSET.fullmatch(name)
    if offset is None:
        return None
    is_ahead, hours, minutes = offset[1] == "+", int(offset[2]), offset[3] or "00"
    if not hours and minutes == "00":
        return f"write {DEFAULT_ZONE}."
    sign = "+" if is_ahead else "-"
    place = _OF_OFFSETS.get(f"{sign}{hours}" if minutes == "00" else f"{sign}{hours}:{minutes}")
    fixed = f"Etc/GMT{'-' if is_ahead else '+'}{hours}"
    if minutes != "00" or fixed not in zones:
        return f"write {place}." if place else None
    either = f"{place}, or {fixed}" if place else fixed
    side = "ahead of" if is_ahead else "behind"
    return f"write {either}: the sign in such names is the other way round, and this is {hours} h {side} UTC."


def start_of_day(date: datetime.date, zone: str) -> str:
    """The moment at which a day begins in a time zone, as RFC 3339 writes it."""
    start = datetime.datetime.combine(date, datetime.time(), find_zone(zone) or datetime.UTC)
    return start.isoformat().replace("+00:00", "Z")

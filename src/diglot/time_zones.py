"""Time zones by their names in the IANA database, such as `Asia/Shanghai`: on which day a moment is.

The database is the system's, or the package `tzdata`; there may be neither.
"""

import datetime
import re
from typing import TYPE_CHECKING

from diglot.diagnostics import did_you_mean

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

DEFAULT_ZONE = "UTC"
_OFFSET = re.compile(r"(?:UTC|GMT) ?([+-])0?([0-9]{1,2})(?::?00)?", re.IGNORECASE)
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
    if (offset := _OFFSET.fullmatch(name.strip())) is not None:
        fixed = f"Etc/GMT{'-' if offset[1] == '+' else '+'}{int(offset[2])}"
        either = f"Asia/Shanghai, or {fixed}" if fixed == "Etc/GMT-8" else fixed
        if fixed in zones:
            return (
                f'"{name}" is not a time zone',
                f"write {either}: its sign is turned round, by its standard.",
            )
    city = name.rpartition("/")[2].casefold()
    if city in _OF_CITIES:
        return f'"{name}" is not a time zone', f'did you mean "{_OF_CITIES[city]}"?'
    by_city = {zone.rpartition("/")[2].casefold(): zone for zone in sorted(zones)}
    otherwise = "write a name of the IANA database, such as Asia/Shanghai or Europe/Brussels."
    place = by_city.get(city.replace(" ", "_"))
    fix = f'did you mean "{place}"?' if place else did_you_mean(name, zones, otherwise=otherwise)
    return f'"{name}" is not a time zone', fix


def start_of_day(date: datetime.date, zone: str) -> str:
    """The moment at which a day begins in a time zone, as RFC 3339 writes it."""
    start = datetime.datetime.combine(date, datetime.time(), find_zone(zone) or datetime.UTC)
    return start.isoformat().replace("+00:00", "Z")

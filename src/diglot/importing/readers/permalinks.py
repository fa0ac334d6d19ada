"""Old addresses from the permalink patterns of Jekyll, Hugo and Hexo."""

import datetime
import re
from collections.abc import Mapping
from urllib.parse import unquote

_JEKYLL_STYLES = {
    "date": "/:categories/:year/:month/:day/:title:output_ext",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title:output_ext",
    "weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext",
    "none": "/:categories/:title:output_ext",
}


def jekyll_pattern(style: object) -> str:
    """The pattern for a `permalink:` in Jekyll's configuration, which names a style or is a pattern."""
    text = str(style or "date").strip()
    return _JEKYLL_STYLES.get(text, text)


def filled(pattern: str, words: Mapping[str, str], date: datetime.date | None) -> str | None:
    """The address for a pattern such as `/:year/:title/`.

    None if the pattern contains an unknown word, so that no address is made up.
    """
    known = {**_date_words(date), **words}
    missing = False

    def put(found: re.Match[str]) -> str:
        nonlocal missing
        name = found[1] or found[2]
        while name and name not in known:  # `:title_x` may be `:title` followed by text
            name = name.rpartition("_")[0]
        missing = missing or not name
        return known.get(name, "") + (found[1] or found[2])[len(name) :]

    address = re.sub(r":([a-z_]+)|:\{([a-z_]+)\}", put, pattern)
    return None if missing else tidy(address)


def tidy(address: str) -> str:
    """An address with one leading slash, no repeated ones, and no `index.html` at its end."""
    path = re.sub(r"/{2,}", "/", f"/{unquote(address.strip())}")
    return re.sub(r"/index\.html?$", "/", path)


def key_of(address: str) -> str:
    """A key that is equal for all spellings of a page's address: `/a/b/`, `/a/b`, `/a/b.html`, `/A/b/`."""
    path = tidy(re.split("[?#]", address, maxsplit=1)[0]).strip("/").lower()
    return re.sub(r"\.html?$", "", path)


def _date_words(date: datetime.date | None) -> dict[str, str]:
    if date is None:
        return {}
    year, week, day = date.isocalendar()
    return {
        "year": f"{date.year:04}",
        "short_year": f"{date.year % 100:02}",
        "month": f"{date.month:02}",
        "i_month": str(date.month),
        "monthname": date.strftime("%B").lower(),
        "short_month": date.strftime("%b"),
        "long_month": date.strftime("%B"),
        "day": f"{date.day:02}",
        "i_day": str(date.day),
        "y_day": f"{date.timetuple().tm_yday:03}",
        "yearday": str(date.timetuple().tm_yday),
        "w_year": str(year),
        "week": f"{week:02}",
        "w_day": str(day),
        "short_day": date.strftime("%a"),
        "long_day": date.strftime("%A"),
        "weekday": str(date.isoweekday() % 7),
        "weekdayname": date.strftime("%A").lower(),
        "hour": "00",
        "minute": "00",
        "second": "00",
    }

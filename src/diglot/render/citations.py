"""How an article is cited: as a line of text in the page's language, and as BibTeX."""

import datetime
import functools
import re

from diglot.languages import Language, format_date
from diglot.render.views import CitationView

_SPECIAL = re.compile(r"[&%$#_{}~^\\]")
_WORDS = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NO_KEY = re.compile(r"[^a-z0-9]+")
_INNER = str.maketrans("“”", "‘’")
_NAMES = {"zh": "chinese", "en": "english"}


@functools.lru_cache(maxsize=4)  # the page of a half and the one with both halves show the same
def citation(
    language: Language,
    *,
    authors: tuple[str, ...],
    site: str,
    title: str,
    date: datetime.date,
    updated: datetime.date | None,
    address: str,
) -> CitationView:
    """The citation of an article at a whole address.

    Chinese text follows GB/T 7714, in which a text on the web is [EB/OL]. An article without authors is its
    site's.
    """
    who = ", ".join(authors) or site
    if language == "zh":
        latest = (updated or date).isoformat()
        text = f"{who}. {title}[EB/OL]. {site}, ({latest}). {address}"
    else:
        when = format_date(updated or date, "en")
        # Quotation marks inside others are single ones, and no full stop follows a mark that ends a sentence.
        stop = "" if title.rstrip("”’").endswith((".", "?", "!")) else "."
        text = f"{who}. “{title.translate(_INNER)}{stop}” {site}, {when}. {address}"
    slug = address.rstrip("/").rpartition("/")[2]
    fields = {
        "author": " and ".join(map(_escaped, authors)) if authors else f"{{{_escaped(site)}}}",
        "title": f"{{{_escaped(title)}}}",
        "howpublished": _escaped(site),
        "year": str((updated or date).year),
        "month": _MONTHS[(updated or date).month - 1],
        "url": address,
        "language": _NAMES[language],
    }
    shown = {name: value if name == "month" else f"{{{value}}}" for name, value in fields.items()}
    lines = (f"  {name} = {value},\n" for name, value in shown.items())
    key = _NO_KEY.sub("-", f"{slug}-{date.year}".lower()).strip("-")
    return CitationView(text=text, bibtex=f"@misc{{{key},\n{''.join(lines)}}}")


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _WORDS.get(found[0], f"\\{found[0]}"), text)

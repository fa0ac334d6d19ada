"""Joins halves to articles, and gives each article its name."""

import re
from collections.abc import Iterable

import msgspec

from diglot.importing.names import free_name, slug_of
from diglot.importing.readers.source_files import as_date
from diglot.importing.records import Findings, Half
from diglot.importing.text.body import Body
from diglot.languages import LANGUAGES, TRADITIONAL, Language, count_han
from diglot.rules.sources import HOME_PAGE
from diglot.rules.summaries import GENERATED
from diglot.site_map import BOTH, FIGURES, GLOSSARY, HARDWARE, PAGE, POSTS, TALKS

_RESERVED = frozenset(
    (*GENERATED, FIGURES, HARDWARE, TALKS, GLOSSARY, *LANGUAGES, TRADITIONAL, "assets")
)  # those of pages that a site can switch on are left free, too
_HOME = HOME_PAGE.removeprefix("pages/")
_PREFIXES = (PAGE, "pages", POSTS, *LANGUAGES)
"""Reserved folders that only say what is in them: without them, an address loses nothing."""
_LONGEST_PATH = 200


class Article(msgspec.Struct, frozen=True, kw_only=True):
    """A post or a page with one half or two."""

    number: int
    name: str
    """Its slug, or its path if it is a page."""
    is_page: bool
    halves: dict[Language, Half]
    bodies: dict[Language, Body]


def join_halves(halves: Iterable[tuple[Half, Body]], findings: Findings) -> list[Article]:
    """Join halves to articles, in the order of their files."""
    groups: dict[tuple[bool, str], dict[Language, tuple[Half, Body]]] = {}
    for half, body in halves:
        group = groups.setdefault((half.is_page, half.key), {})
        if half.language in group:
            other = group[half.language][0].source
            message = (
                f"{other} is the same post in the same language; this one is imported as a post of its own"
            )
            findings.tell(half.source, message, "delete one of the two, or join them.")
            number = 2
            while half.language in groups.get((half.is_page, f"{half.key}#{number}"), {}):
                number += 1
            group = groups.setdefault((half.is_page, f"{half.key}#{number}"), {})
        group[half.language] = (half, body)
    articles: list[Article] = []
    taken: dict[bool, set[str]] = {False: set(), True: set()}
    for number, ((is_page, _), group) in enumerate(groups.items()):
        found: dict[Language, Half] = {
            language: group[language][0] for language in LANGUAGES if language in group
        }
        own, is_made_up = _name(found, is_page=is_page)
        allowed = _unreserved(own) if is_page else own
        name = free_name(allowed, taken[is_page])
        taken[is_page].add(name)
        if is_made_up or name != own:
            first = next(iter(found.values()))
            if is_made_up:
                why = "its name has no Latin letters"
            elif allowed != own:
                is_long = len(own) > _LONGEST_PATH
                why = "its path is too long" if is_long else f'diglot uses the address of "{own}" itself'
            else:
                why = "another one has this name"
            findings.tell(
                first.source,
                f'{why}: its address is made from "{name}"',
                "rename its folder, if another address suits it better; the old address is kept.",
            )
        articles.append(
            Article(
                number=number,
                name=name,
                is_page=is_page,
                halves=found,
                bodies={language: group[language][1] for language in found},
            )
        )
    return articles


def _unreserved(name: str) -> str:
    """The name of a page, moved where diglot does not use its address itself."""
    while True:
        first, _, rest = name.partition("/")
        last = name.rpartition("/")[2]
        if len(name) > _LONGEST_PATH and rest:
            name = rest
        elif first in _RESERVED and rest:
            name = rest if first in _PREFIXES else f"{first}-{rest}"
        elif first in _RESERVED or last == BOTH or name == _HOME:
            name = f"{name}-page"
        else:
            return name


def _name(halves: dict[Language, Half], *, is_page: bool) -> tuple[str, bool]:
    """A name for an article, and whether it had to be made from the title or date."""
    ordered = [halves[language] for language in ("en", "zh") if language in halves]
    for half in ordered:
        if is_page:
            parts = [slug_of(part) for part in half.name.split("/")]
            if all(parts):
                return "/".join(parts), False
        for name in () if is_page else (half.matter.text("slug"), half.name, _last(half.addresses)):
            slug = slug_of(name)
            if slug and (not count_han(name) or len(slug) > 3):
                return slug, False
    half = ordered[0]
    title = slug_of(half.matter.text("title"))
    if len(title) > 3:
        return title, True
    date = as_date(half.matter.values.get("date")) or half.date
    return ("page" if is_page else str(date or "post")), True


def _last(addresses: tuple[str, ...]) -> str:
    """The last part of an address; empty if it is only a number or a date."""
    name = re.sub(r"\.html?$", "", addresses[0]).rstrip("/").rpartition("/")[2] if addresses else ""
    return "" if re.fullmatch(r"[\d-]*", name) else name

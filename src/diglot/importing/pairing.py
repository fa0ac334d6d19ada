"""Joins halves to articles, and gives each article its name."""

import re
from collections.abc import Iterable

import msgspec

from diglot.importing.names import free_name, slug_of
from diglot.importing.readers.source_files import as_date
from diglot.importing.records import Findings, Half
from diglot.importing.text.body import Body
from diglot.languages import LANGUAGES, Language, count_han

_TAKEN_BY_PAGES = frozenset(("posts", "tags", "categories", "zh", "en", "assets"))


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
    taken: dict[bool, set[str]] = {False: set(), True: set(_TAKEN_BY_PAGES)}
    for number, ((is_page, _), group) in enumerate(groups.items()):
        found: dict[Language, Half] = {
            language: group[language][0] for language in LANGUAGES if language in group
        }
        wanted, is_made_up = _name(found, is_page=is_page)
        name = free_name(wanted, taken[is_page])
        taken[is_page].add(name)
        if is_made_up or name != wanted:
            first = next(iter(found.values()))
            why = "its name has no Latin letters" if is_made_up else "another one has this name"
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


def _name(halves: dict[Language, Half], *, is_page: bool) -> tuple[str, bool]:
    """A name for an article, and whether it had to be made from the title or date."""
    ordered = [halves[language] for language in ("en", "zh") if language in halves]
    for half in ordered:
        if is_page:
            parts = [slug_of(part) for part in half.name.split("/")]
            if all(parts):
                return "/".join(parts), False
        for name in (
            () if is_page else (str(half.matter.values.get("slug") or ""), half.name, _last(half.addresses))
        ):
            slug = slug_of(name)
            if slug and (not count_han(name) or len(slug) > 3):
                return slug, False
    half = ordered[0]
    title = slug_of(str(half.matter.values.get("title", "")))
    if len(title) > 3:
        return title, True
    date = as_date(half.matter.values.get("date")) or half.date
    return ("page" if is_page else str(date or "post")), True


def _last(addresses: tuple[str, ...]) -> str:
    """The last part of an address; empty if it is only a number or a date."""
    name = re.sub(r"\.html?$", "", addresses[0]).rstrip("/").rpartition("/")[2] if addresses else ""
    return "" if re.fullmatch(r"[\d-]*", name) else name

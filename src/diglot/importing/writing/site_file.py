"""Writes `site.yaml` from the old configuration, with a label for every term of the articles."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from diglot.diagnostics import DiagnosticError
from diglot.importing.readers.permalinks import key_of
from diglot.importing.records import Findings, MenuEntry, SiteSettings
from diglot.importing.targets import Place, Targets
from diglot.importing.writing.matter import written
from diglot.languages import Bilingual
from diglot.project import BASE_URL_FIX, load_project

_LISTS = {"tags": "/tags/", "tag": "/tags/", "categories": "/categories/", "category": "/categories/"}
_HOME = frozenset(("", "zh", "en", "posts", "post", "blog", "archives", "archive", "home"))


def site_yaml(
    settings: SiteSettings,
    labels: dict[str, dict[str, Bilingual]],
    targets: Targets,
    places: Iterable[Place],
    *,
    findings: Findings,
    configuration: str,
) -> str:
    """The text of `site.yaml`, with findings about what the configuration of the source lacks."""
    tell = partial(findings.tell, configuration)
    title = settings.title
    if title is None:
        title = Bilingual(zh="博客", en="Blog")
        tell("the source gives the site no title", "write one into site/site.yaml.")
    entries: list[tuple[str, Any]] = [("title", title)]
    if settings.description is not None:
        entries.append(("description", settings.description))
    address = settings.base_url if settings.base_url.startswith(("https://", "http://")) else ""
    is_refused = any(finding.fix == BASE_URL_FIX for finding in findings)
    if not (address or is_refused):
        tell(
            "the source does not say where the site is published",
            "write the site's address into site/site.yaml, as base_url.",
        )
    entries.append(("base_url", f"{(address or 'https://example.org').rstrip('/')}/"))
    if settings.first == "en":
        entries.append(("languages", {"first": "en"}))
    terms = {**labels, "authors": _authors(settings, labels["authors"])}
    entries += [(key, terms[key]) for key in ("authors", "tags", "categories", "series") if terms[key]]
    navigation: list[dict[str, Any]] = []
    used = {place.name: place for place in places if place.is_page and not place.is_hidden}
    for entry in settings.menu:
        path = _path(entry, targets, used, labels)
        if path is None:
            findings.tell(
                entry.source,
                f'the menu\'s "{entry.label.en}" is left out: nothing is at {entry.address}',
                "add the page, and the entry to `navigation` in site/site.yaml.",
            )
        elif path and all(path != one["path"] for one in navigation):
            navigation.append({"label": entry.label, "path": path})
    if navigation:
        entries.append(("navigation", navigation))
    return written(entries)


def lacking_terms(text: str, labels: dict[str, dict[str, Bilingual]]) -> str:
    """The terms of imported articles that an existing `site.yaml` lacks, as YAML to add to it."""
    try:
        project = load_project(text, "site/site.yaml")
    except DiagnosticError:
        return ""  # every build reports its mistakes
    known = {
        "tags": {term.id for term in project.tags},
        "categories": {term.id for term in project.categories},
        "authors": {person.id for person in project.authors},
        "series": {term.id for term in project.series},
    }
    lacking = {
        key: {
            id_: label if key != "authors" else {"name": label}
            for id_, label in found.items()
            if id_ not in known[key]
        }
        for key, found in labels.items()
    }
    return written([(key, found) for key, found in lacking.items() if found]) if any(lacking.values()) else ""


def _authors(settings: SiteSettings, labels: dict[str, Bilingual]) -> dict[str, dict[str, Any]]:
    people: dict[str, dict[str, Any]] = {}
    for id_, label in labels.items():
        known = next(
            (
                one
                for key, one in settings.people.items()
                if key.casefold() in (id_, label.zh.casefold(), label.en.casefold())
            ),
            {},
        )
        name = known.get("name")
        person: dict[str, Any] = {"name": name or (label.zh if label.zh == label.en else label)}
        if known.get("url", "").startswith(("https://", "http://")):
            person["url"] = known["url"]
        people[id_] = person
    return people


def _path(
    entry: MenuEntry, targets: Targets, pages: dict[str, Place], labels: dict[str, dict[str, Bilingual]]
) -> str | None:
    """The path of a menu's entry on the new site; empty for the home page, None if it leads nowhere."""
    if entry.address.startswith(("https://", "http://")):
        return entry.address
    key = key_of(entry.address)
    first = key.partition("/")[0]
    plain = key.partition("/")[2] if first in ("zh", "en", "zh-cn") else key
    if plain in _HOME:
        return ""
    if plain in _LISTS:
        return _LISTS[plain] if labels[_LISTS[plain].strip("/")] else None
    page = targets.page_at(entry.address)
    if page is not None and not page.is_page:
        return f"/posts/{page.name}/"
    if page is not None and page.name in pages:
        return f"/{page.name}/"
    return None

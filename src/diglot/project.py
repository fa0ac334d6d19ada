"""`site/site.yaml` as a frozen value: what makes this site itself."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from diglot.diagnostics import did_you_mean
from diglot.languages import Bilingual
from diglot.strict_yaml import Fields, read_mapping

DEFAULT_TIMEOUT_S = 60.0
"""How long a figure may take, in seconds."""

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Someone who writes here."""

    id: str
    name: Bilingual
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A tag or a category with what readers call it."""

    id: str
    label: Bilingual


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationEntry:
    """A link in the bar of every page."""

    label: Bilingual
    path: str
    """From the root of the language (`/tags/`), or a whole address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The site's configuration, complete and checked."""

    title: Bilingual
    description: Bilingual
    base_url: str
    """Where the site will stand, with a slash at the end."""
    authors: tuple[Person, ...] = ()
    tags: tuple[Term, ...] = ()
    categories: tuple[Term, ...] = ()
    navigation: tuple[NavigationEntry, ...] = ()
    licence: Bilingual | None = None
    feed_entries: int = 20
    figure_timeout_s: float = DEFAULT_TIMEOUT_S

    @property
    def base_path(self) -> str:
        """The path of the site's root, `/` or `/blog/`."""
        return urlsplit(self.base_url).path

    @property
    def origin(self) -> str:
        """Scheme and host of the site, without a slash at the end."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}"


def load_project(text: str, path: str) -> Project:
    """The configuration that a YAML text holds.

    Raises DiagnosticError with every mistake in it.
    """
    fields = Fields(read_mapping(text, path))
    fields.require("title", "base_url")
    nameless = Bilingual(zh="", en="")
    project = Project(
        title=fields.bilingual("title", nameless),
        description=fields.bilingual("description", nameless),
        base_url=_base_url(fields),
        authors=_authors(fields),
        tags=_terms(fields, "tags"),
        categories=_terms(fields, "categories"),
        navigation=_navigation(fields),
        licence=fields.bilingual("licence"),
        feed_entries=_at_least_one(fields, "feed_entries", 20),
        figure_timeout_s=_positive(fields, "figure_timeout_s", DEFAULT_TIMEOUT_S),
    )
    fields.finish()
    fields.raise_mistakes()
    return project


def _base_url(fields: Fields) -> str:
    text = fields.text("base_url", "")
    if not text:
        return "https://invalid.example/"
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        fields.report(
            "base_url",
            f'"{text}" is not the address of a site',
            "write it whole, as in https://example.org/ or https://example.org/blog/.",
        )
    return text if text.endswith("/") else f"{text}/"


def _authors(fields: Fields) -> tuple[Person, ...]:
    nested = fields.nested("authors")
    people = []
    for id_ in nested or ():
        assert nested is not None
        one = nested.nested(id_)
        if one is None:
            continue
        one.require("name")
        people.append(
            Person(id=id_, name=one.bilingual("name", Bilingual(zh=id_, en=id_)), url=one.text("url"))
        )
    return tuple(people)


def _terms(fields: Fields, key: str) -> tuple[Term, ...]:
    nested = fields.nested(key)
    terms = []
    for id_ in nested or ():
        assert nested is not None
        if not _ID.fullmatch(id_):
            nested.report(
                id_,
                f'"{id_}" cannot stand in an address',
                "use lower-case letters, digits and single hyphens; readers see the label.",
            )
        terms.append(Term(id=id_, label=nested.bilingual(id_, Bilingual(zh=id_, en=id_))))
    return tuple(terms)


def _navigation(fields: Fields) -> tuple[NavigationEntry, ...]:
    entries = []
    for item in fields.items("navigation"):
        item.require("label", "path")
        label, path = item.bilingual("label"), item.text("path")
        if path is not None and not path.startswith(("/", "https://", "http://")):
            item.report("path", f'"{path}" does not begin with / or https://', f'write "/{path}".')
        if label is not None and path is not None:
            entries.append(NavigationEntry(label=label, path=path))
    return tuple(entries)


def _at_least_one(fields: Fields, key: str, default: int) -> int:
    value = fields.integer(key, default)
    if value < 1:
        fields.report(key, f"{key}: {value} is below 1", f"leave it out for {default}.")
    return value


def _positive(fields: Fields, key: str, default: float) -> float:
    value = fields.number(key, default)
    if value <= 0:
        fields.report(key, f"{key}: {value:g} is not above 0", f"leave it out for {default:g}.")
    return value


def unknown_terms(used: tuple[str, ...], known: tuple[Term, ...]) -> tuple[tuple[str, str], ...]:
    """The ids that have no label in the configuration, each with a fix."""
    ids = [term.id for term in known]
    return tuple((id_, did_you_mean(id_, ids)) for id_ in used if id_ not in ids)

"""Addresses of a site and who stands beside whom: what pages need to know of other pages.

A page takes its own slice (its neighbours, a tag's articles), never the whole map, so that an edit
reaches only the pages that show it.
"""

import datetime
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Literal

import msgspec

from diglot.languages import LANGUAGES, Language

POSTS = "posts"

Taxonomy = Literal["tags", "categories"]
"""The two ways articles are sorted: by the many words that fit, or by the one shelf they stand on."""
TAXONOMIES: tuple[Taxonomy, Taxonomy] = ("tags", "categories")


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """What lists say of one half of an article."""

    language: Language
    title: str
    description: str
    reading_minutes: int


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What other pages say of an article."""

    name: str
    """What its files are called."""
    slug: str
    """What its address is called."""
    halves: tuple[Half, ...]
    """One or two, zh before en."""
    date: datetime.date
    updated: datetime.date | None = None
    draft: bool = False
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    aliases: tuple[tuple[str, Language], ...] = ()
    """Old addresses, from the site's root, each with the half it leads to."""

    def half(self, language: Language) -> Half | None:
        """The half in a language, None where the article has none."""
        for half in self.halves:
            if half.language == language:
                return half
        return None

    def terms(self, taxonomy: Taxonomy) -> tuple[str, ...]:
        """Its tags, or its categories."""
        return self.tags if taxonomy == "tags" else self.categories

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages it is written in, zh before en."""
        return tuple(half.language for half in self.halves)


class Neighbours(msgspec.Struct, frozen=True, kw_only=True):
    """The articles before and after one, as a reader of its language meets them."""

    newer: Summary | None
    older: Summary | None


class SiteMap(msgspec.Struct, frozen=True, kw_only=True, dict=True):  # a dict: what is looked up is kept
    """All published articles, the newest first; on one day by slug."""

    articles: tuple[Summary, ...] = ()
    broken: tuple[str, ...] = ()
    """Names of articles that cannot be summed up: they stand in no list, and nothing is published."""

    @cached_property
    def by_slug(self) -> Mapping[str, Summary]:
        """The articles by the name in their address."""
        return {article.slug: article for article in self.articles}

    @cached_property
    def by_language(self) -> Mapping[Language, tuple[Summary, ...]]:
        """The articles that have a half in a language."""
        return {
            language: tuple(article for article in self.articles if article.half(language))
            for language in LANGUAGES
        }

    @cached_property
    def by_term(self) -> Mapping[tuple[Language, Taxonomy, str], tuple[Summary, ...]]:
        """The articles of a language that have a tag or category."""
        found: dict[tuple[Language, Taxonomy, str], list[Summary]] = {}
        for language, articles in self.by_language.items():
            for article in articles:
                for taxonomy in TAXONOMIES:
                    for term in article.terms(taxonomy):
                        found.setdefault((language, taxonomy, term), []).append(article)
        return {key: tuple(articles) for key, articles in found.items()}


def map_site(summaries: Iterable[Summary], broken: Iterable[str] = ()) -> SiteMap:
    """The articles in the order every list of the site shows them."""
    by_slug = sorted(summaries, key=lambda summary: summary.slug)
    newest_first = sorted(by_slug, key=lambda summary: summary.date, reverse=True)
    return SiteMap(articles=tuple(newest_first), broken=tuple(broken))


def articles_in(site_map: SiteMap, language: Language) -> tuple[Summary, ...]:
    """The articles that have a half in a language."""
    return site_map.by_language[language]


def terms_in(site_map: SiteMap, language: Language, taxonomy: Taxonomy) -> tuple[tuple[str, int], ...]:
    """The tags or categories of a language's articles with how many have each, the commonest first."""
    counts = {
        term: len(articles)
        for (one, kind, term), articles in site_map.by_term.items()
        if (one, kind) == (language, taxonomy)
    }
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def articles_under(
    site_map: SiteMap, language: Language, taxonomy: Taxonomy, term: str
) -> tuple[Summary, ...]:
    """The articles of a language that have a tag or category."""
    return site_map.by_term.get((language, taxonomy, term), ())


def home_path(language: Language) -> str:
    """The list of a language's articles, from the site's root."""
    return f"{language}/"


def article_path(language: Language, slug: str) -> str:
    """The page of one half."""
    return f"{language}/{POSTS}/{slug}/"


def both_path(language: Language, slug: str) -> str:
    """The page that shows both halves beside each other, its interface in one language."""
    return f"{language}/{POSTS}/{slug}/both/"


def terms_path(language: Language, taxonomy: Taxonomy) -> str:
    """The list of all tags, or of all categories."""
    return f"{language}/{taxonomy}/"


def term_path(language: Language, taxonomy: Taxonomy, term: str) -> str:
    """The list of the articles that have a tag or category."""
    return f"{language}/{taxonomy}/{term}/"


def feed_path(language: Language) -> str:
    """The Atom feed of a language."""
    return f"{language}/feed.xml"


def output_path(address: str) -> str:
    """The file behind an address: a folder's is its `index.html`."""
    return f"{address}index.html" if address == "" or address.endswith("/") else address


def page_languages(site_map: SiteMap) -> tuple[Language, ...]:
    """The languages that have at least one article; both for an empty site."""
    return tuple(lang for lang in LANGUAGES if articles_in(site_map, lang)) or LANGUAGES

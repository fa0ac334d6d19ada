"""Lists of articles cut into pages: a slice of the site map for each page.

So a change of an article makes only those pages again that show it.
"""

from collections import Counter
from collections.abc import Mapping

import msgspec

from diglot.languages import LANGUAGES, Language
from diglot.site_map import (
    SiteMap,
    Summary,
    Taxonomy,
    archive_path,
    articles_in,
    articles_under,
    home_path,
    term_path,
    terms_in,
)
from diglot.which_pages import home_is_root, page_languages

_MOST_RELATED = 8
"""How many tags a page names that the articles in its list have, too."""


class ListTopic(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What a list is of: all posts of a language, those with a tag or the like, or those of a year."""

    language: Language
    taxonomy: Taxonomy | None = None
    term: str = ""
    year: int = 0

    @property
    def page(self) -> str:
        """The address of its first page."""
        if self.year:
            return archive_path(self.language, self.year)
        if self.taxonomy is not None:
            return term_path(self.language, self.taxonomy, self.term)
        return home_path(self.language)

    def in_language(self, language: Language) -> "ListTopic":
        """The same list in a language."""
        return msgspec.structs.replace(self, language=language)


class Listing(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What a page of a list shows."""

    topic: ListTopic
    number: int
    """The number of the page, from 1."""
    pages: Mapping[Language, int]
    """How many pages the list has in each language that has it."""
    first: int
    """The number of its first article in the list, from 1."""
    total: int
    """How many articles are in the list."""
    articles: tuple[Summary, ...]
    terms: tuple[tuple[str, int], ...] = ()
    """On the first page, the tags of its articles with their numbers of articles.

    Of a home page all of them, of others the most frequent ones.
    """
    home_is_root: bool = False
    """Whether the page `/` repeats the home page of the first language."""


def listing_of(site_map: SiteMap, topic: ListTopic, number: int, size: int, first: Language) -> Listing:
    """A page of a list, with at most `size` articles. `first` is the site's first language."""
    listed = listed_under(site_map, topic)
    size = max(1, len(listed)) if topic.year else size
    begin = (number - 1) * size
    return Listing(
        topic=topic,
        number=number,
        pages=page_counts(site_map, topic, size),
        first=begin + 1,
        total=len(listed),
        articles=listed[begin : begin + size],
        terms=_terms(site_map, topic, listed) if number == 1 and not topic.year else (),
        home_is_root=home_is_root(site_map, first),
    )


def term_listing(
    listed: Mapping[Language, tuple[Summary, ...]], topic: ListTopic, number: int, size: int
) -> Listing:
    """The same of a term, whose articles are `listed` in each language."""
    own = listed.get(topic.language, ())
    begin = (number - 1) * size
    return Listing(
        topic=topic,
        number=number,
        pages={language: -(-len(listed[language]) // size) for language in LANGUAGES if listed.get(language)},
        first=begin + 1,
        total=len(own),
        articles=own[begin : begin + size],
        terms=_related_terms(topic, own) if number == 1 else (),
    )


def page_counts(site_map: SiteMap, topic: ListTopic, size: int) -> dict[Language, int]:
    """How many pages a list has in each language that has it. A list by year is one page."""
    found = {}
    for language in LANGUAGES:
        listed = listed_under(site_map, topic.in_language(language))
        if listed:
            found[language] = 1 if topic.year else -(-len(listed) // size)
        elif topic.taxonomy is None and not topic.year and language in page_languages(site_map):
            found[language] = 1
    return found


def listed_under(site_map: SiteMap, topic: ListTopic) -> tuple[Summary, ...]:
    """All articles of a list."""
    if topic.year:
        return site_map.by_year.get((topic.language, topic.year), ())
    if topic.taxonomy is not None:
        return articles_under(site_map, topic.language, topic.taxonomy, topic.term)
    return articles_in(site_map, topic.language)


def _terms(site_map: SiteMap, topic: ListTopic, listed: tuple[Summary, ...]) -> tuple[tuple[str, int], ...]:
    if topic.taxonomy is None:
        return terms_in(site_map, topic.language, "tags")
    return _related_terms(topic, listed)


def _related_terms(topic: ListTopic, listed: tuple[Summary, ...]) -> tuple[tuple[str, int], ...]:
    # A series lists articles of the other language, too.
    shown = (article for article in listed if topic.language in article.shown_in)
    counts = Counter(tag for article in shown for tag in article.tags)
    if topic.taxonomy == "tags":
        del counts[topic.term]
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST_RELATED])

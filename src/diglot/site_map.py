"""Addresses of a site and the order of its articles: what pages need to know of other pages.

A page fetches its own slice (its neighbours, a tag's articles), never the whole map, so that an edit reruns
only the pages that show it.
"""

import datetime
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Literal
from zlib import crc32

import msgspec

from diglot.figure_request import FigureRequest
from diglot.languages import LANGUAGES, TRADITIONAL, Edition, Language
from diglot.left_out import LeftOut
from diglot.project import TERM_ID

MANIFEST_PATH = "site.webmanifest"
"""What browsers read when a reader keeps the site on a home screen."""

POSTS = "posts"
FIGURES = "figures"
"""The first part of the addresses of figures' own pages, below a language."""

Taxonomy = Literal["tags", "categories", "series", "authors"]
"""The ways to sort articles: by all tags that fit, by category, by series, by who wrote them."""
TAXONOMIES: tuple[Taxonomy, ...] = ("tags", "categories", "series", "authors")

ARCHIVE = "archive"
"""The first part of the addresses of the lists by year, below a language."""
PAGE = "page"
"""The part of an address before the number of a page of a list."""


ArticleKind = Literal["post", "page", "talk"]
"""A post is in lists and feeds; a page, such as "About", is only found by links to it; a talk, whose
page shows slides, is in a list of its own."""

TALKS = "talks"
"""The first part of the addresses of talks, below a language."""
GLOSSARY = "glossary"
"""The address of the page of the site's terms, below a language."""

HARDWARE = "hardware"
"""The first part of the addresses of chips' own pages, below a language."""

HOME = ""
"""The slug of the page whose text is on the home pages."""

BOTH = "both"
"""The last part of the address of a side-by-side page."""

UNDATED = datetime.date.min
"""The date of a page without one."""


class HalfSummary(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What lists show of one half of an article."""

    language: Language
    title: str
    description: str
    reading_minutes: int
    slug: str | None = None
    """Its name in addresses, where that differs from the article's."""
    event: str = ""
    """Where a talk was given; empty where its author does not say."""
    updated: datetime.date | None = None
    """The day of its last change, where the other half was changed later."""


class Summary(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What other pages show of an article."""

    name: str
    """The name of its files, or of their folder."""
    slug: str
    """Its name in addresses: `roofline`; of a page, its path below the language, `projects/talks`."""
    kind: ArticleKind = "post"
    halves: tuple[HalfSummary, ...]
    """One or two, zh before en."""
    date: datetime.date
    """`UNDATED` for a page without a date."""
    updated: datetime.date | None = None
    """The day on which one of its halves was changed last."""
    expires: datetime.date | None = None
    """The last day on which it is shown; None for ever, and in the site map."""
    expired: bool = False
    """In the site map: whether that day has passed, but the build shows expired articles."""
    draft: bool = False
    fallback: bool = False
    """Whether an article in one language has a page for readers of the other, with the same text."""
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    series: str = ""
    """The series that it is a part of; empty for none."""
    part: int | None = None
    """Its number there as the author gives it; parts without one are ordered by date."""
    aliases: tuple[tuple[str, Language], ...] = ()
    """Old addresses, from the site's root, each with the language of the half it leads to."""
    article: str = ""
    """The name of the post that a talk is about; empty for none."""

    def half(self, language: Language) -> HalfSummary | None:
        """The half in a language; None if the article has none."""
        for half in self.halves:
            if half.language == language:
                return half
        return None

    def shown(self, language: Language) -> HalfSummary | None:
        """What lists of a language show: the half in it, or the only one if that stands in for it."""
        return self.half(language) or (self.halves[0] if self.fallback else None)

    @property
    def shown_in(self) -> tuple[Language, ...]:
        """The languages whose lists show the article, zh before en."""
        return LANGUAGES if self.fallback else self.languages

    def slug_in(self, language: Language) -> str:
        """Its name in the addresses of a language."""
        for half in self.halves:
            if half.slug is not None and half.language == language:
                return half.slug
        return self.slug

    def changed_in(self, language: Language) -> datetime.date:
        """The day on which the half in a language was published or changed last."""
        half = self.half(language)
        return (half.updated if half else None) or self.updated or self.date

    def path(self, language: Language) -> str:
        """The address of its page for readers of a language, from the site's root."""
        slug = self.slug_in(language)
        return article_path(language, slug) if self.kind == "post" else page_path(language, slug)

    @property
    def addresses(self) -> frozenset[str]:
        """Its addresses without the language, as links may write them: `posts/roofline`, `projects/talks`."""
        above = f"{POSTS}/" if self.kind == "post" else ""
        return frozenset(f"{above}{self.slug if half.slug is None else half.slug}" for half in self.halves)

    @property
    def has_both(self) -> bool:
        """Whether it has pages with both halves side by side."""
        return len(self.languages) == 2 and self.kind != "talk"

    def terms(self, taxonomy: Taxonomy) -> tuple[str, ...]:
        """Its tags, categories, series or authors, as far as they have pages."""
        match taxonomy:
            case "tags":
                return self.tags
            case "categories":
                return self.categories
            case "series":
                return (self.series,) if self.series else ()
            case "authors":
                return tuple(one for one in self.authors if has_author_page(one))

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages of the article, zh before en."""
        return tuple(half.language for half in self.halves)


class SeriesPlace(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The place of an article in its series."""

    series: str
    number: int
    """From 1."""
    count: int
    before: Summary | None
    after: Summary | None


class Neighbours(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The articles before and after one, in the list of its language and in its series."""

    newer: Summary | None
    older: Summary | None
    place: SeriesPlace | None = None
    """None for an article that is in no series."""
    related: tuple[Summary, ...] = ()
    """The articles that are most closely related, the same ones in both languages."""


TERM_GROUPS = 256
"""How many groups terms fall into, of which there may be thousands: a change of an article makes the groups
again, and only the lists of those groups that it is in."""


def term_name(taxonomy: str, term: str) -> str:
    """The name of a term, such as `tags/attention`."""
    return f"{taxonomy}/{term}"


def group_of(name: str, count: int) -> int:
    """Which of `count` groups something falls into, by its name alone."""
    return crc32(name.encode()) % count


class SiteMap(
    msgspec.Struct, frozen=True, kw_only=True, array_like=True, dict=True
):  # dict: cached properties
    """All published posts, newest first (those of one day by slug), and all pages and talks by slug."""

    articles: tuple[Summary, ...] = ()
    """The posts, of which lists and feeds are made."""
    pages: tuple[Summary, ...] = ()
    """Articles that are no posts, without the texts of their halves."""
    broken: tuple[str, ...] = ()
    """Names of articles with mistakes: they appear in no list, and nothing is published."""
    hidden: Mapping[str, str] = msgspec.field(default_factory=dict)
    """The addresses that articles with mistakes would probably have, without the language, and their names;
    no name where not even that is known. What leads there is no mistake of its own."""
    left_out: tuple[LeftOut, ...] = ()
    """The articles that this build does not show, by path."""

    @property
    def everything(self) -> tuple[Summary, ...]:
        """Posts and pages."""
        return (*self.articles, *self.pages)

    @cached_property
    def home(self) -> Summary | None:
        """The page whose text is on the home pages; None if there is none."""
        return next((page for page in self.pages if page.slug == HOME), None)

    @cached_property
    def talks(self) -> tuple[Summary, ...]:
        """The talks, newest first; those without a date at the end."""
        talks = (page for page in self.pages if page.kind == "talk")
        return tuple(sorted(talks, key=lambda talk: talk.date, reverse=True))

    @cached_property
    def by_address(self) -> Mapping[str, Summary]:
        """Posts and pages by each of their addresses without the language."""
        return {address: article for article in self.everything for address in article.addresses}

    @cached_property
    def by_language(self) -> Mapping[Language, tuple[Summary, ...]]:
        """The posts that lists of each language show."""
        return {
            language: tuple(article for article in self.articles if article.shown(language))
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
                        if taxonomy != "series":
                            found.setdefault((language, taxonomy, term), []).append(article)
                        elif (language, taxonomy, term) not in found:
                            found[language, taxonomy, term] = list(self.series[term])
        return {key: tuple(articles) for key, articles in found.items()}

    @cached_property
    def by_group(self) -> Mapping[int, Mapping[str, Mapping[Language, tuple[Summary, ...]]]]:
        """The articles with each term (`tags/attention`), by the group that the term falls into."""
        found: dict[int, dict[str, dict[Language, tuple[Summary, ...]]]] = {}
        for (language, taxonomy, term), articles in self.by_term.items():
            name = term_name(taxonomy, term)
            found.setdefault(group_of(name, TERM_GROUPS), {}).setdefault(name, {})[language] = articles
        return found

    @cached_property
    def series(self) -> Mapping[str, tuple[Summary, ...]]:
        """The parts of each series, in any language: first those with a number, then the others by date."""
        found: dict[str, list[Summary]] = {}
        for article in reversed(self.articles):
            if article.series:
                found.setdefault(article.series, []).append(article)
        return {
            one: tuple(sorted(parts, key=lambda part: (part.part is None, part.part or 0)))
            for one, parts in found.items()
        }

    @cached_property
    def by_year(self) -> Mapping[tuple[Language, int], tuple[Summary, ...]]:
        """The posts that lists of each language show, by year."""
        found: dict[tuple[Language, int], list[Summary]] = {}
        for language, articles in self.by_language.items():
            for article in articles:
                found.setdefault((language, article.date.year), []).append(article)
        return {key: tuple(articles) for key, articles in found.items()}


def map_site(
    summaries: Iterable[Summary],
    broken: Iterable[str] = (),
    hidden: Mapping[str, str] | None = None,
    left_out: Iterable[LeftOut] = (),
) -> SiteMap:
    """The site map, with articles in the order that every list of the site uses."""
    by_slug = sorted(summaries, key=lambda summary: summary.slug)
    posts = (summary for summary in by_slug if summary.kind == "post")
    # Parts of a series that have one date follow each other as they are numbered.
    newest_first = sorted(posts, key=lambda summary: (summary.date, summary.part or 0), reverse=True)
    return SiteMap(
        articles=tuple(newest_first),
        pages=tuple(summary for summary in by_slug if summary.kind != "post"),
        broken=tuple(broken),
        hidden=hidden or {},
        left_out=tuple(sorted(left_out, key=lambda article: article.path)),
    )


def has_author_page(author: str) -> bool:
    """Whether an author's id can be part of an address; the others have no page."""
    return TERM_ID.fullmatch(author) is not None


def articles_in(site_map: SiteMap, language: Language) -> tuple[Summary, ...]:
    """The articles that lists of a language show."""
    return site_map.by_language[language]


def terms_in(site_map: SiteMap, language: Language, taxonomy: Taxonomy) -> tuple[tuple[str, int], ...]:
    """Tags or categories of a language's articles with their number of articles, most frequent first."""
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
    """The address of a language's home page, from the site's root."""
    return f"{language}/"


def article_path(language: Language, slug: str) -> str:
    """The address of the page of one half of a post."""
    return f"{language}/{POSTS}/{slug}/"


def page_path(language: Language, slug: str) -> str:
    """The address of one half of a page that is no post; of the home page's text, the home page."""
    return f"{language}/{slug}/" if slug != HOME else home_path(language)


def traditional_path(path: str) -> str:
    """The address of a Chinese page or file in traditional characters."""
    folder = re.sub(r"^(pagefind/)?zh/", rf"\1{TRADITIONAL}/", path)
    return folder if folder != path else re.sub(r"\.zh\.", f".{TRADITIONAL}.", path)


def without_language(path: str) -> str:
    """An address as links write it for all languages: `posts/roofline`, `projects/talks`."""
    return path.partition("/")[2].rstrip("/")


def card_path(path: str) -> str:
    """The address of the picture that stands for an article where it is shared, given that of its page."""
    return f"{path}card.png"


def markdown_path(path: str) -> str:
    """The address of an article as Markdown, given that of its page."""
    return f"{path}index.md"


def talk_file_path(path: str, name: str, language: Language, ending: str = "html") -> str:
    """The address of a file that is a talk: `zh/talks/roofline/roofline.zh.pdf`, given that of its page."""
    return f"{path}{name.rpartition('/')[2]}.{language}.{ending}"


def values_path(path: str) -> str:
    """The address of what the values of a half depend on, given that of its page."""
    return f"{path}values.json"


def references_path(path: str) -> str:
    """The address of the works that a half cites, given that of its page."""
    return f"{path}references.bib"


def both_path(path: str) -> str:
    """The address of the side-by-side page, given that of the half in the language of its interface."""
    return f"{path}{BOTH}/"


def list_path(page: str, number: int) -> str:
    """The address of a page of a list, given that of its first page: `zh/page/2/`."""
    return page if number == 1 else f"{page}{PAGE}/{number}/"


def archive_path(language: Language, year: int = 0) -> str:
    """The address of the list of all years, or of the articles of a year."""
    return f"{language}/{ARCHIVE}/{year}/" if year else f"{language}/{ARCHIVE}/"


def terms_path(language: Language, taxonomy: Taxonomy) -> str:
    """The address of the list of all tags or all categories."""
    return f"{language}/{taxonomy}/"


def term_path(language: Language, taxonomy: Taxonomy, term: str) -> str:
    """The address of the list of articles with a tag or category."""
    return f"{language}/{taxonomy}/{term}/"


FeedFormat = Literal["xml", "json"]
FEED_FORMATS: tuple[FeedFormat, FeedFormat] = ("xml", "json")
"""Atom, and JSON Feed."""


class FeedTopic(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What a feed is about: all posts of a language, or those with a tag or category."""

    language: Language
    taxonomy: Taxonomy | None = None
    term: str = ""

    @property
    def page(self) -> str:
        """The address of the page that lists the same articles."""
        if self.taxonomy is None:
            return home_path(self.language)
        return term_path(self.language, self.taxonomy, self.term)


def feed_path(page: str, ending: FeedFormat = "xml") -> str:
    """The address of the feed of a home page, or of a tag's page."""
    return f"{page}feed.{ending}"


def gallery_path(language: Language) -> str:
    """The address of the list of all figures."""
    return f"{language}/{FIGURES}/"


def figures_path(language: Language) -> str:
    """The address of what all figures depend on, next to the list of them."""
    return f"{gallery_path(language)}figures.json"


def figure_path(language: Language, figure_id: str) -> str:
    """The address of a figure's own page."""
    return f"{gallery_path(language)}{figure_id}/"


def embed_path(language: Language, figure_id: str) -> str:
    """The address of a figure alone, for frames on other sites."""
    return f"{FIGURES}/{figure_id}/embed.{language}.html"


def oembed_path(language: Language, figure_id: str) -> str:
    """The address of what programs read about a figure that they show."""
    return f"{FIGURES}/{figure_id}/oembed.{language}.json"


def talks_path(language: Language) -> str:
    """The address of the list of all talks."""
    return f"{language}/{TALKS}/"


def glossary_path(language: Language) -> str:
    """The address of the page of the site's terms."""
    return f"{language}/{GLOSSARY}/"


def hardware_path(language: Language) -> str:
    """The address of the list of all chips."""
    return f"{language}/{HARDWARE}/"


def chip_path(language: Language, slug: str) -> str:
    """The address of a chip's own page."""
    return f"{hardware_path(language)}{slug}/"


def data_path(request: FigureRequest) -> str:
    """Published path of the file with a figure's data, from the site's root; only with a gallery."""
    return f"figures/{request.figure_id}/{request.file_stem}.json"


def chip_data_path(slug: str) -> str:
    """The address of a chip's facts as JSON, which are the same in both languages."""
    return f"{HARDWARE}/{slug}.json"


def traditional_chip_data_path(path: str) -> str:
    """The address of the same facts with their Chinese texts in traditional characters."""
    return f"{path.removesuffix('.json')}.{TRADITIONAL}.json"


INDEXES = "pagefind/"
"""The folder of all indexes of the search."""


def search_path(edition: Edition) -> str:
    """The folder of the index in which readers of a language search."""
    return f"{INDEXES}{edition}/"


def output_path(address: str) -> str:
    """The output file of an address; a folder's is its `index.html`."""
    return f"{address}index.html" if address == "" or address.endswith("/") else address

"""The pages that show the same content in each language, and when it changed.

Canonical addresses, `hreflang`, `x-default`, the map of the site and the words of the toggle come from here.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

import msgspec

from diglot.languages import HTML_LANG, LANGUAGES, TRADITIONAL, Language
from diglot.listings import ListTopic, page_counts
from diglot.project import Project
from diglot.render.addresses import Addresses
from diglot.render.views import Alternate
from diglot.site_map import (
    TAXONOMIES,
    UNDATED,
    SiteMap,
    Summary,
    Taxonomy,
    archive_path,
    chip_path,
    figure_path,
    gallery_path,
    glossary_path,
    hardware_path,
    home_path,
    list_path,
    talks_path,
    terms_in,
    terms_path,
    traditional_path,
)
from diglot.which_pages import (
    archive_languages,
    home_is_root,
    page_languages,
    talk_languages,
    terms_languages,
)


class Versions(msgspec.Struct, frozen=True, kw_only=True):
    """The pages that show the same content. Paths are from the site's root."""

    paths: Mapping[Language, str]
    """The page for readers of each language, where the toggle leads."""
    written: tuple[Language, ...]
    """The languages in which it is written; a page for readers of another one repeats the first of these."""
    default: str
    """The page for readers of neither language (`x-default`)."""
    traditional: bool = False
    """Whether the Chinese page is there in traditional characters, too."""

    def canonical(self, path: str, language: Language) -> str:
        """The page that search engines should show instead of the one at `path`, or that one itself.

        `language` is that of the text.
        """
        return path if path == self.default else self.paths[language]

    @property
    def indexed(self) -> tuple[str, ...]:
        """The pages that are nobody's repetition."""
        own = tuple(self.paths[one] for one in self.written)
        return (*(own if self.default in own else (self.default, *own)), *self._traditional)

    def alternates(self, addresses: Addresses) -> tuple[Alternate, ...]:
        """Links to the pages that are translations of each other, and to the one for all others."""
        found = [
            Alternate(hreflang=HTML_LANG[one], url=addresses.whole(self.paths[one])) for one in self.written
        ]
        found += [
            Alternate(hreflang=HTML_LANG[TRADITIONAL], url=addresses.whole(one)) for one in self._traditional
        ]
        return (*found, Alternate(hreflang="x-default", url=addresses.whole(self.default)))

    @property
    def _traditional(self) -> tuple[str, ...]:
        written = self.traditional and "zh" in self.written
        return (traditional_path(self.paths["zh"]),) if written else ()


def versions_of(
    project: Project, paths: Mapping[Language, str], written: Iterable[Language] = LANGUAGES
) -> Versions:
    """The pages at some paths; readers of neither language get the first that is written."""
    there = tuple(one for one in written if one in paths)
    default = next(one for one in project.languages if one in there)
    return Versions(
        paths=paths,
        written=there,
        default=paths[default],
        traditional=project.traditional is not None,
    )


def home_versions(project: Project, languages: Iterable[Language], *, home_is_root: bool) -> Versions:
    """The home pages. The page at the root is for readers of neither, unless it repeats one of them."""
    versions = versions_of(project, {one: home_path(one) for one in languages})
    return versions if home_is_root else msgspec.structs.replace(versions, default="")


def article_versions(project: Project, article: Summary) -> Versions:
    """The pages of an article."""
    paths = {one: article.path(one) for one in article.shown_in}
    return versions_of(project, paths, article.languages)


def listing_versions(
    project: Project, topic: ListTopic, pages: Mapping[Language, int], number: int
) -> Versions:
    """A page of a list, given how many pages the list has in each language that has it.

    Where the list of a language has fewer, its last page is the one for its readers.
    """
    paths = {one: list_path(topic.in_language(one).page, min(number, count)) for one, count in pages.items()}
    return versions_of(project, paths, [one for one in LANGUAGES if pages.get(one, 0) >= number])


def archive_versions(project: Project, site_map: SiteMap) -> Versions:
    """The lists of all years."""
    return versions_of(project, {one: archive_path(one) for one in archive_languages(site_map)})


def terms_versions(project: Project, site_map: SiteMap, taxonomy: Taxonomy) -> Versions:
    """The lists of all tags, or of all categories."""
    having = terms_languages(site_map, taxonomy)
    return versions_of(project, {one: terms_path(one, taxonomy) for one in having})


def changed_on(article: Summary) -> datetime.date | None:
    """The day of an article's last change as its front matter gives it; None for a page without a date."""
    day = max(map(article.changed_in, article.languages))
    return None if day == UNDATED else day


def pages_to_index(
    project: Project, site_map: SiteMap, figures: Iterable[str] = (), chips: Iterable[str] = ()
) -> Iterator[tuple[Versions, datetime.date | None]]:
    """All pages that search engines should find, each with the day of its last change.

    No drafts, no expired articles and no side-by-side pages, whose content is in the halves. `figures` and
    `chips` are the names in addresses of those that have pages of their own.
    """
    articles = [article for article in site_map.articles if _is_public(article)]
    latest = _latest(articles)
    languages = page_languages(site_map)
    yield home_versions(project, languages, home_is_root=home_is_root(site_map, project.first)), latest
    yield from _further_pages(project, site_map, ListTopic(language=languages[0]), latest)
    for article in (*articles, *filter(_is_public, site_map.pages)):
        if article is not site_map.home:
            yield article_versions(project, article), changed_on(article)
    if articles:
        yield archive_versions(project, site_map), latest
    for year in sorted({article.date.year for article in articles}, reverse=True):
        topic = ListTopic(language=languages[0], year=year)
        of_year = (article for article in articles if article.date.year == year)
        yield listing_versions(project, topic, page_counts(site_map, topic, 1), 1), _latest(of_year)
    if having_talks := talk_languages(site_map):
        yield versions_of(project, {one: talks_path(one) for one in having_talks}), None
    for taxonomy in TAXONOMIES:
        if any(terms_in(site_map, one, taxonomy) for one in languages):
            yield terms_versions(project, site_map, taxonomy), latest
        terms: dict[str, list[Summary]] = {}
        for article in articles:
            for term in article.terms(taxonomy):
                terms.setdefault(term, []).append(article)
        for term, having in sorted(terms.items()):
            topic = ListTopic(language=languages[0], taxonomy=taxonomy, term=term)
            pages = page_counts(site_map, topic, project.list_entries)
            yield listing_versions(project, topic, pages, 1), _latest(having)
            yield from _further_pages(project, site_map, topic, _latest(having))
    made: list[Callable[[Language], str]] = [glossary_path] if project.glossary else []
    of_figures = [partial(figure_path, figure_id=one) for one in figures]
    made += [*of_figures, gallery_path] if of_figures else []
    of_chips = [partial(chip_path, slug=one) for one in chips]
    made += [hardware_path, *of_chips] if of_chips else []
    for path in made:
        yield versions_of(project, {one: path(one) for one in languages}), None


def _further_pages(
    project: Project, site_map: SiteMap, topic: ListTopic, changed: datetime.date | None
) -> Iterator[tuple[Versions, datetime.date | None]]:
    """The pages of a list behind the first one."""
    pages = page_counts(site_map, topic, project.list_entries)
    for number in range(2, max(pages.values(), default=1) + 1):
        yield listing_versions(project, topic, pages, number), changed


def _is_public(article: Summary) -> bool:
    return not article.draft and not article.expired


def _latest(articles: Iterable[Summary]) -> datetime.date | None:
    return max(filter(None, map(changed_on, articles)), default=None)

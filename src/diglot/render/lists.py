"""Renders lists of articles by language and by tag, and the neutral landing page."""

from itertools import groupby

from markupsafe import Markup

from diglot.invariants import certain
from diglot.languages import HTML_LANG, Language, format_date, twin_of
from diglot.project import Project
from diglot.render.page_parts import (
    addresses_of,
    feed_views,
    generated_page,
    page_view,
    render_page,
    toggle_words,
)
from diglot.render.structured_data import site_data
from diglot.render.terms import feed_title, known_terms, label_of, linked_terms
from diglot.render.theme import Theme
from diglot.render.versions import home_versions, term_versions, terms_versions
from diglot.render.views import EntryView, Link, TermView, YearView
from diglot.site_map import (
    FeedTopic,
    SiteMap,
    Summary,
    Taxonomy,
    articles_in,
    articles_under,
    page_languages,
    terms_in,
)

_LATEST = 8


def landing_page(theme: Theme, project: Project, site_map: SiteMap) -> str:
    """The page `/`: the site in both languages with its latest articles and links; it never redirects."""
    addresses = addresses_of(project)
    languages = page_languages(site_map, project.languages)
    versions = home_versions(project, site_map)
    homes = versions.paths
    page = page_view(
        project,
        language=languages[0],
        path="",
        title="",
        description=" ".join(filter(None, map(project.description.of, project.languages))),
        versions=versions,
        toggle=toggle_words(theme.strings, addresses, languages[0], paths=homes, current=None),
    )
    return render_page(
        theme,
        project,
        "landing.html",
        page,
        titles=[
            (HTML_LANG[one], project.title.of(one), project.description.of(one)) for one in project.languages
        ],
        homes=[
            Link(text=theme.strings[one]("all_articles"), url=addresses.path(homes[one]), lang=HTML_LANG[one])
            for one in languages
        ],
        entries=tuple(entry_view(theme, project, article, None) for article in site_map.articles[:_LATEST]),
    )


def list_page(theme: Theme, project: Project, site_map: SiteMap, language: Language) -> str:
    """The page `/zh/`: all articles of a language by year, newest first, and its tags."""
    versions = home_versions(project, site_map)
    page = generated_page(
        theme,
        project,
        language,
        versions,
        description=project.description.of(language),
        structured=site_data(project, language),
    )
    return render_page(
        theme,
        project,
        "list.html",
        page,
        **home_lists(theme, project, site_map, language),
    )


def home_lists(theme: Theme, project: Project, site_map: SiteMap, language: Language) -> dict[str, object]:
    """What home pages list, by the names that templates use: the articles of a language, and its tags."""
    return {
        "years": _by_year(theme, project, articles_in(site_map, language), language),
        "tags": _term_views(project, site_map, language, "tags"),
    }


def terms_page(
    theme: Theme, project: Project, site_map: SiteMap, *, language: Language, taxonomy: Taxonomy
) -> str:
    """The page `/zh/tags/`: all tags with their numbers of articles; the same for `/zh/categories/`."""
    versions = terms_versions(project, site_map, taxonomy)
    page = generated_page(theme, project, language, versions, title=theme.strings[language](taxonomy))
    terms = _term_views(project, site_map, language, taxonomy)
    return render_page(theme, project, "terms.html", page, taxonomy=taxonomy, terms=terms)


def term_page(
    theme: Theme, project: Project, site_map: SiteMap, *, language: Language, taxonomy: Taxonomy, term: str
) -> str:
    """The page `/zh/tags/<tag>/`: the articles of a language with a tag; the same for categories."""
    versions = term_versions(project, site_map, taxonomy, term)
    label = label_of(known_terms(project, taxonomy), term, language)
    topic = FeedTopic(language=language, taxonomy=taxonomy, term=term)
    feeds = feed_views(project, topic.page, feed_title(project, topic)) if project.tag_feeds else ()
    page = generated_page(theme, project, language, versions, title=label, feeds=feeds)
    years = _by_year(theme, project, articles_under(site_map, language, taxonomy, term), language)
    return render_page(theme, project, "term.html", page, taxonomy=taxonomy, label=label, years=years)


def entry_view(theme: Theme, project: Project, article: Summary, language: Language | None) -> EntryView:
    """An article in a list of a language; None is the neutral list, which prefers the site's first one."""
    addresses = addresses_of(project)
    half = article.shown(language) if language else article.half(project.first) or article.halves[0]
    main = certain(half, "a list of a language shows articles that have a page for its readers")
    twin = article.half(twin_of(main.language))
    neutral = language is None
    readers = language or main.language

    def link(text: str, one: Language) -> Link:
        return Link(text=text, url=addresses.path(article.path(one)), lang=HTML_LANG[one])

    return EntryView(
        title=Link(text=main.title, url=addresses.path(article.path(readers)), lang=HTML_LANG[main.language]),
        description=main.description,
        twin=link(twin.title, twin.language) if twin else None,
        date=article.date.isoformat() if neutral else format_date(article.date, readers),
        iso_date=article.date.isoformat(),
        minutes=main.reading_minutes,
        languages=tuple(link(theme.strings[one]("language_name"), one) for one in article.languages),
        draft=article.draft,
        expired=article.expired,
    )


def _by_year(
    theme: Theme, project: Project, articles: tuple[Summary, ...], language: Language
) -> tuple[YearView, ...]:
    return tuple(
        YearView(year=year, entries=tuple(_entry(theme, project, one, language) for one in of_year))
        for year, of_year in groupby(articles, key=lambda article: article.date.year)
    )


def _entry(theme: Theme, project: Project, article: Summary, language: Language) -> Markup:
    """An article in the lists of a language: of all articles, of a tag, and of a category."""
    key = project.base_url, article, language
    if key not in theme.shown:
        view = entry_view(theme, project, article, language)
        theme.shown[key] = theme.templates.show("entry.html", "entry", view, theme.strings[language], 3)
    return theme.shown[key]


def _term_views(
    project: Project, site_map: SiteMap, language: Language, taxonomy: Taxonomy
) -> tuple[TermView, ...]:
    counts = terms_in(site_map, language, taxonomy)
    links = linked_terms(project, taxonomy, tuple(term for term, _ in counts), language)
    return tuple(TermView(link=link, count=count) for link, (_, count) in zip(links, counts, strict=True))

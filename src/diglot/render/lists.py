"""Renders lists of articles by language and by tag, and the neutral landing page."""

from collections.abc import Iterable
from itertools import groupby

from markupsafe import Markup

from diglot.invariants import certain
from diglot.languages import HTML_LANG, NO_TEXT, Language, format_date, format_day, twin_of
from diglot.listings import Listing, ListTopic
from diglot.project import Project
from diglot.render.page_parts import (
    NOTHING,
    addresses_of,
    described_by,
    feed_views,
    generated_page,
    page_view,
    render_page,
    toggle_words,
)
from diglot.render.structured_data import site_data
from diglot.render.terms import feed_title, known_terms, label_of, linked_terms, people_of
from diglot.render.theme import Theme
from diglot.render.versions import Versions, archive_versions, home_versions, listing_versions, terms_versions
from diglot.render.views import (
    EntryView,
    FeedView,
    Link,
    PagesView,
    PageView,
    PairHalfView,
    PairView,
    TermView,
    TitleView,
    YearView,
)
from diglot.site_map import (
    FeedTopic,
    SiteMap,
    Summary,
    Taxonomy,
    archive_path,
    home_path,
    list_path,
    terms_in,
)
from diglot.which_pages import home_is_root, page_languages

_LATEST = 8


def landing_page(theme: Theme, project: Project, site_map: SiteMap) -> str:
    """The page `/`: the site in both languages with its latest articles and links; it never redirects."""
    addresses = addresses_of(project)
    languages = page_languages(site_map, project.languages)
    versions = home_versions(project, languages, home_is_root=home_is_root(site_map, project.first))
    homes = versions.paths
    page = page_view(
        project,
        language=languages[0],
        path="",
        title="",
        description=" ".join(filter(None, map(project.description.of, project.languages))),
        versions=versions,
        toggle=toggle_words(theme.strings, project, languages[0], paths=homes, current=None),
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
        entries=tuple(
            pair_view(project, article, project.languages) for article in site_map.articles[:_LATEST]
        ),
    )


def pair_view(
    project: Project, article: Summary, languages: tuple[Language, ...], *, described: bool = True
) -> PairView:
    """An article as pages for both languages show it: in each of them, one next to the other."""
    return PairView(
        halves=tuple(_half_of_pair(project, article, one, described=described) for one in languages),
        iso_date=article.date.isoformat(),
        draft=article.draft,
        expired=article.expired,
    )


def _half_of_pair(project: Project, article: Summary, language: Language, *, described: bool) -> PairHalfView:
    own = article.half(language)
    shown = own or article.halves[0]
    path = article.path(language if own or article.fallback else shown.language)
    lang = None if own else HTML_LANG[shown.language]
    return PairHalfView(
        language=language,
        lang=HTML_LANG[language],
        title=Link(text=shown.title, url=addresses_of(project).path(path), lang=lang),
        description=own.description if own and described else "",
        date=format_date(article.date, language),
        minutes=shown.reading_minutes,
        is_missing=own is None,
    )


def list_page(theme: Theme, project: Project, listing: Listing) -> str:
    """A page of a list: `/zh/`, `/zh/page/2/`, `/zh/tags/<tag>/`, `/zh/archive/2026/`."""
    topic, is_first = listing.topic, listing.number == 1
    page = list_page_view(theme, project, listing)
    if topic.taxonomy is None:
        template = "year.html" if topic.year else "list.html"
        return render_page(theme, project, template, page, **home_lists(theme, project, listing))
    return render_page(
        theme,
        project,
        "term.html",
        page,
        taxonomy=topic.taxonomy,
        heading=_heading(theme, project, topic),
        description=tuple(filter(None, _description(project, topic).split("\n\n"))) if is_first else (),
        links=_links_of_author(project, topic) if is_first else (),
        parts=_parts(theme, project, listing) if topic.taxonomy == "series" else (),
        first=listing.first,
        related=_term_views(project, listing.terms, topic.language, "tags"),
        **home_lists(theme, project, listing),
    )


def list_page_view(theme: Theme, project: Project, listing: Listing) -> PageView:
    """What surrounds the articles on a page of a list."""
    topic, is_first = listing.topic, listing.number == 1
    language, words = topic.language, theme.strings[topic.language]
    place = "" if is_first else words("page_number", n=listing.number)
    description = _description(project, topic) if is_first else ""
    names = ((article.shown(language) or article.halves[0]).title for article in listing.articles)
    called = " · ".join(filter(None, (list_label(theme, project, topic), place)))
    return generated_page(
        theme,
        project,
        language,
        versions_of_listing(project, listing),
        title=" · ".join(filter(None, (_heading(theme, project, topic), place))),
        description=description.partition("\n\n")[0] or described_by(words, called, names),
        feeds=_feeds(project, topic),
        structured=site_data(project, language)
        if topic.page == home_path(language) and is_first
        else NOTHING,
    )


def _heading(theme: Theme, project: Project, topic: ListTopic) -> str:
    """A tag and a category may have one name, but pages have titles of their own."""
    label = list_label(theme, project, topic)
    return theme.strings[topic.language](f"under_{topic.taxonomy}", label=label) if topic.taxonomy else label


def home_lists(theme: Theme, project: Project, listing: Listing) -> dict[str, object]:
    """What pages of lists show, by the names that templates use: articles, tags, the other pages."""
    language = listing.topic.language
    is_home = listing.topic.taxonomy is None and not listing.topic.year
    return {
        "years": _by_year(theme, project, listing),
        "tags": _term_views(project, listing.terms, language, "tags") if is_home else (),
        "total": listing.total,
        "pages": _pages(project, listing),
        "archive": addresses_of(project).path(archive_path(language)) if listing.total else "",
    }


def list_label(theme: Theme, project: Project, topic: ListTopic) -> str:
    """What a list is called; a home page is called like the site, which needs no saying."""
    if topic.taxonomy is not None:
        return label_of(known_terms(project, topic.taxonomy), topic.term, topic.language)
    return theme.strings[topic.language]("archive_year", year=topic.year) if topic.year else ""


def versions_of_listing(project: Project, listing: Listing) -> Versions:
    """A page of a list in each language."""
    topic = listing.topic
    if topic.taxonomy is None and not topic.year and listing.number == 1:
        return home_versions(project, listing.pages, home_is_root=listing.home_is_root)
    return listing_versions(project, topic, listing.pages, listing.number)


def archive_page(theme: Theme, project: Project, site_map: SiteMap, language: Language) -> str:
    """The page `/zh/archive/`: the years in which there are articles."""
    versions = archive_versions(project, site_map)
    addresses = addresses_of(project)
    years = tuple(
        TermView(
            link=Link(text=str(year), url=addresses.path(archive_path(language, year))), count=len(articles)
        )
        for (one, year), articles in sorted(site_map.by_year.items(), reverse=True)
        if one == language
    )
    names = (year.link.text for year in years)
    title = theme.strings[language]("archive")
    page = generated_page(theme, project, language, versions, title=title, names=names)
    return render_page(theme, project, "archive.html", page, years=years)


def terms_page(
    theme: Theme, project: Project, site_map: SiteMap, *, language: Language, taxonomy: Taxonomy
) -> str:
    """The page `/zh/tags/`: all tags with their numbers of articles; the same for the other taxonomies."""
    versions = terms_versions(project, site_map, taxonomy)
    terms = _term_views(project, terms_in(site_map, language, taxonomy), language, taxonomy)
    names = (term.link.text for term in terms)
    title = theme.strings[language](taxonomy)
    page = generated_page(theme, project, language, versions, title=title, names=names)
    return render_page(theme, project, "terms.html", page, taxonomy=taxonomy, terms=terms)


def entry_view(theme: Theme, project: Project, article: Summary, language: Language) -> EntryView:
    """An article in a list of a language."""
    addresses = addresses_of(project)
    half = article.shown(language)
    main = half or article.halves[0]  # a series shows its parts to readers of the other language, too
    twin = article.half(twin_of(main.language))
    its_page = language if half else main.language

    def link(text: str, one: Language) -> Link:
        return Link(text=text, url=addresses.path(article.path(one)), lang=HTML_LANG[one])

    return EntryView(
        title=Link(
            text=main.title, url=addresses.path(article.path(its_page)), lang=HTML_LANG[main.language]
        ),
        description=main.description,
        twin=link(twin.title, twin.language) if twin else None,
        date=format_date(article.date, language),
        iso_date=article.date.isoformat(),
        minutes=main.reading_minutes,
        languages=tuple(link(theme.strings[one]("language_name"), one) for one in article.languages),
        draft=article.draft,
        expired=article.expired,
    )


def _by_year(theme: Theme, project: Project, listing: Listing) -> tuple[YearView, ...]:
    language, in_archive = listing.topic.language, bool(listing.topic.year)
    if listing.topic.taxonomy == "series":
        return ()
    return tuple(
        YearView(
            year=year,
            entries=() if in_archive else tuple(_entry(theme, project, one, language) for one in articles),
            titles=tuple(_title(project, one, language) for one in articles) if in_archive else (),
        )
        for year, of_year in groupby(listing.articles, key=lambda article: article.date.year)
        for articles in (tuple(of_year),)
    )


def _title(project: Project, article: Summary, language: Language) -> TitleView:
    half = certain(article.shown(language), "the archive of a language shows articles that have a page in it")
    lang = None if half.language == language else HTML_LANG[half.language]
    url = addresses_of(project).path(article.path(language))
    return TitleView(
        link=Link(text=half.title, url=url, lang=lang),
        day=format_day(article.date, language),
        iso_date=article.date.isoformat(),
    )


def _entry(theme: Theme, project: Project, article: Summary, language: Language) -> Markup:
    """An article in the lists of a language: of all articles, of a tag, and of a category."""
    key = project.base_url, article, language  # of the project, `entry_view` needs its address alone
    shown = theme.shown.get(key)
    if shown is None:
        view = entry_view(theme, project, article, language)
        shown = theme.templates.show("entry.html", "entry", view, theme.strings[language], 3)
        theme.shown[key] = shown
    return shown


def _parts(theme: Theme, project: Project, listing: Listing) -> tuple[Markup, ...]:
    language = listing.topic.language
    return tuple(
        theme.templates.show(
            "entry.html",
            "entry",
            entry_view(theme, project, one, language),
            theme.strings[language],
            2,
            number,
        )
        for number, one in enumerate(listing.articles, listing.first)
    )


def _feeds(project: Project, topic: ListTopic) -> tuple[FeedView, ...]:
    if topic.taxonomy is None or not project.tag_feeds:
        return ()
    feed = FeedTopic(language=topic.language, taxonomy=topic.taxonomy, term=topic.term)
    return feed_views(project, feed.page, feed_title(project, feed))


def _description(project: Project, topic: ListTopic) -> str:
    """What a list is about; paragraphs are parted by empty lines."""
    if topic.taxonomy is None:
        return "" if topic.year else project.description.of(topic.language)
    if topic.taxonomy == "authors":
        person = next(iter(people_of(project, (topic.term,))))
        return person.text.of(topic.language).strip()
    known = known_terms(project, topic.taxonomy)
    found = next((term.description for term in known if term.id == topic.term), NO_TEXT)
    return found.of(topic.language).strip()


def _links_of_author(project: Project, topic: ListTopic) -> tuple[Link, ...]:
    if topic.taxonomy != "authors":
        return ()
    person = next(iter(people_of(project, (topic.term,))))
    own = () if person.url is None else (Link(text=_bare(person.url), url=person.url),)
    return (*own, *(Link(text=label.of(topic.language), url=url) for label, url in person.links))


def _bare(url: str) -> str:
    return url.split("://", 1)[-1].rstrip("/")


def _pages(project: Project, listing: Listing) -> PagesView | None:
    """The other pages of a list; None where there is one only."""
    topic, number = listing.topic, listing.number
    count = listing.pages[topic.language]
    if count == 1:
        return None
    addresses = addresses_of(project)
    shown = sorted({1, count, *range(max(1, number - 1), min(count, number + 1) + 1)})
    links: list[Link] = []
    for before, one in zip([0, *shown], shown, strict=False):
        if one > before + 1:
            links.append(Link(text="…", url=""))
        links.append(Link(text=str(one), url=addresses.path(list_path(topic.page, one))))

    def at(one: int) -> str:
        return addresses.path(list_path(topic.page, one)) if 1 <= one <= count else ""

    return PagesView(
        number=number, count=count, newer=at(number - 1), older=at(number + 1), links=tuple(links)
    )


def _term_views(
    project: Project, counts: Iterable[tuple[str, int]], language: Language, taxonomy: Taxonomy
) -> tuple[TermView, ...]:
    found = tuple(counts)
    links = linked_terms(project, taxonomy, tuple(term for term, _ in found), language)
    described = {term.id: term.description.of(language) for term in known_terms(project, taxonomy)}
    return tuple(
        TermView(link=link, count=count, description=described.get(term, "").strip())
        for link, (term, count) in zip(links, found, strict=True)
    )

"""The parts that all pages share: site, frame and language toggle."""

import datetime
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from markupsafe import Markup
from msgspec.structs import replace

from diglot.languages import HTML_LANG, LANGUAGES, LOCALES, TRADITIONAL, Language, twin_of
from diglot.project import Project
from diglot.render.addresses import Addresses
from diglot.render.asset_addresses import AssetAddresses
from diglot.render.params import Params
from diglot.render.strings import Strings
from diglot.render.theme import Theme
from diglot.render.versions import Versions
from diglot.render.views import CardView, FeedView, Link, PageView, SiteView, ToggleWord, View
from diglot.site_map import (
    FEED_FORMATS,
    MANIFEST_PATH,
    UNDATED,
    FeedFormat,
    feed_path,
    home_path,
    search_path,
    traditional_path,
)
from diglot.spelling.settings import locale_of

NOTHING = Markup()


def addresses_of(project: Project) -> Addresses:
    """The converter of this site's paths to addresses."""
    return Addresses(base_url=project.base_url)


def site_view(project: Project, language: Language, custom_style: str = "") -> SiteView:
    """The site in one language. `custom_style` is the path of the project's own style sheet."""
    addresses = addresses_of(project)
    return SiteView(
        title=project.title.of(language),
        description=project.description.of(language),
        home=addresses.path(""),
        home_in_language=addresses.path(home_path(language)),
        feed=addresses.path(feed_path(home_path(language))),
        manifest=addresses.path(MANIFEST_PATH),
        navigation=tuple(
            Link(text=entry.label.of(language), url=addresses.path(entry.target(language)))
            for entry in project.navigation
        ),
        licence=project.licence.of(language) if project.licence else "",
        host=project.host,
        custom_style=addresses.path(custom_style) if custom_style else "",
        search=addresses.path(search_path(language)) if project.search else "",
        traditional=project.traditional is not None,
        comments=project.comments,
        analytics=project.analytics,
        params=Params(project.params, language),
    )


def page_view(
    project: Project,
    *,
    language: Language,
    path: str,
    title: str = "",
    description: str = "",
    versions: Versions | None = None,
    text_language: Language | None = None,
    feeds: tuple[FeedView, ...] = (),
    toggle: tuple[ToggleWord, ...] = (),
    view: View | None = None,
    indexed: bool = True,
    kind: Literal["website", "article"] = "website",
    draft: bool = False,
    expired: bool = False,
    discussion: str = "",
    params: Mapping[str, Any] | None = None,
    card: CardView | None = None,
    dates: tuple[datetime.date, datetime.date | None] | None = None,
    structured: Markup = NOTHING,
    markdown: str = "",
) -> PageView:
    """The frame of the page at a path.

    `versions` are the pages with the same content, this one included; `text_language` is the language of the
    text where it is not the page's. A page that repeats another one names that as canonical. `feeds` are
    those about what it shows, besides the feeds of the language. `dates` are those of an article and of its
    last change.
    """
    addresses = addresses_of(project)
    site_title = project.title.of(language)
    canonical = versions.canonical(path, text_language or language) if versions else path
    return PageView(
        language=language,
        lang=HTML_LANG[language],
        view=view or language,
        title=f"{title} · {site_title}" if title else site_title,
        description=description,
        url=addresses.path(path),
        canonical=addresses.whole(canonical),
        alternates=versions.alternates(addresses) if versions and path == canonical else (),
        card=card,
        markdown=addresses.path(markdown) if markdown else "",
        structured=structured,
        locale=LOCALES[text_language or language],
        other_locales=_other_locales(project, versions, text_language or language) if versions else (),
        published=_iso(dates[0] if dates else None),
        modified=_iso(dates[1] or dates[0] if dates else None),
        feeds=(*feeds, *feed_views(project, home_path(language), site_title)),
        toggle=toggle,
        indexed=indexed,
        kind=kind,
        draft=draft,
        expired=expired,
        discussion=discussion,
        params=Params(params or {}, language),
    )


def _other_locales(project: Project, versions: Versions, language: Language) -> tuple[str, ...]:
    found = [LOCALES[one] for one in versions.written if one != language]
    if project.traditional is not None and "zh" in versions.written:
        found.append(locale_of(project.traditional))
    return tuple(found)


def _iso(day: datetime.date | None) -> str:
    return day.isoformat() if day is not None and day != UNDATED else ""


FEED_TYPES: dict[FeedFormat, str] = {"xml": "application/atom+xml", "json": "application/feed+json"}


def feed_views(project: Project, page: str, title: str) -> tuple[FeedView, ...]:
    """The feeds of a page that lists articles: Atom first."""
    addresses = addresses_of(project)
    return tuple(
        FeedView(title=title, type=FEED_TYPES[one], url=addresses.path(feed_path(page, one)))
        for one in FEED_FORMATS
    )


def toggle_words(
    strings: Mapping[Language, Strings],
    project: Project,
    language: Language,
    *,
    paths: Mapping[Language, str],
    current: View | None,
    both: str | None = None,
    offers_both: bool = False,
    fallback: Language | None = None,
) -> tuple[ToggleWord, ...]:
    """The words of the toggle on a page whose interface is in `language`.

    The text of a `fallback` is in the other language, and so is the page that its word leads to.
    A missing half keeps its word, struck through, with the reason; so does the side-by-side view of an
    article (`offers_both`) with only one half. Other pages have no such word. If the site's Chinese pages are
    there in traditional characters, too, a word next to theirs leads to these.
    """
    own, addresses = strings[language], addresses_of(project)
    only = own(f"only_{language if fallback is None else twin_of(fallback)}")
    words = [
        ToggleWord(
            view=one,
            text=strings[one]("language_name"),
            url=addresses.path(paths[one]) if one in paths else None,
            lang=HTML_LANG[one],
            hreflang=HTML_LANG[one if one != fallback else twin_of(one)],
            current=current == one,
            reason="" if one in paths else only,
        )
        for one in LANGUAGES
    ]
    if project.traditional is not None:
        words[1:1] = [_traditional_word(own, addresses, words[0], paths.get("zh"))]
    if offers_both:
        words.append(
            ToggleWord(
                view="both",
                text=own("both"),
                url=addresses.path(both) if both is not None else None,
                lang=HTML_LANG[language],
                hreflang=None,
                current=current == "both",
                reason="" if both is not None else only,
            )
        )
    return tuple(words)


def _traditional_word(own: Strings, addresses: Addresses, zh: ToggleWord, path: str | None) -> ToggleWord:
    """The word next to that of the Chinese page, which leads to the same in traditional characters."""
    return replace(
        zh,
        view=TRADITIONAL,
        text=own("traditional_name"),
        url=None if path is None else addresses.path(traditional_path(path)),
        lang=HTML_LANG[TRADITIONAL],
        hreflang=HTML_LANG[TRADITIONAL] if zh.hreflang == zh.lang else zh.hreflang,
        current=False,
    )


def render_page(theme: Theme, project: Project, template: str, page: PageView, **values: object) -> str:
    """A page made from a template of the theme.

    Raises DiagnosticError for a mistake in a template, such as naming a static file that does not exist.
    """
    return theme.templates.render(
        template, page=page, **_given_to_all(theme, project, page.language), **values
    )


def _given_to_all(theme: Theme, project: Project, language: Language) -> Mapping[str, object]:
    """What the templates of all pages in a language get."""
    key = (replace(project, tags=(), categories=(), series=()), language)  # which every page has of its own
    given = theme.given.find(key)
    if given is None:
        given = {
            "site": site_view(project, language, theme.custom_style),
            "words": theme.strings[language],
            "strings": theme.strings,
            "asset": AssetAddresses(theme.assets, addresses_of(project)),
        }
        theme.given.keep(key, given)
    return given


def generated_page(
    theme: Theme,
    project: Project,
    language: Language,
    versions: Versions,
    *,
    title: str = "",
    description: str = "",
    names: Iterable[str] = (),
    feeds: tuple[FeedView, ...] = (),
    card: CardView | None = None,
    structured: Markup = NOTHING,
) -> PageView:
    """A page that diglot makes by itself in each of several languages, without a side-by-side view.

    `versions` are the pages in those languages. `names` are those of what it lists, which describe it where
    nobody has written a description.
    """
    paths = versions.paths
    return page_view(
        project,
        language=language,
        path=paths[language],
        title=title,
        description=description or described_by(theme.strings[language], title, names),
        versions=versions,
        feeds=feeds,
        card=card,
        structured=structured,
        toggle=toggle_words(theme.strings, project, language, paths=paths, current=language),
    )


_MOST_DESCRIBED = 160
"""Characters of a description that search engines show."""


def described_by(words: Strings, title: str, names: Iterable[str]) -> str:
    """A title with as many names as there is room for; empty without any."""
    description = ""
    for name in names:
        before = f"{description}{words('separator')}" if description else f"{title}{words('colon')}"
        if description and len(before) + len(name) > _MOST_DESCRIBED:
            break
        description = before + name
    return description

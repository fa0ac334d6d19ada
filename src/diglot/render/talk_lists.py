"""Renders the list of talks."""

from diglot.invariants import certain
from diglot.languages import HTML_LANG, LANGUAGES, Language, format_date, twin_of
from diglot.project import Project
from diglot.render.addresses import Addresses
from diglot.render.materials import LinkedArticle, ListedTalk
from diglot.render.page_parts import addresses_of, generated_page, render_page
from diglot.render.theme import Theme
from diglot.render.versions import versions_of
from diglot.render.views import Link, TalkEntryView
from diglot.site_map import UNDATED, talks_path


def talks_page(
    theme: Theme,
    project: Project,
    talks: tuple[ListedTalk, ...],
    language: Language,
    languages: tuple[Language, ...],
) -> str:
    """The page `/en/talks/`: the talks of a language, newest first. `languages` are those that have one."""
    versions = versions_of(project, {one: talks_path(one) for one in languages})
    title, names = (
        theme.strings[language]("talks"),
        (one.title for talk in talks for one in talk.halves if one.language == language),
    )
    page = generated_page(theme, project, language, versions, title=title, names=names)
    entries = tuple(talk_entry(theme, project, talk, language) for talk in talks)
    return render_page(theme, project, "talks.html", page, talks=entries)


def link_to(linked: LinkedArticle, language: Language, addresses: Addresses) -> Link | None:
    """A link to an article for readers of a language, or to its other half; None if it has no page."""
    shown = language if language in linked.paths else next(iter(linked.paths), None)
    if shown is None:
        return None
    lang = None if shown == language else HTML_LANG[shown]
    return Link(text=linked.titles[shown], url=addresses.path(linked.paths[shown]), lang=lang)


def talk_entry(theme: Theme, project: Project, talk: ListedTalk, language: Language) -> TalkEntryView:
    """A talk in a list of a language that it is given in."""
    addresses = addresses_of(project)
    halves = {half.language: half for half in talk.halves}
    own = certain(halves.get(language), "a list shows the talks of its language")
    twin = halves.get(twin_of(language))

    def link(text: str, one: Language) -> Link:
        return Link(text=text, url=addresses.path(talk.paths[one]), lang=HTML_LANG[one])

    is_dated = talk.date != UNDATED
    return TalkEntryView(
        title=link(own.title, language),
        description=own.description,
        twin=link(twin.title, twin.language) if twin else None,
        date=format_date(talk.date, language) if is_dated else "",
        iso_date=talk.date.isoformat() if is_dated else "",
        event=own.event,
        languages=tuple(link(theme.strings[one]("language_name"), one) for one in LANGUAGES if one in halves),
        files=tuple(Link(text=word, url=addresses.path(path)) for word, path in talk.files.get(language, ())),
        article=link_to(talk.article, language, addresses),
        draft=talk.draft,
        expired=talk.expired,
    )

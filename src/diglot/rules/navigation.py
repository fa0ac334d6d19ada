"""Where entries of the navigation lead, in each language."""

import re
from collections.abc import Collection, Mapping
from urllib.parse import unquote, urlsplit

from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, Location, did_you_mean
from diglot.digests import ABSENT
from diglot.engine import FILE, UpstreamFailed
from diglot.languages import LANGUAGES, Bilingual, Language
from diglot.project import NavigationEntry, Project
from diglot.rules.chips import list_chips
from diglot.rules.figures import find_scripts
from diglot.rules.files import STATIC
from diglot.rules.ids import as_language
from diglot.rules.options import CONFIGURATION, PAGEFIND
from diglot.rules.projects import read_site_settings
from diglot.rules.reading import read_text
from diglot.rules.sources import find_posts, kind_of
from diglot.rules.summaries import find_addresses, find_article_at, find_page_languages, map_articles
from diglot.rules.tasks import Fetch, task
from diglot.site_map import (
    ARCHIVE,
    FEED_FORMATS,
    FIGURES,
    GLOSSARY,
    HARDWARE,
    TALKS,
    TAXONOMIES,
    SiteMap,
    archive_path,
    chip_path,
    feed_path,
    figure_path,
    gallery_path,
    glossary_path,
    hardware_path,
    home_path,
    output_path,
    talks_path,
    term_path,
    terms_in,
    terms_path,
)
from diglot.which_pages import archive_languages, talk_languages, terms_languages


@task("navigation")
async def find_navigation(fetch: Fetch, _name: None) -> Project:
    """The configuration with what each entry of the navigation leads to in each language.

    Reports entries that lead nowhere: once, and not on every page.
    """
    project = await _with_search(fetch, await fetch(read_site_settings))
    try:
        entries = [await _resolved(fetch, entry) for entry in project.navigation]
    except UpstreamFailed:  # the list of articles has mistakes, which its own task reports
        return project
    return replace(project, navigation=tuple(entries))


async def _with_search(fetch: Fetch, project: Project) -> Project:
    """The configuration without the search where what makes its index is not installed."""
    version = await fetch(PAGEFIND) if project.search else ""
    if version or not project.search:
        return project
    missing = Diagnostic(
        rule="search-missing",
        severity="warning",
        message="this site has no search, because Pagefind is not installed",
        location=Location(path=await fetch(CONFIGURATION)),
        fix="run `pip install 'diglot[search]'`, or remove `search:`.",
    )
    fetch.report(missing)
    return replace(project, search=False)


async def find_list(fetch: Fetch, address: str, language: Language) -> str | None:
    """The path of a home page, list or feed in a language, given its address without the language; None if
    there is none.

    Raises UpstreamFailed if it cannot be known, because articles have mistakes.
    """
    if address == "":
        return home_path(language) if await _has_pages(fetch, language) else None
    for ending in FEED_FORMATS:
        if address == feed_path("", ending):
            return feed_path(home_path(language), ending) if await _has_pages(fetch, language) else None
    first, _, term = address.partition("/")
    if first == FIGURES and (await fetch(read_site_settings)).gallery:
        return await _figure_page(fetch, term, language)
    if first == ARCHIVE:
        site_map = await fetch(map_articles)
        years = [str(year) for one, year in site_map.by_year if one == language]
        if term in years:
            return archive_path(language, int(term))
        if not term and language in archive_languages(site_map):
            return archive_path(language)
        _require_whole(site_map)
        return None
    if address == GLOSSARY and (await fetch(read_site_settings)).glossary:
        return glossary_path(await _with_pages(fetch, language))
    if address == TALKS:
        return await _list_of_talks(fetch, language)
    if first == HARDWARE and (await fetch(read_site_settings)).hardware:
        return await _chip_page(fetch, term, language)
    for taxonomy in TAXONOMIES:
        if first == taxonomy:
            site_map = await fetch(map_articles)
            if term in dict(terms_in(site_map, language, taxonomy)):
                return term_path(language, taxonomy, term)
            if language in terms_languages(site_map, taxonomy) and not term:
                return terms_path(language, taxonomy)
            _require_whole(site_map)
    return None


def _require_whole(site_map: SiteMap) -> None:
    """Raise UpstreamFailed where an article with mistakes may have what is looked for."""
    if site_map.broken or site_map.hidden:
        raise UpstreamFailed(map_articles.key(None))


async def _has_pages(fetch: Fetch, language: Language) -> bool:
    """Whether the site has pages in a language. Raises UpstreamFailed where that cannot be known."""
    if language in await fetch(find_page_languages):
        return True
    _require_whole(await fetch(map_articles))
    return False


async def list_generated(fetch: Fetch, languages: Collection[Language]) -> list[str]:
    """The addresses of pages that diglot makes of figures, talks, terms and chips, without the language.

    Of terms and years it lists those that have a page in any of some languages.
    """
    project, site_map = await fetch(read_site_settings), await fetch(map_articles)
    found = [f"{one}/" for one in TAXONOMIES if not {*languages}.isdisjoint(terms_languages(site_map, one))]
    found += [f"{taxonomy}/{term}/" for language, taxonomy, term in site_map.by_term if language in languages]
    if not {*languages}.isdisjoint(archive_languages(site_map)):
        found.append(f"{ARCHIVE}/")
    found += [f"{ARCHIVE}/{year}/" for language, year in site_map.by_year if language in languages]
    if project.gallery:
        found += [f"{FIGURES}/", *(f"{FIGURES}/{one}/" for one in (await fetch(find_scripts)).ids)]
    if talk_languages(site_map):
        found.append(f"{TALKS}/")
    if project.glossary:
        found.append(f"{GLOSSARY}/")
    if project.hardware:
        found += [f"{HARDWARE}/", *(f"{HARDWARE}/{one.slug}/" for one in (await fetch(list_chips)).chips)]
    return found


async def _list_of_talks(fetch: Fetch, language: Language) -> str | None:
    """The path of the list of talks in a language that has one."""
    site_map = await fetch(map_articles)
    languages = talk_languages(site_map)
    if languages:
        return talks_path(language if language in languages else languages[0])
    if TALKS not in site_map.by_address and any(kind_of(one) == "talk" for one in site_map.broken):
        raise UpstreamFailed(map_articles.key(None))
    return None


async def _figure_page(fetch: Fetch, figure_id: str, language: Language) -> str | None:
    """The path of the list of figures, or of a figure's own page, in a language that has one."""
    scripts = await fetch(find_scripts)
    language = await _with_pages(fetch, language)
    if not figure_id:
        return gallery_path(language) if scripts.ids else None
    if figure_id in scripts.refused:  # what is wrong with it is reported already
        raise UpstreamFailed(find_scripts.key(None))
    return figure_path(language, figure_id) if figure_id in scripts.ids else None


async def _chip_page(fetch: Fetch, slug: str, language: Language) -> str | None:
    """The path of the list of chips, or of a chip's own page, in a language that has one."""
    chips = (await fetch(list_chips)).chips
    language = await _with_pages(fetch, language)
    if not slug:
        return hardware_path(language)
    return chip_path(language, slug) if slug in {one.slug for one in chips} else None


async def _with_pages(fetch: Fetch, language: Language) -> Language:
    """The language if the site has pages in it, else the other one."""
    languages = await fetch(find_page_languages)
    return language if language in languages else languages[0]


async def _resolved(fetch: Fetch, entry: NavigationEntry) -> NavigationEntry:
    """The entry with its targets. An entry that leads nowhere is reported and stays unchanged."""
    parts = urlsplit(entry.path)
    if parts.scheme:
        return entry
    found = {one: path for one in LANGUAGES if (path := await _lead(fetch, parts.path, one)) is not None}
    if not found:
        fetch.report(await _nowhere(fetch, entry.path))
        return entry
    behind = "".join(mark + text for mark, text in (("?", parts.query), ("#", parts.fragment)) if text)
    zh, en = (_in_or_other(found, one) + behind for one in LANGUAGES)
    return replace(entry, leads_to=Bilingual(zh=zh, en=en))


def _in_or_other(paths: Mapping[Language, str], language: Language) -> str:
    return paths[language] if language in paths else next(iter(paths.values()))


async def _lead(fetch: Fetch, path: str, language: Language) -> str | None:
    """The page, list or static file that a path leads to for readers of a language; None if there is none."""
    words = unquote(path).strip("/").split("/")
    if words[0] in LANGUAGES:
        language = as_language(words.pop(0))
    address = "/".join(words)
    if (found := await find_list(fetch, address, language)) is not None:
        return found
    if address.partition("/")[0] in (*TAXONOMIES, ARCHIVE):
        return None
    if name := await fetch(find_article_at, address):
        return _in_or_other((await fetch(find_addresses, name)).paths, language)
    end = "/" if path.endswith("/") else ""
    for file in (f"{language}/{address}{end}", f"{address}{end}"):
        if await fetch.digest(FILE, f"{STATIC}/{output_path(file)}") != ABSENT:
            return file
    return None


async def _nowhere(fetch: Fetch, path: str) -> Diagnostic:
    """The error for an entry of the navigation that leads nowhere."""
    config = await fetch(CONFIGURATION)
    text = await read_text(fetch, config)
    found = re.search(rf"\bpath\s*:\s*[\"']?{re.escape(path)}[\"']?\s*(?:[,}}#]|$)", text, re.MULTILINE)
    line = text.count("\n", 0, found.start()) + 1 if found else None
    location = Location(path=config, line=line)
    address = path.strip("/")
    if f"pages/{address}" in (await fetch(find_posts)).names:
        return Diagnostic(
            rule="navigation-missing",
            message=f'navigation: "{path}" leads to a page that this build leaves out',
            location=location,
            fix="it is a draft or dated in the future: publish it first, or remove the entry.",
        )
    pages = [f"/{address}/" for page in (await fetch(map_articles)).pages for address in page.addresses]
    return Diagnostic(
        rule="navigation-missing",
        message=f'navigation: "{path}" leads nowhere',
        location=location,
        fix=did_you_mean(
            path,
            ["/", *pages, *(f"/{one}" for one in await list_generated(fetch, LANGUAGES))],
            otherwise="write the address of a page, such as /tags/ or /about/ (content/pages/about/), or a "
            "complete one.",
        ),
    )

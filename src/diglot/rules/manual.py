"""The manual: the tree of its pages, and the place of a page in it."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from diglot.diagnostics import Diagnostic, Location, nearest
from diglot.languages import Language
from diglot.manuals import Manual
from diglot.render.materials import ManualPage, ManualPlace, ManualTree, TreeSection
from diglot.rules.ids import HalfId
from diglot.rules.options import CONFIGURATION
from diglot.rules.projects import read_manual, read_site_settings
from diglot.rules.sources import HOME_PAGE, PAGE, PostFiles, find_post, find_posts
from diglot.rules.summaries import map_articles, summarise
from diglot.rules.tasks import Fetch, task
from diglot.site_map import Summary, without_language


@task("manual-tree")
async def grow_tree(fetch: Fetch, language: Language) -> ManualTree | None:
    """The manual for readers of a language, with the pages that this build shows, each once."""
    manual = await fetch(read_manual)
    if manual is None:
        return None
    shown = {page.name for page in (await fetch(map_articles)).pages}
    seen: set[str] = set()
    sections = []
    for section in manual.sections:
        names = dict.fromkeys(PAGE + entry.page for entry in section.entries)
        new = [name for name in names if name in shown and name not in seen]
        seen.update(new)
        pages = [_page(await fetch(summarise, name), language) for name in new]
        if pages:
            sections.append(TreeSection(title=section.title, pages=tuple(pages)))
    return ManualTree(title=manual.title, version=manual.version, sections=tuple(sections))


def _page(summary: Summary, language: Language) -> ManualPage:
    half = summary.half(language) or summary.halves[0]
    readers = language if language in summary.shown_in else half.language
    return ManualPage(name=summary.name, title=half.title, language=half.language, path=summary.path(readers))


@task("manual-place")
async def find_manual_place(fetch: Fetch, half: HalfId) -> ManualPlace | None:
    """The tree around a page for readers of a language; None for a page that is not in the manual."""
    tree = await fetch(grow_tree, half.language)
    if tree is None or half.article not in {page.name for page in tree.pages}:
        return None
    manual, post = await fetch(read_manual), await fetch(find_post, half.article)
    edits: Mapping[Language, str] = {}
    if manual is not None and manual.edit_url is not None:
        edits = {language: manual.edit_url + post.path(language) for language in post.languages}
    return ManualPlace(tree=tree, page=half.article, edits=edits)


@task("manual-mistakes")
async def check_manual(fetch: Fetch, _name: None) -> None:
    """Report what the manual names that is no page, or names twice, and the pages that it leaves out."""
    manual = await fetch(read_manual)
    if manual is None:
        return
    config, names = await fetch(CONFIGURATION), (await fetch(find_posts)).articles
    refused = {*(await fetch(find_posts)).refused.values()}
    named = {PAGE + entry.page for entry in manual.entries}
    free = [name.removeprefix(PAGE) for name in names if name.startswith(PAGE) and name not in named]
    first: dict[str, int] = {}
    for entry in manual.entries:
        place, page = Location(path=config, line=entry.line), entry.page
        if page in first:
            fetch.report(_named_twice(page, place, first[page]))
        elif PAGE + page == HOME_PAGE or (PAGE + page not in names and PAGE + page not in refused):
            fetch.report(_missing(page, place, free))
        first.setdefault(page, entry.line)
    fetch.report(*[_left_out(names[page.name], manual) for page in await _strays(fetch, named)])


def _named_twice(page: str, place: Location, first: int) -> Diagnostic:
    return Diagnostic(
        rule="manual-twice",
        message=f'manual: "{page}" is already in line {first}',
        location=place,
        fix="keep one of the two: a page has one place in the manual.",
    )


def _missing(page: str, place: Location, free: list[str]) -> Diagnostic:
    what, fix = f'manual: there is no page "{page}" in content/pages/', "write it, or remove the entry."
    if PAGE + page == HOME_PAGE:
        what, fix = "manual: the home page is no page of a manual", "remove the entry."
    elif near := nearest(page, free):
        fix = f'did you mean "{near}"?'
    return Diagnostic(rule="manual-missing", message=what, location=place, fix=fix)


async def _strays(fetch: Fetch, named: set[str]) -> list[Summary]:
    """The pages that neither the manual nor the navigation names."""
    entries = (await fetch(read_site_settings)).navigation
    paths = [urlsplit(entry.path).path.strip("/") for entry in entries]
    addresses = {*paths, *map(without_language, paths)}
    return [
        page
        for page in (await fetch(map_articles)).pages
        if page.kind == "page" and page.name != HOME_PAGE and page.name not in named
        if addresses.isdisjoint(page.addresses)
    ]


def _left_out(files: PostFiles, manual: Manual) -> Diagnostic:
    page = files.name.removeprefix(PAGE)
    last = next((section.title.en for section in reversed(manual.sections)), "")
    where = f'such as "{last}"' if last else "in site.yaml"
    return Diagnostic(
        rule="manual-unlisted",
        severity="warning",
        message=f'no section of the manual names the page "{page}"',
        location=Location(path=files.path(files.languages[0])),
        fix=f"add `{page}` to `pages` of a section, {where}, or to `navigation`.",
    )

"""The configuration as a task."""

import re
from contextlib import suppress

from msgspec.structs import replace

from diglot.diagnostics import DiagnosticError
from diglot.engine import UpstreamFailed
from diglot.languages import Language
from diglot.manuals import Manual
from diglot.project import HTML_POLICIES, HtmlPolicy, Project, complete_project
from diglot.rules.options import BASE_URL, CONFIGURATION, RELATIVE, TIME_ZONES
from diglot.rules.plain_texts import markup_in_texts
from diglot.rules.reading import read_text
from diglot.rules.tasks import Fetch, task
from diglot.strict_yaml import Fields, read_mapping


@task("project", keeps_last_good=True)
async def read_project(fetch: Fetch, _name: None) -> Project:
    """The configuration."""
    config = await fetch(CONFIGURATION)
    await fetch(TIME_ZONES)  # a zone that cannot be looked up is looked up again once it can
    text = await read_text(fetch, config)
    fields = Fields(read_mapping(text, config))
    project = complete_project(fields, base_url=await fetch(BASE_URL))
    fetch.report(*markup_in_texts(fields.shown_texts, config, text))
    if project.search and await fetch(RELATIVE):  # it reads its index from a server
        project = replace(project, search=False)
    return project.of_pages()


@task("settings")
async def read_site_settings(fetch: Fetch, _name: None) -> Project:
    """The configuration without tags, categories and series (`rules.labels` has these), and the manual."""
    return replace(await fetch(read_project), tags=(), categories=(), series=(), manual=None)


@task("manual")
async def read_manual(fetch: Fetch, _name: None) -> Manual | None:
    """The tree of the manual as the configuration gives it: a slice."""
    return (await fetch(read_project)).manual


@task("first-language")
async def find_first_language(fetch: Fetch, _name: None) -> Language:
    """The first language: a slice of the configuration, for tasks that need only this."""
    try:
        return (await fetch(read_site_settings)).first
    except UpstreamFailed:  # articles are checked even if the configuration has mistakes
        return "zh"


@task("html-policy")
async def read_html_policy(fetch: Fetch, _name: None) -> HtmlPolicy:
    """The policy for HTML in articles: a slice, so that other configuration changes parse nothing again."""
    try:
        return (await fetch(read_site_settings)).html
    except UpstreamFailed:  # nothing is published, but mistakes in articles are found
        with suppress(DiagnosticError, UpstreamFailed):
            found = _HTML.search(await read_text(fetch, await fetch(CONFIGURATION)))
            return next(one for one in HTML_POLICIES if found is None or one == found[1])
        return "all"


_HTML = re.compile(rf"^html[ \t]*:[ \t]*[\"']?({'|'.join(HTML_POLICIES)})\b", re.MULTILINE)
"""The line of the policy, which may be right where others are not."""


@task("wikilinks")
async def read_wikilinks(fetch: Fetch, _name: None) -> bool:
    """Whether links of Obsidian are read: a slice."""
    try:
        return (await fetch(read_site_settings)).wikilinks
    except UpstreamFailed:
        return False


@task("base-url")
async def read_base_url(fetch: Fetch, _name: None) -> str:
    """The address of the site: a slice. Empty while the configuration has mistakes."""
    try:
        return (await fetch(read_site_settings)).base_url
    except UpstreamFailed:
        return ""


@task("most-frames")
async def read_most_frames(fetch: Fetch, _name: None) -> int:
    """How many states a figure may have: a slice, so that other changes check no figure again."""
    return (await fetch(read_site_settings)).frames

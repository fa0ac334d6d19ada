"""Page contexts: what surrounds the content of every page, sent to the workers that render."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Concatenate, TypeVar

import msgspec

from diglot.engine import BlobReference, Packs
from diglot.processes import Shared
from diglot.project import Project
from diglot.render.recent import Recent
from diglot.render.strings import Strings
from diglot.render.templates import Templates, TemplateSource
from diglot.render.theme import Theme
from diglot.render.xml import check_markup
from diglot.rules.context import TaskContext
from diglot.rules.navigation import find_navigation
from diglot.rules.tasks import Fetch, P, in_worker, task
from diglot.rules.terms import read_terms
from diglot.rules.theme import collect_templates, find_custom_style, list_assets
from diglot.rules.words import read_words

_T = TypeVar("_T")


@task("page-context")
async def collect_page_context(fetch: Fetch, names: str) -> "PageContextSources":
    """What surrounds the content of pages that are made by some templates, whose names `names` lists.

    A task, so that each of thousands of pages has one dependency where it would have six.
    """
    templates = await fetch.all(collect_templates, names.split())
    zh, en = await fetch.all(read_words, ("zh", "en"))
    return PageContextSources(
        templates=tuple({name: source for one in templates for name, source in one}.items()),
        zh=zh,
        en=en,
        assets=await fetch(list_assets),
        custom_style=await fetch(find_custom_style),
        terms=tuple(name for term in await fetch(read_terms) for name in term.accepted("zh")),
        project=await fetch(find_navigation),
    )


async def gather_page_context(fetch: Fetch, *names: str) -> Shared:
    """The page context, read again only if a part of it changed.

    `names` are the page's template, and other templates that show parts of the page.
    """
    joined = " ".join(names)
    digest = await fetch.digest(collect_page_context, joined)
    page_contexts = fetch.context.keep(_SharedPageContexts).page_contexts
    if digest not in page_contexts:
        compiled_templates = fetch.context.cache / "templates"
        sources = await fetch.encoded(collect_page_context, joined)
        page_contexts[digest] = Shared(name=digest, value=(compiled_templates, sources))
        while len(page_contexts) > _MOST_PAGE_CONTEXTS:
            del page_contexts[next(iter(page_contexts))]
    return page_contexts[digest]


async def render(
    fetch: Fetch,
    templates: Sequence[str],
    page: Callable[Concatenate[Theme, Project, P], str],
    *arguments: P.args,
    **_: P.kwargs,
) -> BlobReference:
    """A page that a worker renders: `page` gets theme and project, then the arguments."""
    page_context = await gather_page_context(fetch, *templates)
    return await in_worker(fetch, _render, page_context, page, arguments)


def _render(
    packs: Packs, context_sources: Shared, page: Callable[..., str], arguments: tuple[Any, ...]
) -> BlobReference:
    page_context = compiled(context_sources)
    return packs.add(encoded(page(page_context.theme, page_context.project, *arguments)))


_MOST_PAGE_CONTEXTS = 32
"""How many page contexts to keep. A preview sees many versions of a theme."""
_MOST_DECODED = 12


class _SharedPageContexts:
    """Page contexts by their digests. Each is sent to each worker only once."""

    def __init__(self, _context: TaskContext) -> None:
        self.page_contexts: dict[str, Shared] = {}


class PageContextSources(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A page context in the form in which it is stored and sent to workers."""

    templates: tuple[tuple[str, TemplateSource], ...]
    zh: Strings
    en: Strings
    assets: tuple[tuple[str, str], ...]
    custom_style: str
    terms: tuple[str, ...]
    """Chinese ones, in which no title breaks."""
    project: Project


class PageContext(msgspec.Struct, frozen=True, kw_only=True):
    """A page context that is ready for rendering."""

    theme: Theme
    project: Project
    decoded: Recent[tuple[Callable[[bytes], Any], bytes], Any] = msgspec.field(
        default_factory=lambda: Recent(_MOST_DECODED)
    )
    """Decoded parts of articles, which the four pages of an article share."""

    def decode(self, encoded: bytes, decode: Callable[[bytes], _T]) -> _T:
        """Decode a part of an article, unless it was decoded recently."""
        value: _T | None = self.decoded.find((decode, encoded))
        if value is None:
            value = decode(encoded)
            self.decoded.keep((decode, encoded), value)
        return value


@lru_cache(_MOST_PAGE_CONTEXTS)
def compiled(sources: Shared) -> PageContext:
    """The page context, with templates that each process compiles only once."""
    compiled_templates: Path
    compiled_templates, encoded_sources = sources.value
    value = msgspec.msgpack.decode(encoded_sources, type=PageContextSources)
    theme = Theme(
        templates=Templates(dict(value.templates), compiled=compiled_templates, terms=value.terms),
        strings={"zh": value.zh, "en": value.en},
        assets=dict(value.assets),
        custom_style=value.custom_style,
    )
    return PageContext(theme=theme, project=value.project)


_CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\r"})


def encoded(html: str) -> bytes:
    """A page as it is published. Raises DiagnosticError for forbidden characters.

    Only a project's own template can cause them, because everything else was checked before. The check is
    fast because every page goes through it.
    """
    try:
        page = html.encode()
        is_clean = len(page.translate(None, _CONTROLS)) == len(page)
        if is_clean and "\ufffe" not in html and "\uffff" not in html:  # found sooner than in bytes
            return page
    except UnicodeEncodeError:
        page = b""
    check_markup(html, "a page")
    return page

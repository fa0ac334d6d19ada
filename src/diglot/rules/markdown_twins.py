"""Articles as Markdown, and the list of them, as tasks."""

from collections.abc import Sequence
from functools import partial

from msgspec import msgpack

from diglot.engine import BlobReference, Encoded, Packs
from diglot.processes import Shared
from diglot.render.markdown_twins import MarkdownTwin, llms_txt, markdown_twin
from diglot.rules.halves import read_document
from diglot.rules.ids import HalfId
from diglot.rules.page_contexts import gather_page_context
from diglot.rules.pages import PageSources, gather_sources, material_of
from diglot.rules.parsed_halves import tree_of
from diglot.rules.projects import read_site_settings
from diglot.rules.reading import read_text
from diglot.rules.sources import find_post
from diglot.rules.summaries import map_articles, summarise
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.rules.traditional import read_settings

LLMS_PATH = "llms.txt"


@task("markdown-text", MarkdownTwin)
async def write_markdown(fetch: Fetch, half: HalfId) -> Encoded:
    """A half as Markdown that needs nothing else, in pieces."""
    sources = await gather_sources(fetch, half, "single", half.language)
    text = await read_text(fetch, (await fetch(find_post, half.article)).path(half.language))
    body = await fetch.blob(read_document, half)
    page_context = await gather_page_context(fetch)  # texts of the theme; no template
    lines = text.split("\n")
    return Encoded(await in_worker(fetch, _write, page_context, sources, body, lines))


def _write(
    packs: Packs, context_sources: Shared, sources: PageSources, body: BlobReference, lines: Sequence[str]
) -> bytes:
    tree = tree_of(packs, body)
    material = material_of(packs, context_sources, sources, tree.language)
    return msgpack.encode(markdown_twin(*material, tree, lines))


@task("markdown-twin")
async def make_markdown_twin(fetch: Fetch, half: HalfId) -> bytes:
    """The file of a half as Markdown."""
    twin = await fetch(write_markdown, half)
    return f"{twin.head}\n{''.join(twin.body)}".encode()


@task("llms")
async def make_llms(fetch: Fetch, _name: None) -> bytes:
    """`llms.txt`: the site's articles as Markdown, in a list."""
    site_map = await fetch(map_articles)
    pages = await fetch.all(summarise, [page.name for page in site_map.pages])
    project, to_traditional = await fetch(read_site_settings), None
    if project.traditional is not None:
        from diglot.traditional.files import converted_text  # noqa: PLC0415  (few sites convert files)

        to_traditional = partial(converted_text, settings=await fetch(read_settings))
    return llms_txt(project, site_map, pages, to_traditional).encode()

"""Articles as Markdown, and the list of them, as tasks."""

from functools import partial

from diglot.content.front_matter import split_front_matter
from diglot.engine import BlobReference
from diglot.render.markdown_twins import llms_txt, markdown_twin
from diglot.rules.ids import HalfId
from diglot.rules.page_contexts import gather_page_context
from diglot.rules.pages import gather_sources, render_article
from diglot.rules.projects import read_site_settings
from diglot.rules.reading import read_text
from diglot.rules.sources import find_post
from diglot.rules.summaries import map_articles, summarise
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.rules.traditional import read_settings

LLMS_PATH = "llms.txt"


@task("markdown-twin", bytes)
async def make_markdown_twin(fetch: Fetch, half: HalfId) -> BlobReference:
    """A half as Markdown that needs nothing else."""
    sources = await gather_sources(fetch, half, "single", half.language)
    path = (await fetch(find_post, half.article)).path(half.language)
    matter = split_front_matter(await read_text(fetch, path), path)
    body = "\n" * (matter.body_line - 1) + matter.body  # with the numbers of the file's lines
    page = partial(markdown_twin, body=body)
    page_context = await gather_page_context(fetch)  # texts of the theme; no template
    return await in_worker(fetch, render_article, page_context, sources, half.language, page)


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

"""Articles as Markdown, and the list of them, as tasks."""

from functools import partial

from diglot.content.document import read_parsed
from diglot.content.extensions import Extended, may_be_extended
from diglot.content.front_matter import split_front_matter
from diglot.engine import BlobReference, Packs
from diglot.project import HtmlPolicy
from diglot.render.markdown_twins import Made, llms_txt, markdown_twin
from diglot.rules.extended_halves import extend_half
from diglot.rules.ids import HalfId
from diglot.rules.page_contexts import gather_page_context
from diglot.rules.pages import gather_sources, render_article
from diglot.rules.parsed_halves import Source
from diglot.rules.projects import read_html_policy, read_site_settings
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
    text = await read_text(fetch, path)
    matter = split_front_matter(text, path)
    made: Made = {}
    if may_be_extended(matter.body):
        extended, html = (await fetch(extend_half, half)).as_extended(), await fetch(read_html_policy)
        made = await in_worker(fetch, _places_of_made, Source(text, path, half.language), html, extended)
    body = "\n" * (matter.body_line - 1) + matter.body  # with the numbers of the file's lines
    page = partial(markdown_twin, body=body, made=made)
    page_context = await gather_page_context(fetch)  # texts of the theme; no template
    return await in_worker(fetch, render_article, page_context, sources, half.language, page)


def _places_of_made(_packs: Packs, source: Source, html: HtmlPolicy, extended: Extended) -> Made:
    """Where the Markdown is that includes and extensions make, by lines of the file."""
    read_parsed(source.text, source.path, source.language, html, extended=extended)
    above = split_front_matter(source.text, source.path).body_line - 1
    return {first + above: (last + above, made) for first, (last, made) in extended.places.items()}


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

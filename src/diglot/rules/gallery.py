"""Tasks of the list of all figures, and of the page of each."""

import re
from collections.abc import Sequence
from contextlib import suppress

from diglot.engine import FILE, BlobReference, Key, UpstreamFailed
from diglot.exploration import read_exploration, written
from diglot.figure_request import FigureRequest
from diglot.figures.frames.plan import Plan, PlanError, plan_frames
from diglot.figures.records import Table
from diglot.languages import Language
from diglot.processes import Shared
from diglot.render.assets import hashed_name
from diglot.render.facts_read import fields_of
from diglot.render.figure_embeds import EmbeddedFigure, embedded_page, oembed
from diglot.render.gallery import (
    FigureArticle,
    FigurePage,
    ListedFigure,
    figure_page,
    gallery_page,
    listed_figure,
    state_tables,
)
from diglot.render.materials import Exploration
from diglot.rules.chips import find_read_sheets
from diglot.rules.figure_materials import gather_figure, source_urls
from diglot.rules.figures import compute_figure, draw_figure, find_script, find_scripts
from diglot.rules.frames import find_exploration
from diglot.rules.halves import cut_references
from diglot.rules.ids import DrawingId, HalfId
from diglot.rules.options import CONFIGURATION
from diglot.rules.page_contexts import compiled, gather_page_context, render
from diglot.rules.projects import read_most_frames, read_site_settings
from diglot.rules.reading import read_text
from diglot.rules.requests import check_requests
from diglot.rules.sources import find_article_of
from diglot.rules.summaries import find_addresses, find_page_languages, summarise
from diglot.rules.tasks import Fetch, task
from diglot.rules.uses import find_users
from diglot.site_map import data_path

_NO_TABLE = Table(columns=(), rows=(), raw=(), numeric=(), chips=())
_OF_DIGLOT = "diglot/"
"""What paths of data files begin with that come with diglot."""


@task("gallery-entry")
async def list_figure(fetch: Fetch, drawing: DrawingId) -> ListedFigure:
    """What the list of all figures shows of one: a slice of its drawing."""
    drawn, explored = await fetch(draw_figure, drawing), await fetch(find_controls, drawing)
    return listed_figure(drawing.request.figure_id, drawn, turnable=bool(explored))


@task("gallery-page", bytes)
async def make_gallery_page(fetch: Fetch, language: Language) -> BlobReference:
    """The list of all figures. Reports unknown ones in its groups."""
    config = await fetch(CONFIGURATION)
    text = await read_text(fetch, config)
    grouped = [one for group in (await fetch(read_site_settings)).figure_groups for one in group.figures]
    asked = [(FigureRequest.of(one), config, _line_of(one, text)) for one in grouped]
    fetch.report(*await check_requests(fetch, asked))
    scripts = await fetch(find_scripts)
    drawings = [DrawingId(FigureRequest.of(figure_id), language) for figure_id in scripts.ids]
    figures = tuple(await fetch.all(list_figure, drawings))
    languages = await fetch(find_page_languages)
    return await render(fetch, ["figures.html"], gallery_page, figures, language, languages)


def _line_of(figure_id: str, config: str) -> int:
    """The line that names a figure in the groups of the configuration, which come under their key."""
    groups = re.search(r"^figure_groups:", config, re.MULTILINE)
    start = groups.end() if groups else 0
    found = re.search(rf"\b{re.escape(figure_id)}\b", config[start:])
    return config.count("\n", 0, start + found.start()) + 1 if found else 1


@task("figure-page", bytes)
async def make_figure_page(fetch: Fetch, drawing: DrawingId) -> BlobReference:
    """The page of a figure, with the default values of its parameters."""
    request, language = drawing
    script = await fetch(find_script, request.figure_id)
    if script is None:  # it is gone, and the list of files is that of the last good build
        raise UpstreamFailed(find_script.key(request.figure_id))
    project = await fetch(read_site_settings)
    material = await gather_figure(fetch, request, (language,))
    code = script.source
    if code is None:
        code = (await fetch(FILE, script.path) or b"").decode("utf-8", "replace")
    sheets = await find_read_sheets(fetch, material.computed)
    page = FigurePage(
        figure_id=request.figure_id,
        language=language,
        languages=await fetch(find_page_languages),
        material=material,
        code=code,
        inputs=tuple(
            [
                (path, "" if path.startswith(_OF_DIGLOT) else await fetch.digest(FILE, path))
                for path in material.drawn[language].provenance
            ]
        ),
        chips=tuple((one, fields_of(material.computed, one)) for one in sheets),
        source_urls=source_urls(project, [material]),
        articles=await fetch(list_articles, drawing),
        exploration=(await find_page_exploration(fetch, drawing))[0],
        tables_path=next(iter(await find_tables(fetch, drawing)), ""),
        data_path=data_path(request),
    )
    return await render(fetch, ["figure.html"], figure_page, page)


@task("figure-embed", bytes)
async def make_embedded_page(fetch: Fetch, drawing: DrawingId) -> BlobReference:
    """The page of a figure alone, for frames on other sites."""
    return await render(fetch, ["embedded.html"], embedded_page, await _alone(fetch, drawing))


@task("oembed")
async def write_oembed(fetch: Fetch, drawing: DrawingId) -> bytes:
    """What programs read that show a figure where somebody pasted its address."""
    return oembed(await fetch(read_site_settings), await _alone(fetch, drawing))


async def _alone(fetch: Fetch, drawing: DrawingId) -> EmbeddedFigure:
    if await fetch(find_script, drawing.request.figure_id) is None:
        raise UpstreamFailed(find_script.key(drawing.request.figure_id))
    return EmbeddedFigure(
        figure_id=drawing.request.figure_id,
        language=drawing.language,
        material=await gather_figure(fetch, drawing.request, (drawing.language,)),
        exploration=(await find_page_exploration(fetch, drawing))[0],
    )


@task("data-file")
async def write_data(fetch: Fetch, request: FigureRequest) -> bytes:
    """The data of a figure as JSON, for readers to download."""
    return (await fetch(compute_figure, request)).data


@task("figure-articles")
async def list_articles(fetch: Fetch, drawing: DrawingId) -> tuple[FigureArticle, ...]:
    """The articles that use a figure, for readers of a language, sorted by name.

    Those with mistakes are left out.
    """
    users = await fetch(find_users, drawing.request.figure_id)
    found = {}
    for path in users:
        with suppress(UpstreamFailed):
            name = (await fetch(find_article_of, path)).partition(":")[0]
            paths = (await fetch(find_addresses, name)).paths
            if name in found or not paths:
                continue
            language = drawing.language if drawing.language in paths else next(iter(paths))
            half = (await fetch(summarise, name)).shown(language)
            if half is not None:
                found[name] = FigureArticle(title=half.title, path=paths[language], language=half.language)
    return tuple(found[name] for name in sorted(found))


@task("figure-controls")
async def find_controls(fetch: Fetch, drawing: DrawingId) -> str:
    """What readers can turn on the page of a figure: what the first article by name lets them turn there.

    As authors write it after `:explore:`; empty for nothing.

    The article must show the figure as its page does, so that the page needs no states of its own.
    """
    for path in await fetch(find_users, drawing.request.figure_id):
        with suppress(UpstreamFailed, PlanError):
            half = await fetch(find_article_of, path)
            if not half.endswith(f":{drawing.language}"):
                continue
            references = await fetch(cut_references, HalfId.parse(half))
            embed = next((one for one in references.explored if one.request == str(drawing.request)), None)
            if embed is None or not (await fetch(find_addresses, HalfId.parse(half).article)).paths:
                continue
            computed = await fetch(compute_figure, drawing.request)
            most = await fetch(read_most_frames)
            plan_frames(drawing.request, embed.explored, computed.domains, computed.parameters, most=most)
            return written(embed.explored)
    return ""


async def find_page_exploration(
    fetch: Fetch, drawing: DrawingId
) -> tuple[Exploration | None, dict[str, Key]]:
    """A figure as readers can turn it on its page, and the tasks that make its files, by published path."""
    explored = await fetch(find_controls, drawing)
    return await find_exploration(fetch, drawing, read_exploration(explored)) if explored else (None, {})


@task("figure-tables")
async def write_tables(fetch: Fetch, drawing: DrawingId) -> bytes:
    """The file with the tables of a figure's states, for its page."""
    explored = read_exploration(await fetch(find_controls, drawing))
    computed = await fetch(compute_figure, drawing.request)
    plan = plan_frames(drawing.request, explored, computed.domains, computed.parameters)
    names = [DrawingId(one, drawing.language) for one in plan.requests()]
    tables = [one.table or _NO_TABLE for one in await fetch.all(draw_figure, names)]
    page_context = await gather_page_context(fetch, "table.html")
    file: bytes = await fetch.wait(
        fetch.context.pool.call(_render_tables, page_context, plan, tables, drawing.language)
    )
    return file


async def find_tables(fetch: Fetch, drawing: DrawingId) -> dict[str, Key]:
    """The file with the tables of a figure's states, and its task; empty where there is none."""
    request, language = drawing
    if not await fetch(find_controls, drawing) or not (await fetch(draw_figure, drawing)).table:
        return {}
    key = write_tables.key(drawing)
    (digest,) = await fetch.digests([key])
    name = f"figures/{request.figure_id}/{request.file_stem}.tables.{language}.json"
    return {hashed_name(name, digest): key}


def _render_tables(sources: Shared, plan: Plan, tables: Sequence[Table], language: Language) -> bytes:
    return state_tables(compiled(sources).theme, plan, tables, language)

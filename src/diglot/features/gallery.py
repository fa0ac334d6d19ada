"""The gallery: a page for each figure, alone and in other sites, and the list of all."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.figure_request import FigureRequest
from diglot.rules.features import FIGURE, SHOWN_DRAWING, SITE_WIDE, Feature, Output
from diglot.rules.figures import draw_figure, find_shown_figures
from diglot.rules.gallery import (
    find_page_exploration,
    find_tables,
    make_embedded_page,
    make_figure_page,
    make_gallery_page,
    write_data,
    write_oembed,
    write_tables,
)
from diglot.rules.ids import DrawingId
from diglot.rules.summaries import find_page_languages
from diglot.rules.tasks import Fetch
from diglot.site_map import data_path, embed_path, figure_path, gallery_path, oembed_path, output_path


async def _find_lists(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    if not await find_shown_figures(fetch):
        return {}
    return {
        output_path(gallery_path(one)): make_gallery_page.key(one) for one in await fetch(find_page_languages)
    }


async def _find_pages(fetch: Fetch, figure_id: str) -> Mapping[str, Key]:
    request = FigureRequest.of(figure_id)
    return {
        output_path(figure_path(one, figure_id)): make_figure_page.key(DrawingId(request, one))
        for one in await fetch(find_page_languages)
    }


async def _find_files(fetch: Fetch, drawing: DrawingId) -> Mapping[str, Key]:
    request, language = drawing
    found = {data_path(request): write_data.key(request)}
    if (await fetch(draw_figure, drawing)).svgs:
        found[embed_path(language, request.figure_id)] = make_embedded_page.key(drawing)
        found[oembed_path(language, request.figure_id)] = write_oembed.key(drawing)
    _exploration, states = await find_page_exploration(fetch, drawing)
    return {**found, **states, **await find_tables(fetch, drawing)}


feature = Feature(
    "gallery",
    outputs=(
        Output(SITE_WIDE, files=_find_lists, makes=(make_gallery_page,)),
        Output(
            FIGURE,
            files=_find_pages,
            makes=(make_figure_page,),
            called=lambda key: f"a page of the figure {DrawingId.parse(key.name).request}",
        ),
        Output(
            SHOWN_DRAWING,
            files=_find_files,
            makes=(write_data, make_embedded_page, write_oembed, write_tables),
        ),
    ),
)

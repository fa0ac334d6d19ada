"""Tasks of the values that articles quote: where they are, and what they depend on."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import msgpack

from diglot.content.records import Alignment, Document, FrontMatter
from diglot.engine import BlobReference, Packs
from diglot.figure_request import FigureRequest
from diglot.figures.records import ComputedFigure
from diglot.languages import Language, twin_of
from diglot.processes import Shared
from diglot.render.facts_read import (
    Fields,
    ReadChips,
    Rest,
    fields_of,
    rest_of,
    rest_of_all,
    together,
)
from diglot.render.provenance_materials import (
    ListedFigure,
    QuotedValue,
    Quotes,
    Rests,
    ValueSource,
    lines_of,
)
from diglot.rules.articles import align_article
from diglot.rules.chips import find_read_sheets, find_sheet, list_chips
from diglot.rules.figure_materials import gather_figure, source_urls
from diglot.rules.figures import compute_figure, find_scripts
from diglot.rules.front_matters import read_front_matter
from diglot.rules.gallery import list_figure
from diglot.rules.halves import cut_skeleton, read_document
from diglot.rules.ids import DrawingId, HalfId
from diglot.rules.origins import find_origins, find_parts
from diglot.rules.parsed_halves import parsed_in
from diglot.rules.projects import read_site_settings
from diglot.rules.references import resolve_references
from diglot.rules.sources import find_post, kind_of
from diglot.rules.summaries import find_addresses
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.rules.words import read_words
from diglot.site_map import gallery_path


@task("quotes")
async def read_quotes(fetch: Fetch, half: HalfId) -> Quotes:
    """The values that a half quotes, with the sentences around them."""
    name, language = half
    needs = await fetch(resolve_references, half)
    if not needs.quoted:
        return Quotes()
    asked = [*needs.quoted, *(needs.embedded if needs.has_controls else ())]
    requests = [*map(FigureRequest.parse, dict.fromkeys(asked))]
    computed = dict(zip(requests, await fetch.all(compute_figure, requests), strict=True))
    twin = HalfId(name, twin_of(language))
    has_twin = twin.language in (await fetch(find_post, name)).languages
    words = Shared(
        name=f"words {await fetch.digest(read_words, language)}", value=await fetch(read_words, language)
    )
    sources = _HalfSources(
        half=half,
        front_matter=await fetch.encoded(read_front_matter, half),
        body=await fetch.blob(read_document, half),
        twin=await fetch.encoded(cut_skeleton, twin) if has_twin else None,
        alignment=await fetch.encoded(align_article, name),
        computed=computed,
    )
    return await in_worker(fetch, _read_quotes, sources, words)


class _HalfSources(NamedTuple):
    """All that the quotes of a half are read from, in the form in which it is sent to a worker."""

    half: HalfId
    front_matter: bytes
    body: BlobReference
    twin: bytes | None
    """The skeleton of the other half, if there is one."""
    alignment: bytes
    computed: Mapping[FigureRequest, ComputedFigure]


def _read_quotes(packs: Packs, sources: _HalfSources, words: Shared) -> Quotes:
    from diglot.comparing.half_texts import HalfReader  # noqa: PLC0415  (only articles with values need it)
    from diglot.comparing.quoting import quotes_of  # noqa: PLC0415  (only articles with values need it)

    article, language = sources.half
    parsed = parsed_in(packs, sources.body)
    documents = {language: parsed.document}
    if sources.twin is not None:
        documents[twin_of(language)] = msgpack.decode(sources.twin, type=Document)
    reader = HalfReader(
        article,
        kind_of(article),
        language,
        front=msgpack.decode(sources.front_matter, type=FrontMatter),
        documents=documents,
        tree=parsed.tree,
        alignment=msgpack.decode(sources.alignment, type=Alignment),
        computed=sources.computed,
        drawn={},  # what figures say of themselves is no sentence of the author's
        words=words.value,
        only_quoting=True,
    )
    return quotes_of(reader)


class QuotedValues(msgspec.Struct, frozen=True, kw_only=True):
    """The values that a half quotes."""

    values: tuple[QuotedValue, ...]


@task("quoted-values")
async def cut_values(fetch: Fetch, half: HalfId) -> QuotedValues:
    """The values without the sentences: a slice, so that other words around them change nothing."""
    return QuotedValues(values=(await fetch(read_quotes, half)).values)


@task("value-file")
async def write_values(fetch: Fetch, half: HalfId) -> bytes:
    """`values.json` of a half."""
    from diglot.render.provenance_files import value_file  # noqa: PLC0415  (only articles with values need it)

    values = (await fetch(cut_values, half)).values
    sources = {one.expression: await _source_of(fetch, one) for one in values}
    requests = dict.fromkeys(FigureRequest.parse(text) for one in values for text in one.figures)
    figures = [await _list_figure(fetch, one, {}) for one in requests]
    page = (await fetch(find_addresses, half.article)).paths[half.language]
    read = [one.rest.chips for one in sources.values()]
    rests = await _rests(fetch, half.language, page, figures, read)
    return value_file(half.article, values, sources, rests)


@task("figure-file")
async def write_figures(fetch: Fetch, language: Language) -> bytes:
    """`figures.json` of a language: all figures, with the default values of their parameters."""
    from diglot.render.provenance_files import figure_file  # noqa: PLC0415  (only sites with pages of figures need it)

    requests = [FigureRequest.of(one) for one in (await fetch(find_scripts)).ids]
    shown = await fetch.all(list_figure, [DrawingId(one, language) for one in requests])
    figures = [
        await _list_figure(fetch, request, {"title": one.title, "message": one.message})
        for request, one in zip(requests, shown, strict=True)
    ]
    rests = await _rests(fetch, language, gallery_path(language), figures, [one.chips for one in figures])
    return figure_file(rests)


async def _list_figure(fetch: Fetch, request: FigureRequest, said: Mapping[str, str]) -> ListedFigure:
    material = await gather_figure(fetch, request, ())
    project = await fetch(read_site_settings)
    sheets = await find_read_sheets(fetch, material.computed)
    return ListedFigure(
        request=request,
        said=said,
        script=material.script_path,
        script_url=source_urls(project, [material]).get(material.script_path, ""),
        computed=material.computed,
        chips={one.id: fields_of(material.computed, one) for one in sheets},
    )


async def _rests(
    fetch: Fetch,
    language: Language,
    folder: str,
    figures: Sequence[ListedFigure],
    read: Iterable[ReadChips],
) -> Rests:
    """What a file lists: figures, and of chips the facts that something listed depends on."""
    project = await fetch(read_site_settings)
    of_all: dict[str, list[Fields]] = {}
    for chips in read:
        for id_, fields in chips.items():
            of_all.setdefault(id_, []).append(fields)
    names = (await fetch(list_chips)).chips if of_all else ()
    sheets = await fetch.all(find_sheet, [one.slug for one in names if one.id in of_all])
    return Rests(
        language=language,
        folder=folder,
        figures=tuple(figures),
        chips=tuple((one, together(of_all[one.id])) for one in sheets),
        has_figure_pages=project.gallery,
        has_chip_pages=project.hardware,
    )


async def find_rests(fetch: Fetch, values: Iterable[QuotedValue]) -> dict[str, Rest]:
    """What each of some values depends on of chips, by expression."""
    return {one.expression: await _rest_of(fetch, one) for one in values}


async def _source_of(fetch: Fetch, value: QuotedValue) -> ValueSource:
    origins = {text: await fetch(find_origins, FigureRequest.parse(text).figure_id) for text in value.figures}
    return ValueSource(rest=await _rest_of(fetch, value), lines=lines_of(value.paths, origins))


async def _rest_of(fetch: Fetch, value: QuotedValue) -> Rest:
    rests = []
    for path in value.paths:
        request = FigureRequest.parse(path.figure)
        computed = await fetch(compute_figure, request)
        read = await find_read_sheets(fetch, computed)
        rests.append(rest_of(path, computed, read, await fetch(find_parts, request.figure_id)))
    return rest_of_all(rests)

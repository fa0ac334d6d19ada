"""Tasks of the list of chips, of the page of each, and of the numbers that pages compare."""

from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

import diglot.figures
from diglot.digests import digest_of
from diglot.engine import BlobReference, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.figures.chip_sheets import ChipSheet, Fact
from diglot.figures.records import ComputedFigure, DrawnFigure, Script
from diglot.languages import Language
from diglot.render.chip_materials import ChipEntry, ChipPage, QuotedFacts, QuotingArticle
from diglot.render.facts_read import chips_of, together
from diglot.rules.chips import find_sheet, list_chips
from diglot.rules.figures import compute_figure, draw_figure, draw_numbers, find_scripts
from diglot.rules.ids import ChipId, DrawingId, HalfId
from diglot.rules.page_contexts import render
from diglot.rules.projects import read_site_settings
from diglot.rules.sources import find_posts
from diglot.rules.summaries import find_addresses, find_page_languages, summarise
from diglot.rules.tasks import Fetch, task
from diglot.rules.uses import find_uses
from diglot.rules.values import find_rests, read_quotes

_ROOFLINE = "chip_roofline"
"""The script of the drawing on a chip's page."""
_DIGEST_LENGTH = 8


@task("chip-entry")
async def list_chip(fetch: Fetch, slug: str) -> ChipEntry:
    """What lists show of one chip."""
    from diglot.render.hardware import chip_entry  # noqa: PLC0415  (only sites with pages of chips need it)

    return chip_entry(await fetch(find_sheet, slug))


@task("chip-data")
async def write_chip_data(fetch: Fetch, slug: str) -> bytes:
    """A chip's facts as JSON."""
    from diglot.render.hardware import chip_data  # noqa: PLC0415  (only sites with pages of chips need it)

    return chip_data(await fetch(find_sheet, slug))


@task("chip-drawing")
async def draw_chip(fetch: Fetch, chip: ChipId) -> DrawnFigure:
    """A chip's roofline in one language."""
    sheet = await fetch(find_sheet, chip.slug)
    data = msgspec.json.encode(_roofline(sheet), order="deterministic")
    request = FigureRequest.of(_ROOFLINE, (("chip", sheet.slug),))
    computed = ComputedFigure(
        data=data,
        digest=digest_of(data)[:_DIGEST_LENGTH],
        parameters=request.parameters,
        drawable=True,
        sizes=("narrow", "column"),
        provenance=(),
    )
    path = Path(diglot.figures.__file__).with_name(f"{_ROOFLINE}.py")
    script = Script(figure_id=_ROOFLINE, path=f"diglot/figures/{path.name}", source=path.read_text("utf-8"))
    return await draw_numbers(fetch, script, request, computed, chip.language)


def _roofline(sheet: ChipSheet) -> dict[str, object]:
    """The numbers that the script of a chip's roofline draws; formats with the same peak share a roof."""
    roofs: dict[float, list[Fact]] = {}
    for fact in sheet.facts:
        if fact.field.startswith("peak_dense."):
            roofs.setdefault(fact.value, []).append(fact)
    bandwidth = sheet.fact("memory.bandwidth")
    gb_per_s = bandwidth.value if bandwidth else 1.0
    names = {
        peak: [fact.field.removeprefix("peak_dense.") for fact in facts] for peak, facts in roofs.items()
    }
    return {
        "id": sheet.id,
        "name": sheet.short_name,
        "bandwidth_gb_per_s": gb_per_s,
        "unit": "TOP/s"
        if all(fact.unit == "TOP/s" for facts in roofs.values() for fact in facts)
        else "TFLOP/s",
        "roofs": [
            {
                "dtypes": names[peak],
                "peak": peak,
                "ridge": peak * 1e3 / gb_per_s,
            }
            for peak in sorted(roofs)
        ],
    }


@task("chip-uses")
async def find_chip_uses(fetch: Fetch, _name: None) -> Mapping[str, tuple[str, ...]]:
    """The figures that depend on each chip, with the default values of their parameters, by the chip's id."""
    ids = (await fetch(find_scripts)).ids
    found: dict[str, list[str]] = {}
    for figure_id, computed in zip(
        ids, await fetch.all(compute_figure, [FigureRequest.of(one) for one in ids]), strict=True
    ):
        for chip_id in chips_of(computed):
            found.setdefault(chip_id, []).append(figure_id)
    return {chip_id: tuple(figures) for chip_id, figures in sorted(found.items())}


@task("chip-figures")
async def list_chip_figures(fetch: Fetch, chip: ChipId) -> tuple[tuple[str, str], ...]:
    """Ids and titles of the figures that show a chip: a slice. None if figures have no pages."""
    if not (await fetch(read_site_settings)).gallery:
        return ()
    sheet = await fetch(find_sheet, chip.slug)
    ids = (await fetch(find_chip_uses)).get(sheet.id, ())
    drawn = await fetch.all(draw_figure, [DrawingId(FigureRequest.of(one), chip.language) for one in ids])
    return tuple((one, found.title) for one, found in zip(ids, drawn, strict=True))


@task("chip-quotes")
async def find_chip_quotes(fetch: Fetch, language: Language) -> Mapping[str, tuple[QuotingArticle, ...]]:
    """Where the texts of a language quote values that depend on chips, by the chip's id.

    Those with mistakes are left out.
    """
    halves = (await fetch(find_posts)).halves
    paths = {path for paths in (await fetch(find_uses)).values() for path in paths}
    using = sorted(halves[path] for path in paths & halves.keys())
    found: dict[str, list[QuotingArticle]] = {}
    for half in map(HalfId.parse, using):
        if half.language != language:
            continue
        with suppress(UpstreamFailed):
            if language not in (page := (await fetch(find_addresses, half.article)).paths):
                continue
            shown = (await fetch(summarise, half.article)).half(language)
            quotes = await fetch(read_quotes, half)
            rests = await find_rests(fetch, quotes.values)
            title = shown.title if shown else ""
            for chip in dict.fromkeys(chip for one in rests.values() for chip in one.chips):
                read = {name: one.chips[chip] for name, one in rests.items() if chip in one.chips}
                certain = {name for name in read if rests[name].reach != "figure"}
                sentences = tuple(
                    QuotedFacts(
                        block=one.block,
                        text=one.text,
                        fields=together(read[name] for name in own),
                        is_certain=not certain.isdisjoint(own),
                    )
                    for one in quotes.sentences
                    if (own := _most_certain(one.values, read, certain))
                )
                found.setdefault(chip, []).append(
                    QuotingArticle(title=title, path=page[language], sentences=sentences)
                )
    return {chip: tuple(articles) for chip, articles in sorted(found.items())}


def _most_certain(values: Sequence[str], read: Container[str], certain: Container[str]) -> list[str]:
    """Of the values of a sentence, those that certainly depend on a chip, or else those that may."""
    found = [one for one in values if one in read]
    return [one for one in found if one in certain] or found


@task("chip-sentences")
async def list_chip_quotes(fetch: Fetch, chip: ChipId) -> tuple[QuotingArticle, ...]:
    """Where the texts of a language quote values that depend on one chip, sorted by article: a slice."""
    sheet = await fetch(find_sheet, chip.slug)
    return (await fetch(find_chip_quotes, chip.language)).get(sheet.id, ())


@task("chip-page", bytes)
async def make_chip_page(fetch: Fetch, chip: ChipId) -> BlobReference:
    """The page of a chip."""
    from diglot.render.hardware import chip_page  # noqa: PLC0415  (only sites with pages of chips need it)

    sheet = await fetch(find_sheet, chip.slug)
    page = ChipPage(
        sheet=sheet,
        drawn=await fetch(draw_chip, chip) if has_roofline(sheet) else None,
        figures=await fetch(list_chip_figures, chip),
        quotes=await fetch(list_chip_quotes, chip),
        chips=(await fetch(list_chips)).chips,
        language=chip.language,
        languages=await fetch(find_page_languages),
    )
    return await render(fetch, ["chip.html"], chip_page, page)


def has_roofline(sheet: ChipSheet) -> bool:
    """Whether a chip has a peak to draw."""
    return any(fact.field.startswith("peak_dense.") for fact in sheet.facts)


@task("hardware-page", bytes)
async def make_hardware_page(fetch: Fetch, language: Language) -> BlobReference:
    """The list of all chips."""
    from diglot.render.hardware import hardware_page  # noqa: PLC0415  (only sites with pages of chips need it)

    slugs = [one.slug for one in (await fetch(list_chips)).chips]
    chips = tuple(await fetch.all(list_chip, slugs))
    languages = await fetch(find_page_languages)
    return await render(fetch, ["hardware.html"], hardware_page, chips, language, languages)

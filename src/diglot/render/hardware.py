"""Renders the list of chips, the page of each, and the numbers that pages compare."""

import json
from collections.abc import Iterable, Mapping, Sequence

from diglot.figures.chip_sheets import ChipSheet, Disagreement, Fact
from diglot.languages import HTML_LANG, LANGUAGES, Bilingual, Language, twin_of
from diglot.project import Project
from diglot.render.addresses import Addresses
from diglot.render.chip_classes import chip_classes
from diglot.render.chip_materials import ChipEntry, ChipPage
from diglot.render.embeds import drawing_views
from diglot.render.fact_names import FACT_GROUPS, OTHER_FACTS, PRICE_KINDS, fact_name
from diglot.render.page_parts import addresses_of, generated_page, render_page
from diglot.render.strings import Strings
from diglot.render.theme import Theme
from diglot.render.versions import versions_of
from diglot.render.views import (
    ChipEntryView,
    ChipView,
    DisagreementView,
    FactGroupView,
    FactView,
    Link,
    PriceView,
    QuotesView,
    QuoteView,
    RemarkView,
    SourceView,
)
from diglot.site_map import chip_data_path, chip_path, figure_path, hardware_path

_WIDTHS = {"peak16": ("bf16", "fp16"), "peak8": ("fp8", "int8")}
"""Of each width the quickest format counts."""
_WHOLE_FROM = 100
"""A list gives peaks from here on without decimals; the page of a chip has all digits of its sources."""
_LISTED = {"memory.capacity": "capacity", "memory.bandwidth": "bandwidth", "tdp": "power"}


def chip_entry(sheet: ChipSheet) -> ChipEntry:
    """What lists show of this chip."""
    numbers, approximate = {}, []
    for name in _WIDTHS:
        if (best := _best(sheet, name)) is not None:
            numbers[name] = f"{best.value:,.0f}" if best.value >= _WHOLE_FROM else number_text(best)
            approximate += [name] if best.approximate else []
            ridge = sheet.fact(best.field.replace("peak_dense", "ridge"))
            if name == "peak16" and ridge is not None:
                numbers["ridge"] = number_text(ridge)
                approximate += ["ridge"] if ridge.approximate else []
    for field, name in _LISTED.items():
        if (fact := sheet.fact(field)) is not None:
            numbers[name] = number_text(fact)
            approximate += [name] if fact.approximate else []
    return ChipEntry(
        slug=sheet.slug,
        name=sheet.short_name,
        vendor=sheet.vendor,
        kind=sheet.kind,
        year=sheet.year,
        mark=sheet.mark,
        numbers=numbers,
        approximate=tuple(approximate),
    )


def number_text(fact: Fact) -> str:
    """A fact's number as readers see it: with the digits that sources print, a ridge point rounded."""
    value = fact.value
    if fact.field.startswith("ridge."):
        return f"{value:,.0f}" if value >= 10 else f"{value:,.1f}"
    digits = 1 if value >= 100 else 2 if value >= 1 else 3
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def chip_data(sheet: ChipSheet) -> bytes:
    """A chip's facts as JSON: for readers to download, and for pages that compare chips."""
    return json.dumps(
        {
            "id": sheet.id,
            "name": sheet.short_name,
            "mark": chip_classes(sheet.mark),
            "facts": {
                fact.field: {
                    "value": fact.value,
                    "text": f"{_ABOUT if fact.approximate else ''}{number_text(fact)}",
                    "unit": fact.unit,
                    **{language: fact_name(fact.field).of(language) for language in LANGUAGES},
                }
                for fact in sheet.facts
            },
        },
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode()


def hardware_page(
    theme: Theme,
    project: Project,
    chips: tuple[ChipEntry, ...],
    language: Language,
    languages: tuple[Language, ...],
) -> str:
    """The page `/en/hardware/`: all chips, with the numbers that are asked for first."""
    addresses = addresses_of(project)
    versions = versions_of(project, {one: hardware_path(one) for one in languages})
    title, names = theme.strings[language]("hardware"), (one.name for one in chips)
    page = generated_page(theme, project, language, versions, title=title, names=names)
    ridges = _ridges(chips)
    highest = max((ridge for _, ridge in ridges), default=0.0)
    percents = {chip.slug: f"{100 * ridge / highest:.3g}" for chip, ridge in ridges}
    order = {vendor: n for n, vendor in enumerate(dict.fromkeys(one.vendor for one in chips))}
    entries = tuple(
        ChipEntryView(
            name=Link(text=one.name, url=addresses.path(chip_path(language, one.slug))),
            mark=chip_classes(one.mark),
            vendor=one.vendor,
            year=one.year,
            ridge_percent=percents.get(one.slug, ""),
            **{
                name: f"{_ABOUT.strip() if name in one.approximate else ''}{one.numbers.get(name, '–')}"
                for name in _NUMBERS
            },
        )
        for one in sorted(chips, key=lambda one: (order[one.vendor], one.year))
    )
    finding, ends = _finding(ridges, theme.strings[language])
    return render_page(theme, project, "hardware.html", page, chips=entries, finding=finding, ends=ends)


def _ridges(chips: Iterable[ChipEntry]) -> list[tuple[ChipEntry, float]]:
    """The chips that have a ridge, with it, in FLOP/B."""
    texts = ((chip, chip.numbers["ridge"]) for chip in chips if "ridge" in chip.numbers)
    return [(chip, float(text.replace(",", ""))) for chip, text in texts]


def _finding(ridges: Sequence[tuple[ChipEntry, float]], words: Strings) -> tuple[str, tuple[str, ...]]:
    """What the list shows, in a sentence: how far ridges are apart; and the names of the chips in it.

    Empty for chips of one ridge.
    """
    if not ridges:
        return "", ()
    (lowest, low), (highest, high) = (choose(ridges, key=lambda pair: pair[1]) for choose in (min, max))
    if low == high:
        return "", ()
    sentence = words(
        "hardware_finding",
        low_chip=lowest.name,
        low=f"{lowest.numbers['ridge']}\N{NO-BREAK SPACE}FLOP/B",
        high_chip=highest.name,
        high=f"{highest.numbers['ridge']}\N{NO-BREAK SPACE}FLOP/B",
        ratio=f"{high / low:.1f}",
    )
    return sentence, (lowest.name, highest.name)


_ABOUT = "≈ "
"""Before every number that is rounded, scaled or second-hand, wherever it is shown."""
_NUMBERS = ("peak16", "peak8", "capacity", "bandwidth", "ridge", "power")


def chip_page(theme: Theme, project: Project, shown: ChipPage) -> str:
    """The page `/en/hardware/h200-sxm/`: all that is known of a chip, with sources."""
    sheet, language = shown.sheet, shown.language
    versions = versions_of(project, {one: chip_path(one, sheet.slug) for one in shown.languages})
    alt = shown.drawn.alt if shown.drawn else ""
    page = generated_page(theme, project, language, versions, title=sheet.name, description=alt)
    chip = _chip_view(shown, addresses_of(project), theme.strings[language])
    return render_page(theme, project, "chip.html", page, chip=chip)


def _chip_finding(sheet: ChipSheet, words: Strings) -> str:
    """Where the 16-bit ridge is, and what it follows from, in a sentence. Empty where a number is missing."""
    bandwidth, peak = sheet.fact("memory.bandwidth"), _best(sheet, "peak16")
    ridge = sheet.fact(peak.field.replace("peak_dense", "ridge")) if peak else None
    if peak is None or bandwidth is None or ridge is None:
        return ""
    return words(
        "chip_finding",
        dtype=peak.field.rpartition(".")[2],
        peak=f"{number_text(peak)}\N{NO-BREAK SPACE}{peak.unit}",
        bandwidth=f"{number_text(bandwidth)}\N{NO-BREAK SPACE}{bandwidth.unit}",
        ridge=f"{number_text(ridge)}\N{NO-BREAK SPACE}{ridge.unit}",
    )


def _best(sheet: ChipSheet, width: str) -> Fact | None:
    """The highest dense peak of a width of formats."""
    peaks = [fact for one in _WIDTHS[width] if (fact := sheet.fact(f"peak_dense.{one}"))]
    return max(peaks, key=lambda fact: fact.value, default=None)


def _chip_view(shown: ChipPage, addresses: Addresses, words: Strings) -> ChipView:
    sheet, language = shown.sheet, shown.language
    # Vendors' own sources come first, so that they have the low numbers.
    sources = sorted(sheet.sources, key=lambda source: not source.official)
    numbers = {source.id: n for n, source in enumerate(sources, 1)}
    return ChipView(
        id=sheet.id,
        name=sheet.name,
        short_name=sheet.short_name,
        mark=chip_classes(sheet.mark),
        hardware=addresses.path(hardware_path(language)),
        vendor=sheet.vendor,
        architecture=sheet.architecture,
        year=sheet.year,
        is_year_sourced=sheet.is_year_sourced,
        memory_type=sheet.memory_type,
        interconnect="" if sheet.interconnect == "none" else sheet.interconnect,
        finding=_chip_finding(sheet, words),
        topology=_remark(sheet.topology, language),
        alt=shown.drawn.alt if shown.drawn else "",
        drawings=drawing_views(shown.drawn) if shown.drawn else (),
        groups=tuple(_groups(sheet, numbers, language)),
        prices=tuple(
            PriceView(
                usd_per_hour=f"{price.usd_per_hour:.2f}",
                kind=PRICE_KINDS[price.kind].of(language),
                sku=price.sku,
                region=price.region,
                date=price.date,
                approximate=price.approximate,
                source=numbers[price.source],
            )
            for price in sheet.prices
        ),
        sources=tuple(
            SourceView(
                number=numbers[one.id],
                title=one.title,
                url=one.url,
                as_of=one.as_of,
                official=one.official,
                note=_remark(one.note, language),
            )
            for one in sources
        ),
        figures=tuple(
            Link(text=title, url=addresses.path(figure_path(language, figure_id)))
            for figure_id, title in shown.figures
        ),
        quotes=tuple(
            QuotesView(
                article=Link(text=one.title, url=addresses.path(one.path)),
                sentences=tuple(
                    QuoteView(
                        sentence=Link(text=each.text, url=f"{addresses.path(one.path)}#{each.block}"),
                        facts=tuple(fact_name(field).of(language) for field in each.fields or ()),
                        is_certain=each.is_certain,
                    )
                    for each in one.sentences
                ),
            )
            for one in shown.quotes
        ),
        others=tuple(
            Link(text=one.name, url=addresses.path(chip_path(language, one.slug)))
            for one in shown.chips
            if one.slug != sheet.slug
        ),
        data=addresses.path(chip_data_path(sheet.slug)),
    )


def _groups(sheet: ChipSheet, numbers: Mapping[str, int], language: Language) -> Iterable[FactGroupView]:
    facts = {fact.field: fact for fact in sheet.facts}
    apart = {field: one.used for field, one in sheet.other_disagreements}
    known = {field for _, fields in FACT_GROUPS for field in fields}
    others = dict.fromkeys(one for one in (*facts, *apart) if one not in known)
    for name, fields in (*FACT_GROUPS, (OTHER_FACTS, others)):
        found = tuple(
            FactView(
                field=field,
                name=fact_name(field).of(language),
                unit=fact.unit if fact else "",
                value=f"{fact.value:.10g}" if fact else "",
                text=number_text(fact) if fact else apart[field] or "–",
                printed=fact.printed if fact else "",
                approximate=fact.approximate if fact else False,
                source=numbers.get(fact.source, 0) if fact else 0,
                note=_remark(fact.note, language) if fact else RemarkView(),
                disagreements=tuple(
                    _disagreement(one, numbers, language)
                    for one in (
                        *(fact.disagreements if fact else ()),
                        *(one for other, one in sheet.other_disagreements if other == field),
                    )
                ),
            )
            for field in fields
            if (fact := facts.get(field)) is not None or field in apart
        )
        if found:
            yield FactGroupView(name=name.of(language), facts=found)


def _disagreement(one: Disagreement, numbers: Mapping[str, int], language: Language) -> DisagreementView:
    return DisagreementView(
        claims=tuple((text or "–", numbers[source]) for text, source in one.claims),
        used=one.used,
        note=_remark(one.note, language),
    )


def _remark(note: Bilingual, language: Language) -> RemarkView:
    """A remark in the language of the page, or else in the other one."""
    if text := note.of(language):
        return RemarkView(text=text)
    other = twin_of(language)
    return RemarkView(text=note.of(other), language=HTML_LANG[other])

"""The facts of chips that a figure's numbers depend on, for its page."""

from collections.abc import Iterable, Iterator, Mapping

from diglot.figures.chip_sheets import ChipSheet, ChipSource, Disagreement, Fact
from diglot.render.fact_names import fact_name
from diglot.render.facts_read import PRICES, Fields, facts_in, prices_in
from diglot.render.hardware import number_text
from diglot.render.strings import Strings
from diglot.render.views import Link, ReadChipView, ReadFactView, ReadSourceView


def read_chip_view(sheet: ChipSheet, fields: Fields, url: str, words: Strings) -> ReadChipView:
    """A chip with those of its facts that a figure has read. `url` is the address of its page, or empty."""
    name = Link(text=sheet.short_name, url=url)
    facts = () if fields is None else tuple(_facts(sheet, fields, words))
    return ReadChipView(name=name, facts=facts)


def read_source_views(chips: Iterable[ReadChipView]) -> tuple[ReadSourceView, ...]:
    """The facts of chips by what says them: vendors first, then in the order of the chips."""
    by_source: dict[tuple[Link, str, bool], list[tuple[str, ReadFactView]]] = {}
    for chip in chips:
        for fact in chip.facts:
            source = (fact.source, fact.date, fact.official)
            by_source.setdefault(source, []).append((chip.name.text, fact))
    return tuple(
        ReadSourceView(
            source=source,
            date=date,
            official=official,
            facts=tuple(f"{chip} {fact.name} {fact.text}" for chip, fact in facts),
            disagreements=tuple(
                f"{chip} {fact.name} {claim}" for chip, fact in facts for claim in fact.disagreements
            ),
        )
        for (source, date, official), facts in sorted(by_source.items(), key=lambda item: not item[0][2])
    )


def _facts(sheet: ChipSheet, fields: Fields, words: Strings) -> Iterator[ReadFactView]:
    sources = {one.id: one for one in sheet.sources}
    for fact in facts_in(sheet, fields):
        source = sources[fact.source]
        yield ReadFactView(
            name=fact_name(fact.field).of(words.language),
            text=fact_text(fact),
            source=Link(text=source.title, url=source.url),
            date=source.as_of,
            official=source.official,
            disagreements=tuple(_told(one, sources, words) for one in fact.disagreements),
        )
    for price in prices_in(sheet, fields):
        source = sources[price.source]
        yield ReadFactView(
            name=f"{fact_name(PRICES).of(words.language)} {price.sku}, {price.region}",
            text=f"{price.usd_per_hour:.2f} USD/h",
            source=Link(text=source.title, url=source.url),
            date=price.date,
            official=source.official,
            disagreements=(),
        )


def fact_text(fact: Fact) -> str:
    """A fact with its unit: `≈ 4,800 GB/s`."""
    return f"{'≈ ' if fact.approximate else ''}{number_text(fact)} {fact.unit}".strip()


def _told(one: Disagreement, sources: Mapping[str, ChipSource], words: Strings) -> str:
    claims = (f"{text or '–'} ({sources[source].title})" for text, source in one.claims)
    used = words("disagreement_used", value=one.used) if one.used else words("disagreement_none")
    return (
        f"{words('disagreement')}{words('colon')}{words('separator').join(claims)}{words('semicolon')}{used}"
    )

"""The files `values.json` and `figures.json`: what the values of a page, and all figures, depend on."""

import posixpath
from collections.abc import Mapping
from typing import Any

import msgspec

from diglot.figures.chip_sheets import ChipPrice, ChipSheet, Disagreement, Fact
from diglot.languages import Language
from diglot.render.arithmetic import Factor, arithmetic_of
from diglot.render.fact_names import fact_name
from diglot.render.facts_read import PRICES, Fields, facts_in, prices_in
from diglot.render.hardware import number_text
from diglot.render.provenance_materials import ListedFigure, QuotedValue, Rests, ValueSource
from diglot.site_map import chip_path, figure_path


def value_file(
    article: str, values: tuple[QuotedValue, ...], sources: Mapping[str, ValueSource], rests: Rests
) -> bytes:
    """`values.json` of a half. `sources` are where each value comes from, by expression.

    docs/publishing.md describes the fields.
    """
    listed = [_value(one, sources[one.expression], rests) for one in values]
    return _json({"article": article, "language": rests.language, "values": listed, **_rests(rests)})


def figure_file(rests: Rests) -> bytes:
    """`figures.json` of a language, described there, too."""
    return _json({"language": rests.language, **_rests(rests)})


def _value(value: QuotedValue, source: ValueSource, rests: Rests) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(value)
    del told["paths"]
    told |= {"lines": [one._asdict() for one in source.lines]}
    told |= {"reach": source.rest.reach, "chips": source.rest.chips}
    arithmetic = arithmetic_of(value.value, source.rest, {sheet.id: sheet for sheet, _ in rests.chips})
    if arithmetic is not None:
        factors = [_factor(factor, rests.language) for factor in arithmetic.factors]
        told["arithmetic"] = {"factors": factors, "less": arithmetic.less}
    return told


def _factor(factor: Factor, language: Language) -> dict[str, Any]:
    fact = _fact(factor.fact, language)
    name = f"{factor.sheet.short_name} {fact['name']}"
    return {"name": name, "text": fact["text"], "unit": fact["unit"], "power": factor.power}


def _rests(rests: Rests) -> dict[str, Any]:
    return {
        "figures": {str(one.request): _figure(one, rests) for one in rests.figures},
        "chips": {
            one.id: {
                "name": one.short_name,
                **(_page(chip_path(rests.language, one.slug), rests) if rests.has_chip_pages else {}),
                **_chip(one, fields, rests.language),
            }
            for one, fields in rests.chips
        },
    }


def _figure(figure: ListedFigure, rests: Rests) -> dict[str, Any]:
    path = figure_path(rests.language, figure.request.figure_id)
    return {
        **figure.said,
        "script": figure.script,
        **({"script_url": figure.script_url} if figure.script_url else {}),
        **(_page(path, rests) if rests.has_figure_pages else {}),
        "parameters": dict(figure.computed.parameters),
        "digest": figure.computed.digest,
        "files": figure.computed.provenance,
        "chips": figure.chips,
    }


def _page(path: str, rests: Rests) -> dict[str, str]:
    return {"page": f"{posixpath.relpath(path, rests.folder)}/"}


def _chip(sheet: ChipSheet, fields: Fields, language: Language) -> dict[str, Any]:
    """The facts of a chip that something depends on, as sources give them."""
    facts = facts_in(sheet, fields)
    prices = prices_in(sheet, fields)
    conflicts = [(one.field, told) for one in facts for told in one.disagreements]
    if fields is None:
        conflicts += sheet.other_disagreements
    named = {*(one.source for one in facts), *(one.source for one in prices)}
    named |= {source for _, told in conflicts for _, source in told.claims}
    return {
        "facts": [*(_fact(one, language) for one in facts), *(_price(one, language) for one in prices)],
        "conflicts": [_conflict(field, told, language) for field, told in conflicts],
        "sources": {
            one.id: {"title": one.title, "url": one.url, "date": one.as_of}
            for one in sheet.sources
            if one.id in named
        },
    }


def _fact(fact: Fact, language: Language) -> dict[str, Any]:
    return {
        "field": fact.field,
        "name": fact_name(fact.field).of(language),
        "value": fact.value,
        "text": f"{'≈ ' if fact.approximate else ''}{number_text(fact)}",
        "unit": fact.unit,
        **({"printed": fact.printed} if fact.printed else {}),
        "source": fact.source,
    }


def _price(price: ChipPrice, language: Language) -> dict[str, Any]:
    return {
        "field": PRICES,
        "name": f"{fact_name(PRICES).of(language)} {price.sku}, {price.region}, {price.date}",
        "value": price.usd_per_hour,
        "text": f"{price.usd_per_hour:.2f}",
        "unit": "USD/h",
        "source": price.source,
    }


def _conflict(field: str, told: Disagreement, language: Language) -> dict[str, Any]:
    return {
        "field": field,
        "name": fact_name(field).of(language),
        "claims": [{"text": text, "source": source} for text, source in told.claims],
        "used": told.used,
    }


def _json(value: dict[str, Any]) -> bytes:
    return msgspec.json.encode(value)

"""The file `values.json` beside a page: what each of its values rests on."""

import json
import posixpath
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from diglot.figures.chip_sheets import ChipSheet, Disagreement, Fact
from diglot.figures.records import ComputedFigure
from diglot.languages import Language
from diglot.render.fact_names import fact_name
from diglot.render.hardware import number_text
from diglot.site_map import chip_path, figure_path


class ListedValue(msgspec.Struct, frozen=True, kw_only=True):
    """A value of a page."""

    expression: str
    text: str
    value: float | None
    unit: str
    blocks: tuple[str, ...]
    figures: tuple[str, ...]
    """Each as the text of a `FigureRequest`."""
    chips: tuple[str, ...]
    """Ids of the chips that it rests on."""


class ListedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that values are read from."""

    figure_id: str
    script: str
    script_url: str
    """A whole address; empty without `source_url` in site.yaml."""
    computed: ComputedFigure
    chips: tuple[str, ...]
    """Ids of all chips that it has read."""


class ValueFile(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the file of a half is written from."""

    article: str
    language: Language
    path: str
    """The path of its page from the site's root."""
    values: tuple[ListedValue, ...]
    figures: Mapping[str, ListedFigure]
    """By the text of the `FigureRequest`."""
    sheets: tuple[ChipSheet, ...]
    """The chips that values rest on."""
    has_figure_pages: bool
    has_chip_pages: bool


def value_file(file: ValueFile) -> bytes:
    """The file as JSON; addresses in it are relative to its own. docs/figures.md describes the fields."""
    language = file.language
    return _json(
        {
            "article": file.article,
            "language": language,
            "values": [
                {
                    "expression": one.expression,
                    "text": one.text,
                    "value": one.value,
                    "unit": one.unit,
                    "blocks": one.blocks,
                    "figures": one.figures,
                    "chips": one.chips,
                }
                for one in file.values
            ],
            "figures": {
                request: {
                    "script": one.script,
                    **_if_any("script_url", one.script_url),
                    **_if_any(
                        "page",
                        relative(figure_path(language, one.figure_id), file.path)
                        if file.has_figure_pages
                        else "",
                    ),
                    **figure_facts(one.computed, one.chips),
                }
                for request, one in file.figures.items()
            },
            "chips": {
                sheet.id: {
                    "name": sheet.short_name,
                    **_if_any(
                        "page",
                        relative(chip_path(language, sheet.slug), file.path) if file.has_chip_pages else "",
                    ),
                    **_chip(sheet, language),
                }
                for sheet in file.sheets
            },
        }
    )


def figure_facts(computed: ComputedFigure, chips: Iterable[str]) -> dict[str, Any]:
    """What files for programs say of what a figure was computed from."""
    return {
        "parameters": dict(computed.parameters),
        "digest": computed.digest,
        "files": computed.provenance,
        "chips": tuple(chips),
    }


def relative(path: str, page: str) -> str:
    """The path of a folder from the site's root, seen from the folder of a page."""
    return f"{posixpath.relpath(path, page)}/"


def _chip(sheet: ChipSheet, language: Language) -> dict[str, Any]:
    """The facts of a chip that a source gives; the others follow from them."""
    facts = [one for one in sheet.facts if one.source]
    conflicts = [
        *((one.field, told) for one in facts for told in one.disagreements),
        *sheet.other_disagreements,
    ]
    named = {one.source for one in facts}
    named |= {source for _, told in conflicts for _, source in told.claims}
    return {
        "facts": [_fact(one, language) for one in facts],
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
        **_if_any("printed", fact.printed),
        "source": fact.source,
    }


def _conflict(field: str, told: Disagreement, language: Language) -> dict[str, Any]:
    return {
        "field": field,
        "name": fact_name(field).of(language),
        "claims": [{"text": text, "source": source} for text, source in told.claims],
        "used": told.used,
    }


def _if_any(name: str, text: str) -> dict[str, str]:
    return {name: text} if text else {}


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

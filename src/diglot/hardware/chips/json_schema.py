"""The JSON Schema of files of chips, made from the tables that their reader checks them with."""

from collections.abc import Collection
from typing import Any

from diglot.hardware.chips.chip import KINDS, PRICE_KINDS
from diglot.hardware.chips.schema import (
    CHIP_TEXTS,
    DERIVED_KEYS,
    LONE_FIGURES,
    PRICE_KEYS,
    PROVISIONAL_KEY,
    QUANTITY_KEYS,
    REQUIRED_SECTIONS,
    SCHEMA,
    SECTIONS,
    TOP_KEYS,
    Section,
)
from diglot.hardware.chips.units import SI_UNITS

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string", "minLength": 1}
_NOTE: Schema = {
    "description": "A text, or one for each language.",
    "anyOf": [
        _TEXT,
        {
            "type": "object",
            "properties": {"zh": _TEXT, "en": _TEXT},
            "additionalProperties": False,
            "minProperties": 1,
        },
    ],
}
_NUMBER: Schema = {"type": "number", "exclusiveMinimum": 0}
_FLAG: Schema = {"type": "boolean"}
_CLAIMED: Schema = {"type": ["number", "string", "null"]}
_REQUIRED_TEXTS = {"memory": ("type",), "interconnect": ("kind", "topology")}
_SOURCE = "The id of a source, below `sources:` or in diglot's catalogue."
_NOTES = {
    "id": "What figure scripts call it; it must not be in diglot's catalogue.",
    "short_name": "The label of the chip in figures.",
    "kind": "Decides its colour in figures: gpu, tpu, or any other word, such as npu.",
    "architecture": "The family whose measured shares of the roofs it is given.",
    "peak_dense": "Peak rates by number format, without structured sparsity.",
    "prices": "Prices on a date.",
    "aliases": "Other names that figure scripts may look it up by.",
    "conflicts": "Figures about which sources disagree, and the value that is used.",
    "note": "Where the figures come from, if not from the data sheet of a part on sale.",
}


def chips_schema() -> Schema:
    """The schema of a file with chips, as a JSON value."""
    source = _mapping(
        {
            "title": _TEXT,
            "url": {**_TEXT, "pattern": "^https?://"},
            "as_of": _TEXT,
            "tier": {"enum": ["official", "secondary"]},
            "note": _NOTE,
        },
        optional=("note",),
    )
    known: Schema = {
        "schema": {"const": SCHEMA},
        "sources": {"type": "object", "additionalProperties": source},
        "chips": {"type": "array", "items": _chip()},
        PROVISIONAL_KEY: {"type": "array", "items": _chip(note=_NOTE)},
    }
    top = _mapping({key: known.get(key, {}) for key in TOP_KEYS}, optional=set(TOP_KEYS) - {"schema"})
    return {"title": "Chips for diglot's catalogue", **top}


def _chip(**more: Schema) -> Schema:
    """A chip that also has to have the members `more`."""
    texts: Schema = dict.fromkeys(CHIP_TEXTS, _TEXT) | {"kind": {**_TEXT, "examples": list(KINDS)}}
    properties = {
        **texts,
        "year": {"type": "integer", "minimum": 2000, "maximum": 2099},
        **{name: _section(name, section) for name, section in SECTIONS.items()},
        **{key: _quantity(units) for key, units in LONE_FIGURES.items()},
        "prices": {"type": "array", "items": _price()},
        "conflicts": {"type": "array", "items": _conflict()},
        "aliases": {"type": "array", "items": _TEXT},
        **more,
    }
    described = {
        key: {"description": _NOTES[key], **schema} if key in _NOTES else schema
        for key, schema in properties.items()
    }
    needed = {*CHIP_TEXTS, "year", *REQUIRED_SECTIONS, *more} - {"architecture"}
    return _mapping(described, optional=properties.keys() - needed)


def _section(name: str, section: Section) -> Schema:
    figures = {key: _figure(key, units, section) for key, units in section.figures.items()}
    texts = dict.fromkeys(section.texts, _TEXT) | dict.fromkeys(section.notes, _NOTE)
    schema = _mapping(
        {**texts, **figures},
        optional={*texts, *figures} - {*section.required, *_REQUIRED_TEXTS.get(name, ())},
    )
    schema["required"] = sorted({*schema.get("required", ()), *section.required})
    if "source" in section.texts:
        schema["anyOf"] = [{"required": ["source"]}, {"additionalProperties": {"not": {"type": "number"}}}]
    if not section.figures:  # any figure, in these units
        schema["patternProperties"] = {"_ghz$": _figure("_ghz", section.units, section)}
        schema["additionalProperties"] = _figure("", section.units, section)
    return schema


def _figure(key: str, units: Collection[str], section: Section) -> Schema:
    """A figure of a section: with its source, derived, or a plain number if the section has one source."""
    forms = [_quantity(units)]
    if "source" in section.texts:
        forms.append(_NUMBER)
    if key.endswith("_ghz"):
        derived = {"value": _NUMBER, "derived": {}, "formula": _NOTE, "note": _NOTE}
        forms.append(_mapping({name: derived[name] for name in DERIVED_KEYS}, optional=("note",)))
    return forms[0] if len(forms) == 1 else {"anyOf": forms}


def _quantity(units: Collection[str]) -> Schema:
    printed = [name for name, (base, _) in SI_UNITS.items() if base in units]
    values: Schema = {
        **dict.fromkeys(QUANTITY_KEYS, _TEXT),
        "note": _NOTE,
        "value": _NUMBER,
        "unit": {"enum": printed},
        "source": {"description": _SOURCE, **_TEXT},
        "approximate": _FLAG,
    }
    return _mapping(values, optional=("approximate", "via", "note"))


def _price() -> Schema:
    values: Schema = {
        **dict.fromkeys(PRICE_KEYS, _TEXT),
        "kind": {"enum": list(PRICE_KINDS)},
        "note": _NOTE,
        "usd_per_chip_hour": _NUMBER,
        "source": {"description": _SOURCE, **_TEXT},
        "approximate": _FLAG,
    }
    return _mapping(values, optional=("kind", "approximate", "note"))


def _conflict() -> Schema:
    claim = _mapping({"value": _CLAIMED, "source": _TEXT})
    values: Schema = {
        "field": _TEXT,
        "values": {"type": "array", "items": claim, "minItems": 2},
        "used": _CLAIMED,
        "note": _NOTE,
    }
    return _mapping(values, optional=("note",))


def _mapping(properties: Schema, *, optional: Collection[str] = ()) -> Schema:
    required = [key for key in properties if key not in optional]
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": required} if required else schema

"""Reads CSL-JSON, as Zotero exports it, to the entries that BibTeX would have."""

import json
from collections.abc import Mapping
from typing import Any

from diglot.bibliography.works import Entry, as_latex
from diglot.diagnostics import Diagnostic, Location

_TYPES = {
    **dict.fromkeys(("article-journal", "article-magazine", "article-newspaper"), "article"),
    "paper-conference": "inproceedings",
    **dict.fromkeys(("chapter", "entry-encyclopedia"), "incollection"),
    "book": "book",
    **dict.fromkeys(("report", "standard", "patent"), "techreport"),
    "thesis": "phdthesis",
}
_FIELDS = {
    "title": "title",
    "volume": "volume",
    "issue": "number",
    "page": "pages",
    "publisher": "publisher",
    "publisher-place": "address",
    "edition": "edition",
    "DOI": "doi",
    "URL": "url",
}
_IN_BOOKS = ("inproceedings", "incollection")
_PLAIN = ("doi", "url")
_SHAPE = "write a list of items, each with `id`, `type` and `title`, as Zotero exports it."


def read_csl(text: str, path: str) -> tuple[list[Entry], list[Diagnostic]]:
    """The entries of a CSL-JSON file, and its mistakes."""
    try:
        items = json.loads(text)
    except json.JSONDecodeError as error:
        return [], [_mistake(path, error.lineno, f"this is no JSON: {error.msg}", "correct it there.")]
    except (RecursionError, ValueError):
        return [], [_mistake(path, 1, "this JSON is nested too deeply, or has too long a number", _SHAPE)]
    if not isinstance(items, list):
        return [], [_mistake(path, 1, "this is no list of works", _SHAPE)]
    entries, mistakes, at = [], [], 0
    for number, item in enumerate(items, 1):
        key = str(item.get("id", "")) if isinstance(item, dict) else ""
        if not key:
            mistakes.append(_mistake(path, 1, f"item {number} has no `id`", _SHAPE))
            continue
        at = max(at, text.find(json.dumps(key, ensure_ascii=False), at))
        entries.append(_entry(item, key, path, text.count("\n", 0, at) + 1))
    return entries, mistakes[:20]


def _entry(item: Mapping[str, Any], key: str, path: str, line: int) -> Entry:
    type_ = _TYPES.get(str(item.get("type", "")), "misc")
    fields = {}
    if names := _names(item.get("author")):
        fields["author"] = names
    for name, field in _FIELDS.items():
        if (value := item.get(name)) and isinstance(value, (str, int, float)):
            fields[field] = str(value) if field in _PLAIN else as_latex(str(value))
    if container := item.get("container-title"):
        where = "booktitle" if type_ in _IN_BOOKS else "journal" if type_ == "article" else "howpublished"
        fields[where] = as_latex(str(container))
    if type_ == "techreport" and "number" in item:
        fields["number"] = as_latex(str(item["number"]))
    if day := _day(item.get("issued")):
        fields["date"] = day
    if day := _day(item.get("accessed")):
        fields["urldate"] = day
    return Entry(key=key, type=type_, fields=fields, path=path, line=line)


def _names(people: Any) -> str:
    names = []
    for person in people if isinstance(people, list) else ():
        if not isinstance(person, dict):
            continue
        literal, family, given = (
            as_latex(str(person.get(part, ""))) for part in ("literal", "family", "given")
        )
        particle = as_latex(str(person.get("non-dropping-particle", "")))
        if literal or not given:
            names.append(f"{{{literal or family}}}")
        else:
            names.append(f"{particle} {family}, {given}".strip())
    return " and ".join(names)


def _day(date: Any) -> str:
    """`2026-09-30`, or less of it; empty for what is no date."""
    parts = date.get("date-parts") if isinstance(date, dict) else None
    if isinstance(parts, list) and parts and isinstance(parts[0], list):
        numbers = [str(part) for part in parts[0][:3]]
        if all(number.isdecimal() for number in numbers):
            return "-".join(number.zfill(2) for number in numbers)
    return ""


def _mistake(path: str, line: int, message: str, fix: str) -> Diagnostic:
    location = Location(path=path, line=line)
    return Diagnostic(rule="references-syntax", message=message, location=location, fix=fix)

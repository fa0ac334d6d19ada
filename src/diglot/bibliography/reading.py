"""Reads the files of cited works, whichever of them there are."""

from collections.abc import Mapping

from diglot.bibliography.works import BIBTEX_FILE, FILES, Entry
from diglot.diagnostics import Diagnostic, Location

_MOST_CHARACTERS = 4_000_000
_MOST_REPEATED = 20


def read_entries(texts: Mapping[str, str]) -> tuple[dict[str, Entry], list[Diagnostic]]:
    """All entries by key, and the mistakes in the files. `texts` are those of the files, by path."""
    entries: dict[str, Entry] = {}
    mistakes: list[Diagnostic] = []
    repeated: list[Diagnostic] = []
    for path in FILES:
        if path not in texts:
            continue
        found, wrong = _read(texts[path], path)
        mistakes += wrong
        for entry in found:
            if (first := entries.setdefault(entry.key, entry)) is not entry:
                repeated.append(_repeated(entry, first))
    return entries, [*mistakes, *repeated[:_MOST_REPEATED]]


def _read(text: str, path: str) -> tuple[list[Entry], list[Diagnostic]]:
    if len(text) > _MOST_CHARACTERS:
        message = f"this file has {len(text):,} characters; at most {_MOST_CHARACTERS:,} are read"
        fix = "keep the works there that the site cites."
        place = Location(path=path, line=1)
        return [], [Diagnostic(rule="references-syntax", message=message, location=place, fix=fix)]
    if path == BIBTEX_FILE:
        from diglot.bibliography.bibtex import read_bibtex  # noqa: PLC0415  (only sites that have such a file need it)

        return read_bibtex(text, path)
    from diglot.bibliography.csl_json import read_csl  # noqa: PLC0415  (likewise)

    return read_csl(text, path)


def _repeated(entry: Entry, first: Entry) -> Diagnostic:
    where = f"line {first.line}" if first.path == entry.path else f"{first.path}, line {first.line}"
    message = f'there is a work "{entry.key}" on {where} already'
    place = Location(path=entry.path, line=entry.line)
    fix = "give one of them another key."
    return Diagnostic(rule="references-duplicate", message=message, location=place, fix=fix)

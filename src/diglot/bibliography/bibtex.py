"""Reads BibTeX by bibtexparser, which finds entries and places and recovers behind a mistake.

Its middlewares are not used: they do not join values by `#`, and what they make of LaTeX and of names depends
on their order. `diglot.bibliography.latex` decodes the few entries that are cited.
"""

import logging
import re
from collections.abc import Iterable

from bibtexparser import model
from bibtexparser.splitter import Splitter

from diglot.bibliography.works import Entry
from diglot.diagnostics import Diagnostic, Location, did_you_mean, shortened

_LONGEST_FIELD = 20_000
_MOST_FAULTS = 20
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_VALUE = re.compile(r'\s*(?:([{"])|([^\s#{}",]+))')

_JOINS = re.compile(r"\s*#")


def read_bibtex(text: str, path: str) -> tuple[list[Entry], list[Diagnostic]]:
    """The entries of a BibTeX file, and its mistakes. A broken entry costs that entry alone."""
    file = _File(text, path)
    return file.entries, file.mistakes


class _File:
    def __init__(self, text: str, path: str) -> None:
        self._path, self._lines = path, text.split("\n")
        self._macros = {month: str(number) for number, month in enumerate(_MONTHS, 1)}
        self.entries: list[Entry] = []
        self.mistakes: list[Diagnostic] = []
        for block in _blocks_of(text):
            self._read(block, (block.start_line or 0) + 1)
        if text.strip() and not (self.entries or self.mistakes):
            self._report(1, "there is no entry in this file", "write one, as in @misc{key, title = {…}}.")

    def _read(self, block: model.Block, line: int) -> None:
        match block:
            case model.String():
                self._macros[block.key.lower()] = self._joined(block.value, line)
            case model.Entry():
                self._add(block, line)
            case model.DuplicateBlockKeyBlock(ignore_error_block=model.Entry() as entry):
                self._add(entry, line)  # reported with those of the other file
            case model.DuplicateFieldKeyBlock():
                names = ", ".join(sorted(block.duplicate_keys))
                self._report(line, f"this entry has {names} more than once", "keep one of them.")
            case model.ParsingFailedBlock():
                reason = " ".join(str(getattr(block.error, "abort_reason", block.error)).split()).rstrip(".")
                message = f"this entry is broken: {shortened(reason[:1].lower() + reason[1:], 120)}"
                self._report(
                    line, message, "close its braces and quotation marks, and put commas between fields."
                )

    def _add(self, entry: model.Entry, line: int) -> None:
        fields = {
            field.key.lower(): self._joined(str(field.value), (field.start_line or line - 1) + 1)
            for field in entry.fields
        }
        self.entries.append(
            Entry(key=entry.key, type=entry.entry_type.lower(), fields=fields, path=self._path, line=line)
        )

    def _joined(self, raw: str, line: int) -> str:
        """The text of a value: parts in braces or quotation marks, numbers and macros, joined by `#`."""
        text, at = "", 0
        while (found := _VALUE.match(raw, at)) is not None:
            opening, word = found.groups()
            if opening is None:
                text += self._word(word, line)
                at = found.end()
            else:
                end = _end_of(raw, found.end(), '"' if opening == '"' else "}")
                text += raw[found.end() : end]
                at = end + 1
            if len(text) > _LONGEST_FIELD:  # also where macros double each other
                message = f"this value has more than {_LONGEST_FIELD:,} characters"
                self._report(line, message, "shorten it, and the @string that it is made of.")
                return ""
            joins = _JOINS.match(raw, at)
            if joins is None:
                break
            at = joins.end()
        return " ".join(text.split())

    def _word(self, word: str, line: int) -> str:
        if word.isdecimal():
            return word
        if word.lower() not in self._macros:
            message = f'there is no @string "{shortened(word, 60)}"'
            fix = did_you_mean(word.lower(), self._macros, otherwise=f"write it in braces: {{{word}}}.")
            self._report(line, message, fix)
        return self._macros.get(word.lower(), word)

    def _report(self, line: int, message: str, fix: str) -> None:
        if len(self.mistakes) < _MOST_FAULTS:
            self.mistakes.append(
                Diagnostic(
                    rule="references-syntax",
                    message=message,
                    location=Location(path=self._path, line=line),
                    source_line=self._lines[line - 1].strip() if line <= len(self._lines) else None,
                    fix=fix,
                )
            )


def _blocks_of(text: str) -> Iterable[model.Block]:
    logger = logging.getLogger("bibtexparser.splitter")
    before, logger.disabled = logger.disabled, True  # what it logs is reported here, with its place
    try:
        return Splitter(text).split().blocks
    finally:
        logger.disabled = before


def _end_of(raw: str, start: int, closing: str) -> int:
    """Where the part of a value ends that begins at `start`."""
    depth = 0
    for at in range(start, len(raw)):
        character = raw[at]
        if character not in '{}"' or raw[at - 1] == "\\":
            continue
        if character == closing and not depth:
            return at
        depth += (character == "{") - (character == "}")
    return len(raw)

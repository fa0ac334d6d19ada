"""`sync.txt` next to a pair: what both halves said when they were last in step.

    diglot sync 1
    What both halves of this article said when they were last in step. …

    paragraph 2026-11-23
    zh 3f2a9c1b7d0e
    | 屋顶线……
    en 9b1c7d0e3f2a
    | The roofline …

An entry names no place, so that an insertion above it changes no line of it; a blank line is between
entries, so that two people can bring different blocks into step and merge. The number in the first line is
that of the rules by which texts are normalised before they are digested.
"""

import datetime
import re
from collections.abc import Iterable, Iterator

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.languages import LANGUAGES, Language

_VERSION = "diglot sync 1"
_HEAD = f"""\
{_VERSION}
What both halves of this article said when they were last in step. `diglot sync` writes this file, and
`diglot status` compares it with the halves: commit it with them. After a conflict either side is right.
"""
_ENTRY = re.compile(r"([a-z]+)(?: #(\S+))? (\d{4}-\d\d-\d\d)( apart)?")
_SIDE = re.compile(r"(zh|en) ([0-9a-f]{12})")


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """What one half said."""

    digest: str
    text: str
    """Markdown."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of both halves, or of the only one that has it, when they were in step."""

    kind: str
    day: datetime.date
    """The day on which they were declared to be in step."""
    zh: Side | None
    en: Side | None
    anchor: str | None = None
    """What its author calls it."""
    apart: bool = False
    """Whether it is in different places in the two halves."""

    def of(self, language: Language) -> Side | None:
        """What one half said; None if it did not have this unit."""
        return self.zh if language == "zh" else self.en


def read_sync_file(text: str, path: str) -> tuple[Entry, ...]:
    """The entries. Raises DiagnosticError with the first line that cannot be read."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != _VERSION:
        raise _mistake(lines, 1, path, f'the first line of this file should be "{_VERSION}"')
    entries: list[Entry] = []
    at = next((n for n, line in enumerate(lines) if not line.strip()), len(lines))
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        head = _ENTRY.fullmatch(lines[at].rstrip())
        day = _day(head[3]) if head is not None else None
        if head is None or day is None:
            raise _mistake(lines, at + 1, path, "this line begins no entry of a kind and a day")
        at += 1
        sides: dict[Language, Side] = {}
        for language in LANGUAGES:
            side = _SIDE.fullmatch(lines[at].rstrip()) if at < len(lines) else None
            if side is None or side[1] != language:
                continue
            at += 1
            start = at
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
            said = "\n".join(line[1:].removeprefix(" ") for line in lines[start:at])
            sides[language] = Side(digest=side[2], text=said)
        if not sides or (at < len(lines) and lines[at].strip()):
            raise _mistake(lines, at + 1, path, "this line belongs to no entry")
        entries.append(
            Entry(
                kind=head[1],
                anchor=head[2],
                day=day,
                apart=bool(head[4]),
                zh=sides.get("zh"),
                en=sides.get("en"),
            )
        )
    return tuple(entries)


def written(entries: Iterable[Entry]) -> str:
    """The text of the file."""
    return "\n".join((_HEAD, *("\n".join((*_lines(one), "")) for one in entries)))


def _lines(entry: Entry) -> Iterator[str]:
    anchor = f" #{entry.anchor}" if entry.anchor else ""
    yield f"{entry.kind}{anchor} {entry.day.isoformat()}{' apart' if entry.apart else ''}"
    for language in LANGUAGES:
        if (side := entry.of(language)) is not None:
            yield f"{language} {side.digest}"
            for line in side.text.split("\n"):
                yield f"| {line}".rstrip()


def _day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def _mistake(lines: list[str], line: int, path: str, message: str) -> DiagnosticError:
    shown = lines[line - 1] if line <= len(lines) else ""
    merging = shown.startswith(("<<<<<<<", "=======", ">>>>>>>"))
    fix = "keep either side of the merge, and delete its marks." if merging else _RESTORE
    return DiagnosticError(
        Diagnostic(
            rule="sync-form",
            message="a merge was left unfinished here" if merging else message,
            location=Location(path=path, line=line),
            source_line=shown,
            fix=fix,
        )
    )


_RESTORE = "restore the file from version control, or delete it and run `diglot sync` once both halves agree."

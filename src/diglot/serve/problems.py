"""Diagnostics for the browser: the terminal's text, with each location a link to the author's editor."""

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

import msgspec

from diglot.diagnostics import Diagnostic, Location, Severity, source_parts

_PLACE = re.compile(r"(?P<path>[^\s:]+):(?P<line>[0-9]{1,9})(?= in )")
"""A line of the author's code in a traceback."""


class DetailLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a diagnostic's detail, e.g. of a traceback."""

    text: str
    link: str = ""
    """Opens the location in an editor; empty if the line names none, or no editor is known."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A diagnostic ready to be shown. Every field is plain text and must be shown as text."""

    severity: Severity
    rule: str
    place: str
    """`content/posts/a/zh.md:42`; empty if no file is at fault."""
    message: str
    source: tuple[str, str, str]
    """The offending line: what is before the mistake, the mistake, and what is after it. The last two are
    empty if its column is not known, and all are if there is no line."""
    detail: tuple[DetailLine, ...]
    fix: str
    link: str
    """Opens the location in an editor; empty if no editor is known."""
    others: tuple[DetailLine, ...] = ()
    """Further locations of the same mistake."""


def describe_problems(
    diagnostics: Iterable[Diagnostic], *, root: Path, editor: str | None
) -> tuple[Problem, ...]:
    """The diagnostics in order, errors first, each mistake once; `editor` is a URL template with `{path}`."""
    found: dict[tuple[object, ...], Problem] = {}
    for one in sorted(diagnostics, key=lambda one: one.severity != "error"):
        problem = _problem(one, root, editor)
        mistake = (problem.severity, problem.rule, problem.message, problem.detail, problem.fix)
        if (first := found.setdefault(mistake, problem)) is not problem and problem.place != first.place:
            place = DetailLine(text=problem.place, link=problem.link)
            found[mistake] = msgspec.structs.replace(first, others=(*first.others, place))
    return tuple(found.values())


def editor_link(editor: str | None, root: Path, place: Location) -> str:
    """The URL that opens a location in an editor; empty if no editor is known.

    `editor` is a URL template with `{path}` and perhaps `{line}` and `{column}`.
    """
    if editor is None:
        return ""
    path = "/" + quote(
        (root / place.path).as_posix().lstrip("/"), safe="/:"
    )  # a Windows path begins with a drive, not a slash
    for name, value in (("path", path), ("line", place.line or 1), ("column", place.column or 1)):
        editor = editor.replace(f"{{{name}}}", str(value))
    return editor


def _problem(one: Diagnostic, root: Path, editor: str | None) -> Problem:
    return Problem(
        severity=one.severity,
        rule=one.rule,
        place=str(one.location or ""),
        message=one.message,
        source=source_parts(one),
        detail=tuple(_detail_line(line, root, editor) for line in (one.detail or "").splitlines()),
        fix=one.fix or "",
        link=editor_link(editor, root, one.location) if one.location else "",
    )


def _detail_line(text: str, root: Path, editor: str | None) -> DetailLine:
    place = _PLACE.match(text)
    if place is None:
        return DetailLine(text=text.rstrip())
    where = Location(path=place["path"], line=int(place["line"]))
    return DetailLine(text=text.rstrip(), link=editor_link(editor, root, where))

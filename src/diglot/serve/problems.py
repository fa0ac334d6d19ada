"""Diagnostics as a browser shows them: the terminal's words, each place a link into the author's editor."""

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

import msgspec

from diglot.diagnostics import Diagnostic, Location, Severity

_PLACE = re.compile(r"(?P<path>[^\s:]+):(?P<line>[0-9]{1,9})(?= in )")
"""How a traceback names a line of the author's code."""


class DetailLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of what a diagnostic adds, e.g. of a traceback."""

    text: str
    link: str = ""
    """Opens the place it names; empty where it names none, or no editor is known."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A diagnostic, ready to be shown. All of it is text, to be shown as text."""

    severity: Severity
    place: str
    """`content/posts/a/zh.md:42`; empty where no file is at fault."""
    message: str
    source: str
    """The line itself; empty where there is none."""
    detail: tuple[DetailLine, ...]
    fix: str
    link: str
    """Opens the place in an editor; empty where no editor is known."""


def describe_problems(
    diagnostics: Iterable[Diagnostic], *, root: Path, editor: str | None
) -> tuple[Problem, ...]:
    """The diagnostics, errors before warnings, else in their order; `editor` is an address with `{path}`."""
    errors_first = sorted(diagnostics, key=lambda one: one.severity != "error")
    return tuple(_problem(one, root, editor) for one in errors_first)


def editor_link(editor: str | None, root: Path, place: Location) -> str:
    """The address that opens a place in an editor; empty where there is none.

    `editor` is an address with `{path}`, and perhaps `{line}` and `{column}`.
    """
    if editor is None:
        return ""
    path = "/" + quote(
        (root / place.path).as_posix().lstrip("/"), safe="/:"
    )  # with a drive, there is no slash
    for name, value in (("path", path), ("line", place.line or 1), ("column", place.column or 1)):
        editor = editor.replace(f"{{{name}}}", str(value))
    return editor


def _problem(one: Diagnostic, root: Path, editor: str | None) -> Problem:
    return Problem(
        severity=one.severity,
        place=str(one.location or ""),
        message=one.message,
        source=(one.source_line or "").strip(),
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

"""Mistakes in an author's files, as values: place, what is wrong, the line itself, a fix.

They are collected and shown together; the terminal, the preview and `--json` show the same text.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec

from diglot.invariants import require

Severity = Literal["error", "warning"]


class Location(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """A place in a file of the project."""

    path: str
    """Relative to the project's root, with forward slashes."""
    line: int | None = None
    """From 1, front matter counted; None where the whole file is meant."""
    column: int | None = None
    """From 1."""

    def __str__(self) -> str:
        numbers = [str(n) for n in (self.line, self.column) if n is not None]
        return ":".join([self.path, *numbers])


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One mistake an author can mend."""

    rule: str
    """Stable name of what was checked, e.g. `figure-unknown`: documented, and the handle to silence it."""
    message: str
    """What is wrong, in one line, with the offending value quoted."""
    severity: Severity = "error"
    location: Location | None = None
    source_line: str | None = None
    """The offending line as it stands in the file."""
    detail: str | None = None
    """More lines where one is not enough, e.g. a traceback cut to the author's code."""
    fix: str | None = None
    """What to do, in one sentence."""

    def __str__(self) -> str:
        return format_diagnostic(self)


class DiagnosticError(Exception):
    """Work cannot go on because of mistakes in an author's files."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        require(bool(diagnostics), "a DiagnosticError carries at least one diagnostic")
        super().__init__("\n".join(map(format_diagnostic, diagnostics)))
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[type["DiagnosticError"], tuple[Diagnostic, ...]]:
        return type(self), self.diagnostics


def format_diagnostic(diagnostic: Diagnostic) -> str:
    """The diagnostic as the terminal and the preview show it.

    content/roofline/zh.md:42: no figure named "ridge-pont"
        ```{figure} ridge-pont
      fix: did you mean "ridge-point"?
    """
    head = f"{diagnostic.location}: " if diagnostic.location else ""
    mark = "warning: " if diagnostic.severity == "warning" else ""
    lines = [f"{head}{mark}{diagnostic.message}"]
    if diagnostic.source_line is not None:
        lines.append(f"    {diagnostic.source_line.strip()}")
    if diagnostic.detail:
        lines += [f"    {line}".rstrip() for line in diagnostic.detail.splitlines()]
    if diagnostic.fix:
        lines.append(f"  fix: {diagnostic.fix}")
    return "\n".join(lines)


def sorted_diagnostics(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Without repetitions, in the order of the files and lines they stand in."""
    unique = dict.fromkeys(diagnostics)
    return tuple(
        sorted(
            unique,
            key=lambda d: (str(d.location.path) if d.location else "", (d.location and d.location.line) or 0),
        )
    )


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to a mistyped one, None where nothing is close."""
    import difflib

    folded = {k.casefold().replace("-", "_"): k for k in known}
    found = difflib.get_close_matches(name.casefold().replace("-", "_"), folded, n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str | None = None) -> str:
    """A fix for an unknown name: the nearest known one, else all of them, else a hint."""
    names = sorted(known)
    if (suggestion := nearest(name, names)) is not None:
        return f'did you mean "{suggestion}"?'
    if otherwise is not None:
        return otherwise
    return f"known are: {', '.join(names)}." if names else "there are none yet."

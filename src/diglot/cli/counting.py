"""Counts of mistakes, and whether they make a command fail."""

from collections.abc import Iterable

from diglot.diagnostics import Diagnostic, is_fatal


def are_errors(diagnostics: Iterable[Diagnostic], *, strict: bool) -> bool:
    """Whether a command fails because of these diagnostics; with `strict`, warnings count."""
    return any(is_fatal(one, strict=strict) for one in diagnostics)


def count_of(diagnostics: Iterable[Diagnostic]) -> str:
    """The number of errors and warnings, in words."""
    severities = [one.severity for one in diagnostics]
    words = [counted(severities.count(one), one) for one in ("error", "warning") if one in severities]
    return ", ".join(words) or "no errors"


def counted(count: int, what: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"

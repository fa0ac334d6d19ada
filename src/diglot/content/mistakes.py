"""Collects the mistakes in one file of an article."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from diglot.diagnostics import MORE, MORE_FIX, MOST_TOLD, Diagnostic, Location, Severity


class Mend(NamedTuple):
    """A replacement in a file that makes of a mistake what its author meant."""

    line: int
    """From 1; inside a block from 0, as long as the block's place is not known."""
    old: str
    new: str


class TooMuch(Exception):
    """More of something than can be parsed in reasonable time: the whole half is refused."""

    def __init__(self, rule: str, message: str, fix: str, line: int | None = None) -> None:
        """`line` counts from 0, without front matter; None where the code that catches it knows the line."""
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.fix = fix
        self.line = line


class Mistakes:
    """Diagnostics of one file, in the order in which they are found."""

    def __init__(self, path: str, lines: Sequence[str]) -> None:
        self.path = path
        self.lines = lines
        """All lines of the file, without line ends."""
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self.mends: list[Mend] = []
        """What would mend mistakes about which there is no doubt."""
        self._counts: dict[str, int] = {}

    def error(
        self, rule: str, message: str, line: int, fix: str | None = None, *, column: int | None = None
    ) -> None:
        """Add a mistake because of which the half cannot be used."""
        if (mistake := self._counted("error", rule, message, line, fix, column=column)) is not None:
            self.errors.append(mistake)

    def warn(
        self, rule: str, message: str, line: int, fix: str | None = None, *, mends: Iterable[Mend] = ()
    ) -> None:
        """Add a probable mistake."""
        self.mends += mends
        if (mistake := self._counted("warning", rule, message, line, fix)) is not None:
            self.warnings.append(mistake)

    def has_told_all(self, rule: str) -> bool:
        """Whether so many mistakes of this rule are reported that further ones are dropped."""
        return self._counts.get(rule, 0) > MOST_TOLD

    def _counted(
        self,
        severity: Severity,
        rule: str,
        message: str,
        line: int,
        fix: str | None,
        *,
        column: int | None = None,
    ) -> Diagnostic | None:
        count = self._counts[rule] = self._counts.get(rule, 0) + 1
        if count > MOST_TOLD + 1:
            return None
        if count > MOST_TOLD:
            message, fix = MORE, MORE_FIX
        return self._diagnostic(
            severity, rule, message, Location(path=self.path, line=line, column=column), fix
        )

    def _diagnostic(
        self, severity: Severity, rule: str, message: str, location: Location, fix: str | None
    ) -> Diagnostic:
        line = location.line or 0
        return Diagnostic(
            rule=rule,
            message=message,
            severity=severity,
            location=location,
            source_line=self.lines[line - 1] if 0 < line <= len(self.lines) else None,
            fix=fix,
        )

"""Collecting what is wrong in one half of an article."""

from collections.abc import Sequence

from diglot.diagnostics import MORE, MORE_FIX, MOST_TOLD, Diagnostic, Location, Severity


class TooMuch(Exception):
    """More of something than can be read in good time: nothing is made of the half."""

    def __init__(self, rule: str, message: str, fix: str, line: int | None = None) -> None:
        """`line` counts from 0, without front matter; None where the reader knows where it is."""
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.fix = fix
        self.line = line


class Mistakes:
    """Diagnostics of one file, in the order they are found."""

    def __init__(self, path: str, lines: Sequence[str]) -> None:
        self.path = path
        self.lines = lines
        """The file as it stands, without line ends."""
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self._counts: dict[str, int] = {}

    def error(self, rule: str, message: str, line: int, fix: str | None = None) -> None:
        """Something that keeps the half from being used."""
        if (mistake := self._counted("error", rule, message, line, fix)) is not None:
            self.errors.append(mistake)

    def warn(self, rule: str, message: str, line: int, fix: str | None = None) -> None:
        """Something that is most likely not meant."""
        if (mistake := self._counted("warning", rule, message, line, fix)) is not None:
            self.warnings.append(mistake)

    def has_told_all(self, rule: str) -> bool:
        """Whether so many of a kind are told that no more will be."""
        return self._counts.get(rule, 0) > MOST_TOLD

    def _counted(
        self, severity: Severity, rule: str, message: str, line: int, fix: str | None
    ) -> Diagnostic | None:
        count = self._counts[rule] = self._counts.get(rule, 0) + 1
        if count > MOST_TOLD + 1:
            return None
        if count > MOST_TOLD:
            message, fix = MORE, MORE_FIX
        return self._diagnostic(severity, rule, message, line, fix)

    def _diagnostic(
        self, severity: Severity, rule: str, message: str, line: int, fix: str | None
    ) -> Diagnostic:
        return Diagnostic(
            rule=rule,
            message=message,
            severity=severity,
            location=Location(path=self.path, line=line),
            source_line=self.lines[line - 1] if 0 < line <= len(self.lines) else None,
            fix=fix,
        )

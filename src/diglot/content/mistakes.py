"""Collecting what is wrong in one half of an article."""

from collections.abc import Sequence

from diglot.diagnostics import Diagnostic, Location, Severity


class Mistakes:
    """Diagnostics of one file, in the order they are found."""

    def __init__(self, path: str, lines: Sequence[str]) -> None:
        self.path = path
        self.lines = lines
        """The file as it stands, without line ends."""
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []

    def error(self, rule: str, message: str, line: int, fix: str | None = None) -> None:
        """Something that keeps the half from being used."""
        self.errors.append(self._diagnostic("error", rule, message, line, fix))

    def warn(self, rule: str, message: str, line: int, fix: str | None = None) -> None:
        """Something that is most likely not meant."""
        self.warnings.append(self._diagnostic("warning", rule, message, line, fix))

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

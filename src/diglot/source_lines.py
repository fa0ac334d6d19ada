"""Points diagnostics at the column of what they quote, in the lines of the author's files.

Parsers know lines, and only some of them columns. A message quotes the offending value, so its column is
looked up in the file where diagnostics are reported, and no task depends on it.
"""

from collections.abc import Iterable
from pathlib import Path

from diglot.diagnostics import Diagnostic, pointed_at


class SourceLines:
    """The lines of a project's files. Each file is read once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, list[str]] = {}

    def of(self, path: str) -> list[str]:
        """The lines of a file, without line ends; none if it cannot be read."""
        if path not in self._files:
            try:
                text = (self._root / path).read_bytes().decode("utf-8", "replace")
            except (OSError, ValueError):
                text = ""
            self._files[path] = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        return self._files[path]

    def point_out(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The diagnostics, each with its line and column as far as they can be found."""
        return tuple(map(self._pointed, diagnostics))

    def _pointed(self, diagnostic: Diagnostic) -> Diagnostic:
        place = diagnostic.location
        if place is None or place.line is None:
            return diagnostic
        lines = self.of(place.path)
        return pointed_at(diagnostic, lines[place.line - 1]) if 0 < place.line <= len(lines) else diagnostic

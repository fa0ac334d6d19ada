"""Leaves out the warnings that the author ignores, and shows the others with their source lines.

It works on the diagnostics of a build. No task depends on it, so a change here makes nothing again.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from diglot.diagnostics import Diagnostic, Location, did_you_mean, pointed_at
from diglot.ignore_comments import ignored_at
from diglot.rules.configuration import read_configuration
from diglot.rules.options import SiteOptions

if TYPE_CHECKING:
    from diglot.project import Ignored

_NEVER_IGNORED = "correct it: only warnings can be ignored."
_MAY_BE_IGNORED = frozenset(("number-differs", "number-outdated", "base-url-placeholder"))
"""Errors that keep no page from being made: what they say of a text may be wrong."""


class SourceLines:
    """The lines of a project's files, by which diagnostics find their columns. Each file is read once.

    Parsers know lines, and only some of them columns. A message quotes the offending value, so its column is
    looked up where diagnostics are reported.
    """

    def __init__(self, root: Path, edited: Mapping[str, bytes] = MappingProxyType({})) -> None:
        """`edited` is the content of files that is not on disk yet."""
        self._root = root
        self._edited = edited
        self._files: dict[str, list[str]] = {}

    def of(self, path: str) -> list[str]:
        """The lines of a file, without line ends; none if it cannot be read."""
        if path not in self._files:
            content = self._content(path) if path not in self._edited else self._edited[path]
            content = content.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n")
            self._files[path] = content.decode("utf-8", "replace").split("\n")
        return self._files[path]

    def _content(self, path: str) -> bytes:
        try:
            with open(f"{self._root}/{path}", "rb", buffering=0) as file:  # pathlib takes twice as long
                return file.read()
        except (OSError, ValueError):
            return b""

    def point_out(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The diagnostics, each with its line and column as far as they can be found."""
        return tuple(map(self._pointed, diagnostics))

    def _pointed(self, diagnostic: Diagnostic) -> Diagnostic:
        place = diagnostic.location
        if place is None or place.line is None:
            return diagnostic
        lines = self.of(place.path)
        return pointed_at(diagnostic, lines[place.line - 1]) if 0 < place.line <= len(lines) else diagnostic


class Ignoring:
    """What one build ignores, by `ignore:` in the configuration and by comments."""

    def __init__(self, options: SiteOptions, edited: Mapping[str, bytes] = MappingProxyType({})) -> None:
        self._config = options.config
        self._lines = SourceLines(options.root, edited)
        self._entries = self._configured(options)
        self._used: set[Ignored] = set()
        self._met: set[str] = set()

    def _configured(self, options: SiteOptions) -> "tuple[Ignored, ...]":
        """The entries of the configuration, which is parsed only if it may have some: that takes 20 ms."""
        if not any("ignore" in line for line in self._lines.of(options.config)):
            return ()
        project = read_configuration(options)
        return project.ignore if project is not None else ()

    def shown(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The diagnostics without ignored warnings, and errors about attempts to ignore an error."""
        kept: dict[Diagnostic, None] = {}
        for one in self._lines.point_out(diagnostics):
            self._met.add(one.rule)
            place = self._place_of(one)
            if place is None:
                kept[one] = None
            elif one.severity == "error" and one.rule not in _MAY_BE_IGNORED:
                kept[one] = None
                message = f'"{one.rule}" is an error here, and cannot be ignored'
                refused = Diagnostic(rule="ignore-error", message=message, location=place, fix=_NEVER_IGNORED)
                kept[self._about(refused)] = None
        return tuple(kept)

    def unused(self, *, besides: Collection[str] = ()) -> tuple[Diagnostic, ...]:
        """Warnings about entries of the configuration that match nothing of what was reported.

        `besides` are rules that were not asked about.
        """

        def where(entry: "Ignored") -> str:
            return f" in {entry.path}" if entry.path else ""

        return tuple(
            self._about(
                Diagnostic(
                    rule="ignore-unused",
                    severity="warning",
                    message=f'ignoring "{entry.rule}"{where(entry)} has no effect: there is no such warning',
                    location=Location(path=self._config, line=entry.line),
                    fix=did_you_mean(entry.rule, self._met - {entry.rule}, otherwise="delete the entry."),
                )
            )
            for entry in self._entries
            if entry not in self._used and entry.rule not in besides
        )

    def _about(self, diagnostic: Diagnostic) -> Diagnostic:
        (pointed,) = self._lines.point_out([diagnostic])
        return pointed

    def _place_of(self, one: Diagnostic) -> Location | None:
        """Where the author says that a diagnostic is to be ignored; None if nowhere."""
        path = one.location.path if one.location is not None else ""
        for entry in self._entries:
            if entry.rule == one.rule and (entry.path is None or _matches(entry.path, path)):
                self._used.add(entry)
                return Location(path=self._config, line=entry.line)
        if one.location is None or one.location.line is None:
            return None
        line = ignored_at(self._lines.of(path), one.location.line).get(one.rule)
        return None if line is None else Location(path=path, line=line)


def _matches(pattern: str, path: str) -> bool:
    """Whether a path is, or is below, what a pattern names: `*` within a name, `**` for any folders."""
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern.strip("/"))
    expression = "".join(words.get(part, re.escape(part)) for part in parts)
    return re.fullmatch(f"{expression}(?:/.*)?", path) is not None

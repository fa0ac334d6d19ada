"""Output to the terminal: diagnostics, counts and a progress line, without colour where it is not wanted."""

import os
import sys
import time
from collections.abc import Iterable, Mapping
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from diglot.diagnostics import Diagnostic, counted, format_diagnostic, is_fatal

if TYPE_CHECKING:
    from diglot.engine import Progress
    from diglot.rules.manifest import Manifest


_BOLD, _RED, _YELLOW, _DIM, _RESET = "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[2m", "\x1b[0m"
_CLEAR_LINE = "\r\x1b[2K"
_PROGRESS_EVERY_S = 0.1
_LINE_EVERY_S = 10.0
"""Where the progress line cannot be drawn again: in a pipe, a file, the log of a workflow."""


class Terminal:
    """Writes results to standard output and everything else to standard error."""

    def __init__(
        self,
        *,
        quiet: bool = False,
        verbose: int = 0,
        strict: bool = False,
        out: TextIO | None = None,
        err: TextIO | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        """`quiet` shows errors only, and with `strict` warnings too, because they count as errors."""
        self.out = out or sys.stdout
        self.err = err or sys.stderr
        self.quiet = quiet
        self.verbose = verbose
        self._warnings = strict or not quiet
        able = self.err.isatty() and environment.get("TERM") != "dumb" and not environment.get("CI")
        self.colour = able and not environment.get("NO_COLOR")
        self.live = able and not quiet
        self._tells = not quiet and environment.get("DIGLOT_PROGRESS") != "0"
        self._shown_at = 0.0 if self.live else time.monotonic()
        self._line_open = False
        for stream in (self.out, self.err):  # a terminal that cannot show Chinese must not end a build
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")

    def say(self, text: str) -> None:
        """Print a line for people, unless --quiet is set."""
        if not self.quiet:
            self.close()
            print(text, file=self.err, flush=True)

    def result(self, text: str) -> None:
        """Print the result of the command."""
        self.close()
        print(text, file=self.out, flush=True)

    def failure(self, message: str, fix: str) -> None:
        """Print why the command cannot start."""
        self.close()
        print(f"diglot: {message}\n  fix: {fix}", file=self.err, flush=True)

    def progress(self, done: int, known: int, what: object) -> None:
        """Update the progress line, at most ten times a second; print one now and then where it cannot be."""
        now = time.monotonic()
        if not self._tells or now - self._shown_at < (_PROGRESS_EVERY_S if self.live else _LINE_EVERY_S):
            return
        self._shown_at = now
        line = f"{done}/{known}  {what}"[: max(20, self._columns() - 1)]
        if not self.live:
            print(line, file=self.err, flush=True)
            return
        self.err.write(_CLEAR_LINE + (f"{_DIM}{line}{_RESET}" if self.colour else line))
        self.err.flush()
        self._line_open = True

    def told(self, progress: "Progress") -> None:
        """Show how far a build is, or that another one has the project's lock."""
        if progress.waiting:
            process = f" (process {progress.holder})" if progress.holder is not None else ""
            self.say(f"another build of this project is running{process}; waiting for it")
        else:
            self.progress(progress.done, progress.known, progress.running or "")

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Print errors and warnings, each followed by a blank line."""
        self.close()
        texts = []
        for diagnostic in diagnostics:
            if diagnostic.severity == "warning" and not self._warnings:
                continue
            text = format_diagnostic(diagnostic)
            if self.colour:
                head, _, rest = text.partition("\n")
                hue = _RED if diagnostic.severity == "error" else _YELLOW
                text = f"{hue}{_BOLD}{head}{_RESET}" + (f"\n{rest}" if rest else "")
            texts.append(f"{text}\n\n")
        if texts:  # at once: a terminal handles each write separately, and there may be thousands
            self.err.write("".join(texts))
            self.err.flush()

    def left_out(self, manifest: "Manifest | None") -> None:
        """Print how many articles a build leaves out, and with --verbose which."""
        if manifest is None or not manifest.left_out:
            return
        from diglot.left_out import left_out_lines, left_out_note  # noqa: PLC0415  (few builds need it)

        self.say(left_out_note(manifest.left_out, hint="" if self.verbose else "-v names them"))
        for line in left_out_lines(manifest.left_out) if self.verbose else ():
            self.say(line)

    def close(self) -> None:
        """Clear the progress line."""
        if self._line_open:
            self._line_open = False
            self.err.write(_CLEAR_LINE)
            self.err.flush()

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self.err.fileno()).columns
        except (OSError, ValueError):
            return 80


def are_errors(diagnostics: Iterable[Diagnostic], *, strict: bool) -> bool:
    """Whether a command fails because of these diagnostics; with `strict`, warnings count."""
    return any(is_fatal(one, strict=strict) for one in diagnostics)


def count_of(diagnostics: Iterable[Diagnostic]) -> str:
    """The number of errors and warnings, in words."""
    severities = [one.severity for one in diagnostics]
    words = [counted(severities.count(one), one) for one in ("error", "warning") if one in severities]
    return ", ".join(words) or "no errors"


def unfinished_address(config: str, address: str) -> str:
    """The reminder of a site whose address is a placeholder."""
    return f"before you publish: `base_url` in {config} is still {address}; write the site's address"

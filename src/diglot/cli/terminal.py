"""What the terminal shows: diagnostics, one progress line, plain text where colour is not wanted."""

import os
import sys
import time
from collections.abc import Iterable
from typing import TextIO

from diglot.diagnostics import Diagnostic, format_diagnostic

_BOLD, _RED, _YELLOW, _DIM, _RESET = "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[2m", "\x1b[0m"
_CLEAR_LINE = "\r\x1b[2K"
_PROGRESS_EVERY_S = 0.1


class Terminal:
    """Where a command speaks: results to one stream, everything else to the other."""

    def __init__(
        self, *, quiet: bool, verbose: int, out: TextIO | None = None, err: TextIO | None = None
    ) -> None:
        self.out = out or sys.stdout
        self.err = err or sys.stderr
        self.quiet = quiet
        self.verbose = verbose
        plain = bool(os.environ.get("NO_COLOR") or os.environ.get("CI")) or os.environ.get("TERM") == "dumb"
        self.colour = self.err.isatty() and not plain
        self.live = self.colour and not quiet
        self._shown_at = 0.0
        self._line_open = False

    def say(self, text: str) -> None:
        """A line for people; silent under --quiet."""
        if not self.quiet:
            self._close_line()
            print(text, file=self.err, flush=True)

    def result(self, text: str) -> None:
        """What the command was asked for."""
        self._close_line()
        print(text, file=self.out, flush=True)

    def failure(self, message: str, fix: str) -> None:
        """Why the command cannot begin."""
        self._close_line()
        print(f"diglot: {message}\n  fix: {fix}", file=self.err, flush=True)

    def progress(self, done: int, known: int, what: str) -> None:
        """One line that is written over, at most ten times a second."""
        now = time.monotonic()
        if not self.live or now - self._shown_at < _PROGRESS_EVERY_S:
            return
        self._shown_at = now
        width = max(20, _columns() - 1)
        line = f"{done}/{known}  {what}"[:width]
        self.err.write(f"{_CLEAR_LINE}{_DIM}{line}{_RESET}")
        self.err.flush()
        self._line_open = True

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Errors and warnings, a blank line between two."""
        self._close_line()
        for diagnostic in diagnostics:
            if self.quiet and diagnostic.severity == "warning":
                continue
            text = format_diagnostic(diagnostic)
            if self.colour:
                head, _, rest = text.partition("\n")
                hue = _RED if diagnostic.severity == "error" else _YELLOW
                text = f"{hue}{_BOLD}{head}{_RESET}" + (f"\n{rest}" if rest else "")
            print(text + "\n", file=self.err, flush=True)

    def close(self) -> None:
        """Leave the cursor on a clean line."""
        self._close_line()

    def _close_line(self) -> None:
        if self._line_open:
            self.err.write(_CLEAR_LINE)
            self.err.flush()
            self._line_open = False


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        return 80

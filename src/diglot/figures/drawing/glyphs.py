"""Characters that no bundled face has: matplotlib reports them in two ways, and draws a box all the same."""

import logging
import re
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_PLAIN = re.compile(r"Glyph (\d+) .*missing from")
_MATHTEXT = re.compile(r"does not have a glyph for .*\[U\+([0-9a-fA-F]+)\]")


class Reports:
    """What matplotlib complained of while something was drawn."""

    def __init__(self) -> None:
        self.missing: dict[str, bool] = {}
        """Characters without a glyph, in the order they were met; true for those of a formula ($…$)."""
        self.others: list[str] = []
        """Any other complaint of matplotlib, e.g. a face that is not there."""
        self.warned: list[tuple[str, str, int]] = []
        """Python's warnings: text, file, line."""

    def hear_warning(  # noqa: PLR0917  (as the standard library calls it)
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        """Stands in for `warnings.showwarning`."""
        if (found := _PLAIN.match(str(message))) is not None:
            self.missing[chr(int(found[1]))] = False
        else:
            self.warned.append((str(message), filename, lineno))


@contextmanager
def reports() -> Iterator[Reports]:
    """Catch them for the length of a block: Python's warnings and matplotlib's log."""
    heard = Reports()
    handler = _Handler(heard)
    log = logging.getLogger("matplotlib")
    log.addHandler(handler)
    before, log.propagate = log.propagate, False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.simplefilter("ignore", ResourceWarning)  # a worker closes everything when it ends
            warnings.showwarning = heard.hear_warning
            yield heard
    finally:
        log.removeHandler(handler)
        log.propagate = before


class _Handler(logging.Handler):
    def __init__(self, heard: Reports) -> None:
        super().__init__(logging.WARNING)
        self._heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if (found := _MATHTEXT.search(message)) is not None:
            self._heard.missing[chr(int(found[1], 16))] = True
        elif message not in self._heard.others:
            self._heard.others.append(message)


def name_of(character: str) -> str:
    """A character for a message: `龘 (U+9F98)`, or its Unicode name where it does not show."""
    shown = (
        character if character.isprintable() and not character.isspace() else unicodedata.name(character, "?")
    )
    return f"{shown} (U+{ord(character):04X})"

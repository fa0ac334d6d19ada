"""Finds characters that no bundled font has, which matplotlib reports in two ways and draws as a box."""

import logging
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from diglot.figures.scripts.raised import text_of

_MOST_WARNINGS = 20
_PLAIN = re.compile(r"Glyph (\d+) .*missing from")
_MATHTEXT = re.compile(r"does not have a glyph for .*\[U\+([0-9a-fA-F]+)\]")


class Reports:
    """Warnings of matplotlib and Python while a figure was drawn."""

    def __init__(self) -> None:
        self.missing: dict[str, bool] = {}
        """Characters without a glyph, in the order of their appearance; true if in a formula ($…$)."""
        self.others: list[str] = []
        """Other messages in matplotlib's log, such as a missing font."""
        self.warned: list[tuple[str, str, int]] = []
        """Python's warnings: text, file, line. The first of each file."""
        self.left_out: Counter[str] = Counter()
        """How many warnings of each file are not among them."""
        self._heard: Counter[str] = Counter()

    def hear_warning(  # noqa: PLR0917  (the standard library prescribes the signature)
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        """Record a warning. Replaces `warnings.showwarning`."""
        text = text_of(message)
        if (found := _PLAIN.match(text)) is not None:
            self.missing[chr(int(found[1]))] = False
        elif self._heard[filename] < _MOST_WARNINGS:
            self._heard[filename] += 1
            self.warned.append((text, filename, lineno))
        else:
            self.left_out[filename] += 1


@contextmanager
def reports() -> Iterator[Reports]:
    """Collect Python's warnings and matplotlib's log for the length of a block."""
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
        message = text_of(record.getMessage())
        if (found := _MATHTEXT.search(message)) is not None:
            self._heard.missing[chr(int(found[1], 16))] = True
        elif message not in self._heard.others and len(self._heard.others) < _MOST_WARNINGS:
            self._heard.others.append(message)


def name_of(character: str) -> str:
    """A character for a message: `龘 (U+9F98)`, or its Unicode name and code if it is invisible."""
    shown = (
        character if character.isprintable() and not character.isspace() else unicodedata.name(character, "?")
    )
    return f"{shown} (U+{ord(character):04X})"

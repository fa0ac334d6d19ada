"""What a script asks of a chart or a table that cannot be done, with a way out."""

import re
from typing import Any

from diglot.figures.scripts.kinds import kind_of


class Misuse(ValueError):
    """A mistake in what a script gives to a chart or a table. The message says where in the data it is."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix
        """What to do about it, as a sentence."""
        self.line: int | None = None
        """The line of the script that made the chart, where `draw` had returned when this was found."""


_LONGEST = 60
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def quoted(value: Any) -> str:
    """A value for a message: short, and on one line."""
    try:
        text = " ".join(repr(value).split())
        if _ADDRESS.search(text) is not None:  # another one in each build
            text = kind_of(value)
    except Exception:  # a value may do anything when it is asked for its text
        text = kind_of(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"

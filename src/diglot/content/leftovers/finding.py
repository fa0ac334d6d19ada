"""What is found, and how a kind of leftover is described."""

import re
from collections.abc import Callable
from typing import NamedTuple

from diglot.content.leftovers.remainder import Remainder
from diglot.content.mistakes import Mend

LONGEST_SHOWN = 60
"""Maximum number of characters that a message quotes."""
TWIN = "full-width-mark"
"""The rule of marks that are full-width."""
CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uff65]")


class Edit(NamedTuple):
    """A replacement in the text that is left of a block."""

    start: int
    end: int
    new: str


class Advice(NamedTuple):
    """What to say about a leftover."""

    why: str
    """The end of the sentence “… is shown as text: …”."""
    fix: str
    edits: tuple[Edit, ...] = ()
    """What to replace in the file; empty where what the author meant is in doubt."""
    rule: str | None = None
    """Replaces the rule of the kind."""


class Place(NamedTuple):
    """A match in the text that is left of a block."""

    left: Remainder
    match: re.Match[str]

    @property
    def start(self) -> int:
        """Where the match begins."""
        return self.match.start()

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.match.end()

    @property
    def text(self) -> str:
        """What was matched, with its full-width marks."""
        return self.left.text[self.start : self.end]

    def group(self, name: str | int) -> str:
        """A group of the match, as the file has it."""
        start, end = self.match.span(name)
        return self.left.text[start:end] if start >= 0 else ""

    def has_twins(self, *names: str) -> bool:
        """Whether one of these groups is written with full-width marks."""
        return any(self.group(name) != (self.match[name] or "") for name in names)

    def before(self) -> str:
        """The character before the match; empty at the beginning of a line."""
        before = self.left.text[self.start - 1 : self.start] if self.start else ""
        return "" if before == "\n" else before

    def after(self) -> str:
        """The character after the match; empty at the end of a line."""
        after = self.left.text[self.end : self.end + 1]
        return "" if after == "\n" else after

    def becomes(self, new: str) -> tuple[Edit, ...]:
        """The edit that replaces the match."""
        return (Edit(self.start, self.end, new),) if self.text != new else ()


class Kind(NamedTuple):
    """One kind of leftover."""

    rule: str
    pattern: re.Pattern[str]
    """Finds it in the text with ASCII twins."""
    advise: Callable[[Place], Advice | None]
    """Returns the advice, None if the match turns out to be something else."""


class Finding(NamedTuple):
    """A leftover, and what to do about it."""

    rule: str
    line: int
    """Line of the block, from 0."""
    shown: str
    why: str
    fix: str
    mends: tuple[Mend, ...]

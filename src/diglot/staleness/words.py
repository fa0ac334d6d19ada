"""What two texts differ in, word by word; Han characters count as words."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from diglot.languages import HAN
from diglot.staleness.normalising import normalised

_WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}]+(?:[.,'’_-][^\W_{HAN}]+)*|\s+|.", re.DOTALL)

_MARKS = {"same": ("", ""), "old": ("[-", "-]"), "new": ("{+", "+}")}
_CONTEXT = 60
"""How many unchanged characters are shown next to a difference."""


class Piece(NamedTuple):
    """A part of a text, or of both."""

    kind: Literal["same", "old", "new"]
    text: str


def word_difference(before: str, now: str) -> tuple[Piece, ...]:
    """The old and the new text in one, cut where they differ; differences in typography are left out."""
    old, new = _WORD.findall(before), _WORD.findall(now)
    matcher = SequenceMatcher(None, [*map(_compared, old)], [*map(_compared, new)], autojunk=False)
    pieces: list[Piece] = []
    for _, start, end, first, last in matcher.get_opcodes():
        gone, came = "".join(old[start:end]), "".join(new[first:last])
        if normalised(gone, "paragraph") == normalised(came, "paragraph"):
            pieces.append(Piece("same", came))
            continue
        pieces += [piece for piece in (Piece("old", gone), Piece("new", came)) if piece.text]
    return tuple(_joined(pieces))


def explained(before: str, now: str) -> str:
    """What changed, as `git diff --word-diff` writes it; empty where only typography did."""
    pieces = word_difference(before, now)
    if all(piece.kind == "same" for piece in pieces):
        return ""
    return "".join(_marked(at, piece, len(pieces)) for at, piece in enumerate(pieces))


def _marked(at: int, piece: Piece, count: int) -> str:
    if piece.kind == "same":
        return _shortened(piece.text, keeps_start=at > 0, keeps_end=at < count - 1)
    before, after = _MARKS[piece.kind]
    return f"{before}{piece.text}{after}"


def _shortened(text: str, *, keeps_start: bool, keeps_end: bool) -> str:
    """What is the same, near what differs."""
    start = text[:_CONTEXT] if keeps_start else ""
    end = text[-_CONTEXT:] if keeps_end else ""
    return text if len(text) <= len(start) + len(end) + 3 else f"{start} … {end}".strip()


def _compared(word: str) -> str:
    return " " if word.isspace() else normalised(word, "paragraph")


def _joined(pieces: list[Piece]) -> Iterator[Piece]:
    """Pieces of one kind that are side by side, as one."""
    last: Piece | None = None
    for piece in pieces:
        if last is not None and last.kind == piece.kind:
            last = Piece(last.kind, last.text + piece.text)
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last

"""The cells of a table and the items of a list, each as parts of its own."""

import re
from typing import NamedTuple

from diglot.content.records import Parts, Placeholder


class Piece(NamedTuple):
    """A cell or an item."""

    place: str
    """What it is called in a message."""
    parts: Parts


_BEGINS = re.compile(r"(?=<(?:tr|t[dh]|li)\b)")
_TAG = re.compile(r"<(tr|t[dh]|li)\b")


def pieces_of(parts: Parts) -> list[Piece]:
    """The cells and items of a block, in order; an item that holds a list ends where this begins."""
    found: list[tuple[str, list[str | Placeholder]]] = []
    row = column = item = 0
    for part in parts:
        for text in _BEGINS.split(part) if isinstance(part, str) else [part]:
            tag = _TAG.match(text) if isinstance(text, str) else None
            if tag is not None and tag[1] == "tr":
                row, column = row + 1, 0
            elif tag is not None and tag[1] == "li":
                item += 1
                found.append((f"item {item}", []))
            elif tag is not None:
                column += 1
                found.append((f"row {row}, column {column}", []))
            if found:
                found[-1][1].append(text)
    return [Piece(place, tuple(piece)) for place, piece in found]

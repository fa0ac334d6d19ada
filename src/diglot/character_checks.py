"""Finds characters in texts that are forbidden, or that make a text look different from what it is."""

from itertools import islice

from diglot.characters import code_of, forbidden_lines, turning_lines
from diglot.diagnostics import Diagnostic, Location

_MOST = 20
"""Lines reported per file: a file that is no text at all has thousands."""


def forbidden_characters(text: str, path: str) -> list[Diagnostic]:
    """A diagnostic for each line with a character that no text of a site may contain."""
    return [
        Diagnostic(
            rule="character-forbidden",
            message=f"this line contains the character {code_of(character)}, which is not "
            "allowed in pages and feeds",
            location=Location(path=path, line=line, column=column),
            source_line=_line(text, line),
            fix="delete it: it is invisible, and feeds that contain it cannot be read.",
        )
        for line, column, character in islice(forbidden_lines(text), _MOST)
    ]


def turning_characters(text: str, path: str) -> list[Diagnostic]:
    """A warning for each line with a character that reverses the direction of the text after it."""
    return [
        Diagnostic(
            rule="character-turning",
            severity="warning",
            message=f"the character {code_of(character)} on this line reverses the direction of text: "
            "readers see it in another order than programs",
            location=Location(path=path, line=line, column=column),
            source_line=_line(text, line),
            fix="delete it, unless what follows is written from right to left.",
        )
        for line, column, character in islice(turning_lines(text), _MOST)
    ]


def _line(text: str, line: int) -> str:
    return text.split("\n")[line - 1]

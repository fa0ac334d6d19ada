"""Reads text files through the engine, with a diagnostic for everything that can be wrong with one."""

from collections.abc import Iterable
from itertools import islice

from msgspec.structs import replace

from diglot.characters import code_of, forbidden_lines, turning_lines
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import FILE
from diglot.rules.tasks import Fetch

_FORBIDDEN = Diagnostic(
    rule="character-forbidden",
    message="this line contains the character {}, which is not allowed in pages and feeds",
    fix="delete it: it is invisible, and feeds that contain it cannot be read.",
)
_TURNING = Diagnostic(
    rule="character-turning",
    severity="warning",
    message="the character {} on this line reverses the direction of text: "
    "readers see it in another order than programs",
    fix="delete it, unless what follows is written from right to left.",
)
_MOST = 20
"""Lines reported per file: a file that is no text at all has thousands."""


async def read_content(fetch: Fetch, path: str) -> bytes:
    """The content of a file as it is; nothing of one that is not there."""
    content = await fetch(FILE, path)
    return content or b""


async def read_text(fetch: Fetch, path: str) -> str:
    """The text of a file that must be there.

    Raises DiagnosticError if it is missing, unreadable, not UTF-8, or contains forbidden characters.
    """
    text = await read_text_if_there(fetch, path)
    if text is None:
        raise DiagnosticError(
            Diagnostic(
                rule="file-missing",
                message="this file does not exist",
                location=Location(path=path),
                fix="create it, or correct the name that refers to it.",
            )
        )
    return text


async def read_text_if_there(fetch: Fetch, path: str) -> str | None:
    """The text of a file; None if there is none (then its absence is a dependency)."""
    content = await fetch(FILE, path)
    if content is None:
        return None
    text = decode_text(content, path).removeprefix("\ufeff").replace("\r\n", "\n")
    if path.endswith(".ipynb"):
        from diglot.content.notebooks import notebook_text  # noqa: PLC0415  (few articles are notebooks)

        text, warnings = notebook_text(text, path)
        fetch.report(*warnings)
    if mistakes := _told(_FORBIDDEN, forbidden_lines(text), text, path):
        raise DiagnosticError(*mistakes)
    fetch.report(*_told(_TURNING, turning_lines(text), text, path))
    return text


def decode_text(content: bytes, path: str) -> str:
    """The text of a file, unchanged. Raises DiagnosticError if it is not UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DiagnosticError(
            Diagnostic(
                rule="file-encoding",
                message=f"this file is not UTF-8: this line contains the byte 0x{content[error.start]:02x}",
                location=Location(path=path, line=line),
                source_line=content.split(b"\n")[line - 1].decode("utf-8", "replace"),
                fix="save it as UTF-8.",
            )
        ) from None


def _told(kind: Diagnostic, found: Iterable[tuple[int, int, str]], text: str, path: str) -> list[Diagnostic]:
    """A diagnostic of a kind for each line with a character, which its message names."""
    return [
        replace(
            kind,
            message=kind.message.format(code_of(character)),
            location=Location(path=path, line=line, column=column),
            source_line=text.split("\n")[line - 1],
        )
        for line, column, character in islice(found, _MOST)
    ]

"""Reading text files through the engine, with a diagnostic for every way a file can refuse."""

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import Fetch


async def read_text(fetch: Fetch, path: str) -> str:
    """The text of a file that must be there.

    Raises DiagnosticError where it is missing, unreadable, or not UTF-8.
    """
    text = await read_text_if_there(fetch, path)
    if text is None:
        raise DiagnosticError(
            Diagnostic(
                rule="file-missing",
                message="this file is not there",
                location=Location(path=path),
                fix="create it, or mend the name that leads here.",
            )
        )
    return text


async def read_text_if_there(fetch: Fetch, path: str) -> str | None:
    """The text of a file, None where there is none (its absence is then a dependency)."""
    content: bytes | None = await fetch("file", path)
    if content is None:
        return None
    return decode_text(content, path).removeprefix("\ufeff").replace("\r\n", "\n")


def decode_text(content: bytes, path: str) -> str:
    """The text of a file as it stands there. Raises DiagnosticError where it is not UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DiagnosticError(
            Diagnostic(
                rule="file-encoding",
                message=f"this file is not UTF-8: byte 0x{content[error.start]:02x} on this line is not text",
                location=Location(path=path, line=line),
                source_line=content.split(b"\n")[line - 1].decode("utf-8", "replace"),
                fix="save it as UTF-8.",
            )
        ) from None

"""Mends the files of articles in place: `diglot check --fix`."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from diglot.content.mending import mended
from diglot.content.mistakes import Mend
from diglot.diagnostics import DiagnosticError
from diglot.languages import Language
from diglot.project import HtmlPolicy
from diglot.rules.reading import decode_text
from diglot.scaffold.files import replace_text


class MendedFile(NamedTuple):
    """A file that was changed, and how."""

    path: str
    done: tuple[Mend, ...]


def mend_files(
    root: Path, halves: Iterable[tuple[str, Language]], html: HtmlPolicy
) -> tuple[MendedFile, ...]:
    """Mend the halves of articles; each file is replaced in one step, and only if something changes."""
    changed = []
    for path, language in halves:
        try:
            text = decode_text((root / path).read_bytes(), path)
            new = mended(text, path, language, html)
        except (OSError, DiagnosticError):
            continue  # it cannot be read, as the check reports
        if new.text != text:
            replace_text(root / path, new.text)
            changed.append(MendedFile(path, new.done))
    return tuple(changed)

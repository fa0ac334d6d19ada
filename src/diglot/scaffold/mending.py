"""Mends the files of articles in place: `diglot check --fix`."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from diglot.content.mending import Mended, mended
from diglot.content.mistakes import Mend
from diglot.diagnostics import DiagnosticError
from diglot.languages import Language
from diglot.project import HtmlPolicy
from diglot.rules.reading import decode_text
from diglot.scaffold.files import replace_text
from diglot.web_addresses import is_elsewhere


class MendedFile(NamedTuple):
    """A file that was changed, and how."""

    path: str
    done: tuple[Mend, ...]


class _Places(NamedTuple):
    """Where links of a half may lead."""

    root: Path
    path: str

    def has(self, target: str) -> bool:
        """Whether there is such a file, or the sources of such a page; of other sites nothing is known."""
        place = unquote(re.split(r"[?#]", target)[0])
        if is_elsewhere(target) or not place:
            return True
        if not place.startswith("/"):
            return ((self.root / self.path).parent / place).exists()
        inner = re.sub(r"^(?:zh|en)/", "", place.strip("/"))
        folders = ("site/static", "content", "content/pages")
        return any((self.root / folder / inner).exists() for folder in folders)


def mended_half(root: Path, text: str, path: str, language: Language, html: HtmlPolicy) -> Mended:
    """A half as `diglot check --fix` writes it. Raises DiagnosticError for one that cannot be parsed."""
    return mended(text, path, language, html, leads_somewhere=_Places(root, path).has)


def mend_files(
    root: Path, halves: Iterable[tuple[str, Language]], html: HtmlPolicy
) -> tuple[MendedFile, ...]:
    """Mend the halves of articles; each file is replaced in one step, and only if something changes."""
    changed = []
    for path, language in halves:
        try:
            text = decode_text((root / path).read_bytes(), path)
            new = mended_half(root, text, path, language, html)
        except (OSError, DiagnosticError):
            continue  # it cannot be read, as the check reports
        if new.text != text:
            replace_text(root / path, new.text)
            changed.append(MendedFile(path, new.done))
    return tuple(changed)

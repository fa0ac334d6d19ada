"""Updates the links in an article's text when another article is renamed."""

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Mapping
from urllib.parse import unquote, urlsplit

import msgspec

from diglot.content.document import read_document
from diglot.diagnostics import DiagnosticError
from diglot.languages import LANGUAGES, Language

_EDGE = r"[A-Za-z0-9_-]"
_BEFORE = r"[^A-Za-z0-9_-]"
"""Any character that may be next to a name in a link."""


class Renaming(msgspec.Struct, frozen=True, kw_only=True):
    """The old and the new name of an article."""

    old: str
    new: str
    languages: Collection[Language]
    """The languages in which its address changes."""
    paths: Mapping[str, str]
    """New paths by old ones, of files and folders that move, and of others that a link may name."""

    def path(self, path: str) -> str:
        """The path of a file or folder after the renaming."""
        for old, new in self.paths.items():
            if path == old or path.startswith(f"{old}/"):
                return new + path.removeprefix(old)
        return path

    def target(self, target: str, path: str) -> str | None:
        """The new text of a link in the file at `path`; None if it need not change."""
        parts = urlsplit(target)
        if parts.scheme or parts.netloc or not parts.path:
            return None
        words = parts.path.split("/")
        found = self._from_root(words) if parts.path.startswith("/") else self._relative(words, path)
        return None if found is None else "/".join(found) + target[len(parts.path) :]

    def _from_root(self, words: list[str]) -> list[str] | None:
        inside = [word for word in words if word]
        named = [word for word in inside[:1] if word in LANGUAGES]
        if inside[len(named) :] != ["posts", self.old] or not set(named or LANGUAGES) & set(self.languages):
            return None
        at = len(words) - 1 - words[::-1].index(self.old)
        return [*words[:at], self.new, *words[at + 1 :]]

    def _relative(self, words: list[str], path: str) -> list[str] | None:
        before = _joined(posixpath.dirname(path), words)
        after = self.path(before)
        if after == before:
            return None
        for at, word in enumerate(words):
            if word == self.old or word.startswith(f"{self.old}."):
                tried = [*words[:at], self.new + word.removeprefix(self.old), *words[at + 1 :]]
                if _joined(posixpath.dirname(self.path(path)), tried) == after:
                    return tried
        return None


def _joined(folder: str, words: list[str]) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote("/".join(words))))


class Mended(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a half after a renaming."""

    text: str
    count: int
    """Number of links that were updated."""
    left: int
    """Number of links to the renamed article that could not be updated."""


def mend_links(text: str, path: str, language: Language, renaming: Renaming) -> Mended:
    """Update the links to a renamed article in the text of a half.

    A place in the text is part of a link if and only if changing it changes the links that the parser finds.
    So code, and prose that contains the name, stay unchanged.
    """
    links = _links(text, path, language)
    wanted = {link: new for link in links if (new := renaming.target(link, path)) is not None}
    old = re.escape(renaming.old)
    name = re.compile(rf"(?<={_BEFORE}){old}(?=[/.])|(?<=/){old}(?!{_EDGE})")
    count = at = 0
    while wanted and (found := name.search(text, at)) is not None:
        at = found.end()
        changed = text[: found.start()] + renaming.new + text[found.end() :]
        after = _links(changed, path, language)
        gone = links - after
        if gone and after - links == Counter({wanted.get(link, ""): n for link, n in gone.items()}):
            text, links, count = changed, after, count + 1
            at = found.start() + len(renaming.new)
    left = sum(n for link, n in links.items() if link in wanted)
    return Mended(text=text, count=count, left=left)


def _links(text: str, path: str, language: Language) -> Counter[str]:
    try:
        document, _ = read_document(text, path, language)
    except DiagnosticError:  # its front matter is never closed
        return Counter()
    return Counter(link.target for link in document.links)

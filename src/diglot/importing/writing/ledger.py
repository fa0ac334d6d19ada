"""What became of every file of a blog: each is in exactly one group, and the groups add up to all files."""

import posixpath
from collections.abc import Iterable

import msgspec

from diglot.importing.pairing import Article
from diglot.importing.readers.reading import is_hidden
from diglot.importing.readers.source_files import MARKDOWN
from diglot.importing.records import SourceSite
from diglot.importing.source_folder import SourceFile
from diglot.importing.text.counting import count_characters
from diglot.importing.words import words
from diglot.importing.writing.files import Batch

_FOLDERS_OF_THEMES = words("folders of themes")
_ENDINGS_OF_THEMES = words("endings of themes")


class Converted(msgspec.Struct, frozen=True, kw_only=True):
    """A file that has become an article, or part of one."""

    path: str
    became: tuple[str, ...]
    """The files in the project."""
    read: int
    """Letters and digits of its text, without tags and addresses."""
    written: int


class Copied(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was copied."""

    path: str
    became: tuple[str, ...]


class Left(msgspec.Struct, frozen=True, kw_only=True):
    """A file, or a folder of files, that was left out."""

    path: str
    reason: str
    """A predicate: `is hidden`."""
    count: int = 1
    """Files in it, if it is a folder."""


class Ledger(msgspec.Struct, frozen=True, kw_only=True):
    """Every file, by what became of it."""

    converted: tuple[Converted, ...]
    included: tuple[str, ...]
    """Files whose text articles included."""
    copied: tuple[Copied, ...]
    configurations: tuple[str, ...]
    left: tuple[Left, ...]

    @property
    def left_count(self) -> int:
        """The number of files that were left out."""
        return sum(entry.count for entry in self.left)

    @property
    def count(self) -> int:
        """The number of all files."""
        groups = (self.converted, self.included, self.copied, self.configurations)
        return sum(map(len, groups)) + self.left_count


def ledger_of(
    site: SourceSite,
    articles: Iterable[Article],
    batches: Iterable[Batch],
    left: dict[str, str],
    *,
    is_whole: bool,
) -> Ledger:
    """What became of the files of a site, or, unless it `is_whole`, of those that were looked at."""
    converted, included = _converted(articles)
    copies: dict[str, list[str]] = {}
    for batch in batches:
        for path, content in batch.files.items():
            if isinstance(content, SourceFile):
                copies.setdefault(content.path, []).append(path)
    used = {*(entry.path for entry in converted)}
    copied = {path: became for path, became in copies.items() if path not in used}
    used |= copied.keys()
    included -= used
    used |= included
    configurations = site.configurations - used
    used |= configurations
    rest = site.folder.files if is_whole else [path for path in left if path in site.folder.files]
    left_out = [Left(path=path, reason=left.get(path) or _reason(path)) for path in rest if path not in used]
    if is_whole:
        left_out += [Left(path=path, reason=reason) for path, reason in site.folder.refused.items()]
        for folder, count in site.folder.aside.items():
            read = sum(path.startswith(folder) for path in configurations)
            reason = (
                "is hidden"
                if folder.rstrip("/").rpartition("/")[2].startswith(".")
                else "is of a tool or a theme"
            )
            left_out.append(Left(path=folder, reason=reason, count=count - read))
    return Ledger(
        converted=tuple(converted),
        included=tuple(sorted(included)),
        copied=tuple(Copied(path=path, became=tuple(became)) for path, became in sorted(copied.items())),
        configurations=tuple(sorted(configurations)),
        left=tuple(sorted(left_out, key=lambda entry: (entry.reason, entry.path))),
    )


def _converted(articles: Iterable[Article]) -> tuple[list[Converted], set[str]]:
    counts: dict[str, tuple[list[str], int, int]] = {}
    included: set[str] = set()
    for article in articles:
        for language, half in article.halves.items():
            body = article.bodies[language]
            became, read, written = counts.get(half.source, ([], 0, 0))
            folder = f"content/{'pages' if article.is_page else 'posts'}/{article.name}"
            counts[half.source] = (
                [*became, f"{folder}/{language}.md"],
                read + body.count,
                written + count_characters(body.text),
            )
            included |= body.included
    return [
        Converted(path=path, became=tuple(became), read=read, written=written)
        for path, (became, read, written) in sorted(counts.items())
    ], included


def _reason(path: str) -> str:
    """Why a file that nothing asked for was left out, as far as its path says it."""
    folders = path.split("/")[:-1]
    if is_hidden(path):
        return "is hidden, or left by an editor"
    if _FOLDERS_OF_THEMES.intersection(folders[:1]):
        return "is of the old theme or its tools"
    if "_data" in folders or folders[:1] == ["data"]:
        return "is data for templates"
    if path.lower().endswith(MARKDOWN):
        return "is not a post or page of the site"
    if path.lower().endswith((".html", ".htm", ".xml")):
        return "is a page of the old theme"
    if posixpath.splitext(path)[1].lower() in _ENDINGS_OF_THEMES:
        return "is a style sheet, a script or a data file"
    return "is not published by the old system"

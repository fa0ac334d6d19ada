"""Records that the importers of all systems share: halves, sites and findings for the author."""

import datetime
from typing import Any, NamedTuple

import msgspec

from diglot.importing.source_folder import SourceFolder, shown
from diglot.languages import Bilingual, Language


class Finding(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """Something that was not converted, or that the author should check."""

    path: str
    """The source file, relative to the source folder."""
    line: int = 0
    """Counted from 1; 0 for the whole file."""
    message: str
    fix: str = ""
    """What to do, in one sentence; empty if nothing."""

    def __str__(self) -> str:
        path = shown(self.path)
        place = f"{path}:{self.line}" if self.line else path
        return f"{place}: {self.message}" + (f"\n  to do: {self.fix}" if self.fix else "")


class Findings(list[Finding]):
    """Collects findings; every step of an import adds its own."""

    def tell(self, path: str, message: str, fix: str = "", *, line: int = 0) -> None:
        """Add a finding about a source file."""
        self.append(Finding(path=path, line=line, message=message, fix=fix))


class Matter(NamedTuple):
    """A source file, split into front matter and body."""

    values: dict[str, Any]
    """The front matter as plain values; empty if there is none."""
    lines: dict[str, int]
    """The line of each key in the file."""
    body: str
    body_line: int
    """The line at which the body begins."""
    trouble: str = ""
    """Why the front matter could not be read; empty if it could."""

    @property
    def body_lines(self) -> range:
        """The line in the file of each line of the body."""
        return range(self.body_line, self.body_line + self.body.count("\n") + 1)

    def text(self, *keys: str) -> str:
        """The first of these values that is given and is no list or mapping, as text; empty if none is."""
        values = (self.values.get(key) for key in keys)
        return next(
            (str(value).strip() for value in values if value and not isinstance(value, list | dict)), ""
        )


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """One language of a post or page as found in its source file, before conversion."""

    source: str
    """The file, relative to the source folder, with forward slashes."""
    matter: Matter
    """What is in the file."""
    key: str
    """Joins the two halves of a pair; equal for both."""
    name: str
    """The name to make a slug from."""
    language: Language
    addresses: tuple[str, ...] = ()
    """Where the half was published, from the site's root. Links lead to the first."""
    date: datetime.date | None = None
    """The date in the file's name."""
    is_draft: bool = False
    """Whether the file's folder makes it a draft."""
    is_page: bool = False
    folders: tuple[str, ...] = ()
    """Source folders that relative addresses in it may start from."""
    bundle: str | None = None
    """A folder whose files all belong to this half."""

    def line_of(self, key: str) -> int:
        """The line of a key in the file; 0 if the front matter does not have it."""
        return self.matter.lines.get(key, 0)


class MenuEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the old site's menu."""

    label: Bilingual
    address: str
    source: str
    """The file of the source that has it."""


class SiteSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of the old site that `site.yaml` has, too."""

    title: Bilingual | None = None
    description: Bilingual | None = None
    base_url: str = ""
    """Empty if the configuration has none."""
    author: str = ""
    people: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    """Authors by id: `name` and perhaps `url`."""
    menu: tuple[MenuEntry, ...] = ()
    first: Language | None = None
    """The first language; None if the configuration names none."""


class SourceSite(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an importer found in the source, before conversion."""

    folder: SourceFolder
    """Its files; the paths of halves are among them."""
    files: frozenset[str]
    """The files that may be part of the site: those that are not hidden."""
    halves: tuple[Half, ...]
    settings: SiteSettings | None
    """None if the source is a single post or a folder without a configuration."""
    statics: dict[str, str]
    """Files that were published unchanged: address from the site's root to path in the source."""
    references: tuple[str, ...] = ()
    """Its files of literature, in BibTeX."""
    findings: tuple[Finding, ...] = ()
    configurations: frozenset[str] = frozenset()
    """The files that were read as configuration."""
    left: dict[str, str] = msgspec.field(default_factory=dict)
    """Files that were left out, with the reason as a predicate."""

"""Records that the importers of all systems share: a half as it was found, a site, and what is to be told."""

import datetime
from pathlib import Path
from typing import Any

import msgspec

from diglot.languages import Bilingual, Language


class Finding(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """Something that was not converted, or that the author should look at."""

    path: str
    """Of the source file, from the source folder."""
    line: int
    """From 1; 0 for the whole file."""
    message: str
    fix: str
    """What to do, in one sentence; empty where there is nothing to do."""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.message}" + (f"\n  to do: {self.fix}" if self.fix else "")


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """One language of a post or page, as its file in the source says it, before conversion."""

    source: str
    """The file, from the source folder, with forward slashes."""
    key: str
    """What joins the two halves of a pair; the same for both."""
    name: str
    """The name that a slug is made from."""
    language: Language
    matter: dict[str, Any]
    """The front matter as plain values."""
    lines: dict[str, int]
    """The lines of its keys in the file."""
    body: str
    body_lines: tuple[int, ...]
    """The line in the file of each line of the body."""
    addresses: tuple[str, ...] = ()
    """Where the half was published, from the site's root: the first is the one that links lead to."""
    date: datetime.date | None = None
    """The date in the file's name."""
    is_draft: bool = False
    """Whether the file's folder makes it a draft."""
    is_page: bool = False
    folders: tuple[str, ...] = ()
    """Folders of the source that relative addresses in it may start from."""
    bundle: str | None = None
    """A folder all of whose files belong to this half."""


class MenuEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A link of the old site's menu."""

    label: Bilingual
    address: str


class SiteSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What the old site's configuration says that `site.yaml` can say, too."""

    title: Bilingual | None = None
    description: Bilingual | None = None
    base_url: str = ""
    """Empty where the configuration has none."""
    author: str = ""
    people: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    """Authors by id: `name` and perhaps `url`."""
    menu: tuple[MenuEntry, ...] = ()
    first: Language | None = None
    """The language that came first; None where the configuration names none."""


class SourceSite(msgspec.Struct, frozen=True, kw_only=True):
    """All that an importer found in the source, before conversion."""

    root: Path
    """The folder that paths are relative to."""
    halves: tuple[Half, ...]
    settings: SiteSettings | None
    """None where the source is a single post or a folder without a configuration."""
    statics: dict[str, str]
    """Files that were published as they are: address from the site's root, to path in the source."""
    findings: tuple[Finding, ...] = ()


class Failure(Exception):
    """The source cannot be imported at all: what is wrong, and what to do."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix

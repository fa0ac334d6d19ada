"""The manual of a site: pages in an order, as `site.yaml` gives it."""

from collections.abc import Iterator

import msgspec

from diglot.languages import Bilingual
from diglot.strict_yaml import Fields

_TITLE = Bilingual(zh="手册", en="Manual")


class ManualEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A page that a section of the manual names."""

    page: str
    """Its folder in `content/pages/`, or its file there without the language: `guide/start`."""
    line: int
    """Where the configuration names it."""


class ManualSection(msgspec.Struct, frozen=True, kw_only=True):
    """Pages of the manual under a title."""

    title: Bilingual
    entries: tuple[ManualEntry, ...]


class Manual(msgspec.Struct, frozen=True, kw_only=True):
    """The tree of a manual's pages."""

    title: Bilingual = _TITLE
    sections: tuple[ManualSection, ...]
    edit_url: str | None = None
    """Where the project's files can be edited, with a slash at the end."""
    version: str = ""
    """What the manual describes, as in `diglot 0.1.0`; empty where pages do not say it."""

    @property
    def entries(self) -> Iterator[ManualEntry]:
        """All of them, in the order in which one reads."""
        return (entry for section in self.sections for entry in section.entries)


def read_manual(fields: Fields | None) -> Manual | None:
    """The manual in the configuration; mistakes are added to it."""
    if fields is None:
        return None
    fields.require("sections")
    edit_url = fields.address("edit_url", fix="write it like https://github.com/someone/site/edit/main/.")
    return Manual(
        title=fields.bilingual("title", _TITLE),
        sections=tuple(_sections(fields)),
        edit_url=f"{edit_url.rstrip('/')}/" if edit_url else None,
        version=fields.text("version", ""),
    )


def _sections(fields: Fields) -> Iterator[ManualSection]:
    for section in fields.items("sections"):
        section.require("title", "pages")
        title, pages = section.bilingual("title"), section.located_texts("pages")
        if title is not None:
            entries = tuple(ManualEntry(page=page.strip("/"), line=line) for page, line in pages)
            yield ManualSection(title=title, entries=entries)

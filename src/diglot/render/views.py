"""What templates receive: complete values, addresses written out, HTML marked as such.

Every page gets `page` (a `PageView`), `site` (a `SiteView`), and one value of its own.
"""

from typing import Literal

import msgspec
from markupsafe import Markup

from diglot.languages import Language

View = Literal["zh", "en", "both"]


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """Words that lead somewhere."""

    text: str
    url: str
    lang: str | None = None
    """HTML language of the words, where it differs from the page's."""


class ToggleWord(msgspec.Struct, frozen=True, kw_only=True):
    """One word of the language toggle."""

    view: View
    text: str
    url: str | None
    """None where there is nothing to show: the word stays, struck through."""
    lang: str
    """HTML language of the word itself."""
    hreflang: str | None
    """HTML language of what it leads to; None for both."""
    current: bool
    reason: str = ""
    """Why there is no address."""


class Alternate(msgspec.Struct, frozen=True, kw_only=True):
    """The same content at another address, as search engines are told."""

    hreflang: str
    url: str
    """Whole address."""


class SiteView(msgspec.Struct, frozen=True, kw_only=True):
    """What every page of a language says of the site."""

    title: str
    description: str
    home: str
    """Address of the neutral landing page."""
    home_in_language: str
    feed: str
    """Address of the language's feed."""
    navigation: tuple[Link, ...]
    licence: str


class PageView(msgspec.Struct, frozen=True, kw_only=True):
    """What the frame of every page needs."""

    language: Language
    lang: str
    """HTML language of the page."""
    view: View
    title: str
    """For the window: with the site's name behind it."""
    description: str
    url: str
    """Address of this page, from the host's root."""
    canonical: str
    """Whole address that search engines should keep."""
    alternates: tuple[Alternate, ...] = ()
    toggle: tuple[ToggleWord, ...] = ()
    indexed: bool = True
    kind: Literal["website", "article"] = "website"
    draft: bool = False


class NoteView(msgspec.Struct, frozen=True, kw_only=True):
    """A side note."""

    number: int
    id: str
    mark_id: str
    """The id of the mark it belongs to, to lead back."""
    html: Markup


class DrawingView(msgspec.Struct, frozen=True, kw_only=True):
    """One drawing of a figure and where it is shown."""

    svg: Markup
    shown_at: str
    """Class names out of `at-phone` (below 700 px), `at-text` (to 1,040 px, and print), `at-wide` (above)."""


class CellView(msgspec.Struct, frozen=True, kw_only=True):
    """A cell of a table of numbers."""

    text: str
    numeric: bool
    mark: str = ""
    """Class names of a chip's mark, e.g. `chip circle gpu3`; empty where there is none."""


class ColumnView(msgspec.Struct, frozen=True, kw_only=True):
    """The head of a column."""

    name: str
    unit: str
    numeric: bool


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A script's table of numbers."""

    columns: tuple[ColumnView, ...]
    rows: tuple[tuple[CellView, ...], ...]


class ProvenanceView(msgspec.Struct, frozen=True, kw_only=True):
    """Where numbers come from."""

    parameters: str
    """The choices they hold for, e.g. `dtype = fp8`; empty where the script has none."""
    script: str
    """Path of the script."""
    script_url: str | None
    digest: str
    """Short digest of the data."""
    sources: tuple[Link, ...]
    """Data files that were read; an empty address where they are not published."""


class EmbedView(msgspec.Struct, frozen=True, kw_only=True):
    """A figure or a table of numbers in one language."""

    kind: Literal["figure", "table"]
    label: str
    """`图 1`, `Figure 1`."""
    caption: Markup
    provenance: ProvenanceView
    table: TableView | None
    downloads: tuple[Link, ...]
    alt: str = ""
    title: str = ""
    wide: bool = False
    drawings: tuple[DrawingView, ...] = ()
    """Empty in the half of a side-by-side row whose twin shows the drawing."""


class HalfView(msgspec.Struct, frozen=True, kw_only=True):
    """One language's side of a row."""

    language: Language
    lang: str
    html: Markup
    """Empty for a figure or table of numbers, which is in `embed`."""
    embed: EmbedView | None = None
    notes: tuple[NoteView, ...] = ()
    twin: Link | None = None
    """Of a section's head: the same section in the other language."""


class RowView(msgspec.Struct, frozen=True, kw_only=True):
    """A block, alone or beside its twin."""

    id: str
    kind: str
    """A `BlockKind`."""
    classes: str
    """Further class names that tell how it stands on the page."""
    halves: tuple[HalfView, ...]


class HeadView(msgspec.Struct, frozen=True, kw_only=True):
    """The head of an article in one language."""

    language: Language
    lang: str
    title: str
    date: str
    iso_date: str
    updated: str
    iso_updated: str
    minutes: int
    figures: int
    """How many figures the article shows."""
    authors: tuple[Link, ...]
    """An empty address where an author has none."""
    terms: tuple[tuple[str, tuple[Link, ...]], ...]
    """The word for the taxonomy (`tags`) with its links; none for a taxonomy the article does not use."""


class ArticleView(msgspec.Struct, frozen=True, kw_only=True):
    """An article's page."""

    heads: tuple[HeadView, ...]
    """One, or both, zh first."""
    rows: tuple[RowView, ...]
    newer: Link | None
    older: Link | None


class EntryView(msgspec.Struct, frozen=True, kw_only=True):
    """An article in a list."""

    title: Link
    description: str
    twin: Link | None
    """Its title in the other language."""
    date: str
    iso_date: str
    minutes: int
    languages: tuple[Link, ...]
    """`中文`, `English`: the halves it has."""
    draft: bool = False


class YearView(msgspec.Struct, frozen=True, kw_only=True):
    """The articles of a year."""

    year: int
    entries: tuple[Markup, ...]
    """Each as the macro `entry` of `entry.html` shows an `EntryView`."""


class TermView(msgspec.Struct, frozen=True, kw_only=True):
    """A tag or category in the list of them."""

    link: Link
    count: int

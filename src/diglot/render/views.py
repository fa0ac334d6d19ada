"""The values that templates receive: complete, with finished addresses and with HTML marked as such.

Every page gets `page` (a `PageView`), `site` (a `SiteView`), and values of its own.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from markupsafe import Markup

from diglot.figures.records import RowRanges, TableFilter
from diglot.languages import Language
from diglot.render.params import Params
from diglot.services import Analytics, Giscus

View = Literal["zh", "zh-hant", "en", "both"]


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A linked text."""

    text: str
    url: str
    lang: str | None = None
    """HTML language of the text, where it differs from the page's."""


class ToggleWord(msgspec.Struct, frozen=True, kw_only=True):
    """One word of the language toggle."""

    view: View
    text: str
    url: str | None
    """None where there is no such page; the word is then struck through."""
    lang: str
    """HTML language of the word itself."""
    hreflang: str | None
    """HTML language of the target; None for both."""
    current: bool
    reason: str = ""
    """Why there is no address; empty where there is one."""


class Alternate(msgspec.Struct, frozen=True, kw_only=True):
    """The same content at another address, for search engines."""

    hreflang: str
    url: str
    """Whole address."""


class FeedView(msgspec.Struct, frozen=True, kw_only=True):
    """A feed that programs can find in a page."""

    title: str
    type: str
    """Its media type: of Atom, or of JSON Feed."""
    url: str


class CardView(msgspec.Struct, frozen=True, kw_only=True):
    """The picture that stands for a page where it is shared."""

    url: str
    """Whole address."""
    alt: str
    is_drawn: bool
    """Whether it was drawn to be shared, with 1200 × 630 pixels; else it is the figure of the page."""


class SiteView(msgspec.Struct, frozen=True, kw_only=True):
    """Texts and addresses of the site in one language."""

    title: str
    description: str
    home: str
    """Address of the neutral landing page."""
    home_in_language: str
    feed: str
    """Address of the language's Atom feed."""
    manifest: str
    """Address of what browsers read when a reader keeps the site on a home screen."""
    navigation: tuple[Link, ...]
    licence: str
    host: str
    """Name of the host, as in `example.org`."""
    custom_style: str
    """Address of `site/static/custom.css`; empty if there is no such file."""
    search: str
    """Address of the index of the search in this language; empty where readers cannot search."""
    traditional: bool
    """Whether Chinese pages are there in traditional characters, too."""
    comments: Giscus | None
    """The service that keeps comments; None where readers cannot comment."""
    analytics: Analytics | None
    """The services that count visits; None where nobody does."""
    params: Params
    """`params` of site.yaml."""


class PageView(msgspec.Struct, frozen=True, kw_only=True):
    """Values for the frame of a page."""

    language: Language
    lang: str
    """HTML language of the page."""
    view: View
    title: str
    """Window title: the page's title followed by the site's."""
    description: str
    url: str
    """Address of this page from the host's root."""
    canonical: str
    """Whole address that search engines should index."""
    alternates: tuple[Alternate, ...] = ()
    feeds: tuple[FeedView, ...] = ()
    """The feeds about what the page shows, then those of the language."""
    card: CardView | None = None
    """None where there is none."""
    locale: str = ""
    """The language of the text with its country, as in `zh_CN`."""
    other_locales: tuple[str, ...] = ()
    """Those of its translations."""
    published: str = ""
    """The day of an article, as in `2026-11-01`; empty on other pages."""
    modified: str = ""
    """The day of its last change."""
    markdown: str = ""
    """Address of the same text as Markdown; empty where it is not published."""
    structured: Markup = Markup()
    """What it is about, as JSON-LD for search engines; empty on pages that need none."""
    toggle: tuple[ToggleWord, ...] = ()
    indexed: bool = True
    kind: Literal["website", "article"] = "website"
    draft: bool = False
    expired: bool = False
    """Whether its last day has passed; only the preview and builds with `--expired` show it then."""
    discussion: str = ""
    """Name of the discussion that comments on this page belong to; empty where readers cannot comment."""
    params: Params
    """`params` of an article's front matter; empty on other pages."""

    @property
    def other_views(self) -> list[ToggleWord]:
        """The words of the toggle that lead to the same place in another view, without the converted one."""
        return [word for word in self.toggle if not word.current and word.view != "zh-hant"]


class NoteView(msgspec.Struct, frozen=True, kw_only=True):
    """A side note."""

    number: int
    id: str
    mark_id: str
    """The id of the mark that refers to this note, for the link back."""
    html: Markup
    is_work: bool = False
    """Whether it is the entry of a cited work."""
    label: str = ""
    """Of a work, its mark: `[1]`; empty in lists by author and year."""


class DrawingView(msgspec.Struct, frozen=True, kw_only=True):
    """One drawing of a figure, and the widths that show it."""

    svg: Markup
    shown_at: str
    """Class names: `at-phone` (below 700 px), `at-text` (up to 1,040 px, and print), `at-wide` (above)."""
    has_readings: bool
    """Whether it holds values for readers who point at them."""
    frames: str = ""
    """Address of what its other states differ in; empty where readers cannot turn it."""


class CellView(msgspec.Struct, frozen=True, kw_only=True):
    """A cell of a table of numbers."""

    text: str
    numeric: bool
    mark: str = ""
    """Class names of a chip's mark, e.g. `chip circle gpu3`; empty where there is none."""


class ColumnView(msgspec.Struct, frozen=True, kw_only=True):
    """The header of a column."""

    name: str
    unit: str
    label: str
    """Both as a text of one language, which cells repeat where a row is a block."""
    numeric: bool


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A script's table of numbers."""

    columns: tuple[ColumnView, ...]
    rows: tuple[tuple[CellView, ...], ...]


class KindEntryView(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a table whose rows are grouped."""

    number: int
    """From 1, in the table; the row's address ends in it."""
    name: str
    """The first cell."""
    text: str
    """The second cell."""
    facts: tuple[str, ...]
    """The other cells, without the one by which it is grouped."""
    link: Link | None = None
    """The last cell instead, where it leads to a page."""
    marks: str = ""
    """The choices of the page's filters that keep it: `0-2 1-0`."""
    ranges: RowRanges | None = None
    """What was claimed and what was found, to be drawn."""


class KindView(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a table that are of one kind."""

    name: str
    count: int
    entries: tuple[KindEntryView, ...] = ()
    """Empty where only their number is shown."""


class VerdictsView(msgspec.Struct, frozen=True, kw_only=True):
    """How many rows of a table are of each kind, for the home page of few articles."""

    page: Link
    """The page of the figure."""
    message: str
    kinds: tuple[KindView, ...]


class ProvenanceView(msgspec.Struct, frozen=True, kw_only=True):
    """The origin of numbers."""

    parameters: str
    """The parameters of the numbers, e.g. `dtype = fp8`; empty where the script has none."""
    page: str
    """Address of the figure's own page; empty where there is none."""
    script: str
    """Path of the script."""
    script_url: str | None
    digest: str
    """Short digest of the data."""
    data_url: str
    """Address of the data; empty where nothing of it is published."""
    sources: tuple[Link, ...]
    """Data files that the script read; the address is empty where a file is not published."""
    chips: tuple[Link, ...] = ()
    """The chips whose facts it read; empty where chips have no pages."""


class FormFieldView(msgspec.Struct, frozen=True, kw_only=True):
    """A number that readers choose in a form."""

    name: str
    label: str
    value: str
    """What it is at first."""
    values: str
    """Values for which answers are computed, ascending: whole numbers of the last digit, between spaces."""
    digits: int
    """Decimals."""
    low: str
    high: str


class FormPresetView(msgspec.Struct, frozen=True, kw_only=True):
    """A shape with a name, with which readers of a form can begin."""

    label: str
    values: str
    """The values of all fields, between spaces."""


class FormAnswerView(msgspec.Struct, frozen=True, kw_only=True):
    """A number that a form answers."""

    name: str
    label: str
    mark: str
    """Class names of a chip's mark, e.g. `chip circle gpu3`; empty where there is none."""
    unit: str
    digits: int
    between: str
    """What is shown between computed values: `nearest`, `linear`, `monotone`."""
    text: str
    """The answer at first, with its unit."""
    percent: str
    """The same as the length of a bar, 0 to 100; empty for answers that are not in percent."""


class FormView(msgspec.Struct, frozen=True, kw_only=True):
    """A form for readers, with the answers to its first preset."""

    url: str
    """Address of the table of all answers."""
    fields: tuple[FormFieldView, ...]
    presets: tuple[FormPresetView, ...]
    answers: tuple[FormAnswerView, ...]


class ChoiceView(msgspec.Struct, frozen=True, kw_only=True):
    """A value that readers can choose."""

    value: str
    """As in addresses."""
    text: str
    is_default: bool


class ControlView(msgspec.Struct, frozen=True, kw_only=True):
    """The control of one parameter."""

    name: str
    label: str
    kind: Literal["choice", "range", "switch"]
    """A row of words, a slider, or a switch."""
    choices: tuple[ChoiceView, ...]
    default: int
    """The place of the value that is shown first, from 0."""
    plays: bool
    """Whether its values are moments, which can be played."""
    on_axis: bool
    """Whether an x axis of the drawing is the track of its slider."""


class ControlsView(msgspec.Struct, frozen=True, kw_only=True):
    """The controls of a figure."""

    figure: str
    """Its id in the page, which the address of a state begins with."""
    controls: tuple[ControlView, ...]
    frames: Mapping[str, str]
    """For each size of its drawings, the address of what the states differ in."""
    following: tuple[Link, ...]
    """The files with the texts of values that follow, for each language of the page that has some."""
    state: str
    """The values that are shown first, in words."""


class EmbedView(msgspec.Struct, frozen=True, kw_only=True):
    """A figure or a table of numbers in one language."""

    kind: Literal["figure", "table"]
    label: str
    """The kind and number, as in `图 1` or `Figure 1`."""
    caption: Markup
    provenance: ProvenanceView
    table: TableView | None
    downloads: tuple[Link, ...]
    alt: str = ""
    title: str = ""
    message: str = ""
    """The one sentence that it shows, as its script gives it."""
    wide: bool = False
    drawings: tuple[DrawingView, ...] = ()
    """Empty in the half of a side-by-side row whose twin shows them for both."""
    form: FormView | None = None
    """None for a figure without a form, and where `drawings` are left out."""
    controls: ControlsView | None = None
    """None for a figure that readers cannot turn."""
    is_twin: bool = False
    """Whether the other half of a side-by-side row has the figure's controls and numbers."""


class HalfView(msgspec.Struct, frozen=True, kw_only=True):
    """One language's side of a row."""

    language: Language
    lang: str
    html: Markup
    """Empty for a figure or table of numbers, which `embed` holds."""
    embed: EmbedView | None = None
    notes: tuple[NoteView, ...] = ()
    heading: Markup = Markup()
    """What a heading says, as HTML without links; empty for other blocks."""
    name: str = ""
    """The same as plain text."""
    behind: tuple[Link, ...] = ()
    """Places here that the other language's half has changed since, as links to its page; on a side-by-side
    page, without an address."""


class ContentsView(msgspec.Struct, frozen=True, kw_only=True):
    """A section in the table of contents."""

    id: str
    """The id of its heading."""
    html: Markup
    """What the heading says, as HTML without links."""
    lang: str | None
    """HTML language of the heading, where it differs from the page's."""
    entries: tuple["ContentsView", ...]
    """Its subsections."""


class CitationView(msgspec.Struct, frozen=True, kw_only=True):
    """How an article is cited."""

    text: str
    """In one line."""
    bibtex: str


class RowView(msgspec.Struct, frozen=True, kw_only=True):
    """A block, alone or with its twin."""

    id: str
    kind: str
    """A `BlockKind`."""
    classes: str
    """Further class names for the layout."""
    halves: tuple[HalfView, ...]
    is_named: bool = False
    """Whether it begins a section or has a name, and is on the article's other pages, too."""
    has_asides: bool
    """Whether something is next to the text of its halves: links to this place, or notes."""


class SlideBlockView(msgspec.Struct, frozen=True, kw_only=True):
    """A block on a slide."""

    id: str
    """The id of its row."""
    kind: str
    """A `BlockKind`."""
    classes: str
    """Class names that the author gave it."""
    half: HalfView
    """With what the other language has in its place."""
    twin_notes: tuple[NoteView, ...] = ()
    """The footnotes of the other language."""


class SeriesView(msgspec.Struct, frozen=True, kw_only=True):
    """The place of an article in its series."""

    link: Link
    """The series, with the address of its page."""
    number: int
    """From 1."""
    count: int
    before: Link | None
    after: Link | None


class HeadView(msgspec.Struct, frozen=True, kw_only=True):
    """Title, dates, authors and terms of an article in one language."""

    language: Language
    lang: str
    title: str
    readers: Language
    """The language of what is not the text: dates, authors, terms."""
    date: str
    """Empty for a page without a date."""
    iso_date: str
    updated: str
    iso_updated: str
    minutes: int
    """Minutes to read a post; 0 for a page, which is no reading matter."""
    figures: int
    """Number of figures in the article."""
    authors: tuple[Link, ...]
    """The address is empty where an author has none."""
    terms: tuple[tuple[str, tuple[Link, ...]], ...]
    """Tags and categories, as far as the article has any: the name of the taxonomy with its links."""
    series: SeriesView | None
    """None for an article that is in no series."""
    behind: tuple[Link, ...] = ()
    """A notice that the title has changed in the other language, as `HalfView.behind`."""


class ValuesView(msgspec.Struct, frozen=True, kw_only=True):
    """The file that says what the values of a half depend on."""

    language: Language
    lang: str
    """HTML language of the half."""
    url: str


class TreePageView(msgspec.Struct, frozen=True, kw_only=True):
    """A page in the list of the manual's pages."""

    link: Link
    current: bool


class TreeSectionView(msgspec.Struct, frozen=True, kw_only=True):
    """A section of the manual."""

    title: str
    pages: tuple[TreePageView, ...]


class ManualView(msgspec.Struct, frozen=True, kw_only=True):
    """The manual around a page of it."""

    title: str
    version: str
    """What it describes, as in `diglot 0.1.0`; empty where the site does not say."""
    sections: tuple[TreeSectionView, ...]
    crumbs: Mapping[Language, tuple[str, str]]
    """The titles of the manual and of the section that the page is in."""
    before: Link | None
    after: Link | None
    edits: Mapping[Language, str]
    """The address at which each half that the page shows can be edited; empty where the site names none."""


class ArticleView(msgspec.Struct, frozen=True, kw_only=True):
    """An article's page."""

    heads: tuple[HeadView, ...]
    """One head, or both, zh first."""
    language: Language
    """The language of the text, or on a side-by-side page of its interface."""
    is_fallback: bool
    """Whether the text is not in the language of the page, because it exists in the other one only."""
    rows: tuple[RowView, ...]
    has_controls: bool
    """Whether readers can turn one of its figures."""
    newer: Link | None
    older: Link | None
    params: Params
    """`params` of its front matter, as `page.params`."""
    has_readings: bool
    """Whether a drawing holds values for readers who point at them."""
    talks: tuple[Link, ...]
    """The talks about it."""
    newer_twin: Link | None
    """The page in the other language, if that was changed later; its text is the day of that change."""
    related: tuple[Link, ...]
    """The most closely related articles."""
    contents: tuple[ContentsView, ...]
    """Its sections; empty for an article with few headings, or without a table of contents."""
    values: tuple[ValuesView, ...]
    """For each half that the page shows and that quotes values."""
    citation: CitationView | None
    """How it is cited; None for a page, and for an article without a date."""
    manual: ManualView | None
    """Its place in the manual; None where it is not in it."""


class FootView(msgspec.Struct, frozen=True, kw_only=True):
    """What the foot of a slide says of a figure or table."""

    caption: Markup
    """HTML; empty where it is the figure's message."""
    twin: Markup
    """The caption in the other language; empty where it is the same."""
    provenance: ProvenanceView


class SlideView(msgspec.Struct, frozen=True, kw_only=True):
    """A slide in one language."""

    number: int
    """From 1; the first slide, which front matter makes, is not among these views."""
    row: str
    """The same for the slide's twin in the other language."""
    anchor: str
    """The id of its heading; empty where it has none."""
    line: int
    """Its first line in the author's file."""
    layout: str
    """A `Layout`: `statement`, `figure`, `points`, `columns`, `table`, `code`, `full`, `text`."""
    classes: str
    """Further class names, from its heading."""
    title: Markup
    """HTML; empty for a slide without a title."""
    twin: Markup
    """The title in the other language; may be empty."""
    columns: tuple[tuple[SlideBlockView, ...], ...]
    """What is below the title: one column, or several."""
    notes: tuple[Markup, ...]
    """What the speaker says."""
    sources: tuple[FootView, ...]
    """The figures and tables whose origin the foot names."""


class DeckView(msgspec.Struct, frozen=True, kw_only=True):
    """A talk in one language."""

    head: HeadView
    twin: HeadView | None
    """None for a talk in one language only."""
    description: str
    """One or two sentences below the title; may be empty."""
    twin_description: str
    """The same in the other language; may be empty."""
    notes: tuple[Markup, ...]
    """What the speaker says to the first slide."""
    slides: tuple[SlideView, ...]
    count: int
    """Number of slides, with the first one."""
    event: str
    """Where it was given; may be empty."""
    article: Link | None
    """The article that it is about."""


class TalkView(msgspec.Struct, frozen=True, kw_only=True):
    """A talk's page, or the talk as one file."""

    name: str
    """Its address without the language, such as `talks/roofline`."""
    deck: DeckView
    """The slides in the language of the page."""
    file: str
    """Address of the talk as one file; empty in that file."""
    twin: DeckView | None
    """The slides in the other language, for the script to swap in; None on a page, where it fetches them."""
    twin_digest: str
    """Digest of these slides; empty without them."""
    states: tuple[tuple[str, Markup], ...]
    """Ids of the files that controls need, with their JSON; none on a page, where a script fetches them."""
    has_controls: bool
    minutes: str
    """How long the talk should take: `minutes` in `params` of its front matter; empty without it."""
    values: tuple[ValuesView, ...]
    """For each half that quotes values."""


class TalkEntryView(msgspec.Struct, frozen=True, kw_only=True):
    """A talk in the list of all."""

    title: Link
    description: str
    twin: Link | None
    """Its title in the other language."""
    date: str
    """Empty for a talk without a date."""
    iso_date: str
    event: str
    """Where it was given; may be empty."""
    languages: tuple[Link, ...]
    files: tuple[Link, ...]
    """The talk as one HTML file, and as PDF and PowerPoint files where its author has published them."""
    article: Link | None
    """The article that it is about."""
    draft: bool
    expired: bool


class GlossaryTermView(msgspec.Struct, frozen=True, kw_only=True):
    """A term of the site's glossary."""

    anchor: str
    """Its id on the page: `term-systolic-array`."""
    name: str
    twin: str
    """Its name in the other language."""
    twin_lang: str
    """That language as `lang` writes it."""
    definition: str
    """May be empty."""
    articles: tuple[Link, ...]
    """The articles that use it most."""


class FigureEntryView(msgspec.Struct, frozen=True, kw_only=True):
    """A figure in the list of all."""

    id: str
    turnable: bool
    """Whether readers can turn it on its page."""
    title: Link
    message: str
    """The sentence that it shows; may be empty."""
    alt: str
    """What the drawing shows, in words."""
    drawing: Markup
    """The drawing for a phone, as inline SVG; empty where a script only computes numbers."""


class FigureGroupView(msgspec.Struct, frozen=True, kw_only=True):
    """Figures that answer one question."""

    title: str
    """Empty where the site has no groups."""
    figures: tuple[FigureEntryView, ...]
    """Those with a drawing first."""


class ParameterView(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of a figure."""

    name: str
    label: str
    """What readers call it; empty where the script does not say."""
    default: str
    """Its value on the page."""
    values: str
    """The values that it can take: all of them, or of a range the first two and the last."""


class InputView(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a figure's numbers depend on."""

    text: str
    """Its path."""
    url: str
    """Empty where it is not published."""
    digest: str
    """Short digest of its content; empty for a file that comes with diglot."""


class ReadFactView(msgspec.Struct, frozen=True, kw_only=True):
    """A fact of a chip that a figure's numbers depend on."""

    name: str
    text: str
    """With its unit."""
    source: Link
    date: str
    """Of the source, or of a price."""
    official: bool
    """Whether the source is the chip's vendor."""
    disagreements: tuple[str, ...]
    """What sources claim that disagree about it, and which claim is used, in words."""


class ReadSourceView(msgspec.Struct, frozen=True, kw_only=True):
    """A source of facts that a figure's numbers depend on."""

    source: Link
    date: str
    official: bool
    """Whether it is the chip's vendor."""
    facts: tuple[str, ...]
    """What it says, each fact with the name of its chip."""
    disagreements: tuple[str, ...]
    """What other sources claim about these facts, in words."""


class ReadChipView(msgspec.Struct, frozen=True, kw_only=True):
    """A chip that a figure's numbers depend on."""

    name: Link
    """The address is empty where chips have no pages."""
    facts: tuple[ReadFactView, ...]
    """Those that the script has read; empty where it has read all."""


class SnippetView(msgspec.Struct, frozen=True, kw_only=True):
    """What to write to show a figure elsewhere."""

    name: str
    """Key of a word: where it belongs."""
    code: str


class EmbeddedFigureView(msgspec.Struct, frozen=True, kw_only=True):
    """A figure alone: in the frame of another site, and on the home page of few articles."""

    title: str
    message: str
    """The sentence that it shows; may be empty."""
    alt: str
    page: str
    """Address of its page; empty where figures have none."""
    drawings: tuple[DrawingView, ...]
    controls: ControlsView | None
    """What readers can turn; None for nothing."""
    has_readings: bool
    """Whether a drawing holds values for readers who point at them."""


class FigureView(msgspec.Struct, frozen=True, kw_only=True):
    """The page of a figure."""

    id: str
    title: str
    message: str
    """The sentence that it shows; may be empty."""
    gallery: str
    """Address of the list of all figures."""
    alt: str
    """What the drawing shows, in words."""
    wide: bool
    drawings: tuple[DrawingView, ...]
    """Empty where a script only computes numbers."""
    controls: ControlsView | None
    """What readers can turn; None for nothing."""
    has_readings: bool
    """Whether a drawing holds values for readers who point at them."""
    form: FormView | None
    """What readers can ask for; None for a script without a form."""
    table: TableView | None
    kinds: tuple[KindView, ...]
    """The table by kinds of its rows; empty for a plain one."""
    filters: tuple[TableFilter, ...]
    """By which readers choose rows of such a table; a choice's mark is `0-2`, by both numbers."""
    tables: str
    """Address of the tables of all states; empty without a table, or where readers cannot turn the figure."""
    downloads: tuple[Link, ...]
    parameters: tuple[ParameterView, ...]
    digest: str
    """Short digest of the data."""
    inputs: tuple[InputView, ...]
    chips: tuple[Link, ...]
    """Chips that its numbers depend on."""
    sources: tuple[ReadSourceView, ...]
    """Sources of the single facts that its numbers depend on, vendors first."""
    articles: tuple[Link, ...]
    """The articles that show the figure or quote its numbers."""
    snippets: tuple[SnippetView, ...]
    """For articles of this site."""
    elsewhere: tuple[SnippetView, ...]
    """For other sites, decks and documents."""
    oembed: str
    """Whole address of what programs read that show the figure; empty where there is no drawing."""
    script: str
    """Path of the script."""
    script_url: str | None
    code: Markup
    """The script, highlighted."""
    lines: int
    """How many lines it has."""


class ChipEntryView(msgspec.Struct, frozen=True, kw_only=True):
    """A chip in the list of all.

    Numbers that no source gives are dashes; ≈ is before those that are rounded, scaled or second-hand.
    """

    name: Link
    mark: str
    """Class names of its mark, e.g. `chip circle gpu3`."""
    vendor: str
    year: int
    peak16: str
    """Highest dense peak of a 16-bit format, in TFLOP/s."""
    peak8: str
    """The same of an 8-bit format."""
    capacity: str
    """Of main memory, in GB."""
    bandwidth: str
    """Of main memory, in GB/s."""
    ridge: str
    """Where the 16-bit peak meets the bandwidth, in FLOP/B."""
    ridge_percent: str
    """The same in percent of the highest ridge in the list. Empty without a ridge."""
    power: str
    """Design power, in W."""


class RemarkView(msgspec.Struct, frozen=True, kw_only=True):
    """A remark about a chip or a source."""

    text: str = ""
    """Empty where there is none."""
    language: str = ""
    """`zh-Hans` or `en`, if nobody wrote it in the language of the page; else empty."""


class DisagreementView(msgspec.Struct, frozen=True, kw_only=True):
    """Sources that disagree about a fact."""

    claims: tuple[tuple[str, int], ...]
    """What each source says, with the source's number."""
    used: str
    """The value that is used; empty where none is."""
    note: RemarkView


class FactView(msgspec.Struct, frozen=True, kw_only=True):
    """A quantity of a chip."""

    field: str
    """Its name in the catalogue: `memory.bandwidth`."""
    name: str
    unit: str
    """Empty for a plain count."""
    value: str
    """The number in full, for the script that compares chips; empty where no source is believed."""
    text: str
    """The number as readers see it."""
    printed: str
    """As the source prints it, where that is another number."""
    approximate: bool
    source: int
    """Number of its source; 0 where it follows from other facts."""
    note: RemarkView
    disagreements: tuple[DisagreementView, ...]


class FactGroupView(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of a kind: peaks, memory, links."""

    name: str
    facts: tuple[FactView, ...]


class PriceView(msgspec.Struct, frozen=True, kw_only=True):
    """A price of an hour of a chip, on a date."""

    usd_per_hour: str
    kind: str
    sku: str
    """What is sold, as the vendor calls it."""
    region: str
    date: str
    approximate: bool
    """Whether it is known from second hand."""
    source: int


class SourceView(msgspec.Struct, frozen=True, kw_only=True):
    """A publication that facts of a chip come from."""

    number: int
    title: str
    url: str
    as_of: str
    """Date of the text, as precisely as it is known."""
    official: bool
    """Whether it is the vendor's, or of those who measured."""
    note: RemarkView


class QuoteView(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence that quotes a value."""

    sentence: Link
    """It leads to the sentence's block."""
    facts: tuple[str, ...]
    """The names of the chip's numbers that it depends on; empty for all of them."""
    is_certain: bool
    """Whether it certainly depends on them; else its figure has read them, for this value or another."""


class QuotesView(msgspec.Struct, frozen=True, kw_only=True):
    """The sentences of an article that quote a value."""

    article: Link
    sentences: tuple[QuoteView, ...]


class ChipView(msgspec.Struct, frozen=True, kw_only=True):
    """The page of a chip."""

    id: str
    name: str
    short_name: str
    mark: str
    """Class names of its mark, e.g. `chip circle gpu3`."""
    hardware: str
    """Address of the list of all chips."""
    vendor: str
    architecture: str
    """May be empty."""
    year: int
    is_year_sourced: bool
    """Whether any source says so."""
    memory_type: str
    interconnect: str
    """Kind of its links; empty where there are none."""
    finding: str
    """Where its 16-bit ridge is, and what that follows from; empty where a number is missing."""
    topology: RemarkView
    """How they connect chips; empty where there are none."""
    alt: str
    """What the roofline shows, in words."""
    drawings: tuple[DrawingView, ...]
    """Its roofline; empty for a chip without peaks."""
    groups: tuple[FactGroupView, ...]
    prices: tuple[PriceView, ...]
    sources: tuple[SourceView, ...]
    figures: tuple[Link, ...]
    """Figures whose numbers depend on this chip; empty without `gallery` in site.yaml."""
    quotes: tuple[QuotesView, ...]
    """Articles and talks with sentences that quote a value which depends on this chip."""
    others: tuple[Link, ...]
    """The pages of all other chips."""
    data: str
    """Address of its facts as JSON."""


class EntryView(msgspec.Struct, frozen=True, kw_only=True):
    """An article in a list."""

    title: Link
    description: str
    twin: Link | None
    """Title in the other language; None where there is no other half."""
    date: str
    iso_date: str
    minutes: int
    languages: tuple[Link, ...]
    """The halves that exist, as `中文`, `English`."""
    draft: bool = False
    expired: bool = False
    """Whether its last day has passed; only the preview and builds with `--expired` show it then."""


class LeadView(msgspec.Struct, frozen=True, kw_only=True):
    """An article on the home page of a site with few of them."""

    entry: EntryView
    figure: EmbeddedFigureView | None
    """None for an article that draws none."""
    turnable: int
    """How many of its figures readers can turn."""


class PairHalfView(msgspec.Struct, frozen=True, kw_only=True):
    """An article in one of two columns, for readers of one language."""

    language: Language
    lang: str
    """HTML language of the column."""
    title: Link
    """In the other language where there is no half in this one."""
    description: str
    date: str
    """As readers of this language see it."""
    minutes: int
    is_missing: bool
    """Whether there is no half in this language."""


class PairView(msgspec.Struct, frozen=True, kw_only=True):
    """An article in a list that is in both languages."""

    halves: tuple[PairHalfView, ...]
    """Two, the first language of the site before the other."""
    iso_date: str
    draft: bool
    expired: bool


class YearView(msgspec.Struct, frozen=True, kw_only=True):
    """The articles of a year."""

    year: int
    entries: tuple[Markup, ...]
    """HTML of each `EntryView`, made by the macro `entry` of `entry.html`; empty in the archive."""
    titles: tuple["TitleView", ...]
    """In the archive, a line for each article; empty elsewhere."""


class TitleView(msgspec.Struct, frozen=True, kw_only=True):
    """An article in the archive."""

    link: Link
    day: str
    """The day without the year."""
    iso_date: str


class PagesView(msgspec.Struct, frozen=True, kw_only=True):
    """The pages of a list."""

    number: int
    """The number of this one, from 1."""
    count: int
    newer: str
    """Address of the page before; empty on the first one."""
    older: str
    """Address of the page behind; empty on the last one."""
    links: tuple[Link, ...]
    """The first, the last and those around this one, by number; no address where some are left out."""


class TermView(msgspec.Struct, frozen=True, kw_only=True):
    """A tag, category, series or author in the list of all; also a year in the archive."""

    link: Link
    count: int
    description: str = ""
    """What it is about; may be empty."""

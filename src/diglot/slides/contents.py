"""What a talk in one language shows and says, with all values filled in, before any program's format."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from diglot.content.slides import Layout
from diglot.languages import Edition


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of text in one style."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    muted: bool = False
    shift: Literal["", "up", "down"] = ""
    """Whether it is an exponent or an index."""
    link: str = ""
    """A whole address; empty for text that leads nowhere."""
    expression: str = ""
    """The `{eval}` expression whose value the text is; empty for other text."""
    mathml: str = ""
    """The formula that the text stands for; empty for other text."""


Runs = tuple[Run, ...]


def text_of(runs: Runs) -> str:
    """Runs as plain text."""
    return "".join(run.text for run in runs)


Step = Literal["", "click", "along"]
"""When a block appears: with its slide, at a click, or along with the block before it."""


class Paragraph(msgspec.Struct, frozen=True, kw_only=True, tag="paragraph"):
    """A paragraph, or an entry of a list."""

    runs: Runs
    level: int = 0
    """How deep an entry is nested, from 1; 0 for a paragraph."""
    number: int = 0
    """Of an entry of a numbered list, from 1; 0 for others."""
    is_quoted: bool = False
    step: Step = ""


class TableContents(msgspec.Struct, frozen=True, kw_only=True, tag="table"):
    """A table. All rows have the same number of cells."""

    rows: tuple[tuple[Runs, ...], ...]
    has_head: bool
    """Whether the first row names the columns."""
    right: tuple[bool, ...]
    """Which columns are aligned to the right, as numbers are."""
    step: Step = ""


class CodeContents(msgspec.Struct, frozen=True, kw_only=True, tag="code"):
    """A listing, line by line."""

    lines: tuple[Runs, ...]
    step: Step = ""


class FormulaContents(msgspec.Struct, frozen=True, kw_only=True, tag="formula"):
    """A formula in a line of its own."""

    mathml: str
    text: str
    step: Step = ""


class FigureContents(msgspec.Struct, frozen=True, kw_only=True, tag="figure"):
    """A figure of the project, in the state in which it is shown first."""

    request: str
    caption: Runs
    message: str
    """What it says: the title of a slide that has no other."""
    step: Step = ""


class PictureContents(msgspec.Struct, frozen=True, kw_only=True, tag="picture"):
    """A picture of the author's."""

    path: str
    """Relative to the project."""
    alt: str
    step: Step = ""


BlockContents = Paragraph | TableContents | CodeContents | FormulaContents | FigureContents | PictureContents


class SlideContents(msgspec.Struct, frozen=True, kw_only=True):
    """A slide."""

    layout: Layout
    line: int
    """Its first line in the source file."""
    title: Runs
    columns: tuple[tuple[BlockContents, ...], ...]
    notes: tuple[Paragraph, ...]
    """What the speaker says."""
    sources: tuple[Paragraph, ...] = ()
    """What its values and figures depend on."""
    footnotes: tuple[Paragraph, ...] = ()
    foot: Runs = ()
    """What is at the foot of the slide about its figures, where their captions have no room of their own."""
    left_out: tuple[str, ...] = ()
    """Elements of HTML that no file can show, by name."""


class CoverContents(msgspec.Struct, frozen=True, kw_only=True):
    """The first slide, which front matter makes."""

    title: Runs
    twin: Runs
    """The title in the other language; empty if there is none."""
    subtitle: Runs
    facts: Runs
    """Authors, date and event in a line, as readers see them."""
    article: Runs
    """The article that the talk is about, as a link; empty if there is none."""
    notes: tuple[Paragraph, ...]
    sources: tuple[Paragraph, ...]


class TalkContents(msgspec.Struct, frozen=True, kw_only=True):
    """A talk in one language."""

    language: Edition
    path: str
    """Its source file, relative to the project."""
    authors: tuple[str, ...]
    date: str
    """In ISO format; empty for a talk without a date."""
    cover: CoverContents
    slides: tuple[SlideContents, ...]
    """Without the first one."""
    turned: tuple[str, ...] = ()
    """The figures that readers of the page can turn, by name."""
    occasion: Runs = ()
    """Date and event, for the foot of each slide."""
    address: str = ""
    """Of its page; empty where it has none."""


def with_captions_at_foot(talk: TalkContents) -> TalkContents:
    """The talk with the captions of figures at the foot of their slides, as on the web."""
    return replace(talk, slides=tuple(map(_with_captions_at_foot, talk.slides)))


def _with_captions_at_foot(slide: SlideContents) -> SlideContents:
    foot: list[Run] = []
    for block in (one for column in slide.columns for one in column):
        if isinstance(block, FigureContents) and block.caption:
            foot += (Run(text=" "), *block.caption) if foot else block.caption
    columns = tuple(
        tuple(replace(one, caption=()) if isinstance(one, FigureContents) else one for one in column)
        for column in slide.columns
    )
    return replace(slide, columns=columns, foot=tuple(foot))

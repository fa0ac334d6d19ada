"""What appears once on a side-by-side page, and what each half shows."""

import re
from collections.abc import Sequence

from markupsafe import Markup, escape
from msgspec.structs import replace

from diglot.content.records import BlockKind
from diglot.render.second_language import code_with_second, table_with_second
from diglot.render.views import DrawingView, EmbedView, HalfView, Link

CAN_STAND_ONCE = ("code", "figure", "table")
"""Kinds of blocks of which something appears once on a side-by-side page, besides pictures."""
_FEW_WORDS = 8
"""So many words of a drawing readers of both languages learn from its twin's caption."""
_TEXT = re.compile(r"<text\b.*?</text>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def beside(kind: BlockKind, own: HalfView, other: HalfView) -> tuple[HalfView, ...]:
    """The halves of a row of such a kind, `own` in the language of the page: one where all appears once.

    Code that differs in lines alone, and tables of numbers, have both languages in one. A figure's numbers
    and controls appear once, and so does its drawing, unless many words in it are other ones.
    """
    if kind == "code":
        code = code_with_second(own.html, other.html, other.lang)
        if code is not None:
            return (replace(own, html=Markup(code)),)
    elif own.embed is not None and other.embed is not None:
        if own.embed.kind == "table":
            numbers = _numbers_in_both(own.embed, other.embed, other.lang)
            if numbers is not None and not other.notes:
                return (replace(own, embed=numbers),)
        else:
            figure, twin = _figures(own.embed, other.embed, other.lang)
            own, other = replace(own, embed=figure), replace(other, embed=twin)
    return (own, other) if own.language == "zh" else (other, own)


def stands_once(kind: BlockKind, halves: Sequence[HalfView]) -> bool:
    """Whether a figure's drawing, or a table of numbers, appears once across both columns."""
    if len(halves) == 1:
        return kind == "table"
    return kind == "figure" and not all(half.embed and half.embed.drawings for half in halves)


def _numbers_in_both(own: EmbedView, other: EmbedView, lang: str) -> EmbedView | None:
    """A table with both languages in its cells and its caption; None where one has another shape."""
    if own.table is None or (table := table_with_second(own.table, other.table, lang)) is None:
        return None
    second = f'<div class="second" lang="{lang}"><b>{escape(other.label)}</b>{other.caption}</div>'
    return replace(
        own, table=table, caption=own.caption + Markup(second), downloads=_files_of_both(own, other, lang)
    )


def _figures(own: EmbedView, other: EmbedView, lang: str) -> tuple[EmbedView, EmbedView]:
    """A figure and its twin: numbers and controls with the first, and with both a drawing that has words."""
    if own.table is not None:
        table = table_with_second(own.table, other.table, lang) or own.table
        own = replace(own, table=table, downloads=_files_of_both(own, other, lang))
    other = replace(other, table=None, downloads=(), form=None, is_twin=True)
    if own.form is not None or _other_words(own.drawings, other.drawings) <= _FEW_WORDS:
        return own, replace(other, drawings=())
    # Each in its column, for which the drawing of the whole page is too wide.
    pair = (replace(one, wide=False, drawings=_in_a_column(one.drawings)) for one in (own, other))
    return next(pair), next(pair)


def _files_of_both(own: EmbedView, other: EmbedView, lang: str) -> tuple[Link, ...]:
    return (*own.downloads, *(replace(file, lang=lang) for file in other.downloads))


def _other_words(own: Sequence[DrawingView], other: Sequence[DrawingView]) -> int:
    """How many words of a drawing its twin has otherwise; where there are several sizes, of the first."""
    words, twins = (set(_words(drawings[:1])) for drawings in (own, other))
    return max(len(words - twins), len(twins - words))


def _words(drawings: Sequence[DrawingView]) -> list[str]:
    return [_TAG.sub("", text) for one in drawings for text in _TEXT.findall(one.svg)]


def _in_a_column(drawings: Sequence[DrawingView]) -> tuple[DrawingView, ...]:
    return tuple(one for one in drawings if one.shown_at != "at-wide")

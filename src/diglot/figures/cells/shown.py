"""What a cell shows of a value: a picture, a table, HTML or text."""

import math
import re
from collections.abc import Callable, Iterator
from numbers import Integral, Real
from pprint import pformat
from typing import Any

from matplotlib.artist import Artist
from matplotlib.container import Container
from matplotlib.figure import Figure

from diglot.characters import without_forbidden
from diglot.figures.charts.rows import is_missing
from diglot.figures.drawing.svg import Caption, ForbiddenCharacter, WrongAddress, inline_svg_of
from diglot.figures.records import CellPiece, Table
from diglot.figures.scripts.data_frames import is_frame, listed_rows
from diglot.figures.scripts.misuse import Misuse
from diglot.figures.scripts.tables import Cell, Column, make_table
from diglot.languages import HTML_LANG, Language

_MOST_TEXT = 200_000
_MOST_MARKUP = 3_000_000
"""Characters of a picture or of HTML."""
_MOST_ROWS, _EDGE = 60, 5
"""A longer table is cut to its first and last rows."""
_MOST_COLUMNS = 50
_AT_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,}")
"""Where an object is in memory, in what Python says of it: it differs in each run."""
_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""Colours and moves of the cursor, for a terminal."""


def pieces_of(value: Any, draw: Callable[[Figure], CellPiece]) -> Iterator[CellPiece]:
    """What is shown of the value of a last line, or of what `display` is given; `draw` makes pictures."""
    if value is None or _is_drawn(value):
        return
    if isinstance(value, Figure):
        yield draw(value)
    elif isinstance(value, Table):
        yield CellPiece(kind="table", table=value)
    elif is_frame(value):
        yield CellPiece(kind="table", table=_table_of(value))
        rows, columns = value.shape
        if rows > _MOST_ROWS or columns > _MOST_COLUMNS:
            yield CellPiece(kind="text", text=f"{rows:,} × {columns:,}")
    elif (html := _html_of(value)) is not None:
        yield CellPiece(kind="html", html=html, text=plain_text(repr(value)))
    else:
        text = _text_of(value)
        if len(text) > _MOST_TEXT:
            raise Misuse(f"this output has {len(text):,} characters", "show a part of it.")
        yield CellPiece(kind="text", text=plain_text(text))


def picture_of(figure: Figure, caption: Caption) -> CellPiece:
    """A figure of pyplot as SVG for pages. Raises Misuse where pages cannot show it."""
    try:
        svg = inline_svg_of(figure, caption)
    except ForbiddenCharacter as error:
        raise Misuse(str(error), "delete it: it is invisible.") from error
    except WrongAddress as error:
        raise Misuse(str(error), "let `url=` begin with https://.") from error
    if len(svg) > _MOST_MARKUP:
        raise Misuse(
            f"this picture has {len(svg) / 1e6:.0f} MB as SVG",
            "draw fewer points, or give them rasterized=True.",
        )
    return CellPiece(kind="picture", text=svg)


def caption_of(figure: Figure, prefix: str, alt: str, language: Language) -> Caption:
    """The alternative text of a picture: as its author says, or its titles and the names of its axes."""
    words = [alt] if alt else [*_words_of(figure)]
    return Caption(
        prefix=prefix, title=words[0] if words else "", alt="; ".join(words), lang=HTML_LANG[language]
    )


def _words_of(figure: Figure) -> Iterator[str]:
    if title := figure.get_suptitle():
        yield title
    for axes in figure.axes:
        names = (axes.get_title(), axes.get_xlabel(), axes.get_ylabel())
        yield from (name for name in names if name)


def _is_drawn(value: Any) -> bool:
    """Whether a value is what calls of matplotlib return: the picture shows it."""
    if isinstance(value, list | tuple):
        return bool(value) and any(isinstance(inner, Artist | Container) for inner in value)
    if type(value).__name__ == "ndarray" and value.dtype == object:
        return any(isinstance(inner, Artist) for inner in value.flat)
    return isinstance(value, Artist | Container) and not isinstance(value, Figure)


def _table_of(frame: Any) -> Table:
    """The table of a data frame; a long one is cut to its first and last rows."""
    names, listed = listed_rows(frame, _MOST_ROWS, _EDGE)
    names = names[:_MOST_COLUMNS]
    rows = [["…"] * len(names) if row is None else [*map(_cell, row[: len(names)])] for row in listed]
    columns = [
        Column(name, digits=max((_digits_of(row[n]) for row in rows), default=0))
        for n, name in enumerate(names)
    ]
    return make_table(columns, rows)


def _cell(value: Any) -> Cell:
    """A cell of a table: a number or None as it is, anything else as text."""
    if isinstance(value, str):
        return plain_text(value)
    if is_missing(value):
        return None
    if isinstance(value, bool) or not isinstance(value, Real):
        return plain_text(str(value))
    number = int(value) if isinstance(value, Integral) else float(value)
    return number if math.isfinite(number) else str(number)


def _digits_of(cell: Cell) -> int:
    """As many decimals as six digits need."""
    shown = f"{cell:.6g}" if isinstance(cell, float) else ""
    return 0 if "e" in shown else len(shown.partition(".")[2])


def _html_of(value: Any) -> str | None:
    """What a value says of itself in HTML."""
    give = getattr(value, "_repr_html_", None)
    html = give() if callable(give) and not isinstance(value, type) else None
    if not isinstance(html, str):
        return None
    if len(html) > _MOST_MARKUP:
        raise Misuse(f"this output has {len(html) / 1e6:.0f} MB of HTML", "show a part of it.")
    return without_forbidden(html)


def _text_of(value: Any) -> str:
    is_nested = isinstance(value, dict | list | tuple | set | frozenset)
    return pformat(value, sort_dicts=False) if is_nested else repr(value)


def plain_text(text: str) -> str:
    """What a terminal would show of a text, and the same in each run: no colours, no addresses in memory."""
    text = _AT_ADDRESS.sub("", _TERMINAL.sub("", text)).replace("\r\n", "\n")
    if "\r" in text:  # a line that is written again and again shows what it was last
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return without_forbidden(text)

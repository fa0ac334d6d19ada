"""What code cells show, as HTML for pages and as text for everything else."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from markupsafe import Markup

from diglot.content.tree.markdown import fenced
from diglot.figures.records import CellPiece, ComputedFigure, Table
from diglot.languages import HTML_LANG, Bilingual, Language
from diglot.render.embeds import table_view

_STORED = Bilingual(
    zh="以下输出取自笔记本，构建时没有重新运行。",
    en="This output is from the notebook; the code was not run again.",
)
_PREFIX = re.compile(r'<title id="(cell-[0-9]+-[0-9]+-)')
_LANG = re.compile(r' lang="[^"]*"')


def shown_by_cells(
    computed: Iterable[ComputedFigure], *, draws: bool = True
) -> tuple[tuple[CellPiece, ...], ...]:
    """What each code cell of a half shows, among the data of all figures that it quotes.

    Without `draws`, pictures are what they are called: they have the colours and the font of the theme.
    """
    shown = next((one.shown for one in computed if one.shown), ())
    if draws:
        return shown
    return tuple(tuple(_without_drawing(piece) for piece in pieces) for pieces in shown)


def _without_drawing(piece: CellPiece) -> CellPiece:
    if piece.kind != "picture" or not piece.text.startswith("<svg"):
        return piece
    return CellPiece(kind="html", html=f"<p>{escape(_text_of(piece), quote=False)}</p>")


def markdown_of_pieces(pieces: Iterable[CellPiece]) -> str:
    """What a cell shows, as Markdown."""
    return "\n\n".join(fenced(text, "text") for piece in pieces if (text := _text_of(piece)))


def html_of_pieces(pieces: Sequence[CellPiece], language: Language) -> Markup:
    """What a cell shows on the page of a half."""
    return Markup("".join(_html_of(piece, language) for piece in pieces))


def _html_of(piece: CellPiece, language: Language) -> str:
    if piece.kind == "picture":
        return f'<div class="out">{_picture_in(language, piece.text)}</div>'
    if piece.kind == "stored":
        return f'<p class="under">{_STORED.of(language)}</p>'
    if piece.kind == "html":
        return f'<div class="out scroll">{piece.html}</div>'
    if piece.table is not None:
        return f'<div class="out scroll">{"".join(_table_html(piece.table))}</div>'
    return f'<pre class="out"><samp>{escape(piece.text, quote=False)}</samp></pre>'


def _picture_in(language: Language, svg: str) -> str:
    """A picture with ids of its half: a page side by side shows it in both."""
    prefix = _PREFIX.search(svg)
    if prefix is not None:
        svg = svg.replace(prefix[1], f"{prefix[1]}{language}-")
    return _LANG.sub(f' lang="{HTML_LANG[language]}"', svg, count=1)


def _table_html(table: Table) -> Iterator[str]:
    view = table_view(table)
    yield "<table><thead><tr>"
    for column in view.columns:
        if not column.name:  # that of the rows' names
            yield "<td></td>"
            continue
        unit = f"<small>{escape(column.unit)}</small>" if column.unit else ""
        yield f'<th scope="col"{_side(column.numeric)}>{escape(column.name)}{unit}</th>'
    yield "</tr></thead><tbody>"
    for row in view.rows:
        cells = (f"<td{_side(cell.numeric)}>{escape(cell.text)}</td>" for cell in row)
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table>"


def _side(numeric: bool) -> str:
    return ' class="r"' if numeric else ""


def text_of_pieces(pieces: Iterable[CellPiece]) -> str:
    """What a cell shows in plain text; of a picture what it is called."""
    return "\n".join(filter(None, map(_text_of, pieces)))


def _text_of(piece: CellPiece) -> str:
    if piece.kind == "picture":
        title = re.search(r"<desc[^>]*>([^<]*)</desc>", piece.text)
        return f"[{title[1]}]" if title is not None and title[1] else ""
    if piece.table is not None:
        rows = (tuple(head.replace("\n", " ") for head in piece.table.columns), *piece.table.rows)
        return "\n".join("\t".join(row) for row in rows)
    return piece.text

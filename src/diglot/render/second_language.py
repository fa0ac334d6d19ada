"""Both languages on one slide: what they share appears once, and the rest has the other language below it.

The other language's words have the class `second`. A style sheet shows them where a room reads both.
"""

import re
from collections.abc import Iterator, Sequence
from html import unescape

from markupsafe import Markup, escape

from diglot.content.records import BlockKind
from diglot.render.views import CellView, ColumnView, TableView

_LIST_TAG = re.compile(r"<(/?)(ul|ol|li)\b[^>]*>")
_CELL = re.compile(r"(<t[hd]\b[^>]*>)(.*?)(?=</t[hd]>)", re.DOTALL)
_CODE_BEGINS = re.compile(r"(?:<p class=\"file\">[^<]*</p>)?<pre\b[^>]*><code\b[^>]*>")
_CODE_ENDS = "</code></pre>"
_TOKEN = re.compile(r"<span[^>]*>[^<]*</span>|[^<]+|<[^>]*>")
_TAG = re.compile(r"<[^>]*>")
_ID = re.compile(r' id="[^"]*"')
_CHECKBOX = re.compile(r"<input\b[^>]*>")
_HEADING = re.compile(r"<h\d[^>]*>(.*)</h\d>\s*", re.DOTALL)


def with_second(kind: BlockKind, own: Markup, other: Markup, lang: str) -> Markup:
    """A block in one language, with what the other one, whose HTML language is `lang`, has in its place.

    Items of lists, cells of tables and lines of code are pairs where there are as many of them; anything
    else is below the block.
    """
    if not other or alike(own, other):
        return own
    merged = None
    if kind == "list":
        merged = _lists(own, other, lang)
    elif kind == "table":
        merged = _tables(own, other, lang)
    elif kind == "code":
        merged = code_with_second(own, other, lang)
    elif kind == "heading" and (inside := _HEADING.fullmatch(other)):
        return Markup(f'{own}<p class="second" lang="{lang}">{inside[1]}</p>')
    return Markup(f"{own}{second(other, lang)}" if merged is None else merged)


def second(other: str, lang: str) -> Markup:
    """Blocks in the other language."""
    return Markup(f'<div class="second" lang="{lang}">{other}</div>')


def table_with_second(own: TableView, other: TableView | None, lang: str) -> TableView | None:
    """A figure's table of numbers whose cells have both languages; None where the other has another shape."""
    if other is None or _shape(own) != _shape(other):
        return None
    return TableView(
        columns=tuple(
            ColumnView(
                name=_text(one.name, twin.name, lang),
                unit=_text(one.unit, twin.unit, lang),
                label=one.label,
                numeric=one.numeric,
            )
            for one, twin in zip(own.columns, other.columns, strict=True)
        ),
        rows=tuple(
            tuple(
                CellView(text=_text(one.text, twin.text, lang), numeric=one.numeric, mark=one.mark)
                for one, twin in zip(cells, twins, strict=True)
            )
            for cells, twins in zip(own.rows, other.rows, strict=True)
        ),
    )


def alike(own: str, other: str) -> bool:
    """Whether readers see the same: ids carry the language."""
    return _ID.sub("", own).strip() == _ID.sub("", other).strip()


def _shape(table: TableView) -> tuple[int, ...]:
    return len(table.columns), *map(len, table.rows)


def _text(own: str, other: str, lang: str) -> str:
    if own == other:
        return own
    return Markup(f"{escape(own)}{_inline(escape(other), lang)}")


def _inline(other: str, lang: str) -> str:
    return f'<span class="second" lang="{lang}">{other}</span>'


def _lists(own: str, other: str, lang: str) -> str | None:
    mine, twins = _around_items(own), _around_items(other)
    if len(mine) != len(twins) or len(mine) % 2 == 0:
        return None
    for at in range(1, len(mine), 2):
        if not alike(mine[at], twins[at]):
            mine[at] += second(_CHECKBOX.sub("", twins[at]), lang)
    return "".join(mine)


def _around_items(html: str) -> list[str]:
    """A list cut at the beginnings and ends of its items: every second text is what an item holds."""
    found, depth, start = [], 0, 0
    for tag in _LIST_TAG.finditer(html):
        closes, name = bool(tag[1]), tag[2]
        if name != "li":
            depth += -1 if closes else 1
        elif depth == 1:
            cut = tag.start() if closes else tag.end()
            found.append(html[start:cut])
            start = cut
    return [*found, html[start:]]


def _tables(own: str, other: str, lang: str) -> str | None:
    twins = [cell[2] for cell in _CELL.finditer(other)]
    if len(_CELL.findall(own)) != len(twins) or own.count("<tr") != other.count("<tr"):
        return None
    left = iter(twins)

    def merged(cell: re.Match[str]) -> str:
        twin = next(left)
        return cell[0] if alike(cell[2], twin) else f"{cell[0]}{_inline(twin, lang)}"

    return _CELL.sub(merged, own)


def code_with_second(own: str, other: str, lang: str) -> str | None:
    """Code with the lines that differ, as those with comments do, in both languages; None where they are not
    as many."""
    mine, twin = _around_code(own), _around_code(other)
    if mine is None or twin is None:
        return None
    if mine == twin:
        return "".join(mine)
    lines, others = mine[1].split("\n"), twin[1].split("\n")
    if len(lines) != len(others):
        return None
    merged = [
        line if line == another else line + _inline("\n" + _what_differs(line, another), lang)
        for line, another in zip(lines, others, strict=True)
    ]
    return mine[0] + "\n".join(merged) + mine[2]


def _around_code(html: str) -> tuple[str, str, str] | None:
    """What opens a block of code, its lines, and what closes it; None for anything else."""
    html = str(html).strip()  # methods of Markup make a Markup of each line
    begins = _CODE_BEGINS.match(html)
    if begins is None or html.find(_CODE_ENDS) != len(html) - len(_CODE_ENDS):
        return None
    lines = html[begins.end() : -len(_CODE_ENDS)]
    whole = lines.removesuffix("\n")
    return begins.group(), whole, lines[len(whole) :] + _CODE_ENDS


def _what_differs(line: str, other: str) -> str:
    """The other line, with spaces in place of what both begin with."""
    tokens, others = _TOKEN.findall(line), _TOKEN.findall(other)
    same = 0
    while same < min(len(tokens), len(others)) and tokens[same] == others[same]:
        same += 1
    before = unescape(_TAG.sub("", "".join(others[:same])))
    return " " * len(before) + "".join(_closed(others[same:]))


def _closed(tokens: Sequence[str]) -> Iterator[str]:
    """Tokens without the ends of elements that begin before them, such as that of a marked line."""
    depth = 0
    for token in tokens:
        depth += token.startswith("<span") and not token.endswith("</span>")
        if token == "</span>":
            if depth == 0:
                continue
            depth -= 1
        yield token

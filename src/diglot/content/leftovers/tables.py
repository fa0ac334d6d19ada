"""Lines with bars that make no table."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from diglot.content.leftovers.finding import Advice, Edit
from diglot.content.leftovers.remainder import Remainder
from diglot.content.twins import SPACE, as_ascii
from diglot.diagnostics import counted

_DELIMITER = re.compile(rf"(?:{SPACE}|[|:+\-—–―─━_=…~])+")
_DASHES = re.compile(r"[\-—–―─━_=…~]+")
_GOOD = re.compile(r"[ \t]*:?-+:?[ \t]*")
_GRID = re.compile(r"[ \t]*\+(?:[-=]{2,}\+)+[ \t]*")


_VERSE = re.compile(r"[ \t]*\| [^|\n]*")


class _Line(NamedTuple):
    start: int
    text: str
    ascii: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def columns(self) -> int:
        """Number of cells, as a table would have them."""
        return len(_cells(self.ascii))


def table_leftovers(left: Remainder) -> Iterator[tuple[int, int, Advice]]:
    """Where lines that were meant as a table begin and end, with the advice on them."""
    lines = [*_lines_of(left)]
    if len(lines) == 1 and _is_row(lines[0]):
        why = "a single row between bars is not a table"
        fix = "delete the empty line above it if it belongs to a table; else write |---|---| below the head."
        yield lines[0].start, lines[0].end, Advice(why, fix)
    if len(lines) > 1 and all(_VERSE.fullmatch(line.text) for line in lines):
        why = "bars before lines do not keep them apart"
        verses = [line.text.lstrip(" \t")[2:].rstrip() for line in lines]
        edits = [
            Edit(line.start, line.end, verse + "\\" * (line is not lines[-1]))
            for line, verse in zip(lines, verses, strict=True)
        ]
        fix = "delete the bars, and end each line but the last with a backslash."
        yield lines[0].start, lines[-1].end, Advice(why, fix, tuple(edits), "syntax-unsupported")
        return
    for head, below in pairwise(lines):
        if _GRID.fullmatch(head.text):
            why = "a table is not drawn with plus signs"
            yield (
                head.start,
                head.end,
                Advice(why, "write its cells between bars, with |---|---| below the first row."),
            )
            return
        if "|" in head.ascii and _is_delimiter(below.ascii):
            yield below.start, below.end, _advice(head, below, lines)
            return
        if _may_be_row(head) and _may_be_row(below) and head.columns == below.columns:
            row = "|" + "---|" * head.columns
            why = "rows between bars are no table without a line of dashes below the first one"
            yield head.start, head.end, Advice(why, f"write {row} below it.")
            return


def _lines_of(left: Remainder) -> Iterator[_Line]:
    start = 0
    for text in left.text.split("\n"):
        yield _Line(start, text, as_ascii(text))
        start += len(text) + 1


def _is_row(line: _Line) -> bool:
    bare = line.ascii.strip()
    return len(bare) > 2 and bare[0] == bare[-1] == "|" and bare.count("|") > 2


def _may_be_row(line: _Line) -> bool:
    """Whether it looks like a row next to another one of as many cells: `| a | b`, `a | b`."""
    bare = line.ascii.strip()
    return _is_row(line) or (" | " in bare and line.columns > 1)


def _is_delimiter(line: str) -> bool:
    return "|" in line + ("|" if len(_DASHES.findall(line)) > 1 else "") and (
        _DELIMITER.fullmatch(line) is not None and _DASHES.search(line) is not None
    )


def _cells(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip())
    return cells[not cells[0].strip() : len(cells) - (not cells[-1].strip())]


def _advice(head: _Line, below: _Line, lines: list[_Line]) -> Advice:
    cells = _cells(below.ascii.replace("+", "|"))
    row = "|" + "|".join(map(_side, cells)) + "|"
    twins = tuple(
        Edit(line.start, line.end, line.text.replace("｜", "|"))
        for line in lines
        if line is not below and "｜" in line.text
    )
    if len(cells) != head.columns:
        row = "|" + "---|" * head.columns
        why = f"the row above has {counted(head.columns, 'cell')}, and this line has {len(cells)}"
        return Advice(why, f"write {row}.", (*twins, Edit(below.start, below.end, row)))
    if not all(map(_GOOD.fullmatch, _cells(below.text))):
        why = "these are not the dashes and bars of a table"
        ascii_bars = " with ASCII bars in all other rows" if twins else ""
        return Advice(why, f"write {row}{ascii_bars}.", (*twins, Edit(below.start, below.end, row)))
    why = (
        "the bars of the row above are full-width"
        if twins
        else "no table begins in the middle of these lines"
    )
    return Advice(
        why, "use ASCII bars in all rows." if twins else "put an empty line above the first row.", twins
    )


def _side(cell: str) -> str:
    cell = cell.strip()
    return f"{':' if cell.startswith(':') else ''}---{':' if len(cell) > 1 and cell.endswith(':') else ''}"

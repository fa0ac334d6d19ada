"""Tables with pipes, each as one token.

The library makes four tokens of a cell, which is most of the tokens of an article with tables. Here a table
keeps its cells as text, and whoever renders them parses what has marks in it. What is a table, and where
its cells end, is the library's to say: `tests/content/test_dispatch.py` compares.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import MAX_AUTOCOMPLETED_CELLS

BlockRule = Callable[[StateBlock, int, int, bool], bool]
Side = Literal["", "left", "center", "right"]

_RULE = re.compile(r"(?!-[ \t])[-:|][-:| \t]+")
_COLUMN = re.compile(r":?-+:?")
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")


class TableRule:
    """Block rule in place of the library's `table`.

    Its token has two things in `meta`: `sides`, to which side each column is set, and `rows`, the text of
    all cells. The first row is the head; the second stands two lines below it, behind the rule.
    """

    def __init__(self, ends: Mapping[str, Sequence[BlockRule]]) -> None:
        """`ends` are the rules that end a table, by the characters they begin with."""
        self._ends = ends

    def __call__(self, state: StateBlock, start: int, end: int, silent: bool) -> bool:
        """As every block rule: whether there is a table, which is made if not `silent`."""
        if start + 2 > end or state.sCount[start + 1] < state.blkIndent:
            return False
        if state.is_code_block(start) or state.is_code_block(start + 1):
            return False
        sides = _sides(_line(state, start + 1))
        head = _line(state, start)
        if not sides or "|" not in head:
            return False
        rows = [_cells(head)]
        if len(rows[0]) != len(sides):
            return False
        if silent:
            return True
        parent, state.parentType = state.parentType, "table"
        token = state.push("table", "table", 0)
        below = self._add_rows(state, start + 2, end, rows)
        token.map = [start, below]
        token.meta = {"sides": sides, "rows": rows}
        state.line, state.parentType = below, parent
        return True

    def _add_rows(self, state: StateBlock, line: int, end: int, rows: list[list[str]]) -> int:
        """Add what is below the rule; the line below the table."""
        columns = len(rows[0])
        missing = 0
        while line < end and state.sCount[line] >= state.blkIndent:
            text = mdTrim(_line(state, line))
            if any(rule(state, line, end, True) for rule in self._ends.get(text[:1], ())):
                break
            if not text or state.is_code_block(line):
                break
            cells = _cells(text)
            missing += columns - len(cells)
            if missing > MAX_AUTOCOMPLETED_CELLS:
                break
            rows.append([*cells[:columns], *[""] * (columns - len(cells))])
            line += 1
        return line


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _sides(rule: str) -> list[Side]:
    """What the line between head and body says of the columns; nothing where it is no such line."""
    if _RULE.fullmatch(rule) is None:
        return []
    columns = [mdTrim(column) for column in rule.split("|")]
    # Pipes at the ends have nothing outside them, between columns there is something.
    columns = columns[not columns[0] : len(columns) - (not columns[-1])]
    return [_side(column) for column in columns] if all(map(_COLUMN.fullmatch, columns)) else []


def _side(column: str) -> Side:
    if column.endswith(":"):
        return "center" if column.startswith(":") else "right"
    return "left" if column.startswith(":") else ""


def _cells(row: str) -> list[str]:
    """The cells of a line; a pipe behind a backslash stands in its cell, without the backslash."""
    row = mdTrim(row)
    if "\\" in row:
        cells = [cell.replace("\\|", "|") for cell in _BETWEEN_CELLS.split(row)]
    else:
        cells = row.split("|")
    if cells[0] == "":
        del cells[0]
    if cells and cells[-1] == "":
        del cells[-1]
    return [mdTrim(cell) for cell in cells]

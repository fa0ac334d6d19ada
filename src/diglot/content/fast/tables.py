"""Pipe tables, faster: the token of `content.tables` without markdown-it's four tokens for each cell."""

import re
from typing import Literal

from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import MAX_AUTOCOMPLETED_CELLS

Side = Literal["", "left", "center", "right"]

_RULE = re.compile(r"(?!-[ \t])[-:|][-:| \t]+")
_COLUMN = re.compile(r":?-+:?")
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule in place of `content.tables.table`."""
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
    below = _add_rows(state, start + 2, end, rows)
    token.map = [start, below]
    token.meta = {"sides": sides, "rows": rows}
    state.line, state.parentType = below, parent
    return True


def _add_rows(state: StateBlock, line: int, end: int, rows: list[list[str]]) -> int:
    """Add the rows below the delimiter line; return the line below the table."""
    columns = len(rows[0])
    missing = 0
    ends = state.md.block.ruler.getRules("blockquote")
    while line < end and state.sCount[line] >= state.blkIndent:
        if any(rule(state, line, end, True) for rule in ends):
            break
        text = mdTrim(_line(state, line))
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
    """The alignment of each column, from the line between header and body; empty for any other line."""
    if _RULE.fullmatch(rule) is None:
        return []
    columns = [mdTrim(column) for column in rule.split("|")]
    # Pipes at the ends of the line have nothing outside them; between columns, something is required.
    columns = columns[not columns[0] : len(columns) - (not columns[-1])]
    return [_side(column) for column in columns] if all(map(_COLUMN.fullmatch, columns)) else []


def _side(column: str) -> Side:
    if column.endswith(":"):
        return "center" if column.startswith(":") else "right"
    return "left" if column.startswith(":") else ""


def _cells(row: str) -> list[str]:
    """The cells of a line; an escaped pipe belongs to its cell and loses its backslash."""
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

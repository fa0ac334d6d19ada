"""Tables that MyST has as lists and as CSV, `{list-table}` and `{csv-table}`, as tables between bars."""

import csv
import re
from collections.abc import Iterator, Sequence

from markdown_it.rules_block import StateBlock

from diglot.content.admonitions import colons, fences
from diglot.content.extensions import push_blocks

_OPENING = re.compile(r"(:{3,}|`{3,}|~{3,})[ \t]*\{(list-table|csv-table)\}[ \t]*(.*?)[ \t]*$")
_OPTION = re.compile(r":([\w-]+):[ \t]*(.*)$")
_ROW = re.compile(r"[*-][ \t]+[*-](?:[ \t]+(.*))?$")
_CELL = re.compile(r"[ \t]+[*-](?:[ \t]+(.*))?$")
_BAR = re.compile(r"(?<!\\)\|")


def list_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule. What is no such table is left to the rules of directives, which report it."""
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start):
        return False
    opening = _OPENING.match(state.src[begin : state.eMarks[start]])
    if opening is None:
        return False
    marks, name, caption = opening.groups()
    if marks[0] == ":":
        closing = colons.find_closing(state, start, end, len(marks))
    else:
        closing = fences.find_closing(state, start, end, marks)
    if closing is None:
        return False
    lines = state.getLines(start + 1, closing, state.blkIndent, False).split("\n")
    options: dict[str, str] = {}
    while lines and (option := _OPTION.match(lines[0])) is not None:
        options[option[1]] = option[2].strip()
        del lines[0]
    rows = [*(_rows_of_list(lines) if name == "list-table" else _rows_of_csv(lines, options))]
    if not rows or len({len(row) for row in rows}) > 1:
        return False
    if not silent:
        push_blocks(state, _markdown(rows, caption, options), start, closing + 1)
        state.line = closing + 1
    return True


def _rows_of_list(lines: Sequence[str]) -> Iterator[list[str]]:
    """The cells of each row; no rows for a list that is not one of lists."""
    row: list[str] = []
    for line in lines:
        if (found := _ROW.match(line)) is not None:
            if row:
                yield row
            row = [found[1] or ""]
        elif row and (found := _CELL.match(line)) is not None:
            row.append(found[1] or "")
        elif row and line.startswith(("  ", "\t")):
            row[-1] = f"{row[-1]} {line.strip()}".strip()
        elif line.strip():
            return
    if row:
        yield row


def _rows_of_csv(lines: Sequence[str], options: dict[str, str]) -> Iterator[list[str]]:
    if head := options.pop("header", ""):
        options["header-rows"] = "1"
        yield from csv.reader([head], skipinitialspace=True)
    delim = options.get("delim", ",")
    delimiter = {"tab": "\t", "space": " "}.get(delim, delim)
    if len(delimiter) == 1:
        yield from (row for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True) if row)


def _markdown(rows: Sequence[Sequence[str]], caption: str, options: dict[str, str]) -> str:
    """A table between bars, in a block with its caption if it has one."""
    has_head = options.get("header-rows", "0") != "0"
    head = rows[0] if has_head else [""] * len(rows[0])
    body = rows[1:] if has_head else rows
    lines = [_line(head), _line(["---"] * len(head)), *map(_line, body)]
    name = options.get("name") or options.get("label")
    if not caption:
        return "\n".join([f"{{#{name}}}"] * bool(name) + lines)
    return "\n".join((f":::{{table}} {caption}", *([f":name: {name}"] if name else []), "", *lines, ":::"))


def _line(cells: Sequence[str]) -> str:
    shown = (_BAR.sub(r"\\|", " ".join(cell.split())) for cell in cells)
    return f"| {' | '.join(shown)} |"

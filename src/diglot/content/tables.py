"""Pipe tables, each as one token.

markdown-it makes four tokens for each cell, which is most tokens of an article with tables. Here a table
token keeps its cells as text; rendering parses only the cells that contain Markdown.
"""

import re
from collections.abc import Callable

from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import table as library_table
from markdown_it.token import Token

from diglot.content.attributes import read_attributes
from diglot.content.guards import allowance_of
from diglot.content.limits import MOST_CELLS, too_long
from diglot.invariants import certain

BlockRule = Callable[[StateBlock, int, int, bool], bool]


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule in place of markdown-it's `table`: calls it, and replaces its tokens by one.

    The token's `meta` holds `sides`, the alignment of each column, and `rows`, the text of all cells. The
    first row is the header. The second row is two lines below it, after the delimiter line.
    """
    first = len(state.tokens)
    if not library_table(state, start, end, silent):
        return False
    if silent:
        return True
    made = state.tokens[first:]
    del state.tokens[first:]
    sides: list[str] = []
    rows: list[list[str]] = []
    for token in made:
        if token.type == "th_open":
            sides.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token.content)
    token = state.push("table", "table", 0)
    token.map = made[0].map
    token.meta = {"sides": sides, "rows": rows}
    return True


_CAPTION = re.compile(r"(?:Table)?:[ \t]+(?=\S)")
_BRACES = re.compile(r"[ \t]*(\{[^{}]*\})[ \t]*$")


def _read_caption(state: StateBlock, end: int, token: Token) -> None:
    """Read the caption of Pandoc and Quarto below a table, `: Rates {#tbl-rates}`, into the token."""
    first = state.line
    while first < end and state.isEmpty(first):
        first += 1
    if first == end or state.sCount[first] < state.blkIndent or state.is_code_block(first):
        return
    last = first
    while last < end and not state.isEmpty(last) and state.sCount[last] >= state.blkIndent:
        last += 1
    lines = [state.src[state.bMarks[at] + state.tShift[at] : state.eMarks[at]] for at in range(first, last)]
    if (marks := _CAPTION.match(lines[0])) is None:
        return
    text = "\n".join(lines)[marks.end() :]
    if (braces := _BRACES.search(text)) is not None and (given := read_attributes(braces[1])) is not None:
        text = text[: braces.start()]
        token.attrs.update(given[0])
    token.meta |= {"caption": text, "caption line": first}
    token.map = [certain(token.map, "a table has lines")[0], last]
    state.line = last


def limited(rule: BlockRule) -> BlockRule:
    """A table rule that raises TooMuch where the tables of a half have more cells than are allowed."""

    def limited_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if silent or start + 1 >= end:
            return rule(state, start, end, silent)
        under = state.src[state.bMarks[start + 1] + state.tShift[start + 1] : state.eMarks[start + 1]]
        if under[:1] not in ("|", "-", ":"):
            return False
        columns = sum(1 for column in under.split("|") if column.strip())
        allowance = allowance_of(state.env)
        # The header is a row, too, so this end admits one row more than is allowed: a table that reaches it
        # is too large.
        last = start + 2 + allowance.cells // max(1, columns)
        if not rule(state, start, min(end, last), silent):
            return False
        allowance.cells -= columns * (state.line - start - 1)
        if state.line == last:
            raise too_long(f"more than {MOST_CELLS:,} cells of tables", last - 1)
        _read_caption(state, end, state.tokens[-1])
        return True

    return limited_table

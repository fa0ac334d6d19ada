"""Admonitions as fences of MyST, ```` ```{note} Title ````, whose lines are Markdown."""

import re

from markdown_it.rules_block import StateBlock

from diglot.content.admonitions.kinds import begins_block
from diglot.content.admonitions.reading import (
    holds_blocks,
    open_admonition,
    read_blocks,
    read_options,
    read_titled,
)

_OPENING = re.compile(r"(`{3,}|~{3,})[ \t]*\{((?:prf:)?[\w-]+)\}(.*)$")


def fenced_admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule, before that of code."""
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or "{" not in state.src[begin : state.eMarks[start]]:
        return False
    opening = _OPENING.match(state.src[begin : state.eMarks[start]])
    if opening is None or (opening[1][0] == "`" and "`" in opening[3]):
        return False
    if not begins_block(opening[2]) and not holds_blocks(opening[2], opening[3]):
        return False
    if silent:
        return True
    ticks, kind, rest = opening.groups()
    closing = find_closing(state, start, end, ticks)
    last = end if closing is None else closing
    header, below = read_options(state, start + 1, last, read_titled(kind, rest))
    token = open_admonition(state, header, start, end if closing is None else closing + 1)
    token.meta |= {"closed": closing is not None, "closed_by": ticks}
    read_blocks(state, below, last, header.kind)
    state.line = last + (closing is not None)
    return True


def find_closing(state: StateBlock, start: int, end: int, ticks: str) -> int | None:
    """The line that closes the block."""
    for line in range(start + 1, end):
        begin = state.bMarks[line] + state.tShift[line]
        if begin < state.eMarks[line] and state.sCount[line] < state.blkIndent:
            return None
        text = state.src[begin : state.eMarks[line]].rstrip(" \t")
        if text.startswith(ticks) and not text.strip(ticks[0]):
            return line
    return None

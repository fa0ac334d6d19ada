"""Admonitions between colons: `:::{note} Title`, `:::note[Title]`, `::: {.callout-note}`, closed by `:::`."""

import re

from markdown_it.rules_block import StateBlock

from diglot.content.admonitions.reading import (
    Header,
    holds_blocks,
    open_admonition,
    read_blocks,
    read_classes,
    read_header,
    read_options,
    read_titled,
)
from diglot.content.diagrams import KINDS as DIAGRAMS
from diglot.content.directives import DIRECTIVES

_OPENING = re.compile(r"(:{3,})[ \t]*(?:\{((?:prf:)?[\w-]+)\}|(\{[^}]*\}|[A-Za-z][\w-]*))(.*)$")
_CLOSING = re.compile(r"(:{3,})[ \t]*$")
_FENCE = re.compile(r"(`{3,}|~{3,})")


def admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule. One inside another may have as many colons, or fewer."""
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not state.src.startswith(":::", begin):
        return False
    opening = _OPENING.match(state.src[begin : state.eMarks[start]])
    if opening is None:
        return False
    if silent:
        return True
    colons, braced, bare, rest = opening.groups()
    closing = find_closing(state, start, end, len(colons))
    last = end if closing is None else closing
    below = start + 1
    if (braced in DIRECTIVES or braced in DIAGRAMS) and not holds_blocks(braced, rest):
        _push_fence(state, (start, last), f"{{{braced}}}{rest}", is_closed=closing is not None)
        state.line = last + (closing is not None)
        return True
    if braced:
        header, below = read_options(state, below, last, read_titled(braced, rest))
    elif bare[0] == "{":
        header = read_classes(bare) or Header(bare, rest.strip(" \t"))
    else:
        header = read_header(bare, rest)
    token = open_admonition(state, header, start, end if closing is None else closing + 1)
    token.meta |= {"closed": closing is not None, "closed_by": colons, "bare": bare}
    read_blocks(state, below, last, header.kind)
    state.line = last + (closing is not None)
    return True


def _push_fence(state: StateBlock, lines: tuple[int, int], info: str, *, is_closed: bool) -> None:
    """Push a directive that takes its lines as they are, as if it were between backticks."""
    start, last = lines
    token = state.push("fence", "code", 0)
    token.info, token.markup = info, ":::"
    token.content = state.getLines(start + 1, last, state.blkIndent, True)
    token.map = [start, last + is_closed]


def stray_colons(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: a `:::` that closes nothing ends a paragraph; the building of the tree reports it."""
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not state.src.startswith(":::", begin):
        return False
    if _CLOSING.match(state.src[begin : state.eMarks[start]]) is None:
        return False
    if silent:
        return True
    state.push("stray_colons", "", 0).map = [start, start + 1]
    state.line = start + 1
    return True


def find_closing(state: StateBlock, start: int, end: int, colons: int) -> int | None:
    """The line that closes the block."""
    fence, depth = "", 0
    for line in range(start + 1, end):
        begin = state.bMarks[line] + state.tShift[line]
        if begin < state.eMarks[line] and state.sCount[line] < state.blkIndent:
            return None
        text = state.src[begin : state.eMarks[line]]
        if found := _FENCE.match(text):
            marks = found.group(1)
            if not fence:
                fence = marks
            elif marks.startswith(fence) and not text.strip(fence[0]).strip():
                fence = ""
        elif not fence and text.startswith(":::"):
            if (inner := _OPENING.match(text)) and len(inner.group(1)) >= colons:
                depth += 1
            elif (closing := _CLOSING.match(text)) and len(closing.group(1)) >= colons:
                if depth == 0:
                    return line
                depth -= 1
    return None

"""Admonitions and tabs of MkDocs: `!!! note "Title"`, `???` for one that is unfolded, `=== "Title"`, above
indented text.
"""

import re

from markdown_it.rules_block import StateBlock

from diglot.content.admonitions.kinds import kind_named
from diglot.content.admonitions.reading import Fold, Header, open_admonition, read_blocks

_TAB = re.compile(r"===[!+]?[ \t]+\"([^\"]+)\"[ \t]*$")
_OPENING = re.compile(r"(!!!|\?\?\?\+?)[ \t]+([\w-]+)((?:[ \t]+[\w-]+)*)[ \t]*(?:\"([^\"]*)\")?[ \t]*$")
_INDENT = 4
_FOLDS: dict[str, Fold] = {"!!!": "", "???": "closed", "???+": "open"}


def indented_admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule. Without an indented line below it is text, which is reported."""
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not state.src.startswith(("!!!", "???", "==="), begin):
        return False
    header = _read_header(state.src[begin : state.eMarks[start]])
    if header is None:
        return False
    last = _find_end(state, start, end)
    if last == start + 1:
        return False
    if silent:
        return True
    open_admonition(state, header, start, last)
    state.blkIndent += _INDENT
    read_blocks(state, start + 1, last)
    state.blkIndent -= _INDENT
    state.line = last
    return True


def _read_header(line: str) -> Header | None:
    if (tab := _TAB.match(line)) is not None:
        return Header("tab", tab[1])
    opening = _OPENING.match(line)
    if opening is None or kind_named(opening[2]) is None:
        return None
    marks, kind, classes, title = opening.groups()
    return Header(kind, title or "", _FOLDS[marks], {"class": classes.strip()} if classes.strip() else {})


def _find_end(state: StateBlock, start: int, end: int) -> int:
    """The line after the last one that is indented."""
    last = start + 1
    for line in range(start + 1, end):
        if state.isEmpty(line):
            continue
        if state.sCount[line] < state.blkIndent + _INDENT:
            break
        last = line + 1
    return last

"""Admonitions: :::{note} blocks of text set apart, closed by `:::`."""

import re

from markdown_it.rules_block import StateBlock

from diglot.languages import Bilingual

WORDS: dict[str, Bilingual] = {
    "note": Bilingual(zh="注意", en="Note"),
    "tip": Bilingual(zh="提示", en="Tip"),
    "important": Bilingual(zh="重要", en="Important"),
    "warning": Bilingual(zh="警告", en="Warning"),
    "caution": Bilingual(zh="小心", en="Caution"),
}

_OPENING = re.compile(r"(:{3,})[ \t]*\{([\w-]+)\}(.*)$")
_CLOSING = re.compile(r"(:{3,})[ \t]*$")
_FENCE = re.compile(r"(`{3,}|~{3,})")


def admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule. Outer admonitions have more colons than inner ones; `meta` tells rendering of mistakes."""
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not state.src.startswith(":::", begin):
        return False
    opening = _OPENING.match(state.src[begin : state.eMarks[start]])
    if opening is None:
        return False
    if silent:
        return True
    colons = len(opening.group(1))
    closing, misnested = _find_closing(state, start, end, colons)

    token = state.push("admonition_open", "div", 1)
    token.info = opening.group(2)
    token.content = opening.group(3).strip(" \t")
    token.map = [start, end if closing is None else closing + 1]
    token.meta = {"closed": closing is not None, "misnested": misnested, "colons": colons}
    last = end if closing is None else closing
    old_parent, old_max, state.parentType, state.lineMax = state.parentType, state.lineMax, "container", last
    state.md.block.tokenize(state, start + 1, last)
    state.parentType, state.lineMax = old_parent, old_max
    state.push("admonition_close", "div", -1)
    state.line = last + (closing is not None)
    return True


def stray_colons(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: a `:::` that closes nothing ends a paragraph; rendering reports it."""
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


def _find_closing(state: StateBlock, start: int, end: int, colons: int) -> tuple[int | None, int | None]:
    """The line that closes the block, and the first inner opening line with as many colons or more."""
    fence = ""
    misnested, depth = None, 0
    for line in range(start + 1, end):
        begin = state.bMarks[line] + state.tShift[line]
        if begin < state.eMarks[line] and state.sCount[line] < state.blkIndent:
            return None, misnested
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
                misnested = line if misnested is None else misnested
            elif (closing := _CLOSING.match(text)) and len(closing.group(1)) >= colons:
                if depth == 0:
                    return line, misnested
                depth -= 1  # as if the inner one were right, to report one mistake instead of three
    return None, misnested

"""The marks of footnotes, `[^label]`; mdit-py-plugins parses their definitions."""

import re

from markdown_it.rules_inline import StateInline

# The length is bounded so that a row of brackets is not read to its end from each of them.
_MARK = re.compile(r"\[\^([^\s\[\]]{1,80})\]")


def footnote_mark(state: StateInline, silent: bool) -> bool:
    """Inline rule: a mark, with or without a definition; rendering reports marks without one."""
    if not state.src.startswith("[^", state.pos):
        return False
    found = _MARK.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("footnote_mark", "", 0).info = found.group(1)
    state.pos = found.end()
    return True

"""The marks of footnotes, `[^label]`; their definitions are parsed by mdit-py-plugins."""

import re

from markdown_it.rules_inline import StateInline

# Bounded, so that a row of brackets is not read to its end from each of them.
_MARK = re.compile(r"\[\^([^\s\[\]]{1,80})\]")


def footnote_mark(state: StateInline, silent: bool) -> bool:
    """Inline rule: a mark, whether there is a note for it or not; the rendering reports one without."""
    if not state.src.startswith("[^", state.pos):
        return False
    found = _MARK.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("footnote_mark", "", 0).info = found.group(1)
    state.pos = found.end()
    return True

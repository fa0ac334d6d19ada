"""Parser rules that match nothing but count work, so that no text takes too much time or memory.

They apply to markdown-it's own rules and to the faster ones of `content.fast`.
"""

import re
from weakref import WeakKeyDictionary

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.utils import EnvType

from diglot.content.limits import (
    MOST_BLOCKS,
    MOST_CELLS,
    MOST_LOOKS,
    MOST_LOOKS_A_LINE,
    MOST_MARKS,
    MOST_STEPS,
    MOST_STEPS_A_CHARACTER,
    MOST_TOKENS,
    too_long,
    too_tangled,
)

ALLOWANCE = "allowance"
_BRACKETS = "[!"
MARKS = frozenset("\n$\\{`~*_[!<&]^=@")
"""Characters that may have a meaning: what inline rules begin with, and `]`, which ends a link's text."""
search_mark = re.compile(f"[{re.escape(''.join(sorted(MARKS)))}]").search
"""Finds the next of them."""


class Allowance:
    """The work that parsing one text may still cause; kept in markdown-it's `env`."""

    def __init__(self, text: str) -> None:
        self.blocks = MOST_BLOCKS
        self.marks = MOST_MARKS
        self.cells = MOST_CELLS
        self.looks = MOST_LOOKS + MOST_LOOKS_A_LINE * (text.count("\n") + 1)
        self.steps = MOST_STEPS + MOST_STEPS_A_CHARACTER * len(text)
        self.last_brackets: WeakKeyDictionary[StateInline, int] = WeakKeyDictionary()
        """Position of the last `]`, for each text inside a block."""


def allowance_of(env: EnvType) -> Allowance:
    """What is left of the allowance of the text that is parsed with this `env`."""
    allowance: Allowance = env[ALLOWANCE]
    return allowance


def add_guards(md: MarkdownIt) -> None:
    """Add the counting rules, each before all others of its kind."""
    md.core.ruler.before("normalize", "allowance", _give_allowance)
    first, *_ = md.block.ruler.get_all_rules()
    # Not in the `paragraph` chain, which examines each line of a paragraph only once.
    md.block.ruler.before(first, "guard", _guard_blocks, {"alt": ["reference", "blockquote", "list"]})
    first, *_ = md.inline.ruler.get_all_rules()
    md.inline.ruler.before(first, "guard", _guard_inlines)


def _give_allowance(state: StateCore) -> None:
    """Core rule. A text parsed later with the same `env`, such as a caption, shares the allowance."""
    state.env.setdefault(ALLOWANCE, Allowance(state.src))


def _guard_blocks(state: StateBlock, line: int, _end: int, silent: bool) -> bool:
    """Block rule: counts blocks and, in lookahead (`silent`), examined lines. Raises TooMuch."""
    allowance: Allowance = state.env[ALLOWANCE]
    if silent:
        allowance.looks -= 1
        if allowance.looks < 0:
            raise too_tangled(line)
        return False
    if state.level == 0:
        allowance.blocks -= 1
        if allowance.blocks < 0:
            raise too_long(f"more than {MOST_BLOCKS:,} paragraphs and other blocks", line)
    if len(state.tokens) > MOST_TOKENS:
        raise too_long(f"more than {MOST_TOKENS:,} beginnings and ends of blocks", line)
    return False


def _guard_inlines(state: StateInline, silent: bool) -> bool:
    """Inline rule: counts marks and skipped text, and treats brackets after the last `]` as plain text.

    markdown-it would search from each such bracket to the end of the text. Raises TooMuch.
    """
    character = state.src[state.pos]
    if character in MARKS:
        allowance: Allowance = state.env[ALLOWANCE]
        if silent:
            allowance.steps -= 1
            if allowance.steps < 0:
                raise too_tangled(None)
        else:
            allowance.marks -= 1
            if allowance.marks < 0:
                raise too_long(f"more than {MOST_MARKS:,} line breaks, links and other marks", None)
    if character not in _BRACKETS:
        return False
    last_brackets = allowance_of(state.env).last_brackets
    last = last_brackets.get(state)
    if last is None:
        last = last_brackets[state] = state.src.rfind("]")
    if state.pos <= last:
        return False
    if not silent:
        state.append_pending(character)
    state.pos += 1
    return True

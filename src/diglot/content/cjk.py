"""Markdown rules for Chinese: emphasis next to full-width marks, and lines that join without a space.

The emphasis rule follows the public specification "Markdown CJK-friendly" (tats-u): CommonMark's condition on
punctuation next to a run of `*` does not apply where either neighbour is a CJK character, so that
`**中文。**中文` is bold. `~~` follows the same rule. So does `_`, with two exceptions for names that
contain it: next to Latin letters CommonMark's own condition stays (`调用__init__方法`), and a single one
between two words is plain (`文件_名`).
"""

import functools
import re
import unicodedata
from typing import Literal

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter

from diglot.content.guards import search_mark

_IDEOGRAPHIC_SYMBOLS = (0x1F200, 0x1F2FF)
_EMOJI_AMONG_THEM = frozenset(
    (0x1F201, 0x1F21A, 0x1F22F, *range(0x1F232, 0x1F237), *range(0x1F238, 0x1F23B), 0x1F250, 0x1F251)
)
_AMBIGUOUS_QUOTES = "‘’“”"

# Characters between which a line break is not a space. English has the same quotes and dashes, so that two of
# them decide nothing.
_WIDE = (
    *((0x2E80, 0x312F), (0x3190, 0x4DBF), (0x4E00, 0xA4CF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F)),
    *((0xFF00, 0xFF9F), (0xFFE0, 0xFFE6), (0x20000, 0x10FFFF)),
)
_WIDE_MARK = re.compile(r"[、。，．：；？！）］｝》〉」』】〕〗（［｛《〈「『【〔〖]")
_SHARED = "“”‘’—…·"


@functools.lru_cache(maxsize=4096)
def is_cjk(character: str) -> bool:
    """Whether a character counts as CJK next to emphasis: wide, half-width or Hangul, but no emoji."""
    code = ord(character)
    if code < 0x1100:
        return False
    if code < 0x2E80:
        # All other wide characters below U+2E80 are displayed as emoji.
        return code <= 0x11FF or code in (0x20A9, 0x2329, 0x232A)
    if 0x1F000 <= code <= 0x1FAFF:
        first, last = _IDEOGRAPHIC_SYMBOLS
        wide = unicodedata.east_asian_width(character) == "W"
        return first <= code <= last and wide and code not in _EMOJI_AMONG_THEM
    return (
        unicodedata.east_asian_width(character) in "WFH"
        or 0xA960 <= code <= 0xA97F
        or 0xAC00 <= code <= 0xD7FF
        or 0xE0100 <= code <= 0xE01EF  # variation selectors for the ideograph before them
    )


def _is_cjk_before(text: str, index: int) -> bool:
    """Whether the character before `index` is CJK, skipping a variation selector."""
    character = text[index - 1]
    if "\ufe00" <= character <= "\ufe0e" and index > 1:
        base = text[index - 2]
        return is_cjk(base) or (character == "\ufe01" and base in _AMBIGUOUS_QUOTES)
    return is_cjk(character)


def _is_cjk_after(text: str, index: int) -> bool:
    """Whether the character at `index` is CJK; a quote is where a variation selector makes it full-width."""
    return is_cjk(text[index]) or (
        text[index] in _AMBIGUOUS_QUOTES and text[index + 1 : index + 2] == "\ufe01"
    )


def _flanking(state: StateInline, start: int, end: int) -> tuple[bool, bool]:
    """Whether a run of `*` or `~` from `start` to `end` can open emphasis, and whether it can close it."""
    before = state.src[start - 1] if start > 0 else " "
    if "\ufe00" <= before <= "\ufe0e" and start > 1:
        before = state.src[start - 2]  # a variation selector belongs to the character before it
    after = state.src[end] if end < state.posMax else " "
    space_before, space_after = isWhiteSpace(ord(before)), isWhiteSpace(ord(after))
    mark_before = isMdAsciiPunct(ord(before)) or isPunctChar(before)
    mark_after = isMdAsciiPunct(ord(after)) or isPunctChar(after)
    if (mark_before or mark_after) and not (before.isascii() and after.isascii()):
        in_cjk = (start > 0 and _is_cjk_before(state.src, start)) or (
            end < state.posMax and _is_cjk_after(state.src, end)
        )
        if in_cjk:
            return not space_after, not space_before
    opens = not (space_after or (mark_after and not (space_before or mark_before)))
    closes = not (space_before or (mark_before and not (space_after or mark_after)))
    return opens, closes


def _is_opening(mark: str) -> bool:
    """Whether a mark is before what it belongs to, as brackets and quotes do."""
    return unicodedata.category(mark) in ("Ps", "Pi")


def _underscores(state: StateInline, start: int) -> tuple[bool, bool, int]:
    """Whether a run of `_` can open emphasis, whether it can close it, and its end."""
    opens, closes, length = state.scanDelims(start, False)
    end = start + length
    if start == 0 or end >= state.posMax:
        return opens, closes, end
    before, after = state.src[start - 1], state.src[end]
    if (before + after).isascii() or any(one.isalnum() and not is_cjk(one) for one in (before, after)):
        return opens, closes, end
    mark_before = isMdAsciiPunct(ord(before)) or isPunctChar(before)
    mark_after = isMdAsciiPunct(ord(after)) or isPunctChar(after)
    if length > 1 or mark_before or mark_after:
        cjk_before, cjk_after = _is_cjk_before(state.src, start), _is_cjk_after(state.src, end)
        # A mark inside has to belong there, unlike the comma in `class_，def_`.
        if not (isWhiteSpace(ord(after)) or (mark_after and not _is_opening(after))):
            opens = opens or cjk_after or (cjk_before and mark_after)
        if not (isWhiteSpace(ord(before)) or (mark_before and _is_opening(before))):
            closes = closes or cjk_before or (cjk_after and mark_before)
    return opens, closes, end


def emphasis(state: StateInline, silent: bool) -> bool:
    """Inline rule in place of markdown-it's `emphasis`."""
    marker = state.src[state.pos]
    if silent or marker not in "*_":
        return False
    opens, closes, end = _run(state, state.pos)
    if not (opens and not closes and _push_pair(state, end)):
        _push(state, marker, end - state.pos, opens, closes, width=1)
        state.pos = end
    return True


def _run(state: StateInline, start: int) -> tuple[bool, bool, int]:
    """Whether a run of `*` or `_` can open emphasis, whether it can close it, and its end."""
    if state.src[start] == "_":
        return _underscores(state, start)
    end = _end_of_run(state, start)
    return *_flanking(state, start, end), end


_KINDS = {1: "em", 2: "strong"}
"""What a run of so many marks begins and ends."""


def _push_pair(state: StateInline, begin: int) -> bool:
    """Add emphasis of plain text at once, without the delimiters that markdown-it pairs later.

    The text begins at `begin`, behind a run that only opens. If the next mark is a run of the same length
    that can close, the two belong together whatever is around them. Most emphasis is such a pair.
    """
    markup = state.src[state.pos : begin]
    kind = _KINDS.get(len(markup))
    found = search_mark(state.src, begin, state.posMax) if kind is not None else None
    if kind is None or found is None or found.group() != markup[0]:
        return False
    behind = found.start()
    _, closes, end = _run(state, behind)
    if not closes or end - behind != len(markup):
        return False
    state.push(f"{kind}_open", kind, 1).markup = markup
    state.append_pending(state.src[begin:behind])
    state.push(f"{kind}_close", kind, -1).markup = markup
    state.pos = end
    return True


def strikethrough(state: StateInline, silent: bool) -> bool:
    """Inline rule in place of markdown-it's `strikethrough`: pairs of `~~`."""
    if silent or state.src[state.pos] != "~":
        return False
    end = _end_of_run(state, state.pos)
    length = end - state.pos
    if length < 2:
        return False
    opens, closes = _flanking(state, state.pos, end)
    if length % 2:
        state.push("text", "", 0).content = "~"
    _push(state, "~", length - length % 2, opens, closes, width=2)
    state.pos = end
    return True


def _end_of_run(state: StateInline, start: int) -> int:
    end, marker = start, state.src[start]
    while end < state.posMax and state.src[end] == marker:
        end += 1
    return end


def _push(
    state: StateInline, marker: str, length: int, opens: bool, closes: bool, *, width: Literal[1, 2]
) -> None:
    """Add a run as the text tokens and delimiters that markdown-it pairs later."""
    for _ in range(length // width):
        state.push("text", "", 0).content = marker * width
        state.delimiters.append(
            Delimiter(
                marker=ord(marker),
                length=length if width == 1 else 0,  # 0: the "rule of three" is only for emphasis
                token=len(state.tokens) - 1,
                end=-1,
                open=opens,
                close=closes,
            )
        )


def joins_without_space(before: str, after: str) -> bool:
    """Whether a line break between two characters adds no space, as in `带\\n宽`.

    True between wide characters, between one of them and a quote or dash, and next to full-width punctuation,
    which has its own space.
    """
    if _WIDE_MARK.match(before) or _WIDE_MARK.match(after):
        return True
    wide_before, wide_after = _is_wide(before), _is_wide(after)
    return (wide_before and (wide_after or after in _SHARED)) or (wide_after and before in _SHARED)


def _is_wide(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _WIDE)

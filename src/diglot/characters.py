"""Characters that no text of a site may contain: they are invisible, and XML forbids most of them.

They are control characters other than tab and line ends, surrogates, and code points that Unicode will never
assign (noncharacters such as U+FFFE and U+FFFF).
"""

import re
from collections.abc import Iterator
from functools import cache

_UNASSIGNABLE = "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
_DELETE = 0x7F
FORBIDDEN = f"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef{_UNASSIGNABLE}"
"""The inside of a pattern's brackets."""
_TURNING = "\u202a-\u202e\u2066-\u2069"
"""Bidirectional controls: they display text in another order than programs read it. Chinese and English do
not need them."""


@cache
def _one_of(characters: str) -> re.Pattern[str]:
    """Compiled on first use: it takes a millisecond, and most builds check no text."""
    return re.compile(f"[{characters}]")


def forbidden_in(text: str) -> str | None:
    """The first forbidden character of a text; None if there is none."""
    if text.isprintable() or text.replace("\n", "").isprintable():  # most texts: ten times as fast
        return None
    found = _one_of(FORBIDDEN).search(text)
    return found[0] if found else None


def without_forbidden(text: str) -> str:
    """The text without its forbidden characters."""
    return text if forbidden_in(text) is None else _one_of(FORBIDDEN).sub("", text)


def forbidden_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, column (both from 1) and first forbidden character of each line that has one."""
    if forbidden_in(text) is not None:
        yield from _lines_with(_one_of(FORBIDDEN), text)


def turning_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and first character of each line with a character that reverses the text's direction."""
    if not (text.isprintable() or text.replace("\n", "").isprintable()):
        yield from _lines_with(_one_of(_TURNING), text)


def _lines_with(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int, str]]:
    line, start, told = 1, 0, 0
    for found in pattern.finditer(text):
        line += text.count("\n", start, found.start())
        start = found.start()
        if line > told:
            yield line, start - text.rfind("\n", 0, start), found[0]
            told = line


def is_forbidden(code: int) -> bool:
    """Whether a code point is forbidden or outside Unicode."""
    return not 0 <= code <= 0x10FFFF or _one_of(FORBIDDEN).match(chr(code)) is not None


def code_of(character: str) -> str:
    """The code point of a character as Unicode writes it: `U+0007`."""
    return f"U+{ord(character):04X}"


def visible(text: str) -> str:
    """The text with visible signs in place of invisible characters, safe to show on a terminal."""
    return text if text.isprintable() else _one_of(FORBIDDEN + _TURNING).sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)  # Unicode has pictures of control characters: ␇
    return "\u2421" if code == _DELETE else f"<{code_of(found[0])}>"

"""Characters that no text of a site may hold: nobody sees them, and XML has no place for most of them.

Control characters but tab and line ends, halves of characters (surrogates), and code points that Unicode
keeps free for ever (U+FFFE, U+FFFF and their like).
"""

import re
from collections.abc import Iterator
from functools import cache

_UNASSIGNABLE = "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
_DELETE = 0x7F
_FORBIDDEN = f"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef{_UNASSIGNABLE}"
_TURNING = "\u202a-\u202e\u2066-\u2069"
"""They show text in another order than it is read by a program; no Chinese or English text needs them."""


@cache
def _one_of(characters: str) -> re.Pattern[str]:
    """Made when it is first asked for: most builds look at no text, and it takes a millisecond."""
    return re.compile(f"[{characters}]")


def forbidden_in(text: str) -> str | None:
    """The first character of a text that it may not hold, None where there is none."""
    if text.isprintable() or text.replace("\n", "").isprintable():  # most texts: ten times as fast
        return None
    found = _one_of(_FORBIDDEN).search(text)
    return found[0] if found else None


def forbidden_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Each line that holds a forbidden character, by number and column from 1, with the first of them."""
    if forbidden_in(text) is not None:
        yield from _lines_with(_one_of(_FORBIDDEN), text)


def turning_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """The same for characters that turn the direction of text round."""
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
    """Whether a code point is one of them, or none at all."""
    return not 0 <= code <= 0x10FFFF or _one_of(_FORBIDDEN).match(chr(code)) is not None


def code_of(character: str) -> str:
    """How Unicode writes a character: `U+0007`."""
    return f"U+{ord(character):04X}"


def visible(text: str) -> str:
    """The text with signs in place of what nobody sees, so that it can be shown on a terminal."""
    return text if text.isprintable() else _one_of(_FORBIDDEN + _TURNING).sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)  # Unicode has pictures of these: ␇
    return "\u2421" if code == _DELETE else f"<{code_of(found[0])}>"

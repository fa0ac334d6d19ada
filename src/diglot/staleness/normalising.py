"""Texts as they are compared: two that differ in nothing but typography are the same.

What does not count: spaces next to anything but two letters or two digits, line wraps, the shape of quotation
marks, dashes and dots, and full-width forms. In code only spaces at the ends of lines do not count.
"""

import re
from functools import cache
from itertools import pairwise

from diglot.digests import digest_of
from diglot.languages import HAN

_QUOTES = "\"'´‘’‚‛“”„‟′″«»‹›「」『』〝〞〟＂＇"  # not the backtick, which marks code
_DASHES = "‐‑‒–—―−－⸺─"
_SPACES = (
    "\u00a0\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_NOTHING = "\u00ad\u200b\u200c\u200d\u2060\ufeff"

_SAME = str.maketrans(
    {
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
        **dict.fromkeys(_QUOTES, "'"),
        **dict.fromkeys(_DASHES, "-"),
        **dict.fromkeys(_SPACES, " "),
        **dict.fromkeys(_NOTHING),
        "。": ".",
        "｡": ".",
        "、": ",",
        "､": ",",
        "…": "...",
        "⋯": "...",
        "•": "·",
        "・": "·",
    }
)
_ENTITY = re.compile(r"&(?:nbsp|ensp|emsp|thinsp|#160|#xa0|#8239);", re.IGNORECASE)
_DASH_RUN = re.compile("-{3,}|[" + _DASHES + "]{2,}")
"""The line below the head of a table, and the Chinese dash, which is two."""
_DOTS = re.compile(r"\.{3,}")
_IDS = re.compile(r"\{#[^\s{}]+\}")
_LINE_ENDS = re.compile(r"[ \t\r]+$", re.MULTILINE)
_SPACE = re.compile(r"\s+")

_VERBATIM = frozenset(("code",))
_DIGITS = 12
"""Hexadecimal digits of a digest: two texts of an article agree by chance once in 10¹⁰ articles."""


def normalised(text: str, kind: str) -> str:
    """A block's Markdown as it is compared."""
    if kind in _VERBATIM:
        return _LINE_ENDS.sub("", text.strip("\n"))
    text = _DASH_RUN.sub("-", _IDS.sub("", _ENTITY.sub(" ", text)))
    text = _SPACE.sub(" ", text.translate(_SAME)).strip()
    text = _DOTS.sub("...", text)
    return " ".join(part.replace(" ", "") for part in _kept_space().split(text))


@cache  # compiled when an article keeps count: most do not
def _kept_space() -> re.Pattern[str]:
    letter = f"[^\\W\\d_{HAN}]"
    return re.compile(f"(?<={letter}) (?={letter})|(?<=\\d) (?=\\d)")


def bigrams(text: str) -> frozenset[str]:
    """The pairs of neighbouring characters of a normalised text, by which likeness is measured."""
    return frozenset(map("".join, pairwise(text)))


def digest(text: str, kind: str) -> str:
    """The digest of a block's Markdown, by which `sync.txt` knows it again."""
    return digest_of(normalised(text, kind).encode())[:_DIGITS]

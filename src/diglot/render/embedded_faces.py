"""Font faces inside a page that is a single file: those that nothing in it is set in are left out."""

import re
from html import unescape

_FACE = re.compile(r"@font-face\s*\{[^}]*\}\s*")
_EMBEDDED = 'url("data:'
_RANGE = re.compile(r"unicode-range:\s*([^;}]+)")
_FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)
"""Formulas have a font of their own."""
_REFERENCE = re.compile(r"&#?\w+;")
_ITALIC_FACE = re.compile(r"font-style:\s*italic")
_ITALICS = re.compile(r'<(?:em|i|cite|dfn|var|address)\b|italic|oblique|<link rel="stylesheet"')
"""Elements that browsers set in italics, and styles that may do so."""


def without_unused_faces(page: str) -> str:
    """The page without embedded faces that it does not need.

    Those are faces whose `unicode-range` has no character that is in the page, and italic ones of a page
    without italics. Faces at an address stay: browsers fetch them only where they need them.
    """
    rest = _FACE.sub("", page)
    text = _FORMULA.sub("", rest)
    codes = {*map(ord, {*text, *unescape("".join({*_REFERENCE.findall(text)}))})}
    has_italics = _ITALICS.search(rest) is not None

    def kept(face: re.Match[str]) -> str:
        rule = face[0]
        if _EMBEDDED not in rule:
            return rule
        range_ = _RANGE.search(rule)
        is_needed = range_ is None or any(not codes.isdisjoint(_codes(one)) for one in range_[1].split(","))
        return rule if is_needed and (has_italics or not _ITALIC_FACE.search(rule)) else ""

    return _FACE.sub(kept, page)


def _codes(range_: str) -> range:
    first, _, last = range_.strip().removeprefix("U+").partition("-")
    return range(int(first, 16), int(last or first, 16) + 1)

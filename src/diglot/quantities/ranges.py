"""What is between the ends of a range: `2–4`, `20-25%`, `2--4`, `40到60毫秒`, `between 40 and 60 ms`."""

import re

_BETWEEN = re.compile(r"[ \u00a0\u202f\u2009]?(?:[–—~～]|--?|至|到|\bto\b|\bor\b|或)[ \u00a0\u202f\u2009]?")
_AND = re.compile(r"[ \u00a0]and[ \u00a0]|[ \u00a0]?[和与][ \u00a0]?")
_OPENS = re.compile(r"(?:\bbetween|介于|在)[ \u00a0]?\Z", re.I)


def range_mark_at(text: str, start: int, before: str) -> int | None:
    """Where the second end of a range begins, if one may; `before` is the text before its first end."""
    mark = _BETWEEN.match(text, start) or (_AND.match(text, start) if _OPENS.search(before[-10:]) else None)
    return None if mark is None else mark.end()

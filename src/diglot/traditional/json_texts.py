"""Texts in JSON, replaced where they are: all else keeps its bytes."""

import json
import re
from collections.abc import Callable

from diglot.languages import HAN, HTML_LANG, TRADITIONAL

_STRING = r'"(?:[^"\\]|\\.)*+"'
_TEXT = re.compile(rf'"code"\s*:\s*{_STRING}|(:\s*)?({_STRING})(?=(\s*:)?)')
"""A text, with the colon before a value or behind a key; or a line of code, which stays."""
_MATTERS = re.compile(rf"[{HAN}]|\\u|zh")


def with_texts(content: str, convert: Callable[[str], str]) -> str:
    """JSON with other texts. Keys and lines of code stay.

    A language that is a value of its own is now the converted one.
    """

    def replaced(found: re.Match[str]) -> str:
        colon, text, is_key = found[1] or "", found[2], found[3]
        if text is None or is_key or _MATTERS.search(text) is None:
            return found[0]
        before: str = json.loads(text)
        after = HTML_LANG[TRADITIONAL] if colon and before == HTML_LANG["zh"] else convert(before)
        return found[0] if after == before else colon + json.dumps(after, ensure_ascii=False)

    return _TEXT.sub(replaced, content)

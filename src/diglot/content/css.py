"""The addresses in CSS: of pictures in `url(…)` and `image-set(…)`, and of style sheets that one imports."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from diglot.web_addresses import is_elsewhere

_STRING = r""""(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'"""
_TOKEN = re.compile(
    rf"""/\*.*?(?:\*/|\Z)|(?P<import>@import\s++)?(?:\burl\(\s*+(?:(?P<quoted>{_STRING})|(?P<bare>(?:[^\s"'()\\]|\\.)*+))\s*+\)|(?P<string>{_STRING})|(?P<function>(?<![\w-])[\w-]*+)\(|(?P<close>\)))""",
    re.DOTALL | re.IGNORECASE,
)
_OF_PICTURES = ("image-set", "-webkit-image-set")
"""Functions in which a string is an address, but not in those inside: `type("image/avif")`."""
_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})\s?|\n|(.))", re.DOTALL)
_NO_PICTURES = frozenset(("eot", "otf", "ttf", "woff", "woff2", "css"))
"""Endings of fonts and style sheets."""


class Url(NamedTuple):
    """An address in CSS."""

    target: str
    start: int
    is_picture: bool


def pieces_of_css(css: str) -> Iterator[str | Url]:
    """CSS with the addresses of files in it. One within the page, such as `url(#shadow)`, is text."""
    position = 0
    functions: list[str] = []
    for found in _TOKEN.finditer(css):
        if found["function"] is not None:
            functions.append(found["function"].lower())
        elif found["close"] is not None and functions:
            functions.pop()
        if (written := found["quoted"] or found["bare"]) is None:
            is_address = found["import"] or (functions and functions[-1] in _OF_PICTURES)
            written = found["string"] if is_address else None
        if written is None:
            continue
        quoted = written[1:-1] if written[:1] in ('"', "'") else written
        target = _ESCAPE.sub(_character, quoted).strip()
        if not target or target.startswith("#") or is_elsewhere(target):
            continue
        ending = target.partition("?")[0].partition("#")[0].rpartition(".")[2].lower()
        yield f"{css[position : found.start()]}{found['import'] or ''}url("
        yield Url(target, found.start(), not found["import"] and ending not in _NO_PICTURES)
        yield ")"
        position = found.end()
    yield css[position:]


def _character(found: re.Match[str]) -> str:
    code, character = found.groups()
    if code is None:
        return character or ""
    number = int(code, 16)
    return chr(number) if 0 < number < 0xD800 or 0xE000 <= number < 0x110000 else "\ufffd"

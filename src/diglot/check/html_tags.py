"""The tags of a finished page that say something to checks, read as browsers read them."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from diglot.html_tags import ATTRIBUTES, COMMENT, ENDS_OF_RAW_TEXT, SPACE, attributes_in

_MEANINGFUL_ALONE = ("template", "svg", "title", "script", "style", "textarea")
_SAYS_NOTHING = (
    rf'[a-z][a-z0-9]*+{"".join(f"(?<!{name})" for name in _MEANINGFUL_ALONE)}(?: class="[^"<>]*")?>'
)
"""Most tags, as those in highlighted code: a page is read in half the time without them."""
_MARKUP = re.compile(
    rf"<(?:{COMMENT}|(?i:(?P<end>/(?:template|svg|picture)))(?=[{SPACE}/>])[^>]*"
    rf"|(?!{_SAYS_NOTHING})(?P<start>[A-Za-z][^{SPACE}/>]*+)(?P<attributes>{ATTRIBUTES})[{SPACE}/]*+>)",
    re.DOTALL,
)


class Tag(NamedTuple):
    """A tag with an attribute besides `class`, or of an element whose beginning or end matters to checks."""

    name: str
    """In small letters. Begins with a slash for an end tag."""
    attributes: dict[str, str]
    line: int
    title: str | None
    """The text of a page's title; None for other tags, and for the title of a drawing."""


def tags_of(html: str) -> Iterator[Tag]:
    """The tags that say something, without those in comments, scripts and styles."""
    position, line, counted, in_svg = 0, 1, 0, 0
    while (found := _MARKUP.search(html, position)) is not None:
        start, position = found.span()
        name = (found["start"] or found["end"] or "").lower()
        if not name:
            continue
        line, counted = line + html.count("\n", counted, start), start
        in_svg += (name == "svg") - (name == "/svg")
        title = None
        if name in ENDS_OF_RAW_TEXT and not (name == "title" and in_svg > 0):
            end = ENDS_OF_RAW_TEXT[name].search(html, position)
            text = html[position : end.start() if end else None]
            position += len(text)
            title = unescape(text) if name == "title" else None
        attributes = {one.name: one.value for one in attributes_in(found["attributes"] or "")}
        yield Tag(name, attributes, line, title)

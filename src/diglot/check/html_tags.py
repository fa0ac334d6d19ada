"""The tags of a finished page that say something to checks, read as browsers read them."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

_SPACE = r"\t\n\f\r "
_VALUE = rf"""(?:"([^"]*)"|'([^']*)'|([^{_SPACE}>"'][^{_SPACE}>]*+))"""
_ATTRIBUTE = rf"[{_SPACE}/]*+([^{_SPACE}/>][^{_SPACE}/>=]*+)(?:[{_SPACE}]*+=[{_SPACE}]*+{_VALUE}?+)?+"
_ATTRIBUTES = re.sub(r"\((?!\?)", "(?:", _ATTRIBUTE)
_MEANINGFUL_ALONE = ("template", "svg", "title", "script", "style", "textarea")
_SAYS_NOTHING = (
    rf'[a-z][a-z0-9]*+{"".join(f"(?<!{name})" for name in _MEANINGFUL_ALONE)}(?: class="[^"<>]*")?>'
)
"""Most tags, as those in highlighted code: a page is read in half the time without them."""
_MARKUP = re.compile(
    rf"<(?:!--(?:-?>|.*?--!?>|.*)|[!?][^>]*|(?i:(?P<end>/(?:template|svg|picture)))(?=[{_SPACE}/>])[^>]*"
    rf"|(?!{_SAYS_NOTHING})(?P<start>[A-Za-z][^{_SPACE}/>]*+)(?P<attributes>(?:{_ATTRIBUTES})*+)[{_SPACE}/]*+>)",
    re.DOTALL,
)
_ONE_ATTRIBUTE = re.compile(_ATTRIBUTE)
_ENDS_OF_TEXT = {
    name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "title")
}


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
        if name in _ENDS_OF_TEXT and not (name == "title" and in_svg > 0):
            end = _ENDS_OF_TEXT[name].search(html, position)
            text = html[position : end.start() if end else None]
            position += len(text)
            title = unescape(text) if name == "title" else None
        yield Tag(name, _attributes_in(found["attributes"] or ""), line, title)


def _attributes_in(written: str) -> dict[str, str]:
    return {
        name.lower(): unescape(quoted or single or bare)
        for name, quoted, single, bare in _ONE_ATTRIBUTE.findall(written)
    }

"""The tags of HTML, read as browsers read them; start tags are written again from what was read.

The standard library's parser reads attributes differently from one version of Python to the next. This one
follows the standard's tokenizer (https://html.spec.whatwg.org/multipage/parsing.html), never reads a text
twice, and knows where everything is.
"""

import re
from collections import deque
from collections.abc import Iterator
from html.entities import html5
from typing import NamedTuple

SPACE = r"\t\n\f\r "
_VALUE = rf"""(?:"([^"]*+)"|'([^']*+)'|([^{SPACE}>"'][^{SPACE}>]*+))"""
_WITH_VALUE = rf"[{SPACE}]*+=[{SPACE}]*+(?:{_VALUE}|(?=>)|\Z)"
_ATTRIBUTE = rf"[{SPACE}/]*+([^{SPACE}/>][^{SPACE}/>=]*+)(?:{_WITH_VALUE}|(?![{SPACE}]*+=))"
ATTRIBUTES = f"(?:{re.sub(r'[(](?![?])', '(?:', _ATTRIBUTE)})*+"
"""The attributes of a start tag, as a part of a regular expression."""
COMMENT = r"!--(?:-?>|.*?--!?>|.*)|[!?][^>]*+"
"""What begins with `<` and is no tag, without that sign."""
_MARKUP = re.compile(
    rf"<(?:{COMMENT}|(?P<closes>/?+)(?P<name>[A-Za-z][^{SPACE}/>]*+)(?P<inside>{ATTRIBUTES})(?P<rest>[{SPACE}/]*+)(?P<end>>)?)",
    re.DOTALL,
)
_ONE_ATTRIBUTE = re.compile(_ATTRIBUTE)
VOID = frozenset(re.findall(r"\w+", "area base br col embed hr img input link meta param source track wbr"))
"""Elements without content, and so without an end tag."""
END_MAY_BE_LEFT_OUT = frozenset(
    re.findall(
        r"\w+", "p li dt dd td th tr thead tbody tfoot colgroup option optgroup rt rp caption html body"
    )
)
ENDS_OF_RAW_TEXT = {
    name: re.compile(f"</{name}(?=[{SPACE}/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "iframe", "xmp", "noembed", "noframes")
}
"""Elements in which a `<` begins nothing but their end."""
_REFERENCE = re.compile(r"&(#[0-9]++;?+|#[xX][0-9a-fA-F]++;?+|[A-Za-z][A-Za-z0-9]*+(?:;|(?!=)))")


class Attribute(NamedTuple):
    """An attribute of a start tag."""

    name: str
    """In small letters."""
    value: str
    """Without character references; empty if it has none."""
    source: str
    """As it is written: `src = 'a.png'`."""
    start: int
    """Where its name begins in the text."""


class Tag(NamedTuple):
    """A tag in a piece of HTML, at positions `start` to `end`."""

    name: str
    """In small letters."""
    closes: bool
    opens: bool
    """False for elements without content."""
    is_self_closing: bool
    """Whether it ends in a slash."""
    start: int
    end: int
    source: str
    """As it is written, with its angle brackets."""


def tags_of(html: str) -> Iterator[Tag]:
    """All tags outside comments, scripts, styles and other elements of raw text.

    One that does not end takes the rest of the text with it, as in browsers, and is none.
    """
    return (piece for piece in fragments_of(html) if isinstance(piece, Tag))


class Markup(NamedTuple):
    """What is between two tags and is no text: a comment, or a tag that does not end."""

    source: str


def fragments_of(html: str) -> Iterator[Tag | Markup | str]:
    """A piece of HTML in tags, text, and other markup. The texts of scripts and the like are text."""
    position = 0
    while (found := _MARKUP.search(html, position)) is not None:
        start = found.start()
        if start > position:
            yield html[position:start]
        position = found.end()
        closes, written, rest, end = found.group("closes", "name", "rest", "end")
        if written is None:
            if not html.startswith("<!--", start) and html.startswith(">", position):
                position += 1
            yield Markup(html[start:position])
            continue
        if end is None:
            yield Markup(html[start:])
            return
        name, is_self_closing = written.lower(), rest[-1:] == "/"
        opens = not (closes or is_self_closing or name in VOID)
        yield Tag(name, closes == "/", opens, is_self_closing, start, position, found.group())
        if opens and name in ENDS_OF_RAW_TEXT:
            raw_text = html[position : end_of_raw_text(html, name, position)]
            if raw_text:
                yield raw_text
            position += len(raw_text)
    if position < len(html):
        yield html[position:]


def unfinished_tag(html: str) -> tuple[str, int] | None:
    """The name and the beginning of a tag that does not end: a quotation mark may be missing."""
    last = deque(tags_of(html), maxlen=1)
    position = last[0].end if last else 0
    if last and last[0].opens and last[0].name in ENDS_OF_RAW_TEXT:
        position = end_of_raw_text(html, last[0].name, position)
    found = _next_tag(html, position)
    return None if found is None else (found["closes"] + found["name"].lower(), found.start())


def _next_tag(html: str, position: int) -> re.Match[str] | None:
    while (found := _MARKUP.search(html, position)) is not None and found["name"] is None:
        position = found.end()
    return found


def end_of_raw_text(html: str, name: str, position: int) -> int:
    """Where the end tag of a script, style or the like is, or the end of the text without one."""
    ends = ENDS_OF_RAW_TEXT[name].search(html, position)
    return len(html) if ends is None else ends.start()


def attributes_of(tag: Tag) -> tuple[Attribute, ...]:
    """The attributes of a start tag, each once: browsers ignore one that was there before."""
    begins = len(tag.name) + 1
    return attributes_in(tag.source[begins:-1], tag.start + begins)


def attributes_in(source: str, start: int = 0) -> tuple[Attribute, ...]:
    """The attributes in the part of a tag behind its name, which begins at `start` of the text."""
    attributes: dict[str, Attribute] = {}
    for attribute in written_attributes(source, start):
        attributes.setdefault(attribute.name, attribute)
    return tuple(attributes.values())


def written_attributes(source: str, start: int) -> Iterator[Attribute]:
    """The same with those that browsers ignore."""
    for found in _ONE_ATTRIBUTE.finditer(source):
        name, double, single, bare = found.groups()
        at = found.start(1)
        yield Attribute(
            name.lower(), decoded(double or single or bare or ""), source[at : found.end()], start + at
        )


def decoded(value: str) -> str:
    """The value of an attribute without character references; `?a=1&copy=2` has none, as in browsers."""
    return _REFERENCE.sub(_character, value) if "&" in value else value


def _character(found: re.Match[str]) -> str:
    from html import unescape  # noqa: PLC0415  (few values have references)

    reference = found[1]
    return unescape(found[0]) if reference[0] == "#" or reference in html5 else found[0]


class Candidate(NamedTuple):
    """One file that a `srcset` offers."""

    address: str
    condition: str
    """Such as `2x` or `400w`; empty for none."""


PAINTED = frozenset(
    re.findall(r"[\w-]+", "fill stroke filter mask clip-path cursor marker-start marker-mid marker-end")
)
"""Attributes of SVG that hold CSS, as `fill="url(colours.svg#warm)"` does."""
_REFRESH = re.compile(
    rf"[{SPACE}]*+[0-9.]*+[{SPACE};,]++(?:url[{SPACE}]*+=[{SPACE}]*+)?(['\"]?)(.*)", re.S | re.I
)


def refresh_target(content: str) -> str:
    """Where a page leads on to at once, by what `<meta http-equiv="refresh">` says; empty for nowhere."""
    if (found := _REFRESH.fullmatch(content)) is None:
        return ""
    mark, target = found.groups()
    return (target.partition(mark)[0] if mark else target).strip()


_CANDIDATE = re.compile(rf"[{SPACE},]*+([^{SPACE}]++)([^,(]*+(?:\([^)]*+\)?[^,(]*+)*+)")


def candidates_in(srcset: str) -> Iterator[Candidate]:
    """The files that a `srcset` offers; a comma inside an address belongs to it."""
    position = 0
    while (found := _CANDIDATE.match(srcset, position)) is not None:
        address, condition = found.groups()
        position = found.end()
        if (bare := address.rstrip(",")) != address:
            position, condition = found.end(1), ""
        yield Candidate(bare, condition.strip())

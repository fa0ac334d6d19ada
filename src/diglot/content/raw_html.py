"""HTML inside Markdown: its addresses, unclosed elements, and `markdown="1"` blocks."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Literal, NamedTuple

from markdown_it.rules_block import StateBlock

from diglot.content.css import Url, pieces_of_css
from diglot.content.records import PlaceholderContext
from diglot.html_tags import (
    END_MAY_BE_LEFT_OUT,
    PAINTED,
    VOID,
    Attribute,
    Tag,
    attributes_of,
    candidates_in,
    end_of_raw_text,
    refresh_target,
    tags_of,
)

AddressKind = Literal["link", "image", "file"]
"""`link` for addresses that readers follow, `image` for pictures, `file` for what else the page loads."""
_IN_SVG: dict[str, AddressKind] = {"href": "image", "xlink:href": "image"}
_CITE: dict[str, AddressKind] = {"cite": "link"}
_FILE: dict[str, AddressKind] = {"src": "file"}
_BACKGROUND: dict[str, AddressKind] = {"background": "image"}
_ADDRESSES: dict[str, dict[str, AddressKind]] = {
    "a": {"href": "link", "xlink:href": "link"},
    "area": {"href": "link"},
    "img": {"src": "image"},
    "source": _FILE,
    "video": {"src": "file", "poster": "image"},
    "audio": _FILE,
    "track": _FILE,
    "iframe": _FILE,
    "embed": _FILE,
    "script": _FILE,
    "link": {"href": "file"},
    "object": {"data": "file"},
    "input": {"src": "image", "formaction": "link"},
    "button": {"formaction": "link"},
    "form": {"action": "link"},
    "blockquote": _CITE,
    "q": _CITE,
    "del": _CITE,
    "ins": _CITE,
    "image": _IN_SVG,
    "feimage": _IN_SVG,
    "use": {"href": "file", "xlink:href": "file"},
    **dict.fromkeys(("body", "table", "td", "th"), _BACKGROUND),
}
"""The attributes of each element that hold an address; `style` and `srcset` hold several in any."""
_WITH_CANDIDATES = {"img": "srcset", "source": "srcset", "link": "imagesrcset"}
_LOADED = frozenset(
    (
        "stylesheet",
        "icon",
        "apple-touch-icon",
        "mask-icon",
        "manifest",
        "preload",
        "modulepreload",
        "prefetch",
    )
)
"""The relations of a `<link>` whose target the page loads; of others, the check of finished pages judges."""


class Address(NamedTuple):
    """An address in a piece of HTML."""

    kind: AddressKind
    target: str
    start: int
    """Where its attribute begins."""
    context: PlaceholderContext


class PictureSize(NamedTuple):
    """Where a picture's width and height are written; both as the author gave them, empty for neither."""

    target: str
    width: str
    height: str


Piece = str | Address | PictureSize


def pieces_of(html: str) -> Iterator[Piece]:
    """HTML with the addresses in it. A tag with one is written again, with each of its attributes once."""
    position = 0
    for tag in tags_of(html):
        if tag.closes:
            continue
        attributes = attributes_of(tag)
        given = {one.name: one.value for one in attributes}
        found = {one.name: pieces for one in attributes if (pieces := _in_attribute(tag.name, one, given))}
        values = {
            name: pieces for name, pieces in found.items() if any(isinstance(one, Address) for one in pieces)
        }
        if values:
            yield html[position : tag.start]
            yield from _written(tag, attributes, values)
            position = tag.end
        if tag.name == "style" and tag.opens:
            yield html[position : tag.end]
            position = end_of_raw_text(html, "style", tag.end)
            for piece in pieces_of_css(html[tag.end : position]):
                yield piece if isinstance(piece, str) else _url(piece, tag.end, "style")
    yield html[position:]


def _in_attribute(element: str, attribute: Attribute, given: Mapping[str, str]) -> list[Piece]:
    """The value of an attribute with the addresses in it; empty where there are none.

    `given` are the values of all attributes of the tag.
    """
    name, value, start = attribute.name, attribute.value, attribute.start
    if name == "style" or name in PAINTED:
        if "(" not in value:
            return []
        styled = pieces_of_css(value)
        return [
            escape(one) if isinstance(one, str) else _url(one, start, "style-attribute") for one in styled
        ]
    if name == _WITH_CANDIDATES.get(element):
        offered: list[Piece] = []
        for address, condition in candidates_in(value):
            offered.append(", " if offered else "")
            offered.append(Address("image", address, start, "srcset"))
            offered.append(escape(f" {condition}" if condition else ""))
        return offered
    kind = _ADDRESSES.get(element, {}).get(name)
    target = value.strip()
    before = ""
    if element == "link" and _LOADED.isdisjoint(given.get("rel", "").lower().split()):
        kind = None
    elif element == "meta" and name == "content" and given.get("http-equiv", "").lower() == "refresh":
        kind, target = "link", refresh_target(value)
        before = f"{(re.match(r'[0-9.]+', value.strip()) or ['0'])[0]}; url="
    if kind is None or (not target and kind != "image") or target[:1] == "?":
        return []
    if target[:1] == "#" and kind != "link":
        return []
    return [*filter(None, [escape(before)]), Address(kind, target, start, "attribute")]


_NOTHING_LOST = frozenset(("form", "input", "button", "blockquote", "q", "del", "ins"))
"""Elements in which an empty address is that of the page itself, or one that readers do not follow."""


def lacks_address(element: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element shows nothing or leads nowhere: its address is empty, or a picture has none."""
    if element == "img":
        return attributes.keys().isdisjoint(
            ("src", "srcset", "data-src")
        )  # an empty src is a missing picture
    kinds = {} if element in _NOTHING_LOST else _ADDRESSES.get(element, {})
    return any(kind != "image" and not attributes.get(name, "#").strip() for name, kind in kinds.items())


def _url(url: Url, start: int, context: PlaceholderContext) -> Address:
    return Address("image" if url.is_picture else "file", url.target, start + url.start, context)


def _written(tag: Tag, attributes: Iterable[Attribute], values: dict[str, list[Piece]]) -> Iterator[Piece]:
    """A start tag with other values; a picture also with the size of its file, where its author gave none."""
    size = _size(attributes, values) if tag.name == "img" else None
    yield tag.source[: len(tag.name) + 1]
    for one in attributes:
        if one.name in values:
            yield f' {one.source[: len(one.name)]}="'
            yield from values[one.name]
            yield '"'
        elif size is None or one.name not in ("width", "height"):
            yield f" {one.source}"
        if one.name == "src" and size is not None:
            yield size
    yield " />" if tag.is_self_closing else ">"


def _size(attributes: Iterable[Attribute], values: dict[str, list[Piece]]) -> PictureSize | None:
    """The size to be written with a picture. None where it is in other units than pixels, or in a style."""
    given = {one.name: one.value for one in attributes}
    width, height = given.get("width", ""), given.get("height", "")
    is_written = all(not side or is_pixels(side) for side in (width, height))
    if "src" not in values or not is_written or "height" in given.get("style", ""):
        return None
    return next(PictureSize(one.target, width, height) for one in values["src"] if isinstance(one, Address))


def is_pixels(side: str) -> bool:
    """Whether a side of a picture is a number of pixels, as in HTML."""
    return side.isascii() and side.isdigit() and len(side) <= _MOST_DIGITS


_MOST_DIGITS = 6


def update_open_elements(html: str, stack: list[str]) -> str | None:
    """Update the stack of open elements; return the first end tag's name that closes nothing, else None."""
    for tag in tags_of(html):
        if tag.name in END_MAY_BE_LEFT_OUT:
            continue
        if tag.opens:
            stack.append(tag.name)
        elif tag.closes and tag.name not in VOID:
            if not stack or stack[-1] != tag.name:
                return tag.name
            stack.pop()
    return None


_NOT_IN_ITSELF = frozenset(
    re.findall(
        r"\w+", "a b cite code del em h1 h2 h3 h4 h5 h6 i ins kbd mark s small strong sub summary sup u"
    )
)


def fix_of_open(open_elements: Sequence[str], otherwise: str) -> str:
    """What to do about the last element that is never closed: one inside its like was meant as its end."""
    *_, before, name = ("", "", *open_elements)
    is_end = name == before and name in _NOT_IN_ITSELF
    return f"write </{name}> for the second <{name}>." if is_end else otherwise


_MARKDOWN_INSIDE = frozenset(("", "1", "block", "span"))
"""Values of the attribute `markdown`, which may stand alone."""
_FENCE = re.compile(r"`{3,}|~{3,}")


def markdown_in_html(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: `<div markdown="1">` on a line of its own, Markdown, and `</div>`.

    The same on one line is `<div markdown="1">**text**</div>`. The attribute is dropped, the content is
    parsed.
    """
    begin, finish = state.bMarks[start] + state.tShift[start], state.eMarks[start]
    if state.is_code_block(start) or not state.src.startswith("<", begin) or not state.md.options.html:
        return False
    line = state.src[begin:finish]
    opening = next(tags_of(line), None) if "markdown" in line else None
    if opening is None or opening.start or opening.closes or opening.is_self_closing:
        return False
    attributes = attributes_of(opening)
    if not any(one.name == "markdown" and one.value in _MARKDOWN_INSIDE for one in attributes):
        return False
    name = opening.name
    rest = line[opening.end :].strip()
    one_line = rest.endswith(f"</{name}>")
    closing = start if one_line else _find_closing(state, name, start, end)
    if silent:
        return True

    token = state.push("html_open", "", 1)
    kept = "".join(f" {one.source}" for one in attributes if one.name != "markdown")
    token.content = f"{opening.source[: len(name) + 1]}{kept}>"
    token.info = name
    token.map = [start, (end if closing is None else closing + 1)]
    token.meta = {"closed": closing is not None, "rest": rest if not one_line else ""}
    if one_line:
        inline = state.push("inline", "", 0)
        inline.content = rest[: -len(f"</{name}>")].strip()
        inline.map = [start, start + 1]
        inline.children = []
    else:
        _tokenize_inside(state, start + 1, end if closing is None else closing)
    state.push("html_close", "", -1).content = f"</{name}>"
    state.line = end if closing is None else closing + 1
    return True


def _tokenize_inside(state: StateBlock, first: int, last: int) -> None:
    """Parse the lines between the tags; indentation that all of them share is layout, not code."""
    indents = [state.sCount[line] for line in range(first, last) if not state.isEmpty(line)]
    old = state.blkIndent, state.parentType, state.lineMax
    state.blkIndent = max(state.blkIndent, min(indents, default=0))
    state.parentType = "html"
    state.lineMax = last
    state.md.block.tokenize(state, first, last)
    state.blkIndent, state.parentType, state.lineMax = old


def _find_closing(state: StateBlock, name: str, start: int, end: int) -> int | None:
    """The line that begins with the matching end tag: nested elements are counted, fences skipped."""
    opens, closes = re.compile(rf"<{name}[\s>]", re.IGNORECASE), re.compile(rf"</{name}\s*>", re.IGNORECASE)
    depth, fence = 1, ""
    for line in range(start + 1, end):
        text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
        if found := _FENCE.match(text):
            if not fence:
                fence = found.group()
            elif found.group().startswith(fence):
                fence = ""
            continue
        if fence:
            continue
        depth += len(opens.findall(text)) - len(closes.findall(text))
        if depth <= 0:
            return line if closes.match(text) else None
    return None

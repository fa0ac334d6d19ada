"""HTML inside Markdown: its addresses, unclosed elements, and `markdown="1"` blocks."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from markdown_it.rules_block import StateBlock

from diglot.invariants import certain

_TAG = re.compile(r"""<!--|<(/?)([A-Za-z][A-Za-z0-9-]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>""")
_VOID = frozenset(re.findall(r"\w+", "area base br col embed hr img input link meta param source track wbr"))
_END_MAY_BE_LEFT_OUT = frozenset(
    re.findall(
        r"\w+", "p li dt dd td th tr thead tbody tfoot colgroup option optgroup rt rp caption html body"
    )
)
_ENDS_OF_RAW_TEXT = {
    name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "title")
}
_ADDRESSES = {
    "a": "href",
    "img": "src",
    "source": "src",
    "video": "src|poster",
    "audio": "src",
    "iframe": "src",
    "embed": "src",
    "object": "data",
}


class Tag(NamedTuple):
    """A tag in a piece of HTML."""

    name: str
    closes: bool
    opens: bool
    """False for void and self-closing elements."""
    start: int
    end: int


class Address(NamedTuple):
    """An address in a piece of HTML, at positions `start` to `end`."""

    kind: str
    """`link` for addresses that readers follow, `image` for what the page loads."""
    target: str
    start: int
    end: int


def tags_of(html: str) -> Iterator[Tag]:
    """All tags outside comments, scripts, styles and other elements of raw text."""
    position = 0
    while (found := _TAG.search(html, position)) is not None:
        position = found.end()
        if found.group(2) is None:
            end = html.find("-->", position)
            if end < 0:
                return
            position = end + 3
            continue
        name = found.group(2).lower()
        opens = not found.group(1) and name not in _VOID and not found.group(3).endswith("/")
        yield Tag(name, bool(found.group(1)), opens, found.start(), found.end())
        if opens and name in _ENDS_OF_RAW_TEXT:
            ends = _ENDS_OF_RAW_TEXT[name].search(html, position)
            position = len(html) if ends is None else ends.start()


def update_open_elements(html: str, stack: list[str]) -> str | None:
    """Update the stack of open elements; return the first end tag's name that closes nothing, else None."""
    for tag in tags_of(html):
        if tag.name in _END_MAY_BE_LEFT_OUT:
            continue
        if tag.opens:
            stack.append(tag.name)
        elif tag.closes and tag.name not in _VOID:
            if not stack or stack[-1] != tag.name:
                return tag.name
            stack.pop()
    return None


def addresses_of(html: str) -> Iterator[Address]:
    """The addresses of links, images and media."""
    for tag in tags_of(html):
        names = _ADDRESSES.get(tag.name)
        if names is None or tag.closes:
            continue
        text = html[tag.start : tag.end]
        value = r"""(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))"""
        for found in re.finditer(rf"\s(?:{names})\s*=\s*{value}", text, re.IGNORECASE):
            group = certain(found.lastindex, "one of the three ways to quote was found")
            yield Address(
                "link" if tag.name == "a" else "image",
                unescape(found.group(group)),
                tag.start + found.start(group),
                tag.start + found.end(group),
            )


_MARKDOWN_ATTRIBUTE = re.compile(
    r"""\s+markdown(?:=(?:"(?:1|block|span)"|'(?:1|block|span)'|1))?(?=[\s>/])"""
)
_OPENING = re.compile(r"<([A-Za-z][A-Za-z0-9-]*)(?:\s[^<>]*)?>")
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
    opening = _OPENING.match(line)
    if opening is None or _MARKDOWN_ATTRIBUTE.search(opening.group()) is None:
        return False
    name = opening.group(1).lower()
    rest = line[opening.end() :].strip()
    one_line = rest.endswith(f"</{name}>")
    closing = start if one_line else _find_closing(state, name, start, end)
    if silent:
        return True

    token = state.push("html_open", "", 1)
    token.content = _MARKDOWN_ATTRIBUTE.sub("", opening.group(), count=1)
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

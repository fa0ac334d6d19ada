"""Headings, fences and small marks that the old systems write differently."""

import re

from markdown_it import MarkdownIt

from diglot.importing.text.body import Body, line_starts
from diglot.importing.text.counting import count_characters

_PARSER = MarkdownIt("commonmark", {"maxNesting": 40})
_ATX = re.compile(r"^([ \t>*+-]*|[ \t]*[0-9]+[.)][ \t]+)(#{1,6})(?=[ \t]|$)")
_NAME = re.compile(r"[ \t]*\{#[\w:.-]+\}[ \t]*")
"""The name of the heading below it."""
_TIGHT = re.compile(r"^(#{2,6})(?=[^\s#!{])", re.MULTILINE)
_TOC = re.compile(
    r"^[ \t]*(?:\[TOC\]|\[\[TOC\]\]|<!-- ?/?TOC ?-->|@\[TOC\](?:\([^)\n]*\))?)[ \t]*\n?",
    re.MULTILINE | re.IGNORECASE,
)


def tidy_marks(body: Body, *, tight_headings: bool) -> None:
    """Remove tables of contents, which every page has in one place.

    With `tight_headings`, `##Title` is a heading, as in kramdown and older versions of marked.
    """
    body.substitute(_TOC, lambda found: "", in_code=False)
    body.replace(
        (f.start(), f.end(), "") for f in re.finditer(r"<!-- ?/?TOC ?-->\n?", body.text, re.IGNORECASE)
    )
    if tight_headings:
        body.substitute(_TIGHT, lambda found: f"{found[1]} ")


def shift_headings(body: Body, title: str) -> None:
    """Make headings begin with `##`, because the title is in the front matter.

    Removes a first heading that repeats the title. If another heading has one `#`, each gets one more.
    """
    tokens = _PARSER.parse(body.text)
    headings = [
        (token, tokens[i + 1].content)
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.map
    ]
    lines = body.text.split("\n")
    starts = line_starts(body.text)
    changes: list[tuple[int, int, str]] = []
    if (
        headings
        and headings[0][0].tag == "h1"
        and _same(headings[0][1], title)
        and not _text_before(lines, (headings[0][0].map or [0])[0])
    ):
        heading, content = headings.pop(0)
        body.count -= count_characters(content)  # nothing is lost
        first, last = heading.map or [0, 0]
        while first > 0 and (not lines[first - 1].strip() or _NAME.fullmatch(lines[first - 1])):
            first -= 1  # what leads to the title leads to the article
        changes.append((starts[first], min(starts[last], len(body.text)), ""))
    shift = any(token.tag == "h1" for token, _ in headings)
    for token, content in headings if shift else ():
        first, last = token.map or [0, 0]
        level = min(6, int(token.tag[1]) + 1)
        if token.markup.startswith("#"):
            if found := _ATX.match(lines[first]):
                begin = starts[first] + found.start(2)
                changes.append((begin, begin + len(found[2]), "#" * level))
        elif token.level == 0:
            words = " ".join(content.split("\n"))
            changes.append(
                (starts[first], min(starts[last], len(body.text) + 1) - 1, f"{'#' * level} {words}")
            )
    body.replace(changes)


def _same(heading: str, title: str) -> bool:
    def plain(text: str) -> str:
        return re.sub(r"[\s*_`#]+", "", re.sub(r"\{[^}]*\}", "", text)).casefold()

    return plain(heading) == plain(title)


def _text_before(lines: list[str], index: int) -> bool:
    return any(line.strip() and not _NAME.fullmatch(line) for line in lines[:index])

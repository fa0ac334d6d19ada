"""Blocks of other articles, `{embed} ../b/en.md#fig-x` and `![](/posts/b/#fig-x)`, and links of Obsidian.

Both become Markdown that is made outside of the parser, as includes do (`rules.embeds`).
`[[note#heading|words]]` and `![[note#heading]]` are read only where a site has `wikilinks: true`.
"""

import re
from typing import NamedTuple

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from diglot.content.extensions import (
    EMBED,
    ENV,
    NOT_EXTENDED,
    WIKILINK,
    Call,
    Extended,
    markdown_of,
    push_blocks,
    push_inlines,
)

_PICTURE = re.compile(r"!\[([^\[\]\n]*)\]\(<?([^()<>\s]*#[^()<>\s]+)>?\)[ \t]*$")
_OF_TEXT = re.compile(r"(?:|.*(?:/|\.md|\.qmd|\.ipynb))#")
"""What leads to a block of a text. `sprite.svg#part` is a part of a picture."""
_LINK = re.compile(r"!?\[\[([^\[\]\n]{1,300})\]\]")
_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp|pdf|csv|json|txt|zip|mp[34]|m4a|wav|ogg|flac|webm|mov|mkv|canvas|base)$",
    re.IGNORECASE,
)
_SIZE = re.compile(r"(\d+)(?:x(\d+))?")


class WikiLink(NamedTuple):
    """What is between the brackets of `[[note#heading|words]]`."""

    name: str
    """Of a note or a file; empty for a place in the same text."""
    place: str
    """A heading, or the id of a block; empty for all of it."""
    words: str
    width: str = ""
    height: str = ""

    @property
    def is_of_file(self) -> bool:
        """Whether it names a file that is no text, such as a picture."""
        return _FILE.search(self.name) is not None


def read_wikilink(written: str) -> WikiLink:
    """What a link of Obsidian names."""
    target, *labels = (part.strip() for part in written.split("|"))
    name, _, place = target.partition("#")
    width = height = ""
    if labels and (size := _SIZE.fullmatch(labels[-1])) is not None:
        width, height = size[1], size[2] or ""
        labels.pop()
    place = place.rpartition("#")[2].strip().removeprefix("^")
    return WikiLink(name.strip().removesuffix(".md"), place, "|".join(labels), width, height)


def embedded_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: a block of another article, where a picture of its own would be."""
    extended: Extended = state.env.get(ENV, NOT_EXTENDED)
    if EMBED not in extended.directives or state.is_code_block(start):
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    is_last = start + 1 >= end or state.isEmpty(start + 1) or state.sCount[start + 1] < state.blkIndent
    if not is_last or (call := _call_of(line, extended)) is None:
        return False
    if not silent:
        markdown = markdown_of(extended, call)
        push_blocks(state, markdown, start, start + 1)
        state.line = start + 1
    return True


def _call_of(line: str, extended: Extended) -> Call | None:
    picture = _PICTURE.match(line)
    if picture is not None and _OF_TEXT.match(picture[2]) is not None:
        return Call(kind="directive", name=EMBED, argument=picture[2], body=picture[1])
    if WIKILINK not in extended.roles or not line.startswith("![["):
        return None
    link = _LINK.fullmatch(line.rstrip())
    if link is None or read_wikilink(link[1]).is_of_file:
        return None
    return Call(kind="directive", name=EMBED, argument=f"[[{link[1].strip()}]]", body="")


def wikilink(state: StateInline, silent: bool) -> bool:
    """Inline rule: a link or a picture of Obsidian."""
    if not state.src.startswith(("[[", "![["), state.pos):
        return False
    extended: Extended = state.env.get(ENV, NOT_EXTENDED)
    if WIKILINK not in extended.roles:
        return False
    found = _LINK.match(state.src, state.pos, state.posMax)
    if found is None or not found[1].strip():
        return False
    if not silent:
        kind = "!" if found[0].startswith("!") else ""
        call = Call(kind="role", name=WIKILINK, argument=kind, body=found[1].strip())
        push_inlines(state, markdown_of(extended, call))
    state.pos = found.end()
    return True

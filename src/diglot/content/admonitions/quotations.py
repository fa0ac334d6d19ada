"""Callouts of GitHub and Obsidian: quotations that begin with `[!NOTE]` or `[!tip]- Title`."""

import re

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from diglot.content.admonitions.kinds import kind_named
from diglot.content.admonitions.reading import Fold, Header, fill_admonition

_MARKER = re.compile(r"\[!([\w-]+)(?:\|[^\]\n]*)?\]([+-]?)(?:[ \t]+([^\n]*))?[ \t]*(?:\n|$)")
_FOLDS: dict[str, Fold] = {"": "", "-": "closed", "+": "open"}
_CONTENT = 4
"""Where content begins after a quotation's opening token and its first paragraph, which takes three."""


def callouts(state: StateCore) -> None:
    """Core rule between `block` and `inline`: turns callouts into admonitions, and headings into titles.

    The marker is on the first line of a quotation. One without a title has more content; any other quotation
    stays one, and `foreign_syntax` warns of a marker in it.
    """
    dropped: set[int] = set()
    if "[!" in state.src:
        for at, token in enumerate(state.tokens):
            if token.type == "blockquote_open":
                dropped.update(_read_callout(state.tokens, at))
    if ":::" in state.src:
        for at, token in enumerate(state.tokens):
            if token.type == "admonition_open" and token.meta["takes_heading"]:
                dropped.update(_take_heading(state.tokens, at))
    if dropped:
        state.tokens = [token for at, token in enumerate(state.tokens) if at not in dropped]


def _read_callout(tokens: list[Token], at: int) -> range:
    """Change the tokens of a callout. Returns the positions of those that held only its marker."""
    opening, paragraph = tokens[at], tokens[at + 1]
    if paragraph.type != "paragraph_open":
        return range(0)
    text = tokens[at + 2]
    marker = _MARKER.match(text.content)
    if marker is None or kind_named(marker[1]) is None:
        return range(0)
    kind, fold, title = marker[1], _FOLDS[marker[2]], (marker[3] or "").strip()
    end = next(
        n
        for n in range(at, len(tokens))
        if tokens[n].type == "blockquote_close" and tokens[n].level == opening.level
    )
    rest = text.content[marker.end() :]
    if not rest and not title and end == at + _CONTENT:
        return range(0)
    fill_admonition(opening, Header(kind, title, fold))
    tokens[end].type, tokens[end].tag = "admonition_close", "div"
    if not rest:
        return range(at + 1, at + _CONTENT)
    text.content = rest
    for token in (paragraph, text):
        if token.map:
            token.map = [token.map[0] + 1, token.map[1]]
    return range(0)


def _take_heading(tokens: list[Token], at: int) -> range:
    """Make a heading at the beginning of an admonition its title. Returns the positions of the heading."""
    if tokens[at + 1].type != "heading_open":
        return range(0)
    tokens[at].content = tokens[at + 2].content
    return range(at + 1, at + _CONTENT)

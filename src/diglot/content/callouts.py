"""Callouts: quotations that begin with `[!NOTE]`, as on GitHub. They become admonitions."""

import re

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from diglot.content.admonitions import WORDS

_MARKER = re.compile(rf"\[!({'|'.join(WORDS)})\][ \t]*(?:\n|$)", re.IGNORECASE)
_CONTENT = 4
"""Where content begins after a quotation's opening token and its first paragraph, which takes three."""


def callouts(state: StateCore) -> None:
    """Core rule between `block` and `inline`: turns callouts into admonitions, by GitHub's rules.

    The marker is alone on the first line of a quotation that has more content and is inside no other block.
    Any other quotation stays one, and `foreign_syntax` warns of a marker in it.
    """
    if "[!" not in state.src:
        return
    markers: set[int] = set()
    for at, token in enumerate(state.tokens):
        if token.type == "blockquote_open" and token.level == 0:
            markers.update(_read_callout(state.tokens, at))
    if markers:
        state.tokens = [token for at, token in enumerate(state.tokens) if at not in markers]


def _read_callout(tokens: list[Token], at: int) -> range:
    """Change the tokens of a callout. Returns the positions of those that held only its marker."""
    opening, paragraph = tokens[at], tokens[at + 1]
    if paragraph.type != "paragraph_open":
        return range(0)
    text = tokens[at + 2]
    marker = _MARKER.match(text.content)
    if marker is None:
        return range(0)
    end = next(
        n for n in range(at, len(tokens)) if tokens[n].type == "blockquote_close" and not tokens[n].level
    )
    rest = text.content[marker.end() :]
    if not rest and end == at + _CONTENT:
        return range(0)
    opening.type, opening.tag, opening.info = "admonition_open", "div", marker.group(1).lower()
    opening.meta = {"closed": True, "misnested": None, "colons": 3}
    tokens[end].type, tokens[end].tag = "admonition_close", "div"
    if not rest:
        return range(at + 1, at + _CONTENT)
    text.content = rest
    for token in (paragraph, text):
        if token.map:
            token.map = [token.map[0] + 1, token.map[1]]
    return range(0)

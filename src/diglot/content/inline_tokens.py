"""Parses the text of a block into inline tokens."""

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore, text_join
from markdown_it.token import Token
from markdown_it.utils import EnvType

from diglot.content.guards import ALLOWANCE, Allowance
from diglot.content.mistakes import TooMuch
from diglot.content.quotes import curl_quotes


def inline(state: StateCore) -> None:
    """Core rule in place of markdown-it's `inline`: the same, but sets the block's line on TooMuch."""
    for token in state.tokens:
        if token.type == "inline":
            token.children = []
            try:
                state.md.inline.parse(token.content, state.md, state.env, token.children)
            except TooMuch as error:
                error.line = token.map[0] if token.map else None
                raise


def parse_inlines(md: MarkdownIt, text: str, env: EnvType) -> list[Token]:
    """The inline tokens of a text, such as that of a cell, parsed with the `env` of its half."""
    token = Token("inline", "", 0, content=text, children=md.inline.parse(text, md, env, []))
    state = StateCore("", md, env, [token])
    curl_quotes(state)
    text_join(state)
    return token.children or []


def unjoined_inlines(md: MarkdownIt, text: str, env: EnvType) -> list[Token]:
    """The inline tokens of a text in which escaped characters and references are tokens of their own."""
    tokens: list[Token] = []
    md.inline.parse(text, md, {**env, ALLOWANCE: Allowance(text)}, tokens)
    return tokens

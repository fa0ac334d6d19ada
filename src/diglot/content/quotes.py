"""Straight quotation marks and apostrophes in English prose become curly ones, by markdown-it's own rule.

Code keeps its own, and so does a mark behind a backslash. In Chinese all marks stay as they were written.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_core.smartquotes import process_inlines
from markdown_it.token import Token

from diglot.content.raw_html import update_open_elements
from diglot.content.records import Parts
from diglot.languages import Language

_LANGUAGE = "language"
_MOST_QUOTES = 2_000
_MOST_WORK = 50_000_000
"""Marks in a paragraph, and marks times characters: the rule looks back over open marks, and copies the text
at each. Beyond these, as in data that was pasted without a fence, all stay straight."""
_VERBATIM = frozenset(("code", "kbd", "pre", "samp", "script", "style", "tt", "var"))


def environment(language: Language) -> dict[str, Any]:
    """What a half is parsed with."""
    return {_LANGUAGE: language}


def curl_quotes(state: StateCore) -> None:
    """Core rule, before escaped characters are joined with the text around them."""
    if state.env.get(_LANGUAGE) != "en":
        return
    for token in state.tokens:
        if token.children and _has_quotes(token.content):
            _curl(token.children, token.content, state)


def with_curly_quotes(parts: Parts, language: Language) -> Parts:
    """A title or description in plain text, with its values."""
    if language != "en" or not any(isinstance(part, str) and _has_quotes(part) for part in parts):
        return parts
    # A value is some word to the marks around it.
    tokens = [
        Token("text", "", 0, content=part) if isinstance(part, str) else Token("role", "", 0, content="0")
        for part in parts
    ]
    text = "".join(token.content for token in tokens)
    _curl(tokens, text, StateCore(text, MarkdownIt(), {}, []))
    return tuple(
        token.content if isinstance(part, str) else part for token, part in zip(tokens, parts, strict=True)
    )


def _has_quotes(text: str) -> bool:
    return '"' in text or "'" in text


def _curl(tokens: list[Token], text: str, state: StateCore) -> None:
    quotes = text.count('"') + text.count("'")
    if quotes > _MOST_QUOTES or quotes * len(text) > _MOST_WORK:
        return
    verbatim = [*_inside_code(tokens)]
    for token in verbatim:
        token.type = "verbatim"
    process_inlines(tokens, state)
    for token in verbatim:
        token.type = "text"


def _inside_code(tokens: Sequence[Token]) -> Iterator[Token]:
    """The text inside of HTML elements for code."""
    elements: list[str] = []
    for token in tokens:
        if token.type == "html_inline":
            update_open_elements(token.content, elements)
        elif token.type == "text" and not _VERBATIM.isdisjoint(elements):
            yield token

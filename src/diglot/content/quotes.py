"""Straight quotation marks and apostrophes in English prose become curly ones, by markdown-it's own rule.

Code keeps its own, and so does a mark behind a backslash. In Chinese all marks stay as they were written.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.html_re import HTML_TAG_RE
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
_AS_IT_IS = "verbatim"
"""Type of tokens of text, while others are looked through."""
_TAG = re.compile(HTML_TAG_RE.pattern.removeprefix("^"))
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
            if not state.md.options.html and "<" in token.content:
                token.children = [*_with_tags_apart(token.children)]
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
    for token in [*inside_code(tokens)]:
        token.type = _AS_IT_IS
    process_inlines(tokens, state)
    for token in tokens:
        if token.type == _AS_IT_IS:
            token.type = "text"


def _with_tags_apart(tokens: Sequence[Token]) -> Iterator[Token]:
    """The same tokens, with texts cut around tags, which stay as they are where HTML is shown as text."""
    text = "".join(token.content if token.type == "text" else " " * len(token.content) for token in tokens)
    if text.count("<") * len(text) > _MOST_WORK:
        return (yield from tokens)
    edges = [edge for tag in _TAG.finditer(text) for edge in tag.span()]
    end = 0
    for token in tokens:
        start, end = end, end + len(token.content)
        if token.type != "text":
            yield token
            continue
        cuts = [start, *edges[bisect_right(edges, start) : bisect_left(edges, end)], end]
        for left, right in pairwise(cuts):
            is_tag = bisect_right(edges, left) % 2 == 1
            yield token.copy(content=text[left:right], type=_AS_IT_IS if is_tag else "text")


def inside_code(tokens: Sequence[Token]) -> Iterator[Token]:
    """The text inside of HTML elements for code."""
    elements: list[str] = []
    for token in tokens:
        if token.type == "html_inline":
            update_open_elements(token.content, elements)
        elif token.type == "text" and not _VERBATIM.isdisjoint(elements):
            yield token

"""Reports references (`&#1;`) to characters that no page may contain; in code they are plain text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from markdown_it.token import Token

from diglot.characters import code_of, is_forbidden
from diglot.content.inline_tokens import parse_inlines
from diglot.content.mistakes import Mistakes
from diglot.content.parser import markdown_parser

_REFERENCE = re.compile("&#(?:([0-9]{1,7})|[xX]([0-9a-fA-F]{1,6}));")
_RAW = ("html_inline", "html_block", "html_open")


def report_references(
    body: str, tokens: Sequence[Token], env: dict[str, Any], first_line: int, mistakes: Mistakes
) -> None:
    """Report each reference in a body's tokens to a character that no page may contain."""
    if "&#" not in body:
        return
    for token in tokens:
        line = first_line + (token.map[0] if token.map else 0)
        for markdown, below in _markdown(token):
            children = token.children if token.type == "inline" else None
            if children is None and "&#" in markdown:
                children = parse_inlines(markdown_parser(), markdown, env)
            for at, reference in _resolved(markdown, children or ()):
                _report(reference, line + below + markdown.count("\n", 0, at), mistakes)
        if token.type in _RAW:
            for found in _forbidden(token.content):
                _report(found[0], line + token.content.count("\n", 0, found.start()), mistakes)


def _markdown(token: Token) -> Iterator[tuple[str, int]]:
    """The texts of a token in which references are resolved, each with its line offset in the token."""
    if token.type in ("inline", "admonition_open"):
        yield token.content, 0
    elif token.type == "table":
        for row, cells in enumerate(token.meta["rows"]):
            for cell in cells:
                yield cell, row + (row > 0)
    elif token.type == "fence" and token.info.startswith("{"):
        yield token.content, 1


def _resolved(markdown: str, children: Iterable[Token]) -> Iterator[tuple[int, str]]:
    """Position and text of references that Markdown resolves, unlike those in code or after a backslash."""
    literal: dict[str, int] = {}
    raw: list[str] = []
    for child in _all(children):
        if child.type in _RAW:
            raw.append(child.content)
        # The content of an image token is its unparsed alternative text, which its children contain.
        for text in ("" if child.type == "image" else child.content, *map(str, child.attrs.values())):
            for found in _forbidden(text):
                literal[found[0]] = literal.get(found[0], 0) + 1
    for text in raw:
        for found in _forbidden(text):
            literal[found[0]] -= 1
    places: dict[str, list[int]] = {}
    for found in _forbidden(markdown):
        places.setdefault(found[0], []).append(found.start())
    for reference, starts in places.items():
        if len(starts) > literal.get(reference, 0):
            yield starts[0], reference


def _all(children: Iterable[Token]) -> Iterator[Token]:
    for child in children:
        yield child
        yield from _all(child.children or ())


def _forbidden(text: str) -> Iterator[re.Match[str]]:
    return (found for found in _REFERENCE.finditer(text) if is_forbidden(_code(found)))


def _code(found: re.Match[str]) -> int:
    return int(found[1]) if found[1] else int(found[2], 16)


def _report(reference: str, line: int, mistakes: Mistakes) -> None:
    found = _REFERENCE.fullmatch(reference)
    code = _code(found) if found else 0
    what = code_of(chr(code)) if code <= 0x10FFFF else "a character that does not exist"
    mistakes.error(
        "character-forbidden",
        f"{reference} stands for {what}, which is not allowed in pages and feeds",
        line,
        "delete it; to show it literally, put it into `code`.",
    )

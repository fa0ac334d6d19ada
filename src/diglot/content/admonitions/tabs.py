"""Tabs in the spellings of MyST, VitePress, Quarto and MkDocs, as blocks in a block.

`:::{tab-set}` with `:::{tab-item} Name` in it, `::: code-group` around fences with `[name]`, a
`::: {.panel-tabset}` with headings, and `=== "Name"` above indented text make the same tokens.
"""

import re
from collections.abc import Iterator

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from diglot.content.admonitions.kinds import SETS_OF_TABS, TABS
from diglot.content.admonitions.reading import Header, fill_admonition

_NAME = re.compile(r"[ \t]*\[([^\[\]]+)\]")


def arrange_tabs(state: StateCore) -> None:
    """Core rule between `block` and `inline`: puts fences and headings of a set into tabs, and lone tabs into
    a set.
    """
    if any(token.info in SETS_OF_TABS or token.info in TABS for token in state.tokens):
        state.tokens = list(_with_sets(list(_with_tabs(state.tokens))))


def _is_open(token: Token, names: tuple[str, ...]) -> bool:
    return token.type == "admonition_open" and token.info.removeprefix(".") in names


def _opening(header: Header, level: int, first: Token, last: Token) -> Token:
    token = Token("admonition_open", "div", 1, level=level)
    fill_admonition(token, header)
    token.map = [(first.map or [0, 0])[0], (last.map or first.map or [0, 0])[1]]
    return token


def _closing(level: int) -> Token:
    return Token("admonition_close", "div", -1, level=level)


def _with_tabs(tokens: list[Token]) -> Iterator[Token]:
    """The tokens, with a tab around each fence of a `code-group` and below each heading of another set."""
    sets: list[tuple[int, bool]] = []
    """Of each set that is open: its level, and whether a tab in it is open."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        is_inside = bool(sets) and token.level == sets[-1][0] + 1
        if _is_open(token, SETS_OF_TABS):
            yield token
            sets.append((token.level, False))
        elif is_inside and token.type == "fence":
            name = _NAME.search(token.info)
            title = name[1] if name else token.info.split(" ", 1)[0]
            token.info = _NAME.sub("", token.info)
            yield from (
                _opening(Header("tab", title), token.level, token, token),
                token,
                _closing(token.level),
            )
        elif is_inside and token.type == "heading_open":
            if sets[-1][1]:
                yield _closing(token.level)
            sets[-1] = (sets[-1][0], True)
            yield _opening(Header("tab", tokens[at + 1].content), token.level, token, token)
            at += 2  # the text of the heading and its end
        elif sets and token.type == "admonition_close" and token.level == sets[-1][0]:
            if sets.pop()[1]:
                yield _closing(token.level + 1)
            yield token
        else:
            yield token
        at += 1


def _with_sets(tokens: list[Token]) -> Iterator[Token]:
    """The tokens, with a set around tabs that are in none."""
    parents: list[bool] = []
    """Of each block that is open: whether it is a set."""
    lone: list[int] = []
    """Levels of the sets that were added and are open."""
    for at, token in enumerate(tokens):
        is_lone = _is_open(token, TABS) and not (parents and parents[-1])
        if is_lone and not (lone and lone[-1] == token.level):
            lone.append(token.level)
            yield _opening(Header("tab-set"), token.level, token, token)
        if token.nesting == 1:
            parents.append(_is_open(token, SETS_OF_TABS))
        elif token.nesting == -1:
            parents.pop()
        yield token
        ends = token.type == "admonition_close" and lone and token.level == lone[-1]
        if ends and not (at + 1 < len(tokens) and _is_open(tokens[at + 1], TABS)):
            lone.pop()
            yield _closing(token.level)

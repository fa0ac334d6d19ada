"""Directives, roles and filters of a site's own extensions: each becomes Markdown that its function makes.

A half is parsed without them first, which collects what it asks for, and again with the Markdown that was
made (`rules.extended_halves`). All behind the parser, from pages to slides, sees Markdown that it knows.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

import msgspec
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from diglot.content.admonitions import colons, fences
from diglot.content.admonitions.kinds import begins_block
from diglot.content.citations import ROLES as CITATIONS
from diglot.content.code_cells import is_cell
from diglot.content.directives import DIRECTIVES
from diglot.content.mistakes import TooMuch
from diglot.content.records import OF_TALKS
from diglot.content.roles import OPENING as ROLE
from diglot.content.roles import REFERENCES, ROLES, closing_ticks
from diglot.content.small_marks import STYLES
from diglot.expressions.texts import FILTERS

Kind = Literal["directive", "role", "filter"]
ENV = "extensions"
"""The key of an `Extended` in the environment of the parser."""

DEEPEST = 5
"""How often Markdown that a function returns may have directives of extensions in it, and so on."""

_DEPTH = "extensions-depth"
_OPENING = re.compile(r"(:{3,}|`{3,}|~{3,})[ \t]*\{([a-z][a-z0-9-]*)\}[ \t]*(.*?)[ \t]*$")
_NAME = re.compile(r"(?::{3,}[ \t]*\{?|[`~]{3,}[ \t]*\{)([a-z][a-z0-9-]*)")
"""The beginning of a directive, also of one whose braces are missing."""
_EMBEDDED = re.compile(r"^[ \t>]*!\[[^\n]*#", re.MULTILINE)
"""A line that may be a block of another article."""
_OPTION = re.compile(r":([A-Za-z][\w-]*):(?:[ \t]+(.*))?$")
_FILTER = re.compile(r"\{eval\}`[^`\n]*\|[ \t]*([a-z]\w*)[ \t]*(?:\([^`\n]*\))?[ \t]*`")
_APPLIED = re.compile(r"(?P<value>.+)\|[ ]*(?P<name>[a-z]\w*)[ ]*(?:\((?P<arguments>.*)\))?")
"""A value with a filter that is its last one."""
EMBED = "embed"
"""The directive of a block of another article."""
INCLUDES = ("include", "literalinclude", EMBED)
"""Directives that become the text of a file, which is read where those of extensions are made."""
MADE = "made"
"""What the `meta` of a table has whose Markdown is not in the file."""
WIKILINK = "[["
"""What `roles` have where links of Obsidian are read."""
_OTHERS = ("figure-script", "math", "code", "code-block", "sourcecode")
"""Directives that are neither an admonition nor in `DIRECTIVES`."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A directive, a role or a value with a filter, as an article has it."""

    kind: Kind
    name: str
    argument: str = ""
    """What follows the name of a directive in its line; what a filter has in its parentheses."""
    options: tuple[tuple[str, str], ...] = ()
    body: str


class Extended(msgspec.Struct, frozen=True, kw_only=True):
    """What extensions add to a half."""

    directives: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    filters: frozenset[str] = frozenset()
    made: Mapping[Call, str] = {}
    """The Markdown of each directive and role, as far as it is made."""
    missing: dict[Call, None] = {}
    """Those of which it is not: filled by parsing."""


NOT_EXTENDED = Extended()


def is_own(kind: Kind, name: str) -> bool:
    """Whether diglot itself has a directive, a role or a filter of this name."""
    if kind == "filter":
        return name in FILTERS["en"]
    if kind == "role":
        return name in ROLES or name in STYLES or name in CITATIONS or name in REFERENCES
    own = name in DIRECTIVES or name in OF_TALKS or name in _OTHERS or name in INCLUDES
    return own or begins_block(name) or is_cell(name)


def unknown_in(text: str) -> Extended:
    """What is in a text and made of Markdown that is made elsewhere; here, each becomes nothing."""
    directives = {found[1] for found in _NAME.finditer(text)}
    if _EMBEDDED.search(text) is not None:
        directives.add(EMBED)
    roles = {found[1] for found in ROLE.finditer(text)}
    return Extended(
        directives=frozenset(
            name for name in directives if name in INCLUDES or not is_own("directive", name)
        ),
        roles=frozenset(name for name in roles if not is_own("role", name)),
        filters=frozenset(name for name in _FILTER.findall(text) if not is_own("filter", name)),
    )


def may_be_extended(text: str) -> bool:
    """Whether a text may have a directive or a role that becomes Markdown made elsewhere."""
    unknown = unknown_in(text)
    return bool(unknown.directives or unknown.roles or unknown.filters)


def extension_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: a directive of an extension, between colons or as a fence."""
    extended: Extended = state.env.get(ENV, NOT_EXTENDED)
    if not extended.directives or state.is_code_block(start):
        return False
    opening = _OPENING.match(_line(state, start))
    if opening is None or opening[2] not in extended.directives:
        return False
    marks = opening[1]
    if marks[0] == ":":
        closing = colons.find_closing(state, start, end, len(marks))
    else:
        closing = fences.find_closing(state, start, end, marks)
    if closing is None:
        return False  # it is reported as one that is never closed
    if silent:
        return True
    options: list[tuple[str, str]] = []
    below = start + 1
    while below < closing and (option := _OPTION.match(_line(state, below))) is not None:
        options.append((option[1], (option[2] or "").strip()))
        below += 1
    body = state.getLines(below, closing, state.blkIndent, False).strip("\n")
    call = Call(kind="directive", name=opening[2], argument=opening[3], options=tuple(options), body=body)
    push_blocks(state, markdown_of(extended, call), start, closing + 1)
    state.line = closing + 1
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def push_blocks(state: StateBlock, markdown: str, start: int, end: int) -> None:
    """Push the blocks of Markdown that was made of the lines from `start` to `end`."""
    before = len(state.tokens)
    try:
        with _deeper(state.env):
            state.md.block.parse(markdown, state.md, state.env, state.tokens)
    except TooMuch as error:
        error.line = start
        raise
    for token in state.tokens[before:]:
        token.level += state.level
        if token.type == "table":
            token.meta[MADE] = True
        if token.map:
            if token.type == "fence":
                token.meta["lines"] = token.map[1] - token.map[0]  # by these it is known to be closed
            token.map = [start, end]


def extension_role(state: StateInline, silent: bool) -> bool:
    """Inline rule: a role of an extension, or a value with a filter of one, before the other roles."""
    extended: Extended = state.env.get(ENV, NOT_EXTENDED)
    if (
        not (extended.roles or extended.filters)
        or (opening := ROLE.match(state.src, state.pos, state.posMax)) is None
    ):
        return False
    closing = closing_ticks(state.src, opening[2], opening.end(), state.posMax)
    if closing < 0 or opening[1] not in (*extended.roles, "eval"):
        return False
    text = " ".join(state.src[opening.end() : closing].split("\n")).strip()
    call = Call(kind="role", name=opening[1], body=text)
    if opening[1] == "eval":
        applied = _APPLIED.fullmatch(text)
        if applied is None or applied["name"] not in extended.filters:
            return False
        value, name, arguments = (
            applied["value"].strip(),
            applied["name"],
            (applied["arguments"] or "").strip(),
        )
        call = Call(kind="filter", name=name, argument=arguments, body=value)
    if not silent:
        push_inlines(state, markdown_of(extended, call))
    state.pos = closing + len(opening[2])
    return True


def push_inlines(state: StateInline, markdown: str) -> None:
    """Push what is in a line of Markdown that was made."""
    if state.pending:
        state.pushPending()
    inlines: list[Token] = []
    with _deeper(state.env):
        state.md.inline.parse(" ".join(markdown.split("\n")), state.md, state.env, inlines)
    for token in inlines:
        token.level += state.level
        state.tokens.append(token)
        state.tokens_meta.append(None)


@contextmanager
def _deeper(env: EnvType) -> Iterator[None]:
    """Count Markdown that was made inside Markdown that was made. Raises TooMuch."""
    depth = env.get(_DEPTH, 0)
    if depth == DEEPEST:
        message = f"directives and roles of extensions are made by others, {DEEPEST} deep"
        raise TooMuch("extension-nested", message, "return Markdown that does not have the directive itself.")
    env[_DEPTH] = depth + 1
    yield
    env[_DEPTH] = depth


def markdown_of(extended: Extended, call: Call) -> str:
    """The Markdown that was made of a call; nothing, and the call is noted, if it is not made yet."""
    markdown = extended.made.get(call)
    if markdown is None:
        extended.missing[call] = None
    return markdown or ""

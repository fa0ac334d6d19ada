"""Callouts in quotations, `> [!TIP] Title`, and boxes between colons, `:::tip Title`, as admonitions."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from diglot.content.admonitions.kinds import kind_named
from diglot.importing.text.body import Body, line_starts
from diglot.importing.text.containers import admonition, admonition_kind

_PARSER = MarkdownIt("commonmark", {"maxNesting": 40})
_MARKER = re.compile(r"\[!([\w-]+)(?:\|[^\]\n]*)?\]([+-]?)[ \t]*([^\n]*)(?:\n|$)")
_QUOTED = re.compile(r"[ \t]*>[ \t]?")
_COLONS = re.compile(
    r"^(?P<colons>:{3,})[ \t]*(?:\{\.)?(?P<kind>[A-Za-z][\w-]*)\}?(?P<title>[^\n{}]*)$", re.MULTILINE
)
_MOST_ROUNDS = 8


def convert_callouts(body: Body) -> None:
    """Convert callouts of kinds that diglot does not have."""
    for _ in range(_MOST_ROUNDS if "[!" in body.text else 0):  # the innermost first
        found = _innermost(body)
        if found is None:
            break
        body.replace([found])
    if ":::" in body.text:
        body.substitute(_COLONS, _from_colons)


def _from_colons(found: re.Match[str]) -> str | None:
    if kind_named(found["kind"]) is not None:
        return None
    kind = admonition_kind(found["kind"].lower().removeprefix("callout-"))
    title = found["title"].strip()
    return f"{found['colons']}{{{kind}}}{f' {title}' if title else ''}" if kind else None


def _innermost(body: Body) -> tuple[int, int, str] | None:
    """The replacement of a callout without another one in it; None if there is none."""
    tokens = _PARSER.parse(body.text)
    chosen: tuple[Token, re.Match[str]] | None = None
    for at, token in enumerate(tokens):
        if token.type != "blockquote_open" or tokens[at + 1].type != "paragraph_open":
            continue
        marker = _MARKER.match(tokens[at + 2].content)
        if marker is None or _is_own(tokens, at, marker):
            continue
        if chosen is not None and token.map and chosen[0].map and token.map[0] >= chosen[0].map[1]:
            break
        chosen = token, marker
    if chosen is None or chosen[0].map is None:
        return None
    first, last = chosen[0].map
    lines = body.text.split("\n")[first:last]
    before = lines[0].rpartition("[!")[0]
    before = before[: before.rfind(">")]
    after = re.sub(r"[^\s>]", " ", before)  # `- ` before the first line is two spaces before the others
    inside = [_QUOTED.sub("", line.removeprefix(after), count=1) for line in lines[1:]]
    kind, title = chosen[1][1].lower(), chosen[1][3].strip()
    known = admonition_kind(kind)
    block = admonition(
        known or "note", title or ("" if known else kind.capitalize()), "\n".join(inside)
    ).strip("\n")
    quoted = block.split("\n")
    text = "\n".join([before + quoted[0], *(f"{after}{line}".rstrip() for line in quoted[1:])])
    starts = line_starts(body.text)
    return starts[first], min(starts[last] - 1, len(body.text)), text


def _is_own(tokens: list[Token], at: int, marker: re.Match[str]) -> bool:
    """Whether diglot reads a callout as it is."""
    has_more = bool(tokens[at + 2].content[marker.end() :]) or tokens[at + 4].type != "blockquote_close"
    return kind_named(marker[1]) is not None and (bool(marker[3].strip()) or has_more)

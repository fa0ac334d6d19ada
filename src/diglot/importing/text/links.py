"""Finds the links and pictures of a body, in Markdown and in HTML, and gives them new addresses."""

import re
from collections.abc import Callable, Iterator
from html import escape, unescape
from typing import NamedTuple

from diglot.importing.text.body import Body

_AFTER_BRACKET = re.compile(
    r"\]\([ \t]*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*"
    r"|[^\n()<>\"]+?\.(?:png|jpe?g|gif|svg|webp|avif|pdf|md))"
    r"(?P<rest>[ \t]*(?:\n?[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?"
    r"(?:[ \t]*=[0-9]*x[0-9]*)?[ \t]*)\)"
)
_DEFINITION = re.compile(r"^[ ]{0,3}\[(?!\^)[^\]\n]+\]:[ \t]*(<[^<>\n]*>|\S+)", re.MULTILINE)
_TAG = re.compile(r"<(a|img|source|video|audio|iframe|embed|object)\b[^<>]*>", re.IGNORECASE)
_VALUE = re.compile(
    r"""\s(href|src|poster|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))""", re.IGNORECASE
)
_SIZE = re.compile(r"[ \t]*=([0-9]*)x([0-9]*)[ \t]*$")
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


class Link(NamedTuple):
    """A link or picture, and the position of its address in the text."""

    target: str
    is_picture: bool
    start: int
    end: int
    kind: str
    """`markdown`, `definition` or `html`."""


def find_links(body: Body) -> Iterator[Link]:
    """Yield all links and pictures outside code: Markdown's first, then definitions, then HTML."""
    text = body.text
    for found in _AFTER_BRACKET.finditer(text):
        if not body.is_code(found.start()):
            yield Link(
                found[1].strip("<>").strip(), _is_picture(text, found.start()), *found.span(1), "markdown"
            )
    for found in _DEFINITION.finditer(text):
        if not body.is_code(found.start()):
            yield Link(found[1].strip("<>"), False, *found.span(1), "definition")
    for tag in _TAG.finditer(text):
        if body.is_code(tag.start()):
            continue
        name = tag[1].lower()
        for found in _VALUE.finditer(tag[0]):
            group = found.lastindex or 2
            if (name == "a") != (found[1].lower() == "href"):
                continue
            start, end = found.span(group)
            yield Link(unescape(found[group]), name != "a", tag.start() + start, tag.start() + end, "html")


def _is_picture(text: str, bracket: int) -> bool:
    """Whether the brackets that end at a position begin with `![`."""
    depth = 0
    for at in range(bracket, max(-1, bracket - 2000), -1):
        if text[at] == "]" and text[at - 1 : at] != "\\":
            depth += 1
        elif text[at] == "[" and text[at - 1 : at] != "\\":
            depth -= 1
            if depth == 0:
                return text[at - 1 : at] == "!"
    return False


def rewrite_links(body: Body, resolve: Callable[[Link], str | None]) -> None:
    """Replace the addresses for which `resolve` returns a new one; an empty one removes all but the text."""
    changes: list[tuple[int, int, str]] = []
    for link in find_links(body):
        target = resolve(link)
        if target is None:
            continue
        if not target:
            changes += _without_link(body.text, link)
        elif link.kind == "html":
            changes.append((link.start, link.end, escape(target, quote=True)))
        else:
            changes.append((link.start, link.end, f"<{target}>" if re.search(r"[\s()]", target) else target))
    kept: list[tuple[int, int, str]] = []
    for change in sorted(changes):
        if not kept or change[0] >= kept[-1][1]:
            kept.append(change)
    body.replace(kept)


def _without_link(text: str, link: Link) -> list[tuple[int, int, str]]:
    """The changes that remove a link and keep its text."""
    if link.kind != "markdown" or link.is_picture:
        return []
    bracket = text.rfind("](", 0, link.start)
    depth, at = 0, bracket
    while at >= 0:
        depth += (text[at] == "]") - (text[at] == "[")
        if depth == 0:
            break
        at -= 1
    closing = text.find(")", link.end)
    return [(at, at + 1, ""), (bracket, closing + 1, "")] if at >= 0 and closing >= 0 else []


def move_sizes(body: Body) -> None:
    """Move a size as in `![…](x.png =300x200)`, which some extensions allow, into braces."""

    def put(found: re.Match[str]) -> str | None:
        size = _SIZE.search(found["rest"])
        if size is None:
            return None
        rest = found["rest"][: size.start()]
        given = [f"{name}={value}" for name, value in (("width", size[1]), ("height", size[2])) if value]
        return f"]({found[1]}{rest}){{{' '.join(given)}}}" if given else f"]({found[1]}{rest})"

    body.substitute(_AFTER_BRACKET, put)


def is_external(target: str) -> bool:
    """Whether an address is absolute, with a scheme or a host."""
    return _EXTERNAL.match(target) is not None

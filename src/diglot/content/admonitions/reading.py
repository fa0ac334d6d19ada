"""What is next to the kind of an admonition: its title, its attributes, and whether readers unfold it."""

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from diglot.content.admonitions.kinds import (
    FOLDED,
    PICTURES,
    QUARTO_KINDS,
    TABLE,
    begins_block,
    kind_named,
    layout_named,
)
from diglot.content.attributes import Attributes, read_attributes

Fold = Literal["", "closed", "open"]
"""Whether readers unfold a block, and how they first see it; empty for one that is always open."""


class Header(NamedTuple):
    """The first line of an admonition."""

    kind: str
    """As written: whether there is such a kind is said later, at its place."""
    title: str = ""
    """Markdown."""
    fold: Fold = ""
    attributes: Attributes | None = None
    takes_heading: bool = False
    """Whether a heading at its beginning is its title, as in Quarto."""


_BRACKETS = re.compile(r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\][ \t]*")
_OPEN = re.compile(r"[ \t]*\{open\}[ \t]*$")
_BRACES = re.compile(r"(?:^|[ \t])(\{[^{}]*\})[ \t]*$")


def read_titled(kind: str, title: str) -> Header:
    """A header of MyST, in which all that follows the kind is its title."""
    return Header(kind, title.strip(" \t"), "closed" if kind.casefold() in FOLDED else "")


def read_header(kind: str, rest: str) -> Header:
    """One of Docusaurus and VitePress: `[Title]`, `[Title]{#id .class}`, `Title`, `Title {open}`."""
    fold = read_titled(kind, "").fold
    if (found := _OPEN.search(rest)) is not None:
        rest, fold = rest[: found.start()], "open"
    attributes: Attributes = {}
    bracketed = _BRACKETS.match(rest)
    if bracketed is not None and (bracketed.end() == len(rest) or rest[bracketed.end()] == "{"):
        given = read_attributes(rest, bracketed.end())
        if given is not None and given[1] == len(rest):
            return Header(kind, bracketed[1].strip(), fold, given[0])
        if bracketed.end() == len(rest):
            return Header(kind, bracketed[1].strip(), fold)
    if (found := _BRACES.search(rest)) is not None and (
        given := read_attributes(rest, found.start(1))
    ) is not None:
        rest, attributes = rest[: found.start()], given[0]
    return Header(kind, rest.strip(" \t"), fold, attributes)


def read_classes(written: str) -> Header | None:
    """A header of Pandoc and Quarto, `{.callout-tip title="…"}`; None for other attributes."""
    given = read_attributes(written)
    if given is None or given[1] != len(written):
        return None
    attributes = given[0]
    names = str(attributes.get("class", "")).split()
    kind = next((name for name in names if begins_block(name)), None)
    if kind is None:
        prefix = str(attributes.get("id", "")).partition("-")[0]
        has_layout = any(name.startswith("layout") for name in attributes)
        kind = PICTURES if prefix == "fig" or has_layout else QUARTO_KINDS.get(prefix)
    if kind is None:
        return None
    fold = _read_fold(attributes.pop("collapse", None))
    if others := [name for name in names if name != kind]:
        attributes["class"] = " ".join(others)
    else:
        attributes.pop("class", None)
    if attributes.get("layout-ncol") == "2":
        attributes["class"] = f"{attributes.get('class', '')} two".strip()
    for name in ("icon", "appearance", *_LAYOUTS):  # there are no icons; places are as wide as there is room
        attributes.pop(name, None)
    title = str(attributes.pop("title", ""))
    return Header(
        kind,
        title,
        fold or read_titled(kind, "").fold,
        attributes,
        takes_heading=not title and kind_named(kind) is not None,
    )


_LAYOUTS = ("layout-ncol", "layout-nrow", "layout", "layout-align", "layout-valign", "fig-align", "fig-env")


def _read_fold(collapse: object) -> Fold:
    return "" if collapse is None else "open" if str(collapse).casefold() == "false" else "closed"


def holds_blocks(name: str, argument: str) -> bool:
    """Whether a directive is around Markdown, pictures or a table, and not what a file or a script gives."""
    argument = argument.strip()
    if name == PICTURES:
        return not argument
    return name == TABLE and (not argument or _SCRIPT.fullmatch(argument) is None)


_SCRIPT = re.compile(r"[a-z0-9_.-]+")
_OPTION = re.compile(r":(class|name|label|open|icon|collapsible|sync|selected):[ \t]*(.*)$")
_OPTION_OF_LAYOUT = re.compile(
    r":(class|name|label|link|link-type|link-alt|header|footer"
    r"|columns|gutter|margin|padding|reverse|outline|shadow|text-align|width|class-[a-z]+):[ \t]*(.*)$"
)
_OF_LAYOUTS = frozenset(("link", "header", "footer"))


def read_options(state: StateBlock, start: int, end: int, header: Header) -> tuple[Header, int]:
    """The header with the options in the lines below it, as in MyST, and the line after them."""
    line, attributes, fold = start, dict(header.attributes or {}), header.fold
    option = _OPTION if layout_named(header.kind) is None else _OPTION_OF_LAYOUT
    while line < end:
        found = option.match(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]])
        if found is None:
            break
        name, value = found[1], found[2].strip()
        if name in ("name", "label"):
            attributes["id"] = value
        elif name in ("open", "selected"):
            fold = "closed" if value.casefold() == "false" else "open"
        elif name in ("sync", *_OF_LAYOUTS) and value:
            attributes[f"data-{name}"] = value
        elif name == "class":
            classes = value.split()
            fold = fold or ("closed" if "dropdown" in classes else "")
            if others := [name for name in classes if name != "dropdown"]:
                attributes["class"] = " ".join(others)
        line += 1
    return header._replace(attributes=attributes, fold=fold), line


def open_admonition(state: StateBlock, header: Header, first: int, last: int, **meta: Any) -> Token:
    """Push the token that opens an admonition; `meta` tells the building of the tree about mistakes."""
    token = state.push("admonition_open", "div", 1)
    fill_admonition(token, header)
    token.map = [first, last]
    token.meta.update(meta)
    return token


def fill_admonition(token: Token, header: Header) -> None:
    """Make an opening token that of an admonition."""
    token.type, token.tag, token.info, token.content = "admonition_open", "div", header.kind, header.title
    token.attrs.update(header.attributes or {})
    token.meta = {"closed": True, "fold": header.fold, "takes_heading": header.takes_heading}


def read_blocks(state: StateBlock, start: int, last: int, kind: str = "") -> None:
    """Parse the lines inside a block of this kind, and push the token that closes it."""
    old_parent, old_max, state.parentType = state.parentType, state.lineMax, "container"
    parts = _parts(state, start, last) if layout_named(kind) == "card" else (("", start, last),)
    for part, first, end in parts:
        state.lineMax = end
        if part:
            open_admonition(state, Header(part), first, end)
        state.md.block.tokenize(state, first, end)
        if part:
            state.push("admonition_close", "div", -1)
    state.parentType, state.lineMax = old_parent, old_max
    state.push("admonition_close", "div", -1)


CARD_PARTS = ("card-header", "card-footer")
_FENCE = re.compile(r"`{3,}|~{3,}")
_HEADER_END, _FOOTER = re.compile(r"\^{3,}[ \t]*$"), re.compile(r"\+{3,}[ \t]*$")


def _parts(state: StateBlock, start: int, last: int) -> Iterator[tuple[str, int, int]]:
    """The lines of a card: its header above `^^^`, its text, and its footer below `+++`."""
    header = footer = None
    fence, depth = "", 0
    for line in range(start, last):
        text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip(" \t")
        marks = _FENCE.match(text)
        if marks is not None and (not fence or (text.startswith(fence) and not text.strip(fence[0]))):
            fence = "" if fence else marks[0]
        elif not fence and text.startswith(":::"):
            depth += 1 if text.strip(":") else -1
        elif not fence and not depth and header is None and footer is None and _HEADER_END.match(text):
            header = line
        elif not fence and not depth and _FOOTER.match(text):
            footer = line
    if header is not None:
        yield CARD_PARTS[0], start, header
        start = header + 1
    yield "", start, last if footer is None else footer
    if footer is not None:
        yield CARD_PARTS[1], footer + 1, last

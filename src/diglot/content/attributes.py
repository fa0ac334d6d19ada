"""Attributes: `{#id .class key="value"}` on blocks, headings, images, links, code and `[spans]`.

This is our own code because a line such as `{.a} and {.b}` must stay text, `{width=50%}` should need no
quotes, and nothing may take quadratic time.
"""

import re

from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from diglot.content.twins import as_ascii
from diglot.invariants import certain

_ITEM = r"""[#.][\w:-]+|[A-Za-z_][\w:.-]*=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'{}`=<>“”‘’]+)"""
_BRACES = re.compile(rf"\{{:?[ \t]*+(?>(?>{_ITEM})(?:[ \t]++|(?=\}})))++\}}")
_ITEMS = re.compile(_ITEM)
_TARGET = re.compile(r"\(([A-Za-z][\w:.-]*)\)=[ \t]*")
_AT_END_OF_HEADING = re.compile(rf"(?:^|[ \t])({_BRACES.pattern})[ \t]*$")
_TAKERS = frozenset(("image", "code_inline", "link_close", "span_close", "role"))

Attributes = dict[str, str | int | float]
LINES_OF_ATTRIBUTES = "lines of attributes"
"""The key in `Token.meta` for the lines on which a block's attributes are, by name, if they are above it."""


def read_attributes(text: str, start: int = 0) -> tuple[Attributes, int] | None:
    """The attributes in braces at `start`, and the position after them; None where there are none."""
    found = _BRACES.match(text, start)
    if found is None:
        return None
    attributes: Attributes = {}
    for item in _ITEMS.findall(found.group()):
        if item[0] == "#":
            attributes["id"] = item[1:]
        elif item[0] == ".":
            _add_class(attributes, item[1:])
        else:
            key, _, value = item.partition("=")
            value = value[1:-1] if value[0] in "\"'" else value
            if key == "class":
                _add_class(attributes, value)
            else:
                attributes[key] = value
    return attributes, found.end()


_WORD = re.compile(
    r"(?P<key>[A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*"
    r"(?P<value>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[^\s\"'{},;]+)"
    r"|(?P<sign>[#.])(?P<name>[\w:-]+)(?:=(?P<of_sign>[\w:-]+))?|(?P<bare>[\w:%-]+)|[ \t,;]+|(?P<other>.)",
    re.DOTALL,
)


def meant_attributes(braces: str) -> str | None:
    """Attributes in braces as they can be read, made of some that cannot; None if what is meant is in doubt.

    Marks may be full-width, spaces in wrong places, classes joined, quotation marks inside a value.
    """
    braces = braces.strip()
    inside = braces[1:].rstrip("}｝" if braces[0] in "{｛" else ")]>）】］＞").lstrip(":： \t")
    items: list[str] = []
    for word in _WORD.finditer(as_ascii(inside)):
        if word["other"]:
            return None
        if word["key"]:
            items.append(f"{word['key']}={_in_quotes(inside[slice(*word.span('value'))])}")
        elif word["of_sign"]:
            items.append(f"{word['name']}={word['of_sign']}")
        elif word["sign"] == "#" and (at := _place_of_id(items)) is not None:
            items[at] += f"-{word['name']}"  # there is one id
        elif word["sign"]:
            items.append(word["sign"] + word["name"])
        elif word["bare"]:
            if not items or items[-1][0] not in "#.":
                return None
            if items[-1][0] == "#":
                items[-1] += f"-{word['bare']}"  # a space in a name
            else:
                items.append(f".{word['bare']}")
    meant = f"{{{' '.join(items)}}}"
    return meant if read_attributes(meant) is not None else None


def _place_of_id(items: list[str]) -> int | None:
    return next((at for at, item in enumerate(items) if item[0] == "#"), None)


def _in_quotes(value: str) -> str:
    """A value with marks around it that it does not contain."""
    if as_ascii(value[0]) not in "\"'":
        return as_ascii(value)
    mark, inside = as_ascii(value[0]), re.sub(r"\\(?=[\"'\\])", "", value[1:-1])
    if mark in inside:
        mark = "'" if "'" not in inside else '"'
        inside = re.sub(r'"([^"]*)"', r"“\1”", inside).replace('"', "”") if mark == '"' else inside
    return f"{mark}{inside}{mark}"


def _add_class(attributes: Attributes, name: str) -> None:
    attributes["class"] = f"{attributes['class']} {name}" if "class" in attributes else name


def _give(token: Token, attributes: Attributes) -> None:
    for key, value in attributes.items():
        if key == "class":
            _add_class(token.attrs, str(value))
        else:
            token.attrs[key] = value


def inline_attributes(state: StateInline, silent: bool) -> bool:
    """Inline rule: attributes directly after an image, a link, code, a role or a span apply to it."""
    if state.src[state.pos] != "{" or state.pending or not state.tokens:
        return False
    last = state.tokens[-1]
    if last.type not in _TAKERS:
        return False
    end, given = state.pos, []
    # Reads all adjacent braces at once, because the search for the opening token may go far back.
    while (found := read_attributes(state.src, end)) is not None and found[1] <= state.posMax:
        attributes, end = found
        given.append(attributes)
    if not given:
        return False
    state.pos = end
    if not silent:
        taker = last if last.nesting == 0 else state.tokens[_opening(state.tokens)]
        for attributes in given:
            _give(taker, attributes)
    return True


def _opening(tokens: list[Token]) -> int:
    depth, index = 0, len(tokens)
    while index > 0:
        index -= 1
        depth += tokens[index].nesting
        if depth == 0:
            return index
    raise AssertionError("a closing token without its opening one")


def span(state: StateInline, silent: bool) -> bool:
    """Inline rule: text with attributes, as in `[text]{lang=en}`."""
    if state.src[state.pos] != "[":
        return False
    start, maximum = state.pos, state.posMax
    label_end = state.md.helpers.parseLinkLabel(state, start, False)
    if label_end < 0 or label_end + 1 >= maximum or state.src[label_end + 1] != "{":
        return False
    found = read_attributes(state.src, label_end + 1)
    if found is None or found[1] > maximum:
        return False
    attributes, end = found
    if not silent:
        state.pos, state.posMax = start + 1, label_end
        _give(state.push("span_open", "span", 1), attributes)
        state.md.inline.tokenize(state)
        state.push("span_close", "span", -1)
    state.pos, state.posMax = end, maximum
    return True


def block_attributes(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: attributes alone on a line, or a target of MyST, `(name)=`, apply to the block below."""
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or state.src[begin : begin + 1] not in ("{", "("):
        return False
    target = _TARGET.match(state.src, begin, state.eMarks[start])
    found = ({"id": target[1]}, target.end()) if target else read_attributes(state.src, begin)
    if found is None or state.src[found[1] : state.eMarks[start]].strip():
        return False
    if silent:
        return True
    token = state.push("attributes", "", 0)
    token.attrs = found[0]
    token.map = [start, start + 1]
    state.line = start + 1
    return True


def settle_attributes(state: StateCore) -> None:
    """Core rule between `block` and `inline`: moves attributes to the block below them or to their heading.

    Attribute tokens without a block below stay; rendering reports them.
    """
    tokens: list[Token] = []
    waiting: list[Token] = []
    for index, token in enumerate(state.tokens):
        if token.type == "attributes":
            waiting.append(token)
            continue
        if waiting:
            if token.nesting >= 0:
                for attributes in waiting:
                    _give(token, attributes.attrs)
                    lines = dict.fromkeys(attributes.attrs, certain(attributes.map, "a block has lines")[0])
                    token.meta.setdefault(LINES_OF_ATTRIBUTES, {}).update(lines)
            else:
                tokens += waiting
            waiting = []
        if token.type == "heading_open":
            text = state.tokens[index + 1]
            if text.content.endswith("}") and (found := _AT_END_OF_HEADING.search(text.content)):
                read = certain(read_attributes(found.group(1)), "the expression finds attributes only")
                _give(token, read[0])
                text.content = text.content[: found.start()].rstrip()
        tokens.append(token)
    state.tokens = tokens + waiting

"""A piece of HTML as a small tree."""

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from xml.sax.saxutils import escape, quoteattr

import msgspec

_EMPTY = frozenset(
    ("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)


class Element(msgspec.Struct, kw_only=True):
    """An element of a small tree."""

    name: str
    attributes: Mapping[str, str]
    children: list["Element | str"]

    def all(self, *names: str) -> Iterator["Element"]:
        """The elements of these names below this one, in order."""
        for child in self.children:
            if isinstance(child, Element):
                if child.name in names:
                    yield child
                yield from child.all(*names)

    @property
    def text(self) -> str:
        """All text below it."""
        return "".join(one if isinstance(one, str) else one.text for one in self.children)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element(name="", attributes={}, children=[])
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        one = Element(name=tag, attributes={name: value or "" for name, value in attrs}, children=[])
        self._open[-1].children.append(one)
        if tag not in _EMPTY:
            self._open.append(one)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(
            Element(name=tag, attributes={name: value or "" for name, value in attrs}, children=[])
        )

    def handle_endtag(self, tag: str) -> None:
        if any(one.name == tag for one in self._open[1:]):
            while self._open.pop().name != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def parse_html(html: str) -> Element:
    """The tree of a piece of HTML."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    return builder.root


def as_xml(one: Element) -> str:
    """An element as XML again."""
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in one.attributes.items())
    inner = "".join(escape(child) if isinstance(child, str) else as_xml(child) for child in one.children)
    return f"<{one.name}{attributes}>{inner}</{one.name}>"


def with_single_spaces(text: str) -> str:
    """Text with runs of white space as single spaces; spaces that do not break stay."""
    out: list[str] = []
    for character in text:
        if character in " \t\n\r":
            if not out or out[-1] != " ":
                out.append(" ")
        else:
            out.append(character)
    return "".join(out)

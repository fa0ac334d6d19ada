"""XML parts of decks: parsed without entities, and changed in single attributes and texts."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from diglot.plain_xml import XmlMistake, parse_xml
from diglot.slides.mistakes import damaged

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
FALLBACK = f"{MC}Fallback"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A14 = "{http://schemas.microsoft.com/office/drawing/2010/main}"
ASVG = "{http://schemas.microsoft.com/office/drawing/2016/SVG/main}"


def parse_part(content: bytes, path: Path, name: str) -> ElementTree.Element:
    """The root of an XML part. Raises DiagnosticError if it is not XML."""
    try:
        return parse_xml(content)
    except XmlMistake as error:
        raise damaged(path, f'the part "{name}" is not XML ({error})') from error


def shown_elements(root: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """All elements of a part in their order, without the forms for older programs next to some of them."""
    stack = [root]
    while stack:
        one = stack.pop()
        if one.tag != FALLBACK:
            yield one
            stack += reversed(one)


TAG = re.compile(rb"""<[^\s/>]+(?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")


def with_attributes(content: bytes, change: Callable[[str, Mapping[str, str]], Mapping[str, str]]) -> bytes:
    """A part with other values of some attributes, and otherwise the same bytes.

    `change` gets each element's name, as it is written, with its attributes, and returns those to replace.
    """
    edits: list[tuple[int, int, bytes]] = []
    parser = expat.ParserCreate()

    def start(name: str, attributes: Mapping[str, str]) -> None:
        wanted = change(name, attributes)
        tag = TAG.match(content, parser.CurrentByteIndex)
        if tag is None:
            return
        for attribute, value in wanted.items():
            pattern = rb"\s" + re.escape(attribute.encode()) + rb"\s*=\s*(\"[^\"]*\"|'[^']*')"
            if found := re.search(pattern, tag[0]):
                written = quoteattr(value, {"\n": "&#10;"}).encode("utf-8")
                edits.append((tag.start() + found.start(1), tag.start() + found.end(1), written))

    parser.StartElementHandler = start
    parser.Parse(content, True)
    return spliced(content, sorted(edits))


def spliced(content: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    """Content with some ranges replaced, given from the first to the last."""
    pieces, at = [], 0
    for start, end, written in edits:
        pieces += [content[at:start], written]
        at = end
    return b"".join([*pieces, content[at:]])

"""Raw HTML in the tree: pieces of it as nodes, and tags that belong together as elements."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from diglot.content.records import Parts
from diglot.content.tree.nodes import DEEPEST_TREE, Node, Nodes, Raw, RawText, children_of
from diglot.html_tags import Markup, Tag, attributes_of, fragments_of


class LooseTag(NamedTuple):
    """A tag of raw HTML, as long as its other half is not found."""

    raw: Raw
    name: str
    closes: bool


Piece: TypeAlias = Node | LooseTag
Addresses = Callable[[str, int], Parts]
"""A tag with its addresses as placeholders, given how many lines are above it."""


def split_html(html: str, addresses: Addresses) -> Iterator[Piece]:
    """A piece of raw HTML, tag by tag."""
    style: Tag | None = None
    for fragment in fragments_of(html):
        if style is not None:  # the addresses in a style are found together with its tag
            inside = fragment if isinstance(fragment, str) else ""
            yield _start(style, style.source + inside, html, addresses)
            style = None
            if inside:
                continue
        if isinstance(fragment, str):
            yield RawText(html=fragment)
        elif isinstance(fragment, Markup):
            yield Raw(begin=(fragment.source,))
        elif fragment.closes:
            yield LooseTag(Raw(begin=(fragment.source,)), fragment.name, closes=True)
        elif fragment.opens and fragment.name == "style":
            style = fragment
        else:
            yield _start(fragment, fragment.source, html, addresses)
    if style is not None:
        yield _start(style, style.source, html, addresses)


def _start(tag: Tag, source: str, html: str, addresses: Addresses) -> Piece:
    has_address = "=" in source or "url(" in source
    raw = Raw(
        begin=addresses(source, html.count("\n", 0, tag.start)) if has_address else (source,),
        name=tag.name,
        attributes={one.name: one.value for one in attributes_of(tag)} if "=" in tag.source else {},
    )
    return LooseTag(raw, tag.name, closes=False) if tag.opens else raw


def paired(pieces: Iterable[Piece]) -> Nodes:
    """Nodes with each element of raw HTML around what is between its tags.

    A tag without its other half among these nodes stays a node of its own, as does one that is too deep.
    """
    nodes: list[Node] = []
    depths: list[int] = []
    starts: list[tuple[str, int]] = []
    """The name of each open element, and the index of its tag."""
    names: Counter[str] = Counter()
    for piece in pieces:
        if not isinstance(piece, LooseTag):
            nodes.append(piece)
            depths.append(_depth(piece))
            continue
        if not piece.closes:
            starts.append((piece.name, len(nodes)))
            names[piece.name] += 1
        elif names[piece.name]:
            name, start = "", 0
            while name != piece.name:
                name, start = starts.pop()
                names[name] -= 1
            depth = max(depths[start + 1 :], default=0) + 1
            opening = nodes[start]
            if depth <= DEEPEST_TREE and isinstance(opening, Raw):
                end = "".join(map(str, piece.raw.begin))
                nodes[start:] = [replace(opening, children=tuple(nodes[start + 1 :]), end=end)]
                depths[start:] = [depth]
                continue
            starts.clear()  # so that no tail is measured twice
            names.clear()
        nodes.append(piece.raw)
        depths.append(0)
    return tuple(nodes)


def _depth(node: Node) -> int:
    return 1 + max((_depth(child) for below in children_of(node) for child in below), default=0)

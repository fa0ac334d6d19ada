"""Raw HTML in the tree: pieces of it as nodes, and tags that belong together as elements."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from diglot.content.records import Parts
from diglot.content.tree.nodes import DEEPEST_TREE, Node, Nodes, Raw, RawText, children_of
from diglot.html_tags import END_MAY_BE_LEFT_OUT, Markup, Tag, attributes_of, fragments_of


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
    has_address = "=" in source or tag.name == "style"
    raw = Raw(
        begin=addresses(source, html.count("\n", 0, tag.start)) if has_address else (source,),
        name=tag.name,
        attributes={attribute.name: attribute.value for attribute in attributes_of(tag)},
    )
    return LooseTag(raw, tag.name, closes=False) if tag.opens else raw


def paired(pieces: Iterable[Piece]) -> Nodes:
    """Nodes with each element of raw HTML around what is between its tags.

    A tag without its other half among these nodes stays a node of its own, as does one that is too deep. An
    item, a cell or a paragraph without its end tag ends where the next one begins, or what is around it ends.
    """
    pairing = _Pairing()
    for piece in pieces:
        pairing.add(piece)
    pairing.end()
    return tuple(pairing.nodes)


class _Pairing:
    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._depths: list[int] = []
        self._starts: list[tuple[str, int]] = []
        """The name of each open element, and the index of its tag."""
        self._names: Counter[str] = Counter()

    def add(self, piece: Piece) -> None:
        """Add a node or a tag."""
        if not isinstance(piece, LooseTag):
            self._append(piece, _depth(piece))
        elif not piece.closes:
            while self._starts and self._starts[-1][0] in _ENDED_BY.get(piece.name, ()):
                self._close("")
            self._starts.append((piece.name, len(self.nodes)))
            self._names[piece.name] += 1
            self._append(piece.raw, 0)
        else:
            while self._names[piece.name] and self._starts[-1][0] != piece.name:
                self._leave()
            end = "".join(map(str, piece.raw.begin))
            if not self._names[piece.name] or not self._close(end):
                self._append(piece.raw, 0)

    def end(self) -> None:
        """Leave all elements that are open."""
        while self._starts:
            self._leave()

    def _append(self, node: Node, depth: int) -> None:
        self.nodes.append(node)
        self._depths.append(depth)

    def _leave(self) -> None:
        """Leave the innermost element, which has no end tag."""
        if self._starts[-1][0] in END_MAY_BE_LEFT_OUT:
            self._close("")
        else:
            name, _ = self._starts.pop()
            self._names[name] -= 1

    def _close(self, end: str) -> bool:
        """Put the nodes behind the innermost start tag into its element; False if they are too deep."""
        name, start = self._starts.pop()
        self._names[name] -= 1
        depth = max(self._depths[start + 1 :], default=0) + 1
        opening = self.nodes[start]
        if depth > DEEPEST_TREE or not isinstance(opening, Raw):
            self._starts.clear()  # so that no tail is measured twice
            self._names.clear()
            return False
        self.nodes[start:] = [replace(opening, children=tuple(self.nodes[start + 1 :]), end=end)]
        self._depths[start:] = [depth]
        return True


_ENDED_BY = {
    **dict.fromkeys(("p", "div", "ul", "ol", "dl", "table", "pre", "blockquote"), ("p",)),
    "li": ("p", "li"),
    **dict.fromkeys(("dt", "dd"), ("p", "dt", "dd")),
    **dict.fromkeys(("td", "th"), ("p", "td", "th")),
    "tr": ("p", "td", "th", "tr"),
    **dict.fromkeys(("tbody", "tfoot"), ("p", "td", "th", "tr", "thead", "tbody")),
}
"""The elements that a start tag ends, where their own end tag is left out."""


def _depth(node: Node) -> int:
    return 1 + max((_depth(child) for below in children_of(node) for child in below), default=0)

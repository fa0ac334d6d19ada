"""The cells of a table and the items of a list, each as nodes of its own."""

from typing import NamedTuple

from msgspec.structs import replace

from diglot.content.tree.nodes import Container, Directive, Item, Node, Nodes, Raw, Table


class Piece(NamedTuple):
    """A cell or an item."""

    place: str
    """What it is called in a message."""
    nodes: Nodes


def pieces_of(nodes: Nodes) -> list[Piece]:
    """The cells and items of a block, in order; a list inside an item is no part of this."""
    pieces = _Pieces()
    pieces.cut(nodes)
    return pieces.found


class _Pieces:
    def __init__(self) -> None:
        self.found: list[Piece] = []
        self._row = self._column = self._item = 0

    def cut(self, nodes: Nodes) -> Nodes:
        """Nodes without the cells and items in them, which are added to those found."""
        left: list[Node] = []
        for node in nodes:
            match node:
                case Item() | Raw(name="li"):
                    self._item += 1
                    self._add(f"item {self._item}", node.children)
                case Table():
                    for row in node.rows:
                        self._begin_row()
                        for cell in row:
                            self._add_cell(cell)
                case Raw(name="td" | "th"):
                    self._add_cell(node.children)
                case Container() | Directive() | Raw():
                    if node.children and isinstance(node, Raw) and node.name == "tr":
                        self._begin_row()
                    children = self.cut(node.children)
                    left.append(node if children == node.children else replace(node, children=children))
                case _:
                    left.append(node)
        return tuple(left)

    def _begin_row(self) -> None:
        self._row, self._column = self._row + 1, 0

    def _add_cell(self, nodes: Nodes) -> None:
        self._column += 1
        self._add(f"row {self._row}, column {self._column}", nodes)

    def _add(self, place: str, nodes: Nodes) -> None:
        at = len(self.found)
        self.found.append(Piece(place, ()))  # before those inside it
        self.found[at] = Piece(place, self.cut(nodes))

"""How the drawings of a figure's states differ: what turns the one that a page shows into any other.

The drawing in the page is the skeleton. What another state has and the skeleton lacks is inserted first, and
not visible; after that, states differ in attributes and texts alone. All of it is found by comparing the
drawings, whatever the script drew.
"""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, TypeAlias
from xml.etree import ElementTree

import msgspec

Path: TypeAlias = tuple[int, ...]
"""The way to an element from the root: at each step, which child."""

_HIDDEN = "hidden"
"""Unlike `display`, it changes no layout: a step takes a third less time."""
_LONG = 60
"""Characters of a value from which on it is worth telling once what all values have in common."""


class Slot(msgspec.Struct, frozen=True, array_like=True):
    """What differs between states at one place."""

    path: Path
    attribute: str
    """Empty for the element's text."""
    values: tuple[str | None, ...]
    """Each value once; None for an attribute that is not there."""
    which: tuple[int, ...] | None
    """For each frame, the index of its value; None if every frame has a value of its own, in order."""
    around: tuple[str, str] = ("", "")
    """What all values begin and end with, and `values` therefore leaves out."""


class Insertion(msgspec.Struct, frozen=True, array_like=True):
    """An element that the skeleton lacks. Insertions are made in order."""

    path: Path
    """Where it is, once it is inserted."""
    markup: str


class Differences(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The differences between the drawings of one figure in one size and language."""

    frames: int
    prefix: str
    """What the ids of the skeleton begin with."""
    insert: tuple[Insertion, ...]
    slots: tuple[Slot, ...]
    messages: tuple[str, ...] = ()
    """The figure's message in each frame; empty where it is the same in all."""


def find_differences(drawings: Sequence[str], default: int, messages: Sequence[str] = ()) -> Differences:
    """The differences between inline SVGs, of which `drawings[default]` is the one in the page."""
    prefix = _prefix(drawings[default])
    roots = [ElementTree.fromstring(svg.replace(_prefix(svg), prefix)) for svg in drawings]
    count = len(roots)
    skeleton = _Node(roots[default], default, count)
    for frame, root in enumerate(roots):
        if frame != default:
            skeleton.take_in(root, frame)
    insert: list[Insertion] = []
    slots: list[Slot] = []
    _collect(skeleton, (), frozenset(range(count)), insert, slots, default=default)
    said = tuple(messages) if len(set(messages)) > 1 else ()
    return Differences(frames=count, prefix=prefix, insert=tuple(insert), slots=tuple(slots), messages=said)


def _prefix(svg: str) -> str:
    """What the ids of a drawing begin with: figure, parameters, size and language."""
    return svg.partition('<title id="')[2].partition('-title"')[0]


class _Node:
    """An element of the skeleton, with the element that each frame has in its place."""

    def __init__(self, element: ElementTree.Element, frame: int, count: int) -> None:
        self.of: list[ElementTree.Element | None] = [None] * count
        self.of[frame] = element
        self.latest = element
        self.children = [_Node(child, frame, count) for child in element]

    def take_in(self, element: ElementTree.Element, frame: int) -> None:
        """Note a frame's element, and find places for its children."""
        self.of[frame] = element
        self.latest = element
        merged: list[_Node] = []
        for node, child in _paired(self.children, list(element)):
            if node is not None:
                merged.append(node)
                if child is not None:
                    node.take_in(child, frame)
            elif child is not None:
                merged.append(_Node(child, frame, len(self.of)))
        self.children = merged


def _paired(
    nodes: list[_Node], children: list[ElementTree.Element]
) -> Iterator[tuple[_Node | None, ElementTree.Element | None]]:
    """Nodes of the skeleton with the children of a frame that take their places, in the order of drawing.

    Unless all are of the same kinds, what is at the same place comes first, such as the cells of a grid;
    in between are pairs of the same kind, such as a mark that has moved. The rest stands alone.
    """
    if [_kind(node.latest) for node in nodes] == [_kind(child) for child in children]:
        yield from zip(nodes, children, strict=True)
        return
    for part, others, is_paired in _runs(nodes, children, _place):
        if is_paired:
            yield from zip(part, others, strict=True)
            continue
        for rest, left, is_alike in _runs(part, others, _kind):
            if is_alike:
                yield from zip(rest, left, strict=True)
            else:
                yield from ((node, None) for node in rest)
                yield from ((None, child) for child in left)


def _runs(
    nodes: list[_Node], children: list[ElementTree.Element], key: Callable[[ElementTree.Element], Any]
) -> Iterator[tuple[list[_Node], list[ElementTree.Element], bool]]:
    """Runs of both, and whether they are the same in the key."""
    both = [key(node.latest) for node in nodes], [key(child) for child in children]
    for tag, a, b, c, d in SequenceMatcher(None, *both, autojunk=False).get_opcodes():
        yield nodes[a:b], children[c:d], tag == "equal"


def _kind(element: ElementTree.Element) -> tuple[Any, ...]:
    """What elements in the same place have in common: tag, names of attributes, and the id of a group."""
    return (element.tag, *sorted(element.attrib), element.get("id") if element.tag == "g" else None)


def _place(element: ElementTree.Element) -> tuple[Any, ...]:
    """Where an element of its kind is."""
    return (*_kind(element), *map(element.get, ("d", "x", "y")))


def _collect(
    node: _Node,
    path: Path,
    around: frozenset[int],
    insert: list[Insertion],
    slots: list[Slot],
    *,
    default: int,
) -> None:
    """Add what differs in an element and below it. `around` are the frames with the element around it."""
    there = frozenset(frame for frame, one in enumerate(node.of) if one is not None)
    elements = [one for one in node.of if one is not None]
    if default not in there:
        bare = ElementTree.Element(elements[0].tag, elements[0].attrib)
        bare.text = elements[0].text
        insert.append(Insertion(path, ElementTree.tostring(bare, encoding="unicode")))
    names = {name for one in elements for name in one.attrib}
    if there != around:
        names.discard("visibility")
        shown = [_MISSING if frame not in around else _visibility(one) for frame, one in enumerate(node.of)]
        _slot(path, "visibility", shown, slots)
    for name in sorted(names):
        _slot(path, name, [_MISSING if one is None else one.get(name) for one in node.of], slots)
    _slot(path, "", [_MISSING if one is None else one.text or "" for one in node.of], slots)
    for at, child in enumerate(node.children):
        _collect(child, (*path, at), there, insert, slots, default=default)


def _visibility(element: ElementTree.Element | None) -> str | None:
    return _HIDDEN if element is None else element.get("visibility")


_MISSING: Any = object()
"""In place of a value in frames that do not have the element."""


def _slot(path: Path, attribute: str, found: list[Any], slots: list[Slot]) -> None:
    """Add a slot if frames differ. A frame without the element keeps the last value: any is right."""
    last = next(value for value in found if value is not _MISSING)
    of_frames: list[str | None] = []
    for value in found:
        last = last if value is _MISSING else value
        of_frames.append(last)
    values = tuple(dict.fromkeys(of_frames))
    if len(values) == 1:
        return
    index = {value: at for at, value in enumerate(values)}
    which = None if len(values) == len(of_frames) else tuple(index[value] for value in of_frames)
    texts = [value for value in values if value is not None]
    if len(texts) < len(values) or max(map(len, texts)) < _LONG:
        slots.append(Slot(path, attribute, values, which))
        return
    start = _beginning(texts)
    end = _beginning([text[len(start) :][::-1] for text in texts])[::-1]
    middles = tuple(text[len(start) : len(text) - len(end)] for text in texts)
    slots.append(Slot(path, attribute, middles, which, (start, end)))


def _beginning(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    first, last = min(texts), max(texts)  # between these two lie all others
    same = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), None)
    return first if same is None else first[:same]

"""Compares what two blocks hold besides their sentences: links, notes, tables, lists, formulas and code."""

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from diglot.content.differences import Difference
from diglot.content.highlighting import without_comments
from diglot.content.prose import targets_of
from diglot.content.records import OF_TALKS
from diglot.content.tree.nodes import (
    Code,
    CodeBlock,
    Container,
    Directive,
    Display,
    Formula,
    Item,
    Node,
    Nodes,
    Raw,
    Table,
    TopBlock,
    all_below,
    children_of,
)
from diglot.content.tree.text import text_of_html
from diglot.diagnostics import counted


def compare_members(one: Nodes, other: Nodes) -> Iterator[Difference]:
    """The links, pictures, formulas and references that only one of two texts has."""
    return _compare(_MEMBERS, one, other)


def compare_shapes(one: Nodes, other: Nodes) -> Iterator[Difference]:
    """Where tables, lists and admonitions of two blocks differ in shape or kind."""
    return _compare(_SHAPES, one, other)


def _compare(what: "Sequence[_Compared]", one: Nodes, other: Nodes) -> Iterator[Difference]:
    for compared in what:
        a, b = compared.of(one), compared.of(other)
        if a != b:
            yield Difference(compared.rule, compared.told(a, b), compared.fix)


def compare_code(one: TopBlock, other: TopBlock) -> Iterator[Difference]:
    """Code that differs, not only in comments; in a line, where each half has some that the other has not."""
    if one.kind != "code":
        here, there = ({*_code_in(block.nodes)} for block in (one, other))
        if here - there and there - here:
            message = f"“{min(here - there)}” here, “{min(there - here)}” in the English half"
            yield Difference(rule="halves-code", message=message, fix="use the same code in both halves.")
    elif other.kind == "code" and _lines_of_code(one) != _lines_of_code(other):
        message = "the code differs, not only in comments"
        yield Difference(rule="halves-code", message=message, fix="use the same code in both halves.")


def _code_in(nodes: Nodes) -> Iterator[str]:
    for node in all_below(nodes):
        match node:
            case Code():
                yield node.text
            case CodeBlock():
                yield "\n".join(_lines(without_comments(node.text, node.language)))
            case Raw(name="code"):
                yield text_of_html(node)


def _lines_of_code(block: TopBlock) -> tuple[str, ...]:
    """Names of files in titles, whose words may differ, and lines of code without comments."""
    return tuple(
        line
        for node in block.nodes
        if isinstance(node, CodeBlock)
        for line in (*_FILE_NAME.findall(node.title), *_lines(without_comments(node.text, node.language)))
    )


_FILE_NAME = re.compile(r"^[!-~]+$")


def _lines(code: str) -> list[str]:
    return [line.rstrip() for line in code.split("\n") if line.strip()]


_CODE = "(?:zh-cn|zh-hans|zh_cn|zh|en-us|en_us|en)"
_LANGUAGE_LABEL = re.compile(
    rf"^(?:zh|en|www|m)\.|(?:^|(?<=/)){_CODE}(?=/|$)|(?:^|(?<=/)|\.){_CODE}(?=\.\w+$)", re.I
)


def _links(nodes: Nodes) -> frozenset[str]:
    return frozenset(map(_without_language, targets_of(nodes, "link")))


def _without_language(target: str) -> str:
    """A link without what names its language, as do `/en/`, `en.md` and `data.en.csv`.

    `en.wikipedia.org/wiki/Roofline_model` is `wikipedia.org`, whose articles have a name for each language.
    """
    try:
        parts = urlsplit(target)
    except ValueError:  # a build warns of it: `http://[::1`
        return target
    host = _LANGUAGE_LABEL.sub("", parts.netloc)
    if host.endswith("wikipedia.org"):
        return host
    fragment = "" if not unquote(parts.fragment).isascii() else parts.fragment
    return host + _LANGUAGE_LABEL.sub("", parts.path) + (f"#{fragment}" if fragment else "")


_OF_LANGUAGE = re.compile(r"(?:(?<=[/._-])|^)(?:zh|en)(?=[/._-])")


def _images(nodes: Nodes) -> frozenset[str]:
    """The pictures, but for what says their language: `roof.zh.svg`."""
    return frozenset(_OF_LANGUAGE.sub("", target) for target in targets_of(nodes, "image", "file"))


def _table(nodes: Nodes) -> tuple[int, ...]:
    return tuple(_rows(nodes))


def _rows(nodes: Nodes) -> Iterator[int]:
    """How many cells each row has."""
    for node in all_below(nodes):
        if isinstance(node, Table):
            yield from map(len, node.rows)
        elif isinstance(node, Raw) and node.name == "tr":
            yield sum(isinstance(cell, Raw) and cell.name in ("td", "th") for cell in node.children)


class _Item(NamedTuple):
    depth: int
    """2 for one of a list that is itself an item's."""
    is_numbered: bool


def _items(nodes: Nodes) -> tuple[_Item, ...]:
    return tuple(_items_below(nodes, ()))


def _items_below(nodes: Nodes, lists: tuple[str, ...]) -> Iterator[_Item]:
    """The items of nodes that are inside these lists, outermost first."""
    for node in nodes:
        if isinstance(node, Item) or (isinstance(node, Raw) and node.name == "li"):
            yield _Item(len(lists), lists[-1:] == ("ol",))
        is_list = isinstance(node, Container | Raw) and node.name in ("ul", "ol")
        for children in children_of(node):
            yield from _items_below(children, (*lists, _name(node)) if is_list else lists)


def _name(node: Node) -> str:
    return node.name if isinstance(node, Container | Raw) else ""


def _formulas(nodes: Nodes) -> frozenset[str]:
    return frozenset(_formulas_below(nodes))


def _formulas_below(nodes: Nodes) -> Iterator[str]:
    for node in all_below(nodes):
        if isinstance(node, Formula | Display) and node.mathml:
            yield _without_words(node.mathml)
        elif isinstance(node, Raw) and node.name == "math":
            yield text_of_html(node)


@functools.lru_cache(maxsize=1024)  # both halves have the same formulas
def _without_words(mathml: str) -> str:
    """A formula without the words in it, and apart from whether it is displayed."""
    formula = ElementTree.fromstring(mathml)
    formula.attrib.clear()
    for element in formula.iter():
        for words in element.findall("mtext"):
            element.remove(words)
    return ElementTree.tostring(formula, "unicode")


def _references(nodes: Nodes) -> frozenset[str]:
    return frozenset(targets_of(nodes, "ref"))


def _admonitions(nodes: Nodes) -> frozenset[str]:
    return frozenset(
        " ".join(filter(None, (node.name, node.attributes.get("class"), node.fold and "folded")))
        for node in all_below(nodes)
        if isinstance(node, Directive) and node.name not in OF_TALKS
    )


class _Compared(NamedTuple):
    """Something that both halves of a block have, and how a difference in it is worded."""

    rule: str
    of: Callable[[Nodes], Any]
    told: Callable[[Any, Any], str]
    fix: str


def _members(called: str) -> Callable[[frozenset[str], frozenset[str]], str]:
    def told(here: frozenset[str], there: frozenset[str]) -> str:
        for only, where in ((here - there, "is not in"), (there - here, "is only in")):
            if only:
                return f"{called.format(min(only))} {where} the English half"
        raise AssertionError("both sets are the same")

    return told


def _shapes(here: Sequence[int], there: Sequence[int]) -> str:
    return f"a table of {_size(here)} here, of {_size(there)} in the English half"


def _told_items(here: Sequence[_Item], there: Sequence[_Item]) -> str:
    if len(here) != len(there):
        return f"{counted(len(here), 'item')} here, {len(there)} in the English half"
    at, one, other = next(
        (number, one, other)
        for number, (one, other) in enumerate(zip(here, there, strict=True), 1)
        if one != other
    )
    if one.depth != other.depth:
        return (
            f"item {at} of the list is at level {one.depth} here, at level {other.depth} in the English half"
        )
    numbered = ("is numbered", "is not") if one.is_numbered else ("is not numbered", "is")
    return f"the list {numbered[0]} here, and {numbered[1]} in the English half"


def _size(rows: Sequence[int]) -> str:
    return f"{counted(len(rows), 'row')} and {counted(max(rows, default=0), 'column')}"


_SHAPES = (
    _Compared(
        rule="halves-table",
        of=_table,
        told=_shapes,
        fix="give the table the same rows and columns in both halves.",
    ),
    _Compared(rule="halves-list", of=_items, told=_told_items, fix="give both halves the same items."),
    _Compared(
        rule="halves-admonition",
        of=_admonitions,
        told=_members("the note of kind {}"),
        fix="use the same kind of note in both halves.",
    ),
)
_MEMBERS = (
    _Compared(
        rule="halves-link",
        of=_links,
        told=_members("the link {}"),
        fix="link to the same places in both halves.",
    ),
    _Compared(
        rule="halves-picture",
        of=_images,
        told=_members("the picture {}"),
        fix="show the same pictures in both halves; one may be named for its language, as roof.zh.svg.",
    ),
    _Compared(
        rule="halves-formula",
        of=_formulas,
        told=_members("a formula"),
        fix="use the same formulas in both halves.",
    ),
    _Compared(
        rule="halves-reference",
        of=_references,
        told=_members("the reference to {}"),
        fix="refer to the same figures and tables in both halves.",
    ),
)

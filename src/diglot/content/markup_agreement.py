"""Compares what two blocks hold beside their sentences: links, notes, tables, lists, formulas and code."""

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from diglot.content.differences import Difference
from diglot.content.prose import markup_of, placeholders_of
from diglot.content.records import Block, Parts


def compare_members(one: Parts, other: Parts) -> Iterator[Difference]:
    """The links, pictures, formulas and references that only one of two texts has."""
    return _compare(_MEMBERS, one, other)


def compare_shapes(one: Parts, other: Parts) -> Iterator[Difference]:
    """Where tables, lists and admonitions of two blocks differ in shape or kind."""
    return _compare(_SHAPES, one, other)


def _compare(what: "Sequence[_Compared]", one: Parts, other: Parts) -> Iterator[Difference]:
    for compared in what:
        a, b = compared.of(one), compared.of(other)
        if a != b:
            yield Difference(compared.rule, compared.told(a, b), compared.fix)


_IN_LINE = re.compile(r"<code\b[^>]*>(.*?)</code>", re.S)


def compare_code(one: Block, other: Block) -> Iterator[Difference]:
    """Code that differs, not only in comments; in a line, where each half has some that the other has not."""
    here, there = ({*_IN_LINE.findall(markup_of(block.parts))} for block in (one, other))
    if one.kind != "code" and here - there and there - here:
        shown = (unescape(_TAG.sub("", min(only))) for only in (here - there, there - here))
        message = "“{}” here, “{}” in the English half".format(*shown)
        yield Difference(rule="halves-code", message=message, fix="use the same code in both halves.")
    if one.kind == other.kind == "code" and _code(one) != _code(other):
        message = "the code differs, not only in comments"
        yield Difference(rule="halves-code", message=message, fix="use the same code in both halves.")


_CODE = "(?:zh-cn|zh-hans|zh_cn|zh|en-us|en_us|en)"
_LANGUAGE_LABEL = re.compile(
    rf"^(?:zh|en|www|m)\.|(?:^|(?<=/)){_CODE}(?=/|$)|(?:^|(?<=/)|\.){_CODE}(?=\.\w+$)", re.I
)


def _links(parts: Parts) -> frozenset[str]:
    return frozenset(map(_without_language, placeholders_of(parts, "link")))


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


def _images(parts: Parts) -> frozenset[str]:
    """The pictures, but for what says their language: `roof.zh.svg`."""
    return frozenset(_OF_LANGUAGE.sub("", target) for target in placeholders_of(parts, "image", "file"))


_ROW = re.compile(r"<tr\b.*?</tr>", re.S)
_CELL = re.compile(r"<t[dh]\b")


def _table(parts: Parts) -> tuple[int, ...]:
    return tuple(len(_CELL.findall(row)) for row in _ROW.findall(markup_of(parts)))


_LIST_TAG = re.compile(r"<(/?)(ul|ol|li)\b")


class _Item(NamedTuple):
    depth: int
    """2 for one of a list that is itself an item's."""
    is_numbered: bool


def _items(parts: Parts) -> tuple[_Item, ...]:
    found: list[_Item] = []
    lists: list[str] = []
    for tag in _LIST_TAG.finditer(markup_of(parts)):
        closes, name = tag.groups()
        if name != "li" and closes:
            lists.pop()
        elif name != "li":
            lists.append(name)
        elif not closes:
            found.append(_Item(len(lists), lists[-1:] == ["ol"]))
    return tuple(found)


_MATH = re.compile(r"<math\b[^>]*>(.*?)</math>", re.S)
_IN_WORDS = re.compile(r"<mtext\b[^>]*>.*?</mtext>", re.S)


def _formulas(parts: Parts) -> frozenset[str]:
    return frozenset(_IN_WORDS.sub("", found) for found in _MATH.findall(markup_of(parts)))


def _references(parts: Parts) -> frozenset[str]:
    return frozenset(placeholders_of(parts, "ref"))


_ADMONITION = re.compile(r'<div class="admonition ([\w -]+)"')


def _admonitions(parts: Parts) -> frozenset[str]:
    return frozenset(_ADMONITION.findall(markup_of(parts)))


class _Compared(NamedTuple):
    """Something that both halves of a block have, and how a difference in it is told."""

    rule: str
    of: Callable[[Parts], Any]
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
        return f"{len(here)} items here, {len(there)} in the English half"
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
    return f"{len(rows)} rows and {max(rows, default=0)} columns"


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


_COMMENT = re.compile(r'<span class="(?:c|c1|cm|ch|cs|sd)">.*?</span>', re.S)
_TAG = re.compile(r"<[^<>]*>")


def _code(block: Block) -> tuple[str, ...]:
    """The lines of code without comments."""
    lines = _TAG.sub("", _COMMENT.sub("", markup_of(block.parts))).split("\n")
    return tuple(line.rstrip() for line in lines if line.strip())

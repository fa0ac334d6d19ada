"""Compares what two halves say: quantities, values, links, notes, tables, code and formulas of each row.

`pairs.py` says which blocks belong together. Here each pair of them is compared by what has to be the same in
any language. Order within a block is not: sentences are built differently in Chinese and English.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from html import escape
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from diglot.content.bound_units import differing_units
from diglot.content.pairs import half_place, halves_warning
from diglot.content.prose import markup_of, placeholders_of, prose_of
from diglot.content.records import Alignment, Block, Document, FrontMatter, Parts, PlaceholderKind
from diglot.diagnostics import Diagnostic
from diglot.quantities.free_numbers import numbered_names
from diglot.quantities.quantity import Quantity
from diglot.quantities.reading import quantities_in


class Difference(NamedTuple):
    """What two blocks or two titles say differently."""

    rule: str
    message: str
    fix: str = "make both halves say the same."


def compare_contents(
    zh: Document,
    en: Document,
    alignment: Alignment,
    *,
    names: Sequence[str] = (),
) -> tuple[Diagnostic, ...]:
    """Warnings where paired blocks state different things; `names` are product names with numbers in them."""
    found: list[Diagnostic] = []
    known = _NamesOfHalves(zh, en, names)
    for row in alignment.rows:
        if row.zh is not None and row.en is not None:
            one, other = zh.blocks[row.zh], en.blocks[row.en]
            for difference in _differences(one, other, zh, en, known):
                message = f"{difference.message} (its twin: {half_place(other, en)})"
                found.append(halves_warning(difference.rule, message, one, zh, difference.fix))
    return tuple(found)


def compare_front_matter(
    zh: FrontMatter, en: FrontMatter, *, names: Sequence[str] = ()
) -> Iterator[Difference]:
    """The differences between titles and between descriptions."""
    for one, other in ((zh.title, en.title), (zh.description, en.description)):
        if one and other:
            yield from _compare_sentences(one, other, names)


def compare_texts(zh: str, en: str) -> tuple[Difference, ...]:
    """The differences between two plain texts, such as the words for a figure."""
    one, other = (escape(text, quote=False) for text in (zh, en))
    return tuple(_compare_sentences((one,), (other,), ())) if zh and en else ()


def _differences(
    one: Block, other: Block, zh: Document, en: Document, known: "_NamesOfHalves"
) -> Iterator[Difference]:
    left, right = whole_of(one, zh), whole_of(other, en)
    if one.kind not in ("code", "formula"):
        yield from _compare_sentences(left, right, known.given, known)
    for compared in _COMPARED:
        a, b = compared.of(left), compared.of(right)
        if a != b:
            yield Difference(compared.rule, compared.told(a, b), compared.fix)
    if one.kind == other.kind == "code" and _code(one) != _code(other):
        message = "the code differs, not only in comments"
        yield Difference(rule="halves-code", message=message, fix="use the same code in both halves.")


def whole_of(block: Block, document: Document) -> Parts:
    """What a block holds, its notes and the caption of a figure or table included."""
    parts = [*block.parts]
    for kind, embeds in (("figure", document.figures), ("table", document.tables)):
        for index in placeholders_of(block.parts, kind):
            parts += embeds[int(index)].caption
    for note in block.notes:
        parts += ["<p>", *note.parts, "</p>"]
    return tuple(parts)


# ---- what sentences say


def _compare_sentences(
    one: Parts, other: Parts, names: Sequence[str], known: "_NamesOfHalves | None" = None
) -> Iterator[Difference]:
    yield from _compare_quantities(one, other, names)
    yield from _compare_names(one, other, known)
    yield from _compare_values(one, other)
    for units in differing_units(one, other):
        what = f"{units.of} is in “{units.zh}” here" if units.of else f"the unit “{units.zh}” is here"
        yield Difference(rule="halves-unit", message=f"{what}, “{units.en}” in the English half")


def _compare_quantities(one: Parts, other: Parts, names: Sequence[str]) -> Iterator[Difference]:
    left = list(quantities_in(prose_of(one), "zh", names=names))
    right = list(quantities_in(prose_of(other), "en", names=names))
    units = _units_of(left), _units_of(right)
    _take_pairs(left, right, lambda a, b: a.agrees(b) and _in_digits(a) == _in_digits(b))
    _take_pairs(left, right, Quantity.agrees)
    left, right = _ends(left), _ends(right)
    _take_pairs(left, right, lambda a, b: _agrees_loosely(a, b, units))
    for quantity, rival in (
        *_take_pairs(left, right, lambda a, b: a.unit == b.unit),
        *_take_pairs(left, right, _opposite),
    ):
        yield Difference(
            rule="halves-quantity", message=f"“{quantity.text}” here, “{rival.text}” in the English half"
        )
    for quantity in filter(_in_digits, left):
        yield Difference(rule="halves-quantity", message=f"“{quantity.text}” is not in the English half")
    for quantity in filter(_in_digits, right):
        yield Difference(rule="halves-quantity", message=f"“{quantity.text}” is only in the English half")


def _take_pairs(
    left: list[Quantity], right: list[Quantity], belong: Callable[[Quantity, Quantity], bool]
) -> list[tuple[Quantity, Quantity]]:
    """Take the pairs that belong together out of both lists."""
    taken = []
    for quantity in tuple(left):
        twin = next((other for other in right if belong(quantity, other)), None)
        if twin is not None:
            left.remove(quantity)
            right.remove(twin)
            taken.append((quantity, twin))
    return taken


def _ends(quantities: Sequence[Quantity]) -> list[Quantity]:
    """The quantities with the two ends of ranges apart: `from 97% to 55%` is a change, no range."""
    return [
        end
        for quantity in quantities
        for end in (
            (
                quantity._replace(high=quantity.low, high_step=quantity.step),
                quantity._replace(low=quantity.high, step=quantity.high_step),
            )
            if quantity.is_range
            else (quantity,)
        )
    ]


_Units = frozenset[tuple[str, float]]
"""Units of quantities, each with its factor."""


def _units_of(quantities: Sequence[Quantity]) -> _Units:
    return frozenset((one.unit, one.factor) for one in quantities)


def _agrees_loosely(one: Quantity, other: Quantity, units: tuple[_Units, _Units]) -> bool:
    """Whether both may say the same: half with 0.5 times, and a bare count with a count of anything.

    A bare number is of a unit that stands elsewhere in its half, as in `from 46 to 2,307 TFLOP/s`, or is the
    side of a square. Of what a thing has, as in 每个参数2字节, the other half may say only `2 bytes`.
    """
    if {one.unit, other.unit} == {"fraction", "times"}:
        return one._replace(unit="").agrees(other._replace(unit=""))
    for bare, full, known in ((one, other, units[0]), (other, one, units[1])):
        if not bare.unit and full.unit == f"shape {bare.low:g}×{bare.low:g}":
            return True
        if not bare.unit and (full.factor == 1.0 or (full.unit, full.factor) in known):
            return bare.agrees(full.as_written)
        if full.unit.startswith(f"{bare.unit}/") and not full.unit.endswith("/s"):
            return bare._replace(unit=full.unit).agrees(full)
    return one.agrees(other)


_GROWS = re.compile("doubl|tripl|quadrupl|翻|加了?一?倍", re.I)
_SHRINKS = re.compile("halv|减", re.I)


def _opposite(one: Quantity, other: Quantity) -> bool:
    """Whether one half says that something grows, and the other that it shrinks."""
    return any(
        _GROWS.match(grows.text) and _SHRINKS.match(shrinks.text)
        for grows, shrinks in ((one, other), (other, one))
    )


def _in_digits(quantity: Quantity) -> bool:
    """Whether it has digits: in words, one language often says more than the other."""
    return any(character.isdigit() for character in quantity.text)


def _compare_names(one: Parts, other: Parts, known: "_NamesOfHalves | None") -> Iterator[Difference]:
    """Names such as `H200` that each text has and the other has not.

    One only left out is no difference, unless the other half has it nowhere.
    """
    left, right = numbered_names(prose_of(one)), numbered_names(prose_of(other))
    here, there = sorted(left - right), sorted(right - left)
    if here and there:
        message = f"“{here[0]}” here, “{there[0]}” in the English half"
        yield Difference(rule="halves-name", message=message)
    elif known is not None and (unknown := [name for name in here if name not in known.en]):
        yield Difference(rule="halves-name", message=f"“{unknown[0]}” is nowhere in the English half")
    elif known is not None and (unknown := [name for name in there if name not in known.zh]):
        yield Difference(rule="halves-name", message=f"“{unknown[0]}” is only in the English half")


class _NamesOfHalves:
    """The names with numbers in them that each half has, wherever."""

    def __init__(self, zh: Document, en: Document, given: Sequence[str]) -> None:
        self._documents = (zh, en)
        self.given = given
        """Product names whose numbers are no quantities."""

    @cached_property
    def zh(self) -> frozenset[str]:
        """Those of the Chinese half."""
        return _names_in(self._documents[0])

    @cached_property
    def en(self) -> frozenset[str]:
        """Those of the English half."""
        return _names_in(self._documents[1])


def _names_in(document: Document) -> frozenset[str]:
    return numbered_names("\n".join(prose_of(whole_of(block, document)) for block in document.blocks))


_SPACES = re.compile(r"\s+")
_VALUES: tuple[tuple[PlaceholderKind, str], ...] = (
    ("eval", "value"),
    ("control", "value"),
    ("assert", "assertion"),
)


def _compare_values(one: Parts, other: Parts) -> Iterator[Difference]:
    left, right = _values_of(one), _values_of(other)
    for value in sorted(left - right):
        yield Difference(rule="halves-value", message=f"the {value} is not in the English half")
    for value in sorted(right - left):
        yield Difference(rule="halves-value", message=f"the {value} is only in the English half")


def _values_of(parts: Parts) -> frozenset[str]:
    """What a text says of values, without the formats of those shown: ``value `a.time_s```."""
    return frozenset(
        f"{called} `{_SPACES.sub('', target) if kind == 'assert' else _expression_of(target)}`"
        for kind, called in _VALUES
        for target in placeholders_of(parts, kind)
    )


_IN_A_UNIT = re.compile(r"\(([\w.\[\]]+)[*/](?:10+|60|3600|86400)\)")
"""A value in another unit, for words that no format writes: `(a.time_s * 1000) | number(1)` milliseconds."""


def _expression_of(target: str) -> str:
    """A value without its format, and without what is part of its format."""
    expression = _SPACES.sub("", target.partition("|")[0])
    converted = _IN_A_UNIT.fullmatch(expression)
    return converted[1] if converted is not None else expression


# ---- what is counted or listed

_LANGUAGE_LABEL = re.compile(
    r"^(?:zh|en|www|m)\.|(?:^|(?<=/))(?:zh-cn|zh-hans|zh_cn|zh|en-us|en_us|en)(?=/|$)", re.I
)


def _links(parts: Parts) -> frozenset[str]:
    return frozenset(map(_without_language, placeholders_of(parts, "link")))


def _without_language(target: str) -> str:
    """A link without what names its language: `en.wikipedia.org/wiki/Roofline_model` is `wikipedia.org`."""
    parts = urlsplit(target)
    host = _LANGUAGE_LABEL.sub("", parts.netloc)
    if host.endswith("wikipedia.org"):
        return host
    fragment = "" if not unquote(parts.fragment).isascii() else parts.fragment
    return host + _LANGUAGE_LABEL.sub("", parts.path) + (f"#{fragment}" if fragment else "")


def _notes(parts: Parts) -> int:
    return markup_of(parts).count('<sup class="mark')


_ROW = re.compile(r"<tr\b.*?</tr>", re.S)
_CELL = re.compile(r"<t[dh]\b")


def _table(parts: Parts) -> tuple[int, ...]:
    return tuple(len(_CELL.findall(row)) for row in _ROW.findall(markup_of(parts)))


_LIST_TAG = re.compile(r"<(/?)(?:ul|ol|li)\b")


def _items(parts: Parts) -> tuple[int, ...]:
    """How deep each item is: 2 for one of a list that is itself an item's."""
    found, depth = [], 0
    for tag in _LIST_TAG.finditer(markup_of(parts)):
        if tag[0] == "<li":
            found.append(depth)
        elif not tag[0].endswith("li"):
            depth += -1 if tag[1] else 1
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


def _counts(what: str) -> Callable[[int, int], str]:
    return lambda here, there: f"{here} {what} here, {there} in the English half"


def _members(called: str) -> Callable[[frozenset[str], frozenset[str]], str]:
    def told(here: frozenset[str], there: frozenset[str]) -> str:
        for only, where in ((here - there, "is not in"), (there - here, "is only in")):
            if only:
                return f"{called.format(min(only))} {where} the English half"
        raise AssertionError("both sets are the same")

    return told


def _shapes(here: Sequence[int], there: Sequence[int]) -> str:
    return f"a table of {_size(here)} here, of {_size(there)} in the English half"


def _told_items(here: Sequence[int], there: Sequence[int]) -> str:
    if len(here) != len(there):
        return _counts("items")(len(here), len(there))
    at = next(number for number, (one, other) in enumerate(zip(here, there, strict=True), 1) if one != other)
    return (
        f"item {at} of the list is at level {here[at - 1]} here, at level {there[at - 1]} in the English half"
    )


def _size(rows: Sequence[int]) -> str:
    return f"{len(rows)} rows and {max(rows, default=0)} columns"


_COMPARED = (
    _Compared(
        rule="halves-table",
        of=_table,
        told=_shapes,
        fix="give the table the same rows and columns in both halves.",
    ),
    _Compared(rule="halves-list", of=_items, told=_told_items, fix="give both halves the same items."),
    _Compared(
        rule="halves-link",
        of=_links,
        told=_members("the link {}"),
        fix="link to the same places in both halves.",
    ),
    _Compared(
        rule="halves-note", of=_notes, told=_counts("footnotes"), fix="give both halves the same footnotes."
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
    _Compared(
        rule="halves-admonition",
        of=_admonitions,
        told=_members("the note of kind {}"),
        fix="use the same kind of note in both halves.",
    ),
)


_COMMENT = re.compile(r'<span class="(?:c|c1|cm|ch|cs|sd)">.*?</span>', re.S)
_TAG = re.compile(r"<[^<>]*>")


def _code(block: Block) -> tuple[str, ...]:
    """The lines of code without comments."""
    lines = _TAG.sub("", _COMMENT.sub("", markup_of(block.parts))).split("\n")
    return tuple(line.rstrip() for line in lines if line.strip())

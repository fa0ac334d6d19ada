"""Finds numbers that an author typed where a figure computes them, or that nothing says the source of.

A quantity in prose is bound (`{eval}`), cited (its sentence or table has a footnote or a link to another
site), or free: a date, a version, a name with a number in it, a shape such as 128×128. A multiple or fraction
in words (`twice`, `三分之一`) is bound by any value in its paragraph, and counts in words are free. All
others are reported, with the expression to use where a figure has the number.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from diglot.content.bindings import Binding
from diglot.content.prose import BOUND, CITED, placeholders_of, prose_of
from diglot.content.records import Document, Parts
from diglot.diagnostics import Diagnostic, Location
from diglot.languages import Language
from diglot.quantities.numerals import number_at
from diglot.quantities.quantity import Quantity
from diglot.quantities.reading import quantities_in

Numbers = Sequence[tuple[str, float]]
"""Paths and values of the numbers that the figures of a half compute."""

_FREE_KINDS = ("shape ", "ratio ")
_NO_PROSE = frozenset(("code", "formula", "html", "rule"))
_SENTENCE = re.compile(rf"[^。！？\n]*?(?:[.!?][{CITED}”’)]*(?=\s)|[。！？]{CITED}*|\n|\Z)")
_NEAR = 0.05
"""A typed number within this share of a computed one may be the same quantity, not corrected."""


class TypedNumber(NamedTuple):
    """A quantity in prose that is neither bound nor cited nor free."""

    quantity: Quantity
    line: int
    last_line: int
    in_table: bool
    sentence: str
    """Where it is typed: its words tell which of several computed numbers is meant."""


def typed_numbers(document: Document, *, names: Sequence[str] = ()) -> Iterator[TypedNumber]:
    """The typed numbers of a half's body, in order."""
    for text in _texts(document):
        for quantity, sentence in unbound_in(text.parts, document.language, whole=text.whole, names=names):
            yield TypedNumber(quantity, text.line, text.last_line, text.in_table, sentence)


def unbound_in(
    parts: Parts, language: Language, *, whole: bool = False, names: Sequence[str] = ()
) -> Iterator[tuple[Quantity, str]]:
    """The typed numbers of one text, each with its sentence; a citation counts for its sentence.

    In a text that is taken as a whole, such as a table, it counts for all of it.
    """
    prose = prose_of(parts)
    if whole and CITED in prose:
        return
    for sentence in _SENTENCE.findall(prose):
        if CITED in sentence:
            continue
        for quantity in quantities_in(sentence, language, names=names):
            in_words = not any(character.isdigit() for character in quantity.text)
            if not quantity.unit.startswith(_FREE_KINDS) and not (
                in_words and _needs_nothing(quantity, prose)
            ):
                yield quantity, sentence


def _needs_nothing(in_words: Quantity, prose: str) -> bool:
    """Whether a quantity in words rests on a value beside it, or only counts things: `three models`."""
    return BOUND in prose or in_words.unit not in ("times", "fraction")


class _Text(NamedTuple):
    parts: Parts
    line: int
    last_line: int
    in_table: bool = False
    whole: bool = False
    """Whether a citation anywhere in it counts for all of it."""


def _texts(document: Document) -> Iterator[_Text]:
    for block in document.blocks:
        is_table = block.kind == "table"
        if block.kind not in _NO_PROSE:
            yield _Text(block.parts, block.line, block.last_line, in_table=is_table, whole=is_table)
        for note in block.notes:
            yield _Text(note.parts, note.first_line, note.last_line, whole=True)
        for figure in placeholders_of(block.parts, "figure"):
            yield _Text(document.figures[int(figure)].caption, block.line, block.last_line)
        for table in placeholders_of(block.parts, "table"):
            yield _Text(document.tables[int(table)].caption, block.line, block.last_line)


def find_bindings(document: Document, numbers: Numbers, *, names: Sequence[str] = ()) -> Iterator[Binding]:
    """What to write for the typed numbers that a figure computes exactly as they are typed."""
    for typed in typed_numbers(document, names=names):
        written = _Written.of(typed)
        computed = None if written is None else written.rounded(numbers)
        if written is not None and computed is not None:
            expression = written.expression(computed)
            yield Binding(
                path=document.path,
                line=typed.line,
                last_line=max(typed.line, typed.last_line),
                typed=written.replaced(computed),
                expression=expression.replace(" | ", r" \| ") if typed.in_table else expression,
            )


def report_typed_numbers(
    document: Document, numbers: Numbers, *, names: Sequence[str] = ()
) -> tuple[Diagnostic, ...]:
    """A warning for each typed number: with the expression where a figure has it, or nearly has it."""
    return tuple(
        _warning(one, Location(path=document.path, line=one.line), numbers)
        for one in typed_numbers(document, names=names)
    )


def _warning(typed: TypedNumber, place: Location, numbers: Numbers) -> Diagnostic:
    quantity = typed.quantity
    written = _Written.of(typed)
    if written is not None and (computed := written.rounded(numbers)) is not None:
        return Diagnostic(
            rule="number-typed",
            message=f"“{quantity.text}” is typed, and a figure computes it",
            severity="warning",
            location=place,
            fix=f"write {written.expression(computed)}, in both halves.",
        )
    if written is not None and (computed := written.near(numbers)) is not None:
        return Diagnostic(
            rule="number-differs",
            message=f"“{quantity.text}” is typed, and {computed.path} is {written.shown(computed)}",
            severity="warning",
            location=place,
            fix=f"write {written.expression(computed)} if it is meant, or cite where the number is from.",
        )
    return Diagnostic(
        rule="number-unbound",
        message=f"“{quantity.text}” is typed, and nothing says what it rests on",
        severity="warning",
        location=place,
        fix="compute it in a figure and quote it with {eval}, or cite a source in the same sentence.",
    )


_DIMENSIONS: Mapping[str, str] = {
    "s": "s",
    "ms": "s",
    "us": "s",
    "fraction": "fraction",
    "share": "fraction",
    "percent": "fraction",
    "ratio": "times",
    "bytes": "byte",
    "tokens": "token",
    "w": "W",
    "j": "J",
    "usd": "USD",
    "hz": "Hz",
    "flops": "flop",
}
"""The base unit that the last word of a name says."""


class Computed(NamedTuple):
    """A number that a figure computes."""

    path: str
    value: float
    """As it would be written: in percent, or in the unit that is written if `in_unit`."""
    in_unit: bool


_WORDS_ENOUGH = 2
"""Words of a path in the sentence that make a short number the same although its dimension is not known."""
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_NAMES = re.compile(r"[A-Za-z][A-Za-z0-9]+")


class _Written(NamedTuple):
    """A typed number as its digits say, to be compared with numbers in a figure's own units."""

    value: float
    step: float
    quantity: Quantity
    words: frozenset[str]
    """The words of its sentence."""

    @classmethod
    def of(cls, typed: TypedNumber) -> "_Written | None":
        digits = re.search(r"\d", typed.quantity.text)
        number = None if digits is None else number_at(typed.quantity.text, digits.start())
        if number is None or typed.quantity.is_range:
            return None
        words = frozenset(word.lower().removesuffix("s") for word in _WORDS.findall(typed.sentence))
        return cls(number.value, number.step, typed.quantity, words)

    def rounded(self, numbers: Numbers) -> Computed | None:
        """The number that this is, rounded; None where none is likely to be meant."""
        likely = [
            (self._likelihood(one), one)
            for one in self._candidates(numbers)
            if abs(one.value - self.value) <= self.step / 2 * 1.000001
        ]
        if not likely:
            return None
        (same_dimension, words), best = max(likely, key=lambda one: one[0])  # of equals, the shortest path
        return best if same_dimension or words >= _WORDS_ENOUGH or self._is_long else None

    def near(self, numbers: Numbers) -> Computed | None:
        """The number of the same dimension, with words of the sentence in its path, that this almost is."""
        likely = [
            (words, one)
            for one in self._candidates(numbers)
            for same_dimension, words in (self._likelihood(one),)
            if same_dimension and words and abs(one.value - self.value) <= _NEAR * abs(self.value)
        ]
        return max(likely, key=lambda one: one[0])[1] if likely else None

    def _candidates(self, numbers: Numbers) -> Iterator[Computed]:
        """The numbers that may be meant, each as it would be written in this one's unit, and in its own."""
        unit = self.quantity.unit
        factor = self.quantity.low / self.value if self.value else 1.0
        for path, value in numbers:
            dimension = _dimension_of(path)
            if unit == "fraction" and dimension in ("", unit):
                yield Computed(path, value * 100, in_unit=False)
            elif not unit or not dimension:
                yield Computed(path, value, in_unit=False)
            elif dimension == unit:
                yield Computed(path, value, in_unit=False)
                if factor != 1.0:
                    yield Computed(path, value / factor, in_unit=True)

    def _likelihood(self, one: Computed) -> tuple[bool, int]:
        """What speaks for a number: that it is of this dimension, and words of the sentence in its path."""
        unit = self.quantity.unit
        names = {name.lower().removesuffix("s") for name in _NAMES.findall(one.path)}
        return unit != "" and _dimension_of(one.path) == unit, len(names & self.words)

    @property
    def _is_long(self) -> bool:
        """Whether it has three digits that count, so that it hardly agrees with another by chance."""
        return len(f"{self.value / self.step:.0f}".rstrip("0")) >= 3

    def shown(self, one: Computed) -> str:
        """A computed number as this one is written."""
        unit = self.quantity.text[_number_end(self.quantity.text) :]
        return f"{one.value:,.{self._decimals}f}{unit}"

    @property
    def _decimals(self) -> int:
        return len(f"{self.step:.10f}".rstrip("0").partition(".")[2])

    def replaced(self, one: Computed) -> str:
        """The characters that the expression takes the place of."""
        text = self.quantity.text
        if one.in_unit:
            return text
        end = _number_end(text)
        return text[: end + 1] if text[end : end + 1] == "%" else text[:end]

    def expression(self, one: Computed) -> str:
        """What to write instead of the digits, and with a unit in it instead of both."""
        decimals = self._decimals
        if one.in_unit:
            unit = self.quantity.text[_number_end(self.quantity.text) :].strip()
            shown = f'unit("{unit}"{f", {decimals}" if decimals else ""})'
        elif self.quantity.unit == "fraction":
            shown = f"percent({decimals})" if decimals else "percent"
        else:
            shown = f"number({decimals})"
        return f"{{eval}}`{one.path} | {shown}`"


def _number_end(text: str) -> int:
    """Where the digits of a quantity's text end."""
    digits = re.search(r"\d", text)
    number = None if digits is None else number_at(text, digits.start())
    return 0 if number is None else number.end


def _dimension_of(path: str) -> str:
    words = re.split(r"[._\[\]]", path.rpartition(".")[2])
    last = next((word for word in reversed(words) if word and not word.isdigit()), "")
    if "per" in words[:-1]:
        return f"{_DIMENSIONS.get(words[words.index('per') - 1], '?')}/{_DIMENSIONS.get(last, '?')}"
    return _DIMENSIONS.get(last, "")

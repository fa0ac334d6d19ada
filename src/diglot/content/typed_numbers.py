"""Finds numbers that an author typed where a figure computes them, or whose source nothing names.

A quantity in prose is bound (`{eval}`), cited (its sentence or table has a footnote or a link to another
site, or it is in a `{cite-number}`), or free: a date, a version, a name with a number in it, a shape such
as 128×128. A multiple or fraction in words (`twice`, `三分之一`) is bound by any value in its paragraph, and
counts in words are free. All others are reported, with the expression to use where a figure has the number.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from diglot.content.bindings import Binding
from diglot.content.bound_units import shown_units
from diglot.content.computed_numbers import (
    KnownNumbers,
    Numbers,
    ShownUnits,
    WrittenNumber,
    outdated_message,
)
from diglot.content.prose import BOUND, CITED, CITED_NUMBER, CITED_NUMBER_END, prose_of
from diglot.content.records import FrontMatter
from diglot.content.tree.nodes import Embed, Nodes, Tree, nodes_of
from diglot.content.whole_blocks import caption_of
from diglot.diagnostics import Diagnostic, Location
from diglot.languages import Language
from diglot.quantities.quantity import Quantity
from diglot.quantities.reading import quantities_in

_NO_PROSE = frozenset(("code", "formula", "rule"))
SENTENCE = re.compile(rf"[^。！？\n]*?(?:[.!?][{CITED}”’)]*(?=\s)|[。！？]{CITED}*|\n|\Z)")
"""A sentence of prose with the marks of its sources, or a line of it."""


class TypedNumber(NamedTuple):
    """A quantity in prose that is neither bound nor cited nor free."""

    quantity: Quantity
    sentence: str
    """Where it is typed: its words tell which of several computed numbers is meant."""
    text: "Text"


class Half(NamedTuple):
    """One half of an article."""

    tree: Tree
    front: FrontMatter
    lines: Mapping[str, int] = MappingProxyType({})
    """The lines of the keys in its front matter, where they are known."""


def typed_numbers(half: Half) -> Iterator[TypedNumber]:
    """The typed numbers of a half, in order. A title or description may say what the body cites."""
    language = half.tree.language
    stated = [(text, one) for text in texts_of(half) for one in _stated_in(text, language)]
    cited = [one.quantity for _, one in stated if one.is_cited]
    for text, one in stated:
        is_repeated = not text.last_line and any(one.quantity.agrees(other) for other in cited)
        if not one.is_cited and not is_repeated:
            yield TypedNumber(one.quantity, one.sentence, text)


class _Stated(NamedTuple):
    quantity: Quantity
    sentence: str
    is_cited: bool


def _stated_in(text: "Text", language: Language) -> Iterator[_Stated]:
    """The quantities of a text that are neither bound nor free; a citation counts for its sentence."""
    prose = prose_of(text.nodes)
    all_cited = text.whole and CITED in prose
    for sentence in SENTENCE.findall(prose):
        is_cited = all_cited or CITED in sentence
        for quantity in quantities_in(sentence, language):
            in_words = not any(character.isdigit() for character in quantity.text)
            if not quantity.is_in_itself and not (in_words and _needs_nothing(quantity, prose)):
                is_anothers = _is_cited(sentence, quantity) or _is_quoted(sentence, quantity)
                yield _Stated(quantity, sentence, is_cited or is_anothers)


def _is_cited(sentence: str, quantity: Quantity) -> bool:
    """Whether a quantity is in a `{cite-number}`."""
    begins, ends = (sentence.rfind(mark, 0, quantity.start) for mark in (CITED_NUMBER, CITED_NUMBER_END))
    return begins > ends


def _is_quoted(sentence: str, quantity: Quantity) -> bool:
    """Whether a quantity is within quotation marks: then it is somebody's words."""
    before = sentence[: quantity.start]
    return any(before.count(begin) > before.count(end) for begin, end in ("“”", "「」"))


def _needs_nothing(in_words: Quantity, prose: str) -> bool:
    """Whether a quantity in words depends on a value next to it, or only counts things: `three models`."""
    return BOUND in prose or in_words.unit not in ("times", "fraction")


class Text(NamedTuple):
    """A text of a half, with its lines in the file."""

    nodes: Nodes
    line: int
    last_line: int = 0
    """0 for a text of the front matter, of which no line is known."""
    in_table: bool = False
    whole: bool = False
    """Whether a citation anywhere in it counts for all of it."""

    def escaped(self, expression: str) -> str:
        """An expression as it is written here: in a table, a bar needs a backslash."""
        return expression.replace(" | ", r" \| ") if self.in_table else expression


def texts_of(half: Half) -> Iterator[Text]:
    """What a half says, without code and formulas."""
    front = half.front
    for key, parts in (("title", front.title), ("description", front.description), ("event", front.event)):
        yield Text(nodes_of(parts), line=half.lines.get(key, 1))
    for block in half.tree.blocks:
        is_table = block.kind == "table"
        if block.kind not in _NO_PROSE:
            nodes = tuple(node for node in block.nodes if not isinstance(node, Embed))
            yield Text(nodes, block.line, block.last_line, in_table=is_table, whole=is_table)
        for note in block.notes:
            yield Text(note.children, note.first_line, note.last_line, whole=True)
        yield Text(caption_of(block), block.line, block.last_line)


def units_of(half: Half) -> ShownUnits:
    """What the numbers of figures are, as a half shows them."""
    return shown_units((text.nodes for text in texts_of(half)), half.tree.language)


def find_bindings(half: Half, numbers: Numbers) -> Iterator[Binding]:
    """What to write for the typed numbers of a body that a figure computes exactly as they are typed.

    In front matter an expression may need quotes, so that its author has to write it.
    """
    known = KnownNumbers(numbers, units=units_of(half))
    for typed in typed_numbers(half):
        written = WrittenNumber.of(typed.quantity, typed.sentence)
        computed = None if written is None else written.rounded(known)
        is_in_digits = written is not None and written.quantity.text == typed.quantity.text
        if written is not None and computed is not None and typed.text.last_line and is_in_digits:
            expression = written.expression(computed)
            yield Binding(
                path=half.tree.path,
                line=typed.text.line,
                last_line=typed.text.last_line,
                typed=written.replaced(computed),
                expression=typed.text.escaped(expression),
            )


def report_typed_numbers(half: Half, known: KnownNumbers) -> tuple[Diagnostic, ...]:
    """What is wrong with each typed number: with the expression where a figure has, had or nearly has it."""
    known = known._replace(units=units_of(half))
    return tuple(
        _judged(typed, Location(path=half.tree.path, line=typed.text.line), known)
        for typed in typed_numbers(half)
    )


def _judged(typed: TypedNumber, place: Location, known: KnownNumbers) -> Diagnostic:
    text = typed.quantity.text
    written = WrittenNumber.of(typed.quantity, typed.sentence)
    meaning = None if written is None else written.meaning(known)
    if meaning is None:
        return Diagnostic(
            rule="number-unbound",
            message=f"“{text}” is typed, and nothing says where it comes from",
            severity="warning",
            location=place,
            fix="compute it in a figure and quote it with {eval}, or cite a source in the same sentence.",
        )
    instead = typed.text.escaped(meaning.written)
    match meaning.kind:
        case "computed":
            return Diagnostic(
                rule="number-typed",
                message=f"“{text}” is typed, and a figure computes it",
                severity="warning",
                location=place,
                fix=f"write {instead}, in both halves.",
            )
        case "outdated":
            return Diagnostic(
                rule="number-outdated",
                message=outdated_message(text, meaning),
                location=place,
                fix=_outdated_fix(instead),
            )
        case "near":
            return Diagnostic(
                rule="number-differs",
                message=f"“{text}” is typed, and {meaning.path} is {meaning.now}",
                location=place,
                fix=f"write {instead} if it is meant, or cite where the number is from.",
            )


def _outdated_fix(instead: str) -> str:
    """What to write in place of a number that was a figure's value."""
    if instead:
        return f"write {instead}, in both halves, or cite where the number is from."
    return "compute it in a figure and quote it with {eval}, or cite a source in the same sentence."

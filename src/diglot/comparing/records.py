"""What is known of a project at one time: its texts with their values, its figures and its chips."""

from collections.abc import Mapping
from typing import Any

import msgspec

from diglot.diagnostics import Diagnostic
from diglot.languages import Language
from diglot.quantities.quantity import Quantity
from diglot.quantities.units import Unit
from diglot.site_map import ArticleKind


class BoundValue(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a sentence quotes."""

    expression: str
    text: str
    """As readers see it."""
    line: int
    number: float | None
    """Without its format; None for a text."""
    dimension: str
    """Values of one dimension can be compared: the unit, `%`, or the last key of a number without a unit."""


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence, or a text that counts as one: a title, a cell of a table, an alternative text."""

    text: str
    template: str
    """The same with expressions in place of values: what its author wrote."""
    values: tuple[BoundValue, ...]
    line: int
    """The line of its first value, or else of its block."""
    asserts: tuple[str, ...] = ()
    """The expressions of the assertions in it."""
    is_said: bool = False
    """Whether a figure says it, in a message or an alternative text that its script makes."""


class Assertion(msgspec.Struct, frozen=True, kw_only=True):
    """An `{assert}`."""

    expression: str
    line: int
    mistake: Diagnostic | None
    """Why it is not true; None if it is."""


class TextBlock(msgspec.Struct, frozen=True, kw_only=True):
    """A block of a half as text. Title and description are blocks, too."""

    id: str
    """The same in both halves; `title` and `description` for those."""
    is_table: bool
    sentences: tuple[Sentence, ...]
    assertions: tuple[Assertion, ...] = ()
    figures: tuple[str, ...] = ()
    """The figures that it shows, each as the text of a `FigureRequest`."""
    slide: int = 0
    """Counted from 1; 0 in an article."""
    seen_with: str = ""
    """The id of the block that readers see in place of notes of a speaker; empty for other blocks."""

    @property
    def template(self) -> str:
        """What its author wrote."""
        return "\n".join(one.template for one in self.sentences)


class TypedInText(msgspec.Struct, frozen=True, kw_only=True):
    """A number that an author typed, and that nothing says what it depends on."""

    quantity: Quantity
    sentence: str
    line: int


class TextHalf(msgspec.Struct, frozen=True, kw_only=True):
    """One language of an article or talk."""

    article: str
    kind: ArticleKind
    language: Language
    path: str
    blocks: tuple[TextBlock, ...]
    slides: tuple[str, ...] = ()
    """The titles of a talk's slides."""
    typed: tuple[TypedInText, ...] = ()
    units: Mapping[str, Unit] = {}
    """What the numbers of figures are, as it shows them: see `ShownUnits`."""
    figures: tuple[str, ...] = ()
    """The figures that it shows or quotes, each as the text of a `FigureRequest`."""


class ShownFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that a text shows or quotes, or that has a page of its own."""

    script: str
    parameters: tuple[tuple[str, str], ...]
    """All of them, with the defaults."""
    data: Any
    rows: tuple[str, ...]
    files: tuple[str, ...]
    """Data files that it read."""
    pictures: Mapping[Language, str]
    """Its drawing, as SVG for the width of the text; empty if it is only quoted."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a project."""

    halves: Mapping[str, TextHalf]
    """By the text of a `HalfId`."""
    figures: Mapping[str, ShownFigure]
    """By the text of a `FigureRequest`."""
    files: Mapping[str, str]
    """The digests of the project's files that all of this depends on, by path."""
    chips: Mapping[str, Mapping[str, Any]]
    """The project's own chips, as their files describe them, by file and id: `site/hardware/a.yaml#one`."""
    mistakes: tuple[Diagnostic, ...]
    """Errors that keep something from being known."""

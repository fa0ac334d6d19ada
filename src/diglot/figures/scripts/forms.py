"""Forms: up to three whole numbers that readers choose freely, answered from a table computed at build.

A script declares the grid of the table and, for each answer, what holds between the points of the grid;
its function `answer` computes them all. Readers' browsers only look them up: no model is written twice.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from diglot.figures.records import Between


class LogRange(msgspec.Struct, frozen=True):
    """Whole numbers from `start` up to and including `stop`, `per_octave` of them for each doubling."""

    start: int
    stop: int
    per_octave: int = 2

    def __post_init__(self) -> None:
        if not (1 <= self.start < self.stop and self.per_octave >= 1):
            raise ValueError("a LogRange goes up from at least 1, with at least one value per octave")

    def __iter__(self) -> Iterator[int]:
        steps = math.floor(math.log2(self.stop / self.start) * self.per_octave + 1e-9)
        found = {round(self.start * 2 ** (step / self.per_octave)) for step in range(steps + 1)}
        return iter(sorted({*found, self.stop}))


class Field(msgspec.Struct, frozen=True):
    """A number that readers choose: the values for which answers are computed, and its name."""

    values: LogRange | Sequence[int]
    label: Mapping[str, str]
    digits: int = 0
    """How many of the last digits of its values are decimals: with 2, 791 is shown and written as 7.91."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One number that `answer` gives for each shape: its name, unit and digits."""

    label: Mapping[str, str]
    unit: str = ""
    digits: int = 0
    chip: str | None = None
    """The chip whose mark is next to it."""
    between: Between = "nearest"
    """What readers see between the points of the grid: the `nearest` one; a `linear` interpolation, which is
    exact; or one of an answer that is `monotone` along each field, with the computed values around it."""


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What readers fill in, what they are answered, and shapes to begin with; the first is shown first."""

    fields: Mapping[str, Field]
    answers: Mapping[str, Answer]
    presets: Sequence[tuple[Mapping[str, str], Mapping[str, int]]]
    """Each a name in both languages and the values of all fields, which are on the grid."""

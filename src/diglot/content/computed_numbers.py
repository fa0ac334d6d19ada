"""Finds the number of a figure that an author meant who typed one, and says what to write instead."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from diglot.quantities.names import UNITS_IN_NAMES
from diglot.quantities.numerals import number_at
from diglot.quantities.quantity import Quantity

Numbers = Sequence[tuple[str, float]]
"""Paths and values of the numbers that the figures of a half compute."""

_NEAR = 0.05
"""A typed number within this share of a computed one may be the same quantity, not corrected."""
_DIMENSIONS: Mapping[str, str] = {
    **{word: unit.base for word, unit in UNITS_IN_NAMES.items()},
    **{"fraction": "fraction", "share": "fraction", "percent": "fraction", "ratio": "times"},
    **{"bandwidth": "byte/s", "peak": "flop/s"},
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


class WrittenNumber(NamedTuple):
    """A typed number as its digits say, to be compared with numbers in a figure's own units."""

    value: float
    step: float
    quantity: Quantity
    words: frozenset[str]
    """The words of its sentence."""
    end: int
    """Where its digits end in the quantity's text; behind them may be a word such as 万."""
    scale: float
    """What that word makes of them."""

    @classmethod
    def of(cls, quantity: Quantity, sentence: str) -> "WrittenNumber | None":
        """A quantity as it stands in a sentence; None for a range, and for one in words."""
        digits = re.search(r"\d", quantity.text)
        number = None if digits is None else number_at(quantity.text, digits.start())
        if digits is None or number is None or quantity.is_range:
            return None
        words = frozenset(word.lower().removesuffix("s") for word in _WORDS.findall(sentence))
        end = number.end
        if number.scale != 1 and (written := _DIGITS.match(quantity.text, digits.start())) is not None:
            end = written.end()
        return cls(number.value, number.step, quantity, words, end, number.scale)

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
        return f"{one.value / self.scale:,.{self._decimals}f}{self.quantity.text[self.end :]}"

    @property
    def _decimals(self) -> int:
        return len(f"{self.step / self.scale:.10f}".rstrip("0").partition(".")[2])

    def replaced(self, one: Computed) -> str:
        """The characters that the expression takes the place of; all words stay."""
        return self._writing(one)[0]

    def expression(self, one: Computed) -> str:
        """What to write instead of the digits, and with a unit in it instead of both."""
        return f"{{eval}}`{self._writing(one)[1]}`"

    def _writing(self, one: Computed) -> tuple[str, str]:
        text, decimals = self.quantity.text, self._decimals
        unit = text[self.end :].strip()
        if one.in_unit and self.scale == 1 and _OF_FILTERS.fullmatch(unit):
            return text, f'{one.path} | unit("{unit}"{f", {decimals}" if decimals else ""})'
        is_share = self.quantity.unit == "fraction"
        if is_share and self.scale == 1 and unit in ("%", "％"):
            return text, f"{one.path} | percent{f'({decimals})' if decimals else ''}"
        per = self.scale * (self.quantity.factor if one.in_unit or is_share else 1.0)
        return text[: self.end], f"{_divided(one.path, per)} | number({decimals})"


_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_OF_FILTERS = re.compile(r"(?:[KMGTPEZ]i|[munpµkMGTPEZ])?(?:FLOPs?|OPs?|B|b|bit|W|Wh|s|J|Hz)(?:/[A-Za-z]+)?")
"""Units that `| unit` knows."""


def _divided(path: str, per: float) -> str:
    if per == 1:
        return path
    return f"({path} / {per:.12g})" if per > 1 else f"({path} * {1 / per:.12g})"


def _dimension_of(path: str) -> str:
    words = re.split(r"[._\[\]]", path.rpartition(".")[2])
    last = next((word for word in reversed(words) if word and not word.isdigit()), "")
    if "per" in words[:-1]:
        return f"{_DIMENSIONS.get(words[words.index('per') - 1], '?')}/{_DIMENSIONS.get(last, '?')}"
    return _DIMENSIONS.get(last, "")

"""Finds the number of a figure that an author meant who typed one, and says what to write instead.

There is one matcher for all that look at typed numbers: `diglot check numbers`, `diff`, `status` and
`slides check`. They differ in what they know of earlier values, and in how near the figure is.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from diglot.quantities.names import UNITS_IN_NAMES, unit_in_name
from diglot.quantities.numerals import number_at
from diglot.quantities.quantity import Quantity
from diglot.quantities.units import Unit

Numbers = Sequence[tuple[str, float]]
"""Paths and values of the numbers that the figures of a half compute."""
ShownUnits = Mapping[str, Unit]
"""What one of a figure's numbers is, where a text shows it: by its path, or by its figure and last name.

A percent formatted by a filter is a share, `si("B/s")` shows bytes per second, and so does a unit that is
typed behind a value.
"""


class KnownNumbers(NamedTuple):
    """What figures compute, and what they computed before."""

    now: Numbers
    earlier: Numbers = ()
    """Numbers that were at these paths and are not any more, the last ones first."""
    units: ShownUnits = MappingProxyType({})


_NEAR = 0.05
"""A typed number within this share of a computed one may be the same quantity, not corrected."""
_NEAR_BESIDE = 0.01
"""The same if the figure is next to the number, whatever words are around it."""
_FEWEST_DIGITS, _DIGITS_ENOUGH = 2, 3
_PREFIXES = (1e3, 1e6, 1e9, 1e12, 1e15, 1e-3, 1e-6, 1e-9)
"""What a number without a unit may be in: a rate of 4.8e12 B/s is typed as 4.8 under a head with TB/s."""
_RATIOS = ("ratio", "times", "speedup", "gain", "growth", "factor", "multiple")
_DIMENSIONS: Mapping[str, str] = {
    **{word: unit.base for word, unit in UNITS_IN_NAMES.items()},
    **{"fraction": "fraction", "share": "fraction", "percent": "fraction"},
    **dict.fromkeys(_RATIOS, "times"),
    **{"bandwidth": "byte/s", "peak": "flop/s"},
}
"""The base unit that the last word of a name says."""
_MEASURES = ("s", "byte", "byte/s", "flop", "flop/s", "W", "J", "Hz", "USD")
"""Base units that nobody leaves out in prose."""
_SHARES = ("fraction", "times")
"""What is 0.97 times as much is 97% of it."""


class _Dimension(NamedTuple):
    """What a figure's numbers are."""

    base: str
    """Their base unit; empty where nothing says it."""
    factor: float | None
    """How many base units one of them is; None where it is not known for sure."""


class Computed(NamedTuple):
    """A number that a figure computes."""

    path: str
    value: float
    """As it would be written, in the unit that is written."""
    per: float = 1.0
    """How many of the figure's units the written number counts."""
    in_base: bool = False
    """Whether the figure has it in the base unit, which filters such as `unit` and `percent` convert."""


class Meaning(NamedTuple):
    """What a typed number is of what figures compute."""

    kind: Literal["computed", "outdated", "near"]
    """A value of now, rounded; a value of before, which is another one now; or almost a value of now."""
    path: str
    now: str | None
    """The value of now as the number is written; None if no figure computes it any more."""
    written: str
    """What to write instead of the number with its unit; empty if there is nothing to quote any more."""


def outdated_message(text: str, meaning: Meaning) -> str:
    """That a typed number was a figure's value, and what the value is now."""
    now = "which no figure computes any more" if meaning.now is None else f"which is {meaning.now} now"
    return f"“{text}” is typed, and was {meaning.path}, {now}"


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
    start: int
    end: int
    """Where its digits are in the quantity's text; before them may be `$` or 百分之, behind them 万."""
    scale: float
    """What that word makes of them."""

    @classmethod
    def of(cls, quantity: Quantity, sentence: str) -> "WrittenNumber | None":
        """A quantity as it is in a sentence; None for a range, for one in words, and for 1/3."""
        if quantity.unit == "times" and quantity.low % 1 and not quantity.is_range:
            quantity = _in_digits(quantity)
        digits = re.search(r"\d", quantity.text)
        number = None if digits is None else number_at(quantity.text, digits.start())
        if digits is None or number is None or quantity.is_range:
            return None
        if not math.isclose(abs(quantity.low), abs(number.value * quantity.factor)):
            return None
        words = {word.lower().removesuffix("s") for word in _WORDS.findall(sentence)}
        words.update(name for word, name in _NAMED_BY.items() if word in sentence)
        end = number.end
        if number.scale != 1 and (written := _DIGITS.match(quantity.text, digits.start())) is not None:
            end = written.end()
        return cls(number.value, number.step, quantity, frozenset(words), digits.start(), end, number.scale)

    def meaning(self, known: KnownNumbers, *, is_beside: bool = False) -> Meaning | None:
        """What this number is; None where no figure's number is likely to be meant.

        `is_beside` says that the figure is next to it, as on a slide: then it need not be named.
        """
        if is_beside and self._digits < _FEWEST_DIGITS:
            return None
        if (one := self.rounded(known, is_beside=is_beside)) is not None:
            return Meaning("computed", one.path, self.shown(one), self.rewritten(one))
        if known.earlier and (outdated := self._outdated(known, is_beside=is_beside)) is not None:
            return outdated
        if (one := self._near(known, is_beside=is_beside)) is not None:
            return Meaning("near", one.path, self.shown(one), self.rewritten(one))
        return None

    def rounded(self, known: KnownNumbers, *, is_beside: bool = False) -> Computed | None:
        """The number of now that this is, rounded; None where none is likely to be meant."""
        best = self._likeliest(self._candidates(known.now, known.units, is_beside=is_beside), known.units)
        if best is None:
            return None
        return best if is_beside or self._is_likely(best, known.units) else None

    def _is_likely(self, one: Computed, units: ShownUnits) -> bool:
        """Whether a number is meant, and not equal by chance: among many numbers, few digits often are."""
        same_dimension, words = self._likelihood(one, units)
        if self._digits < _FEWEST_DIGITS:
            return same_dimension and words > 0
        if not self.quantity.unit and _dimension_of(one.path, units).base in _MEASURES and not words:
            return False  # 128 rows are no 128 ms
        return same_dimension or words >= _WORDS_ENOUGH or self._is_long or (self._has_unit and words > 0)

    def _outdated(self, known: KnownNumbers, *, is_beside: bool) -> Meaning | None:
        """The number of before that this is, rounded. That it has changed since speaks for it, too."""
        now = dict(known.now)
        changed = (
            old
            for old in self._candidates(known.earlier, known.units, is_beside=True)
            if old.path not in now or not self._rounds(now[old.path] / old.per)
        )
        best = self._likeliest(changed, known.units)
        if best is None or self._digits < _FEWEST_DIGITS:
            return None
        same_dimension, words = self._likelihood(best, known.units)
        if not (is_beside or same_dimension or words or self._is_long):
            return None
        if best.path not in now:
            return Meaning("outdated", best.path, None, "")
        renewed = best._replace(value=now[best.path] / best.per)
        return Meaning("outdated", best.path, self.shown(renewed), self.rewritten(renewed))

    def _rounds(self, value: float) -> bool:
        """Whether a value, in what this number is written in, is this number where it is rounded like it."""
        return abs(value - self.value) <= self.step / 2 * 1.000001

    def _likeliest(self, candidates: Iterator[Computed], units: ShownUnits) -> Computed | None:
        equal = [one for one in candidates if self._rounds(one.value)]
        # Of equals, the shortest path; a value with a name before one in a list.
        return max(equal, key=lambda one: (*self._likelihood(one, units), "[" not in one.path), default=None)

    def _near(self, known: KnownNumbers, *, is_beside: bool) -> Computed | None:
        """The number of the same dimension, with words of the sentence in its path, that this almost is."""
        likely = [
            (words, one)
            for one in self._candidates(known.now, known.units, is_beside=is_beside)
            if (differs_by := self._differs_by(one)) <= _NEAR  # first: of thousands, few are
            for same_dimension, words in (self._likelihood(one, known.units),)
            if (same_dimension and words)
            or (is_beside and self._is_long and "[" not in one.path and differs_by <= _NEAR_BESIDE)
        ]
        return max(likely, key=lambda one: one[0])[1] if likely else None

    def _differs_by(self, one: Computed) -> float:
        """By which share of this number a computed one is another."""
        return abs(one.value / self.value - 1) if self.value else math.inf

    def _candidates(
        self, numbers: Numbers, units: ShownUnits, *, is_beside: bool = False
    ) -> Iterator[Computed]:
        """The numbers that may be meant, each as it would be written in this one's unit, and in its own."""
        unit, factor = self.quantity.unit, self.quantity.factor
        for path, value in numbers:
            base, known = _dimension_of(path, units)
            is_one = base == unit or (base in _SHARES and unit in _SHARES)
            if unit and base and not is_one:
                continue
            per = 1.0 if not unit else factor / (known or 1.0)
            in_base = bool(unit) and known in (None, 1.0)
            if unit == "fraction" or (is_one and known is not None):
                yield Computed(path, value / per, per, in_base)
                continue
            yield Computed(path, value)
            if per != 1.0:
                yield Computed(path, value / per, per, in_base)
            for prefix in _PREFIXES if is_beside and factor == 1.0 else ():
                yield Computed(path, value / prefix, prefix)

    @property
    def _has_unit(self) -> bool:
        """Whether its unit is a measure, which hardly fits another number by chance: no count of things."""
        return self.quantity.factor != 1.0 or self.quantity.unit == "times"

    def _likelihood(self, one: Computed, units: ShownUnits) -> tuple[bool, int]:
        """What speaks for a number: that it is of this dimension, and words of the sentence in its path."""
        unit = self.quantity.unit
        names = {name.lower().removesuffix("s") for name in _NAMES.findall(one.path)}
        return unit != "" and _dimension_of(one.path, units).base == unit, len(names & self.words)

    @property
    def _is_long(self) -> bool:
        """Whether it has three digits that count, so that it hardly agrees with another by chance."""
        return len(f"{abs(self.value) / self.step:.0f}".rstrip("0")) >= _DIGITS_ENOUGH

    @property
    def _digits(self) -> int:
        return sum(map(str.isdigit, self.typed_digits))

    @property
    def typed_digits(self) -> str:
        """The number without what is around its digits."""
        return self.quantity.text[self.start : self.end]

    def shown(self, one: Computed) -> str:
        """A computed number as this one is written."""
        text = self.quantity.text
        return f"{text[: self.start]}{one.value / self.scale:,.{self._decimals}f}{text[self.end :]}"

    @property
    def _decimals(self) -> int:
        return len(f"{self.step / self.scale:.10f}".rstrip("0").partition(".")[2])

    def replaced(self, one: Computed) -> str:
        """The characters that the expression takes the place of; all words stay."""
        return self._writing(one)[0]

    def expression(self, one: Computed) -> str:
        """What to write instead of the digits, and with a unit in it instead of both."""
        return f"{{eval}}`{self._writing(one)[1]}`"

    def rewritten(self, one: Computed) -> str:
        """The whole quantity with the expression in it: `{eval}`a.gain | number(1)` times`."""
        return self.quantity.text.replace(self.replaced(one), self.expression(one), 1)

    def _writing(self, one: Computed) -> tuple[str, str]:
        text, decimals = self.quantity.text, self._decimals
        unit = text[self.end :].strip()
        if one.in_base and self.scale == 1 and self.start == 0:
            if self.quantity.factor != 1.0 and _OF_FILTERS.fullmatch(unit):
                return text, f'{one.path} | unit("{unit}"{f", {decimals}" if decimals else ""})'
            if unit in ("%", "％"):
                return text, f"{one.path} | percent{f'({decimals})' if decimals else ''}"
        return self.typed_digits, f"{_divided(one.path, self.scale * one.per)} | number({decimals})"


_NAMED_BY = {
    **dict.fromkeys(("快", "慢", "速度", "fast", "quick", "slow"), "speed"),
    **{"带宽": "bandwidth", "延迟": "latency", "吞吐": "throughput", "时间": "time", "成本": "cost"},
    **{"价格": "price", "功耗": "power", "峰值": "peak", "强度": "intensity", "显存": "memory"},
}
"""Words of a sentence, and those that names of numbers have for them."""


def _in_digits(times: Quantity) -> Quantity:
    """A multiple such as `two and a half times` and 两倍半 in digits; the same if it has some."""
    if any(map(str.isdigit, times.text)):
        return times
    return times._replace(text=f"{times.low:g}{' times' if times.text.isascii() else '倍'}")


_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_OF_FILTERS = re.compile(r"(?:[KMGTPEZ]i|[munpµkMGTPEZ])?(?:FLOPs?|OPs?|B|b|bit|W|Wh|s|J|Hz)(?:/[A-Za-z]+)?")
"""Units that `| unit` knows."""


def _divided(path: str, per: float) -> str:
    if per == 1:
        return path
    return f"({path} / {per:.12g})" if per > 1 else f"({path} * {1 / per:.12g})"


def _dimension_of(path: str, units: ShownUnits) -> _Dimension:
    """What a number is: as its name says for sure, else as texts show it, else as its name suggests."""
    name = _read_path(path)
    if name.says is not None:
        return name.says
    shown = units.get(name.as_written) or units.get(name.of_figure)
    return name.suggests if shown is None else _Dimension(*shown)


class _PathReading(NamedTuple):
    """What a path says of its number, whatever texts show."""

    says: _Dimension | None
    """For sure; None where its name does not end in a unit."""
    suggests: _Dimension
    as_written: str
    of_figure: str
    """Two keys of `ShownUnits`: the path, and the figure with the last name."""


@cache  # each typed number is compared with all paths
def _read_path(path: str) -> _PathReading:
    name = path.rpartition(".")[2].partition("[")[0]
    named = unit_in_name(name)
    words = name.split("_")
    if "per" in words[:-1]:
        of = _DIMENSIONS.get(words[words.index("per") - 1], "?")
        suggested = f"{of}/{_DIMENSIONS.get(words[-1], '?')}"
    else:
        suggested = _DIMENSIONS.get(words[-1], "")
    return _PathReading(
        says=None if named is None else _Dimension(*named),
        suggests=_Dimension(suggested, None),
        as_written=path.replace(" ", ""),
        of_figure=f"{re.split('[.(]', path, maxsplit=1)[0]} {name}",
    )

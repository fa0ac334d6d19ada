"""Scales: which values an axis shows, where its ticks are, and how they are written.

Every axis has at least two ticks, at round values that are as far apart as its labels ask for.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from numbers import Real
from typing import Literal

import msgspec

from diglot.diagnostics import did_you_mean
from diglot.figures.scripts.columns import DeclaredColumn, ShownUnit
from diglot.figures.scripts.misuse import Misuse, quoted
from diglot.languages import Language, format_number, superscript, times_ten_to

Kind = Literal["linear", "log2", "log10"]
KINDS: tuple[Kind, ...] = ("linear", "log2", "log10")
Domain = tuple[float | None, float | None]
_STEPS = (1, 2, 2.5, 5, 10)
_LARGEST, _LEAST = 1e100, 1e-100
"""Sizes of numbers between which an axis can be computed and drawn."""
_NARROWEST = 1e-12
"""Length of an axis as a share of its values, below which its ends are the same for a float."""
_EXACT = 2.0**53
"""From here on not every whole number is a float."""
_IN_POWERS_FROM, _IN_POWERS_BELOW = 1e12, 1e-6
"""Sizes of ticks from which they are written as powers of ten: `2 × 10¹²`."""


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """An axis: its ends, and its ticks with their labels, in the unit of the data."""

    kind: Kind
    low: float
    high: float
    ticks: tuple[float, ...]
    labels: tuple[str, ...]
    unit: str
    """The unit in which labels are written."""
    factor: float
    """That unit in the unit of the data."""
    plain: bool = False
    """Whether labels are names, such as years, and not quantities: then they have no groups of digits."""

    def share(self, value: float) -> float:
        """Where a value lies, from 0 at the low end to 1 at the high end."""
        if self.kind == "linear":
            return (value - self.low) / (self.high - self.low)
        if value <= 0:
            return -math.inf
        return math.log(value / self.low) / math.log(self.high / self.low)

    def with_ticks(self, ticks: Sequence[float] | None) -> "Scale":
        """The scale with the author's ticks, if there are any. Raises Misuse for one beyond its ends."""
        if ticks is None:
            return self
        check_scale(self.kind, ticks)
        room = 1e-9
        if outside := [tick for tick in ticks if not -room <= self.share(tick) <= 1 + room]:
            raise Misuse(
                f"the axis from {self.low:g} to {self.high:g} has no place for a tick at {outside[0]:g}",
                "leave it out, or give the axis a domain that contains it.",
            )
        labels = tick_labels([tick / self.factor for tick in ticks], plain=self.plain)
        return msgspec.structs.replace(self, ticks=tuple(ticks), labels=labels)

    def thinned(self, most: int) -> "Scale":
        """The scale with at most so many ticks, evenly thinned from the first, but with two at least."""
        stride = max(1, math.ceil(len(self.ticks) / max(most, 1)))
        if self.kind == "linear" and stride > 1:
            # The last label shows how far the axis goes.
            stride = next(
                (n for n in range(stride, len(self.ticks)) if (len(self.ticks) - 1) % n == 0), stride
            )
        return self._at(range(0, len(self.ticks), stride))

    def outermost(self) -> "Scale":
        """The scale with its first and its last tick only."""
        return self._at((0, len(self.ticks) - 1)) if len(self.ticks) > 2 else self

    def _at(self, places: Iterable[int]) -> "Scale":
        places = tuple(places)
        return msgspec.structs.replace(
            self,
            ticks=tuple(self.ticks[n] for n in places),
            labels=tuple(self.labels[n] for n in places),
        )


def check_scale(kind: str, values: Iterable[float]) -> None:
    """Raise ValueError for an unknown scale, or for values that an axis of this kind cannot show."""
    if kind not in KINDS:
        raise ValueError(f'"{kind}" is not a scale: {did_you_mean(kind, KINDS)}')
    for value in values:
        if type(value) not in (int, float) and not (isinstance(value, Real) and not isinstance(value, bool)):
            raise Misuse(f"{quoted(value)} is not a place on an axis", "give a number.")
        if math.isnan(value):
            raise Misuse("NaN is not a place on an axis", "give a number, or leave the mark out.")
        if kind != "linear" and value <= 0:
            raise Misuse(
                f"a logarithmic axis cannot show {value:g}", "leave such rows out, or use a linear one."
            )
        if abs(value) > _LARGEST:
            raise Misuse(f"an axis cannot show {value:g}", "leave such rows out, or divide all of them.")
        if 0 < abs(value) < _LEAST:
            raise Misuse(f"an axis cannot show {value:g}", "round it to 0, or multiply all values.")


def unit_of_log_axis(high: float, column: DeclaredColumn, language: Language) -> ShownUnit:
    """The unit of the labels of a logarithmic axis, which a label of 10,000 may end."""
    return column.shown_unit([high * (1 - 1e-6)], language)


class AxisValues(msgspec.Struct, frozen=True):
    """The values that an axis has to show, looked through once for the many lengths that a layout tries."""

    places: tuple[float, ...]
    are_whole: bool
    """Whether all were given as whole numbers."""

    @classmethod
    def of(cls, values: Sequence[float], kind: str = "linear") -> "AxisValues":
        """Raises as `check_scale` does."""
        places = tuple(map(float, values))
        check_scale(kind, places)
        return cls(places, bool(values) and all(isinstance(value, int) for value in values))


def scale_of(
    values: AxisValues,
    column: DeclaredColumn,
    language: Language,
    *,
    kind: str = "linear",
    domain: Domain = (None, None),
    tight: bool = False,
    most_ticks: int = 6,
    padded: bool = False,
) -> Scale:
    """The scale for these values.

    A linear axis begins at 0 if no value is below it, unless its numbers are names like years; `tight` ends
    it at the data (as for the x of lines). `padded` leaves room around marks at the ends. It has two ticks at
    least, and more than `most_ticks` only where no fewer are round. Raises Misuse for an empty domain.
    """
    given = [end for end in domain if end is not None]
    check_scale(kind, given)
    low, high = _extent(values.places, column, domain)
    plain = column.is_plain([*values.places, *given])
    if kind != "linear":
        if _is_point(low, high):
            low, high = low / 2, high * 2
        low, high = _log_ends(low, high, kind, domain, tight=tight, padded=padded, most=most_ticks)
        shown = unit_of_log_axis(high, column, language)
        ticks = _log_ticks(low / shown.factor, high / shown.factor, kind, most_ticks)
    else:
        if domain[0] is None and low > 0 and not plain and not (tight and low > 0.2 * high):
            low = 0.0
        if domain[1] is None and high < 0 and not (tight and high < 0.2 * low):
            high = 0.0
        if _is_point(low, high):
            low, high = _around(low, domain)
        shown = column.shown_unit([low, high], language)
        low, high = low / shown.factor, high / shown.factor
        for step in _steps(
            _step(low, high, most_ticks, percent=shown.text == "%"),
            binary=not column.unit.en and _is_binary(values.places),
            whole=values.are_whole and shown.factor == 1,
        ):
            ends = _linear_ends(low, high, step, domain, tight=tight, padded=padded)
            ticks = _linear_ticks(*ends, step)
            if len(ticks) > 1:
                break
        low, high = (end * shown.factor for end in ends)
    return Scale(
        kind=next(one for one in KINDS if one == kind),
        low=low,
        high=high,
        ticks=tuple(tick * shown.factor for tick in ticks),
        labels=tick_labels(ticks, plain=plain, binary=kind == "log2"),
        unit=shown.text,
        factor=shown.factor,
        plain=plain,
    )


def _extent(values: Sequence[float], column: DeclaredColumn, domain: Domain) -> tuple[float, float]:
    if not values and None in domain:
        raise Misuse(
            "the chart has no values to make an axis of: it has no rows, or all are missing",
            "give it rows, or both ends of the axis: x_domain=(0, 1) or y_domain=(0, 1).",
        )
    low = float(domain[0]) if domain[0] is not None else min(values)
    high = float(domain[1]) if domain[1] is not None else max(values)
    if column.unit.en == "share" and domain[1] is None and 0.5 < high <= 1:
        high = 1.0
    if None not in domain and low >= high:
        raise Misuse(f"an axis cannot go from {low:g} to {high:g}", "give the domain as (lower, higher).")
    if low > high:
        raise Misuse(
            f"an axis cannot go from {low:g} to {high:g}, the end of its data",
            "give both ends of its domain, as (lower, higher).",
        )
    return low, high


def _is_point(low: float, high: float) -> bool:
    """Whether there is no room between two ends, or less than numbers of their size can tell apart."""
    return high - low <= _NARROWEST * max(abs(low), abs(high))


def _around(value: float, domain: Domain) -> tuple[float, float]:
    """Ends around a value that is alone on its axis."""
    if value.is_integer() and abs(value) * _NARROWEST < 0.1:
        room = 1.0
    else:
        room = 10.0 ** math.floor(math.log10(abs(value))) / 2
    return value - room * (domain[0] is None and value != 0), value + room


def _linear_ends(
    low: float, high: float, step: float, domain: Domain, *, tight: bool, padded: bool
) -> tuple[float, float]:
    if not tight:
        return (
            low if domain[0] is not None else _down(low, step),
            high if domain[1] is not None else _up(high, step, high - low, padded=padded),
        )
    room = 0.04 * (high - low) if padded else 0.0
    return low - room * (domain[0] is None and low != 0), high + room * (domain[1] is None)


_SMALL_SHARE = 0.1
"""Of a logarithmic axis: data that takes less of it lies between round numbers that are closer together."""


def _log_ends(
    low: float, high: float, kind: str, domain: Domain, *, tight: bool, padded: bool, most: int
) -> tuple[float, float]:
    if not tight and domain == (None, None):
        longest = round_log(high, kind, up=True) / round_log(low, kind, up=False)
        if math.log(high / low) < _SMALL_SHARE * math.log(longest):  # 2.000 to 2.004 on an axis from 2 to 5
            step = _step(low, high, most, percent=False)
            low, high = _down(low, step) or low, math.ceil(high / step - 1e-9) * step
            tight = True
    room = (high / low) ** 0.04 if padded else 1.0
    if domain[0] is None:
        low = low / room if tight else round_log(low, kind, up=False)
    if domain[1] is None:
        high = high * room if tight else round_log(high * (1.04 if padded else 1), kind, up=True)
    return low, high


def round_log(value: float, kind: str = "log10", *, up: bool) -> float:
    """The nearest power of two, or 1, 2 or 5 times a power of ten, that is not nearer to the data."""
    near = 1e-9
    if kind == "log2":
        power = math.log2(value)
        return 2.0 ** (math.ceil(power - near) if up else math.floor(power + near))
    decade = 10.0 ** math.floor(math.log10(value) + near)
    if up:
        return next(decade * n for n in (1, 2, 5, 10) if decade * n >= value * (1 - near))
    return next(decade * n for n in (5, 2, 1) if decade * n <= value * (1 + near))


def _log_ticks(low: float, high: float, kind: str, most: int) -> list[float]:
    """Powers of two or of ten; where there is at most one of them, other round numbers."""
    near = 1e-6
    if kind == "log2":
        first, last = math.ceil(math.log2(low) - near), math.floor(math.log2(high) + near)
        strides = (1, 2, 3, 4, 6, 8, 12, 16, 32, 64)
        most_useful = next((n for n in strides if (last - first) / n < most), strides[-1])
        for stride in reversed(strides[: strides.index(most_useful) + 1]):
            ticks = [2.0**n for n in range(-(-first // stride) * stride, last + 1, stride)]
            if len(ticks) > 1:
                return ticks
        return _ticks_between(low, high, most)
    first, last = math.ceil(math.log10(low) - near), math.floor(math.log10(high) + near)
    decades = [float(f"1e{n}") for n in range(first, last + 1)]
    if len(decades) >= 3:
        return decades[:: math.ceil(len(decades) / most)]
    finer = [float(f"{digit}e{n}") for n in range(first - 1, last + 1) for digit in (1, 2, 5)]
    ticks = [tick for tick in finer if low * (1 - near) <= tick <= high * (1 + near)]
    return ticks if len(ticks) > 1 else _ticks_between(low, high, most)


def _ticks_between(low: float, high: float, most: int) -> list[float]:
    """Two or more round numbers, evenly spaced, in a range too short for powers."""
    steps = _steps(_step(low, high, most, percent=False))
    return next(ticks for step in steps if len(ticks := _linear_ticks(low, high, step)) > 1)


def _step(low: float, high: float, most: int, *, percent: bool) -> float:
    """The round step that gives at most so many ticks, and maybe none."""
    span = high - low
    if percent and 50 < span <= 110 and most >= 5:
        return 25.0
    rough = span / max(most - 1, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * step for step in _STEPS if power * step >= rough * (1 - 1e-9))


def _steps(largest: float, *, binary: bool = False, whole: bool = False) -> Iterator[float]:
    """Round steps from the largest down, without end: powers of two, or whole ones before all others."""
    if binary:
        step = 2.0 ** math.ceil(math.log2(largest) - 0.25)
        while True:
            yield step
            step /= 2
    if whole:
        start = max(1.0, largest if largest != 2.5 else 5.0)
        yield from (step for step in _round_steps(start, least=1.0) if step.is_integer())
    yield from _round_steps(largest, least=0.0)


def _round_steps(largest: float, *, least: float) -> Iterator[float]:
    yield largest
    exponent = math.floor(math.log10(largest))
    while True:
        for digits in (5.0, 2.5, 2.0, 1.0):
            step = float(f"{digits}e{exponent}")
            if step < least:
                return
            if step < largest * (1 - 1e-9):
                yield step
        exponent -= 1


def _is_binary(values: Sequence[float]) -> bool:
    """Whether these are sizes of tiles and the like: multiples of 32 that want powers of two as ticks.

    Thousands and millions are multiples of 32, too, but of 100 as well; and so is every large float.
    """
    if len(values) < 3 or not 512 <= max(values) < _EXACT or any(value % 32 for value in values):
        return False
    return math.gcd(*map(int, values)) % 100 != 0


def _down(value: float, step: float) -> float:
    return math.floor(value / step + _near(value / step)) * step


def _near(steps: float) -> float:
    """Share of a step by which a place may miss a tick: what rounding makes of a number of so many steps."""
    return 1e-9 + 1e-15 * abs(steps)


def _up(value: float, step: float, span: float, *, padded: bool) -> float:
    """The end of an axis: a little above the data, at a tick if one is near."""
    end = math.ceil(value / step - _near(value / step)) * step
    if end - value > 0.5 * step:
        return value + 0.04 * min(abs(value), span)
    return end + (0.02 * min(abs(end), span) if padded and math.isclose(end, value) else 0.0)


def _linear_ticks(low: float, high: float, step: float) -> list[float]:
    first, last = math.ceil(low / step - _near(low / step)), math.floor(high / step + _near(high / step))
    return [float(f"{n * step:.15g}") + 0.0 for n in range(first, last + 1)]


def tick_labels(ticks: Sequence[float], *, plain: bool = False, binary: bool = False) -> tuple[str, ...]:
    """Numbers with only the digits that tell them apart: `0.1`, `1`, `1,000`, `2 × 10¹⁵`.

    `plain` leaves out the commas, as in years; `binary` writes large powers of two as such: `2⁴⁰`.
    """
    largest = max(map(abs, ticks), default=0.0)
    labels = []
    for tick in ticks:
        gap = min((abs(tick - other) for other in ticks if other != tick), default=abs(tick))
        near = 1e-6 * gap
        digits = next((n for n in range(22) if abs(tick - round(tick, n)) <= near), 22)
        label = format_number(float(tick), digits)
        is_small = max(abs(tick), gap) < _IN_POWERS_BELOW
        is_large = abs(tick) >= _IN_POWERS_FROM or (largest >= _IN_POWERS_FROM and gap >= 0.01 * largest)
        if tick and (is_small or is_large):
            power = _in_powers(tick, near, binary=binary)
            label = power if is_small or len(power) < len(label) else label
        labels.append(label.replace(",", "") if plain else label)
    return tuple(labels)


def _in_powers(tick: float, near: float, *, binary: bool) -> str:
    """A tick as a power of ten or of two, with digits enough to be this near."""
    if binary and math.frexp(tick)[0] == 0.5:
        return f"2{superscript(math.frexp(tick)[1] - 1)}"
    written = (f"{tick:.{digits}e}" for digits in range(17))
    mantissa, _, exponent = next(
        (text for text in written if abs(float(text) - tick) <= near), f"{tick:.16e}"
    ).partition("e")
    return times_ten_to(mantissa, int(exponent))

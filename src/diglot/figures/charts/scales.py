"""Scales: which values an axis shows, where its ticks are, and how they are written."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from diglot.diagnostics import did_you_mean
from diglot.figures.scripts.columns import DeclaredColumn, ShownUnit
from diglot.languages import Language, format_number

Kind = Literal["linear", "log2", "log10"]
KINDS: tuple[Kind, ...] = ("linear", "log2", "log10")
_STEPS = (1, 2, 2.5, 5, 10)


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

    def share(self, value: float) -> float:
        """Where a value lies, from 0 at the low end to 1 at the high end."""
        if self.kind == "linear":
            return (value - self.low) / (self.high - self.low)
        if value <= 0:
            return -math.inf
        return math.log(value / self.low) / math.log(self.high / self.low)

    def with_ticks(self, ticks: Sequence[float] | None) -> "Scale":
        """The scale with the author's ticks, if there are any."""
        if ticks is None:
            return self
        labels = tuple(tick_text(tick / self.factor) for tick in ticks)
        return msgspec.structs.replace(self, ticks=tuple(ticks), labels=labels)

    def thinned(self, most: int) -> "Scale":
        """The scale with at most so many ticks, evenly thinned from the first."""
        stride = max(1, math.ceil(len(self.ticks) / max(most, 1)))
        if self.kind == "linear" and stride > 1:
            # The last label tells how far the axis goes.
            stride = next(
                (n for n in range(stride, len(self.ticks)) if (len(self.ticks) - 1) % n == 0), stride
            )
        return msgspec.structs.replace(self, ticks=self.ticks[::stride], labels=self.labels[::stride])


def check_scale(kind: str, values: Iterable[float]) -> None:
    """Raise ValueError for an unknown scale, or for values at or below 0 on a logarithmic one."""
    if kind not in KINDS:
        raise ValueError(f'"{kind}" is not a scale: {did_you_mean(kind, KINDS)}')
    if kind != "linear" and (wrong := [value for value in values if value <= 0]):
        raise ValueError(
            f"a logarithmic axis cannot show {wrong[0]:g}: leave such rows out, or use a linear one"
        )


def unit_of_log_axis(high: float, column: DeclaredColumn, language: Language) -> ShownUnit:
    """The unit of the labels of a logarithmic axis, which a label of 10,000 may end."""
    return column.shown_unit([high * (1 - 1e-6)], language)


def scale_of(
    values: Sequence[float],
    column: DeclaredColumn,
    language: Language,
    *,
    kind: str = "linear",
    domain: tuple[float | None, float | None] = (None, None),
    tight: bool = False,
    most_ticks: int = 6,
    padded: bool = False,
) -> Scale:
    """The scale for these values.

    A linear axis begins at 0 if no value is below it; `tight` ends it at the data (as for the x of lines).
    `padded` leaves room around marks at the ends. Raises ValueError for an empty domain.
    """
    low, high = _extent(values, column, domain)
    if kind != "linear":
        if low == high:
            low, high = low / 2, high * 2
        low, high = _log_ends(low, high, kind, domain, tight=tight, padded=padded)
        shown = unit_of_log_axis(high, column, language)
        ticks = _log_ticks(low / shown.factor, high / shown.factor, kind, most_ticks)
    else:
        if domain[0] is None and low > 0 and not (tight and low > 0.2 * high):
            low = 0.0
        if domain[1] is None and high < 0:
            high = 0.0
        if low == high:
            high = low + 1
        shown = column.shown_unit([low, high], language)
        low, high = low / shown.factor, high / shown.factor
        step = _step(low, high, most_ticks, percent=shown.text == "%")
        if not column.unit.en and _is_binary(values):
            step = 2.0 ** math.ceil(math.log2(step) - 0.25)
        if not tight:
            low = low if domain[0] is not None else _down(low, step)
            high = high if domain[1] is not None else _up(high, step, padded=padded)
        elif padded:
            room = 0.04 * (high - low)
            low, high = low - room * (domain[0] is None and low != 0), high + room * (domain[1] is None)
        ticks = _linear_ticks(low, high, step)
        low, high = low * shown.factor, high * shown.factor
    return Scale(
        kind=next(one for one in KINDS if one == kind),
        low=low,
        high=high,
        ticks=tuple(tick * shown.factor for tick in ticks),
        labels=tuple(map(tick_text, ticks)),
        unit=shown.text,
        factor=shown.factor,
    )


def _extent(
    values: Sequence[float], column: DeclaredColumn, domain: tuple[float | None, float | None]
) -> tuple[float, float]:
    if not values and None in domain:
        raise ValueError("the chart has no rows, so that its axes have no values: give the domain, or rows")
    low = domain[0] if domain[0] is not None else min(values)
    high = domain[1] if domain[1] is not None else max(values)
    if column.unit.en == "share" and domain[1] is None and 0.5 < high <= 1:
        high = 1.0
    if low > high or (None not in domain and low == high):
        raise ValueError(f"an axis cannot go from {low:g} to {high:g}")
    return low, high


def _log_ends(
    low: float,
    high: float,
    kind: str,
    domain: tuple[float | None, float | None],
    *,
    tight: bool,
    padded: bool,
) -> tuple[float, float]:
    room = (high / low) ** 0.04 if padded else 1.0
    if domain[0] is None:
        low = low / room if tight else _round_log(low, kind, up=False)
    if domain[1] is None:
        high = high * room if tight else _round_log(high * (1.04 if padded else 1), kind, up=True)
    return low, high


def _round_log(value: float, kind: str, *, up: bool) -> float:
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
    near = 1e-6
    if kind == "log2":
        first, last = math.ceil(math.log2(low) - near), math.floor(math.log2(high) + near)
        stride = next(n for n in (1, 2, 3, 4, 6, 8, 12, 16, 64) if (last - first) / n < most or n == 64)
        return [2.0**n for n in range(-(-first // stride) * stride, last + 1, stride)] or [2.0**first]
    first, last = math.ceil(math.log10(low) - near), math.floor(math.log10(high) + near)
    decades = [10.0**n for n in range(first, last + 1)]
    if len(decades) >= 3:
        stride = math.ceil(len(decades) / most)
        return decades[::stride]
    finer = [10.0**n * digit for n in range(first - 1, last + 1) for digit in (1, 2, 5)]
    return [tick for tick in finer if low * (1 - near) <= tick <= high * (1 + near)] or [low, high]


def _step(low: float, high: float, most: int, *, percent: bool) -> float:
    span = high - low
    if percent and 50 < span <= 110 and most >= 5:
        return 25.0
    rough = span / max(most - 1, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * step for step in _STEPS if power * step >= rough * (1 - 1e-9))


def _is_binary(values: Sequence[float]) -> bool:
    """Whether these are sizes of tiles and the like: multiples of 32 that want powers of two as ticks."""
    return len(values) > 2 and max(values) >= 512 and all(value % 32 == 0 for value in values)


def _down(value: float, step: float) -> float:
    return math.floor(value / step + 1e-9) * step


def _up(value: float, step: float, *, padded: bool) -> float:
    """The end of an axis: a little above the data, at a tick if one is near."""
    end = math.ceil(value / step - 1e-9) * step
    if end - value > 0.5 * step:
        return value + 0.04 * abs(value)
    return end + (0.02 * abs(end) if padded and math.isclose(end, value) else 0.0)


def _linear_ticks(low: float, high: float, step: float) -> list[float]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(n * step, 12) + 0.0 for n in range(first, last + 1)]


def tick_text(value: float) -> str:
    """A number with only the digits it needs: `0.1`, `1`, `1,000`."""
    digits = next((n for n in range(9) if math.isclose(value, round(value, n), rel_tol=1e-9)), 9)
    return format_number(value, digits)

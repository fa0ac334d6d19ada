"""Numbers that a person typed on a slide beside a figure, and that the figure's data now contradict."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from diglot.slides.changes import value_text

_NUMBER = re.compile(r"(?<![\w.,])[-−]?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(%?)(?![\w]|[.,]\d)")
_SCALES = (1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e3, 1e6, 1e9)
"""As prefixes of units are written: a rate of 4.8e12 B/s is typed as 4.8, 4,800 or 4,800,000."""
_FEWEST_DIGITS, _DIGITS_TO_BE_NEAR = 2, 3
_NEAR = 0.01


class TypedNumber(NamedTuple):
    """A number in a text, the value that it was or is near to, and that value now in the same form."""

    text: str
    path: str
    was: bool
    """Whether it was this value; else it is only near to it."""
    now: str


class Numbers:
    """The numbers of a figure's data by their paths; none if the data were not kept."""

    def __init__(self, data: Any) -> None:
        self.by_path: Mapping[str, float] = dict(_values(data, ""))
        self._written: dict[tuple[int, tuple[float, ...]], frozenset[float]] = {}

    def written(self, decimals: int, scales: tuple[float, ...]) -> frozenset[float]:
        """All that they are with so many decimals, in any of these scales."""
        key = decimals, scales
        if key not in self._written:
            numbers = self.by_path.values()
            self._written[key] = frozenset(
                round(value * scale, decimals) for value in numbers for scale in scales
            )
        return self._written[key]


def find_typed(text: str, old: Numbers, new: Numbers) -> Iterator[TypedNumber]:
    """The numbers of a text that are among a figure's old numbers and not its new ones, or near a new one."""
    before, after = old.by_path, new.by_path
    for found in _NUMBER.finditer(text):
        typed = float(found[0].rstrip("%").replace(",", "").replace("−", "-"))
        decimals = len(found[2] or "")
        digits = len((found[1] + (found[2] or "")).replace(",", "").strip("0"))
        scales = (100.0,) if found[3] else _SCALES
        if len((found[1] + (found[2] or "")).replace(",", "")) < _FEWEST_DIGITS:
            continue
        if typed in new.written(decimals, scales):
            continue
        if (path := _first(before, after, typed, decimals, scales)) is not None:
            scale = _scale_of(typed, before[path], decimals, scales)
            yield TypedNumber(found[0], path, True, f"{after[path] * scale:,.{decimals}f}{found[3]}")
        elif digits >= _DIGITS_TO_BE_NEAR:
            near = next(
                (path for path, value in after.items() if _is_near(typed, value, scales) and "[" not in path),
                None,
            )
            if near is not None:
                yield TypedNumber(found[0], near, False, _plain(after[near]))


def _plain(value: float) -> str:
    return value_text(int(value) if value.is_integer() else value)


def _first(
    before: Mapping[str, float],
    after: Mapping[str, float],
    typed: float,
    decimals: int,
    scales: Sequence[float],
) -> str | None:
    paths = [path for path, value in before.items() if path in after and _is(typed, value, decimals, scales)]
    return min(paths, key=lambda path: ("[" in path, len(path)), default=None)


def _scale_of(typed: float, value: float, decimals: int, scales: Sequence[float]) -> float:
    """The scale in which a value is what was typed."""
    return next(scale for scale in scales if round(value * scale, decimals) == typed)


def _is(typed: float, value: float, decimals: int, scales: Sequence[float]) -> bool:
    return any(round(value * scale, decimals) == typed for scale in scales)


def _is_near(typed: float, value: float, scales: Sequence[float]) -> bool:
    return any(abs(typed - value * scale) <= _NEAR * abs(value * scale) for scale in scales if value)


def _values(data: Any, path: str) -> Iterator[tuple[str, float]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _values(value, f"{path}.{key}" if path else str(key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _values(value, f"{path}[{number}]")
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield path, float(data)

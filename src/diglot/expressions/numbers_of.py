"""All numbers in a figure's data, each with the path by which an expression reaches it."""

import json
import keyword
from collections.abc import Iterable, Iterator
from typing import Any

_MOST = 20_000
"""Numbers of one figure that are looked at: a table behind a form has more than prose could mean."""


def numbers_of(name: str, data: bytes) -> tuple[tuple[str, float], ...]:
    """Paths and numbers of a figure's data, such as `("roofline.h200.ridge", 206.0)`, short paths first."""
    return numbers_within(name, json.loads(data))


def numbers_within(name: str, data: Any) -> tuple[tuple[str, float], ...]:
    """The same of data that are decoded."""
    found = []
    for path, number in _walk(name, data):
        found.append((path, number))
        if len(found) == _MOST:
            break
    return tuple(sorted(found, key=lambda one: (one[0].count(".") + one[0].count("["), len(one[0]), one[0])))


def earlier_numbers(
    before: Iterable[tuple[str, float]], now: Iterable[tuple[str, float]]
) -> tuple[tuple[str, float], ...]:
    """Those of the numbers of before that are not at their paths now."""
    at = dict(now)
    return tuple((path, number) for path, number in before if at.get(path) != number)


def _walk(path: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield path, float(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key.isidentifier() and not keyword.iskeyword(key):
                yield from _walk(f"{path}.{key}", inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _walk(f"{path}[{index}]", inner)

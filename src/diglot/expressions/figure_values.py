"""A figure's data as seen by expressions: every value knows its path, for messages."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from diglot.diagnostics import did_you_mean
from diglot.expressions.mistakes import ValueMistake, no_such_format, no_such_value, shortened, shown
from diglot.figure_request import CELLS, FigureRequest
from diglot.years import Year, are_named, naming_of

_OF_CELLS = (
    "Cells assign values as numbers, texts, lists, mappings, arrays or data frames of up to 10,000 items."
)
_MOST_NAMED = 20
"""Keys listed in a message, at most."""


class Record(Mapping[str, Any]):
    """A mapping in a figure's data."""

    def __init__(self, values: Mapping[str, Any], path: str) -> None:
        self._values = values
        self.path = path
        """Path of the mapping, as an author writes it."""

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str) or key not in self._values:
            fix = did_you_mean(str(key), self.named())
            if self.path == CELLS:
                fix = f"{fix} {_OF_CELLS}" if self._values else _OF_CELLS
            raise no_such_value(f"no value named {_quoted(key)} in {shortened(self.path)}", fix)
        return reached(self._values[key], f"{self.path}.{key}")

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def named(self) -> list[str]:
        """Keys for a message; only the first ones, where there are many."""
        names = list(map(shortened, islice(self, _MOST_NAMED)))
        return [*names, "…"] if len(self) > _MOST_NAMED else names


def has_several_values(record: Record, what_to_do: str = "choose") -> ValueMistake:
    """The mistake of a mapping where one value is needed."""
    fix = f"{what_to_do} one of them: {', '.join(record.named())}."
    return no_such_format(f"{shortened(record.path)} has several values", fix)


class Items(Sequence[Any]):
    """A list in a figure's data, or in an expression."""

    def __init__(self, values: Sequence[Any], path: str) -> None:
        self.values = values
        """Items as in the data, without their paths."""
        self.path = path
        """Path of the list, as an author writes it."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            try:
                return Items(self.values[index], f"{self.path}[{index.start}:{index.stop}]")
            except (TypeError, ValueError) as error:
                raise no_such_value(f"no such part of {shortened(self.path)}: {error}", _BY_NUMBER) from None
        if isinstance(index, bool) or not isinstance(index, int):
            raise no_such_value(f"no item {shown(index)} in {shortened(self.path)}", _BY_NUMBER)
        if not -len(self.values) <= index < len(self.values):
            raise no_such_value(
                f"no item {shown(index)} in {shortened(self.path)}",
                f"it has {len(self.values)} items, counted from 0.",
            )
        return reached(self.values[index], f"{self.path}[{index}]")

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self.values)))

    def __len__(self) -> int:
        return len(self.values)


_BY_NUMBER = "give the number of the item, counted from 0, as in `[0]`."


class Figure(Record):
    """A figure's data in an expression: with default parameters, or with others by `asked_for`."""

    def __init__(self, figure_id: str, requests: Mapping[str, bytes]) -> None:
        """`requests` is the canonical JSON of the figure's data, by the text of the `FigureRequest`."""
        self._requests = requests
        super().__init__({}, figure_id)

    def known_as(self, request: FigureRequest) -> str:
        """The text by which data is known: a half knows the code cells of its article alone."""
        return next(iter(self._requests), CELLS) if request == FigureRequest(CELLS) else str(request)

    def _default(self) -> Any:
        if self.path == CELLS:
            return self.asked_for(FigureRequest(CELLS))
        if self.path not in self._requests:
            raise no_such_value(
                f'"{self.path}" is not computed with its default parameters in this article', self._computed()
            )
        return self.asked_for(FigureRequest(self.path))

    def asked_for(self, request: FigureRequest) -> Any:
        """The data for a request's parameters. Raises ValueMistake where it was not computed."""
        name, known = str(request), self.known_as(request)
        if known not in self._requests:
            raise no_such_value(f'"{shortened(name)}" is not computed in this article', self._computed())
        return reached(_decode(self._requests[known], name), name)

    def _computed(self) -> str:
        return f"these are computed: {', '.join(sorted(self._requests))}."

    def __getitem__(self, key: Any) -> Any:
        data = self._default()
        if not isinstance(data, Record):
            raise no_such_value(
                f"{self.path} is not a mapping, so it has no {_quoted(key)}", "return a mapping from compute."
            )
        return data[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._default())

    def __len__(self) -> int:
        return len(self._default())


def reached(value: Any, path: str) -> Any:
    """A value of the data, wrapped so that it knows its path, or that it is a year or another name.

    Raises ValueMistake for NaN and infinity.
    """
    if isinstance(value, dict):
        return Record(value, path)
    if isinstance(value, list):
        return Items(value, path)
    if type(value) in (int, float) and are_named((value,), naming_of(_last_name(path))):
        return Year(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise no_such_format(
            f"{shortened(path)} is {value}, which cannot be shown",
            "correct the figure, or leave the value out.",
        )
    return value


def _last_name(path: str) -> str:
    """The last name in a path, whichever of its items is meant: `years` in `chips.years[0]`."""
    return path.rpartition(".")[2].partition("[")[0]


def _quoted(key: Any) -> str:
    return f'"{shortened(key)}"' if isinstance(key, str) else shown(key)


# Cached because expressions of one page read the same data repeatedly. The value may be shared because
# evaluation never changes it.
@lru_cache(maxsize=32)
def _decode(data: bytes, name: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:  # nested too deeply for Python, or a number too long
        raise no_such_format(
            f"the data of {shortened(name)} cannot be read: {shortened(str(error))}", "correct the figure."
        ) from None

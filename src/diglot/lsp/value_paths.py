"""The values in an expression, with the place of each key, also in one that is not finished."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from diglot.expressions.parsing import ExpressionError, figures_read_by
from diglot.figure_request import CELLS, WORDS_OF_EXPRESSIONS, FigureRequest

_CHAIN = re.compile(
    r"(?<![\w.\"'])(?P<figure>[a-z][a-z0-9_]*)(?P<call>\([^()]*\))?(?P<keys>(?:\.\w+|\[[^\[\]]*\])*)"
)
_KEY = re.compile(r"\.(\w+)|\[\s*(?:\"([^\"]*)\"|'([^']*)'|(-?\d+))\s*\]")
_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'")


class Key(NamedTuple):
    """A key, or the number of an item, with the characters of the expression that it is between."""

    name: str
    start: int
    end: int


class ValuePath(NamedTuple):
    """The way to a value: its figure, and keys into its data."""

    request: FigureRequest
    figure: Key
    keys: tuple[Key, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The keys without their places."""
        return tuple(key.name for key in self.keys)

    def until(self, offset: int) -> "ValuePath":
        """The way as far as the key at a character."""
        return self._replace(keys=tuple(key for key in self.keys if key.start <= offset))


def paths_in(expression: str, path: str) -> Iterator[ValuePath]:
    """All ways in an expression of the half at `path`, which knows its own code cells as `cells`."""
    texts = [found.span() for found in _TEXT.finditer(expression)]
    for found in _CHAIN.finditer(expression):
        name = found["figure"]
        is_filter = re.search(r"\|\s*$", expression[: found.start()]) is not None
        is_argument = re.match(r"\s*=(?!=)", expression[found.end() :]) is not None
        in_text = any(start < found.start() < end for start, end in texts)
        if name in WORDS_OF_EXPRESSIONS or is_filter or is_argument or in_text:
            continue
        at = found.start("keys")
        keys = tuple(
            Key(next(part for part in key.groups() if part is not None), at + key.start(), at + key.end())
            for key in _KEY.finditer(found["keys"])
        )
        request = request_of(name, found["call"] or "", path)
        if request is not None:
            yield ValuePath(request, Key(name, found.start(), at), keys)


def request_of(name: str, call: str, path: str) -> FigureRequest | None:
    """The figure that a name with the parameters behind it asks for; None where they cannot be read."""
    if name == CELLS:
        return FigureRequest.of_cells(path)
    try:
        return figures_read_by(name + call)[0]
    except (ExpressionError, IndexError):
        return None


def path_at(expression: str, offset: int, path: str) -> ValuePath | None:
    """The way at a character of an expression, as far as the key there."""
    for found in paths_in(expression, path):
        end = found.keys[-1].end if found.keys else found.figure.end
        if found.figure.start <= offset <= end:
            return found.until(offset)
    return None


def value_at(data: Any, names: tuple[str, ...]) -> Any:
    """The value that keys lead to in plain data. Raises LookupError where there is none."""
    for name in names:
        if isinstance(data, dict):
            data = data[name]
        elif isinstance(data, list) and name.lstrip("-").isdigit():
            data = data[int(name)]
        else:
            raise LookupError(name)
    return data

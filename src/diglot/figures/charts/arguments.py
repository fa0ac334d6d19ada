"""The arguments of what scripts call on charts, compared with the types that the functions declare.

So a mistake is reported with the name of the argument and an example of the call, wherever a value would fail
later. Rows are left to `rows_of`, and whether a column or a colour exists to those who look it up.
"""

import collections.abc
import inspect
import math
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, wraps
from numbers import Integral, Real
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from diglot.diagnostics import nearest
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.scripts.misuse import Misuse, quoted

_P = ParamSpec("_P")
_R = TypeVar("_R")


def checked(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function, which raises Misuse for arguments that it does not take."""
    call = _Call(function)

    @wraps(function)
    def calling(*positional: _P.args, **named: _P.kwargs) -> _R:
        call.check(positional, named)
        try:
            return function(*positional, **named)
        except _WrongArgument as mistake:  # of a call within it, of which the author knows nothing
            raise call.wrong(mistake.what, mistake.example) from None

    return calling


class _WrongArgument(Misuse):
    def __init__(self, what: str, name: str, example: Sequence[str]) -> None:
        super().__init__(f"`{name}`: {what}", f"write it as in {name}({', '.join(example)}).")
        self.what = what
        self.example = example[-1:]
        """The wrong argument as it should be, for a call around this one."""


class _Call:
    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._parameters = {
            name: one for name, one in inspect.signature(function).parameters.items() if name != "self"
        }
        self._is_method = "self" in inspect.signature(function).parameters
        owner, _, name = function.__qualname__.rpartition(".")
        self._name = f"chart.{name}" if owner and name != "__init__" else f"charts.{owner or name}"
        self._by_place = [
            name for name, one in self._parameters.items() if one.kind == one.POSITIONAL_OR_KEYWORD
        ]
        self._takes_any = any(one.kind == one.VAR_KEYWORD for one in self._parameters.values())

    @cached_property
    def _types(self) -> dict[str, Any]:
        return get_type_hints(self._function)  # when it is called, because modules name each other

    def check(self, positional: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Raise Misuse for the first argument that is wrong, else for those that are missing."""
        by_place = positional[1:] if self._is_method else positional
        given = {**dict(zip(self._by_place, by_place, strict=False)), **named}
        for name, value in given.items():
            if name in self._parameters:
                self._check_argument(name, value)
            elif not self._takes_any:
                near = nearest(name, self._parameters)
                hint = f'did you mean "{near}"?' if near else f"it takes {_joined([*self._parameters])}"
                raise self.wrong(f'there is no option "{name}"; {hint}')
        if len(by_place) > len(self._by_place):
            first = next(name for name in self._parameters if name not in self._by_place)
            value = quoted(by_place[len(self._by_place)])
            raise self.wrong(f"{value} has no name; is it {first}?", [self._written(first)])
        if missing := [name for name in self._needed() if name not in given]:
            raise self.wrong(f"{_joined(missing)} {'is' if len(missing) == 1 else 'are'} missing")

    def _check_argument(self, name: str, value: Any) -> None:
        right = None
        if not _fits(value, self._types[name]):
            right = _described(self._types[name], _TEXTS.get(name, "the name of a column"))
            right += _way(value) if "a list" in right else ""
        elif name in _LEAST and value is not None and value < _LEAST[name]:
            right = f"{_LEAST[name]} or more"
        if right is not None:
            raise self.wrong(f"{name} is {quoted(value)}, not {right}", [self._written(name)])

    def wrong(self, what: str, last: Sequence[str] = ()) -> "_WrongArgument":
        """What is raised for an argument; `last` is how it is written, if it is not among the needed ones."""
        needed = [self._written(name) for name in self._needed()]
        return _WrongArgument(what, self._name, [*dict.fromkeys((*needed, *last))])

    def _needed(self) -> list[str]:
        kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        return [
            name for name, one in self._parameters.items() if one.default is one.empty and one.kind in kinds
        ]

    def _written(self, name: str) -> str:
        """An example of an argument."""
        if name in self._by_place:
            return _BY_PLACE.get(name, name)
        return f"{name}={_example_of(self._types[name])}"


_TEXT = '"…"'
_BY_PLACE = {
    "rows": 'data["rows"]',
    "roofs": 'data["roofs"]',
    "kernels": 'data["kernels"]',
    "text": _TEXT,
    "point": "(1, 2)",
    "at": "(0.1, 0.9)",
    "x": "20",
}
"""Examples of arguments that are given by their place."""
_LEAST = {"width": 0, "size": 0, "height": 1, "columns": 1}
_TEXTS = {
    **dict.fromkeys(("title", "missing", "text", "total", "name"), "a text"),
    "color": "the name of a colour",
    "dash": "a format",
    **dict.fromkeys(("x_scale", "y_scale"), '"linear", "log2" or "log10"'),
}
"""What texts are; all others are names of columns."""


def _example_of(kind: Any) -> str:
    """An argument of a type, as code."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _example_of(inner[0])
    if origin is Literal:
        return f'"{inner[0]}"'
    if origin is tuple:
        return f"({', '.join(map(_example_of, inner))})" if float not in get_args(inner[0]) else "(0, None)"
    if origin is collections.abc.Sequence:
        return "[1, 10, 100]" if inner[0] is float else f"[{_TEXT}, {_TEXT}]"
    if origin is collections.abc.Mapping:
        return f"{{{_example_of(inner[0])}: {_example_of(inner[1])}}}"
    return {bool: "True", int: "2", float: "20"}.get(kind, _TEXT)


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# ---- types


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value is of the kind that an annotation says."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        # Rows are left to `rows_of`; to look into each of them first would take most of the time of a call.
        return any(map(_is_rows, inner)) or any(_fits(value, one) for one in inner)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if origin is tuple:
        return _is_list(value) and len(value) == len(inner) and all(map(_fits, value, inner))
    if origin is collections.abc.Sequence:
        return _is_list(value) and all(_fits(one, inner[0]) for one in value)
    if origin is collections.abc.Mapping:
        return isinstance(value, Mapping) and all(
            _fits(name, inner[0]) and _fits(one, inner[1]) for name, one in value.items()
        )
    if kind is Any:
        return True
    if kind is float and isinstance(value, Real) and not math.isfinite(value):
        return False
    return isinstance(value, _CLASSES.get(kind, kind)) and (isinstance(value, bool) <= (kind is bool))


_CLASSES: dict[Any, Any] = {float: Real, int: Integral, bool: bool | np.bool_, None: type(None)}


def _is_rows(kind: Any) -> bool:
    """Whether this is a part of the type of rows."""
    return kind in (Sequence[Mapping[str, Any]], Mapping[str, Any])


def _is_list(value: Any) -> bool:
    is_array = hasattr(value, "dtype") and hasattr(value, "__len__") and np.ndim(value) == 1
    return is_array or (isinstance(value, Sequence) and not isinstance(value, str | bytes))


def _described(kind: Any, text: str) -> str:
    """What an annotation asks for, to follow "not"; `text` is what a text is."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(_described(one, text) for one in inner if one is not type(None))
    if origin is Literal:
        return "one of " + ", ".join(f'"{one}"' for one in inner)
    if origin is tuple:
        return f"a list of {len(inner)} {_plural(inner[0])}"
    if origin is collections.abc.Sequence:
        return f"a list of {_plural(inner[0])}"
    return text if kind is str else _NAMES[origin or kind]


_NAMES: dict[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a finite number",
    Canvas: "the figure that `draw` is given",
    collections.abc.Mapping: "a mapping",
}
_PLURALS = {
    float: "finite numbers",
    float | None: "finite numbers or None",
    int: "whole numbers",
    str: "names of columns",
}


def _plural(kind: Any) -> str:
    return _PLURALS.get(kind) or f"values, each {_described(kind, 'a text')}"


def _way(value: Any) -> str:
    """How a script can turn such a value into a list; empty for others."""
    if isinstance(value, collections.abc.Set):
        return "; a set has no order, so write sorted(…)"
    return "; write list(…)" if isinstance(value, collections.abc.Iterator) else ""

"""What a value is, in the words of a message."""

import numbers
from collections.abc import Mapping
from types import FunctionType, MethodType, ModuleType
from typing import Any

_KINDS: tuple[tuple[Any, str], ...] = (
    (type(None), "nothing"),
    (bool, "a truth value"),
    (str, "text"),
    (bytes | bytearray, "bytes"),
    (numbers.Real, "a number"),
    (complex, "a complex number"),
    (list | tuple, "a list"),
    (dict, "a mapping"),
    (set | frozenset, "a set"),
    (FunctionType | MethodType, "a function"),
    (type, "a class"),
    (ModuleType, "a module"),
)


def kind_of(value: Any) -> str:
    """What a value is, such as `a number` or `a DataFrame`, to follow "is" or "returned"."""
    for kinds, name in _KINDS:
        if isinstance(value, kinds):
            return name
    name = type(value).__name__
    if isinstance(value, Mapping):
        return "a mapping"
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"

"""A figure's data as plain values, which charts, prose, tables and slides all share."""

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence, Set
from typing import Any

import msgspec

from diglot.characters import code_of, forbidden_in


class NotPlainData(ValueError):
    """A figure's data contains something that is not plain data. The message says where."""


def canonical_json(value: Any) -> bytes:
    """The data as JSON: the same bytes for the same data, with keys in the script's order.

    Raises NotPlainData if it is not a mapping or record of plain data.
    """
    if not isinstance(value, Mapping) and _fields_of(value) is None:
        raise NotPlainData(
            f"data is a {type(value).__name__}, not a mapping; return a mapping from names to values"
        )
    plain = plain_data(value)
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


_DEEPEST = 100
"""Maximum nesting of lists and mappings, because code that reads the data recurses for each level."""
_MOST_DIGITS = 4300
"""Maximum digits of a whole number: Python's own limit for reading and writing one."""
_TOO_LARGE = 10**_MOST_DIGITS


def plain_data(value: Any, place: str = "data", *, finite: bool = True, depth: int = 0) -> Any:
    """The value converted to mappings, lists, text, finite numbers, truth values and None.

    numpy numbers and arrays, tuples, dataclasses and structs become numbers, lists and mappings. With
    `finite=False`, NaN and infinity are allowed.
    Raises NotPlainData for everything else, and names its place: `data["h200"].peak[3]`.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _checked(str.__str__(value), place)
    if depth > _DEEPEST:
        raise NotPlainData("data contains itself, or is nested too deeply")
    if (fields := _fields_of(value)) is not None:
        return {
            name: plain_data(getattr(value, name), f"{place}.{name}", finite=finite, depth=depth + 1)
            for name in fields
        }
    if isinstance(value, Mapping):
        return _plain_mapping(value, place, finite=finite, depth=depth + 1)
    if hasattr(value, "tolist") and hasattr(value, "dtype"):  # numpy, recognised without importing it
        return plain_data(value.tolist(), place, finite=finite, depth=depth + 1)
    if isinstance(value, int):
        whole = int(value)
        if abs(whole) >= _TOO_LARGE:
            raise NotPlainData(f"{place} is a whole number of more than {_MOST_DIGITS:,} digits")
        return whole
    if isinstance(value, float):
        if finite and not math.isfinite(value):
            raise NotPlainData(f"{place} is {value}, not a finite number")
        return float(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [
            plain_data(inner, f"{place}[{n}]", finite=finite, depth=depth + 1)
            for n, inner in enumerate(value)
        ]
    hint = "; a set has no order, use sorted(…)" if isinstance(value, Set) else ""
    raise NotPlainData(f"{place} is a {type(value).__name__}, not a number, text, list or mapping{hint}")


def _checked(text: str, place: str) -> str:
    if (character := forbidden_in(text)) is not None:
        raise NotPlainData(
            f"{place} contains the character {code_of(character)}, which is not allowed on pages"
        )
    return text


def _fields_of(value: Any) -> tuple[str, ...] | None:
    """The field names of a dataclass or struct; None for other values."""
    if isinstance(value, msgspec.Struct):
        return value.__struct_fields__
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple(field.name for field in dataclasses.fields(value))
    return None


def _plain_mapping(value: Mapping[Any, Any], place: str, *, finite: bool, depth: int) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for key, inner in value.items():
        if hasattr(key, "dtype") and hasattr(key, "item"):
            key = key.item()  # noqa: PLW2901  (a plain key replaces numpy's)
        if isinstance(key, bool) or not isinstance(key, str | int):
            raise NotPlainData(f"{place} has the key {key!r}; keys must be text or whole numbers")
        name = str(int(key)) if isinstance(key, int) else _checked(str.__str__(key), f"a key of {place}")
        if name in plain:
            raise NotPlainData(f"{place} has the key {name!r} twice, as a number and as text")
        plain[name] = plain_data(inner, f"{place}[{key!r}]", finite=finite, depth=depth)
    return plain

"""A figure's data as plain values, which charts, prose, tables and slides all share."""

import dataclasses
import datetime
import enum
import json
import math
import numbers
import os
import re
import types
from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from typing import Any

import msgspec

from diglot.characters import code_of, forbidden_in
from diglot.figures.scripts.data_frames import frame_rows
from diglot.figures.scripts.kinds import kind_of


class NotPlainData(ValueError):
    """A figure's data contains something that is not plain data. The message says where, and what to do."""

    def __init__(self, message: str, others: Sequence["NotPlainData"] = ()) -> None:
        super().__init__(message)
        self.others = others
        """The same about other values of a mapping or record."""

    @property
    def key(self) -> str | None:
        """The key of the data in which it is; None if there is none."""
        found = re.match(r"data\['([^']+)'\]", str(self))
        return found[1] if found is not None else None

    @property
    def what(self) -> str:
        """The message without its end that says what to do."""
        return str(self).partition("; ")[0]

    @property
    def fix(self) -> str | None:
        """What to do, as a sentence; None if nothing is known."""
        way = str(self).partition("; ")[2]
        return f"{way}." if way else None


def canonical_json(value: Any) -> bytes:
    """The data as JSON: the same bytes for the same data, with keys in the script's order.

    Raises NotPlainData if it is not a mapping or record of plain data.
    """
    if not isinstance(value, Mapping) and _fields_of(value) is None:
        raise NotPlainData(f"data is {kind_of(value)}, not a mapping; return a mapping from names to values")
    plain = plain_data(value)
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


class _TooDeep(NotPlainData):
    """The data contains itself, so that looking for other mistakes in it would never end."""


_DEEPEST = 100
"""Maximum nesting of lists and mappings, because code that reads the data recurses for each level."""
_MOST_DIGITS = 4300
"""Maximum digits of a whole number: Python's own limit for reading and writing one."""
_TOO_LARGE = 10**_MOST_DIGITS


def plain_data(value: Any, place: str = "data", *, finite: bool = True, depth: int = 0) -> Any:
    """The value converted to mappings, lists, text, finite numbers, truth values and None.

    numpy numbers and arrays, data frames (as rows) and their columns, tuples, dataclasses and structs become
    numbers, lists and mappings; decimal numbers and fractions become floats, and NaN, a value that is
    missing, None. With `finite=False`, NaN and infinity stay.
    Raises NotPlainData for everything else, and names its place: `data["h200"].peak[3]`.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _checked(str.__str__(value), place)
    if depth > _DEEPEST:
        raise _TooDeep("data contains itself, or is nested too deeply")
    if (fields := _fields_of(value)) is not None:
        parts = ((name, getattr(value, name), f"{place}.{name}") for name in fields)
        return _plain_parts(parts, finite=finite, depth=depth + 1)
    if isinstance(value, Mapping):
        return _plain_mapping(value, place, finite=finite, depth=depth + 1)
    if (rows := frame_rows(value)) is not None:
        return plain_data(rows, place, finite=finite, depth=depth)
    if hasattr(value, "dtype"):  # numpy, pandas or polars, recognised without importing them
        return plain_data(_without_type(value, place), place, finite=finite, depth=depth + 1)
    if isinstance(value, int):
        whole = int(value)
        if abs(whole) >= _TOO_LARGE:
            raise NotPlainData(f"{place} is a whole number of more than {_MOST_DIGITS:,} digits")
        return whole
    if isinstance(value, float):
        if finite and math.isinf(value):
            raise NotPlainData(
                f"{place} is {value}, not a finite number; write None for a value that is missing"
            )
        return None if finite and math.isnan(value) else float(value)
    if isinstance(value, numbers.Rational | Decimal):
        return plain_data(_as_float(value, place), place, finite=finite, depth=depth)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [
            plain_data(inner, f"{place}[{n}]", finite=finite, depth=depth + 1)
            for n, inner in enumerate(value)
        ]
    if type(value).__name__ in ("NAType", "NaTType"):  # how pandas writes a value that is missing
        return None
    hint = f"; {way}" if (way := _way_to_plain(value)) else ""
    raise NotPlainData(f"{place} is {kind_of(value)}, not a number, text, list or mapping{hint}")


def _without_type(value: Any, place: str) -> Any:
    """The plain numbers, texts and lists of an array, of one of its numbers, or of a column of a frame."""
    kind = getattr(value.dtype, "kind", "")
    if kind in ("m", "M"):  # as numbers, their unit would be lost
        raise NotPlainData(
            f"{place} is a {value.dtype}, which is a time; use str(…), or astype(str) for an array"
        )
    if kind == "c":
        raise NotPlainData(f"{place} is a {value.dtype}, a complex number; use its parts, .real and .imag")
    if kind == "f" and getattr(value, "ndim", None) == 0:  # numpy's own lists leave longdouble as it is
        return float(value)
    for convert in ("tolist", "to_list"):
        if callable(found := getattr(value, convert, None)):
            return found()
    raise NotPlainData(f"{place} is {kind_of(value)}, not a number, text, list or mapping")


def _as_float(value: Any, place: str) -> float:
    try:
        return float(value)
    except (OverflowError, ValueError):
        raise NotPlainData(
            f"{place} is too large for a number with decimals; divide it by a power of ten"
        ) from None


def _way_to_plain(value: Any) -> str:
    """How a script can turn such a value into plain data; empty if nothing is known."""
    if isinstance(value, Set):
        return "a set has no order, use sorted(…)"
    if isinstance(value, types.CoroutineType):
        value.close()  # else Python warns of it later, in a line of diglot
        return "nothing awaits it, use asyncio.run(…)"
    if isinstance(value, datetime.date | datetime.time):
        return "use .isoformat()"
    if isinstance(value, datetime.timedelta):
        return "use .total_seconds()"
    if isinstance(value, bytes | bytearray):
        return "use .decode()"
    if isinstance(value, complex):
        return "use its parts, .real and .imag"
    if isinstance(value, enum.Enum):
        return "use .value"
    if isinstance(value, os.PathLike):
        return "use str(…)"
    if isinstance(value, Iterable):
        return "use list(…)"
    return "call it, and use its result" if callable(value) else ""


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


def _plain_parts(parts: Iterable[tuple[str, Any, str]], *, finite: bool, depth: int) -> dict[str, Any]:
    """Named values converted, each with its place. Raises one NotPlainData about all that are not plain."""
    plain: dict[str, Any] = {}
    wrong: list[NotPlainData] = []
    for name, value, place in parts:
        try:
            plain[name] = plain_data(value, place, finite=finite, depth=depth)
        except _TooDeep:
            raise
        except NotPlainData as problem:
            wrong += [problem, *problem.others]
    if wrong:
        raise NotPlainData(str(wrong[0]), wrong[1:])
    return plain


def _plain_mapping(value: Mapping[Any, Any], place: str, *, finite: bool, depth: int) -> dict[str, Any]:
    parts: dict[str, tuple[str, Any, str]] = {}
    for key, inner in value.items():
        if hasattr(key, "dtype") and hasattr(key, "item"):
            key = key.item()  # noqa: PLW2901  (a plain key replaces numpy's)
        if isinstance(key, bool) or not isinstance(key, str | int):
            raise NotPlainData(f"{place} has the key {key!r}; keys must be text or whole numbers")
        name = str(int(key)) if isinstance(key, int) else _checked(str.__str__(key), f"a key of {place}")
        if name in parts:
            raise NotPlainData(f"{place} has the key {name!r} twice, as a number and as text")
        parts[name] = name, inner, f"{place}[{key!r}]"
    return _plain_parts(parts.values(), finite=finite, depth=depth)

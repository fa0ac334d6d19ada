"""What a figure script promises, checked: its data are plain numbers and words."""

import dataclasses
import math
from collections.abc import Mapping, Sequence, Set
from typing import Any


class NotPlainData(ValueError):
    """Something in a figure's data that is no number, text, list or mapping."""


def plain_data(value: Any, place: str = "data") -> Any:
    """The value as JSON knows it: mappings, lists, text, finite numbers, truth values and None.

    numpy's numbers and arrays, tuples and dataclasses become what they stand for.
    Raises NotPlainData that names the place (`data["h200"].peak[3]`) otherwise.
    """
    if value is None or isinstance(value, bool | str):
        return str(value) if isinstance(value, str) else value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            f.name: plain_data(getattr(value, f.name), f"{place}.{f.name}") for f in dataclasses.fields(value)
        }
    if isinstance(value, Mapping):
        return {_key(key, place): plain_data(inner, f"{place}[{key!r}]") for key, inner in value.items()}
    if hasattr(value, "tolist") and hasattr(value, "dtype"):  # numpy, which is not to be imported for this
        return plain_data(value.tolist(), place)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotPlainData(f"{place} is {value}, not a finite number")
        return float(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain_data(inner, f"{place}[{n}]") for n, inner in enumerate(value)]
    hint = "; a set has no order, use sorted(…)" if isinstance(value, Set) else ""
    raise NotPlainData(f"{place} is a {type(value).__name__}, not a number, text, list or mapping{hint}")


def _key(key: Any, place: str) -> str:
    if isinstance(key, bool) or not isinstance(key, str | int):
        raise NotPlainData(f"{place} has the key {key!r}; keys are text or whole numbers")
    return str(key)

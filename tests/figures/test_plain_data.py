"""A figure's data are plain values, the same bytes for the same data."""

import datetime
import json
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from diglot.figures.scripts.plain_data import NotPlainData, canonical_json


@dataclass(frozen=True)
class Point:
    x: float
    names: tuple[str, ...]


class Size(msgspec.Struct):
    rows: int


def test_arrays_tuples_and_records_become_what_they_stand_for():
    data = {"a": np.arange(3), "b": (np.float64(0.5), np.int32(2), np.bool_(True)), "c": Point(1.0, ("峰",))}
    assert canonical_json(data).decode() == '{"a":[0,1,2],"b":[0.5,2,true],"c":{"x":1.0,"names":["峰"]}}'
    assert canonical_json(Size(2)) == b'{"rows":2}'


def test_numbers_of_libraries_become_plain_ones():
    data = {
        "longdouble": np.longdouble("0.5"),
        "longdoubles": np.array([0.5, np.nan], np.longdouble),
        "half": np.float16(0.5),
        "decimal": Decimal("0.1"),
        "fraction": Fraction(1, 4),
        "objects": np.array([1, "a", None], dtype=object),
    }
    assert json.loads(canonical_json(data)) == {
        "longdouble": 0.5,
        "longdoubles": [0.5, None],
        "half": 0.5,
        "decimal": 0.1,
        "fraction": 0.25,
        "objects": [1, "a", None],
    }


def test_what_is_missing_is_null():
    data = {"a": [float("nan"), None, np.float32("nan")], "b": np.array([1.0, np.nan]), "c": Decimal("NaN")}
    assert canonical_json(data) == b'{"a":[null,null,null],"b":[1.0,null],"c":null}'


def test_keys_keep_the_order_of_the_script():
    assert canonical_json({"z": 1, "a": 2, 16: 3}) == b'{"z":1,"a":2,"16":3}'


def test_all_values_of_mappings_that_cannot_be_stored_are_named() -> None:
    data = {"a": {1}, "b": 2, "c": {"d": 1j, "e": [b"x", b"y"]}, "f": Point(float("inf"), ())}
    with pytest.raises(NotPlainData) as caught:
        canonical_json(data)
    places = [one.what.partition(" is ")[0] for one in (caught.value, *caught.value.others)]
    assert places == ["data['a']", "data['c']['d']", "data['c']['e'][0]", "data['f'].x"]


def holding_itself() -> dict[str, Any]:
    data: dict[str, Any] = {}
    data["again"] = data
    return data


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else 1


async def _later() -> int:
    return 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"h200": {"peak": [1.0, -float("inf")]}}, "data['h200']['peak'][1] is -inf, not a finite number"),
        ({"a": np.array([[1.0, np.inf]])}, "data['a'][0][1] is inf, not a finite number"),
        ({"a": Point(float("inf"), ())}, "data['a'].x is inf"),
        ({"a": _later()}, "data['a'] is a coroutine, not a number, text, list or mapping; nothing awaits it"),
        ({"a": {1, 2}}, "data['a'] is a set, not a number, text, list or mapping; a set has no order"),
        ({"a": object()}, "data['a'] is an object"),
        ({"a": 1j}, "data['a'] is a complex"),
        ({"a": b"x"}, "data['a'] is bytes"),
        ({"a": np.datetime64("2026-01-01")}, "data['a'] is a datetime64[D], which is a time; use str(…)"),
        ({"a": np.array(["2026"], "M8[ns]")}, "data['a'] is a datetime64[ns], which is a time"),
        ({"a": np.complex128(1)}, "data['a'] is a complex128, a complex number"),
        (
            {"a": datetime.date(2026, 1, 1)},
            "data['a'] is a date, not a number, text, list or mapping; use .isoformat()",
        ),
        (
            {"a": (n for n in range(3))},
            "data['a'] is a generator, not a number, text, list or mapping; use list(…)",
        ),
        (
            {"a": {}.keys()},
            "data['a'] is a dict_keys, not a number, text, list or mapping; a set has no order",
        ),
        ({"a": Path("x")}, "data['a'] is a PosixPath, not a number, text, list or mapping; use str(…)"),
        ({"a": len}, "; call it, and use its result"),
        ({("a", "b"): 1}, "data has the key ('a', 'b')"),
        ({1: "a", "1": "b"}, "data has the key '1' twice"),
        ([1, 2], "data is a list, not a mapping"),
        (None, "data is nothing, not a mapping"),
        (holding_itself(), "data contains itself"),
        ({"a": nested(200)}, "nested too deeply"),
        ({"a": [10**4300]}, "data['a'][0] is a whole number of more than 4,300 digits"),
        ({"a": -(10**5000)}, "data['a'] is a whole number of more than 4,300 digits"),
        ({"a": "x\ud800"}, "data['a'] contains the character U+D800, which is not allowed on pages"),
        ({"\udfff": 1}, "a key of data contains the character U+DFFF"),
    ],
)
def test_anything_else_is_refused_with_its_place(data: Any, message: str):
    with pytest.raises(NotPlainData) as refused:
        canonical_json(data)
    assert message in str(refused.value)

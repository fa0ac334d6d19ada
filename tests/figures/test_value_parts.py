"""Which values of a figure are made of constants, parameters and other values of its data alone."""

import pytest

from diglot.figures.scripts.value_parts import read_parts

SCRIPT = """\
ROWS, COLUMNS = 8, 64
LIMITS = [1, 2]
SIDE = 4
SIDE = SIDE + 1


def compute(n: int = 3, step: int = 2):
    chips = {key: {"chip": key, "peak": peak_of(key)} for key in LIMITS}
    slices, rows = {}, [1, 2]
    slices["a"] = {"all": peak_of("a"), "mem": 1}
    one = slices["a"]
    early = chips["one"]
    other = {"k": 2}
    step = step + 1
    return {
        **chips,
        "slices": slices,
        "rows": rows,
        "rows_count": ROWS,
        "cells": ROWS * COLUMNS // max(n, 1),
        "asked": n,
        "step": step,
        "side": SIDE,
        "limits": LIMITS,
        "whole": {"n": n, "share": n / peak_of("a"), "part": {"n": -n}},
        "gap": chips["one"]["peak"] / chips["two"]["peak"] - 1,
        "share": one["mem"] / one["all"],
        "count": len(rows),
        "first": rows[0] / early["peak"],
        "hidden": chips["gap"]["peak"],
        "other": other["k"],
        "twice": 1,
        "twice": ROWS,
    }
"""


def test_a_value_is_made_of_what_its_expression_reads() -> None:
    found = {".".join(keys): [".".join(one) for one in parts] for keys, parts in read_parts(SCRIPT)}
    assert found == {
        **{given: [] for given in ("rows_count", "cells", "asked", "whole.n", "whole.part.n")},
        "gap": ["one.peak", "two.peak"],
        "share": ["slices.a.mem", "slices.a.all"],
        "count": ["rows"],
        "first": ["rows.0", "one.peak"],
    }


@pytest.mark.parametrize(
    "body",
    [
        "    return {'n': n, **more()}\n",
        "    if n:\n        return {'n': 2}\n    return {'n': n}\n",
        "    for n in read():\n        pass\n    return {'n': n}\n",
        "    return {'n': (n := read())}\n",
        "    def count():\n        nonlocal n\n        n += 1\n    return {'n': n}\n",
        "    a = {'b': {}}\n    c = a['b']\n    a['b'] = read()\n    return {'a': a, 'n': c['d']}\n",
        "    a = read()\n    c = a['b']\n    a = read()\n    return {'a': a, 'n': c['d']}\n",
        "    a = read()\n    return {**a, **read(), 'n': a['b']}\n",
        "    a = read()\n    c = a['b']\n    a.update(read())\n    return {'a': a, 'n': c['d']}\n",
        "    return {'n': read()['b']}\n",
    ],
)
def test_nothing_is_known_that_could_be_something_else(body: str) -> None:
    assert read_parts(f"def compute(n=1):\n{body}") == ()


@pytest.mark.parametrize(
    "source",
    [
        "from table import max\n\n\ndef compute(n=1):\n    return {'n': max(n, 2)}\n",
        "N = 1\n\n\ndef change():\n    global N\n    N = 2\n\n\ndef compute():\n    return {'n': N}\n",
        "def compute(:\n",
    ],
)
def test_names_that_something_else_may_bind_are_not_known(source: str) -> None:
    assert read_parts(source) == ()

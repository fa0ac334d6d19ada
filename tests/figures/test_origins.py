"""Which line of a script gives a value."""

import pytest

from diglot.figures.scripts.origins import Origins, read_origins

SCRIPT = """\
TITLE = {"zh": "图", "en": "Figure"}


def compute(n: int = 3):
    chips = {key: {"chip": key, "ridge": ridge(key)} for key in names()}
    data = {"rows": [{"n": n, "share": 0.5}]}
    data["extra"] = {"chip": "a", "share": ridge("a")}
    return {
        **chips,
        "data": data,
        "cells": 512 // max(n, 1),
        "whole": {"n": n, "share": n / ridge("a"), "part": {"n": -n}},
    }


def ridge(key):
    return len(key)


def draw(figure, data, t):
    figure.lines({"ridge": 1})
"""


@pytest.fixture(scope="module")
def origins() -> Origins:
    return read_origins(SCRIPT)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("cells", '"cells": 512 // max(n, 1)'),
        ("h200.ridge", 'chips = {key: {"chip": key, "ridge": ridge(key)} for key in names()}'),
        ("whole.part.n", '"whole": {"n": n, "share": n / ridge("a"), "part": {"n": -n}}'),
        ("data.extra.share", 'data["extra"] = {"chip": "a", "share": ridge("a")}'),
        ("data.rows.0.share", 'data = {"rows": [{"n": n, "share": 0.5}]}'),
        ("whole.unknown", '"whole": {"n": n, "share": n / ridge("a"), "part": {"n": -n}}'),
        ("unknown", ""),
    ],
)
def test_a_path_leads_to_the_line_that_has_its_last_key(origins: Origins, path: str, code: str) -> None:
    found = origins.find(tuple(path.split(".")))
    assert (found.code if found else "") == code
    if found:
        assert SCRIPT.splitlines()[found.line - 1].strip().removesuffix(",") == code


def test_where_several_lines_have_the_key_it_is_the_line_around_them() -> None:
    source = (
        "def compute():\n    return {'first': part(1)}\n\n\ndef part(n):\n    return {'n': n}, {'n': 1}\n"
    )
    found = read_origins(source, first_line=10).find(("first", "n"))
    assert found is not None
    assert (found.line, found.code) == (11, "return {'first': part(1)}")

"""Wrong arguments of charts and of their methods: each is named, with an example of the call."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from diglot.figures import charts
from diglot.figures.scripts.misuse import Misuse
from tests.figures.charts.drawing import drawn

ROWS = [{"batch": 1, "ms": 2.0, "model": "a", "part": "mem", "share": 0.5}]
METHODS = ("lines", "areas", "points", "annotate", "rule", "flag", "band", "region")
GIVEN: dict[str, Any] = {"rows": ROWS, "roofs": ROWS, "text": "a", "point": (1, 2), "at": (0.1, 0.9)}
COLUMNS = {"x": "batch", "y": "ms", "value": "share", "state": "part", "series": "model"}
NO_ROWS = (None, 3, "rows", {"batch": 1}, {"batch": [1], "ms": [1, 2]}, [3], object, object())
NOTHING = (object(), b"x", {3}, [[]])
"""What no argument can be."""


class _Done(Exception):
    """Raised instead of drawing what wrong calls have left."""


Call = tuple[str, tuple[Any, ...], dict[str, Any]]


def wrong_calls(function: Callable[..., Any], *figure: Any) -> Iterator[Call]:
    """Calls that cannot be meant, each with what its message has."""
    given = [one for one in inspect.signature(function).parameters.values() if one.name != "figure"]
    named = [one.name for one in given if one.kind == one.KEYWORD_ONLY]
    by_place = [one.name for one in given if one.kind == one.POSITIONAL_OR_KEYWORD]
    kinds = {float: 1, Sequence[str]: ["ms"]}
    needed = {
        one.name: kinds.get(one.annotation, GIVEN.get(one.name, COLUMNS.get(one.name, "model")))
        for one in given
        if one.default is one.empty and one.kind != one.VAR_KEYWORD
    }
    if figure:
        yield "figure", (ROWS,), needed
        yield "figure", ("figure",), needed
    if needed:
        yield "missing", figure, {}
    if named:
        yield "has no name", (*figure, *(GIVEN.get(name, 2) for name in by_place), "model"), {}
    for name in by_place:
        for value in NO_ROWS if name in ("rows", "roofs", "kernels") else NOTHING:
            yield "", figure, {**needed, name: value}
    for name in named:
        for value in NOTHING:
            yield name, figure, {**needed, name: value}


def test_each_wrong_argument_is_named_with_an_example_of_the_call() -> None:
    failures: list[tuple[Any, ...]] = []

    def draw(figure: Any, _t: Any) -> None:
        chart = charts.frame(figure, x="batch", y="ms")
        calls = [(name, getattr(charts, name), figure) for name in charts.__all__]
        calls += [(name, getattr(chart, name)) for name in METHODS]
        for name, function, *before in calls:
            wrong = [*wrong_calls(function, *before)]
            assert len(wrong) >= 10 or name in ("heading", "region")
            for words, positional, named in wrong:
                try:
                    result = function(*positional, **named)
                    if name == "panels":
                        next(result)
                    failures.append((name, positional[1:], named, "nothing is said"))
                except Misuse as mistake:
                    if words not in str(mistake) or not mistake.fix.endswith((".", "?")):
                        failures.append((name, words, str(mistake), mistake.fix))
                except Exception as error:
                    failures.append((name, positional[1:], named, repr(error)))
        raise _Done

    with pytest.raises(_Done):
        drawn(draw)
    assert not failures


@pytest.mark.parametrize(
    ("call", "message", "fix"),
    [
        (
            lambda f: charts.bars([]),
            "`charts.bars`: figure is [], not the figure that `draw` is given",
            'write it as in charts.bars(figure, data["rows"], y="…", x="…").',
        ),
        (
            lambda f: charts.bars(f, ROWS, "model", "ms"),
            "`charts.bars`: 'model' has no name; is it y?",
            'write it as in charts.bars(figure, data["rows"], y="…", x="…").',
        ),
        (
            lambda f: charts.lines(f, ROWS, x="batch", y="ms", height="tall"),
            "`charts.lines`: height is 'tall', not a finite number",
            'write it as in charts.lines(figure, data["rows"], x="…", y="…", height=20).',
        ),
        (
            lambda f: charts.frame(f, x="batch", y="ms").annotate(1, "one"),
            "`chart.annotate`: point is 1, not a list of 2 finite numbers",
            'write it as in chart.annotate((1, 2), "…").',
        ),
        (
            lambda f: charts.points(f, ROWS, x="batch", y="ms", measured="mesured"),
            'row 1 of the chart has no column "mesured"',
            "known are: batch, model, ms, part, share.",
        ),
        (
            lambda f: charts.bars(f, ROWS, y="model", x=[]),
            "x names no column",
            "name at least one column of numbers.",
        ),
    ],
)
def test_a_wrong_argument(call: Callable[[Any], Any], message: str, fix: str) -> None:
    with pytest.raises(Misuse) as caught:
        drawn(lambda f, t: call(f))
    assert (str(caught.value), caught.value.fix) == (message, fix)


def test_arrays_and_ranges_are_lists() -> None:
    options = {"x_domain": np.array([0, 4]), "x_ticks": range(4), "width": np.float32(2)}
    drawn(lambda f, t: charts.lines(f, ROWS, x="batch", y="ms", **options))

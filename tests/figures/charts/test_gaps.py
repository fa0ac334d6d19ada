"""Values that are missing: gaps in lines, single dots, empty bars; and cells that no chart can show."""

import datetime
import json
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from diglot.figures import charts, make_table
from diglot.figures.charts.marks import Line, saw_teeth, steps
from diglot.figures.charts.series import plain_look
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.lint import look_over
from diglot.figures.scripts.misuse import Misuse
from diglot.figures.scripts.plain_data import canonical_json
from tests.figures.charts.drawing import drawn, texts

MISSING = (None, math.nan, np.float64("nan"), Decimal("NaN"))


def rows(*values: Any) -> list[dict[str, Any]]:
    return [{"batch": n, "ms": value, "model": f"m{n}"} for n, value in enumerate(values, start=1)]


def paths(canvas: Canvas) -> list[list[float]]:
    """The y values of each line of a chart, and of each set of its dots."""
    return [list(map(float, line.get_ydata())) for line in canvas.axes[0].lines]


def test_a_missing_value_is_a_gap_in_the_line() -> None:
    for missing in MISSING:
        canvas = drawn(lambda f, t, m=missing: charts.lines(f, rows(1, 2, m, 4, 5), x="batch", y="ms"))
        (line,) = paths(canvas)
        assert [math.isnan(y) for y in line] == [False, False, True, False, False]
        assert len(canvas.points) == 4


def test_a_point_between_gaps_is_a_dot() -> None:
    canvas = drawn(lambda f, t: charts.lines(f, rows(1, 2, None, 3, None), x="batch", y="ms"))
    dots, _ = canvas.axes[0].lines
    assert (dots.get_marker(), list(dots.get_xdata()), list(dots.get_ydata())) == ("o", [4], [3])


def test_a_line_of_one_point_is_a_dot_alone() -> None:
    for options in ({}, {"curve": "steps"}, {"curve": "saw-teeth"}, {"area": True}, {"series": "model"}):
        canvas = drawn(lambda f, t, o=options: charts.lines(f, rows(3), x="batch", y="ms", **o))
        (dot,) = canvas.axes[0].lines
        assert (dot.get_marker(), len(dot.get_xdata())) == ("o", 1), options


def test_lines_that_end_in_a_gap_are_named_where_they_end() -> None:
    data = [row | {"model": name} for name in ("a", "b") for row in rows(1, 2, None if name == "a" else 5)]
    canvas = drawn(lambda f, t: charts.lines(f, data, x="batch", y="ms", series="model"))
    assert all(any(text.endswith(name) for text in texts(canvas)) for name in ("a", "b"))
    assert [one for one in look_over(canvas, laid_out=True) if one.rule == "figure-labels"] == []


def stack(**series: Any) -> list[dict[str, Any]]:
    return [{"batch": x, "ms": y, "part": name} for name, points in series.items() for x, y in points]


def test_a_stack_has_a_gap_where_any_of_its_values_is_missing() -> None:
    whole, broken = [(1, 5), (2, 5), (3, 5), (4, 5)], [(1, 9), (2, None), (3, 9), (4, 9)]
    for data in (stack(a=broken, b=whole), stack(a=whole, b=broken)):
        canvas = drawn(lambda f, t, d=data: charts.areas(f, d, x="batch", y="ms", series="part"))
        lines = [ys for ys in paths(canvas) if len(ys) > 1]
        assert [[math.isnan(y) for y in ys] for ys in lines] == [[False, True, False, False]] * 2
        assert [y for y in lines[1] if not math.isnan(y)] == [14, 14, 14]


def test_series_of_a_stack_have_the_same_places() -> None:
    for data, message in (
        (stack(a=[(1, 1), (2, 4)], b=[(1, 3), (4, 4)]), '"a" has no row where batch is 4'),
        (stack(a=[(1, 1), (2, 4)], b=[(1, 3)]), '"b" has no row where batch is 2'),
        (stack(a=[(1, 1), (1, 4)], b=[(1, 3)]), 'several rows of "a" have 1 as their batch'),
    ):
        with pytest.raises(Misuse) as caught:
            drawn(lambda f, t, d=data: charts.areas(f, d, x="batch", y="ms", series="part"))
        assert message in str(caught.value)
        assert "`stacked=False`" in caught.value.fix
        drawn(lambda f, t, d=data: charts.areas(f, d, x="batch", y="ms", series="part", stacked=False))


KINDS: dict[str, Callable[[Canvas, list[dict[str, Any]]], Any]] = {
    "lines": lambda f, r: charts.lines(f, r, x="batch", y="ms"),
    "lines along x": lambda f, r: charts.lines(f, r, x="ms", y="batch"),
    "steps": lambda f, r: charts.lines(f, r, x="batch", y="ms", curve="steps"),
    "saw-teeth": lambda f, r: charts.lines(f, r, x="batch", y="ms", curve="saw-teeth"),
    "logarithmic": lambda f, r: charts.lines(f, r, x="batch", y="ms", y_scale="log10", x_scale="log2"),
    "areas": lambda f, r: charts.areas(f, r, x="batch", y="ms"),
    "stacked areas": lambda f, r: charts.areas(f, r, x="batch", y="ms", series="part"),
    "points": lambda f, r: charts.points(f, r, x="batch", y="ms", label="model"),
    "pareto": lambda f, r: charts.pareto(f, r, x="batch", y="ms", label="model"),
    "bars": lambda f, r: charts.bars(f, r, y="model", x="ms"),
    "stacked bars": lambda f, r: charts.bars(f, r, y="part", x="ms", series="model"),
    "dumbbell": lambda f, r: charts.dumbbell(f, r, y="model", x=("ms", "batch")),
    "slope": lambda f, r: charts.slope(
        f, [row | {"batch": n} for row in r for n in (1, 2)], x="batch", y="ms", series="model"
    ),
    "timeline": lambda f, r: charts.timeline(f, r, y="model", duration="ms"),
    "timeline from starts": lambda f, r: charts.timeline(f, r, y="model", start="ms", duration="batch"),
    "waterfall": lambda f, r: charts.waterfall(f, r, y="model", x="ms", series="model", total="all"),
    "heat map": lambda f, r: charts.heat_map(f, r, x="batch", y="model", value="ms"),
    "utilisation map": lambda f, r: charts.utilisation_map(f, r, x="batch", y="model", value="ms"),
    "panels": lambda f, r: [
        chart.lines(part) for chart, part in charts.panels(f, r, by="part", x="batch", y="ms")
    ],
}


@pytest.mark.parametrize("size", ["narrow", "slide"])
def test_every_chart_draws_what_is_there(size: Any) -> None:
    for name, draw in KINDS.items():
        for values in ((0.5, None, 0.25), (None, 0.5), (0.5, math.nan)):
            data = [row | {"part": "mem"} for row in rows(*values)]
            canvas = drawn(lambda f, t, d=draw, r=data: d(f, r), size=size)
            assert not any("nan" in text.lower() for text in texts(canvas)), (name, values)
            shown = [value for point in canvas.points for _, value in point.values]
            assert not any(isinstance(value, float) and math.isnan(value) for value in shown), (name, values)


def test_where_everything_is_missing_an_error_says_so() -> None:
    for name, draw in KINDS.items():
        data = [row | {"part": "mem"} for row in rows(None, math.nan)]
        if name in ("bars", "stacked bars", "dumbbell", "waterfall"):
            continue  # rows without bars, which say `–`
        with pytest.raises(Misuse, match="missing"):
            drawn(lambda f, t, d=draw, r=data: d(f, r))
        with pytest.raises(Misuse, match="no rows"):
            drawn(lambda f, t, d=draw: d(f, []))


CELLS: list[tuple[Any, str, str]] = [
    ("12", "'12', not a number", "convert it in `compute`: float(value)."),
    ("fast", "'fast', not a number", "give the name of a column of numbers"),
    ("2026-01-01", "'2026-01-01', not a number", "give the name of a column of numbers"),
    (datetime.date(2026, 1, 1), "not a number", "the days since the first date"),
    (np.datetime64("2026-01-01"), "not a number", "the days since the first date"),
    (True, "True, not a number", "write 1 or 0"),
    (np.True_, "not a number", "write 1 or 0"),
    ([1], "[1], not a number", "give each value a row of its own."),
    (np.array([1, 2]), "not a number", "give each value a row of its own."),
    ({"zh": "一", "en": "one"}, "not a number", "give each value a row of its own."),
    (math.inf, "inf, which is too large", "write None for a value that is missing"),
    (10**400, "which is too large", "divide all values"),
    (1j, "1j, not a number", "give a number, or None"),
    (object(), "not a number", "give a number, or None"),
]


def test_cells_that_are_no_numbers_are_errors_with_row_and_way_out() -> None:
    draws = {name: draw for name, draw in KINDS.items() if name not in ("slope", "utilisation map", "panels")}
    for name, draw in draws.items():
        for cell, message, fix in CELLS:
            data = [row | {"part": "mem"} for row in rows(0.5, cell)]
            with pytest.raises(Misuse) as caught:
                drawn(lambda f, t, d=draw, r=data: d(f, r))
            assert '"ms" in row 2 of the chart is' in str(caught.value), (name, cell)
            assert message in str(caught.value), (name, cell)
            assert fix in caught.value.fix, (name, cell)


def test_numbers_of_libraries_are_numbers() -> None:
    values = (np.float16(1), np.longdouble(2), np.int8(3), np.uint64(4), Decimal("5.5"), Fraction(13, 2), 7)
    canvas = drawn(lambda f, t: charts.lines(f, rows(*values), x="batch", y="ms"))
    assert paths(canvas) == [[1, 2, 3, 4, 5.5, 6.5, 7]]
    columns = {"batch": np.arange(1, 4), "ms": np.array([1, np.nan, 3], np.longdouble)}
    (line,) = drawn(lambda f, t: charts.lines(f, columns, x="batch", y="ms")).axes[0].lines[-1:]
    assert len(line.get_xdata()) in (2, 3)


class Frame:
    """What pandas' frames have."""

    columns = ("batch", "ms")

    def to_dict(self, orient: str) -> list[dict[str, Any]]:
        assert orient == "records"
        return rows(1, 2)


class Table:
    """What polars' frames have."""

    def to_dicts(self) -> list[dict[str, Any]]:
        return rows(1, 2)


class ArrowTable:
    """What pyarrow's tables have."""

    column_names = ("batch", "ms")

    def to_pylist(self) -> list[dict[str, Any]]:
        return rows(1, 2)


def test_frames_are_rows_in_tables_and_in_data() -> None:
    for frame in (Frame(), Table(), ArrowTable()):
        table = make_table(["Batch", "ms", "Model"], frame)  # type: ignore[arg-type]  # a frame is recognised
        assert table.rows == (("1", "1", "m1"), ("2", "2", "m2"))
        assert json.loads(canonical_json({"rows": frame})) == {"rows": rows(1, 2)}


def test_rows_come_from_frames_generators_and_tuples() -> None:
    for data in (Frame(), Table(), ArrowTable(), (row for row in rows(1, 2)), tuple(rows(1, 2))):
        canvas = drawn(lambda f, t, d=[*[data]]: charts.lines(f, _fresh(d[0]), x="batch", y="ms"))
        assert paths(canvas) == [[1, 2]]


def _fresh(data: Any) -> Any:
    """Rows that both languages can read, as a script makes them in each."""
    return rows(1, 2) if isinstance(data, type(n for n in ())) else data


def test_places_that_are_no_numbers_are_errors() -> None:
    for use in (
        lambda chart: chart.annotate((None, 1), "text"),
        lambda chart: chart.annotate((1, math.nan), "text"),
        lambda chart: chart.rule(x="1"),
        lambda chart: chart.band(y=(0, None)),
        lambda chart: chart.flag("a", "text", down_to=1),
        lambda chart: chart.flag(1, "text", down_to=math.nan),
        lambda chart: chart.rule(y=True),
    ):
        with pytest.raises(Misuse, match=r"is .*, not a"):
            drawn(lambda f, t, u=use: u(charts.lines(f, rows(1, 2), x="batch", y="ms")))
    with pytest.raises(Misuse, match=r"x_ticks is .*, not a list of finite numbers"):
        drawn(lambda f, t: charts.lines(f, rows(1, 2), x="batch", y="ms", x_ticks=("a",)))
    canvas = drawn(lambda f, t: charts.lines(f, rows(1, 2), x="batch", y="ms", x_ticks=(), y_ticks=()))
    assert canvas.axes


def test_the_key_of_a_heat_map_tells_its_ends_apart() -> None:
    cells = [{"batch": n, "model": "a", "price": 1 + n / 1000} for n in range(3)]
    canvas = drawn(
        lambda f, t: charts.heat_map(
            f, cells, x="batch", y="model", value="price", domain=(1, 1.002), numbers=False
        )
    )
    assert {"1", "1.001", "1.002"} <= set(texts(canvas))
    with pytest.raises(Misuse, match="colours cannot go from 2 to 1"):
        drawn(lambda f, t: charts.heat_map(f, cells, x="batch", y="model", value="price", domain=(2, 1)))


def test_what_is_no_rows_is_an_error_with_a_way_out() -> None:
    for data, message in (
        ("rows", "not 'rows'"),
        (None, "not None"),
        (3, "not 3"),
        ([1, 2], "row 1 of the chart is 1, not a mapping"),
        ([{"batch": 1, "ms": 2}, "x"], "row 2 of the chart is 'x', not a mapping"),
        ({"batch": 1, "ms": 2}, "this mapping has no list in it"),
        ({"batch": [1, 2], "ms": [1]}, "the columns differ in length: batch 2, ms 1"),
    ):
        with pytest.raises(Misuse) as caught:
            drawn(lambda f, t, d=data: charts.lines(f, d, x="batch", y="ms"))
        assert message in str(caught.value)
        assert caught.value.fix.endswith(".")


def test_a_list_names_no_series() -> None:
    for draw in (
        lambda f, r: charts.lines(f, r, x="batch", y="ms", series="model"),
        lambda f, r: charts.bars(f, r, y="model", x="ms"),
    ):
        with pytest.raises(Misuse, match=r"\[1\] names no series"):
            drawn(lambda f, t, d=draw: d(f, [{"batch": 1, "ms": 1, "model": [1]}]))


def test_steps_and_teeth_keep_gaps() -> None:
    points = [(1, 1.0), (2, math.nan), (3, 3.0), (4, 2.0)]
    assert [math.isnan(y) for _, y in steps(points)] == [False, False, True, True, False, False, False]
    assert any(math.isnan(y) for _, y in saw_teeth(points))
    line = Line(points=steps(points), look=plain_look("ink"))
    assert line.extent() == ([1, 2, 3, 4, 4], [1.0, 1.0, 3.0, 3.0, 2.0])


def test_a_whisker_leads_through_a_bar_and_leaves_room_for_its_number() -> None:
    data = [row | {"low": 0.5, "high": row["ms"] and 2 * row["ms"]} for row in rows(1, 3, None)]
    canvas = drawn(lambda f, t: charts.bars(f, data, y="model", x="ms", interval=("low", "high")))
    axes = canvas.axes[0]
    paths = [path.vertices for one in axes.collections for path in one.get_paths()]
    ends = sorted(tuple(map(float, path[:, 0])) for path in paths if path[0, 1] == path[1, 1])
    assert ends == [(0.5, 1.0), (0.5, 2.0), (0.5, 3.0), (0.5, 6.0)], "each with a slit in its bar"
    assert axes.get_xlim()[1] > 6
    assert [one.rule for one in look_over(canvas, laid_out=True)] == []
    with pytest.raises(Misuse, match="an interval is of whole bars of one column"):
        drawn(lambda f, t: charts.bars(f, data, y="model", x=("ms", "low"), interval=("low", "high")))

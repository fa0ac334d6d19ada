"""Numbers that are names: years and ports stand in charts and tables without commas, quantities with them."""

import re
from collections.abc import Callable
from typing import Any

from diglot.figures import charts
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.readings import readings_of
from diglot.figures.scripts.columns import read_columns
from diglot.figures.scripts.tables import Column, csv_of, make_table
from diglot.figures.scripts.words import Words
from diglot.languages import LANGUAGES
from tests.figures.charts.drawing import COLUMNS, drawn, ticks

OWN = {
    "year": {"zh": "年份", "en": "Year"},
    "released": {"zh": "发布年份", "en": "Year of release"},
    "generation": {"zh": "代", "en": "Generation"},
    "port": {"zh": "端口", "en": "Port", "plain": True},
    "yearly": {"zh": "每年词元数", "en": "Tokens per year"},
    "grouped": {"zh": "年份", "en": "Year", "plain": False},
}


def drawn_with_own(draw: Callable[[Canvas, Any], Any], language: Any = "en") -> Canvas:
    """A canvas of a script with these columns, too."""
    before = dict(COLUMNS)
    COLUMNS.update(OWN)
    try:
        return drawn(draw, language=language)
    finally:
        COLUMNS.clear()
        COLUMNS.update(before)


def written(draw: Callable[[Canvas, Any], Any], language: Any = "en") -> set[str]:
    """Everything that a drawing writes, on it and for readers who point at its marks."""
    canvas = drawn_with_own(draw, language)
    labels = {text.get_text() for text in canvas.texts}
    labels |= {label for axes in canvas.axes for which in "xy" for label in ticks(axes, which)}
    return labels | set(re.findall(r'"([^"]*)"', readings_of(canvas.points, canvas.words)))


ROWS = [{"year": y, "released": y, "generation": y, "ms": y - 2000, "model": f"m{y}"} for y in (2022, 2024)]

DRAWINGS: dict[str, Callable[[Canvas, Any], Any]] = {
    "x of lines": lambda f, t: charts.lines(f, ROWS, x="year", y="ms"),
    "y of lines": lambda f, t: charts.lines(f, ROWS, x="ms", y="released"),
    "x of points": lambda f, t: charts.points(f, ROWS, x="year", y="ms", label="released"),
    "series": lambda f, t: charts.lines(f, ROWS, x="ms", y="ms", series="generation"),
    "bars": lambda f, t: charts.bars(f, ROWS, y="generation", x="ms"),
    "parts of bars": lambda f, t: charts.bars(f, ROWS, y="model", x="ms", series="generation"),
    "lengths of bars": lambda f, t: charts.bars(f, ROWS, y="model", x="released"),
    "columns of a heat map": lambda f, t: charts.heat_map(f, ROWS, x="year", y="model", value="ms"),
    "rows of a heat map": lambda f, t: charts.heat_map(f, ROWS, x="model", y="generation", value="ms"),
    "panels of a heat map": lambda f, t: charts.heat_map(
        f, ROWS, x="model", y="model", value="ms", by="generation"
    ),
    "panels": lambda f, t: [
        chart.points(rows) for chart, rows in charts.panels(f, ROWS, by="generation", x="ms", y="ms")
    ],
    "states of a slope": lambda f, t: charts.slope(
        f, [row | {"model": "a"} for row in ROWS], x="generation", y="ms", series="model"
    ),
    "rows of a timeline": lambda f, t: charts.timeline(f, ROWS, y="generation", duration="ms"),
    "rows of a dumb-bell": lambda f, t: charts.dumbbell(f, ROWS, y="generation", x=("year", "released")),
    "rows of a waterfall": lambda f, t: charts.waterfall(f, ROWS, y="generation", x="ms", series="model"),
    "moments of cells": lambda f, t: charts.cells(
        f,
        [{"x": 0, "y": 0, "model": "a", "year": y} for y in (2022, 2024)],
        x="x",
        y="y",
        state="model",
        by="year",
    ),
}


def test_years_have_no_commas_wherever_they_stand() -> None:
    for name, draw in DRAWINGS.items():
        for language in LANGUAGES:
            found = written(draw, language)
            assert not any(re.search(r"2,02\d", text) for text in found), (name, language)
            assert any("2022" in text for text in found), (name, language, sorted(found))


def test_axes_of_years_do_not_begin_at_0_and_may_show_parts_of_them() -> None:
    for draw in (charts.points, charts.lines):
        canvas = drawn_with_own(lambda f, t, d=draw: d(f, ROWS, x="year", y="released"))
        for which in "xy":
            labels = ticks(canvas.axes[0], which)
            assert len(labels) >= 2
            assert all(2020 <= float(label) <= 2026 for label in labels), labels
    quarters = [{"year": 2024 + n / 4, "ms": n} for n in range(4)]
    canvas = drawn_with_own(lambda f, t: charts.lines(f, quarters, x="year", y="ms"))
    assert not any("," in label for label in ticks(canvas.axes[0], "x"))


def test_quantities_keep_their_commas() -> None:
    sizes = [{"batch": n, "yearly": n, "grouped": 2024, "ms": n} for n in (512, 1024, 2048)]
    for draw, text in (
        (lambda f, t: charts.bars(f, sizes, y="batch", x="ms"), "1,024"),
        (lambda f, t: charts.lines(f, sizes, x="yearly", y="ms"), "2,000"),
        (lambda f, t: charts.bars(f, sizes[:1], y="grouped", x="ms"), "2,024"),
        (lambda f, t: charts.heat_map(f, sizes, x="batch", y="batch", value="ms"), "2,048"),
    ):
        assert text in written(draw), text


def test_a_column_that_is_plain_holds_names() -> None:
    rows = [{"port": n, "ms": 1} for n in (80, 8080, 50051)]
    for draw in (
        lambda f, t: charts.bars(f, rows, y="port", x="ms"),
        lambda f, t: charts.points(f, rows, x="ms", y="ms", label="port"),
        lambda f, t: charts.heat_map(f, rows, x="port", y="port", value="ms"),
    ):
        assert {"8080", "50051"} <= written(draw)
    assert "50000" in written(lambda f, t: charts.points(f, rows, x="port", y="ms"))


def test_plain_is_a_truth_value() -> None:
    ((message, fix),) = read_columns({"port": {"zh": "端口", "en": "Port", "plain": "yes"}})[1]
    assert message == 'COLUMNS["port"]["plain"] is \'yes\''
    assert "write True" in fix


def test_tables_show_years_as_names_too() -> None:
    columns, _ = read_columns(OWN | {"ms": COLUMNS["ms"]})
    for language in LANGUAGES:
        table = make_table(
            ("ms", "released", "port"), [row | {"port": 8080} for row in ROWS], Words(language, columns)
        )
        assert [row[1:] for row in table.rows] == [("2022", "8080"), ("2024", "8080")]
        assert csv_of(table).splitlines()[1:] == ["22,2022,8080", "24,2024,8080"]


def test_headings_and_first_columns_say_what_is_a_year() -> None:
    for head, row, shown in (
        (["Year", "Tokens"], (2024, 2048), ("2024", "2,048")),
        (["Tokens", "Year"], (2048.5, 2024), ("2,048", "2024")),
        (["年份", "词元"], (2024, 2048), ("2024", "2,048")),
        (["Model", "Released"], ("m", 2024), ("m", "2024")),
        (["Model", "Papers released"], ("m", 2024), ("m", "2,024")),
        (["Model", "Port"], ("m", 8080), ("m", "8080")),
        (["Model", "Ports"], ("m", 8080), ("m", "8,080")),
        (["Model", Column("Port", plain=True)], ("m", 8080), ("m", "8080")),
        ([Column("Batch", plain=False)], (2048,), ("2,048",)),
        (["Batch"], (4096,), ("4,096",)),
        ([Column("Time", "years")], (2024,), ("2,024",)),
        (["Year"], (None,), ("–",)),
    ):
        assert make_table(head, [row]).rows == (shown,), head

"""What a figure's script draws, from its table, as the numbers of a chart that can be edited elsewhere."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

import msgspec

from diglot.figures.records import Table
from diglot.languages import Language

Kind = Literal["lines", "bars", "points"]
_KINDS: dict[str, Kind] = {"lines": "lines", "bars": "bars", "points": "points"}
Points = tuple[tuple[float, float], ...]
_OTHER_KINDS = frozenset(
    ("areas", "pareto", "roofline", "heat_map", "cells", "timeline", "slopes", "panels", "frame")
)
_ADDED = (*_KINDS, "areas", "pareto")
"""What can be added to a chart."""
_SCALES = (1.0, 100.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e3, 1e6, 1e9)
"""Of a table's numbers, in those of the data: units with a prefix, and percent."""
_DIGITS, _FEWEST_VALUES = 6, 3


class ChartNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """What a chart shows."""

    kind: Kind
    x_title: str
    y_title: str
    categories: tuple[str, ...]
    """Names along the axis; empty if x is a number."""
    series: tuple[tuple[str, Points], ...]
    """Each with its name and points. With categories, x counts them from 0."""
    log_x: int = 0
    """Base of a logarithmic axis; 0 for a linear one."""
    log_y: int = 0
    stacked: bool = False
    """Whether bars of several series are parts of one bar."""


class _Drawn(NamedTuple):
    """What a script asks a chart to show."""

    kind: Kind
    x: str
    y: str
    more: tuple[str, ...]
    """Columns of further lines in the same chart."""
    series: str
    log_x: int
    log_y: int
    stacked: bool


def chart_numbers(source: str, table: Table | None, language: Language, data: Any) -> ChartNumbers | None:
    """The chart that a script draws, from its table and its data.

    None unless the script draws lines, bars or points in one chart alone, and its table has the columns along
    both axes: under the names that `COLUMNS` gives them, or with the numbers that have their names in the
    data.
    """
    tree = ast.parse(source)
    drawn = _drawn(tree)
    if drawn is None or table is None or not table.rows:
        return None
    columns = _Columns(table, _labels(tree, language), data)
    along, value = (drawn.y, drawn.x) if drawn.kind == "bars" else (drawn.x, drawn.y)
    key, series = columns.named(along), columns.named(drawn.series) if drawn.series else None
    values = [columns.named(name) for name in (value, *drawn.more)]
    if drawn.series and series is None:
        return None
    shown = [at for at in values if at is not None and table.numeric[at]]
    if len(shown) < len(values):
        return None
    is_number = key is not None and table.numeric[key] and drawn.kind != "bars"
    texts = [] if is_number else columns.texts(key, series)
    if not is_number and not texts:
        return None
    names = [" ".join(row[at] for at in texts) for row in table.rows]
    categories = () if is_number else tuple(dict.fromkeys(names))
    order = {name: float(number) for number, name in enumerate(categories)}

    def place(row: int) -> float | None:
        return _number(table.raw[row][key]) if is_number and key is not None else order[names[row]]

    found = tuple(one for at in shown for one in _series(table, at, series, place))
    if not found:
        return None
    return ChartNumbers(
        kind=drawn.kind,
        x_title=columns.title(key) if is_number and key is not None else "",
        y_title="" if drawn.more else columns.title(shown[0]),
        categories=categories,
        series=found,
        log_x=drawn.log_x if is_number else 0,
        log_y=drawn.log_x if drawn.kind == "bars" else drawn.log_y,
        stacked=drawn.stacked,
    )


class _Columns:
    """The columns of a table, by the names that a script gives them."""

    def __init__(self, table: Table, labels: Mapping[str, str], data: Any) -> None:
        self._table, self._labels, self._data = table, labels, data
        self._heads = [one.partition("\n")[0] for one in table.columns]

    def named(self, name: str) -> int | None:
        """The column with this name: by its label, or by its numbers in the data."""
        if (label := self._labels.get(name)) in self._heads:
            return self._heads.index(label)
        numeric = [at for at, one in enumerate(self._table.numeric) if one]
        columns = {at: [_number(row[at]) for row in self._table.raw] for at in numeric}
        for fits in (_are_proportional, _are_among):
            found = {
                at
                for values in _values_named(self._data, name)
                for at, column in columns.items()
                if fits(column, values)
            }
            if len(found) == 1:
                return found.pop()
        return None

    def texts(self, key: int | None, series: int | None) -> list[int]:
        """The columns that name a row, or a row of each series."""
        if key is not None:
            return [key]
        found = [at for at, one in enumerate(self._table.numeric) if not one and at != series]
        rows = self._table.rows
        for at in found:
            if len({(row[at], series is not None and row[series]) for row in rows}) == len(rows):
                return [at]
        return found

    def title(self, at: int) -> str:
        """What a column is called, with its unit."""
        return self._table.columns[at].replace("\n", ", ")


def _are_proportional(column: Sequence[float | None], values: Sequence[float]) -> bool:
    """Whether a column has all these values, in their order, in one of the usual units."""
    return len(column) == len(values) and any(
        [_rounded(one) for one in column] == [_rounded(one * scale) for one in values] for scale in _SCALES
    )


def _are_among(column: Sequence[float | None], values: Sequence[float]) -> bool:
    """Whether a column has some of these values, as a table does that leaves some of a figure's rows out."""
    wanted = {_rounded(one) for one in column}
    return len(wanted) >= _FEWEST_VALUES and any(
        wanted <= {_rounded(one * scale) for one in values} for scale in _SCALES
    )


def _rounded(value: float | None) -> str:
    return "" if value is None else f"{value:.{_DIGITS}g}"


def _values_named(data: Any, name: str) -> Iterator[list[float]]:
    """Lists of numbers with a name anywhere in a figure's data: a column, or a field of each row."""
    inner = list(data.values()) if isinstance(data, Mapping) else data if isinstance(data, list) else []
    if isinstance(data, Mapping) and isinstance(data.get(name), list):
        yield from _numbers(data[name])
    yield from _numbers([one.get(name) for one in inner if isinstance(one, Mapping)])
    for one in inner:
        yield from _values_named(one, name)


def _numbers(found: Sequence[Any]) -> Iterator[list[float]]:
    if found and all(isinstance(one, int | float) and not isinstance(one, bool) for one in found):
        yield [float(one) for one in found]


def _series(
    table: Table, at: int, series: int | None, place: Callable[[int], float | None]
) -> tuple[tuple[str, Points], ...]:
    """The points of each series; without a column of series, all in one."""
    found: dict[str, list[tuple[float, float]]] = {}
    for number, row in enumerate(table.raw):
        x, y = place(number), _number(row[at])
        if x is not None and y is not None:
            name = table.rows[number][series] if series is not None else table.columns[at].replace("\n", ", ")
            found.setdefault(name, []).append((x, y))
    return tuple((name, tuple(points)) for name, points in found.items())


def _drawn(tree: ast.Module) -> _Drawn | None:
    """The one chart that a script draws; more lines may be added to it, and marks, which are left out."""
    calls = [
        (one.func, one)
        for one in ast.walk(tree)
        if isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and one.func.attr in (*_KINDS, *_OTHER_KINDS)
    ]
    charts = [one for func, one in calls if isinstance(func.value, ast.Name) and func.value.id == "charts"]
    added = [(func.attr, _given(one)) for func, one in calls if one not in charts and func.attr in _ADDED]
    if len(charts) != 1 or any(kind not in ("lines", "points") for kind, _ in added):
        return None
    kind = _KINDS.get(next(func.attr for func, one in calls if one is charts[0]))
    given = _given(charts[0])
    more = tuple(one["y"] for name, one in added if name == "lines" and isinstance(one.get("y"), str))
    if kind is None or not {"x", "y"} <= given.keys() or (more and "series" in given):
        return None
    return _Drawn(
        kind=kind,
        x=given["x"],
        y=given["y"],
        more=more,
        series=given.get("series", ""),
        log_x=_base(given.get("x_scale", "")),
        log_y=_base(given.get("y_scale", "")),
        stacked=kind == "bars" and "series" in given and not given.get("grouped"),
    )


def _given(call: ast.Call) -> dict[str, Any]:
    """The arguments with a name that are texts or yes and no."""
    return {
        one.arg: one.value.value
        for one in call.keywords
        if one.arg and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str | bool)
    }


def _base(scale: str) -> int:
    return int(scale.removeprefix("log") or 10) if scale.startswith("log") else 0


def _labels(tree: ast.Module, language: Language) -> dict[str, str]:
    """What `COLUMNS` calls columns, as far as it is written with literals."""
    found: dict[str, str] = {}
    for one in tree.body:
        if not isinstance(one, ast.Assign) or not isinstance(one.value, ast.Dict):
            continue
        if any(isinstance(target, ast.Name) and target.id == "COLUMNS" for target in one.targets):
            for key, value in zip(one.value.keys, one.value.values, strict=True):
                with suppress(ValueError, TypeError, KeyError):  # it is computed
                    if key is not None:
                        found[ast.literal_eval(key)] = ast.literal_eval(value)[language]
    return found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None

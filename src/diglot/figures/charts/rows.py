"""The data of a chart: rows with named columns, from what `compute` returned."""

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from diglot.diagnostics import did_you_mean
from diglot.figures.scripts.columns import BASE_UNITS, ROLE_NAMES, SHARE, DeclaredColumn, both_of
from diglot.figures.scripts.data_frames import frame_rows
from diglot.figures.scripts.misuse import Misuse, quoted
from diglot.figures.scripts.words import Words, undeclared
from diglot.languages import Bilingual
from diglot.years import ungrouped

Rows = Sequence[Mapping[str, Any]] | Mapping[str, Any]
"""A list of mappings, or a mapping of lists of one length; what is not a list is in every row."""


def rows_of(data: Rows) -> list[dict[str, Any]]:
    """The data as a list of rows. Data frames of pandas, polars and pyarrow are rows, too.

    Raises Misuse if lists differ in length, or if it is neither rows nor columns.
    """
    if (frame := frame_rows(data)) is not None:
        return frame
    if isinstance(data, Mapping):
        lists = {name: _listed(values) for name, values in data.items() if _is_list(values)}
        lengths = {len(values) for values in lists.values()}
        if len(lengths) > 1:
            sizes = ", ".join(f"{name} {len(values)}" for name, values in lists.items())
            raise Misuse(
                f"the columns differ in length: {sizes}",
                "give all of them the same length, with None where a value is missing.",
            )
        if not lists:
            raise Misuse(
                "a chart takes a list of rows, or a mapping of lists: this mapping has no list in it",
                "put a single row into a list: [row].",
            )
        return [
            {name: lists[name][n] if name in lists else value for name, value in data.items()}
            for n in range(lengths.pop())
        ]
    if isinstance(data, str | bytes) or not isinstance(data, Iterable):
        raise Misuse(
            f"a chart takes a list of rows, or a mapping of lists, not {quoted(data)}",
            'give it rows of the data, such as data["rows"].',
        )
    rows = list(data)
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise Misuse(
                f"row {number} of the chart is {quoted(row)}, not a mapping from columns to values",
                'write it as {"x": 1, "y": 2}, or give the columns as lists: {"x": [1, 3], "y": [2, 4]}.',
            )
    return [dict(row) for row in rows]


def some_rows_of(data: Rows) -> list[dict[str, Any]]:
    """The same for charts that cannot be empty. Raises Misuse if there are no rows."""
    rows = rows_of(data)
    if not rows:
        raise Misuse("the chart has no rows", "give it at least one, or leave the chart out.")
    return rows


def _listed(values: Any) -> list[Any]:
    """A column as a list, whose cells are Python's own numbers wherever they can be."""
    found = values.tolist() if hasattr(values, "tolist") else values
    return list(found)


def _is_list(values: Any) -> bool:
    is_series = hasattr(values, "dtype") and hasattr(values, "__len__") and np.ndim(values) > 0
    return (isinstance(values, Sequence) or is_series) and not isinstance(values, str | bytes)


def check_columns(rows: Iterable[Mapping[str, Any]], *names: str | None) -> None:
    """Raise Misuse if a row lacks one of these columns."""
    for number, row in enumerate(rows, start=1):
        for name in names:
            if name is not None and name not in row:
                inner = next((key for key in row if isinstance(row[key], Mapping) and name in row[key]), None)
                fix = did_you_mean(name, row) if inner is None else f'give it only the list in "{inner}".'
                raise Misuse(f'row {number} of the chart has no column "{name}"', fix)


def check_columns_of_some(rows: Sequence[Mapping[str, Any]], *names: str | None) -> None:
    """Raise Misuse if no row has one of these columns, which each row may leave out."""
    for name in names:
        if name is not None and rows and not any(name in row for row in rows):
            raise Misuse(f'no row of the chart has a column "{name}"', did_you_mean(name, rows[0]))


def with_numbers(rows: Iterable[dict[str, Any]], *names: str | None) -> list[dict[str, Any]]:
    """The rows with numbers in these columns, NaN where one is missing. Raises Misuse for anything else."""
    columns = [name for name in names if name is not None]
    return [
        row | {name: _number_in(row[name], name, number) for name in columns}
        for number, row in enumerate(rows, start=1)
    ]


def numbers_of(rows: Iterable[Mapping[str, Any]], name: str) -> list[float]:
    """A column of numbers, none of which may be missing. Raises Misuse for anything else."""
    values = [_number_in(row[name], name, number) for number, row in enumerate(rows, start=1)]
    for number, value in enumerate(values, start=1):
        if is_missing(value):
            raise Misuse(
                f'"{name}" in row {number} of the chart is missing', "leave the row out, or give it a number."
            )
    return values


def with_numbers_or_none(rows: Iterable[dict[str, Any]], *names: str | None) -> list[dict[str, Any]]:
    """The rows with numbers in these columns, None where one is missing. Raises Misuse for anything else."""
    columns = [name for name in names if name is not None]
    return [
        row | {name: None if is_missing(row[name]) else row[name] for name in columns}
        for row in with_numbers(rows, *columns)
    ]


def is_missing(value: Any) -> bool:
    """Whether a cell holds no value: None, NaN, or what pandas writes for them."""
    if value is None:
        return True
    try:
        return bool(value != value)  # noqa: PLR0124  (true of NaN alone)
    except (TypeError, ValueError):  # an array, or pandas' NA, which is neither true nor false
        return type(value).__name__ == "NAType"


def _number_in(value: Any, name: str, row: int) -> float:
    if type(value) in (int, float) and abs(value) <= _LARGEST:  # nearly all
        return value  # type: ignore[no-any-return]  # its type was looked at
    if is_missing(value):
        return math.nan
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.floating | Decimal | Fraction | int | float) and not isinstance(value, bool):
        return _finite(value, name, row)
    raise Misuse(
        f'"{name}" in row {row} of the chart is {quoted(value)}, not a number', _way_to_number(value)
    )


def _finite(value: Any, name: str, row: int) -> float:
    try:
        number = float(value)
    except (OverflowError, ValueError):
        number = math.inf
    if not abs(number) <= _LARGEST:
        raise Misuse(
            f'"{name}" in row {row} of the chart is {quoted(value)}, which is too large for an axis',
            "write None for a value that is missing, or divide all values by the same number.",
        )
    return number if not isinstance(value, int) else value


def _way_to_number(value: Any) -> str:
    """What to do about a cell that is no number."""
    if isinstance(value, bool | np.bool_):
        return "write 1 or 0, or use the column as a series."
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return "give the name of a column of numbers, or None where a value is missing."
        return "convert it in `compute`: float(value)."
    if isinstance(value, datetime.date | np.datetime64 | np.timedelta64 | datetime.timedelta):
        return "give a number instead, such as the year, or the days since the first date."
    if isinstance(value, Mapping | Sequence | np.ndarray):
        return "give each value a row of its own."
    return "give a number, or None where a value is missing."


_LARGEST = 1e100
"""The largest number of an axis; `scales` has the same limit."""


def declared(words: Words, name: str) -> DeclaredColumn:
    """What `COLUMNS` says about a column. Raises Misuse if it says nothing."""
    if name not in words.columns:
        raise undeclared(name, "an axis needs for its title", words.columns)
    return words.columns[name]


def whole_number_of(value: int, words: Words, column: str) -> str:
    """A whole number of a category as text, without a unit."""
    return ungrouped(value) if _is_name(value, words, column) else words.number(value)


def _is_name(value: float, words: Words, column: str | None) -> bool:
    """Whether a number is a name, such as a year, which has no groups of digits."""
    entry = words.columns.get(column) if column is not None else None
    if entry is not None and (entry.plain is not None or entry.is_plain([value])):
        return entry.is_plain([value])
    return column in words.years


def text_of(value: Any, words: Words, column: str | None = None, *, bare: bool = False) -> str:
    """A cell as text: what `COLUMNS` calls the value, a text in both languages, or a number.

    `bare` leaves out a unit that an axis says already; units with a prefix, and `%`, stay.
    """
    entry = words.columns.get(column) if column is not None else None
    if entry is not None and str(value) in entry.names:
        return entry.names[str(value)].of(words.language)
    if column is not None and isinstance(value, str) and value in ROLE_NAMES:
        return ROLE_NAMES[value].of(words.language)
    if is_missing(value):
        return "–"
    both = both_of(value)
    if both is not None:
        return Bilingual(*both).of(words.language)
    if isinstance(value, int | float) and not isinstance(value, bool):
        if _is_name(value, words, column):
            return ungrouped(value)
        if entry is None:
            return (
                words.number(value)
                if isinstance(value, int)
                else DeclaredColumn(label=Bilingual("", "")).number(value)
            )
        shown = entry.shown_unit([value], words.language)
        if bare and entry.unit.en not in (SHARE, *BASE_UNITS):
            return entry.number(value, shown)
        unit = "%" if shown.text == "%" else f"\N{NO-BREAK SPACE}{shown.text}" if shown.text else ""
        return entry.number(value, shown) + unit
    return str(value)

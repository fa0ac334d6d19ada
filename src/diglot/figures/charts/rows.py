"""The data of a chart: rows with named columns, from what `compute` returned."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from diglot.diagnostics import did_you_mean
from diglot.figures.scripts.columns import BASE_UNITS, ROLE_NAMES, SHARE, DeclaredColumn, both_of
from diglot.figures.scripts.words import Words
from diglot.languages import Bilingual
from diglot.years import ungrouped

Rows = Sequence[Mapping[str, Any]] | Mapping[str, Any]
"""A list of mappings, or a mapping of lists of one length; what is not a list stands in every row."""


def rows_of(data: Rows) -> list[dict[str, Any]]:
    """The data as a list of rows.

    Raises ValueError if lists differ in length, TypeError if it is neither rows nor columns.
    """
    if isinstance(data, Mapping):
        lists = {name: list(values) for name, values in data.items() if _is_list(values)}
        lengths = {len(values) for values in lists.values()}
        if len(lengths) > 1:
            told = ", ".join(f"{name} {len(values)}" for name, values in lists.items())
            raise ValueError(f"the columns differ in length: {told}")
        if not lists:
            raise TypeError(
                "a chart takes a list of rows, or a mapping of lists: this mapping has no list in it"
            )
        return [
            {name: lists[name][n] if name in lists else value for name, value in data.items()}
            for n in range(lengths.pop())
        ]
    rows = list(data)
    if wrong := [row for row in rows if not isinstance(row, Mapping)]:
        raise TypeError(
            f"a row of a chart is a mapping of columns, not a {type(wrong[0]).__name__}: {wrong[0]!r}"
        )
    return [dict(row) for row in rows]


def _is_list(values: Any) -> bool:
    return isinstance(values, Sequence | np.ndarray) and not isinstance(values, str)


def check_columns(rows: Iterable[Mapping[str, Any]], *names: str | None) -> None:
    """Raise ValueError if a row lacks one of these columns."""
    for number, row in enumerate(rows, start=1):
        for name in names:
            if name is not None and name not in row:
                raise ValueError(
                    f'row {number} of the chart has no column "{name}": {did_you_mean(name, row)}'
                )


def numbers_of(rows: Iterable[Mapping[str, Any]], name: str) -> list[float]:
    """A column of numbers. Raises TypeError for anything else."""
    values = [row[name] for row in rows]
    for number, value in enumerate(values, start=1):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(f'"{name}" in row {number} of the chart is {value!r}, not a number')
    return values


def declared(words: Words, name: str) -> DeclaredColumn:
    """What `COLUMNS` says about a column. Raises ValueError if it says nothing."""
    if name not in words.columns:
        known = did_you_mean(name, words.columns) if words.columns else "the script has no COLUMNS"
        raise ValueError(f'COLUMNS has no "{name}", which an axis needs for its title: {known}')
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

"""Tables of a figure's numbers: formatted for reading, and unrounded for the CSV file."""

import csv
import io
import math
from collections.abc import Iterable, Sequence

import msgspec

from diglot.figures.chips import chip
from diglot.figures.records import Table
from diglot.languages import number_for_reading

Cell = str | int | float | None


class Column(msgspec.Struct, frozen=True):
    """A column of a table: its heading, its unit (shown below it), and its number of decimals."""

    heading: str
    unit: str = ""
    digits: int = 0


def make_table(
    columns: Sequence[str | Column],
    rows: Iterable[Sequence[Cell]],
    *,
    chips: Sequence[str | None] | None = None,
) -> Table:
    """A table from plain cells. Numbers are formatted by their column, and stay unrounded in the CSV file.

    A number that would round to 0, but is not 0, is shown with as many digits as it needs. None is an empty
    cell, shown as `–`. `chips` gives the chip id of each row, so that its mark is shown.
    Raises ValueError if a row is not as long as the head, a number is not finite, `chips` is not as long as
    `rows`, or a chip is unknown.
    """
    head = tuple(c if isinstance(c, Column) else Column(c) for c in columns)
    body = [tuple(row) for row in rows]
    for number, row in enumerate(body, start=1):
        if len(row) != len(head):
            raise ValueError(f"row {number} of the table has {len(row)} cells, but its head has {len(head)}")
    if chips is not None and len(chips) != len(body):
        raise ValueError(f"the table has {len(body)} rows, but {len(chips)} chips are given")
    return Table(
        columns=tuple(f"{c.heading}\n{c.unit}" if c.unit else c.heading for c in head),
        rows=tuple(tuple(_shown(cell, c) for cell, c in zip(row, head, strict=True)) for row in body),
        raw=tuple(tuple(_raw(cell) for cell in row) for row in body),
        numeric=tuple(
            any(_is_number(row[n]) for row in body)
            and all(row[n] is None or _is_number(row[n]) for row in body)
            for n in range(len(head))
        ),
        # Looked up in the worker, which can read the project's custom chips; rendering a page cannot.
        chips=tuple(None if one is None else chip(one) for one in chips or (None,) * len(body)),
    )


def csv_of(table: Table) -> str:
    """The table as CSV: one header line with units in brackets, then rows with unrounded numbers."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    headings = [heading.partition("\n") for heading in table.columns]
    writer.writerow(f"{name} [{unit}]" if unit else name for name, _, unit in headings)
    writer.writerows(table.raw)
    return text.getvalue()


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _shown(cell: Cell, column: Column) -> str:
    if cell is None:
        return "–"
    return number_for_reading(cell, column.digits) if isinstance(cell, int | float) else cell


def _raw(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and not math.isfinite(cell):
        raise ValueError(f"{cell} in a table is not a finite number")
    return cell if isinstance(cell, str) else repr(cell)

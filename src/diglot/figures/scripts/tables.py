"""Tables of a figure's numbers: formatted for reading, and unrounded for the CSV file."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from diglot.diagnostics import did_you_mean
from diglot.figures.chip_marks import fold_chip_id
from diglot.figures.chips import CHIP_NAMES, chip
from diglot.figures.records import RowRanges, Table, TableFilter
from diglot.figures.scripts.columns import ROLE_NAMES, both_of, digits_for
from diglot.figures.scripts.data_frames import frame_rows
from diglot.figures.scripts.misuse import Misuse, quoted
from diglot.figures.scripts.plain_data import NotPlainData, plain_data
from diglot.figures.scripts.words import Words, undeclared
from diglot.languages import Bilingual, number_for_reading
from diglot.years import are_named, are_years, naming_of, ungrouped

Cell = str | int | float | None


class Column(msgspec.Struct, frozen=True):
    """A column of a table: its heading, its unit (shown below it), and its number of decimals."""

    heading: str
    unit: str = ""
    digits: int | None = None
    """None for none, or for as many as tell different numbers apart."""
    plain: bool | None = None
    """Whether its numbers are names, such as years, shown without commas; None to see it by the numbers."""


def make_table(
    columns: Sequence[str | Column],
    rows: Iterable[Sequence[Cell] | Mapping[str, Any]],
    t: Words | None = None,
    *,
    chips: Sequence[str | None] | None = None,
    by: str | None = None,
    filters: Sequence[str] = (),
    link: str | None = None,
    ranges: str | None = None,
) -> Table:
    """A table from plain cells, or with `t` from rows of data and the names of their columns in `COLUMNS`.

    Numbers are formatted by their column, and stay unrounded in the CSV file. A number that would round to 0,
    but is not 0, is shown with as many digits as it needs. None is an empty cell, shown as `–`. `chips` gives
    the chip id of each row, so that its mark is shown. Rows may be a data frame. `by` is a column of a few
    words, such as verdicts: the figure's page groups the rows by it, in the order of its `names`. `filters`
    are columns of lists of words, by which readers of that page may choose rows; they are not shown. `link`
    is what rows call the address in the site to which their last cell leads there, and `ranges` what they
    call the `claimed`, `found` and `likely` ranges that are drawn there, with `is_open`; None is no end.
    Raises ValueError if a row is not as long as the head or lacks a column, a column is not in `COLUMNS`, a
    number is infinite, `chips` is not as long as `rows`, a chip is unknown, or with `t` a row is no mapping.
    """
    rows = _rows_of_frame(rows, by_name=t is not None)
    asked = [one if isinstance(one, str) else one.heading for one in columns]
    declared: tuple[str, ...] = ()
    chosen_by: tuple[TableFilter, ...] = ()
    links: tuple[str, ...] = ()
    drawn: tuple[RowRanges | None, ...] = ()
    if t is not None:
        given = [row for row in rows if isinstance(row, Mapping)]
        if len(given) < len(rows):
            raise Misuse(
                "with t, each row of a table is a mapping of columns",
                'give it rows of the data, such as data["rows"], or leave t out.',
            )
        chips = chips or [row.get("chip") for row in given]
        filled = [_column_of(name, given, t) for name in columns]
        if by is not None and by in t.columns:
            declared = tuple(name.of(t.language) for name in t.columns[by].names.values())
        chosen_by = tuple(_filter_of(name, given, t) for name in filters)
        links = () if link is None else tuple(row[link] or "" for row in given)
        drawn = () if ranges is None else tuple(row[ranges] and _on_scale(**row[ranges]) for row in given)
        columns, rows = [head for head, _ in filled], zip(*(cells for _, cells in filled), strict=True)
    head = tuple(c if isinstance(c, Column) else Column(c) for c in columns)
    kind_column = None if by is None else _place_of(by, asked)
    body = [tuple(map(_plain, row)) for row in rows]
    for number, row in enumerate(body, start=1):
        if len(row) != len(head):
            raise Misuse(
                f"row {number} of the table has {len(row)} cells, but its head has {len(head)}",
                "give it a cell for each column, with None where a value is missing.",
            )
    cells = [[row[n] for row in body] for n in range(len(head))]
    head = tuple(_judged(column, cells[n], first=n == 0) for n, column in enumerate(head))
    head = tuple(
        msgspec.structs.replace(column, digits=_digits_apart(cells[n], 0))
        if column.digits is None
        else column
        for n, column in enumerate(head)
    )
    if chips is not None and len(chips) != len(body):
        raise Misuse(
            f"the table has {len(body)} rows, but {len(chips)} chips are given",
            "give a chip or None for each row.",
        )
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
        kind_column=kind_column,
        kinds=_kinds(body, head, kind_column, declared),
        filters=chosen_by,
        links=links,
        ranges=drawn,
    )


def _rows_of_frame(rows: Any, *, by_name: bool) -> list[Any]:
    """The rows as a list; those of a data frame have its columns in their order where no names say which."""
    frame = frame_rows(rows)
    if frame is None:
        return [*rows]
    return frame if by_name else [[*row.values()] for row in frame]


def _place_of(by: str, columns: Sequence[str]) -> int:
    if by not in columns:
        raise Misuse(f'the table has no column "{by}" to group its rows by', did_you_mean(by, columns))
    if len(columns) < 3:
        raise Misuse(
            "a table whose rows are grouped has two columns besides the one that groups them",
            "give it a name and a text for each row, or leave `by` out.",
        )
    return columns.index(by)


def _kinds(
    body: Sequence[Sequence[Cell]], head: Sequence[Column], at: int | None, declared: Sequence[str]
) -> tuple[str, ...]:
    """What a column says, each once: first as `COLUMNS` names it, then what it doesn't name."""
    said = [] if at is None else [_shown(row[at], head[at]) for row in body]
    return tuple(dict.fromkeys([*(one for one in declared if one in said), *said]))


def _filter_of(name: str, rows: Sequence[Mapping[str, Any]], t: Words) -> TableFilter:
    if name not in t.columns:
        raise undeclared(name, "a filter of the table needs for its name", t.columns)
    column = t.columns[name]
    values = tuple(tuple(str(_word(one, column.names, t)) for one in row[name]) for row in rows)
    listed = dict.fromkeys([*(one.of(t.language) for one in column.names.values()), *chain(*values)])
    found = {word for words in values for word in words}
    return TableFilter(
        name=column.label.of(t.language),
        choices=tuple(word for word in listed if word in found),
        values=values,
    )


def _on_scale(
    claimed: Sequence[float | None],
    found: Sequence[float | None],
    likely: Sequence[float | None],
    is_open: bool,
) -> RowRanges:
    """Ranges on a scale that has room outside of all ends."""
    known = [end for end in (*claimed, *found, *likely) if end is not None]
    low, high = min(known), max(known)
    room = 0.15 * (high - low) or 1.0

    def percent(ends: Sequence[float | None]) -> tuple[float, float]:
        start, end = (
            missing if end is None else round(100 * (end - low + room) / (high - low + 2 * room), 1)
            for end, missing in zip(ends, (-10.0, 110.0), strict=True)
        )
        return start, end

    return RowRanges(claimed=percent(claimed), found=percent(found), likely=percent(likely), is_open=is_open)


def _column_of(name: str | Column, rows: Sequence[Mapping[str, Any]], t: Words) -> tuple[Column, list[Cell]]:
    """The heading that `COLUMNS` gives a column, and its cells."""
    if not isinstance(name, str) or name not in t.columns:
        raise undeclared(str(name), "a column of the table needs for its heading", t.columns)
    declared = t.columns[name]
    for number, row in enumerate(rows, start=1):
        if name not in row:
            raise Misuse(f'row {number} of the table has no column "{name}"', did_you_mean(name, row))
    cells: list[Any] = [row[name] if both_of(row[name]) is not None else _plain(row[name]) for row in rows]
    numbers = [cell for cell in cells if _is_number(cell)]
    shown = declared.shown_unit(numbers, t.language)
    most = max((abs(cell) / shown.factor for cell in numbers if math.isfinite(cell)), default=0)
    digits = declared.digits
    if digits is None:
        digits = _digits_apart([cell / shown.factor for cell in numbers], digits_for(most))
    if all(isinstance(cell, int) for cell in numbers) and shown.factor == 1:
        digits = 0
    return Column(declared.label.of(t.language), shown.text, digits, declared.plain_or_none(numbers)), [
        # 0.1214 s are 121.4 ms, not 121.39999999999999.
        float(f"{cell / shown.factor:.15g}")
        if _is_number(cell) and shown.factor != 1
        else _word(cell, declared.names, t)
        for cell in cells
    ]


def _digits_apart(cells: Iterable[Cell], least: int) -> int:
    """Decimals of a column: `least`, or as many as three significant digits of two numbers need that would
    look alike."""
    digits = least
    seen: dict[float, float] = {}
    for number in cells:
        if not isinstance(number, int | float) or isinstance(number, bool) or not math.isfinite(number):
            continue
        other = seen.setdefault(round(number, least), number)
        needed = max(digits_for(number), digits_for(other))
        if round(number, needed) != round(other, needed):
            digits = max(digits, needed)
    return digits


def _judged(column: Column, cells: Sequence[Cell], *, first: bool) -> Column:
    """The column with its decimals, and with what its numbers are.

    Those of the first column, or of one called so, may be years.
    """
    if column.digits is None:
        column = msgspec.structs.replace(column, digits=_digits_apart(cells, 0))
    if column.plain is not None:
        return column
    numbers = [cell for cell in cells if cell is not None]
    naming = None if column.unit else naming_of(column.heading)
    plain = are_named(numbers, naming) or (first and not column.unit and are_years(numbers, recent=True))
    return msgspec.structs.replace(column, plain=plain)


def _word(cell: Any, names: Mapping[str, Bilingual], t: Words) -> Cell:
    """What a cell's value is called: by `COLUMNS`, in the data itself, or as a chip."""
    if str(cell) in names:
        return names[str(cell)].of(t.language)
    if isinstance(cell, str) and cell in ROLE_NAMES:
        return ROLE_NAMES[cell].of(t.language)
    if isinstance(cell, str):
        return chip(cell).label if fold_chip_id(cell) in CHIP_NAMES else cell
    both = both_of(cell)
    return cell if both is None else both.of(t.language)


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
    if column.plain and isinstance(cell, int | float):
        return ungrouped(cell)
    return number_for_reading(cell, column.digits or 0) if isinstance(cell, int | float) else cell


def _plain(cell: Any) -> Cell:
    """A cell as text or as a number of Python; None where it is missing, as NaN. Raises Misuse for others."""
    if cell is None or isinstance(cell, str):
        return cell
    try:
        plain = plain_data(cell, "a cell of the table")
    except NotPlainData as problem:
        raise Misuse(problem.what, problem.fix or "give it a number or a text.") from None
    if isinstance(plain, list | dict):
        raise Misuse(
            f"a cell of the table is {quoted(cell)}", "give each value a row or a column of its own."
        )
    return plain  # type: ignore[no-any-return]  # a text, a number, a truth value or None


def _raw(cell: Cell) -> str:
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else repr(cell)

"""Heat maps, of any quantity and of the utilisation of matrix units."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from diglot.figures.charts.arguments import checked
from diglot.figures.charts.arrangement import Panels, arrangement_of
from diglot.figures.charts.heat_panel import Grid, HeatPanel, Key
from diglot.figures.charts.rows import (
    Rows,
    check_columns,
    declared,
    some_rows_of,
    text_of,
    whole_number_of,
    with_numbers_or_none,
)
from diglot.figures.charts.scales import tick_labels
from diglot.figures.charts.series import series_key
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.palette import SEQUENCE, difference_token, sequence_token
from diglot.figures.scripts.columns import SHARE, DeclaredColumn, ShownUnit
from diglot.figures.scripts.misuse import Misuse
from diglot.figures.scripts.words import Words

_DIFFERENCES = ("tpu4", "tpu3", "tpu2", "tpu1", "paper", "gpu1", "gpu2", "gpu3", "gpu4")
_CLIFF = 0.08
"""Fall from one row to the next, as a share of the peak, from which both rows get numbers."""


@checked
def heat_map(
    figure: Canvas,
    rows: Rows,
    *,
    x: str,
    y: str,
    value: str,
    by: str | None = None,
    numbers: bool | str = True,
    domain: tuple[float, float] | None = None,
    text: str | None = None,
    difference: bool = False,
    columns: int | None = None,
) -> list[HeatPanel]:
    """Cells in ten steps of one colour: stronger contrast with the page means more.

    x and y are columns of categories or of numbers, which are sorted; a missing cell stays empty. `by` makes
    a panel for each of its values. `numbers` writes values into the cells: of all rows, of none, or of those
    rows where the column it names is true. `text` names a column with texts to write instead of the values.
    The colours go from 0, or from `domain`, to the largest value.
    `difference` shows values below and above 0 in orange and blue.
    """
    given = some_rows_of(rows)
    check_columns(given, x, y, value, by, text, numbers if isinstance(numbers, str) else None)
    words = figure.words.with_categories(given, x, y, by)
    column = declared(words, value)
    given = with_numbers_or_none(given, value)
    values = [row[value] for row in given if row[value] is not None]
    if not values:
        raise Misuse("the heat map has no values: all are missing", "give it a number, or leave it out.")
    low, high = domain or _domain(values, column, difference=difference)
    if low >= high:
        raise Misuse(f"colours cannot go from {low:g} to {high:g}", "give the domain as (lower, higher).")
    if numbers is not True:  # else readers see the values themselves
        farthest = max(abs(low), abs(high))
        ends = (-farthest, farthest) if difference else (low, high)
        figure.colours.append((*ends, min(values), max(values)))
    shown = column.shown_unit([low, high], words.language)

    def token_of(number: float) -> str:
        if difference:
            return difference_token(number / max(abs(low), abs(high)))
        return sequence_token((number - low) / (high - low))

    def written(row: Mapping[str, Any]) -> str:
        return column.number(row[value], shown) if text is None else text_of(row[text], words, text)

    parts: dict[Any, list[dict[str, Any]]] = {}
    for row in given:
        parts.setdefault(series_key(row[by]) if by else None, []).append(row)
    key = Key(
        title=column.label.of(words.language) + (_unit_text(shown, words) if shown.text != "%" else ""),
        tokens=_DIFFERENCES if difference else SEQUENCE,
        ends=_ends(low, high, column, shown),
    )
    panels = [
        HeatPanel(
            figure,
            _grid(part, (x, y, value), numbers, words, written),
            title=text_of(part[0][by], words, by) if by else "",
            x_title=_title(x, words),
            y_title=_title(y, words),
            key=key,
            token_of=token_of,
        )
        for part in parts.values()
    ]
    arrangement_of(figure).add(Panels(panels, columns, share_y=True))
    return panels


@checked
def utilisation_map(
    figure: Canvas,
    rows: Rows,
    *,
    x: str,
    y: str,
    value: str,
    by: str | None = None,
    columns: int | None = None,
) -> list[HeatPanel]:
    """A heat map of shares of a peak, from 0 to 100%, with numbers in the rows at its cliffs.

    A cliff is where the share falls from one row to the next: where whole tiles end, and a new one begins.
    """
    given = some_rows_of(rows)
    check_columns(given, x, y, value, by)
    given = with_numbers_or_none(given, value)
    telling = _cliffs(given, (x, y, value, by))
    marked = [{**row, "_telling": (series_key(row[y])) in telling} for row in given]
    return heat_map(
        *(figure, marked),
        x=x,
        y=y,
        value=value,
        by=by,
        numbers="_telling",
        domain=(0.0, 1.0),
        columns=columns,
    )


def _cliffs(rows: Sequence[Mapping[str, Any]], names: tuple[str, str, str, str | None]) -> set[Any]:
    """The y values of rows between which a share falls; the first and the last row if none does."""
    x, y, value, by = names
    ys = _order(rows, y)
    cells = {(row[by] if by else None, series_key(row[x]), series_key(row[y])): row[value] for row in rows}
    outer = {(kind, at) for kind, at, _ in cells}
    found = set()
    for below, above in pairwise(ys):
        pairs = [(cells.get((*key, below)), cells.get((*key, above))) for key in outer]
        drops = [a - b for a, b in pairs if a is not None and b is not None]
        if drops and max(drops) >= _CLIFF:
            found |= {below, above}
    return found or {ys[0], ys[-1]}


def _domain(values: Sequence[float], column: DeclaredColumn, *, difference: bool) -> tuple[float, float]:
    if difference:
        most = max(map(abs, values)) or 1.0
        return -most, most
    high = 1.0 if column.unit.en == SHARE and 0.5 < max(values) <= 1 else max(values)
    low = min(0.0, *values)
    return low, high if high > low else low + 1


def _ends(low: float, high: float, column: DeclaredColumn, shown: ShownUnit) -> tuple[str, str, str]:
    values = low, (low + high) / 2, high
    texts = tuple(column.number(value, shown) for value in values)
    if len(set(texts)) < len(texts):  # the digits of the column do not tell them apart
        texts = tick_labels([value / shown.factor for value in values])
    low_text, middle, high_text = texts
    return low_text, middle, high_text + ("%" if shown.text == "%" else "")


def _unit_text(shown: ShownUnit, words: Words) -> str:
    comma = "，" if words.language == "zh" else ", "
    return f"{comma}{shown.text}" if shown.text else ""


def _title(name: str, words: Words) -> str:
    column = declared(words, name)
    unit = column.unit.of(words.language)
    return column.label.of(words.language) + (_unit_text(ShownUnit(factor=1, text=unit), words))


def _order(rows: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    """The values of an axis: numbers ascending, anything else in order of appearance."""
    values = list(dict.fromkeys(series_key(row[name]) for row in rows))
    return sorted(values) if all(isinstance(value, int | float) for value in values) else values


def _grid(
    rows: Sequence[dict[str, Any]],
    names: tuple[str, str, str],
    numbers: bool | str,
    words: Words,
    written: Callable[[Mapping[str, Any]], str],
) -> Grid:
    x, y, value = names
    xs, ys = _order(rows, x), _order(rows, y)
    if not all(isinstance(one, int | float) for one in ys):
        ys = ys[::-1]  # the first category is on top
    cells = {(series_key(row[x]), series_key(row[y])): row for row in rows}
    if len(cells) < len(rows):
        raise Misuse(f"several rows have the same {x} and {y}", "name a column for panels with `by`.")
    telling = {
        place
        for place, at in enumerate(ys)
        if numbers is True
        or (
            isinstance(numbers, str) and any(row.get(numbers) for (_, one), row in cells.items() if one == at)
        )
    }
    found = [[cells.get((across, up), {value: None}) for across in xs] for up in ys]
    texts = [
        [written(one) if one[value] is not None and place in telling else "" for one in line]
        for place, line in enumerate(found)
    ]

    def named(one: Any, column: str) -> str:
        return (
            whole_number_of(one, words, column)
            if isinstance(one, int)
            else text_of(_plain(one), words, column)
        )

    return Grid(
        columns=tuple(named(one, x) for one in xs),
        rows=tuple(named(one, y) for one in ys),
        values=tuple(tuple(one[value] for one in line) for line in found),
        texts=tuple(map(tuple, texts)),
        marked=frozenset() if numbers in (True, False) else frozenset(telling),
        names=names,
    )


def _plain(key: Any) -> Any:
    return {"zh": key[0], "en": key[1]} if isinstance(key, tuple) else key

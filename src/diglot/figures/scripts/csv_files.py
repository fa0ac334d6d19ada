"""CSV files of a project, as rows of data."""

import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
"""As JSON writes it, so that `007` stays a text."""


def read_csv(path: str | Path) -> list[dict[str, Any]]:
    """The rows of a CSV file, by the names in its first line.

    A column holds numbers if all its cells are numbers or empty, which are None then; otherwise it holds
    texts. Raises ValueError for a file without a line, and for a row that is not as long as the first line.
    """
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = [line for line in csv.reader(file) if line]
    if not lines:
        raise ValueError(f"{path} is empty: its first line has to name its columns")
    names, *rows = lines
    for number, row in enumerate(rows, start=1):
        if len(row) != len(names):
            raise ValueError(f"row {number} of {path} has {len(row)} cells, but its head has {len(names)}")
    columns = [_values([row[place] for row in rows]) for place in range(len(names))]
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _values(cells: Sequence[str]) -> list[Any]:
    if any(cells) and all(_NUMBER.fullmatch(cell) for cell in cells if cell):
        return [json.loads(cell) if cell else None for cell in cells]
    return list(cells)

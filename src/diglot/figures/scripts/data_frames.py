"""Data frames of pandas, polars and pyarrow as rows, recognised without importing them."""

from collections.abc import Callable
from itertools import chain
from typing import Any

_WAYS = (
    ("to_dicts", "to_dicts", ()),
    ("columns", "to_dict", ("records",)),
    ("column_names", "to_pylist", ()),
)
"""What frames of polars, pandas and pyarrow have that nothing else has, and what gives their rows."""
_NO_FRAMES = (str, int, float, dict, list, tuple, type)
"""What most values are; a class has the methods of its objects."""


def frame_rows(value: Any) -> list[dict[str, Any]] | None:
    """The rows of a data frame; None for anything else."""
    way = _way_to_rows(value)
    return None if way is None else [*way()]


def is_frame(value: Any) -> bool:
    """Whether a value is a data frame, with a number of rows and of columns."""
    return _way_to_rows(value) is not None and hasattr(value, "shape")


def _way_to_rows(value: Any) -> Callable[[], Any] | None:
    if isinstance(value, _NO_FRAMES):
        return None
    for sign, method, arguments in _WAYS:
        if hasattr(value, sign) and callable(way := getattr(value, method, None)):
            return lambda way=way, arguments=arguments: way(*arguments)  # type: ignore[misc]  # mypy reads no defaults
    return None


def row_count(frame: Any) -> int:
    """How many rows a data frame has."""
    return int(frame.shape[0])


def listed_rows(frame: Any, most: int, edge: int) -> tuple[list[str], list[list[Any] | None]]:
    """The names of a frame's columns, and its rows; of more than `most` the first and last `edge`, and None
    between them. The index of pandas comes first, unless it only counts.
    """
    parts = (frame,) if row_count(frame) <= most else _ends(frame, edge)
    names = [*_index_names(frame), *map(str, getattr(frame, "column_names", None) or frame.columns)]
    listed = [_rows_with_index(part) for part in parts]
    return names, listed[0] if len(listed) == 1 else [*listed[0], None, *listed[1]]


def _ends(frame: Any, edge: int) -> tuple[Any, Any]:
    if hasattr(frame, "slice"):  # of polars and pyarrow
        return frame.slice(0, edge), frame.slice(row_count(frame) - edge, edge)
    return frame.head(edge), frame.tail(edge)


def _index_names(frame: Any) -> list[str]:
    index = getattr(frame, "index", None)
    if index is None or type(index).__name__ == "RangeIndex":
        return []
    return ["" if name is None else str(name) for name in index.names]


def _rows_with_index(frame: Any) -> list[list[Any] | None]:
    rows = [[*row.values()] for row in frame_rows(frame) or ()]
    width = len(_index_names(frame))
    if not width:
        return [*rows]
    before = [[*one] if width > 1 else [one] for one in frame.index]
    return [[*chain(*both)] for both in zip(before, rows, strict=True)]

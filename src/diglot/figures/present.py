"""What a script may have looked at, as it is here and now: to tell whether what came of it still holds."""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from diglot.digests import digest_of
from diglot.figures.observation import digest_now
from diglot.figures.records import ComputedFigure, ObservedKind, Script

READ_CATALOGUE = Script(
    figure_id="catalogue",
    path="figures/catalogue",
    source="""\
from diglot.figures.observation import row_value
from diglot.hardware.chips.catalogue import list_rows, read_catalogue

TITLE = {"zh": "芯片目录", "en": "The catalogue of chips"}


def compute():
    return {name: row_value(text).decode() for name, text in list_rows(read_catalogue()).items()}
""",
)
"""Gives what stands for each row of the hardware catalogue. Run by a worker as figures are: the generator
itself imports nothing of the hardware library."""


def rows_in(result: bytes) -> Mapping[str, str]:
    """What stands for each row, from the result of `READ_CATALOGUE`."""
    computed = msgspec.msgpack.decode(result, type=ComputedFigure)
    return msgspec.json.decode(computed.data, type=dict[str, str])


class Present:
    """The present of one computation. Rows of the catalogue are read once, when the first is asked for."""

    def __init__(self, root: Path, read_rows: Callable[[], Mapping[str, str]]) -> None:
        """`read_rows` gives what stands for each row of the hardware catalogue."""
        self._root, self._read_rows = root, read_rows
        self._rows: Mapping[str, str] | None = None

    def digest(self, kind: ObservedKind, name: str) -> str:
        """The digest that an observer would take now of something another one noted."""
        if kind != "row":
            return digest_now(kind, name, self._root)
        if self._rows is None:
            self._rows = self._read_rows()
        return digest_of(self._rows.get(name, "").encode())

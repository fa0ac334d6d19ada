"""What a script may have looked at, as it is here and now: to tell whether what came of it still holds."""

from collections.abc import Callable, Mapping
from pathlib import Path

from diglot.digests import digest_of
from diglot.figures.observation.observer import digest_now
from diglot.figures.records import ObservedKind
from diglot.figures.scripts.datasets import split_row


class CurrentState:
    """The present of one computation. The rows of a dataset are read once, when the first is asked for."""

    def __init__(self, root: Path, read_rows: Callable[[str], Mapping[str, str]]) -> None:
        """`read_rows` gives what is kept of each row of a dataset; nothing where it cannot be read."""
        self._root, self._read_rows = root, read_rows
        self._rows: dict[str, Mapping[str, str]] = {}

    def digest(self, kind: ObservedKind, name: str) -> str:
        """The digest that an observer would take now of something another one noted."""
        if kind != "row":
            return digest_now(kind, name, self._root)
        dataset, row = split_row(name)
        if dataset not in self._rows:
            self._rows[dataset] = self._read_rows(dataset)
        return digest_of(self._rows[dataset].get(row, "").encode())

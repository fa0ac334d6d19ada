"""The current state of a script's dependencies, to tell whether an earlier result still holds."""

from collections.abc import Callable, Mapping
from pathlib import Path

from diglot.digests import digest_of
from diglot.figures.observation.observer import digest_now
from diglot.figures.records import ObservedKind
from diglot.figures.scripts.datasets import split_row


class CurrentState:
    """The current state for one computation. A dataset is read once, when its first row is needed."""

    def __init__(self, root: Path, read_rows: Callable[[str], Mapping[str, str]]) -> None:
        """`read_rows` returns the stored value of each row of a dataset, or nothing if it cannot be read."""
        self._root, self._read_rows = root, read_rows
        self._rows: dict[str, Mapping[str, str]] = {}

    def digest(self, kind: ObservedKind, name: str) -> str:
        """The current digest of something that an observer recorded earlier."""
        if kind != "row":
            return digest_now(kind, name, self._root)
        dataset, row = split_row(name)
        if dataset not in self._rows:
            self._rows[dataset] = self._read_rows(dataset)
        return digest_of(self._rows[dataset].get(row, "").encode())

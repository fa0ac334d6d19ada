"""Tuples of a chip's record that report when they are read, so that a figure depends only on those."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


def _unreported() -> None:
    """Nobody listens."""


class Reported(Sequence[Item], Generic[Item]):
    """A tuple that reports each time its items are read."""

    __slots__ = ("_items", "_report")

    def __init__(self, items: Iterable[Item] = (), report: Callable[[], None] = _unreported) -> None:
        self._items = tuple(items)
        self._report = report

    def reporting(self, report: Callable[[], None]) -> "Reported[Item]":
        """The same items, with reports to `report`."""
        return Reported(self._items, report)

    @property
    def _read(self) -> tuple[Item, ...]:
        self._report()
        return self._items

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        return self._read[index]

    def __len__(self) -> int:
        return len(self._read)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._read)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reported):
            return NotImplemented
        # The same tuple is equal whatever it holds: to find a chip in a dictionary reads none of its figures.
        return self._items is other._items or self._read == other._read

    def __hash__(self) -> int:
        return 0  # chips are told apart by their ids

    def __repr__(self) -> str:
        return repr(self._read)

    def __reduce__(self) -> tuple[type["Reported[Item]"], tuple[tuple[Item, ...]]]:
        return type(self), (self._read,)

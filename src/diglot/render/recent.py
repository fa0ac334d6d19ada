"""Keeps the most recent results: an article's pages, which share them, are rendered one after another."""

from typing import Generic, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Recent(Generic[_Key, _Value]):
    """Values by keys that are compared, not hashed: hashing whole texts takes longer than comparing them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: list[tuple[_Key, _Value]] = []

    def find(self, key: _Key) -> _Value | None:
        """The value with an equal key; None where it was not kept, or is already forgotten."""
        for known, value in self._kept:
            if known == key:
                return value
        return None

    def keep(self, key: _Key, value: _Value) -> None:
        """Keep a value; forget the oldest one where there are too many."""
        self._kept.insert(0, (key, value))
        del self._kept[self._size :]

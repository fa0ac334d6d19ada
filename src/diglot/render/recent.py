"""The last few of what was made, for who asks for the same again soon: an article's pages come in a row."""

from typing import Generic, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Recent(Generic[_Key, _Value]):
    """Values by keys that are compared, not hashed: to hash a whole text takes longer than to compare it."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: list[tuple[_Key, _Value]] = []

    def find(self, key: _Key) -> _Value | None:
        """The value that was kept under an equal key, None where there is none any more."""
        for known, value in self._kept:
            if known == key:
                return value
        return None

    def keep(self, key: _Key, value: _Value) -> None:
        """Keep a value, and forget the oldest."""
        self._kept.insert(0, (key, value))
        del self._kept[self._size :]

"""What checks found out before, kept under names that hold the digests of all that it depends on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
from msgspec import msgpack

from diglot.cache_files import read_file, sealed, unsealed, write_file

_Value = TypeVar("_Value")


class Kept:
    """Values of the last check. Only those that are asked for again stay for the next one."""

    def __init__(self, values: dict[str, msgspec.Raw] | None = None) -> None:
        self._last = values or {}
        self._asked: dict[str, msgspec.Raw] = {}
        self._decoders: dict[object, msgpack.Decoder[Any]] = {}
        """By the kind of value: to make one takes longer than to decode most values."""

    @classmethod
    def read(cls, path: Path, purpose: str) -> Self:
        """What `write` wrote for the same purpose; nothing if there is no such file, or it is damaged."""
        content = unsealed(read_file(path), purpose)
        return cls(None if content is None else msgpack.decode(content, type=dict[str, msgspec.Raw]))

    def write(self, path: Path, purpose: str, *, whole: bool = True) -> None:
        """Keep what was asked for, and the rest if not the whole was; nothing if that is kept already."""
        values = self._asked if whole else {**self._last, **self._asked}
        if values.keys() != self._last.keys():
            write_file(path, sealed(msgpack.encode(values), purpose))

    def knows(self, name: str) -> bool:
        """Whether there is a value of this name."""
        return name in self._asked or name in self._last

    def keep(self, name: str, encoded: bytes) -> None:
        """Keep a value that was made elsewhere."""
        self._asked[name] = msgspec.Raw(encoded)

    def value(self, name: str, kind: type[_Value], make: Callable[[], _Value]) -> _Value:
        """The value that `make` gives. Its name has to change with all that it is made of."""
        if not self.knows(name):
            self.keep(name, msgpack.encode(make()))
        return self.known(name, kind)

    def known(self, name: str, kind: type[_Value]) -> _Value:
        """The value of this name, which there is."""
        raw = self._asked[name] = self._asked.get(name) or self._last[name]
        if (decoder := self._decoders.get(kind)) is None:
            decoder = self._decoders[kind] = msgpack.Decoder(kind)
        value: _Value = decoder.decode(raw)
        return value

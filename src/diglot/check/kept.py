"""What checks found out before, kept under the digest of all that it rests on."""

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import msgpack

from diglot.digests import digest_of

_Value = TypeVar("_Value")


class Kept:
    """Values of the last check. Only those that are asked for again stay for the next one."""

    def __init__(self, content: bytes | None = None) -> None:
        """`content` is what `encoded` gave; None for the first check."""
        self._last: dict[str, msgspec.Raw] = {}
        if content is not None:
            self._last = msgpack.decode(content, type=dict[str, msgspec.Raw])
        self._asked: dict[str, msgspec.Raw] = {}

    def value(self, made_of: tuple[object, ...], kind: type[_Value], make: Callable[[], _Value]) -> _Value:
        """The value that `make` gives; kept as long as what it is made of stays the same."""
        key = digest_of(repr(made_of).encode("utf-8", "surrogatepass"))
        raw = self._asked.get(key) or self._last.get(key)
        if raw is None:
            made = make()
            self._asked[key] = msgspec.Raw(msgpack.encode(made))
            return made
        self._asked[key] = raw
        return msgpack.decode(raw, type=kind)

    @property
    def has_changed(self) -> bool:
        """Whether there is something new to keep, or to forget."""
        return self._asked.keys() != self._last.keys()

    def encoded(self) -> bytes:
        """What to keep until the next check."""
        return msgpack.encode(self._asked)

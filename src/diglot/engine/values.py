"""Values of tasks: encoded for the store, and decoded when they are fetched."""

from collections import OrderedDict
from collections.abc import Container, Mapping
from typing import Any

import msgspec

from diglot.digests import digest_of
from diglot.engine.keys import Key
from diglot.engine.others import OthersTraces
from diglot.engine.packs import BlobReference, ObjectMissing, StoredBlob
from diglot.engine.rules import Rule
from diglot.engine.store import Store

DECODED_BYTES = 4 << 20
ENCODED_BYTES = 6 << 20
"""Sizes of the caches of decoded and of encoded values. Both are measured by the encoded size; a decoded
value is several times as large."""
_LARGEST = 3
"""How many values of the size of the largest there is room for. Many tasks read a site's largest values, of
which one does not fit into `DECODED_BYTES` where there are ten thousand articles."""

_ENTRY_BYTES = 250
"""The memory a cached value takes in addition to its content. It matters because most values are small."""


class Encoded(bytes):
    """A value that msgspec has encoded already, in the process that did the task's work."""


def _part_of(digest: str, part: str) -> str:
    """The key of a part of a value in the cache of encoded values; a whole value has its digest."""
    return f"{digest} {part}"


class TaskValues:
    """The values of one build's tasks.

    A task always gets a decoded value, even in the build that made the value. If it got the original, a clean
    build could differ from one that reads the store.
    """

    def __init__(self, rules: Mapping[str, Rule], store: Store) -> None:
        self._rules = rules
        self.store = store
        """May be replaced by a store that was opened anew in the same folder."""
        self._types: dict[str, Any] = {}
        self._decoders: dict[str, Any] = {}
        self._at_hand: OrderedDict[Key, tuple[str, object, int]] = OrderedDict()
        self._at_hand_bytes = 0
        self._most_bytes_at_hand = DECODED_BYTES
        self._encoded: OrderedDict[str, bytes] = OrderedDict()
        self._encoded_bytes = 0
        self._read_ahead: dict[str, bytes] = {}
        """Values that are loaded next, by digest."""

    def save(self, key: Key, value: object) -> str:
        """Store a value and return its digest. Raises TypeError if it was declared as bytes and is not."""
        if isinstance(value, BlobReference):
            return self.store.save_blob(value)
        if isinstance(value, StoredBlob):
            for part, content in value.parts.items():
                self._keep_encoded(_part_of(value.blob.digest, part), content)
            return self.store.save_blob(value.blob)
        if self._is_raw(key):
            if not isinstance(value, bytes):
                raise TypeError(f"{key} is declared as bytes, but made {type(value).__name__}")
            return self.store.save_value(value)
        if isinstance(value, Encoded):
            digest = self.store.save_value(value)
            self._keep_encoded(digest, value)
            return digest
        return self.store.save_value(msgspec.msgpack.encode(value))

    def take_over(self, digest: str, others: OthersTraces) -> bool:
        """Store a value that another machine made, unless it is stored; whether it is now."""
        if self.store.has(digest):
            return True
        value = others.value(digest)
        if value is None or digest_of(value.content) != digest:
            return False
        if value.is_packed:
            self.store.save_blob(self.store.packs.add(value.content))
        else:
            self.store.save_value(value.content)
        return True

    def load_encoded(self, digest: str) -> bytes:
        """The value of a task as it is stored. Raises ObjectMissing if the store no longer has it."""
        if (kept := self._encoded.get(digest)) is None:
            kept = self.store.object(digest)
            self._keep_encoded(digest, kept)
        return kept

    def load_part(self, key: Key, digest: str, part: str) -> bytes:
        """One field of the value of a task, still encoded. Raises ObjectMissing as `load` does."""
        content = self._encoded.get(_part_of(digest, part))
        return bytes(getattr(self.load(key, digest), part)) if content is None else content

    def _keep_encoded(self, digest: str, content: bytes) -> None:
        if digest in self._encoded:
            return
        self._encoded[digest] = content
        self._encoded_bytes += len(content) + _ENTRY_BYTES
        while self._encoded_bytes > ENCODED_BYTES:
            self._encoded_bytes -= len(self._encoded.popitem(last=False)[1]) + _ENTRY_BYTES

    def keep_only(self, keys: Container[Key], digests: Container[str]) -> None:
        """Drop all cached values except those of these tasks, and encoded ones with these digests."""
        for key in [key for key in self._at_hand if key not in keys]:
            self._at_hand_bytes -= self._at_hand.pop(key)[2]
        for digest in [digest for digest in self._encoded if digest.partition(" ")[0] not in digests]:
            self._encoded_bytes -= len(self._encoded.pop(digest)) + _ENTRY_BYTES

    def read_ahead(self, digests: Mapping[Key, str]) -> None:
        """Read a few hundred values at once, which `load` is asked for next."""
        missing = [
            digest
            for key, digest in digests.items()
            if digest not in self._encoded and self._at_hand.get(key, ("",))[0] != digest
        ]
        self._read_ahead = self.store.objects(missing) if len(missing) > 1 else {}

    def load(self, key: Key, digest: str) -> Any:
        """The value of a task. Raises ObjectMissing if the store no longer has it."""
        if (kept := self._at_hand.get(key)) is not None and kept[0] == digest:
            self._at_hand.move_to_end(key)
            return kept[1]
        content = self._read_ahead.pop(digest, None) or self._encoded.get(digest) or self.store.object(digest)
        if self._is_raw(key):
            return content
        value = self._decode(key, content)
        self._keep(key, digest, value, len(content))
        return value

    def _is_raw(self, key: Key) -> bool:
        return self._type(key.kind) is bytes

    def _type(self, kind: str) -> Any:
        if kind not in self._types:
            self._types[kind] = self._rules[kind].value_type
        return self._types[kind]

    def _decode(self, key: Key, content: bytes) -> object:
        if key.kind not in self._decoders:
            self._decoders[key.kind] = msgspec.msgpack.Decoder(self._type(key.kind))
        try:
            value: object = self._decoders[key.kind].decode(content)
        except msgspec.DecodeError as error:
            # The type of the value changed without a change of the digest of the rule's code.
            raise ObjectMissing(str(key)) from error
        return value

    def _keep(self, key: Key, digest: str, value: object, size_bytes: int) -> None:
        if (gone := self._at_hand.pop(key, None)) is not None:
            self._at_hand_bytes -= gone[2]
        size_bytes += _ENTRY_BYTES
        self._at_hand[key] = digest, value, size_bytes
        self._at_hand_bytes += size_bytes
        self._most_bytes_at_hand = max(self._most_bytes_at_hand, _LARGEST * size_bytes)
        while self._at_hand_bytes > self._most_bytes_at_hand:
            self._at_hand_bytes -= self._at_hand.popitem(last=False)[1][2]

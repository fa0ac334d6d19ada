"""Bundles: what one build adds to a shared cache, in two files.

`NAME.traces` is small and signed: traces, and for every value its digest and its place in `NAME.values`. The
latter has no signature of its own, because each value is compared with its digest when it is read.
"""

import platform
import re
import sys
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from diglot.digests import digest_of
from diglot.engine.database import VERSION
from diglot.engine.keys import Key
from diglot.engine.others import OthersValue
from diglot.engine.traces import Trace
from diglot.shared_cache.key_texts import SIGNATURE_BYTES

TRACES, VALUES = ".traces", ".values"
_HEAD = b"diglot bundle 1\n"
_NAME = re.compile(r"(?P<moment>[0-9]{8}T[0-9]{6}Z)-(?P<machine>[a-z0-9_.-]{1,80})-[0-9a-f]{32}")
_LEVEL = 1
"""Of zlib: higher ones take three times as long and save a tenth."""
MOST_VALUE_BYTES = 1 << 30


class ValuePlace(NamedTuple):
    """Where a value is in the file of a bundle's values."""

    digest: str
    offset: int
    size: int
    """In bytes, compressed."""
    full_size: int
    is_packed: bool


class _Content(msgspec.Struct, frozen=True, array_like=True):
    machine: str
    values_bytes: int
    values: list[tuple[str, int, int, int, bool]]
    traces: list[tuple[str, str, str, str, str, str | None]]


class Bundle(NamedTuple):
    """A bundle whose signature holds."""

    name: str
    values_bytes: int
    """The size of the file of its values."""
    values: Sequence[ValuePlace]
    traces: Mapping[Key, Trace]


def this_machine() -> str:
    """What machines have in common whose results are the same: Python, system, processor, format."""
    text = f"{sys.implementation.cache_tag}-{sys.platform}-{platform.machine()}-{sys.byteorder}-{VERSION}"
    return re.sub(r"[^a-z0-9_.-]", "_", text.lower())


def bundle_name(name: str, machine: str) -> str | None:
    """The name of the bundle of which a file has the traces; None for other files and other machines."""
    stem = name.removesuffix(TRACES)
    found = _NAME.fullmatch(stem)
    return stem if stem != name and found is not None and found["machine"] == machine else None


def moment_of(name: str) -> datetime | None:
    """When a bundle was written, according to the name of one of its files; None for other files."""
    if (found := _NAME.fullmatch(name.removesuffix(TRACES).removesuffix(VALUES))) is None:
        return None
    try:
        return datetime.strptime(found["moment"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None


class Written(NamedTuple):
    """The files of a new bundle."""

    name: str
    traces: bytes
    values: bytes


def write_bundle(
    traces: Mapping[Key, Trace],
    values: Mapping[str, OthersValue],
    *,
    sign: Callable[[bytes], bytes],
    now: datetime,
) -> Written:
    """A bundle of traces and values, the latter by digest."""
    places: list[tuple[str, int, int, int, bool]] = []
    parts: list[bytes] = []
    offset = 0
    for digest, (content, is_packed) in sorted(values.items()):
        part = zlib.compress(content, _LEVEL)
        places.append((digest, offset, len(part), len(content), is_packed))
        parts.append(part)
        offset += len(part)
    all_of_it = _Content(
        machine=this_machine(),
        values_bytes=offset,
        values=places,
        traces=[(*key, *trace) for key, trace in sorted(traces.items())],
    )
    body = zlib.compress(msgspec.msgpack.encode(all_of_it), _LEVEL)
    moment = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    name = f"{moment}-{this_machine()}-{digest_of(body)}"
    signed = name.encode() + b"\0" + body
    return Written(name, _HEAD + sign(signed) + body, b"".join(parts))


def read_bundle(name: str, content: bytes, keys: Collection[str]) -> Bundle | None:
    """The bundle in a file of traces; None unless one of the public keys signed it, under this name."""
    from diglot.shared_cache.signatures import is_signed  # noqa: PLC0415  (loads a library of an extra)

    head, signature, body = (
        content[: len(_HEAD)],
        content[len(_HEAD) : len(_HEAD) + SIGNATURE_BYTES],
        content[len(_HEAD) + SIGNATURE_BYTES :],
    )
    if head != _HEAD or not is_signed(name.encode() + b"\0" + body, signature, keys):
        return None
    try:  # who signed it is trusted, but may have another version of diglot
        found = msgspec.msgpack.decode(zlib.decompress(body), type=_Content)
    except (zlib.error, msgspec.DecodeError):
        return None
    if found.machine != this_machine():
        return None
    return Bundle(
        name,
        found.values_bytes,
        [ValuePlace(*one) for one in found.values],
        {Key(row[0], row[1]): Trace(*row[2:]) for row in found.traces},
    )


def read_value(place: ValuePlace, content: bytes) -> OthersValue | None:
    """The value in the bytes at a place; None if they are not what was written."""
    inflating = zlib.decompressobj()
    try:  # one byte more than it has would be too many: nobody's bytes grow without bound here
        value = inflating.decompress(content, min(place.full_size, MOST_VALUE_BYTES) + 1)
    except zlib.error:
        return None
    if len(value) != place.full_size or digest_of(value) != place.digest:
        return None
    return OthersValue(value, place.is_packed)

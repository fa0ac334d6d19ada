"""Packs: large values appended to a few files, because creating a file costs more than writing its content.

Each process appends to a pack of its own. Only SQLite knows where a value is. Bytes that no row refers to,
such as the last ones of a killed process, are waste, and are removed when packs are put in order.
"""

import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from diglot.cache_files import SAFELY, make_folder, make_way_for_file, remove
from diglot.digests import digest_of

_READING = os.O_RDONLY | SAFELY
_APPENDING = os.O_WRONLY | os.O_CREAT | os.O_APPEND | SAFELY


class ObjectMissing(Exception):
    """A stored value is gone or damaged; the task that made it has to run again."""


class BlobReference(NamedTuple):
    """Where a large value is."""

    digest: str
    """Digest of the value, compared whenever the value is read."""
    pack: str
    offset: int
    size: int


class StoredBlob(NamedTuple):
    """A value that is in a pack already: the process that made it, perhaps a worker, put it there."""

    blob: BlobReference
    parts: Mapping[str, bytes]
    """Fields of the value that other tasks are about to need, each encoded as it is in the value."""


class Packs(NamedTuple):
    """The packs of one store. Another process to which this is sent can read and append values, too.

    Packs are named by process ids. As only one build writes at a time, no two processes share a pack.
    """

    folder: str
    last: BlobReference | None = None
    """Where a task's last value is: it is not stored again if the new one is the same."""

    @classmethod
    def of(cls, store: str | os.PathLike[str]) -> "Packs":
        """The packs of the store in a folder."""
        return cls(os.path.join(store, "objects"))

    def add(self, content: bytes, *, pack: str | None = None) -> BlobReference:
        """Append a value to a pack, by default to the one of this process, unless it is the last value."""
        digest = digest_of(content)
        if self.last is not None and self.last.digest == digest and self.has(self.last):
            return self.last
        pack = pack or str(os.getpid())
        try:
            offset = self._append(pack, content)
        except OSError:  # the folder is missing, or the pack's name is taken by something else
            make_folder(self.folder)
            make_way_for_file(f"{self.folder}/{pack}")
            offset = self._append(pack, content)
        return BlobReference(digest, pack, offset, len(content))

    def _append(self, pack: str, content: bytes) -> int:
        with open(os.open(f"{self.folder}/{pack}", _APPENDING, 0o666), "ab") as file:
            offset = file.seek(0, os.SEEK_END)
            file.write(content)
        return offset

    def read(self, blob: BlobReference) -> bytes:
        """The value at a place. Raises ObjectMissing if it is missing or damaged."""
        try:
            number = os.open(f"{self.folder}/{blob.pack}", _READING)
            try:
                content = os.pread(number, blob.size, blob.offset)
            finally:
                os.close(number)
        except OSError as error:
            raise ObjectMissing(blob.digest) from error
        if digest_of(content) != blob.digest:
            raise ObjectMissing(blob.digest)
        return content

    def has(self, blob: BlobReference) -> bool:
        """Whether there is something at a place; it may still be damaged."""
        try:
            return os.stat(f"{self.folder}/{blob.pack}").st_size >= blob.offset + blob.size
        except OSError:
            return False

    def copy_out(self, files: Iterable[tuple[BlobReference, str]]) -> None:
        """Write values to files, creating folders. Raises ObjectMissing if one is missing or damaged."""
        for blob, path in files:
            content = self.read(blob)
            try:
                _write(path, content)
            except FileNotFoundError:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                _write(path, content)

    def sizes_bytes(self) -> dict[str, int]:
        """The size of each pack in bytes, by name."""
        try:
            with os.scandir(self.folder) as entries:
                return {
                    entry.name: entry.stat().st_size
                    for entry in entries
                    if entry.is_file(follow_symlinks=False)
                }
        except (FileNotFoundError, NotADirectoryError):
            return {}

    def unused_name(self) -> str:
        """The name of a pack that does not exist yet, and that no process has as its own."""
        number = 0
        while os.path.lexists(f"{self.folder}/put-{number}"):
            number += 1
        return f"put-{number}"

    def keep_only(self, packs: Collection[str]) -> None:
        """Remove everything from the folder except these packs."""
        with suppress(FileNotFoundError, NotADirectoryError):
            with os.scandir(self.folder) as entries:
                strangers = [
                    entry.path
                    for entry in entries
                    if entry.name not in packs or not entry.is_file(follow_symlinks=False)
                ]
            for path in strangers:
                remove(path)


def _write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
